// What the warps of one block of a program do, step by step: by hand for small kernels, and for the
// kernels that travel with the program as the trace of these has it.
#include <algorithm>
#include <bit>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <map>
#include <set>

#include "app/drawing/warp_trace.h"
#include "core/program/joined_atomics.h"
#include "kernels/library/array_memory.h"
#include "kernels/library/prepared_launch.h"
#include "kernels/programs/trace_program.h"
#include "tests/programs/own_cache.h"
#include "tests/support/temporary_folder.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

/// The steps of a block of the text's launch.
BlockSteps stepsOf(const fs::path& file, const std::string& text, std::uint32_t launch,
                   Index3 block) {
    useOwnCache();
    std::ofstream(file) << text;
    TraceRequest request;
    request.source.files = {file};
    request.launch = launch;
    request.stepsOf = block;
    TracedProgram traced = traceProgram(request);
    for (const Finding& finding : traced.trace.findings) {
        ADD_FAILURE() << finding.place.line << ": " << finding.words;
    }
    EXPECT_TRUE(traced.steps) << traced.trace.exit.output << traced.trace.exit.stopped;
    return traced.steps ? *traced.steps : BlockSteps{};
}

WarpTrace traceOf(const BlockSteps& steps, std::uint32_t warp) {
    Experiment experiment = initialExperiment(scenarioNamed("warp-grouping"));
    experiment.launch = steps.shape;
    return traceWarp({experiment, steps.block, {warp}, std::make_shared<BlockSteps>(steps)});
}

TEST(BlockSteps, AddressesLanesAndBarriersOfAStrideAreThoseWorkedOutByHand) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    const tests::TemporaryFolder folder;
    const BlockSteps steps = stepsOf(folder.path() / "strided.cu", R"(
__global__ void strided(float* out, const float* in, int stride, int n) {
    __shared__ float tile[48];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = in[i * stride];
    __syncthreads();
    if (i < n) {
        out[i] = tile[47 - threadIdx.x];
    }
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 3 * 192 * sizeof(float));
    cudaMalloc(&out, 192 * sizeof(float));
    strided<<<1, 32>>>(out, in, 1, 32);
    strided<<<4, 48>>>(out, in, 3, 140);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
)",
                                     1, {2, 0, 0});
    EXPECT_EQ(steps.launch, 1U);
    EXPECT_EQ(steps.kernel, "strided");
    ASSERT_EQ(steps.warps.size(), 2U);
    for (std::uint32_t warp = 0; warp < 2; ++warp) {
        const WarpTrace trace = traceOf(steps, warp);
        ASSERT_EQ(trace.failure, "");
        EXPECT_EQ(trace.subjects.arrayNames(), (std::vector<std::string>{"out", "in", "tile"}));
        ASSERT_EQ(trace.steps.size(), 5U);
        EXPECT_EQ(trace.total, 5U);
        const std::vector<std::pair<StepKind, std::uint32_t>> wanted{{StepKind::load, 5},
                                                                     {StepKind::sharedStore, 5},
                                                                     {StepKind::branch, 7},
                                                                     {StepKind::sharedLoad, 8},
                                                                     {StepKind::store, 8}};
        const std::uint32_t all = warp == 0 ? 0xffffffff : 0xffff;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            SCOPED_TRACE(i);
            const WarpStep& step = trace.steps[i];
            EXPECT_EQ(std::pair(step.kind, step.line), wanted[i]);
            EXPECT_EQ(step.bytes, step.kind == StepKind::branch ? 0U : 4U);
            for (std::uint32_t lane = 0; lane < 32; ++lane) {
                const std::uint32_t thread = 32 * warp + lane;
                const std::uint32_t element = 96 + thread;
                const bool works = i < 3 || element < 140;
                EXPECT_EQ(step.active >> lane & 1, thread < 48 && works ? 1U : 0U) << lane;
                if ((step.active >> lane & 1) == 0) continue;
                const std::array<std::uint64_t, 5> offsets{12 * element, 4 * thread, 0,
                                                           4 * (47 - thread), 4 * element};
                EXPECT_EQ(step.offsets.at(lane), offsets.at(i)) << lane;
            }
        }
        const WarpStep& branch = trace.steps[2];
        EXPECT_EQ(branch.active, all);
        EXPECT_EQ(branch.taken, warp == 0 ? all : 0xfff);
        EXPECT_EQ(trace.subjects.branches.at(branch.subject).name, "if (i < n)");
    }
}

