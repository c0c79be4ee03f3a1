// A hundred times a process that keeps saving settings, recordings and sweeps is killed: whatever
// the moment, each file holds one of the versions that were written, whole.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>
#include <random>
#include <set>
#include <signal.h>
#include <string>
#include <sys/mman.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "app/recordings/library.h"
#include "app/window/settings.h"
#include "core/measurement/recording.h"
#include "core/sweep/sweep.h"
#include "tests/support/temporary_folder.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens::window {
namespace {

constexpr int kills = 100;

unsigned chosenSeed() {
    if (const char* given = std::getenv("WARPLENS_SEED")) {
        return static_cast<unsigned>(std::strtoul(given, nullptr, 10));
    }
    return std::random_device{}();
}

Settings settingsOfVersion(int version) {
    Settings settings;
    settings.view.experiment = initialExperiment(scenarioNamed("matadd-swapped"));
    settings.hasLaunch = true;
    settings.view.over = "stride=1.." + std::to_string(version);
    // A length of its own, so that no two versions fit over one another.
    settings.view.over += std::string(static_cast<std::size_t>(version % 977), ' ');
    return settings;
}

Measurement measurementOfVersion(int version) {
    Measurement measurement =
        tests::scriptedMeasurement(initialExperiment(scenarioNamed("matmul-swapped")));
    measurement.timing.runs = version;
    measurement.timing.runNanoseconds.clear();
    measurement.notes.assign(static_cast<std::size_t>(version % 97), "a note");
    return measurement;
}

Sweep sweepOfVersion(int version) {
    Sweep sweep = sweepOf(planOf(initialExperiment(scenarioNamed("access-stride")), true,
                                 std::get<Axis>(parseAxis("over", "stride=1..4"))));
    sweep.points[1].measured = Failure{FailureKind::invalid, std::to_string(version)};
    sweep.points[2].measured = tests::scriptedMeasurement(sweep.points[2].experiment);
    return sweep;
}

/// Of one file: the last version that was begun to be saved, and the last that is known to be
/// there.
struct Versions final {
    std::atomic<int> begun = 0;
    std::atomic<int> done = 0;
};

/// Told by the process that saves.
struct Saved final {
    Versions settings;
    Versions recording;
    Versions sweep;
};

/// Shared with the processes forked from this one.
class SharedSaved final {
  public:
    SharedSaved()
        : memory_(::mmap(nullptr, sizeof(Saved), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                         -1, 0)) {
        if (memory_ == MAP_FAILED) throw std::bad_alloc();
        saved_ = new (memory_) Saved;
    }
    SharedSaved(const SharedSaved&) = delete;
    SharedSaved& operator=(const SharedSaved&) = delete;
    ~SharedSaved() { ::munmap(memory_, sizeof(Saved)); }
    [[nodiscard]] Saved* operator->() const { return saved_; }

  private:
    void* memory_;
    Saved* saved_ = nullptr;
};

struct Files final {
    std::filesystem::path folder;
    [[nodiscard]] std::filesystem::path settings() const {
        return folder / "own" / "settings.json";
    }
    [[nodiscard]] std::filesystem::path recordings() const { return folder / "recordings"; }
    [[nodiscard]] std::filesystem::path recording() const { return recordings() / "one.json"; }
    [[nodiscard]] std::filesystem::path sweep() const { return recordings() / "sweep.json"; }
    /// Files that are being written, or were when their writer was killed.
    [[nodiscard]] std::set<std::string> halfWritten() const {
        std::set<std::string> names;
        for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
            const std::string name = entry.path().filename().string();
            if (name.find(".writing-") != std::string::npos) names.insert(name);
        }
        return names;
    }
};

/// Saves one version after the other of each file in turn until it is killed.
[[noreturn]] void keepSaving(const Files& files, const SharedSaved& saved, int firstFile) {
    const auto next = [](Versions& versions, const auto& saveVersion) {
        versions.begun = versions.done + 1;
        saveVersion(versions.begun.load());
        versions.done = versions.begun.load();
    };
    try {
        for (int file = firstFile;; file = (file + 1) % 3) {
            if (file == 0) {
                next(saved->settings, [&](int version) {
                    writeSettings(files.settings(), settingsOfVersion(version));
                });
            } else if (file == 1) {
                next(saved->recording,
                     [&](int version) { save(measurementOfVersion(version), files.recording()); });
            } else {
                next(saved->sweep,
                     [&](int version) { save(sweepOfVersion(version), files.sweep()); });
            }
        }
    } catch (...) {
        ::_exit(1);
    }
}

