#include "app/window/panels/widgets.h"

#include <cfloat>
#include <cmath>

#include "app/window/panels/imgui_compat.h"
#include "core/lesson/lesson.h"

namespace warplens::window {

void UiContext::mark(std::string_view name) const {
    markPicture(name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    order.add(name);
}

void UiContext::markPicture(std::string_view name, ImVec2 from, ImVec2 to) const {
    rects.insert_or_assign(std::string(name), ImVec4(from.x, from.y, to.x - from.x, to.y - from.y));
}

void text(ImFont* font, Rgb color, std::string_view words) {
    ImGui::PushFont(font);
    ImGui::PushStyleColor(ImGuiCol_Text, packed(color));
    ImGui::TextUnformatted(words.data(), words.data() + words.size());
    ImGui::PopStyleColor();
    ImGui::PopFont();
}

float textInLines(ImDrawList* list, ImFont* font, Rgb color, ImVec2 at, std::string_view words,
                  float width, float opacity) {
    const float blank = measured(font, " ").x;
    ImVec2 spot{0, 0};
    const auto put = [&](std::string_view piece) {
        if (list == nullptr) return;
        list->AddText(font, font->FontSize, {std::floor(at.x + spot.x), std::floor(at.y + spot.y)},
                      packed(color, opacity), piece.data(), piece.data() + piece.size());
    };
    while (!words.empty()) {
        const std::size_t end = words.find_first_of(" \n");
        std::string_view piece = words.substr(0, end);
        const bool ends = end != std::string_view::npos && words[end] == '\n';
        words.remove_prefix(end == std::string_view::npos ? words.size() : end + 1);
        const float length = measured(font, piece).x;
        if (spot.x > 0 && spot.x + length > width) spot = {0, spot.y + font->FontSize};
        // A path, say, that no line is long enough for.
        while (spot.x == 0 && piece.size() > 1 && measured(font, piece).x > width) {
            std::size_t count = piece.size();
            while (count > 1 && measured(font, piece.substr(0, count)).x > width) --count;
            while (count > 1 && (piece[count] & 0xc0) == 0x80) --count;
            put(piece.substr(0, count));
            piece.remove_prefix(count);
            spot.y += font->FontSize;
        }
        put(piece);
        spot.x += measured(font, piece).x + blank;
        if (ends) spot = {0, spot.y + font->FontSize};
    }
    return spot.y + font->FontSize;
}

float heightInLines(ImFont* font, std::string_view words, float width) {
    return textInLines(nullptr, font, 0, {}, words, width);
}

void wrapped(ImFont* font, Rgb color, std::string_view words) {
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = textInLines(ImGui::GetWindowDrawList(), font, color,
                                     ImGui::GetCursorScreenPos(), words, width);
    ImGui::Dummy({width, height});
}

void provenance(const UiContext& ui, const std::vector<std::string>& lines) {
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(2)));
    for (const std::string& line : lines) {
        wrapped(ui.fonts.small, ui.colors.muted, line);
    }
    ImGui::PopStyleVar();
}

float provenanceHeight(const UiContext& ui, const std::vector<std::string>& lines) {
    float height = 0;
    for (const std::string& line : lines) {
        height += heightInLines(ui.fonts.small, line, ImGui::GetContentRegionAvail().x) + ui.px(2);
    }
    return height;
}