TEST(BlockSteps, LanesThatFaultAreToldBesideThoseThatDoNot) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    const tests::TemporaryFolder folder;
    const BlockSteps steps = stepsOf(folder.path() / "beyond.cu", R"(
__global__ void beyond(float* out, const float* in) {
    __shared__ float tile[32];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = in[i - 40];
    out[i] = tile[31 - threadIdx.x];
}
int main() {
    float *in, *out;
    cudaMalloc(&in, 64 * sizeof(float));
    cudaMalloc(&out, 64 * sizeof(float));
    cudaMemset(in, 0, 64 * sizeof(float));
    beyond<<<1, 64>>>(out, in);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
}
)",
                                     0, {});
    // Of the first warp all lanes load from before `in`, of the second 0 to 7; behind `tile`, and
    // before it, is what the second one means.
    const WarpTrace first = traceOf(steps, 0);
    const WarpTrace second = traceOf(steps, 1);
    ASSERT_EQ(first.steps.size(), 4U);
    ASSERT_EQ(second.steps.size(), 4U);
    const auto lanesOf = [](const WarpStep& step) { return std::pair(step.active, step.refused); };
    EXPECT_EQ(lanesOf(first.steps[0]), std::pair(0U, 0xffffffffU));
    EXPECT_EQ(lanesOf(second.steps[0]), std::pair(0xffffff00U, 0xffU));
    EXPECT_EQ(static_cast<std::int64_t>(second.steps[0].offsets.at(7)), -4);
    EXPECT_EQ(second.steps[0].offsets.at(8), 0U);
    for (const std::size_t step : {1U, 2U}) {
        EXPECT_EQ(lanesOf(first.steps[step]), std::pair(0xffffffffU, 0U));
        EXPECT_EQ(lanesOf(second.steps[step]), std::pair(0U, 0xffffffffU));
    }
    EXPECT_EQ(second.steps[3].refused, 0U);
}

TEST(BlockSteps, LoadsOfConstantMemoryAreStepsAndParametersOfKernelsAreNone) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    const tests::TemporaryFolder folder;
    const BlockSteps steps = stepsOf(folder.path() / "constants.cu", R"(
__constant__ float table[64];
__global__ void scaled(float* out, float by) {
    int i = threadIdx.x;
    out[i] = by * table[i + 32];
    out[i] = by * table[blockIdx.x];
}
int main() {
    float* out;
    float host[64] = {};
    cudaMemcpyToSymbol(table, host, sizeof host);
    cudaMalloc(&out, 32 * sizeof(float));
    scaled<<<2, 32>>>(out, 2);
    cudaDeviceSynchronize();
    cudaFree(out);
}
)",
                                     0, {1, 0, 0});
    const WarpTrace trace = traceOf(steps, 0);
    ASSERT_EQ(trace.failure, "");
    EXPECT_EQ(trace.subjects.arrayNames(), (std::vector<std::string>{"out", "table"}));
    const std::vector<std::pair<StepKind, std::uint32_t>> wanted{{StepKind::constantLoad, 5},
                                                                 {StepKind::store, 5},
                                                                 {StepKind::constantLoad, 6},
                                                                 {StepKind::store, 6}};
    ASSERT_EQ(trace.steps.size(), wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
        EXPECT_EQ(std::pair(trace.steps[i].kind, trace.steps[i].line), wanted[i]) << i;
    for (std::uint32_t lane = 0; lane < 32; ++lane) {
        EXPECT_EQ(trace.steps[0].offsets.at(lane), 4 * (lane + 32));
        EXPECT_EQ(trace.steps[2].offsets.at(lane), 4U);
    }
    EXPECT_EQ(costOf(trace.steps[0]).wavefronts, 32U);
    EXPECT_EQ(costOf(trace.steps[2]).wavefronts, 1U);
}

