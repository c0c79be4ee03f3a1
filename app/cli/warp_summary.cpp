#include <optional>

#include "app/cli/text_table.h"
#include "app/cli/thread_listing.h"
#include "app/cli/value_report.h"
#include "core/launch/coverage.h"
#include "core/launch/mapping.h"
#include "core/text/format.h"

namespace warplens {
namespace {

constexpr int shownRuns = 3;

std::string positionOf(Index3 thread) {
    return "(" + std::to_string(thread.x) + "," + std::to_string(thread.y) + "," +
           std::to_string(thread.z) + ")";
}

/// Numbers that follow one another written together: `0-15, 512-527`, with what is too much for a
/// table left out: `0, 512, 1024, ... 15872`.
class Runs final {
  public:
    void add(std::uint64_t number) {
        if (last_ && number == *last_ + 1) {
            last_ = number;
            return;
        }
        finishRun();
        first_ = last_ = number;
    }
    [[nodiscard]] std::string text() {
        finishRun();
        first_ = last_ = std::nullopt;
        if (runs_ > shownRuns + 1) return text_ + ", ... " + latest_;
        return runs_ > shownRuns ? text_ + ", " + latest_ : text_;
    }

  private:
    void finishRun() {
        if (!first_) return;
        latest_ = std::to_string(*first_) + (*last_ == *first_ ? "" : "-" + std::to_string(*last_));
        if (++runs_ <= shownRuns) text_ += (text_.empty() ? "" : ", ") + latest_;
    }
    std::optional<std::uint64_t> first_;
    std::optional<std::uint64_t> last_;
    std::string text_;
    std::string latest_;
    int runs_ = 0;
};

std::string coverageOfProblem(const Experiment& experiment, const Kernel& kernel) {
    if (kernel.work.empty()) return "";
    const Coverage coverage = coverageOf(experiment.launch, kernel.work(experiment.arguments));
    return "coverage   " + groupedDigits(coverage.useful) + " threads have an element, " +
           groupedDigits(coverage.wasted()) + " have none, " + groupedDigits(coverage.missed) +
           " elements are missed\n";
}

std::vector<std::string> rowOf(const Experiment& experiment, const Kernel& kernel, WarpRank warp) {
    const Extents block = experiment.launch.block;
    const ThreadRank first = firstThreadOfWarp(warp);
    const std::uint32_t count = threadCountInWarp(warp, block);
    Runs elements;
    std::uint32_t outside = 0;
    for (std::uint32_t lane = 0; lane < count; ++lane) {
        const Index3 thread = threadIndexInBlock({first.value + lane}, block);
        const auto element = kernel.element(experiment.arguments, experiment.launch, {}, thread);
        if (element) {
            elements.add(*element);
        } else {
            ++outside;
        }
    }
    std::string reached = elements.text();
    if (outside != 0) {
        reached += (reached.empty() ? "" : "; ") + std::to_string(outside) + " without one";
    }
    const ThreadRank last{first.value + count - 1};
    return {std::to_string(warp.value), std::to_string(count),
            std::to_string(first.value) + "-" + std::to_string(last.value),
            positionOf(threadIndexInBlock(first, block)) + " to " +
                positionOf(threadIndexInBlock(last, block)),
            reached};
}

}  // namespace

std::string warpSummary(const Experiment& experiment) {
    const Kernel& kernel = kernelOf(experiment);
    const Launch& launch = experiment.launch;
    const std::uint32_t warps = warpCountPerBlock(launch.block);
    std::string text = titleOf(experiment) + "\n\n";
    text += "threads    " + groupedCount(launch.threadCount()) + ": " +
            counted(launch.grid.count(), "block") + " of " + groupedDigits(launch.block.count()) +
            '\n';
    text += "warps      " + std::to_string(warps) + " in each block, " +
            counted(idleLaneCount(launch.block), "lane") + " of the last one idle\n";
    text += coverageOfProblem(experiment, kernel);
    text += "\nEvery block is split alike. The first one:\n";
    std::vector<std::vector<std::string>> rows{
        {"warp", "threads", "linear", "thread (x,y,z)", "elements"}};
    for (WarpRank warp; warp.value < warps; ++warp.value) {
        rows.push_back(rowOf(experiment, kernel, warp));
    }
    return text + toTable(rows) + "\n--csv and --json list every thread.\n";
}

}  // namespace warplens