namespace {

/// The term behind a word with its punctuation.
const Term* termIn(std::string_view piece) {
    constexpr std::string_view marks = ".,:;!?()'\"";
    const std::size_t begin = piece.find_first_not_of(marks);
    if (begin == std::string_view::npos) return nullptr;
    const std::size_t end = piece.find_last_not_of(marks);
    return findTerm(piece.substr(begin, end - begin + 1));
}

/// Underlined, and explained to the pointer.
void explain(const UiContext& ui, const Term& term, ImVec2 from, ImVec2 to) {
    const float y = std::floor(to.y) + ui.snap(1);
    ImGui::GetWindowDrawList()->AddLine({from.x, y}, {to.x, y}, packed(ui.colors.accent, 0.55F),
                                        ui.snap(1));
    if (!ImGui::IsWindowHovered() || !ImGui::IsMouseHoveringRect(from, to)) return;
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + ui.px(360));
    text(ui.fonts.strong, ui.colors.accent, term.word);
    text(ui.fonts.body, ui.colors.text, term.meaning);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

using namespace drawing;

/// The face's font nearest in size: the fewer pixels it is scaled by, the sharper.
ImFont* fontOf(const Fonts& fonts, Face face, float size) {
    if (fonts.slideWords[0] != nullptr) {
        const auto& both = face == Face::words    ? fonts.slideWords
                           : face == Face::strong ? fonts.slideStrong
                                                  : fonts.slideNumbers;
        return size <= both[0]->FontSize * 1.25F ? both[0] : both[1];
    }
    if (face == Face::strong) return fonts.strong;
    const bool words = face == Face::words;
    ImFont* const small = words ? fonts.small : fonts.smallNumber;
    ImFont* const large = words ? fonts.body : fonts.number;
    return std::abs(small->FontSize - size) <= std::abs(large->FontSize - size) ? small : large;
}

class Painter final {
  public:
    Painter(ImDrawList& list, const Fonts& fonts) : list_(list), fonts_(fonts) {}

    void operator()(const Fill& fill) const {
        list_.AddRectFilled({fill.box.left, fill.box.top}, {fill.box.right, fill.box.bottom},
                            packed(fill.color, fill.opacity));
    }
    void operator()(const Hatch& hatch) const {
        const Box& box = hatch.box;
        // Stripes x + y = k · spacing, so that those of neighbours meet.
        const float last = box.right + box.bottom;
        float sum = std::ceil((box.left + box.top) / hatch.spacing) * hatch.spacing;
        for (; sum < last; sum += hatch.spacing) {
            const float right = std::min(box.right, sum - box.top);
            const float left = std::max(box.left, sum - box.bottom);
            list_.AddLine({left, sum - left}, {right, sum - right}, packed(hatch.color, 0.55F));
        }
    }
    void operator()(const Frame& frame) const {
        const Box& box = frame.box;
        const float width = std::max(1.0F, std::round(frame.width));
        const ImU32 color = packed(frame.color);
        list_.AddRectFilled({box.left, box.top}, {box.right, box.top + width}, color);
        list_.AddRectFilled({box.left, box.bottom - width}, {box.right, box.bottom}, color);
        list_.AddRectFilled({box.left, box.top + width}, {box.left + width, box.bottom - width},
                            color);
        list_.AddRectFilled({box.right - width, box.top + width}, {box.right, box.bottom - width},
                            color);
    }
    void operator()(const Line& line) const {
        list_.AddLine({line.from.x, line.from.y}, {line.to.x, line.to.y},
                      packed(line.color, line.opacity), line.width);
    }
    void operator()(const Disc& disc) const {
        const ImVec2 at{disc.at.x, disc.at.y};
        if (disc.width <= 0) {
            list_.AddCircleFilled(at, disc.radius, packed(disc.color));
        } else {
            list_.AddCircle(at, disc.radius - disc.width / 2, packed(disc.color), 0, disc.width);
        }
    }
    void operator()(const Quad& quad) const {
        const auto corner = [&](std::size_t i) {
            return ImVec2(quad.corners.at(i).x, quad.corners.at(i).y);
        };
        if (quad.opacity > 0) {
            // Smooth sides cost thrice the triangles, and an edge covers them.
            const ImDrawListFlags flags = list_.Flags;
            if (quad.edgeWidth > 0) list_.Flags &= ~ImDrawListFlags_AntiAliasedFill;
            list_.AddQuadFilled(corner(0), corner(1), corner(2), corner(3),
                                packed(quad.color, quad.opacity));
            list_.Flags = flags;
        }
        if (quad.edgeWidth > 0) {
            const std::array corners{corner(0), corner(1), corner(2), corner(3)};
            list_.AddPolyline(corners.data(), 4, packed(quad.edge, quad.edgeOpacity),
                              ImDrawFlags_Closed, std::max(1.0F, std::round(quad.edgeWidth)));
        }
    }
    void operator()(const Text& text) const {
        ImFont* const font = fontOf(fonts_, text.face, text.size);
        const char* const begin = text.words.data();
        const char* const end = begin + text.words.size();
        float left = text.at.x;
        if (text.align != 0) {
            left -= text.align * font->CalcTextSizeA(text.size, FLT_MAX, 0, begin, end).x;
        }
        list_.AddText(font, text.size, {std::round(left), std::round(text.at.y)},
                      packed(text.color), begin, end);
    }