TEST(BlockSteps, OfTwoAtomicsOnALineTheOneAtTheAddressOfAllLanesIsJoined) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    const tests::TemporaryFolder folder;
    BlockSteps steps = stepsOf(folder.path() / "joined.cu", R"(
__global__ void tally(int* n, int* seen, float* sum, int* kept) {
    atomicAdd(n, 1); atomicAdd(&seen[threadIdx.x / 8], 1);
    atomicAdd(sum, 1.0f);
    if (threadIdx.x < 24) kept[threadIdx.x] = 1;
    if (threadIdx.x % 4 < 2) kept[threadIdx.x / 2] = 2;
}
int main() {
    int *n, *seen, *kept;
    float* sum;
    cudaMalloc(&n, sizeof(int));
    cudaMalloc(&seen, 4 * sizeof(int));
    cudaMalloc(&kept, 24 * sizeof(int));
    cudaMalloc(&sum, sizeof(float));
    cudaMemset(n, 0, sizeof(int));
    cudaMemset(seen, 0, 4 * sizeof(int));
    cudaMemset(sum, 0, sizeof(float));
    tally<<<1, 32>>>(n, seen, sum, kept);
    cudaDeviceSynchronize();
    cudaFree(n);
    cudaFree(seen);
    cudaFree(kept);
    cudaFree(sum);
}
)",
                               0, {});
    TraceRequest request;
    request.source.files = {folder.path() / "joined.cu"};
    tellJoined(steps, traceProgram(request).trace.launches.at(0));
    const WarpTrace trace = traceOf(steps, 0);
    ASSERT_EQ(trace.steps.size(), 7U);
    EXPECT_TRUE(trace.steps[3].isGuard && trace.steps[3].isOneWay);
    EXPECT_TRUE(!trace.steps[5].isGuard && trace.steps[5].isOneWay);
    for (const WarpStep& step : std::span(trace.steps).first(3)) {
        EXPECT_FALSE(step.isGuard);
        const std::string& array = trace.subjects.arrays.at(step.subject).name;
        EXPECT_EQ(step.kind, StepKind::atomic) << array;
        EXPECT_EQ(step.isJoined, array == "n") << array;
    }
}

// Lane 0, 1, 2 ... of one warp: the condition holds for those with a bit in the text's comment.
TEST(BlockSteps, WhetherAConditionHoldsIsToldForWhateverIsWrittenBehindIt) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    const tests::TemporaryFolder folder;
    const BlockSteps steps = stepsOf(folder.path() / "conditions.cu", R"(
__device__ void leaves(int* out, int i) {
    if (i >= 30) return;
    out[i] = i;
}
__global__ void conditions(int* out) {
    int i = threadIdx.x;
    float f = i;
    leaves(out, i);
    if (i < 4) out[i] = 1;
    if (i < 4) {
        out[i] = 1;
    } else {
        out[i] = 2;
    }
    if (f != 5.0f) out[i] = 3;
    for (int k = 0; k < i; ++k) {
        if (k == 2) break;
        if (k == i - 1) continue;
        out[i] += k;
    }
    int k = 0;
    while (k < 2)
        ++k;
    do { ++k; } while (k < i);
    out[i] = i > 7 ? k : 2;
    if (!(i & 1)) { out[i] = 4; }
    if (i >= 28)
        return;
    out[i] = 5;
}
int main() {
    int* out;
    cudaMalloc(&out, 32 * sizeof(int));
    conditions<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
)",
                                     0, {});
    ASSERT_EQ(steps.warps.size(), 1U);
    std::map<std::uint32_t, std::vector<std::pair<std::uint32_t, std::uint32_t>>> taken;
    for (const BlockStep& step : steps.warps[0].steps) {
        if (step.kind == AccessKind::branch) {
            taken[steps.places[step.place].line].emplace_back(step.active, step.taken);
        }
    }
    const auto lanes = [](auto holds) {
        std::uint32_t mask = 0;
        for (std::uint32_t i = 0; i < 32; ++i) mask |= holds(i) ? 1U << i : 0U;
        return mask;
    };
    const std::uint32_t all = 0xffffffff;
    const auto first = [&](std::uint32_t line) {
        return taken[line].empty() ? std::pair(0U, 0U) : taken[line].front();
    };
    EXPECT_EQ(first(3), std::pair(all, 0xc0000000U));
    EXPECT_EQ(first(10), std::pair(all, 0xfU));
    EXPECT_EQ(first(11), std::pair(all, 0xfU));
    EXPECT_EQ(first(16), std::pair(all, ~(1U << 5)));
    EXPECT_EQ(first(17), std::pair(all, ~1U));
    EXPECT_EQ(first(18), std::pair(~1U, 0U)) << "k is 0";
    EXPECT_EQ(first(19), std::pair(~1U, 2U)) << "k is 0: the last round of lane 1";
    EXPECT_EQ(first(23), std::pair(all, all));
    EXPECT_EQ(taken[23].back(), std::pair(all, 0U));
    EXPECT_EQ(first(25), std::pair(all, lanes([](std::uint32_t i) { return 3 < i; })));
    EXPECT_EQ(first(26), std::pair(all, lanes([](std::uint32_t i) { return i > 7; })));
    EXPECT_EQ(first(27), std::pair(all, lanes([](std::uint32_t i) { return i % 2 == 0; })));
    EXPECT_EQ(first(28), std::pair(all, 0xf0000000U));
}

