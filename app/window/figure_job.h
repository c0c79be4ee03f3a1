#pragma once

#include <filesystem>
#include <memory>
#include <stop_token>
#include <string>

#include "app/platform/files.h"
#include "app/window/state/learn_page.h"

namespace warplens::window {

/// What is shown, composed for a screen of so many pixels. On the calling thread; throws what
/// composing throws.
[[nodiscard]] std::shared_ptr<const Slide> slideOf(const FigureOrder& order, int width, int height);

/// What the figure shows, in sentences (figure::Description), of a comparison its second part.
/// Traces one warp; throws what that throws.
[[nodiscard]] std::string describeFigure(const FigureOrder& order);

/// Draws the order now and says what became of it; never throws. Files go into `folder` under a
/// name that no file there has yet.
[[nodiscard]] FigureDrawn drawFigure(const FigureOrder& order, const std::filesystem::path& folder);

/// What its files are called where nobody says otherwise, without an ending.
[[nodiscard]] std::string proposedName(const FigureOrder& order);

/// The same for files where people keep pictures: FigureDrawn.
[[nodiscard]] Command drawFigureNow(const FigureOrder& order, std::stop_token stop);

/// What is to be presented, and on how many pixels.
struct PresentPlace final {
    FigureOrder order;
    int width = 0;
    int height = 0;
    std::optional<LearnPage> lesson{};  ///< whose page it is
    float apart = 0;                    ///< cubes between the warps, on such a page
    /// The launches that the lesson ends with side by side, of which no times are recorded.
    std::optional<std::pair<Experiment, Experiment>> predicted{};
    /// By what tells slides apart.
    friend bool operator==(const PresentPlace& a, const PresentPlace& b);
};
[[nodiscard]] PresentPlace presentPlace(const AppState& state, int width, int height);

/// Of the window that saves a figure.
[[nodiscard]] PresentPlace previewPlace(const AppState& state);
/// On the calling thread: FigurePreviewed, with why there is nothing.
[[nodiscard]] Command previewNow(const PresentPlace& place, std::stop_token stop);
/// On the calling thread: Presented, or a Report of why there is nothing.
[[nodiscard]] Command presentNow(const PresentPlace& place, std::stop_token stop);

}  // namespace warplens::window
