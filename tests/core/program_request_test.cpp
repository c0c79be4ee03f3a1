#include <gtest/gtest.h>

#include "core/json/json.h"
#include "core/measurement/worker_protocol.h"
#include "tests/support/refusal.h"

namespace warplens {
namespace {

MeasureProgramRequest request() {
    MeasureProgramRequest made;
    made.sources.units = {{.path = "my.cu", .text = "line\n\t\"two\" \\ \x01\n"}};
    made.sources.headers = {{.path = "h.h", .text = "", .includedAs = {"h.h", "x/h.h"}}};
    made.compiler = "nvcc 13.0";
    made.interventions.notUnrolled = {"with #pragma unroll 1", {}};
    made.code = {{.file = "my.cu", .line = 7, .ptx = {"ld.global.f32 %f1, [%rd1]"}}};
    made.notes = {"said"};
    ProgramLine line;
    line.place = {"my.cu", 7, 3};
    line.requests = 8;
    line.sectors = 32;
    made.predicted = {line};
    made.compiled = {line};
    made.counters = false;
    made.inputs.kernel = "k";
    made.inputs.symbol = "_Z1kPf";
    made.inputs.ptx = {".version 9.0\n"};
    made.inputs.cubin = std::string(
        "\x7f"
        "ELF\0\n",
        6);
    made.inputs.arrays = {{.name = "a",
                           .symbol = "",
                           .before = {std::vector<std::byte>(10, std::byte{'\n'}), {}},
                           .after = {std::vector<std::byte>(10), {}}}};
    return made;
}

TEST(MeasureProgramRequest, TravelsAsALineAndAFrame) {
    const WorkerRequest sent{.id = 5, .body = request()};
    const std::string wire = toWire(sent);
    const std::size_t end = wire.find('\n');
    const std::string line = wire.substr(0, end);
    std::uint64_t bytes = 0;
    WorkerRequest read = requestFromJsonLine(line, [&](std::uint64_t next) { bytes = next; });
    EXPECT_EQ(bytes, wire.size() - end - 1);
    const std::string frame = wire.substr(end + 1);
    std::get<MeasureProgramRequest>(read.body).inputs =
        launchInputsFromFrame({reinterpret_cast<const std::byte*>(frame.data()), frame.size()});
    EXPECT_EQ(read, sent);
}

TEST(CompileRequest, TravelsAsALineAndItsAnswerToo) {
    const WorkerRequest sent{7, CompileRequest{"my.cu", "line\n\t\"two\"", "scan<true>", "8.6"}};
    EXPECT_EQ(requestFromJsonLine(toJsonLine(sent)), sent);
    const WorkerEvent answer{7, CompiledResources{{31, 1024, 8}, "8.6", "NVRTC 13.0"}};
    EXPECT_EQ(eventFromJsonLine(toJsonLine(answer)), answer);
}

TEST(MeasureProgramRequest, OthersHaveNoFrame) {
    const WorkerRequest describe{.id = 5, .body = DescribeRequest{}};
    (void)requestFromJsonLine(toJsonLine(describe),
                              [](std::uint64_t bytes) { EXPECT_EQ(bytes, 0u); });
    EXPECT_EQ(toWire(describe), toJsonLine(describe) + '\n');
}

TEST(MeasureProgramRequest, RefusesAFrameOverTheLimitBeforeItIsRead) {
    std::string line = toJsonLine(WorkerRequest{.id = 5, .body = request()});
    const std::size_t at = line.find("\"frame_bytes\":") + 14;
    line.replace(at, line.find('}', at) - at, std::to_string(mostLaunchInputBytes + 1));
    const std::string why = tests::refusal<MalformedJson>(
        [&] { (void)requestFromJsonLine(line, [](std::uint64_t) { FAIL() << "taken"; }); });
    EXPECT_NE(why.find(std::to_string(mostLaunchInputBytes)), std::string::npos);
}

TEST(ProgramResult, TravelsAsAnEvent) {
    ProgramMeasurement measured;
    measured.kernel = "k";
    measured.device.computeCapability = "9.0";
    measured.timing.runs = 3;
    measured.timing.runNanoseconds = {1800, 1810, 1790};
    const WorkerEvent event{.id = 3, .body = measured};
    EXPECT_EQ(eventFromJsonLine(toJsonLine(event)), event);
}

}  // namespace
}  // namespace warplens
