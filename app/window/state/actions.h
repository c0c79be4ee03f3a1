#pragma once

#include <array>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "app/platform/input_queue.h"
#include "app/window/state/command.h"

/// What a person can have done, in one table: it feeds the keys, the buttons with their tooltips,
/// the help and the palette.
namespace warplens::window {

/// `Ctrl+Shift+Z`.
[[nodiscard]] std::string keyText(KeyPress press);

enum class Act : std::uint8_t {
    saveProgram,
    undoTyping,
    redoTyping,
    measure,
    cancel,
    swapAxes,
    gridCovers,
    undo,
    redo,
    typeLaunch,
    nextScenario,
    scenarioBefore,
    contrast,
    picture,  ///< a row for each that the window draws
    cellNumbers,
    fit,
    closer,
    further,
    moveLeft,
    moveRight,
    moveUp,
    moveDown,
    spread,
    resetBlock3d,
    turnLeft,
    turnRight,
    turnUp,
    turnDown,
    nextWarp,
    nextBlock,
    blockBefore,
    blockLeft,
    blockRight,
    blockUp,
    blockDown,
    slideSpace,
    play,
    stepBefore,
    stepAfter,
    memory,
    source,
    pinA,
    pinB,
    clearPins,
    nextTab,
    measured,
    sweep,
    roof,
    costliest,
    applyRemedy,
    takeRemedyBack,
    lessons,
    lessonList,
    pageOn,
    pageEnter,
    pageBack,
    motion,
    present,
    slideOn,
    slideBack,
    black,
    spotlight,
    figure,
    copyFigure,
    copyScene,
    pasteScene,
    saveScene,
    copyCsv,
    copyMarkdown,
    copyProgress,
    openFile,
    browse,
    editProgram,
    editOutside,
    newProgram,
    closeFile,
    backToFile,
    saveMeasured,
    startAgain,
    theme,
    projector,
    larger,
    smaller,
    normalText,
    palette,
    help,
    back,
};

/// What the help lists together.
enum class ActGroup : std::uint8_t { launch, view, warp, compare, teach, file, window };
[[nodiscard]] std::string_view titleOf(ActGroup group);

/// One row of the table.
struct Action final {
    Act act;
    ActGroup group;
    std::string_view name;   ///< of its button, to tests and screen readers: `pin.a`
    std::string_view label;  ///< on its button: `Pin A`
    /// `Pin the shown result as A`; rows that stand next to one another and do the same in several
    /// directions have the same words.
    std::string_view does;
    std::array<KeyPress, 4> presses;  ///< any of these; unused ones have key 0
    Command (*command)(const AppState&);
    bool (*sensible)(const AppState&);  ///< whether there is anything to do now
    /// Works while a field has the keyboard, but for keys that type something.
    bool whileTyping;
    PictureKind picture;  ///< of Act::picture
};

[[nodiscard]] std::span<const Action> allActions();
[[nodiscard]] const Action& actionOf(Act act);
[[nodiscard]] const Action& actionOf(PictureKind picture);
/// `F1, ?`; empty where no key does it. What different keys of one keyboard write alike stands
/// once.
[[nodiscard]] std::string keysOf(const Action& action);

/// Whether there is something to do, and it is not locked by a lesson's question.
[[nodiscard]] bool isPossible(const AppState& state, const Action& action);

/// What the key means now; nullopt for keys without a meaning. While the palette is open its keys
/// go before all others.
[[nodiscard]] std::optional<Command> commandFor(const AppState& state, KeyPress press, bool typing);

}  // namespace warplens::window
