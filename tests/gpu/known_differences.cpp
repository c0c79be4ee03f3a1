#include "tests/gpu/known_differences.h"

#include <algorithm>
#include <array>
#include <sstream>
#include <string>

#include "core/launch/mapping.h"
#include "kernels/library/traced_kernel.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/scenario_launch.h"
#include "tests/gpu/probe/probed_scenario.h"

namespace warplens {
namespace {

/// A branch that leads to nothing but the kernel's end becomes an EXIT, which no counter of
/// branches sees.
bool isExit(const std::string& ptx, const Site& branch) {
    const std::string label = branch.instruction.substr(branch.instruction.rfind('$'));
    std::istringstream rest(ptx.substr(ptx.find('\n' + label + ':') + 1));
    std::string line;
    std::getline(rest, line);
    while (std::getline(rest, line)) {
        const std::size_t word = line.find_first_not_of(" \t");
        if (word == std::string::npos || line.compare(word, 4, ".loc") == 0) continue;
        return line.compare(word, 3, "ret") == 0;
    }
    return false;
}

/// What the probe counts on lines that have no name, and the counters see, too.
double unnamedDivergence(const Experiment& experiment) {
    static const Device device = queryDevice();
    const ScenarioLaunch launch(experiment, device);
    std::uint64_t divergent = 0;
    for (const auto& [site, tally] : probeScenario(launch).unnamed) {
        if (!isExit(launch.loaded().compiled().ptx, site)) divergent += tally.divergent;
    }
    return static_cast<double>(divergent);
}

double warpsOf(const Experiment& experiment) {
    return static_cast<double>(experiment.launch.grid.count() *
                               warpCountPerBlock(experiment.launch.block));
}

/// Warps with a lane that goes into the loop with the kernel's one name.
double warpsThatEnter(const Experiment& experiment) {
    class : public trace::WarpObserver {
      public:
        void onRequest(const trace::WarpRequest&) override {}
        void onBranch(const trace::WarpBranch& branch) override {
            entered = entered || branch.takenLanes != 0;
        }
        bool entered = false;
    } observer;
    TracedKernel kernel(experiment);
    double warps = 0;
    for (std::uint64_t block = 0; block < experiment.launch.grid.count(); ++block) {
        const std::uint32_t ofBlock = warpCountPerBlock(experiment.launch.block);
        for (WarpRank warp; warp.value < ofBlock; ++warp.value) {
            observer.entered = false;
            kernel.runWarp(blockIndexInGrid(block, experiment.launch.grid), warp, observer);
            warps += observer.entered ? 1 : 0;
        }
    }
    return warps;
}

constexpr const char* unnamedLoops =
    "loops that have no name, whose lanes leave in different rounds";
constexpr const char* copyOfLoop =
    "a copy of the loop without the inner one; each warp that enters is asked which to take";
constexpr std::array all{
    KnownDifference{"row-sum", Metric::divergentBranches, Source::counted, "kernel", unnamedLoops,
                    unnamedDivergence},
    KnownDifference{"row-sum-unrolled", Metric::divergentBranches, Source::counted, "kernel",
                    unnamedLoops, unnamedDivergence},
    KnownDifference{"histogram-shared", Metric::divergentBranches, Source::counted, "kernel",
                    unnamedLoops, unnamedDivergence},
    KnownDifference{"grid-stride", Metric::divergentBranches, Source::counted, "kernel",
                    unnamedLoops, unnamedDivergence},
    KnownDifference{"latency-hiding", Metric::branches, Source::compiled, "more", copyOfLoop,
                    warpsThatEnter},
    KnownDifference{"block-placement", Metric::branches, Source::compiled, "more", copyOfLoop,
                    warpsThatEnter},
    KnownDifference{"histogram-shared", Metric::branches, Source::compiled, "inside",
                    "two branches that choose among the four rounds in one bear the guard's line",
                    [](const Experiment& e) { return 2 * warpsOf(e); }},
};

}  // namespace

std::span<const KnownDifference> knownDifferences() {
    return all;
}

const KnownDifference* knownDifference(const Experiment& experiment, Metric metric, Source source,
                                       std::string_view subject) {
    const auto found = std::ranges::find_if(all, [&](const KnownDifference& each) {
        return each.scenario == experiment.scenario && each.metric == metric &&
               each.source == source && each.subject == subject;
    });
    return found == all.end() ? nullptr : &*found;
}

}  // namespace warplens
