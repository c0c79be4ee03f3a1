#include "tests/support/random_experiment.h"

#include <algorithm>
#include <cmath>

#include "kernels/library/traced_kernel.h"

namespace warplens {
namespace {

class Dice final {
  public:
    explicit Dice(std::mt19937_64& random) : random_(random) {}
    std::int64_t between(std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(random_);
    }
    /// Each order of magnitude as often as any other.
    std::int64_t wide(std::int64_t least, std::int64_t most) {
        const double ratio = static_cast<double>(most + 1) / static_cast<double>(least);
        const double power = std::uniform_real_distribution<double>(0, 1)(random_);
        return std::min(
            most, static_cast<std::int64_t>(static_cast<double>(least) * std::pow(ratio, power)));
    }
    bool oneIn(int times) { return between(1, times) == 1; }
    Extents block() {
        if (oneIn(2))
            return blockShapes[static_cast<std::size_t>(between(0, blockShapes.size() - 1))];
        Extents extents;
        do {
            extents = {static_cast<std::uint32_t>(between(1, 64)),
                       static_cast<std::uint32_t>(between(1, 40)),
                       static_cast<std::uint32_t>(oneIn(3) ? between(1, 16) : 1)};
        } while (extents.count() > 1024);
        return extents;
    }

    /// A block that the kernel's own launch rule may accept: tiles and powers of two are tried
    /// often.
    Extents lawfulBlock(const Experiment& e) {
        const Kernel& kernel = kernelOf(e);
        if (kernel.rules.empty() && kernel.blockFor.empty()) return block();
        if (e.arguments.contains("tile")) {
            const auto tile = static_cast<std::uint32_t>(e.arguments.at("tile"));
            return {tile, tile, 1};
        }
        return oneIn(2) ? Extents{32, 32, 1} : Extents{1u << between(0, 10), 1, 1};
    }

