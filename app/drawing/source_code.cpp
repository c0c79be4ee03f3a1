#include "app/drawing/source_code.h"

namespace warplens::drawing {
Rgb colorOf(TokenKind kind, const ColorRoles& c) {
    switch (kind) {
        case TokenKind::keyword:
            return c.accent;
        case TokenKind::type:
            return mixed(c.accent, c.good, 0.6F);
        case TokenKind::builtin:
            return mixed(c.warning, c.text, 0.25F);
        case TokenKind::number:
            return mixed(c.good, c.text, 0.3F);
        case TokenKind::comment:
        case TokenKind::directive:
            return c.muted;
        case TokenKind::plain:
            break;
    }
    return c.text;
}

namespace {

using Words = std::string_view;
constexpr std::array<Words, 17> keywords{
    "__global__", "__shared__", "__device__", "break",    "const", "continue",
    "do",         "else",       "extern",     "for",      "if",    "return",
    "static",     "template",   "while",      "unsigned", "auto"};
constexpr std::array<Words, 8> types{"bool",   "char", "double", "float",
                                     "float4", "int",  "long",   "void"};
constexpr std::array<Words, 6> builtins{"blockDim",  "blockIdx", "gridDim",
                                        "threadIdx", "fmaf",     "__syncthreads"};

bool isLetter(char c) {
    return c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

TokenKind kindOf(std::string_view word) {
    const auto is = [&](const auto& list) { return std::ranges::find(list, word) != list.end(); };
    if (is(keywords)) return TokenKind::keyword;
    if (is(types)) return TokenKind::type;
    if (is(builtins)) return TokenKind::builtin;
    return TokenKind::plain;
}

/// Words of one colour that follow one another on a row are one text.
class CodeRows final {
  public:
    CodeRows(Items* items, const DrawArea& area, const CodeRoom& room)
        : items_(items), area_(area), room_(room), x_(room.left) {}
    CodeRows(const CodeRows&) = delete;
    CodeRows& operator=(const CodeRows&) = delete;
    ~CodeRows() { endText(); }

    [[nodiscard]] float widthOf(std::string_view words) const {
        return area_.textWidth(words, Face::numbers, room_.size);
    }
    [[nodiscard]] float end() const { return x_; }
    [[nodiscard]] int count() const { return count_; }
    void beginRow(float at) {
        endText();
        x_ = at;
        ++count_;
    }
    void add(std::string_view words, Rgb color) {
        if (color != color_) endText();
        if (text_.empty()) start_ = x_;
        color_ = color;
        text_ += words;
        x_ += widthOf(words);
    }

  private:
    void endText() {
        if (items_ != nullptr && text_.find_first_not_of(' ') != std::string::npos) {
            const float top = room_.at.y + static_cast<float>(count_ - 1) * room_.height;
            items_->emplace_back(
                Text{{room_.at.x + start_, top}, text_, Face::numbers, room_.size, color_});
        }
        text_.clear();
    }

    Items* items_;
    const DrawArea& area_;
    const CodeRoom& room_;
    std::string text_;
    Rgb color_ = 0;
    float start_ = 0;
    float x_;
    int count_ = 1;
};

}  // namespace

std::vector<Token> tokensOf(std::string_view line) {
    std::vector<Token> tokens;
    const auto take = [&](std::size_t length, TokenKind kind) {
        tokens.push_back({line.substr(0, length), kind});
        line.remove_prefix(length);
    };
    const auto run = [&](auto belongs) {
        const auto end = std::ranges::find_if_not(line, belongs);
        return static_cast<std::size_t>(end - line.begin());
    };
    while (!line.empty()) {
        const char first = line[0];
        if (line.starts_with("//")) {
            take(line.size(), TokenKind::comment);
        } else if (first == '#') {
            take(line.size(), TokenKind::directive);
        } else if (isLetter(first)) {
            const std::size_t length = run([](char c) { return isLetter(c) || isDigit(c); });
            take(length, kindOf(line.substr(0, length)));
        } else if (isDigit(first)) {
            take(run([](char c) { return isLetter(c) || isDigit(c) || c == '.'; }),
                 TokenKind::number);
        } else {
            // Up to the next word, number or comment.
            std::size_t length = 1;
            while (length < line.size() && !isLetter(line[length]) && !isDigit(line[length]) &&
                   !line.substr(length).starts_with("//") && line[length] != '#') {
                ++length;
            }
            take(length, TokenKind::plain);
        }
    }
    return tokens;
}

int drawCode(Items* items, const DrawArea& area, std::uint32_t number, std::string_view code,
             const CodeRoom& room) {
    CodeRows rows(items, area, room);
    const float letter = rows.widthOf("0");
    // No line is wider than its bytes, where none of them is a tab.
    const bool plain = code.find('\t') == std::string_view::npos;
    if (items == nullptr && plain &&
        room.left + letter * static_cast<float>(code.size()) <= room.right) {
        return 1;
    }
    if (items != nullptr) {
        items->emplace_back(Text({room.at.x + room.gutter, room.at.y}, std::to_string(number),
                                 Face::numbers, room.size, area.colors.faint, 1));
    }
    const auto indent = std::min(code.find_first_not_of(' '), code.size());
    // Rows that go on stand a little further in than the first.
    const float further = std::min(room.left + letter * static_cast<float>(indent + 4),
                                   room.left + (room.right - room.left) / 3);
    std::size_t at = 0;
    for (const Token& token : tokensOf(code)) {
        // By words, each with the blanks before it. A word may go on in the next token: it is
        // broken there only where a row is too short for it.
        for (const std::size_t tokenEnd = at + token.text.size(); at < tokenEnd;) {
            std::size_t begin = std::min(code.find_first_not_of(' ', at), tokenEnd);
            const std::size_t end = std::min(code.find(' ', begin), tokenEnd);
            const bool starts = begin > at || at == 0 || code[at - 1] == ' ';
            const std::size_t whole = starts ? std::min(code.find(' ', begin), code.size()) : end;
            if (rows.end() > further &&
                rows.end() + rows.widthOf(code.substr(at, whole - at)) > room.right) {
                rows.beginRow(further);
            } else {
                begin = at;
            }
            rows.add(code.substr(begin, end - begin), colorOf(token.kind, area.colors));
            at = end;
        }
    }
    return rows.count();
}

}  // namespace warplens::drawing
