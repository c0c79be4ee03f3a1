// Predictions of launches far too large to trace whole, against the hardware's counters: the report
// in docs/counted-totals-h200.txt. Drawn and predicted on one machine, counted on another:
//   counted-totals draw LAUNCHES SEED > launches.jsonl     needs no GPU
//   counted-totals count launches.jsonl                    prints the report; exits 1 where they
//                                                          differ

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>

#include "core/json/archive.h"
#include "core/json/json.h"
#include "core/program/launch_report.h"
#include "core/text/format.h"
#include "kernels/device/cubin.h"
#include "kernels/library/predict.h"
#include "kernels/measure/counters/range_profiler.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/scenario_launch.h"

namespace {

using namespace warplens;

constexpr double leastAccesses = 1e9;
constexpr double mostAccesses = 8e9;

/// Loads, stores and shared accesses of lanes, from what the lines say of bytes and requests.
double laneAccesses(const LaunchReport& prediction) {
    const Kernel& kernel = kernelOf(prediction.experiment());
    double accesses = 0;
    for (const ProgramLine& line : prediction.lines) {
        const auto array = std::ranges::find(kernel.arrays, line.array, &KernelArray::name);
        if (array == kernel.arrays.end() || isAtomic(line.kind)) continue;
        accesses +=
            static_cast<double>(line.requestedBytes) / static_cast<double>(byteCount(array->type));
    }
    return accesses;
}

class Draw final {
  public:
    explicit Draw(std::uint64_t seed) : random_(seed) {}

    /// Nothing where launches as large as wanted are none of the scenario's.
    std::optional<Experiment> of(const Scenario& scenario) {
        const Kernel& kernel = kernelOf(scenario.kernel);
        for (int tries = 0; tries < 10'000; ++tries) {
            Experiment e = initialExperiment(scenario);
            for (const KernelSize& parameter : kernel.sizes) {
                e.arguments.set(parameter.name,
                                std::min(argument(parameter, kernel), parameter.maximum));
            }
            if (e.arguments.contains("tile")) e.arguments.set("tile", 8 << between(0, 2));
            if (oneIn(2)) e.arrayOffset = static_cast<std::uint32_t>(between(1, mostArrayOffset));
            e.launch.block = !kernel.blockFor.empty() ? kernel.blockFor(e.arguments) : block();
            if (!kernel.rules.empty() && kernel.usesBarriers && kernel.blockFor.empty()) {
                // A power of two for the reductions; a tile's size keeps what it begins with.
                e.launch.block = oneIn(2) ? initialExperiment(scenario).launch.block
                                          : Extents{1u << between(5, 10), 1, 1};
            }
            e.launch.dynamicSharedBytes = dynamicSharedBytes(e);
            if (kernel.work.empty()) {
                e.launch.grid = {static_cast<std::uint32_t>(between(8, 20) * 100'000'000 /
                                                            e.launch.block.count()),
                                 1, 1};
            } else {
                e.launch.grid = coveringGrid(e);
                if (oneIn(4)) e.launch.grid.x += static_cast<std::uint32_t>(between(1, 1000));
                if (oneIn(4)) e.launch.grid.y += static_cast<std::uint32_t>(between(1, 3));
            }
            if (validate(e).empty() && validateRun(e).empty() && fits(e)) return e;
        }
        return std::nullopt;
    }

  private:
    std::int64_t between(std::int64_t least, std::int64_t most) {
        return std::uniform_int_distribution<std::int64_t>(least, most)(random_);
    }
    bool oneIn(int times) { return between(1, times) == 1; }
    Extents block() {
        Extents extents;
        do {
            extents = {static_cast<std::uint32_t>(between(1, 128)),
                       static_cast<std::uint32_t>(between(1, 32)),
                       static_cast<std::uint32_t>(oneIn(5) ? between(1, 4) : 1)};
        } while (extents.count() > 1024 || extents.count() < 64);
        if (oneIn(2)) extents = {static_cast<std::uint32_t>(between(2, 32)) * 32, 1, 1};
        return extents;
    }
    std::int64_t argument(const KernelSize& parameter, const Kernel& kernel) {
        const std::string_view name = parameter.name;
        const bool isProduct = kernel.name.starts_with("matrixMultiply");
        const bool isMatrix = !kernel.arrays.back().columns.empty();
        if (isProduct) {
            return kernel.usesBarriers ? between(2500, 4500) : between(700, 1500);
        }
        if (name == "n") {
            if (kernel.name == "sumInRounds") return between(1, parameter.maximum);
            return isMatrix || kernel.name.starts_with("transpose") ? between(19000, 40000)
                                                                    : between(5, 13) * 99'999'989;
        }
        if (name == "width" || name == "height") {
            return kernel.name == "elementwise3D" ? between(700, 1200) : between(23000, 40000);
        }
        if (name == "depth") return between(700, 1200);
        if (name == "trips") return between(2, 40);
        if (name == "stride") return between(1, 4);
        if (name == "offset") return between(0, 1000);
        if (name == "shift") return between(0, 5);
        return between(1, 3);
    }
    /// On the device, beside what counting takes.
    static bool fits(const Experiment& e) {
        return arrayBytes(kernelOf(e), e.arguments, e.launch) < 40'000'000'000;
    }

