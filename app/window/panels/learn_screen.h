#pragma once

#include <string>

#include "app/drawing/items.h"
#include "app/window/panels/backgrounds.h"
#include "app/window/panels/mapping_canvas.h"
#include "app/window/state/command.h"

namespace warplens::window {

/// What the learn screen keeps from frame to frame.
struct LearnKeeping final {
    std::string find{};        ///< in the list of lessons
    std::string scrolled{};    ///< lesson and page that stand at their top
    std::string asked{};       ///< the lesson whose open question was shown last
    float questionHeight = 0;  ///< as it came out last
    /// A sum's rounds are traced once for each launch.
    struct Rounds final {
        std::optional<Experiment> of{};
        Theme theme{};
        float width = 0;
        float height = 0;
        drawing::Items items{};
    };
    Rounds rounds{};
};

/// A lesson over the whole window: words and question at the left, its pictures at the right; or
/// the list of lessons.
[[nodiscard]] Commands drawLearnScreen(const UiContext& ui, MappingCanvas& canvas,
                                       Backgrounds& backgrounds, const AppState& state,
                                       LearnKeeping& keeping);

}  // namespace warplens::window
