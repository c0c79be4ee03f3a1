#pragma once

#include <optional>

#include "core/program/source_edit.h"

namespace warplens::source {

/// What the passes of a loop do to what was there before it.
struct LoopUse final {
    bool addsUp = false;   ///< a sum, a product, a minimum or maximum of what comes by
    bool carries = false;  ///< the order of passes matters, as where one takes what another left
    bool stores = false;   ///< into arrays
};

/// Of a loop's body, by its words: what it declares itself is each pass's own.
[[nodiscard]] LoopUse useOf(const SourceEdit& text, TextSpan body);

/// What the innermost loop around an offset rules.
[[nodiscard]] std::optional<TextSpan> loopAround(const SourceEdit& text, std::size_t at);

}  // namespace warplens::source
