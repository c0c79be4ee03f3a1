#include "core/json/json.h"

#include <algorithm>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/measurement/measurement.h"
#include "tests/support/refusal.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens {
namespace {

using Json = nlohmann::ordered_json;

Measurement aMeasurement() {
    return tests::scriptedMeasurement(initialExperiment(scenarioNamed("access-stride")));
}

std::string refusalOf(const std::string& text) {
    return tests::refusal<MalformedJson>([&] { (void)fromJson<Measurement>(text); });
}

/// What is said to a measurement in which the member at `pointer` is `value`.
std::string refusalWith(const char* pointer, const Json& value) {
    Json tree = Json::parse(toJson(aMeasurement()));
    tree[Json::json_pointer(pointer)] = value;
    return refusalOf(tree.dump());
}

TEST(MeasurementJson, ReadsBackAsItWasWritten) {
    for (const Scenario& scenario : allScenarios()) {
        const Measurement measurement = tests::scriptedMeasurement(initialExperiment(scenario));
        EXPECT_EQ(fromJson<Measurement>(toJson(measurement)), measurement);
    }
}

TEST(MeasurementJson, KeepsWhatIsAbsentAbsent) {
    Measurement measurement = aMeasurement();
    measurement.resources.reset();
    measurement.counting.reset();
    measurement.device.copyRate.reset();
    measurement.device.copyRateBytes = 0;
    measurement.device.copyRateRuns = 0;
    measurement.device.theoreticalPeak.reset();
    measurement.notes.clear();
    measurement.values.clear();
    EXPECT_EQ(fromJson<Measurement>(toJson(measurement)), measurement);
}

TEST(MeasurementJson, HasTheMembersThatAreDocumented) {
    const Json tree = Json::parse(toJson(aMeasurement()));
    EXPECT_EQ(tree["scenario"], "access-stride");
    EXPECT_EQ(tree["launch"]["block"], Json::array({256, 1, 1}));
    EXPECT_EQ(tree["arguments"]["stride"], 2);
    EXPECT_EQ(tree["resources"]["registers_per_thread"], 40);
    EXPECT_EQ(tree["values"][0],
              Json::parse(R"({"metric": "global_load_requests", "subject": "kernel",
                              "source": "compiled", "value": 100,
                              "unit": "requests"})"));
    EXPECT_EQ(tree["values"].back(),
              Json::parse(R"({"metric": "dram_bandwidth", "subject": "kernel", "source": "counted",
                  "unavailable": "scripted: this worker has no counters for DRAM"})"));
}

TEST(MeasurementJson, ReadsWhatFormerVersionsSaidOfTheProbe) {
    const Measurement measurement = aMeasurement();
    Json tree = Json::parse(toJson(measurement));
    const auto probedAgain = [](Json& value) {
        if (value["source"] == "compiled") value["source"] = "probed";
    };
    std::ranges::for_each(tree["values"], probedAgain);
    EXPECT_NE(tree.dump().find("probed"), std::string::npos);
    EXPECT_EQ(fromJson<Measurement>(tree.dump()), measurement);
    const std::string mapping =
        R"({"metric": "mapping_mismatches", "subject": "kernel", "source": "probed",
            "value": 0, "unit": "threads"})";
    tree["values"].push_back(Json::parse(mapping));
    EXPECT_EQ(fromJson<Measurement>(tree.dump()).values.back().source, Source::counted)
        << "it is read back from the device";
}

TEST(MeasurementJson, IgnoresMembersItDoesNotKnow) {
    EXPECT_EQ(refusalWith("/colour", "blue"), "accepted");
}

TEST(MeasurementJson, IsRefusedWhenItIsNotAnObject) {
    EXPECT_EQ(refusalOf(""), "not JSON, or cut off");
    EXPECT_EQ(refusalOf("{\"scenario\": "), "not JSON, or cut off");
    EXPECT_EQ(refusalOf("[]"), "not a JSON object");
    EXPECT_EQ(refusalOf("{}{}"), "not JSON, or cut off");
    EXPECT_EQ(refusalOf("{}"), "no member \"scenario\"");
    EXPECT_EQ(refusalOf("{\"scenario\": \"\xff\"}"), "not JSON, or cut off");
    EXPECT_EQ(refusalOf(std::string((16u << 20) + 1, ' ')), "JSON text larger than 16 MiB");
    EXPECT_NE(refusalOf(std::string(1 << 20, '[')), "accepted");
}