TEST(BlockSteps, PartsOfAConditionAreToldOneByOne) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    const tests::TemporaryFolder folder;
    const BlockSteps steps = stepsOf(folder.path() / "parts.cu", R"(
__global__ void parts(int* out) {
    int i = threadIdx.x;
    if (i < 4 || i > 27) out[i] = 1;
    if (i < 4 && i > 1) out[i] = 1;
    if (i < 4 ||
        i > 27) {
        out[i] = 1;
    }
    if (i < 4 || i > 27) return;
    out[i] = 2;
}
int main() {
    int* out;
    cudaMalloc(&out, 32 * sizeof(int));
    parts<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
)",
                                     0, {});
    ASSERT_EQ(steps.warps.size(), 1U);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> taken;
    for (const BlockStep& step : steps.warps[0].steps) {
        if (step.kind == AccessKind::branch) taken.emplace_back(step.active, step.taken);
    }
    const std::uint32_t all = 0xffffffff;
    const std::vector<std::pair<std::uint32_t, std::uint32_t>> wanted{
        {all, 0xf}, {~0xfU, 0xf0000000}, {all, 0xf}, {0xf, 0xc},
        {all, 0xf}, {~0xfU, 0xf0000000}, {all, 0xf}, {~0xfU, 0xf0000000}};
    EXPECT_EQ(taken, wanted);
}

TEST(BlockSteps, OfALongBlockTheFirstAreKeptAndAllAreCounted) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    const tests::TemporaryFolder folder;
    const BlockSteps steps = stepsOf(folder.path() / "long.cu", R"(
__global__ void rounds(float* out, int n) {
    for (int k = 0; k < n; ++k) out[threadIdx.x] = k;
}
int main() {
    float* out;
    cudaMalloc(&out, 128 * sizeof(float));
    rounds<<<1, 128>>>(out, 50000);
    cudaDeviceSynchronize();
    cudaFree(out);
}
)",
                                     0, {});
    ASSERT_EQ(steps.warps.size(), 4U);
    for (const WarpSteps& warp : steps.warps) {
        EXPECT_EQ(warp.steps.size(), mostStepsOfBlock / 4);
        EXPECT_EQ(warp.total, 2 * 50000U + 1);
    }
}

TEST(BlockSteps, WhatDependsOnBlocksBeforeFindsWhatTheyHaveDone) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    const tests::TemporaryFolder folder;
    const BlockSteps steps = stepsOf(folder.path() / "tickets.cu", R"(
__device__ int next;
__global__ void tickets(int* out) {
    int mine = atomicAdd(&next, 1);
    out[mine] = threadIdx.x;
}
int main() {
    int* out;
    cudaMalloc(&out, 256 * sizeof(int));
    tickets<<<8, 32>>>(out);
    cudaDeviceSynchronize();
    cudaFree(out);
}
)",
                                     0, {5, 0, 0});
    const WarpTrace trace = traceOf(steps, 0);
    const auto store = std::ranges::find(trace.steps, StepKind::store, &WarpStep::kind);
    ASSERT_NE(store, trace.steps.end());
    std::set<std::uint64_t> places(store->offsets.begin(), store->offsets.end());
    EXPECT_EQ(*places.begin(), 4 * 160U);
    EXPECT_EQ(*places.rbegin(), 4 * 191U);
    EXPECT_EQ(places.size(), 32U);
}

TEST(BlockSteps, ABlockOrALaunchThatIsNotThereIsSaid) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    useOwnCache();
    TraceRequest request;
    request.source.files = {fs::path(PROGRAM_FOLDER) / "vector_add.cu"};
    request.launch = 0;
    request.stepsOf = Index3{1 << 30, 0, 0};
    const TracedProgram outside = traceProgram(request);
    EXPECT_FALSE(outside.steps);
    ASSERT_EQ(outside.trace.findings.size(), 1U);
    EXPECT_EQ(outside.trace.findings[0].words, "launch 0 has no such block");
    request.launch = 99;
    EXPECT_FALSE(traceProgram(request).steps);
}