  private:
    ImDrawList& list_;
    const Fonts& fonts_;
};

}  // namespace

void prose(const UiContext& ui, Rgb color, std::string_view words, bool small) {
    const Fonts& fonts = ui.fonts;
    ImFont* const plain = small ? fonts.small : fonts.body;
    ImFont* const mono = small ? fonts.smallNumber : fonts.number;
    const auto [list, at, width] = penHere();
    const float line = plain->FontSize * 1.25F;
    const float blank = measured(plain, " ").x;
    ImVec2 spot{0, 0};
    bool code = false;
    bool joined = true;  // to the piece before, without a blank
    std::vector<const Term*> explained;
    // Of what stands there up to the next blank: code with the marks around it.
    const auto lengthOf = [&](std::string_view rest, bool isCode) {
        for (float length = 0;; isCode = !isCode) {
            const std::size_t end = rest.find_first_of(" `");
            length += measured(isCode ? mono : plain, rest.substr(0, end)).x;
            if (end == std::string_view::npos || rest[end] == ' ') return length;
            rest.remove_prefix(end + 1);
        }
    };
    while (!words.empty()) {
        const std::size_t end = words.find_first_of(" `");
        const std::string_view piece = words.substr(0, end);
        if (!piece.empty()) {
            ImFont* const font = code ? mono : plain;
            const float length = measured(font, piece).x;
            if (!joined && spot.x > 0) spot.x += blank;
            if (spot.x > 0 && spot.x + (joined ? length : lengthOf(words, code)) > width)
                spot = {0, spot.y + line};
            textAt(list, font, code ? ui.colors.text : color, {at.x + spot.x, at.y + spot.y},
                   piece);
            if (const Term* const term = code ? nullptr : termIn(piece);
                term != nullptr && std::ranges::find(explained, term) == explained.end()) {
                explained.push_back(term);
                const ImVec2 from{at.x + spot.x, at.y + spot.y};
                explain(ui, *term, from, {from.x + length, from.y + font->FontSize});
            }
            spot.x += length;
            joined = true;
        }
        if (end == std::string_view::npos) break;
        if (words[end] == '`')
            code = !code;
        else
            joined = false;
        words.remove_prefix(end + 1);
    }
    ImGui::Dummy({width, spot.y + line});
}

ImVec2 measured(ImFont* font, std::string_view words) {
    return font->CalcTextSizeA(font->FontSize, FLT_MAX, 0, words.data(),
                               words.data() + words.size());
}

void textAt(ImDrawList& list, ImFont* font, Rgb color, ImVec2 at, std::string_view words,
            float align) {
    if (align != 0) at.x -= align * measured(font, words).x;
    list.AddText(font, font->FontSize, {std::floor(at.x), std::floor(at.y)}, packed(color),
                 words.data(), words.data() + words.size());
}

bool hasChanged(const char* name, std::uint32_t value) {
    ImGuiStorage& kept = *ImGui::GetStateStorage();
    const ImGuiID id = ImGui::GetID(name);
    const bool changed = kept.GetInt(id) != static_cast<int>(value);
    kept.SetInt(id, static_cast<int>(value));
    return changed;
}

std::string fitted(ImFont* font, std::string_view words, float width) {
    if (measured(font, words).x <= width) return std::string(words);
    std::string cut(words);
    while (!cut.empty() && measured(font, cut + "…").x > width) {
        cut.pop_back();
        // Not inside a character of several bytes.
        while (!cut.empty() && (cut.back() & 0xc0) == 0x80) cut.pop_back();
    }
    return cut + "…";
}

std::string spoken(std::string_view name) {
    std::string words(name);
    std::ranges::replace(words, '_', ' ');
    return words;
}

