#include "app/window/panels/code_rows.h"

#include <algorithm>

#include "app/drawing/source_tokens.h"
#include "app/window/panels/widgets.h"

namespace warplens::window {
namespace {

Rgb colorOf(drawing::TokenKind kind, const Colors& c) {
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

}  // namespace

bool hasChanged(const char* name, std::uint32_t value) {
    ImGuiStorage& kept = *ImGui::GetStateStorage();
    const ImGuiID id = ImGui::GetID(name);
    const bool changed = kept.GetInt(id) != static_cast<int>(value);
    kept.SetInt(id, static_cast<int>(value));
    return changed;
}

int drawCode(ImDrawList* list, const Look& look, ImFont* font, std::uint32_t number,
             std::string_view code, const CodeRoom& room) {
    const float letter = measured(font, "0").x;
    // No line is wider than its bytes, where none of them is a tab.
    const bool plain = code.find('\t') == std::string_view::npos;
    if (list == nullptr && plain &&
        room.left + letter * static_cast<float>(code.size()) <= room.right) {
        return 1;
    }
    if (list != nullptr) {
        textAt(*list, font, look.colors.faint, {room.at.x + room.gutter, room.at.y},
               std::to_string(number), 1);
    }
    const auto indent = std::min(code.find_first_not_of(' '), code.size());
    // Rows that go on stand a little further in than the first.
    const float further = std::min(room.left + letter * static_cast<float>(indent + 4),
                                   room.left + (room.right - room.left) / 3);
    float x = room.left;
    int rows = 1;
    const auto widthOf = [&](std::size_t begin, std::size_t end) {
        return measured(font, code.substr(begin, end - begin)).x;
    };
    std::size_t at = 0;
    for (const drawing::Token& token : drawing::tokensOf(code)) {
        // By words, each with the blanks before it. A word may go on in the next token: it is
        // broken there only where a row is too short for it.
        for (const std::size_t tokenEnd = at + token.text.size(); at < tokenEnd;) {
            std::size_t begin = std::min(code.find_first_not_of(' ', at), tokenEnd);
            const std::size_t end = std::min(code.find(' ', begin), tokenEnd);
            const bool starts = begin > at || at == 0 || code[at - 1] == ' ';
            const std::size_t whole = starts ? std::min(code.find(' ', begin), code.size()) : end;
            if (x > further && x + widthOf(at, whole) > room.right) {
                x = further;
                ++rows;
            } else {
                begin = at;
            }
            if (list != nullptr) {
                const float y = room.at.y + static_cast<float>(rows - 1) * room.height;
                textAt(*list, font, colorOf(token.kind, look.colors), {room.at.x + x, y},
                       code.substr(begin, end - begin));
            }
            x += widthOf(begin, end);
            at = end;
        }
    }
    return rows;
}

}  // namespace warplens::window
