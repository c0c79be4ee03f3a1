#include "app/recordings/library.h"

#include <exception>
#include <iterator>

#include "core/course/course.h"
#include "core/json/json.h"
#include "core/library/kernel_file.h"
#include "core/scenario/scenario.h"
#include "core/text/files.h"

#include "embedded/warplens_recordings.h"
#include "embedded/warplens_sweeps.h"

namespace warplens {
namespace {

/// Throws InvalidRequest or MalformedJson for an experiment that this version cannot show: sizes
/// that are missing, unknown or out of bounds.
void checkUsable(const Recording& recording) {
    const Experiment& experiment = recording.measurement.experiment;
    if (complete({experiment.scenario, experiment.launch.grid, experiment.launch.block,
                  experiment.arguments})
            .arguments != experiment.arguments) {
        throw MalformedJson("a problem size is missing; record it again");
    }
}

/// What a file of either format begins with.
bool isSweep(std::string_view text) {
    const std::string_view head = text.substr(0, 64);
    return head.find("\"warplens.recorded_sweep/") != std::string_view::npos ||
           head.find("\"warplens_sweep\"") != std::string_view::npos;
}

/// Says where a measurement is of a kernel whose source has changed since.
void labelIfOutdated(Measurement& measurement) {
    const Scenario& scenario = scenarioNamed(measurement.experiment.scenario);
    if (measurement.kernelDigest.empty() ||
        measurement.kernelDigest == kernelDigest(kernelOf(scenario.kernel))) {
        return;
    }
    measurement.notes.emplace_back(
        "recorded with another source of this kernel than this version has; record it again");
}

/// Adds the recording or sweep that the text is, or a problem that starts with `name`.
void add(RecordingLibrary& library, const std::string& name, const auto& read) {
    try {
        const std::string_view text = read();
        if (isSweep(text)) {
            RecordedSweep recorded = sweepFromText(name, text);
            for (SweepPoint& point : recorded.sweep.points) {
                if (const Measurement* held = point.measurement()) {
                    Measurement labelled = *held;
                    labelIfOutdated(labelled);
                    point.measured = std::move(labelled);
                }
            }
            library.sweeps.push_back(std::move(recorded));
            return;
        }
        Recording recording = recordingFromText(name, text);
        checkUsable(recording);
        labelIfOutdated(recording.measurement);
        library.recordings.push_back(std::move(recording));
    } catch (const std::exception& error) {
        const std::string message = error.what();
        const bool named = message.find(name) != std::string::npos;
        library.problems.push_back(named ? message : name + ": " + message);
    }
}

}  // namespace

void addFrom(RecordingLibrary& library, const std::filesystem::path& directory) {
    std::vector<std::filesystem::path> files;
    try {
        for (const auto& entry : std::filesystem::directory_iterator(directory)) {
            if (entry.path().extension() == ".json") files.push_back(entry.path());
        }
    } catch (const std::filesystem::filesystem_error& error) {
        library.problems.push_back(directory.string() + ": " + error.code().message());
    }
    std::ranges::sort(files);
    for (const std::filesystem::path& file : files) {
        std::error_code error;
        if (std::filesystem::is_other(std::filesystem::status(file, error))) {
            // A pipe would be waited for without end.
            library.problems.push_back(file.filename().string() + ": a pipe or device, no file");
            continue;
        }
        std::string text;
        add(library, file.filename().string(),
            [&] { return std::string_view(text = readFile(file)); });
    }
}

RecordingLibrary builtInRecordings() {
    RecordingLibrary library;
    if (const Course* const course = openedCourse()) {
        const std::filesystem::path folder = course->folder / "recordings";
        std::error_code error;
        if (std::filesystem::is_directory(folder, error)) addFrom(library, folder);
    }
    for (const auto& file : built_in_recordings::embeddedFiles()) {
        const std::string name(file.name);
        add(library, name, [&] { return file.bytes; });
    }
    return library;
}

void addBuiltInSweeps(RecordingLibrary& library) {
    for (const auto& file : built_in_sweeps::embeddedFiles()) {
        add(library, std::string(file.name), [&] { return file.bytes; });
    }
}

RecordingLibrary recordingsWith(const std::filesystem::path& directory) {
    RecordingLibrary library;
    addFrom(library, directory);
    RecordingLibrary builtIn = builtInRecordings();
    std::ranges::move(builtIn.recordings, std::back_inserter(library.recordings));
    std::ranges::move(builtIn.problems, std::back_inserter(library.problems));
    return library;
}

std::vector<const Measurement*> measurementsIn(const RecordingLibrary& library) {
    std::vector<const Measurement*> all;
    for (const Recording& recording : library.recordings) all.push_back(&recording.measurement);
    for (const RecordedSweep& recorded : library.sweeps) {
        for (const SweepPoint& point : recorded.sweep.points) {
            if (point.measurement() != nullptr) all.push_back(point.measurement());
        }
    }
    return all;
}

}  // namespace warplens
