// What kernels of the library must compute, written down a second time; those of reference.cpp are
// held to that.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <functional>
#include <gtest/gtest.h>
#include <map>
#include <numeric>

#include "kernels/library/traced_kernel.h"
#include "tests/support/random_experiment.h"
#include "tests/trace/reference.h"

namespace warplens {
namespace {

/// One launch and its arrays, as they are after it.
struct Done final {
    const Experiment& experiment;
    const Kernel& file;
    const library::ArrayMemory& memory;

    [[nodiscard]] std::int64_t size(std::string_view name) const {
        return experiment.arguments.at(name);
    }
    [[nodiscard]] double at(std::string_view array, std::int64_t index) const {
        const auto found = std::ranges::find(file.arrays, array, &KernelArray::name);
        const auto which = static_cast<std::size_t>(found - file.arrays.begin());
        const std::uint64_t address =
            memory.arrays()[which].begin + static_cast<std::uint64_t>(index) * 4;
        float asFloat = 0;
        std::int32_t asInt = 0;
        std::memcpy(&asFloat, reinterpret_cast<const void*>(address), 4);
        std::memcpy(&asInt, reinterpret_cast<const void*>(address), 4);
        return found->type == ElementType::int32 ? asInt : static_cast<double>(asFloat);
    }
};

using Expected = std::function<double(const Done&, std::int64_t element)>;

double sumAround(const Done& done, std::int64_t element) {
    const std::int64_t cells = 2 * done.size("radius") + 1;
    double sum = 0;
    for (std::int64_t k = 0; k < cells; ++k) sum += done.at("in", element + k);
    return sum;
}

double sumOfRow(const Done& done, std::int64_t row) {
    double sum = 0;
    for (std::int64_t j = 0; j < done.size("length"); ++j) {
        sum += done.at("in", row * (done.size("length") + done.size("gap")) + j);
    }
    return sum;
}

double sumOfBlock(const Done& done, std::int64_t block) {
    const std::int64_t threads = done.experiment.launch.block.x;
    double sum = 0;
    for (std::int64_t i = block * threads; i < std::min(done.size("n"), (block + 1) * threads);
         ++i) {
        sum += done.at("in", i);
    }
    return sum;
}

double countOf(const Done& done, std::int64_t key) {
    double count = 0;
    for (std::int64_t i = 0; i < done.size("n"); ++i) {
        count += done.at("keys", i) == static_cast<double>(key) ? 1 : 0;
    }
    return count;
}

double sparseProduct(const Done& done, std::int64_t row) {
    double sum = 0;
    const auto end = static_cast<std::int64_t>(done.at("starts", row + 1));
    for (auto k = static_cast<std::int64_t>(done.at("starts", row)); k < end; ++k) {
        sum +=
            done.at("values", k) * done.at("x", static_cast<std::int64_t>(done.at("columns", k)));
    }
    return sum;
}

const std::map<std::string_view, Expected>& expectations() {
    static const std::map<std::string_view, Expected> all{
        {"stencilGlobal", sumAround},
        {"stencilHalo", sumAround},
        {"scaleStructures",
         [](const Done& done, std::int64_t i) { return 2 * done.at("points", 4 * i); }},
        {"scaleArrays", [](const Done& done, std::int64_t i) { return 2 * done.at("xs", i); }},
        {"gridStride",
         [](const Done& done, std::int64_t i) { return done.at("in", i) * done.at("in", i); }},
        {"rowSum", sumOfRow},
        {"rowSumUnrolled", sumOfRow},
        {"reduceShuffle", sumOfBlock},
        {"histogramGlobal", countOf},
        {"histogramShared", countOf},
        {"histogramAggregated", countOf},
        {"sparseRowsThread", sparseProduct},
        {"sparseRowsWarp", sparseProduct},
    };
    return all;
}

TEST(LibraryResults, AreWhatTheKernelMustCompute) {
    std::mt19937_64 random(20261122);
    for (const Scenario& scenario : allScenarios()) {
        const Kernel& kernel = kernelOf(scenario.kernel);
        if (tests::referenceOf(kernel, initialExperiment(scenario), 0)) continue;
        const auto expected = expectations().find(kernel.name);
        ASSERT_NE(expected, expectations().end())
            << "nothing holds what " << kernel.name << " does";
        for (int launch = 0; launch < 6; ++launch) {
            Experiment e = randomExperiment(scenario, random);
            e.launch.block.y = e.launch.block.z = 1;
            e.launch.grid = coveringGrid(e);
            if (!validateRun(e).empty()) continue;
            const Kernel& file = kernelOf(e);
            const auto memory = std::make_shared<library::ArrayMemory>(e, true);
            for (std::size_t i = 0; i < file.arrays.size(); ++i) {
                if (file.arrays[i].role != ArrayRole::input) continue;
                std::vector<std::uint64_t> all(memory->arrays()[i].bytes / 4);
                std::iota(all.begin(), all.end(), std::uint64_t{0});
                (void)memory->provide(i, all);
            }
            TracedKernel traced(e, memory);
            class : public trace::WarpObserver {
                void onRequest(const trace::WarpRequest&) override {}
                void onBranch(const trace::WarpBranch&) override {}
            } nobody;
            for (std::uint64_t block = 0; block < e.launch.grid.count(); ++block) {
                (void)traced.runBlock(blockIndexInGrid(block, e.launch.grid), nobody);
            }
            const Done done{e, file, *memory};
            for (std::size_t i = 0; i < file.arrays.size(); ++i) {
                if (file.arrays[i].role != ArrayRole::output) continue;
                const auto elements = static_cast<std::int64_t>(memory->arrays()[i].bytes / 4);
                for (std::int64_t element = 0; element < elements; ++element) {
                    const double value = expected->second(done, element);
                    ASSERT_NEAR(done.at(file.arrays[i].name, element), value,
                                1e-5 * std::abs(value) + 1e-9)
                        << scenario.id << ' ' << toOptions(e) << " element " << element;
                }
            }
        }
    }
}

}  // namespace
}  // namespace warplens
