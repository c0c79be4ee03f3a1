#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <system_error>

#include "core/json/json.h"
#include "core/program/byte_frame.h"
#include "core/program/cuda_tokens.h"
#include "core/program/launch_inputs.h"
#include "core/program/library_calls.h"
#include "core/program/program_sources.h"
#include "core/program/program_trace.h"
#include "tests/support/temporary_folder.h"

namespace warplens {
namespace {

LaunchInputs someInputs() {
    LaunchInputs inputs;
    inputs.kernel = "scan<true, float>";
    inputs.launch = {.grid = {4, 2, 1}, .block = {33, 1, 1}, .dynamicSharedBytes = 96};
    inputs.cooperative = true;
    inputs.parameters.bytes.resize(24);
    inputs.parameters.pointers = {{0, 1, 16}, {8, 0, 8}};
    inputs.parameterList = {{"in", 0, 8}, {"out", 8, 8}, {"n", 16, 4}};
    InputArray first;
    first.name = "out";
    first.elementBytes = 4;
    first.before.bytes.assign(8, std::byte{7});
    first.after.bytes.assign(8, std::byte{9});
    InputArray second;
    second.name = "rows";
    second.symbol = "ns::rows";
    second.before.bytes.resize(16);
    second.before.pointers = {{8, 0, 4}};
    second.after = second.before;
    inputs.arrays = {first, second};
    return inputs;
}

TEST(LaunchInputs, ComeBackFromTheirFrame) {
    const LaunchInputs inputs = someInputs();
    const std::vector<std::byte> frame = toFrame(inputs);
    EXPECT_EQ(frame.size(), framedBytes(inputs));
    EXPECT_EQ(launchInputsFromFrame(frame), inputs);
}

TEST(LaunchInputs, AreRefusedWhereTheFrameIsCutOffAnywhere) {
    const std::vector<std::byte> frame = toFrame(someInputs());
    for (std::size_t size = 0; size < frame.size(); ++size) {
        EXPECT_THROW((void)launchInputsFromFrame(std::span(frame).first(size)), MalformedFrame)
            << size;
    }
}

TEST(LaunchInputs, RefusePointersThatLeaveTheirBytesOrTheirArray) {
    LaunchInputs outside = someInputs();
    outside.parameters.pointers[1].offset = 17;
    EXPECT_THROW((void)launchInputsFromFrame(toFrame(outside)), MalformedFrame);
    LaunchInputs unknown = someInputs();
    unknown.arrays[1].before.pointers[0].array = 2;
    EXPECT_THROW((void)launchInputsFromFrame(toFrame(unknown)), MalformedFrame);
    LaunchInputs beyond = someInputs();
    beyond.arrays[1].after.pointers[0].byteOffset = 9;
    EXPECT_THROW((void)launchInputsFromFrame(toFrame(beyond)), MalformedFrame);
}

ProgramTrace someTrace() {
    ProgramTrace trace;
    trace.program = "sum.cu";
    LaunchReport launch;
    launch.kernel = "add";
    launch.instance = "add<float>";
    launch.place = {"sum.cu", 12, 5};
    launch.launch = {.grid = {2, 1, 1}, .block = {64, 1, 1}};
    launch.exact = false;
    launch.blocksTraced = 1;
    launch.blocks = 2;
    launch.bounds = {{Metric::globalLoadSectors, 2.5}};
    ProgramLine load;
    load.place = {"sum.cu", 4, 20};
    load.array = "a";
    load.requests = 4;
    load.sectors = 16;
    load.idealSectors = 16;
    load.uniqueBytes = 512;
    load.activeLanes = 128;
    ProgramLine branch;
    branch.place = {"sum.cu", 3, 7};
    branch.kind = AccessKind::branch;
    branch.requests = 4;
    branch.divergent = 1;
    branch.activeLanes = 128;
    launch.lines = {branch, load};
    launch.values = valuesOf(launch.lines);
    trace.launches = {launch};
    trace.findings = {{.kind = FindingKind::outOfBounds,
                       .words = "load from a[64], which has 64 elements",
                       .place = {"sum.cu", 4, 20},
                       .kernel = "add",
                       .launch = 0,
                       .block = Index3{1, 0, 0},
                       .thread = Index3{0, 0, 0}}};
    trace.notes = {"a note"};
    trace.exit.status = 0;
    trace.exit.output = "ok\n";
    return trace;
}

TEST(ProgramTrace, TellsAllInItsJson) {
    const ProgramTrace trace = someTrace();
    const nlohmann::ordered_json tree = nlohmann::ordered_json::parse(toJson(trace));
    EXPECT_EQ(fromJson<LaunchReport>(tree.at("launches").at(0).dump()), trace.launches[0]);
    EXPECT_EQ(tree.at("findings").dump(),
              R"([{"kind":"out_of_bounds","words":"load from a[64], which has 64 elements",)"
              R"("file":"sum.cu","line":4,"column":20,"kernel":"add","launch":0,)"
              R"("block":[1,0,0],"thread":[0,0,0],"times":1}])");
    EXPECT_EQ(tree.at("exit").dump(),
              R"({"status":0,"signal":"","stopped":"","output":"ok\n","output_cut":false})");
    EXPECT_EQ(tree.at("notes").get<std::vector<std::string>>(), trace.notes);
}

TEST(ProgramTrace, SumsItsLinesForTheKernelAndEachArray) {
    const std::vector<Value> values = someTrace().launches[0].values;
    const Value* sectors = findValue(values, Metric::globalLoadSectors, Source::predicted);
    ASSERT_NE(sectors, nullptr);
    EXPECT_EQ(*sectors->number(), 16);
    const Value* efficiency =
        findValue(values, Metric::coalescingEfficiency, Source::predicted, Variant::none, "a");
    ASSERT_NE(efficiency, nullptr);
    EXPECT_EQ(*efficiency->number(), 100);
    EXPECT_EQ(*findValue(values, Metric::divergentBranches, Source::predicted)->number(), 1);
    EXPECT_EQ(findValue(values, Metric::sharedWavefrontsPerRequest, Source::predicted)->number(),
              nullptr);
}

TEST(ProgramTrace, LaunchesOfALibrarysCallAreOneGroup) {
    const std::vector<std::string> lines{"__global__ void scale(float* x);",
                                         "namespace own {",
                                         "__global__ void scan();",
                                         "}",
                                         "scale<<<1, 32>>>(x);",
                                         "    float most = thrust::reduce(a, b);",
                                         "own::scan<<<1, 32>>>();",
                                         "sort(a, b);"};
    ProgramTrace trace;
    const auto launched = [&](const std::string& kernel, std::uint32_t line,
                              const std::string& file = "k.cu") {
        LaunchReport launch;
        launch.kernel = kernel;
        launch.place = {file, line, 1};
        launch.lines.resize(3);
        launch.lines[0].requests = 5;
        launch.lines[1].requests = 7;
        launch.lines[1].source = Source::compiled;
        launch.lines[2].kind = AccessKind::branch;
        trace.launches.push_back(launch);
    };
    launched("scale", 5);
    launched("cub::detail::ReduceKernel<float, cub::Sum>", 6);
    launched("cub::detail::SingleTileKernel<float>", 6);
    launched("own::scan", 7);
    launched("cub::SortKernel", 8);
    launched("cub::SortKernel", 8, "other.cu");
    const std::vector<LaunchGroup> groups = launchGroups(trace, "k.cu", lines);
    ASSERT_EQ(groups.size(), 5u);
    EXPECT_EQ(groups[0].call, "");
    EXPECT_EQ(groups[1].call, "thrust::reduce");
    EXPECT_EQ(groups[1].first, 1u);
    EXPECT_EQ(groups[1].count, 2u);
    EXPECT_EQ(groups[1].requests, 10u);
    EXPECT_EQ(groups[2].call, "");
    EXPECT_EQ(groups[3].call, "sort");
    EXPECT_EQ(groups[4].call, "");  // nothing is known of that file's text
    EXPECT_EQ(shortKernelName(trace.launches[1].kernel), "ReduceKernel");
    EXPECT_EQ(shortKernelName("tile<a::b>"), "tile<a::b>");
}

TEST(ProgramSources, AreNeverReadFromAPipe) {
    const tests::TemporaryFolder folder;
    const std::string path = folder.path() / "pipe.cu";
    ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
    EXPECT_THROW((void)readProgramSources({path}, {}), std::system_error);
}

}  // namespace
}  // namespace warplens
