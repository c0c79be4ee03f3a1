#include "kernels/trace/runtime/other_order.h"

#include <algorithm>
#include <cstdio>
#include <fcntl.h>
#include <unistd.h>

#include "kernels/trace/runtime/grid_run.h"
#include "kernels/trace/runtime/launch_state.h"
#include "kernels/trace/runtime/memory.h"
#include "kernels/trace/runtime/races.h"
#include "kernels/trace/runtime/tally.h"

namespace warplens::runtime {
namespace {

constexpr std::uint64_t mostBytes = std::uint64_t{64} << 20;
/// Turns after every access take a few times as long.
constexpr double mostSeconds = 0.15;

bool outlastsLaunches(const Array& array) {
    return array.live && array.space != Space::shared && array.space != Space::dynamic;
}

std::uint64_t unitsOf(const ProgramLine& line) {
    if (line.kind == AccessKind::branch) return line.divergent;
    return line.sectors != 0 ? line.sectors : line.wavefronts;
}

/// While it lives, nothing that the launch does is told or printed.
class Trial final {
  public:
    Trial() {
        std::fflush(stdout);
        output_ = dup(STDOUT_FILENO);
        const int nowhere = open("/dev/null", O_WRONLY | O_CLOEXEC);
        dup2(nowhere, STDOUT_FILENO);
        close(nowhere);
        launchState.isTrial = laneProgram.inTurns = true;
        clearSums();
        clearRaces();
    }
    Trial(const Trial&) = delete;
    Trial& operator=(const Trial&) = delete;
    ~Trial() {
        std::fflush(stdout);
        dup2(output_, STDOUT_FILENO);
        close(output_);
        if (launchState.failed) laneRunner.drop();
        launchState.isTrial = laneProgram.inTurns = launchState.failed = false;
        launchState.error = 0;
    }

  private:
    int output_;
};

void keepBeside(std::vector<ProgramLine>& lines, const std::vector<ProgramLine>& other) {
    const auto sameIn = [](const std::vector<ProgramLine>& all, const ProgramLine& line) {
        return std::find_if(all.begin(), all.end(), [&](const ProgramLine& each) {
            return each.place == line.place && each.kind == line.kind && each.array == line.array;
        });
    };
    for (ProgramLine& line : lines) {
        const auto same = sameIn(other, line);
        const CountsInOtherOrder counts = same == other.end()
                                              ? CountsInOtherOrder{}
                                              : CountsInOtherOrder{same->requests, unitsOf(*same)};
        if (counts == CountsInOtherOrder{line.requests, unitsOf(line)}) continue;
        line.inOtherOrder = counts;
    }
    for (const ProgramLine& line : other) {
        if (sameIn(lines, line) != lines.end()) continue;
        ProgramLine& only = lines.emplace_back();
        only.place = line.place;
        only.kind = line.kind;
        only.array = line.array;
        only.inOtherOrder = {line.requests, unitsOf(line)};
    }
}

}  // namespace

OtherOrder::OtherOrder(bool wanted)
    : isPossible_(wanted && !launchState.cooperative && !heapIsUsed() && hasAtomics()) {
    std::uint64_t total = 0;
    for (std::uint32_t id = 0; id < arrayCount() && isPossible_; ++id) {
        const Array& array = arrayOf(id);
        if (!outlastsLaunches(array)) continue;
        total += array.bytes;
        isPossible_ = total <= mostBytes;
        if (!isPossible_) break;
        const auto* bytes = reinterpret_cast<const std::byte*>(array.at);
        contents_[id].assign(bytes, bytes + array.bytes);
    }
}

void OtherOrder::exchangeContents() {
    for (auto& [id, bytes] : contents_) {
        std::swap_ranges(bytes.begin(), bytes.end(), reinterpret_cast<std::byte*>(arrayOf(id).at));
    }
}

void OtherOrder::compare(LaunchReport& launch) {
    const bool asks = std::any_of(launch.lines.begin(), launch.lines.end(),
                                  [](const auto& line) { return line.kind == AccessKind::atomic; });
    if (!isPossible_ || !asks || !launch.exact || launchState.failed || heapIsUsed() ||
        launch.laneAccesses == 0 || cpuSeconds() - launchState.began > mostSeconds) {
        return;
    }
    exchangeContents();
    std::vector<ProgramLine> lines;
    {
        const Trial trial;
        runGridBackwards();
        if (!launchState.failed) lines = linesOfLaunch(1);
    }
    exchangeContents();
    if (!lines.empty()) keepBeside(launch.lines, lines);
}

}  // namespace warplens::runtime
