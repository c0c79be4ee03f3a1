#pragma once

#include <string>

#include "core/scenario/scenario.h"

/// Commands that choose what is launched.
namespace warplens::window {

struct ChooseScenario final {
    std::string id;
};
struct SetBlock final {
    Extents block;
};
struct SetGrid final {
    Extents grid;
};
/// Moves the keyboard to the fields that hold the launch.
struct TypeLaunch final {};
/// The text of one number field (editing.h), whether typed, stepped or dragged to. A grid is
/// from then on fixed by hand.
struct EnterNumber final {
    std::string field;
    std::string text;
};
struct SetGridCovers final {
    bool covers = true;
};
struct SwapBlockAxes final {};
/// Ends a drag: the next edit of the same field is a step of its own for Undo.
struct FinishEdit final {};
struct Undo final {};
struct Redo final {};

}  // namespace warplens::window
