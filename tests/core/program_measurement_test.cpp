#include "core/program/program_measurement.h"

#include <gtest/gtest.h>

#include "core/measurement/json.h"
#include "tests/worker_stub/scripted_program_measurement.h"

namespace warplens {
namespace {

ProgramMeasurement measured() {
    return tests::scriptedProgramMeasurement();
}

TEST(ProgramMeasurement, SurvivesItsJson) {
    const ProgramMeasurement m = measured();
    EXPECT_EQ(programMeasurementFromJson(toJson(m)), m);
    EXPECT_EQ(programMeasurementFromJson(toJson(m, -1)), m);
}

TEST(ProgramMeasurement, LeavesOutJudgesThatSaidNothing) {
    ProgramMeasurement m = measured();
    m.differences[0].counted.reset();
    const std::string text = toJson(m);
    EXPECT_EQ(text.find("\"counted\": 40"), std::string::npos);
    EXPECT_EQ(programMeasurementFromJson(text), m);
}

TEST(ProgramMeasurement, RefusesWhatItDoesNotKnow) {
    const auto with = [](std::string text, const std::string& from, const std::string& to) {
        text.replace(text.find(from), from.size(), to);
        return text;
    };
    const std::string text = toJson(measured(), -1);
    EXPECT_THROW((void)programMeasurementFromJson(with(text, "unrolling", "magic")), MalformedJson);
    EXPECT_THROW((void)programMeasurementFromJson(with(text, "\"kernel\"", "\"colonel\"")),
                 MalformedJson);
    EXPECT_THROW((void)programMeasurementFromJson("[]"), MalformedJson);
}

TEST(DifferenceCause, HasANameForEach) {
    for (int i = 0; i <= static_cast<int>(DifferenceCause::unexplained); ++i) {
        const auto cause = static_cast<DifferenceCause>(i);
        EXPECT_EQ(differenceCauseFromString(toString(cause)), cause);
    }
    EXPECT_FALSE(differenceCauseFromString("").has_value());
}

}  // namespace
}  // namespace warplens