    std::mt19937_64 random_;
};

int draw(int launches, std::uint64_t seed) {
    Draw draw(seed);
    const auto scenarios = allScenarios();
    // The scenarios that open one kernel differ in nothing else here.
    for (int i = 0, at = 0; i < launches; ++at) {
        const Scenario& scenario = scenarios[static_cast<std::size_t>(at) % scenarios.size()];
        const std::optional<Experiment> experiment = draw.of(scenario);
        if (!experiment) continue;
        const LaunchReport prediction = predict(*experiment);
        const double accesses = laneAccesses(prediction);
        if (accesses > mostAccesses || accesses < leastAccesses) continue;
        if (!prediction.exact) {
            std::cerr << "a sample: " << toJson(prediction.experiment(), -1) << '\n';
            continue;
        }
        auto object = nlohmann::json::parse(toJson(prediction));
        object["lane_accesses"] = accesses;
        std::cout << object.dump() << std::endl;
        ++i;
    }
    return 0;
}

struct Compared final {
    const char* name;
    Metric metric;
    std::vector<Counter> counters;  ///< their sum
};

const std::vector<Compared>& compared() {
    static const std::vector<Compared> all{
        {"global_load_requests", Metric::globalLoadRequests, {Counter::loadRequests}},
        {"global_store_requests", Metric::globalStoreRequests, {Counter::storeRequests}},
        {"global_load_sectors", Metric::globalLoadSectors, {Counter::loadSectors}},
        {"global_store_sectors", Metric::globalStoreSectors, {Counter::storeSectors}},
        {"shared_wavefronts", Metric::sharedWavefronts, {Counter::sharedWavefronts}}};
    return all;
}

struct Row final {
    int launches = 0;
    int differ = 0;
};

int count(const char* path) {
    const Device device = queryDevice();
    RangeProfiler profiler;
    std::cout << "Predictions from one block of each kind, of launches of " << leastAccesses
              << " lane accesses to global memory\nand more, beside what the hardware counted\n"
              << "device " << device.name << ", driver CUDA " << device.driver << ", Warplens "
              << version() << "\n\n";
    std::map<std::string, Row> rows;
    double fewest = mostAccesses;
    double total = 0;
    int launches = 0;
    int differing = 0;
    std::ifstream file(path);
    for (std::string line; std::getline(file, line); ++launches) {
        Experiment e;
        std::vector<Value> values;
        double accesses = 0;
        std::uint64_t blocks = 0;
        std::uint64_t traced = 0;
        readJson(line, [&](Archive& v) {
            describe(v, e);
            v("values", values, "");
            v("lane_accesses", accesses, "");
            v("blocks", blocks, "");
            v("blocks_traced", traced, "");
        });
        fewest = std::min(fewest, accesses);
        total += accesses;
        const ScenarioLaunch launch(e, device);
        const LoadedKernel& loaded = launch.loaded();
        const bool merged =
            compiledKernel(loaded.compiled().cubin, loaded.symbol(), launch.kernel())
                .mergedSharedLoads;
        profiler.acquire();
        const CounterReadings readings = profiler.read([&] { launch.run(); }, 1);
        for (const Compared& one : compared()) {
            // The counters see other requests where the compiler merged loads.
            if (one.metric == Metric::sharedWavefronts && merged) continue;
            double counted = 0;
            for (const Counter counter : one.counters) counted += readings.values.at(counter).at(0);
            const double predicted = *findValue(values, one.metric, Source::predicted)->number();
            Row& row = rows[one.name];
            ++row.launches;
            if (counted == predicted) continue;
            ++row.differ;
            ++differing;
            std::printf("%s %s %s: %s predicted %.0f, counted %.0f\n", e.scenario.c_str(),
                        toLaunchSyntax(e.launch).c_str(), sizesOf(e).c_str(), one.name, predicted,
                        counted);
        }
        std::printf("%-20s %-48s %s lane accesses, %s of %s blocks traced\n", e.scenario.c_str(),
                    (toLaunchSyntax(e.launch) + ' ' + sizesOf(e)).c_str(),
                    groupedDigits(static_cast<std::uint64_t>(accesses)).c_str(),
                    groupedDigits(traced).c_str(), groupedDigits(blocks).c_str());
        std::fflush(stdout);
    }
    std::printf("\n");
    for (const auto& [name, row] : rows) {
        std::printf("%s: %d launches, counted differs in %d\n", name.c_str(), row.launches,
                    row.differ);
    }
    std::printf("\n%d launches, the smallest of %s lane accesses, %s in all; %d values differ\n",
                launches, groupedDigits(static_cast<std::uint64_t>(fewest)).c_str(),
                groupedDigits(static_cast<std::uint64_t>(total)).c_str(), differing);
    return differing == 0 && launches != 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
    const std::string mode = argc > 1 ? argv[1] : "";
    try {
        if (mode == "draw" && argc == 4) {
            return draw(std::atoi(argv[2]), std::strtoull(argv[3], nullptr, 10));
        }
        if (mode == "count" && argc == 3) return count(argv[2]);
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
    std::cerr << "usage: counted-totals draw LAUNCHES SEED | count FILE\n";
    return 2;
}