void heading(const UiContext& ui, std::string_view words, std::string_view aside) {
    const auto [list, at, width] = penHere();
    textAt(list, ui.fonts.strong, ui.colors.text, at, words);
    if (!aside.empty()) {
        const float baseline = ui.fonts.strong->FontSize - ui.fonts.small->FontSize;
        const float room = width - measured(ui.fonts.strong, words).x - ui.px(8);
        textAt(list, ui.fonts.small, ui.colors.faint, {at.x + width, at.y + baseline * 0.8F},
               fitted(ui.fonts.small, aside, room), 1);
    }
    const float y = std::floor(at.y + ui.fonts.strong->FontSize + ui.px(5));
    list.AddRectFilled({at.x, y}, {at.x + width, y + ui.snap(1)}, packed(ui.colors.border));
    ImGui::Dummy({width, ui.fonts.strong->FontSize + ui.px(8)});
}

void space(const UiContext& ui, float designPixels) {
    ImGui::Dummy({0, std::max(0.0F, ui.px(designPixels) - ImGui::GetStyle().ItemSpacing.y)});
}

bool primaryButton(const UiContext& ui, const char* label, bool enabled) {
    const Colors& c = ui.colors;
    ImGui::PushFont(ui.fonts.strong);
    if (enabled) {
        ImGui::PushStyleColor(ImGuiCol_Button, packed(c.accent));
        ImGui::PushStyleColor(ImGuiCol_ButtonHovered, packed(mixed(c.accent, c.text, 0.15F)));
        ImGui::PushStyleColor(ImGuiCol_ButtonActive, packed(mixed(c.accent, c.text, 0.3F)));
        ImGui::PushStyleColor(ImGuiCol_Text, packed(c.onAccent));
    }
    ImGui::BeginDisabled(!enabled);
    const bool pressed = ImGui::Button(label);
    ImGui::EndDisabled();
    if (enabled) ImGui::PopStyleColor(4);
    ImGui::PopFont();
    return pressed && enabled;
}

bool plainButton(const UiContext& ui, const char* label, bool enabled, bool chosen, ImVec2 size) {
    const Colors& c = ui.colors;
    if (chosen) {
        ImGui::PushStyleColor(ImGuiCol_Button, packed(mixed(c.raised, c.accent, 0.28F)));
        ImGui::PushStyleColor(ImGuiCol_Text, packed(c.text));
    }
    ImGui::BeginDisabled(!enabled);
    const bool pressed = ImGui::Button(label, size);
    ImGui::EndDisabled();
    if (chosen) ImGui::PopStyleColor(2);
    return pressed && enabled;
}

void commandButton(const UiContext& ui, const std::string& label, std::string_view mark,
                   const Command& command, std::string_view words, ButtonLook look) {
    const bool pressed = look.primary ? primaryButton(ui, label.c_str(), look.enabled)
                                      : plainButton(ui, label.c_str(), look.enabled, look.chosen);
    if (pressed) ui.issue(command);
    ui.mark(mark);
    tooltip(ui, words);
}

float buttonWidth(ImFont* font, std::string_view label) {
    return measured(font, label).x + 2 * ImGui::GetStyle().FramePadding.x;
}

void tooltip(const UiContext& ui, std::string_view words, bool isOfCard) {
    if (words.empty() || !ImGui::IsItemHovered(ImGuiHoveredFlags_AllowWhenDisabled)) return;
    const ImVec2 from = ImGui::GetItemRectMin();
    const ImVec2 end = ImGui::GetItemRectMax();
    const float padding = 2 * ImGui::GetStyle().WindowPadding.x;
    const float width = isOfCard ? end.x - from.x - padding : ui.px(420);
    const bool isLow = end.y > ImGui::GetIO().DisplaySize.y * 0.75F;
    if (isOfCard) {
        ImGui::SetNextWindowPos({from.x, isLow ? from.y : end.y}, ImGuiCond_Always,
                                {0, isLow ? 1.0F : 0.0F});
    } else if (end.y < ui.px(60)) {
        // Of a bar's button below it: the pointer's other buttons stay in sight.
        const float wide = std::min(width, measured(ui.fonts.body, std::string(words)).x) + padding;
        ImGui::SetNextWindowPos(
            {std::max(0.0F, std::min(from.x, ImGui::GetIO().DisplaySize.x - wide)),
             end.y + ui.px(4)});
    }
    ImGui::BeginTooltip();
    ImGui::PushTextWrapPos(ImGui::GetCursorPosX() + width);
    text(ui.fonts.body, ui.colors.text, words);
    ImGui::PopTextWrapPos();
    ImGui::EndTooltip();
}

