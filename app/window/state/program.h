#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "core/launch/mapping.h"
#include "core/program/costliest_line.h"
#include "core/program/launch_inputs.h"
#include "core/program/line_costs.h"
#include "core/program/program_measurement.h"
#include "core/program/program_trace.h"
#include "core/program/remedies.h"
#include "core/program/warnings.h"
#include "core/view/view.h"

/// A person's own file in the window: what was traced of it, and what is chosen there. What the
/// panels show of it is worked out here, without ImGui.
namespace warplens::window {

/// How an exercise of a lesson stands that the file is.
struct ExerciseStanding final {
    std::string lesson;                ///< empty: of a course that is not open
    std::vector<ProgramWarning> left;  ///< to be done
};

/// One version of a file, and what tracing it said.
struct ProgramVersion final {
    std::vector<std::string> lines;  ///< of the file, without their line ends
    ProgramTrace trace;
    std::vector<ProposedValue>
        proposed{};  ///< what kernels are launched with that nothing launches
    /// Why there is no trace: the compiler's words, say. Empty where there is one.
    std::string failure;
    /// Line of the file that `failure` is about; 0 where it is about none.
    std::uint32_t failureLine = 0;
    /// Nothing was run: `failure` says what this machine cannot keep it from.
    bool notConfined = false;
    /// There is no compiler: `failure` says what brings one, and the text is all there is.
    bool noCompiler = false;
    /// Of the program's text and of what it was launched with: what measurements belong to.
    std::string digest{};
    std::optional<ExerciseStanding> exercise{};
    std::vector<std::uint32_t> statements{};  ///< on which line each line's statement begins
};

/// What a measurement of a launch of the open file is about.
struct ProgramSubject final {
    std::string path;
    std::string digest;  ///< of the version
    std::vector<ProposedValue> wishes{};
    std::uint32_t launch = 0;  ///< its index
    std::string kernel;
    friend bool operator==(const ProgramSubject&, const ProgramSubject&) = default;
};

/// What a GPU did in one launch of the open file.
struct ProgramResult final {
    std::string digest;        ///< of the version that was measured
    std::uint32_t launch = 0;  ///< its index
    std::shared_ptr<const ProgramMeasurement> measurement{};
    bool recorded = false;  ///< read from a file
};

/// Which block of which launch of which version.
struct StepsPlace final {
    std::string path;
    std::shared_ptr<const ProgramVersion> version;
    std::uint32_t launch = 0;
    Index3 block;
    std::vector<ProposedValue> wishes;
    friend bool operator==(const StepsPlace&, const StepsPlace&) = default;
};
/// What its warps do, step by step.
struct ProgramSteps final {
    StepsPlace place;
    std::shared_ptr<const BlockSteps> steps;  ///< null where they could not be traced
    std::string failure;                      ///< why
};

/// Which version remedies, or causes of differences, are looked for.
struct RemedyPlace final {
    std::string path;
    std::shared_ptr<const ProgramVersion> version;
    std::vector<ProposedValue> wishes;
    friend bool operator==(const RemedyPlace&, const RemedyPlace&) = default;
};
/// What was tried for it.
template <class Tried>
struct TriedFor final {
    RemedyPlace place;
    std::vector<Tried> tried{};
    std::string failure{};  ///< why nothing could be
};
using ProgramRemedies = TriedFor<TriedRemedy>;
/// Why its compiled code asks for something else than what is written.
using ProgramDifferences = TriedFor<TriedDifference>;

/// A file that a remedy is written to, or taken back from.
struct RemedyWrite final {
    std::string file;
    std::string text;      ///< to stand there
    std::string expected;  ///< that must stand there; empty: whatever
    friend bool operator==(const RemedyWrite&, const RemedyWrite&) = default;
};

/// What a kernel's accesses to an array are to take, a request.
struct LineGoal final {
    std::string kernel;
    std::string array;
    AccessKind kind{};
    double most = 0;
    std::uint64_t requests = 0;  ///< it was set for so many
    double within = 0;           ///< of `most`, of rows that begin within a sector
    /// Of how it stands: what would do for the requests that there are now.
    double least = 0;
    friend bool operator==(const LineGoal&, const LineGoal&) = default;
};

/// A launch as it is shown, or was when it was pinned.
struct ShownLaunch final {
    std::string path;
    std::shared_ptr<const ProgramVersion> version;
    std::uint32_t launch = 0;                   ///< its index, of one that there is
    std::shared_ptr<const BlockSteps> steps{};  ///< of the chosen block; null until traced
    std::shared_ptr<const ProgramMeasurement> measured{};  ///< null where it was not
    std::optional<WarpRank> warp{};                        ///< held
    std::optional<std::uint64_t> step{};                   ///< of the warp, in its trace
    std::uint32_t line = 0;                                ///< chosen, of its file
    friend bool operator==(const ShownLaunch&, const ShownLaunch&) = default;

