#include "app/lessons/evidence.h"

#include <algorithm>
#include <iterator>

#include "kernels/library/predict.h"

namespace warplens {
namespace {

void addMeasurement(LaunchEvidence& launch, const std::vector<Measurement>& fresh,
                    const RecordingLibrary& recordings) {
    const auto newest = std::ranges::find(fresh.rbegin(), fresh.rend(), launch.experiment,
                                          &Measurement::experiment);
    if (newest != fresh.rend()) {
        launch.measured = *newest;
    } else if (const Recording* recording =
                   findRecording(recordings.recordings, launch.experiment)) {
        launch.measured = recording->measurement;
        launch.recorded = true;
    }
}

/// What a recording predicts is what tracing predicts: tests/trace holds them together.
void addPrediction(LaunchEvidence& launch, const RecordingLibrary& recordings,
                   std::stop_token stop) {
    if (const Recording* recording = findRecording(recordings.recordings, launch.experiment)) {
        std::ranges::copy_if(recording->measurement.values, std::back_inserter(launch.predicted),
                             [](const Value& value) { return value.source == Source::predicted; });
        if (!launch.predicted.empty()) return;
    }
    PredictOptions options;
    options.stop = std::move(stop);
    try {
        LaunchReport prediction = predict(launch.experiment, options);
        if (!prediction.exact) launch.predictedHow = howPredicted(prediction);
        launch.predicted = std::move(prediction.values);
    } catch (const TraceFault& fault) {
        launch.predictedHow = fault.what();
    }
}

}  // namespace

LessonEvidence evidenceFor(const Lesson& lesson, const std::vector<Measurement>& fresh,
                           const RecordingLibrary& recordings, std::stop_token stop) {
    LessonEvidence evidence;
    for (const auto& [name, experiment] : lesson.launches) {
        LaunchEvidence launch{.experiment = experiment, .predicted = {}, .predictedHow = {}};
        addMeasurement(launch, fresh, recordings);
        addPrediction(launch, recordings, stop);
        evidence.emplace(name, std::move(launch));
    }
    return evidence;
}

}  // namespace warplens