  private:
    std::mt19937_64& random_;
};

std::int64_t randomArgument(std::string_view name, Dice& dice, bool isMatrix) {
    if (name == "n") return isMatrix ? dice.between(1, 300) : dice.between(1, 60000);
    if (name == "rows" || name == "cols") return dice.between(1, 130);
    if (name == "length") return dice.between(1, 64);
    if (name == "inner") return dice.between(1, 90);
    if (name == "width" || name == "height") return dice.between(1, 200);
    if (name == "depth") return dice.between(1, 12);
    if (name == "trips") return dice.between(1, 70);
    if (name == "stride") return dice.between(1, 40);
    if (name == "offset") return dice.between(0, 40);
    if (name == "shift") return dice.between(0, 5);
    return dice.between(1, 9);
}

std::int64_t wideArgument(std::string_view name, Dice& dice, bool isMatrix) {
    if (name == "n") return isMatrix ? dice.wide(1, 2000) : dice.wide(1, 3'000'000);
    if (name == "rows" || name == "cols" || name == "inner") return dice.wide(1, 2000);
    if (name == "length") return dice.wide(1, 64);
    if (name == "width" || name == "height") return dice.wide(1, 3000);
    if (name == "depth") return dice.wide(1, 300);
    if (name == "trips") return dice.wide(1, 300);
    if (name == "stride" || name == "offset") return dice.wide(1, 1000);
    if (name == "shift") return dice.between(0, 5);
    return dice.between(1, 3);
}

std::uint32_t otherExtent(std::uint32_t extent, Dice& dice) {
    if (dice.oneIn(4)) return extent + static_cast<std::uint32_t>(dice.wide(1, 20 * extent));
    if (dice.oneIn(4))
        return std::max(1u, extent - static_cast<std::uint32_t>(dice.between(0, extent - 1)));
    return extent;
}

/// The scenario's own experiment with other sizes, its arrays now and then begun elsewhere.
Experiment resized(const Scenario& scenario, Dice& dice,
                   std::int64_t (*argument)(std::string_view, Dice&, bool isMatrix)) {
    const Kernel& kernel = kernelOf(scenario.kernel);
    const bool isMatrix = !kernel.arrays.back().columns.empty();
    Experiment e = initialExperiment(scenario);
    for (const KernelSize& parameter : kernel.sizes) {
        e.arguments.set(parameter.name, argument(parameter.name, dice, isMatrix));
    }
    if (e.arguments.contains("tile")) e.arguments.set("tile", 8 << dice.between(0, 2));
    if (dice.oneIn(2)) {
        e.arrayOffset = static_cast<std::uint32_t>(dice.between(1, mostArrayOffset));
    }
    return e;
}

Experiment wideExperiment(const Scenario& scenario, Dice& dice) {
    const Kernel& kernel = kernelOf(scenario.kernel);
    Experiment e = resized(scenario, dice, wideArgument);
    e.launch.block = dice.lawfulBlock(e);
    e.launch.dynamicSharedBytes = dynamicSharedBytes(e);
    if (kernel.work.empty()) {
        e.launch.grid = {static_cast<std::uint32_t>(dice.wide(1, 20000)),
                         static_cast<std::uint32_t>(dice.oneIn(2) ? dice.wide(1, 100) : 1),
                         static_cast<std::uint32_t>(dice.oneIn(4) ? dice.wide(1, 20) : 1)};
        return e;
    }
    e.launch.grid = coveringGrid(e);
    e.launch.grid = {otherExtent(e.launch.grid.x, dice), otherExtent(e.launch.grid.y, dice),
                     dice.oneIn(5) ? static_cast<std::uint32_t>(dice.between(1, 5))
                                   : otherExtent(e.launch.grid.z, dice)};
    return e;
}

class Nobody final : public trace::WarpObserver {
    void onRequest(const trace::WarpRequest&) override {}
    void onBranch(const trace::WarpBranch&) override {}
};

/// Of the block that does most of a few.
std::uint64_t stepsPerBlock(const Experiment& e) {
    const Extents grid = e.launch.grid;
    TracedKernel kernel(e);
    Nobody nobody;
    return std::max({kernel.runBlock({}, nobody),
                     kernel.runBlock({grid.x / 2, grid.y / 2, grid.z / 2}, nobody),
                     kernel.runBlock({grid.x / 4, grid.y / 4, grid.z / 4}, nobody),
                     std::uint64_t{20}});  // what a block costs that does nothing
}

}  // namespace

Experiment randomWideExperiment(const Scenario& scenario, std::mt19937_64& random,
                                std::uint64_t mostSteps) {
    Dice dice(random);
    while (true) {
        const auto most =
            static_cast<std::uint64_t>(dice.wide(10'000, static_cast<std::int64_t>(mostSteps)));
        Experiment e = wideExperiment(scenario, dice);
        if (!validate(e).empty() || !validateRun(e).empty()) continue;
        // Launches that are refused for their size alone are not traced to find that out.
        if (e.launch.grid.count() > most / 20) continue;
        if (stepsPerBlock(e) <= most / e.launch.grid.count()) return e;
    }
}

Experiment randomExperiment(const Scenario& scenario, std::mt19937_64& random) {
    Dice dice(random);
    const Kernel& kernel = kernelOf(scenario.kernel);
    Experiment e = resized(scenario, dice, randomArgument);
    do {
        e.launch.block = dice.lawfulBlock(e);
        e.launch.dynamicSharedBytes = dynamicSharedBytes(e);
    } while (!validateRun(e).empty());
    if (kernel.work.empty()) {
        e.launch.grid = {static_cast<std::uint32_t>(dice.between(1, 9)),
                         static_cast<std::uint32_t>(dice.between(1, 5)),
                         static_cast<std::uint32_t>(dice.between(1, 3))};
        if (!validateRun(e).empty()) e.launch.grid = {e.launch.grid.x};
        return e;
    }
    e.launch.grid = coveringGrid(e);
    if (dice.oneIn(5)) e.launch.grid.x += 1;
    if (dice.oneIn(5)) e.launch.grid.x = std::max(1u, e.launch.grid.x / 2);
    if (dice.oneIn(5)) e.launch.grid.z = 2;
    return e;
}

}  // namespace warplens