    [[nodiscard]] const LaunchReport& predicted() const;
};

/// The open file's text while it is edited in the window.
struct ProgramEditor final {
    bool open = false;
    std::string text{};
    std::string saved{};  ///< as the file was when both were the same last
    /// As another program wrote the file since then, while there were changes here.
    std::optional<std::string> theirs{};
    std::vector<std::string> undo{};  ///< texts before, the latest last
    std::vector<std::string> redo{};
    double typedAt = -1;  ///< AppState::now of the last change

    [[nodiscard]] bool isChanged() const { return text != saved; }
};

/// What a file that was left is opened with again.
struct LeftProgram final {
    std::shared_ptr<const ProgramVersion> now{};
    std::shared_ptr<const ProgramVersion> before{};
    std::optional<LineGoal> goal{};
    ProgramEditor editor{};
};

/// The file that is open instead of a built-in scenario.
inline constexpr std::uint32_t mostBlocksTried = 3;

struct ProgramState final {
    std::string path;    ///< empty: none
    std::string left{};  ///< that was open before, while none is
    /// At this file's text, though its kernels are elsewhere: somebody came back to it.
    bool stays = false;
    std::shared_ptr<const ProgramVersion> now{};
    std::shared_ptr<const ProgramVersion> before{};  ///< the last one that had a launch
    std::shared_ptr<const ProgramVersion> ran{};     ///< the last one that could be traced
    std::shared_ptr<const ProgramVersion> then{};    ///< as it was left, until it is traced again
    std::map<std::string, LeftProgram> others{};     ///< by path, all that were left
    /// Of the version that is being traced; null where none is, or where it is not read yet.
    std::shared_ptr<const std::vector<std::string>> text{};
    std::shared_ptr<const ProgramSteps> steps{};              ///< the latest, of whatever block
    std::shared_ptr<const ProgramRemedies> remedies{};        ///< the latest, of whatever version
    std::shared_ptr<const ProgramDifferences> differences{};  ///< the same
    std::size_t remedy = SIZE_MAX;          ///< the one of those tried that was chosen for its line
    std::optional<RemedyWrite> takeBack{};  ///< what undoes the remedy that was written last
    std::optional<LineGoal> goal{};         ///< checked with each version
    std::string stage;                      ///< what is being done; empty: nothing
    bool stopping = false;                  ///< the run under way is to end
    std::optional<std::uint32_t> launch{};  ///< chosen, by its index; nothing before there is one
    std::uint32_t line = 0;                 ///< chosen, from 1; 0: none
    std::optional<AccessKind> costs{};      ///< as ChooseProgramLine has them
    std::optional<std::size_t> finding{};   ///< likewise
    std::uint32_t linesChosen = 0;          ///< counts up, also where one is chosen again
    bool isLinePicked = false;              ///< by somebody, since a version was traced last
    std::uint32_t wrongVersions = 0;        ///< counts up with each that has an error
    /// Blocks that were shown in search of one that comes to the line; all, once one is chosen.
    std::uint32_t blocksTried = 0;
    std::uint32_t opened = 0;  ///< counts up with each opening, so that a file can be opened again
    std::vector<ProposedValue> wishes{};  ///< in place of what is proposed
    bool asking = false;                  ///< the field for a path is open
    std::string proposed{};               ///< what stands in the field
    ProgramEditor editor{};
    std::string problem{};                 ///< why what was typed there is not opened
    std::vector<ProgramResult> results{};  ///< the latest of each version and launch, newest last
    std::string kept{};                    ///< a kept measurement that is being opened
    bool machineCode = false;              ///< of the chosen line, instead of its PTX
    bool pictured = false;           ///< the picture, where there is no room for the source and it
    std::optional<View> explored{};  ///< what was shown before a file was opened
    /// Programs are run although this machine cannot hold them: somebody said so.
    bool unconfined = false;

