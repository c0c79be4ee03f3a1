#include "app/window/theme/look.h"

#include <cmath>

#include "app/fonts/fonts.h"

namespace warplens::window {
namespace {

constexpr Colors dark{
    .background = 0x0e1116,
    .panel = 0x161b22,
    .raised = 0x212831,
    .border = 0x2d3641,
    .text = 0xecf1f6,
    .muted = 0xa3b0bd,
    .faint = 0x76838f,
    .accent = 0x4f9dff,
    .onAccent = 0x06101d,
    .good = 0x4cc38a,
    .warning = 0xf2b13c,
    .bad = 0xff7a70,
    .block = 0x3d6ea8,
    .cases = {0x3d6ea8, 0xe0a13a, 0x35a58a, 0xc9588f, 0x8f72d8, 0xb98a5e, 0x6f9a4e, 0x9a8f86}};

constexpr Colors light{
    .background = 0xe9edf1,
    .panel = 0xffffff,
    .raised = 0xf0f3f6,
    .border = 0xd0d7de,
    .text = 0x12171d,
    .muted = 0x4b5763,
    .faint = 0x6f7b87,
    .accent = 0x0b63ce,
    .onAccent = 0xffffff,
    .good = 0x12744a,
    .warning = 0x9a5b00,
    .bad = 0xb3261e,
    .block = 0x7aa7dc,
    .cases = {0x7aa7dc, 0xe2a33b, 0x4bb89b, 0xd873a3, 0xa58be6, 0xc89a6e, 0x84b062, 0xa89e96}};

/// Latin, the Greek mu, dashes, quotes, arrows, and the operators that formulas and reasons use.
/// No more: all of them are drawn anew for each size of text, between two frames.
constexpr std::array<ImWchar, 19> glyphs{0x0020, 0x007e, 0x00a0, 0x00ff, 0x03bc, 0x03bc, 0x2010,
                                         0x2027, 0x2190, 0x2193, 0x2212, 0x2212, 0x221e, 0x221e,
                                         0x2248, 0x2248, 0x2260, 0x2265, 0};
/// Of numbers, with their units.
constexpr std::array<ImWchar, 5> numberGlyphs{0x0020, 0x007e, 0x00a0, 0x00ff, 0};
/// From here on, in pixels, a glyph is sharp without being drawn at twice its width.
constexpr float largeText = 24;

ImFont* load(drawing::Face face, float pixels, const ImWchar* ranges = glyphs.data()) {
    ImFontConfig config;
    config.FontDataOwnedByAtlas = false;
    config.OversampleH = pixels < largeText ? 2 : 1;
    config.OversampleV = 1;
    config.PixelSnapH = false;
    const std::string_view bytes = fontFile(face);
    // ImGui takes the bytes as mutable, and does not write to them.
    return ImGui::GetIO().Fonts->AddFontFromMemoryTTF(const_cast<char*>(bytes.data()),
                                                      static_cast<int>(bytes.size()),
                                                      std::round(pixels), &config, ranges);
}

}  // namespace

const Colors& colorsOf(Theme theme) {
    return theme == Theme::light ? light : dark;
}

float Look::snap(float designPixels) const {
    return std::max(1.0F, std::round(designPixels * scale));
}

ImU32 packed(Rgb color, float alpha) {
    return IM_COL32(color >> 16 & 255, color >> 8 & 255, color & 255,
                    static_cast<int>(alpha * 255.0F + 0.5F));
}

ImVec4 vector(Rgb color, float alpha) {
    return {static_cast<float>(color >> 16 & 255) / 255.0F,
            static_cast<float>(color >> 8 & 255) / 255.0F, static_cast<float>(color & 255) / 255.0F,
            alpha};
}

Fonts loadFonts(float scale, float small, float slideUnit) {
    ImGui::GetIO().Fonts->Clear();
    Fonts fonts;
    fonts.body = load(drawing::Face::words, 17 * scale);
    fonts.small = load(drawing::Face::words, 14.5F * scale * small);
    fonts.strong = load(drawing::Face::strong, 17 * scale);
    fonts.title = load(drawing::Face::strong, 21 * scale);
    fonts.number = load(drawing::Face::numbers, 16 * scale);
    fonts.smallNumber = load(drawing::Face::numbers, 13.5F * scale * small);
    fonts.largeNumber = load(drawing::Face::numbers, 28 * scale, numberGlyphs.data());
    if (slideUnit <= 0) return fonts;
    const auto both = [&](drawing::Face face) {
        return std::array{load(face, 20 * slideUnit), load(face, 42 * slideUnit)};
    };
    fonts.slideWords = both(drawing::Face::words);
    fonts.slideStrong = both(drawing::Face::strong);
    fonts.slideNumbers = both(drawing::Face::numbers);
    return fonts;
}

void applyTheme(const Look& look) {
    const Colors& c = look.colors;
    ImGuiStyle& style = ImGui::GetStyle();
    style = ImGuiStyle();
    style.WindowPadding = {look.px(16), look.px(14)};
    style.FramePadding = {look.px(10), look.px(6)};
    style.ItemSpacing = {look.px(8), look.px(7)};
    style.ItemInnerSpacing = {look.px(6), look.px(6)};
    style.ScrollbarSize = look.px(10);
    style.GrabMinSize = look.px(10);
    style.WindowRounding = style.ChildRounding = style.PopupRounding = look.px(8);
    // A software rasteriser draws plain rectangles in a shorter way.
    style.FrameRounding = style.GrabRounding = style.ScrollbarRounding = 0;
    style.WindowBorderSize = style.ChildBorderSize = style.FrameBorderSize = 0;
    style.PopupBorderSize = look.snap(1);

    const auto set = [&](ImGuiCol slot, Rgb color, float alpha = 1) {
        style.Colors[slot] = vector(color, alpha);
    };
    for (ImVec4& color : style.Colors) color = vector(c.panel);
    set(ImGuiCol_Text, c.text);
    set(ImGuiCol_TextDisabled, c.faint);
    set(ImGuiCol_WindowBg, c.background);
    set(ImGuiCol_ChildBg, c.panel);
    set(ImGuiCol_PopupBg, c.panel);
    set(ImGuiCol_Border, c.border);
    set(ImGuiCol_BorderShadow, c.border, 0);
    set(ImGuiCol_FrameBg, c.raised);
    set(ImGuiCol_FrameBgHovered, mixed(c.raised, c.accent, 0.16F));
    set(ImGuiCol_FrameBgActive, mixed(c.raised, c.accent, 0.26F));
    set(ImGuiCol_ScrollbarBg, c.panel, 0);
    set(ImGuiCol_ScrollbarGrab, mixed(c.border, c.faint, 0.5F));
    set(ImGuiCol_ScrollbarGrabHovered, c.faint);
    set(ImGuiCol_ScrollbarGrabActive, c.muted);
    set(ImGuiCol_CheckMark, c.accent);
    set(ImGuiCol_SliderGrab, c.accent);
    set(ImGuiCol_SliderGrabActive, c.accent);
    set(ImGuiCol_Button, c.raised);
    set(ImGuiCol_ButtonHovered, mixed(c.raised, c.accent, 0.22F));
    set(ImGuiCol_ButtonActive, mixed(c.raised, c.accent, 0.36F));
    set(ImGuiCol_Header, mixed(c.raised, c.accent, 0.22F));
    set(ImGuiCol_HeaderHovered, mixed(c.raised, c.accent, 0.30F));
    set(ImGuiCol_HeaderActive, mixed(c.raised, c.accent, 0.40F));
    set(ImGuiCol_Separator, c.border);
    set(ImGuiCol_TextSelectedBg, c.accent, 0.35F);
    set(ImGuiCol_NavHighlight, c.accent, 0);  // drawn by TabOrder, for every kind of widget alike
    set(ImGuiCol_ModalWindowDimBg, c.background, 0.6F);
}

}  // namespace warplens::window
