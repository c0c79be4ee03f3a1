#pragma once

#include <string>
#include <vector>

#include "core/measurement/recording.h"

/// Short names of launches for buttons.
namespace warplens::window {

/// `1024`, `32×8`, `5×7×3`.
[[nodiscard]] std::string timesText(Extents extents);

/// One label for each recording of a scenario: block, the sizes in which they differ, and the
/// device: `32×8 · H200`, `256 · stride 4 · H200`.
[[nodiscard]] std::vector<std::string> labelsOf(const std::vector<const Recording*>& recordings);

}  // namespace warplens::window