/// A program that launches a kernel of the library as an experiment does. Arrays that are filled
/// with something hold it.
std::string programOf(const Experiment& experiment, const fs::path& folder) {
    const Kernel& file = kernelOf(experiment);
    const library::ArrayMemory memory(experiment, true);
    std::string text = "#include <cstdio>\n#include <cstdlib>\n#include \"" +
                       std::string(LIBRARY_FOLDER) + '/' + fs::path(file.file).filename().string() +
                       "\"\nint main() {\n";
    std::string call = file.instance(experiment.arguments) + "<<<";
    const auto extents = [](Extents e) {
        return "dim3(" + std::to_string(e.x) + ", " + std::to_string(e.y) + ", " +
               std::to_string(e.z) + ")";
    };
    call += extents(experiment.launch.grid) + ", " + extents(experiment.launch.block) + ", " +
            std::to_string(experiment.launch.dynamicSharedBytes) + ">>>(";
    for (const CallParameter& parameter : file.parameters) {
        if (&parameter != file.parameters.data()) call += ", ";
        if (!parameter.isArray) {
            call += std::to_string(experiment.arguments.at(parameter.name));
            continue;
        }
        const KernelArray& array = file.arrays[parameter.which];
        const auto [begin, bytes, mirror] = memory.arrays()[parameter.which];
        const std::string name = "array_" + parameter.name;
        const std::string size = std::to_string(bytes);
        const std::string type = std::string(infoOf(array.type).name) + '*';
        text += "    " + type + " " + name + ";\n    cudaMalloc(&" + name + ", " + size + ");\n";
        if (!array.filled.empty()) {
            const fs::path path = folder / (parameter.name + ".bin");
            std::ofstream(path, std::ios::binary)
                .write(reinterpret_cast<const char*>(begin), static_cast<std::streamsize>(bytes));
            text += "    {\n        void* host = malloc(" + size +
                    ");\n        FILE* in = fopen(\"" + path.string() +
                    "\", \"rb\");\n        if (fread(host, 1, " + size + ", in) != " + size +
                    ") return 1;\n        cudaMemcpy(" + name + ", host, " + size +
                    ", cudaMemcpyHostToDevice);\n        free(host);\n    }\n";
        }
        call += name;
    }
    return text + "    " + call + ");\n    return cudaDeviceSynchronize();\n}\n";
}

/// Where the array in shared memory begins that the step is to; a named part of one is of it.
std::uint64_t beginOfShared(const WarpTrace& trace, const WarpStep& step, const Kernel& file) {
    const StepShared& shared = trace.subjects.shared.at(step.subject);
    const auto part = std::ranges::find(file.shared, shared.name, &KernelShared::name);
    if (part == file.shared.end() || part->of.empty()) return shared.place.offset;
    const auto whole = std::ranges::find(trace.subjects.shared, part->of, &StepShared::name);
    return whole == trace.subjects.shared.end() ? 0 : whole->place.offset;
}

/// One step in words that both traces have.
std::string wordsOf(const WarpTrace& trace, const WarpStep& step, const Kernel& file) {
    std::string words = std::to_string(step.line) + " kind " +
                        std::to_string(static_cast<int>(step.kind)) + " lanes " +
                        std::to_string(step.active);
    if (step.kind == StepKind::branch) return words + " hold for " + std::to_string(step.taken);
    words += " bytes " + std::to_string(step.bytes) + " at";
    std::uint64_t begin = 0;
    if (step.isShared()) {
        begin = beginOfShared(trace, step, file);
    } else {
        const StepSubjects::Array& array = trace.subjects.arrays.at(step.subject);
        begin = array.lead;
        words += ' ' + array.name;
    }
    const ActiveOffsets offsets(step);
    for (const std::uint64_t offset : offsets.all()) {
        words += ' ' + std::to_string(offset - begin);
    }
    return words;
}

/// Puts requests of one line that follow one another into one order.
void sortRequests(std::vector<std::string>& texts) {
    const auto lineOfRequest = [](const std::string& text) {
        return text.find(" hold for ") == std::string::npos ? text.substr(0, text.find(' ')) : "";
    };
    for (auto begin = texts.begin(); begin != texts.end();) {
        const std::string line = lineOfRequest(*begin);
        auto end = begin + 1;
        while (!line.empty() && end != texts.end() && lineOfRequest(*end) == line) ++end;
        std::sort(begin, end);
        begin = end;
    }
}

class LibraryKernels : public testing::TestWithParam<std::string> {};

