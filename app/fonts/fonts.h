#pragma once

#include <string_view>

#include "app/drawing/items.h"

namespace warplens {

/// The font file of a face, OpenType or TrueType, which travels inside the program: no figure and
/// no window depends on what the system has installed.
[[nodiscard]] std::string_view fontFile(drawing::Face face);

}  // namespace warplens
