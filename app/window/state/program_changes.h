#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "app/window/state/program.h"

/// What another text of the open file, or other values, made of its launches and findings.
namespace warplens::window {

/// The launch of another run that is the same one: of its kernel, in order of launching. Null where
/// that run has not so many of the kernel.
[[nodiscard]] const LaunchReport* counterpartOf(const ProgramTrace& of, const LaunchReport& launch,
                                                const ProgramTrace& in);

/// A total of the chosen launch in this version and in the one before.
struct VersionChange final {
    std::string_view what;  ///< `Load sectors`
    std::uint64_t before = 0;
    std::uint64_t now = 0;
    /// Both do the same work, as far as can be seen: fewer is a gain. Not where the launch is
    /// another one and stores more or fewer bytes, as one does that no longer covers its data, or
    /// is the same and stores more, as one does that was mended.
    bool sameWork = true;
    /// More of it is waste: not of requests, nor of wavefronts that shared memory needs.
    bool isWaste = true;
};
/// The totals that are not the same; empty without a version before that has the launch.
[[nodiscard]] std::vector<VersionChange> changesOf(const ProgramState& program);

/// What is better and what it takes for that, or what is still wrong, in a sentence or two; empty
/// where nothing changed, or it is not the same work.
[[nodiscard]] std::string verdictOf(const ProgramState& program,
                                    const std::vector<VersionChange>& changes);

/// What `costsALittle` could take, else what is taken in banks of shared memory by what the data
/// are, a sentence from its second word on; empty where nothing is left.
[[nodiscard]] std::string leftInWords(const LaunchReport& launch);

/// Times that warps diverge, but at guards, where that is seldom, and for what is no branch once it
/// is compiled.
[[nodiscard]] std::uint64_t divergentBranches(const LaunchReport& launch);

/// Launches of the version before that this one does not come to.
[[nodiscard]] std::vector<const LaunchReport*> launchesGone(const ProgramState& program);

/// The array whose element a finding names; empty where it names none.
[[nodiscard]] std::string_view arrayOf(const Finding& finding);
/// By their indices, the findings that have one cause: races between two lines for one array, what
/// is never written of one, an index beyond several. In the order of the first of each.
[[nodiscard]] std::vector<std::vector<std::size_t>> findingsByCause(
    const std::vector<Finding>& findings);

/// Findings that the run before had and this one has not, and the reverse; none where there was no
/// run before, or this one was ended before its end.
struct FindingChanges final {
    std::vector<const Finding*> gone{};
    std::vector<const Finding*> come{};
    /// Of kernels that are launched otherwise now, or not at all: nothing says that they are gone.
    std::vector<const Finding*> notTried{};
};
[[nodiscard]] FindingChanges findingChangesOf(const ProgramState& program);

/// Whether the run was ended before its end.
[[nodiscard]] bool wasEnded(const ProgramExit& exit);
/// Why a run did not come to `launch`, as in `a launch`: a sentence.
[[nodiscard]] std::string whyWithout(std::string_view launch, const ProgramTrace& trace);

/// Of what a compiler or a linker said the lines with an error; of a linker's what it misses, from
/// there on. Empty where it names none.
[[nodiscard]] std::vector<std::string_view> errorsIn(std::string_view said);
/// What somebody who reads that for the first time is helped by, a sentence; empty: nothing.
[[nodiscard]] std::string_view errorHint(std::string_view said);

/// The text that stands in the window: the one that was traced, or while a newer one is, that one,
/// with the numbers of the other at the lines that are still the same.
struct ShownText final {
    const std::vector<std::string>& lines;
    std::vector<std::uint32_t> traced;  ///< by line: which line of the traced text it is; 0: none
};
/// Of a file's text, as they are shown.
[[nodiscard]] std::vector<std::string> linesShown(std::string_view text);
/// Whether a remedy can be taken back once the open file is these lines: nobody else has changed
/// what it wrote. Of other files nothing is known against it.
[[nodiscard]] bool mayTakeBack(const ProgramState& program, const std::vector<std::string>& lines);
/// Which of the traced lines, from 1, each line is: those before and behind what was edited; 0:
/// none.
[[nodiscard]] std::vector<std::uint32_t> matchedLines(const std::vector<std::string>& lines,
                                                      const std::vector<std::string>& traced);
[[nodiscard]] ShownText shownText(const ProgramState& program);

}  // namespace warplens::window