TEST_P(LibraryKernels, HaveTheSameStepsWhenAnybodysProgramLaunchesThem) {
    if (!whyNotHere().empty()) GTEST_SKIP() << whyNotHere();
    const Scenario& scenario = scenarioNamed(GetParam());
    const Kernel& kernel = kernelOf(scenario.kernel);
    const Experiment experiment = initialExperiment(scenario);
    const tests::TemporaryFolder folder;
    const Extents grid = experiment.launch.grid;
    const Index3 block{grid.x - 1, grid.y - 1, grid.z - 1};
    auto steps = std::make_shared<BlockSteps>(
        stepsOf(folder.path() / "program.cu", programOf(experiment, folder.path()), 0, block));
    steps->file = std::string(LIBRARY_FOLDER) + '/' + fs::path(kernel.file).filename().string();
    const std::uint32_t warps = warpCountPerBlock(experiment.launch.block);
    ASSERT_EQ(steps->warps.size(), warps);
    EXPECT_EQ(steps->staticSharedBytes, staticSharedBytes(experiment));
    std::size_t compared = 0;
    for (std::uint32_t warp = 0; warp < warps; ++warp) {
        const WarpTrace built = traceWarp({experiment, block, {warp}});
        const WarpTrace own = traceWarp({experiment, block, {warp}, steps});
        ASSERT_EQ(built.failure, "");
        // A condition of several parts is one branch in the library and several elsewhere; others
        // than those that are named are told elsewhere alone.
        std::map<std::uint32_t, std::set<std::uint16_t>> partsOn;
        std::set<std::uint32_t> named;
        for (const WarpStep& step : own.steps) {
            if (step.kind == StepKind::branch) partsOn[step.line].insert(step.subject);
        }
        for (const WarpStep& step : built.steps) {
            if (step.kind == StepKind::branch) named.insert(step.line);
        }
        const auto textsOf = [&](const WarpTrace& trace) {
            std::vector<std::string> texts;
            for (const WarpStep& step : trace.steps) {
                const bool isCompared =
                    step.kind != StepKind::branch ||
                    (named.contains(step.line) && partsOn[step.line].size() == 1);
                if (isCompared) texts.push_back(wordsOf(trace, step, kernel));
            }
            return texts;
        };
        std::vector<std::string> wanted = textsOf(built);
        std::vector<std::string> found = textsOf(own);
        compared += found.size();
        // Of long ones fewer are kept where branches without a name are among them. Compilers
        // differ in the order in which a statement's operands are read and written.
        const bool isCut = own.steps.size() < own.total;
        constexpr std::size_t ofStatement = 8;
        if (isCut) wanted.resize(std::min(wanted.size(), found.size() + ofStatement));
        for (std::vector<std::string>* const texts : {&wanted, &found}) sortRequests(*texts);
        if (isCut) {
            std::ranges::sort(wanted);
            std::ranges::sort(found);
            EXPECT_TRUE(std::ranges::includes(wanted, found)) << "warp " << warp;
            continue;
        }
        const auto [a, b] = std::ranges::mismatch(wanted, found);
        ASSERT_TRUE(a == wanted.end() && b == found.end())
            << "warp " << warp << ", step " << a - wanted.begin()
            << "\n  library: " << (a == wanted.end() ? "none" : *a)
            << "\n  program: " << (b == found.end() ? "none" : *b);
    }
    EXPECT_NE(compared, 0U);
}

/// One scenario for each kernel; a few of them are quick tests.
std::vector<std::string> scenariosOfKernels(bool quick) {
    const std::set<std::string> few{"matmul-tiled", "reduce-interleaved", "histogram-shared",
                                    "access-float4"};
    std::vector<std::string> ids;
    std::set<KernelIndex> seen;
    for (const Scenario& scenario : allScenarios()) {
        const bool isFirst = seen.insert(scenario.kernel).second;
        const std::string id(scenario.id);
        if (quick ? few.contains(id) : isFirst && !few.contains(id)) ids.push_back(id);
    }
    return ids;
}

std::string nameOfScenario(const testing::TestParamInfo<std::string>& scenario) {
    std::string name = scenario.param;
    std::ranges::replace(name, '-', '_');
    return name;
}

INSTANTIATE_TEST_SUITE_P(All, LibraryKernels, testing::ValuesIn(scenariosOfKernels(true)),
                         nameOfScenario);
INSTANTIATE_TEST_SUITE_P(More, LibraryKernels, testing::ValuesIn(scenariosOfKernels(false)),
                         nameOfScenario);

}  // namespace
}  // namespace warplens