TEST(MeasurementJson, IsRefusedWhenItIsNestedWithoutEnd) {
    const auto nested = [](std::size_t levels, const std::string& innermost) {
        return "{\"device\":" + std::string(levels, '[') + innermost + std::string(levels, ']') +
               '}';
    };
    EXPECT_EQ(refusalOf(nested(4'000'000, "")), "nested deeper than 64 levels");
    EXPECT_EQ(refusalOf(nested(64, "")), "nested deeper than 64 levels");
    EXPECT_EQ(refusalOf(nested(63, "")), "no member \"scenario\"");
    EXPECT_EQ(refusalOf(nested(1, '"' + std::string(100, '[') + "\\\"[\"")),
              "no member \"scenario\"")
        << "brackets in a string nest nothing";
}

TEST(MeasurementJson, IsRefusedWithTheNameOfTheMemberThatIsWrong) {
    EXPECT_EQ(refusalWith("/scenario", "nope"), "unknown scenario 'nope'");
    EXPECT_EQ(refusalWith("/scenario", 3), "\"scenario\" is not a string");
    EXPECT_EQ(refusalWith("/launch/grid", Json::array({1, 2})),
              "\"grid\" is not a list of three numbers");
    EXPECT_EQ(refusalWith("/launch/grid/0", -1), "\"grid\" = -1: from 0 to 4294967295");
    EXPECT_EQ(refusalWith("/launch/grid/0", 1.5), "\"grid\" is not a 64-bit whole number");
    EXPECT_EQ(refusalWith("/launch/dynamic_shared_bytes", 4294967296),
              "\"dynamic_shared_bytes\" = 4294967296: from 0 to 4294967295");
    EXPECT_EQ(refusalWith("/launch", nullptr), "no member \"grid\"");
    EXPECT_EQ(refusalWith("/arguments", 3), "\"arguments\" is not an object");
    EXPECT_EQ(refusalWith("/arguments/n", "many"), "\"n\" is not a 64-bit whole number");
    EXPECT_EQ(refusalWith("/arguments/n", UINT64_MAX), "\"n\" is not a 64-bit whole number");
    EXPECT_EQ(refusalWith("/device", "H200"), "no member \"name\"");
    EXPECT_EQ(refusalWith("/timing/runs", -1), "\"runs\" = -1: from 0 to 1073741824");
    EXPECT_EQ(refusalWith("/values", 1), "\"values\" is not a list");
    EXPECT_EQ(refusalWith("/notes/0", 1), "\"notes\" holds something not a string");
    EXPECT_EQ(refusalWith("/values/0/metric", "speed"), "unknown metric 'speed'");
    EXPECT_EQ(refusalWith("/values/0/source", "guessed"), "unknown source 'guessed'");
    EXPECT_EQ(refusalWith("/values/0/variant", "odd"), "unknown variant 'odd'");
    EXPECT_EQ(refusalWith("/values/0/value", "100"), "\"value\" is not a number");
    EXPECT_EQ(refusalWith("/values/0/unit", "sectors"),
              "'global_load_requests' in 'sectors' instead of 'requests'");
}

TEST(ExperimentJson, ReadsBackAsItWasWritten) {
    for (const Scenario& scenario : allScenarios()) {
        const Experiment experiment = initialExperiment(scenario);
        EXPECT_EQ(fromJson<Experiment>(toJson(experiment)), experiment) << scenario.id;
    }
}

TEST(ExperimentJson, IsTheSameInWhateverOrderItsSizesStand) {
    const Experiment picture = initialExperiment(scenarioNamed("picture-76x62"));
    EXPECT_EQ(fromJson<Experiment>(R"({"scenario": "picture-76x62",
        "launch": {"grid": [5, 4, 1], "block": [16, 16, 1], "dynamic_shared_bytes": 0},
        "arguments": {"height": 62, "width": 76}})"),
              picture);
}

}  // namespace
}  // namespace warplens
