#include "core/measurement/recording.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "core/json/json.h"
#include "core/text/encoding.h"
#include "core/text/files.h"
#include "core/text/format.h"
#include "tests/support/refusal.h"
#include "tests/support/temporary_folder.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens {
namespace {

Measurement aMeasurement() {
    return tests::scriptedMeasurement(initialExperiment(scenarioNamed("matmul-swapped")));
}

std::string refusalOfRecording(const std::string& text) {
    return tests::refusal<MalformedJson>([&] { (void)recordingFromText("a.json", text); });
}

TEST(Recording, ReadsBackAsItWasWritten) {
    const tests::TemporaryFolder folder;
    save(aMeasurement(), folder.path() / "a.json");
    const Recording recording = loadRecording(folder.path() / "a.json");
    EXPECT_EQ(recording.name, "a.json");
    EXPECT_EQ(recording.measurement, aMeasurement());
}

TEST(Recording, IsRefusedWhereverItIsCutOff) {
    const std::string text = toRecordingText(aMeasurement());
    // Without its last byte, the newline, it is still whole.
    for (std::size_t length = 0; length + 1 < text.size(); ++length) {
        ASSERT_NE(refusalOfRecording(text.substr(0, length)), "accepted") << "cut after " << length;
    }
    EXPECT_EQ(refusalOfRecording(text), "accepted");
}

TEST(Recording, IsRefusedWhenANumberWasEdited) {
    std::string text = toRecordingText(aMeasurement());
    const std::size_t at = text.find("\"runs\": 20");
    ASSERT_NE(at, std::string::npos);
    text.replace(at, 10, "\"runs\": 21");
    EXPECT_EQ(refusalOfRecording(text), "a.json: changed since it was written; record it again");
}

TEST(Recording, IsRefusedByNameWhereANumberIsOutOfBounds) {
    Measurement measurement = aMeasurement();
    measurement.device.multiprocessors = INT32_MAX;
    EXPECT_EQ(refusalOfRecording(toRecordingText(measurement)),
              "a.json: \"multiprocessors\" = 2147483647: from 0 to 1048576");
}

TEST(Recording, MayBeLaidOutAnew) {
    std::string text = toRecordingText(aMeasurement());
    std::erase(text, '\n');
    EXPECT_EQ(refusalOfRecording(text), "accepted");
}

TEST(Recording, SaysWhatItIsAndWhoWroteIt) {
    const auto file = nlohmann::ordered_json::parse(toRecordingText(aMeasurement()));
    EXPECT_EQ(file.begin().key(), "schema");
    EXPECT_EQ(file["schema"], "warplens.recording/3");
    EXPECT_EQ(file["version"], version());
    EXPECT_EQ(file["measurement"]["timing"]["time_from"], "device_stamps");
    EXPECT_EQ(file["measurement"]["device"]["uuid"], aMeasurement().device.uuid);
    EXPECT_EQ(file["measurement"]["kernel_digest"], aMeasurement().kernelDigest);
}

TEST(Recording, IsRefusedInAnotherFormat) {
    std::string text = toRecordingText(aMeasurement());
    const std::size_t at = text.find("warplens.recording/3");
    text.replace(at, 20, "warplens.recording/4");
    EXPECT_EQ(refusalOfRecording(text),
              "a.json: recording format 4, this version reads formats 2 to 3");
    text.replace(at, 20, "warplens.settings/2");
    EXPECT_EQ(refusalOfRecording(text),
              "a.json: 'warplens.settings/2' instead of 'warplens.recording/3'");
    EXPECT_EQ(refusalOfRecording(R"({"warplens_recording": 1})"),
              "a.json: recording format 1 of Warplens 0.1.0, this version reads formats 2 to 3");
}

TEST(Recording, IsFoundForExactlyItsExperiment) {
    const std::vector<Recording> recordings{{"a.json", aMeasurement()}};
    Experiment experiment = aMeasurement().experiment;
    EXPECT_EQ(findRecording(recordings, experiment), &recordings[0]);
    experiment.launch.block.x += 1;
    EXPECT_EQ(findRecording(recordings, experiment), nullptr);
}

}  // namespace
}  // namespace warplens
