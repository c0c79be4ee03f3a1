#include "kernels/library/computing_loops.h"

#include <algorithm>
#include <memory>
#include <vector>

#include "kernels/library/traced_kernel.h"

namespace warplens {
namespace {

constexpr std::uint64_t mostBlocks = 16;

struct Seen final {
    std::uint32_t line = 0;
    std::uint32_t activeLanes = 0;
    std::uint32_t takenLanes = 0;
    std::vector<std::uint64_t> addresses{};
    friend bool operator==(const Seen&, const Seen&) = default;
};

class Watcher final : public trace::WarpObserver {
  public:
    void onRequest(const trace::WarpRequest& request) override {
        seen.push_back({request.line, request.activeLanes, 0,
                        std::vector(request.addresses.begin(), request.addresses.end())});
    }
    void onBranch(const trace::WarpBranch& branch) override {
        seen.push_back({branch.line, branch.activeLanes, branch.takenLanes});
    }
    std::vector<Seen> seen;
};

}  // namespace

std::optional<std::uint32_t> lineThatComputingChanges(const Experiment& experiment) {
    const Kernel& file = kernelOf(experiment);
    if (file.computing.empty()) return std::nullopt;
    TracedKernel computing(experiment, std::make_shared<library::ArrayMemory>(experiment, true));
    TracedKernel tracing(experiment);
    const std::uint64_t last = experiment.launch.grid.count() - 1;
    const std::uint64_t pieces = std::clamp<std::uint64_t>(last, 1, mostBlocks - 1);
    for (std::uint64_t piece = 0; piece <= std::min(last, pieces); ++piece) {
        const Index3 block = blockIndexInGrid(
            last / pieces * piece + last % pieces * piece / pieces, experiment.launch.grid);
        Watcher with;
        Watcher without;
        computing.runBlock(block, with);
        tracing.runBlock(block, without);
        const auto [one, other] = std::ranges::mismatch(with.seen, without.seen);
        if (one != with.seen.end()) return one->line;
        if (other != without.seen.end()) return other->line;
    }
    return std::nullopt;
}

}  // namespace warplens
