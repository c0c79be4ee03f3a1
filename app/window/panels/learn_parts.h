#pragma once

#include <string>

#include "app/drawing/items.h"
#include "app/window/panels/cards.h"
#include "app/window/panels/map_panel.h"
#include "app/window/state/command.h"
#include "app/window/state/learn_page.h"

/// The parts of the learn screen.
namespace warplens::window {

/// What the learn screen keeps from frame to frame.
struct LearnKeeping final {
    std::string find{};        ///< in the list of lessons
    std::string scrolled{};    ///< lesson and page that stand at their top
    std::string asked{};       ///< the open question shown last, and what was said to it
    float questionHeight = 0;  ///< as it came out last
    float wordsHeight = 0;     ///< the same of what stands above it
    /// What is traced once for each launch: a sum's rounds, a block's requests.
    struct Traced final {
        std::vector<Experiment> of{};
        PictureKind picture{};
        std::optional<std::size_t> array{};
        Theme theme{};
        float width = 0;
        float height = 0;
        drawing::Items items{};
    };
    Traced traced{};
};

/// A lesson over the whole window: words and question at the left, its pictures at the right; or
/// the list of lessons.
void drawLearnScreen(const UiContext& ui, MappingCanvas& canvas, Backgrounds& backgrounds,
                     LearnKeeping& keeping);

/// A check mark, a cross, or nothing: told apart without colour.
void drawSign(const UiContext& ui, ImVec2 at, float size, Mark mark);

/// A button as wide as the panel, as high as its words need; `before` stands at its left.
[[nodiscard]] bool wideButton(const UiContext& ui, const char* name, std::string_view before,
                              std::string_view words, bool chosen);
void drawLessonTable(const UiContext& ui, const LessonTable& table);
/// Every number with who says so, and beside it the document's own.
void drawLessonNumbers(const UiContext& ui, const ResolvedLesson& resolved);

/// What the page says above its question.
void drawLearnWords(const UiContext& ui, const LearnPage& page);
/// The question, what was said to its answers, the hints, and what to answer with. Where one
/// `arrives` at it the keyboard is at its field.
void drawLearnQuestion(const UiContext& ui, const LearnPage& page, bool arrives);
/// The pictures, one below the other.
void drawLearnPictures(const UiContext& ui, MappingCanvas& canvas, const LearnPage& page,
                       LearnKeeping& keeping);
/// What may be changed on the way to the goal, and how it stands.
void drawLearnGoal(const UiContext& ui, const LearnPage& page);
/// All lessons, and how far one has come in each.
void drawLessonList(const UiContext& ui, LearnKeeping& keeping);

}  // namespace warplens::window
