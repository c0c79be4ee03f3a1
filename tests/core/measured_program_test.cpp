#include <gtest/gtest.h>

#include "core/json/json.h"
#include "core/json/schema.h"
#include "core/program/program_measurement.h"
#include "tests/worker_stub/scripted_program_measurement.h"

namespace warplens {
namespace {

MeasuredProgram twoLaunches() {
    MeasuredProgram program{.program = "my.cu", .digest = "0123456789abcdef", .notes = {"a note"}};
    for (std::uint32_t index : {0u, 3u}) {
        LaunchReport launch;
        launch.index = index;
        launch.kernel = "scan<true>";
        launch.instance = "scan<true>";
        launch.place = {"my.cu", 30, 5};
        launch.launch = tests::scriptedProgramMeasurement().launch;
        ProgramLine& line = launch.lines.emplace_back();
        line.place = {"my.cu", 7, 3};
        line.requests = 9;
        line.sectors = 36;
        line.idealSectors = 36;
        launch.values = valuesOf(launch.lines);
        ProgramMeasurement measured = tests::scriptedProgramMeasurement();
        measured.values.push_back(
            {Metric::theoreticalOccupancy, "kernel", Source::predicted, Variant::none, 50.0});
        program.launches.push_back({std::move(launch), std::move(measured)});
    }
    return program;
}

std::string documentOf(const MeasuredProgram& program) {
    return toDocument(Document::programMeasurement, program);
}

std::string with(std::string text, const std::string& from, const std::string& to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

std::string problemOf(const std::string& text) {
    try {
        (void)measuredProgramFromJson(text);
    } catch (const MalformedJson& error) {
        return error.what();
    }
    return "read";
}

TEST(MeasuredProgram, SurvivesItsDocument) {
    const MeasuredProgram program = twoLaunches();
    EXPECT_EQ(measuredProgramFromJson(documentOf(program)), program);
}

TEST(MeasuredProgram, OfAVersionWithoutDigestsHasNone) {
    const std::string text =
        with(documentOf(twoLaunches()), R"("digest": "0123456789abcdef",)", "");
    EXPECT_EQ(measuredProgramFromJson(text).digest, "");
}

TEST(MeasuredProgram, RefusesWhatIsNone) {
    const std::string text = documentOf(twoLaunches());
    EXPECT_EQ(problemOf(""), "not JSON, or cut off");
    EXPECT_EQ(problemOf(text.substr(0, text.size() / 2)), "not JSON, or cut off");
    EXPECT_EQ(problemOf("[]"), "not a JSON object");
    EXPECT_EQ(problemOf("{}"), "no member \"schema\"");
    EXPECT_EQ(problemOf(with(text, "program_measurement/2", "measurement/3")),
              "'warplens.measurement/3' instead of 'warplens.program_measurement/2'");
    EXPECT_EQ(problemOf(with(text, "program_measurement/2", "program_measurement/9")),
              "'warplens.program_measurement/9', this version reads "
              "'warplens.program_measurement/2'");
    EXPECT_EQ(problemOf(with(text, "\"launches\": [", "\"launches\": 7, \"others\": [")),
              "\"launches\" is not a list");
    EXPECT_EQ(problemOf(with(text, "\"kernel\"", "\"colonel\"")), "no member \"kernel\"");
    EXPECT_EQ(problemOf(with(text, "\"differences\"", "\"quarrels\"")),
              "no member \"differences\"");
    EXPECT_EQ(problemOf(with(text, "\"unrolling\"", "\"magic\"")), "unknown cause 'magic'");
    EXPECT_NE(problemOf(std::string(17u << 20, ' ')), "read");
}

TEST(MeasuredProgram, RefusesNumbersThatCannotBe) {
    MeasuredProgram program = twoLaunches();
    program.launches[1].measured.timing.medianSeconds = -1;
    EXPECT_EQ(problemOf(documentOf(program)), "\"median_s\" = -1: at least 0");
    program = twoLaunches();
    program.launches[0].measured.lines[0].divergent = 99;
    program.launches[0].measured.lines[0].kind = AccessKind::branch;
    EXPECT_EQ(problemOf(documentOf(program)),
              "launch 0: the worker's result cannot be: my.cu:7 branch, counted: divergent = 99: "
              "at most 8, its requests");
}

TEST(MeasuredProgram, TakesTheNameOfTheFileThatItIsShownBeside) {
    MeasuredProgram program = twoLaunches();
    program.launches[0].measured.lines.push_back(program.launches[0].measured.lines[0]);
    program.launches[0].measured.lines[1].place.file = "my.h";
    rename(program, "/home/student/mine.cu");
    const MeasuredLaunch& launch = program.launches[0];
    EXPECT_EQ(program.program, "/home/student/mine.cu");
    EXPECT_EQ(launch.predicted.lines[0].place.file, "/home/student/mine.cu");
    EXPECT_EQ(launch.measured.lines[0].place.file, "/home/student/mine.cu");
    EXPECT_EQ(launch.measured.lines[1].place.file, "my.h");
    EXPECT_EQ(launch.measured.differences[0].file, "/home/student/mine.cu");
    EXPECT_EQ(launch.measured.code[0].file, "/home/student/mine.cu");
}

}  // namespace
}  // namespace warplens