/// What was killed may have finished the save it was at, but not yet said so.
void expectOneOf(int version, Versions& versions, const std::string& what) {
    EXPECT_TRUE(version == versions.done || version == versions.begun)
        << what << " holds version " << version << "; version " << versions.done
        << " was saved, version " << versions.begun << " begun";
    versions.done = version;
}

void expectWholeVersions(const Files& files, const SharedSaved& saved) {
    const SettingsReading reading = readSettings(files.settings());
    EXPECT_EQ(reading.problem, "");
    const std::string& over = reading.settings.view.over;
    const int settings = over.empty() ? 0 : std::stoi(over.substr(over.find("..") + 2));
    EXPECT_EQ(reading.settings, settings == 0 ? Settings{} : settingsOfVersion(settings));
    expectOneOf(settings, saved->settings, "settings");

    int recording = 0;
    if (std::filesystem::exists(files.recording())) {
        const Measurement measurement = loadRecording(files.recording()).measurement;
        recording = measurement.timing.runs;
        EXPECT_EQ(measurement, measurementOfVersion(recording));
    }
    expectOneOf(recording, saved->recording, "recording");

    int sweep = 0;
    if (std::filesystem::exists(files.sweep())) {
        const Sweep loaded = loadSweep(files.sweep()).sweep;
        sweep = std::stoi(std::get<Failure>(loaded.points[1].measured).message);
        EXPECT_EQ(loaded, sweepOfVersion(sweep));
    }
    expectOneOf(sweep, saved->sweep, "sweep");
}

/// Reads the built-in recordings too, which takes its time.
void expectNoProblems(const Files& files) {
    EXPECT_EQ(recordingsWith(files.recordings()).problems, std::vector<std::string>{})
        << "a file half written was taken for a recording";
}

TEST(KilledWhileSaving, LeavesEveryFileWholeAHundredTimes) {
    const unsigned seed = chosenSeed();
    std::mt19937 random(seed);
    const tests::TemporaryFolder folder;
    const Files files{folder.path()};
    std::filesystem::create_directory(files.recordings());
    const SharedSaved saved;
    int metASave = 0;
    for (int kill = 0; kill < kills && !HasFailure(); ++kill) {
        SCOPED_TRACE("kill " + std::to_string(kill) + ", WARPLENS_SEED=" + std::to_string(seed));
        const std::set<std::string> before = files.halfWritten();
        const auto meetsASave = [&] { return !std::ranges::includes(before, files.halfWritten()); };
        const pid_t writer = ::fork();
        ASSERT_GE(writer, 0);
        if (writer == 0) keepSaving(files, saved, kill % 3);
        std::this_thread::sleep_for(
            std::chrono::microseconds(std::uniform_int_distribution(0, 50'000)(random)));
        // Every other time at a moment when a file is half written.
        const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(100);
        while (kill % 2 == 1 && !meetsASave() && std::chrono::steady_clock::now() < until) {
        }
        ASSERT_EQ(::kill(writer, SIGKILL), 0);
        int status = 0;
        ASSERT_EQ(::waitpid(writer, &status, 0), writer);
        ASSERT_TRUE(WIFSIGNALED(status)) << "it could not save";
        metASave += meetsASave();
        EXPECT_LE(files.halfWritten().size(), before.size() + 1) << "at most one is left by a kill";
        EXPECT_NO_THROW(expectWholeVersions(files, saved));
        if (kill % 20 == 0) expectNoProblems(files);
    }
    EXPECT_GT(metASave, 10) << "WARPLENS_SEED=" << seed;
    for (const int saves :
         {saved->settings.done.load(), saved->recording.done.load(), saved->sweep.done.load()}) {
        EXPECT_GT(saves, 10);
    }
    RecordProperty("kills", kills);
    RecordProperty("met_a_save", metASave);

    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path())) {
        if (files.halfWritten().contains(entry.path().filename().string())) {
            std::filesystem::last_write_time(entry,
                                             entry.last_write_time() - std::chrono::hours(1));
        }
    }
    writeSettings(files.settings(), settingsOfVersion(1));
    save(measurementOfVersion(1), files.recording());
    save(sweepOfVersion(1), files.sweep());
    EXPECT_TRUE(files.halfWritten().empty()) << "a save an hour later removes what was left";
}

}  // namespace
}  // namespace warplens::window
