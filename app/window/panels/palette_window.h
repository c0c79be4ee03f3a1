#pragma once

#include "app/window/panels/widgets.h"
#include "app/window/state/palette.h"

namespace warplens::window {

/// What the palette's window keeps from frame to frame.
struct PaletteField final {
    bool open = false;
    std::size_t seen = 0;  ///< the entry that was scrolled to
};

/// The field with what it finds, where it is open.
[[nodiscard]] Commands drawPalette(const UiContext& ui, const AppState& state, PaletteField& field);

/// The .cu files of the folder that the program runs in, sorted; at most 200.
[[nodiscard]] std::vector<std::string> programsHere();

}  // namespace warplens::window
