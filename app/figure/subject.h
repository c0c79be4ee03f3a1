#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/drawing/evidence.h"
#include "app/recordings/library.h"
#include "core/launch/mapping.h"
#include "core/occupancy/occupancy.h"
#include "core/program/program_trace.h"
#include "core/view/view.h"

namespace warplens::figure {

/// Reads `3d`, as the command line writes it. Throws InvalidRequest.
[[nodiscard]] PictureKind pictureFrom(std::string_view text);
/// Rounds of a loop in which lanes that are done wait for others of their warp.
[[nodiscard]] constexpr std::uint64_t lostRounds(const LineCost& loop) {
    return loop.divergent == 0 ? 0 : loop.requests * lanesPerWarp - loop.activeLanes;
}
/// Adds what is wrong with it where there is nothing to cover: the threads of the grid are all that
/// the launch is about.
void requireProblem(PictureKind picture, const Kernel* kernel,
                    std::vector<LimitViolation>& violations);
/// `scenario|2d|3d`, all of them.
[[nodiscard]] std::string pictureWords();

/// What a figure shows: one launch, and what is known of it.
struct Subject final {
    View view{.picture = PictureKind::scenario};
    /// The kernel of a launch of a person's program, of which the view's experiment says the
    /// extents alone.
    std::string kernel{};
    std::optional<std::uint32_t> launch{};        ///< of that program, in order of launching
    Arguments arguments{};                        ///< of its kernel, those that are whole numbers
    std::string file{};                           ///< of that program, without its folder
    std::shared_ptr<const BlockSteps> program{};  ///< what its block did; null where not traced
    std::string ofLaunches{};                     ///< `oneOfLaunches`
    std::string source{};                         ///< the text of its file, where it is known
    std::vector<std::string> options{};           ///< that it was made and run with: `-DN=64`
    /// On the SM of `slots`, of compute capability 9.0 where the view names none; the launch's own
    /// demand where none is named.
    std::optional<BlockDemand> demand{};
    std::optional<Device> device{};  ///< that it was measured on
    Evidence evidence{};
    std::optional<Schedule> schedule{};  ///< where the measurement has one
    /// What its column of numbers begins with: what a pair differs in of which it is one; else what
    /// costs.
    std::optional<Metric> about{};
    bool codeApart = false;          ///< its code stands elsewhere on the page
    bool tellsExample = false;       ///< threadExample stands beside the picture
    float apart = 0;                 ///< cubes between the warps of a block that is drawn as cubes
    bool bySms = false;              ///< the schedule's rows are SMs, whatever it is about
    std::optional<Timing> timing{};  ///< where there is a measurement
    std::uint64_t localBytes = 0;    ///< of each thread, as measured
    std::vector<Finding> faults{};   ///< of a program: what is wrong with the launch
    /// Of a program: bytes of global memory that its requests load and store, as predicted.
    std::uint64_t loadedBytes = 0;
    std::uint64_t storedBytes = 0;
    std::uint32_t barriers = 0;      ///< of a program: `LaunchReport::barriers`
    std::uint64_t localSectors = 0;  ///< of a program that was compiled: of local memory
    /// Of a program: turns that its warps take at arrays of constant memory, as predicted, by name.
    std::map<std::string, std::uint64_t> constantTurns{};
    /// Of a program: times that its warps diverge where that only keeps threads out, as predicted,
    /// by line; 0: of another file.
    std::map<std::uint32_t, std::uint64_t> divergentGuards{};
    /// The same of all its other branches, of its own file, also where none diverges.
    std::map<std::uint32_t, std::uint64_t> divergentLines{};
    /// The conditions of its loops, which diverge in neither of these.
    std::map<std::uint32_t, LineCost> loops{};
    /// Of those lines what is called there, where it goes several ways by its argument: `sinf`.
    std::map<std::uint32_t, std::string> divergentCalls{};
    /// Of a program that was compiled: what its warps do at the branches that are left, by line.
    std::optional<std::map<std::uint32_t, LineCost>> compiledBranches{};
    /// Where the numbers come from, a line each: `compiled, counted, timed: recorded on NVIDIA
    /// H200, 2026-11-21`.
    std::vector<std::string> provenance{};
};

/// A measurement to show.
struct Shown final {
    const Measurement* measurement = nullptr;  ///< null where there is none
    bool recorded = false;
};

/// The subject with its numbers: the measured ones, and the predicted ones, for which the launch is
/// traced here unless the measurement holds them. A launch that cannot be run or traced has no
/// predicted numbers and a line that says why.
[[nodiscard]] Subject subjectOf(Experiment experiment, const Shown& shown);

/// The same of a launch of a person's program, whose totals are predicted; of its block in `steps`,
/// and as it was `measured`, each of which may be null. What a block asks of an SM is what was
/// measured, or as far as the steps tell it.
[[nodiscard]] Subject subjectOf(const LaunchReport& launch, const std::string& file,
                                std::shared_ptr<const BlockSteps> steps,
                                const ProgramMeasurement* measured = nullptr);

/// `launch 0 of 20` where the program launches its kernel more than once; else nothing.
[[nodiscard]] std::string oneOfLaunches(const ProgramTrace& trace, const LaunchReport& launch);

/// `predicted from a.cu, launched in line 18: 4 of 4 blocks traced`; on a slide nobody's home
/// folder.
[[nodiscard]] std::string predictedFrom(const LaunchReport& launch, const std::string& file);
/// The same with the lines of the accesses that are shown in place of the launch's; as it is where
/// there are none.
[[nodiscard]] std::string namingLines(std::string provenance,
                                      const std::vector<std::uint32_t>& lines);

/// What stands over its figure: the scenario's title, or the kernel's name and its file's.
[[nodiscard]] std::string titleOf(const Subject& subject);

/// The library's recording of the experiment, if it has one.
[[nodiscard]] Shown recordingOf(const RecordingLibrary& library, const Experiment& experiment);

}  // namespace warplens::figure