    [[nodiscard]] bool isOpen() const { return !path.empty(); }
};

/// The version that what is tried is tried for; nothing while the file is traced, or could not be.
[[nodiscard]] std::optional<RemedyPlace> tracedNow(const ProgramState& program);
/// The same for remedies; nothing of an exercise that is not done, whose solution they would be.
[[nodiscard]] std::optional<RemedyPlace> wantedRemedies(const ProgramState& program);
/// Whose causes of differences are to be looked for: nothing unless the chosen line's code differs
/// from what is written, and no measurement says why.
[[nodiscard]] std::optional<RemedyPlace> wantedDifferences(const ProgramState& program);
/// What was tried, if it was for the file as it is now; null where that is not known yet, or is not
/// to be told.
template <class Tried>
[[nodiscard]] const TriedFor<Tried>* ofNow(const std::shared_ptr<const TriedFor<Tried>>& found,
                                           const ProgramState& program) {
    const auto wanted =
        std::is_same_v<Tried, TriedRemedy> ? wantedRemedies(program) : tracedNow(program);
    return found && wanted && found->place == *wanted ? found.get() : nullptr;
}

/// Why no launch of a file with a main is typed, a sentence.
inline constexpr std::string_view ownLaunches =
    "The file's own main makes its launches: block, grid and sizes are changed in its source, or "
    "by --grid and --block of the command line.";

/// What the chosen line's costliest access could come to; nothing where it is good as it is.
[[nodiscard]] std::optional<LineGoal> goalOfLine(const ProgramState& program);
/// What the goal's accesses take now, the most that one of them does; nothing where there is none.
[[nodiscard]] std::optional<LineGoal> standingOfGoal(const ProgramState& program);

/// What is wrong with the program as it is now: no goal is reached by that. Null where nothing is.
[[nodiscard]] const Finding* faultOf(const ProgramState& program);

/// What was found at the chosen line, the one that was chosen and those of its kind first.
[[nodiscard]] std::vector<const Finding*> findingsHere(const ProgramState& program);
/// Whether what was tried is about the chosen line.
[[nodiscard]] bool isOfLine(const TriedRemedy& tried, const ProgramState& program);
/// Of the remedies that are an edit of the chosen line the one that was chosen, else the first of
/// those of the finding that stands first, else the first; nothing where there is none, nor where
/// that finding's own can only be told.
[[nodiscard]] std::optional<std::size_t> editOfLine(const ProgramState& program);

/// The chosen launch; null where there is none.
[[nodiscard]] const LaunchReport* chosenLaunch(const ProgramState& program);

/// The files besides the open one that a launch has lines in, those first whose lines cost most;
/// none of a library's.
[[nodiscard]] std::vector<std::string> otherFilesOf(const ProgramState& program,
                                                    const LaunchReport& launch);
/// Where no launch has a line in the open file, as where all kernels are in headers: the file of
/// the chosen launch's; else empty.
[[nodiscard]] std::string fileOfAllKernels(const ProgramState& program);

/// What Measure would measure; nothing where there is no launch.
[[nodiscard]] std::optional<ProgramSubject> subjectOfChosen(const ProgramState& program);
void keep(ProgramState& program, ProgramResult result);
/// A launch of a measurement that was kept, whose digest this is.
[[nodiscard]] ProgramResult resultOf(const MeasuredLaunch& kept, const std::string& digest);
/// The measurement of the chosen launch of the file as it is now; null where there is none.
[[nodiscard]] const ProgramResult* resultOfChosen(const ProgramState& program);
/// Where there is none: the latest one of that launch in another version of the file, or with other
/// values; null where there is none of these, either.
[[nodiscard]] const ProgramResult* formerResultOfChosen(const ProgramState& program);

/// What the sources say of a statement that begins on the line, a row for each kind; all lines'
/// rows where `line` is 0. None without a measurement of the chosen launch.
[[nodiscard]] std::vector<LineComparison> comparisonOfChosen(const ProgramState& program,
                                                             std::uint32_t line = 0);
/// By line; empty without a measurement of the chosen launch.
[[nodiscard]] std::map<std::uint32_t, ComparedLine> comparedLines(const ProgramState& program);

/// Where the sources differ on the line, and why: as measured, else as tried without a GPU.
[[nodiscard]] std::vector<const LineDifference*> differencesOfChosen(const ProgramState& program,
                                                                     std::uint32_t line);
/// What the compiler made of the line; null where that is not known.
[[nodiscard]] const CompiledLine* codeOfChosen(const ProgramState& program, std::uint32_t line);

/// What was measured of the file as it is now, to be kept; no launches where nothing was.
[[nodiscard]] MeasuredProgram measuredOf(const ProgramState& program);
/// Takes the launches of a kept measurement over. Returns why not, a sentence; empty where it did.
[[nodiscard]] std::string takeKept(ProgramState& program, const MeasuredProgram& kept);

/// What the chosen launch's kernel is launched with, where no program launches it: of the last
/// version that could be traced.
[[nodiscard]] std::vector<ProposedValue> proposedForChosen(const ProgramState& program);
/// Takes a wish over; an empty value takes it back.
void wish(ProgramState& program, ProposedValue value);

/// Whether what is found is nothing that the program does wrong.
[[nodiscard]] bool isWarning(FindingKind kind);

/// A launch in the list: `<<<(32, 8), 256>>>`.
[[nodiscard]] std::string launchText(const Launch& launch);

/// Of the file's own kernels, not a library's, the launch with something wrong, else the one whose
/// costliest line costs most: its index.
[[nodiscard]] std::uint32_t worstLaunch(const ProgramState& program);
/// Where no line is chosen, the first on which the sources of the chosen launch differ.
void chooseDifference(ProgramState& program);
/// Chooses a launch of the trace, or the first, and in it the costliest line; where none wastes
/// anything, the first that the sources differ on.
void chooseLaunch(ProgramState& program, std::uint32_t index);
/// Chooses the line that reads as that of the launch it is held against, if it is counted here,
/// too, and nothing is wrong here.
void chooseLineLike(ProgramState& program, const ShownLaunch& other);
/// Takes a new version of the open file over; keeps what is chosen where it is still there, of a
/// launch that is no longer made its neighbour.
void takeVersion(ProgramState& program, std::shared_ptr<const ProgramVersion> version);

}  // namespace warplens::window
