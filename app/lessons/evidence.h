#pragma once

#include <stop_token>
#include <vector>

#include "app/recordings/library.h"
#include "core/lesson/lesson_evidence.h"

namespace warplens {

/// What is known of the lesson's launches: each one's measurement, from `fresh` if it is there and
/// else from the recordings, and its prediction, which measurements made with one carry along and
/// which is traced here otherwise. Cost: nothing for launches that were recorded, else as
/// `predict` of at most some million accesses. Throws PredictionStopped
/// (kernels/library/predict.h).
[[nodiscard]] LessonEvidence evidenceFor(const Lesson& lesson,
                                         const std::vector<Measurement>& fresh,
                                         const RecordingLibrary& recordings,
                                         std::stop_token stop = {});

}  // namespace warplens
