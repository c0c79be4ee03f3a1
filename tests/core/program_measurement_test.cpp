#include "core/program/program_measurement.h"

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "tests/worker_stub/scripted_program_measurement.h"

namespace warplens {
namespace {

ProgramMeasurement measured() {
    return tests::scriptedProgramMeasurement();
}

std::string textOf(const ProgramMeasurement& measurement) {
    return toJson(measurement, -1);
}

ProgramMeasurement measurementIn(const std::string& text) {
    return fromJson<ProgramMeasurement>(text);
}

TEST(ProgramMeasurement, SurvivesItsJson) {
    const ProgramMeasurement m = measured();
    EXPECT_EQ(measurementIn(textOf(m)), m);
}

TEST(ProgramMeasurement, LeavesOutSourcesThatSaidNothing) {
    ProgramMeasurement m = measured();
    m.differences[0].counted.reset();
    const std::string text = textOf(m);
    EXPECT_EQ(text.find("\"counted\":40"), std::string::npos);
    EXPECT_EQ(measurementIn(text), m);
}

TEST(ProgramMeasurement, RefusesWhatItDoesNotKnow) {
    const auto with = [](std::string text, const std::string& from, const std::string& to) {
        text.replace(text.find(from), from.size(), to);
        return text;
    };
    const std::string text = textOf(measured());
    EXPECT_THROW((void)measurementIn(with(text, "unrolling", "magic")), MalformedJson);
    EXPECT_THROW((void)measurementIn(with(text, "\"kernel\"", "\"colonel\"")), MalformedJson);
    EXPECT_THROW((void)measurementIn("[]"), MalformedJson);
}

TEST(ProgramMeasurement, RefusesMoreLanesAtOneAddressThanItCanHold) {
    ProgramMeasurement m = measured();
    m.lines[0].kind = AccessKind::atomic;
    m.lines[0].mostSameAddress = 7;
    std::string text = textOf(m);
    text.insert(text.find("\"most_same_address\":7") + 20, "429496730");
    EXPECT_THROW((void)measurementIn(text), MalformedJson);
}

TEST(DifferenceCause, HasANameForEach) {
    for (int i = 0; i <= static_cast<int>(DifferenceCause::unexplained); ++i) {
        const auto cause = static_cast<DifferenceCause>(i);
        EXPECT_EQ(fromString<DifferenceCause>(toString(cause)), cause);
    }
    EXPECT_FALSE(fromString<DifferenceCause>("").has_value());
}

}  // namespace
}  // namespace warplens
