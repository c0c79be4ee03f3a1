#pragma once

#include <string>

#include "app/recordings/library.h"

namespace warplens {

/// The recordings of a scenario, one line each with its launch, device and day, under a line that
/// says what they are; says so when there is none.
[[nodiscard]] std::string recordingChoices(const RecordingLibrary& library,
                                           const std::string& scenario);

}  // namespace warplens