bool filterField(const UiContext& ui, std::string& typed, std::string_view mark, const char* hint,
                 float width) {
    ImGui::SetNextItemWidth(width);
    const bool entered =
        ImGui::InputTextWithHint("##filter", hint, &typed, ImGuiInputTextFlags_EnterReturnsTrue);
    ui.mark(mark);
    return entered;
}

void tag(const UiContext& ui, std::string_view words, Rgb color) {
    const ImVec2 size = measured(ui.fonts.small, words);
    const ImVec2 padding{ui.px(8), ui.px(3)};
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 end{at.x + size.x + 2 * padding.x, at.y + size.y + 2 * padding.y};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    list.AddRectFilled(at, end, packed(mixed(ui.colors.panel, color, 0.2F)), ui.px(5));
    textAt(list, ui.fonts.small, mixed(color, ui.colors.text, 0.25F),
           {at.x + padding.x, at.y + padding.y}, words);
    ImGui::Dummy({end.x - at.x, end.y - at.y});
}

void bar(ImDrawList& list, const Look& look, ImVec2 at, ImVec2 size, float share, Rgb color) {
    const float rounding = std::min(look.px(3), size.y / 2);
    list.AddRectFilled(at, {at.x + size.x, at.y + size.y}, packed(look.colors.raised), rounding);
    const float filled = std::clamp(share, 0.0F, 1.0F) * size.x;
    if (filled < 1) return;
    list.AddRectFilled(at, {at.x + filled, at.y + size.y}, packed(color),
                       std::min(rounding, filled / 2));
}

void progressBar(const UiContext& ui, std::string_view mark, float width, float share,
                 std::string_view words) {
    ImFont* const font = ui.fonts.small;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size{width, ImGui::GetFrameHeight()};
    ImGui::Dummy(size);
    ui.mark(mark);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    bar(list, ui.look, at, size, share, mixed(ui.colors.raised, ui.colors.accent, 0.45F));
    textAt(list, font, ui.colors.text, {at.x + ui.px(10), at.y + (size.y - font->FontSize) / 2},
           fitted(font, words, width - ui.px(20)));
}

void beginCentred(const UiContext& ui, const char* name, ImVec2 padding) {
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
    ImGui::SetNextWindowSizeConstraints({0, 0}, {screen.x * 0.98F, screen.y * 0.96F});
    ImGui::PushStyleColor(ImGuiCol_WindowBg, packed(ui.colors.panel));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, ui.snap(1));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, {ui.px(padding.x), ui.px(padding.y)});
    ImGui::Begin(name, nullptr,
                 ImGuiWindowFlags_NoTitleBar | ImGuiWindowFlags_NoResize | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_AlwaysAutoResize | ImGuiWindowFlags_NoSavedSettings);
    ui.order.keepToThisWindow();
}

void endCentred() {
    ImGui::End();
    ImGui::PopStyleVar(2);
    ImGui::PopStyleColor();
}

void paint(ImDrawList& list, const Fonts& fonts, const Items& items) {
    const Painter painter(list, fonts);
    for (const Item& item : items) std::visit(painter, item);
}

DrawArea drawArea(const Look& look, ImVec2 from, ImVec2 to, float textSize) {
    const Colors& c = look.colors;
    return {.box = {from.x, from.y, to.x, to.y},
            .colors = {.background = c.panel,
                       .raised = c.raised,
                       .text = c.text,
                       .muted = c.muted,
                       .faint = c.faint,
                       .accent = c.accent,
                       .good = c.good,
                       .warning = c.warning,
                       .bad = c.bad},
            .textWidth =
                [&fonts = look.fonts](std::string_view words, Face face, float size) {
                    return fontOf(fonts, face, size)
                        ->CalcTextSizeA(size, FLT_MAX, 0, words.data(), words.data() + words.size())
                        .x;
                },
            .textSize = look.fonts.small->FontSize * textSize};
}

std::optional<Point> pointerOnItem() {
    const ImVec2 mouse = ImGui::GetIO().MousePos;
    return ImGui::IsItemHovered() ? std::optional(Point{mouse.x, mouse.y}) : std::nullopt;
}

}  // namespace warplens::window
