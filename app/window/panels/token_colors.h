#pragma once

#include "app/drawing/source_tokens.h"
#include "app/window/theme/look.h"

namespace warplens::window {

/// The colour of a piece of source text.
[[nodiscard]] inline Rgb colorOf(drawing::TokenKind kind, const Colors& c) {
    switch (kind) {
        case drawing::TokenKind::keyword:
            return c.accent;
        case drawing::TokenKind::type:
            return mixed(c.accent, c.good, 0.6F);
        case drawing::TokenKind::builtin:
            return mixed(c.warning, c.text, 0.25F);
        case drawing::TokenKind::number:
            return mixed(c.good, c.text, 0.3F);
        case drawing::TokenKind::comment:
        case drawing::TokenKind::directive:
            return c.muted;
        case drawing::TokenKind::plain:
            break;
    }
    return c.text;
}

}  // namespace warplens::window
