#pragma once

#include <stop_token>

#include "app/window/state/command.h"

namespace warplens::window {

/// What is to be presented, and on how many pixels.
struct PresentPlace final {
    FigureOrder order;
    int width = 0;
    int height = 0;
    /// By what tells slides apart.
    friend bool operator==(const PresentPlace& a, const PresentPlace& b);
};
[[nodiscard]] PresentPlace presentPlace(const AppState& state, int width, int height);

/// Of the window that saves a figure.
[[nodiscard]] PresentPlace previewPlace(const AppState& state);
/// On the calling thread: FigurePreviewed, or a Report of why there is nothing.
[[nodiscard]] Command previewNow(const PresentPlace& place, std::stop_token stop);
/// On the calling thread: Presented, or a Report of why there is nothing.
[[nodiscard]] Command presentNow(const PresentPlace& place, std::stop_token stop);

}  // namespace warplens::window
