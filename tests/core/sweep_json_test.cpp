#include <algorithm>
#include <ctime>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/sweep/sweep.h"
#include "core/text/files.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens {
namespace {

/// With a point in every state there is, and two devices' worth of copy rates.
Sweep aSweep(const std::string& scenario = "access-stride",
             const std::string& axis = "stride=1..6") {
    Sweep sweep = sweepOf(planOf(initialExperiment(scenarioNamed(scenario)), true,
                                 std::get<Axis>(parseAxis("--over", axis))));
    sweep.points[0].predicted = PredictedPoint{
        false,
        3,
        99,
        {{Metric::sectorsPerRequest, "kernel", Source::predicted, Variant::load, 4.125},
         {Metric::branchEfficiency, "kernel", Source::predicted, Variant::none,
          Unavailable{"no branches"}}}};
    sweep.points[1].predicted = NotPredicted{"it reads outside an array"};
    sweep.points[0].measured = tests::scriptedMeasurement(sweep.points[0].experiment);
    sweep.points[1].measured = Failure{FailureKind::impossible, "too \"large\""};
    Measurement measured = tests::scriptedMeasurement(sweep.points[3].experiment);
    measured.device.copyRate = 1.5e9;
    sweep.points[3].measured = std::move(measured);
    return sweep;
}

std::string refusalOfSweep(const std::string& text) {
    return tests::refusal<MalformedJson>([&] { (void)sweepFromText("s.json", text); });
}

std::string replaced(std::string text, const std::string& what, const std::string& with) {
    const std::size_t at = text.find(what);
    EXPECT_NE(at, std::string::npos) << what;
    return at == std::string::npos ? text : text.replace(at, what.size(), with);
}

std::string onOneLine(const std::string& json) {
    return nlohmann::ordered_json::parse(json).dump();
}

TEST(SweepJson, ReadsBackAsItWasWritten) {
    EXPECT_EQ(sweepFromJson(toJson(aSweep())), aSweep());
    const Sweep shapes = aSweep("matadd-swapped", "block=256");
    EXPECT_EQ(sweepFromJson(toJson(shapes)), shapes);
    const Sweep offsets = aSweep("access-aligned", "array-offset=0..63");
    EXPECT_EQ(sweepFromJson(toJson(offsets)), offsets);
    const Sweep deep = aSweep("warp-grouping", "block=64:z");
    EXPECT_EQ(sweepFromJson(toJson(deep)), deep);
}

TEST(SweepJson, RefusesPointsThatDoNotLieOnTheAxis) {
    const std::string text = replaced(toJson(aSweep()), "\"stride\": 4", "\"stride\": 40");
    EXPECT_THROW((void)sweepFromJson(text), MalformedJson);
}

TEST(SweepJson, RefusesAnAxisOrADeviceThatIsNotThere) {
    EXPECT_THROW((void)sweepFromJson(replaced(toJson(aSweep()), "stride=1..6", "width=1..6")),
                 MalformedJson);
    EXPECT_THROW((void)sweepFromJson(replaced(toJson(aSweep()), "stride=1..6", "stride")),
                 MalformedJson);
    EXPECT_THROW((void)sweepFromJson(replaced(toJson(aSweep()), "\"device\": 1", "\"device\": 2")),
                 MalformedJson);
}

std::string refusalOfJson(const std::string& text) {
    return tests::refusal<MalformedJson>([&] { (void)sweepFromJson(text); });
}

TEST(SweepJson, HasAtMostAsManyPointsAndDevicesAsTheAxis) {
    std::string text = onOneLine(toJson(aSweep()));
    const std::string devices = "\"devices\":[";
    std::string more;
    for (int i = 0; i < 5; ++i) more += "{},";
    EXPECT_EQ(refusalOfJson(replaced(text, devices, devices + more)),
              "\"devices\" has 7 entries: at most 6");
    // The first point again and again: each would be read, and looked for.
    const std::size_t points = text.find("\"points\":[") + 10;
    text = text.substr(0, points);
    const std::string point = toJson(aSweep().points[0].experiment, -1);
    for (int i = 0; i < 2000; ++i) text += (i == 0 ? "" : ",") + point;
    EXPECT_EQ(refusalOfJson(text + "]}"), "\"points\" has 2000 entries: at most 6");
}

TEST(SweepJson, HasObjectsOfALimitedNumberOfMembers) {
    const auto withArguments = [](int more) {
        std::string arguments = "\"arguments\":{";
        const std::string before = arguments;
        for (int i = 0; i < more; ++i) arguments += "\"a" + std::to_string(i) + "\":1,";
        return replaced(onOneLine(toJson(aSweep())), before, arguments);
    };
    const std::string unknown = refusalOfJson(withArguments(62));  // beside n and stride
    EXPECT_NE(unknown.find("a61 = 1: this kernel has only n stride"), std::string::npos);
    EXPECT_EQ(refusalOfJson(withArguments(63)), "an object of more than 64 members");
    EXPECT_EQ(refusalOfJson(withArguments(200'000)), "an object of more than 64 members");
}

TEST(SweepJson, TakesNoLongerForALongDeviceThatManyPointsName) {
    Experiment small = initialExperiment(scenarioNamed("access-stride"));
    small.arguments.set("n", 4096);
    Sweep sweep = sweepOf(planOf(small, true, std::get<Axis>(parseAxis("--over", "n=1..1024"))));
    for (SweepPoint& point : sweep.points) {
        point.measured = tests::scriptedMeasurement(point.experiment);
    }
    const std::string text = onOneLine(toJson(sweep));
    const std::string device = "\"devices\":[{";
    const std::string longer =
        replaced(text, device, device + "\"more\":\"" + std::string(4'000'000, 'x') + "\",");
    const auto ticksFor = [](const std::string& source) {
        const std::clock_t start = std::clock();
        EXPECT_EQ(sweepFromJson(source).measuredCount(), 1024u);
        return std::clock() - start;
    };
    EXPECT_LT(ticksFor(longer), 4 * ticksFor(text) + CLOCKS_PER_SEC);
}

TEST(SweepFile, ReadsBackAsItWasWritten) {
    const tests::TemporaryFolder folder;
    save(aSweep(), folder.path() / "s.json");
    const RecordedSweep read = loadSweep(folder.path() / "s.json");
    EXPECT_EQ(read.name, "s.json");
    EXPECT_EQ(read.sweep, aSweep());
}

TEST(SweepFile, HasALineForEachPoint) {
    const std::string text = toSweepText(aSweep());
    EXPECT_EQ(std::ranges::count(text, '\n'), 2 + 1 + 6 + 1);
}

TEST(SweepFile, IsRefusedWhereverItIsCutOff) {
    const std::string text = toSweepText(aSweep("access-stride", "stride=1..4"));
    for (std::size_t length = 0; length + 1 < text.size(); length += 7) {
        ASSERT_NE(refusalOfSweep(text.substr(0, length)), "accepted") << "cut after " << length;
    }
    EXPECT_EQ(refusalOfSweep(text), "accepted");
}

TEST(SweepFile, IsRefusedWhenANumberWasEdited) {
    EXPECT_EQ(refusalOfSweep(replaced(toSweepText(aSweep()), "\"runs\":20", "\"runs\":21")),
              "s.json: changed since it was written; record it again");
}

TEST(SweepFile, HasNoSchedulesOfItsPoints) {
    Sweep sweep = aSweep();
    Measurement scheduled = *sweep.points[0].measurement();
    scheduled.schedule = Schedule{};
    sweep.points[0].measured = std::move(scheduled);
    EXPECT_EQ(sweepFromText("s.json", toSweepText(sweep)).sweep, aSweep());
}

TEST(SweepFile, OfAsManyPointsAsThereMayBeIsReadAgain) {
    Experiment small = initialExperiment(scenarioNamed("access-stride"));
    small.arguments.set("n", 4096);
    Sweep sweep =
        sweepOf(planOf(small, true, std::get<Axis>(parseAxis("--over", "stride=1..1024"))));
    for (SweepPoint& point : sweep.points) {
        Measurement measured = tests::scriptedMeasurement(point.experiment);
        measured.notes.assign(40, std::string(1000, 'n'));  // far more than any measurement has
        point.measured = measured;
    }
    const tests::TemporaryFolder folder;
    save(sweep, folder.path() / "s.json");
    EXPECT_GT(std::filesystem::file_size(folder.path() / "s.json"), 16u << 20);
    EXPECT_EQ(loadSweep(folder.path() / "s.json").sweep.measuredCount(), 1024u);
    Measurement tooLong = *sweep.points[0].measurement();
    tooLong.notes = {std::string(70u << 20, 'n')};
    sweep.points[0].measured = std::move(tooLong);
    EXPECT_THROW(save(sweep, folder.path() / "t.json"), std::runtime_error);
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "t.json"));
}

TEST(SweepFile, IsRefusedInAnotherFormat) {
    EXPECT_EQ(refusalOfSweep(replaced(toSweepText(aSweep()), "warplens.recorded_sweep/3",
                                      "warplens.recorded_sweep/4")),
              "s.json: sweep format 4, this version reads formats 2 to 3");
    EXPECT_EQ(refusalOfSweep(R"({"warplens_sweep": 1})"),
              "s.json: sweep format 1 of Warplens 0.1.0, this version reads formats 2 to 3");
    EXPECT_EQ(refusalOfSweep("{}"), "s.json: no member \"schema\"");
}

TEST(SweepJson, ABlockWithoutThreadsIsRefusedWithItsLimit) {
    const std::string text =
        R"({"over":"stride=1..4","scenario":"access-stride","launch":{"grid":[1,1,1],)"
        R"("block":[256,1,0],"dynamic_shared_bytes":0},"arguments":{"n":1024,"stride":1},)"
        R"("grid_covers":true,"version":"0.1.0","devices":[],"points":[]})";
    const std::string why = tests::refusal<MalformedJson>([&] { (void)sweepFromJson(text); });
    EXPECT_NE(why.find("block z = 0: at least 1"), std::string::npos) << why;
}

}  // namespace
}  // namespace warplens
