#include "app/window/ui.h"

#include "app/figure/page.h"
#include "app/platform/gl.h"
#include "app/window/panels/learn_parts.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/program_panels.h"
#include "app/window/window.h"

namespace warplens::window {

/// Owns the ImGui context, and its OpenGL backend.
struct ImGuiSession final {
    ImGuiSession() {
        IMGUI_CHECKVERSION();
        ImGui::CreateContext();
        ImGuiIO& io = ImGui::GetIO();
        io.ConfigDragClickToInputText = true;
        io.IniFilename = nullptr;  // the panels do not move; settings are kept by settings.h
        if (!ImGui_ImplOpenGL3_Init(shaderVersion)) {
            ImGui::DestroyContext();
            throw WindowUnavailable("Dear ImGui finds no libGL.so.1", "install libgl1");
        }
    }
    ImGuiSession(ImGuiSession&&) = delete;
    ~ImGuiSession() {
        ImGui_ImplOpenGL3_Shutdown();
        ImGui::DestroyContext();
    }
};

namespace {

/// A window of this many pixels is the smallest that something is drawn in.
const ImVec2 leastWindow{640, 360};

/// Letters are no larger than leaves room for the parts of the window: these need so many pixels at
/// the normal size. In steps, so that fonts are not made anew for every pixel of a window that is
/// being pulled larger.
float largestScaleFor(ImVec2 window) {
    const float most = std::min(window.x / 560, window.y / 315);
    return std::max(0.875F, std::floor(most * 8) / 8);
}

/// A note while a slide is shown, in pixels at the normal size, and the least margin of a slide in
/// sides of its page.
constexpr float noteLine = 21.5F;
constexpr float marginShare = 0.04F;

/// By how much a lesson's letters are larger than others. In steps, too.
float lessonScaleFor(ImVec2 window, float displayScale) {
    const float room = std::min(window.x / 1366, window.y / 768) / displayScale;
    return std::clamp(std::floor(room * 8) / 8, 1.0F, 1.375F);
}

/// Instead of everything else.
void drawTooSmall(const UiContext& ui, ImVec2 window) {
    const auto sides = [](ImVec2 size) {
        return std::to_string(static_cast<int>(size.x)) + " x " +
               std::to_string(static_cast<int>(size.y));
    };
    ImGui::SetCursorPos({ui.look.px(12), ui.look.px(12)});
    wrapped(ui.look.fonts.body, ui.look.colors.text,
            "Warplens needs a window of " + sides(leastWindow) + " pixels; this one has " +
                sides(window) + '.');
    ui.mark("too_small");
}

}  // namespace

struct Ui::Parts final {
    ImGuiSession session;
    MappingCanvas canvas;
    TypedText typed;
    LearnKeeping learn;
    ProgramField programField;
    EditorField editor;
    std::uint32_t launchTyped = 0;
    /// The launch, the line and the remedy told of last.
    std::tuple<std::uint32_t, std::uint32_t, std::size_t> lineSaid{};
    float remedyEnds = 0;       ///< pixels below the top of the line's panel
    bool figureWindow = false;  ///< was open in the frame before
    PaletteField palette;
    std::string scenarios;  ///< what is typed to find one
    TabOrder order;
    Look look;
    Theme theme{};
    bool styled = false;

    /// Pixels of a slide's unit; 0 where nothing is presented.
    float slideUnit = 0;
    float smallWords = 1;  ///< how much larger than usual

    void restyle(const AppState& state, float displayScale) {
        const ImVec2 screen = ImGui::GetIO().DisplaySize;
        // A lesson says little at a time: a large window has room for larger letters.
        const float lesson =
            state.view.mode == Mode::learn ? lessonScaleFor(screen, displayScale) : 1;
        float scale =
            std::min(displayScale * state.view.textScale * lesson, largestScaleFor(screen));
        float unit = 0;
        if (state.view.mode == Mode::present) {
            unit = figure::unitOf({static_cast<int>(screen.x), static_cast<int>(screen.y)});
            // A note has its line in the slide's margin.
            scale = std::min(scale, marginShare * std::min(screen.x, screen.y) / noteLine);
        }
        // From the last row its small words are to be read, too.
        const float small = state.view.mode == Mode::learn && isForProjector(state) ? 1.15F : 1.0F;
        const bool rescaled =
            !styled || scale != look.scale || unit != slideUnit || small != smallWords;
        if (!rescaled && theme == state.view.theme) return;
        if (rescaled) {
            look.scale = scale;
            look.display = displayScale;
            slideUnit = unit;
            smallWords = small;
            look.fonts = loadFonts(scale, small, unit);
            if (styled) renewFontTexture();
        }
        theme = state.view.theme;
        look.colors = colorsOf(theme);
        applyTheme(look);
        styled = true;
    }
};

Ui::Ui() : parts_(std::make_unique<Parts>()) {}
Ui::~Ui() = default;

bool Ui::typing() const {
    return textFieldIsActive() ||
           ImGui::IsPopupOpen("", ImGuiPopupFlags_AnyPopupId | ImGuiPopupFlags_AnyPopupLevel);
}

TabOrder& Ui::order() {
    return parts_->order;
}

bool Ui::complete() const {
    return parts_->canvas.complete();
}

bool Ui::prepareNext() {
    return parts_->canvas.prepareNext();
}

Commands Ui::draw(const AppState& state, float displayScale) {
    Parts& parts = *parts_;
    parts.restyle(state, displayScale);
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    parts.canvas.beginFrame(programsAFrame_);
    rects_.clear();
    const Look& look = parts.look;
    parts.order.beginFrame();
    Commands commands;
    const UiContext ui{look, state, rects_, parts.order, commands};

    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize(screen);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowRounding, 0);
    ImGui::Begin("Warplens", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoBringToFrontOnFocus | ImGuiWindowFlags_NoScrollWithMouse);
    ImGui::PopStyleVar(2);
    Backgrounds backgrounds(look.colors.background, look.colors.panel);
    const Cards cards{ui, backgrounds};

    const float gap = look.px(10);
    const float top = look.px(58);
    const float status = look.px(30);
    // A person's own file in the middle, with what its warps do; a narrow window has no map.
    const auto ownFile = [&] {
        cards.topBar(top, 12, [&] { drawProgramBar(ui); });
        const float y = top + gap;
        const float bottom = screen.y - std::max(gap, noticesHeight(ui));
        const auto [narrow, low] = programRoom(look);
        // In large letters code needs more of the window than what stands beside it.
        const bool large = state.view.textScale > 1.2F;
        const float left = std::floor(
            std::min(look.px(large && !narrow ? 240 : 330), screen.x * (narrow ? 0.34F : 0.22F)));
        const float right =
            narrow ? -gap : std::floor(std::min(look.px(large ? 390 : 520), screen.x * 0.29F));
        const float centre = screen.x - left - right - 4 * gap;
        // There remedies that are found move nothing.
        const float said =
            narrow ? std::floor(
                         (bottom - y) *
                         (large ? 0.58F : std::clamp(parts.remedyEnds / (bottom - y), 0.45F, 0.7F)))
                   : -gap;
        cards.card("launches", {gap, y}, {left, bottom - y - said - gap}, true,
                   [&] { drawProgramLaunches(ui, parts.typed); });
        const bool steps = chosenLaunch(state.program) != nullptr;
        // Who types in a small window needs its lines, not the steps.
        const bool types = (narrow || low) && state.program.editor.open;
        const float warp =
            steps && !types ? std::floor(std::min(look.px(290), (bottom - y) * 0.42F)) : -gap;
        const auto picture = [&] {
            if (state.view.picture == PictureKind::slots) return drawSmPanel(ui, parts.typed);
            drawMappingPanel(ui, parts.canvas);
        };
        // Where there is no room for a picture it takes the source's place, one that needs more
        // height than the map that of the steps, too.
        const bool pictured =
            (narrow || low) && steps && state.program.pictured && !state.program.editor.open;
        const bool tall =
            state.view.picture == PictureKind::slots || state.view.picture == PictureKind::block3d;
        const float below = pictured && tall ? -gap : warp;
        const ImVec2 middle{left + 2 * gap, y};
        const ImVec2 inMiddle{centre, bottom - y - below - gap};
        if (pictured) {
            cards.card(state.view.picture == PictureKind::slots ? "sm" : "mapping", middle,
                       inMiddle, false, picture);
        } else {
            cards.card("source", middle, inMiddle, false, [&] {
                parts.editor.open &= state.program.editor.open;
                return state.program.editor.open ? drawProgramEditor(ui, parts.editor)
                                                 : drawProgramSource(ui);
            });
        }
        const ImVec2 at = narrow ? ImVec2(gap, bottom - said) : ImVec2(screen.x - right - gap, y);
        // A remedy is seen whole as far as the picture below it stays one: of a map, a block's
        // rows.
        const bool slots = state.view.picture == PictureKind::slots;
        const float most = std::max(0.0F, bottom - y - look.px(slots ? 190 : 260));
        const float line =
            std::max((bottom - y) * (slots ? 0.45F : 0.62F), std::min(parts.remedyEnds, most));
        const ImVec2 size =
            narrow ? ImVec2(left, said) : ImVec2(right, low ? bottom - y : std::floor(line));
        cards.card("line", at, size, true, [&] {
            const std::tuple place{state.program.launch.value_or(0), state.program.line,
                                   state.program.remedy};
            if (std::exchange(parts.lineSaid, place) != place) ImGui::SetScrollY(0);
            parts.remedyEnds = drawProgramLine(ui);
        });
        // Behind what is said of the line, whose remedies are the next that Tab comes to.
        if (below > 0) {
            cards.card("warp", {middle.x, bottom - warp}, {centre, warp}, false,
                       [&] { drawWarpPanel(ui); });
        }
        if (narrow || low || !steps) return;
        const ImVec2 under{at.x, at.y + size.y + gap};
        cards.card(slots ? "sm" : "mapping", under, {right, bottom - under.y}, slots, picture);
    };
    const auto explore = [&] {
        cards.topBar(top, 12, [&] { drawTopBar(ui, parts.scenarios); });

        // A small window keeps the launch and its map, readable, and leaves out what is beside
        // them. One that is not much wider has the numbers below the launch: the picture needs the
        // room.
        const bool narrow = screen.x < look.px(800);
        const bool stacked = !narrow && screen.x < look.px(1000);
        const float left = std::floor(narrow    ? std::min(look.px(248), screen.x * 0.45F)
                                      : stacked ? look.px(276)
                                                : std::min(look.px(350), screen.x * 0.25F));
        const float right =
            narrow || stacked ? -gap : std::floor(std::min(look.px(490), screen.x * 0.33F));
        const float centre = screen.x - left - right - 4 * gap;
        const float bottom = screen.y - status;
        const float y = top + gap;
        // A plot does not fit there: it has the picture's room until the numbers are asked for.
        const bool plotted = (narrow || stacked) && state.view.tab != RightTab::measured;
        const float share =
            comparedNow(state) ? 0.68F : 0.48F;  // of what is compared, rows are seen
        const float numbers = stacked && !plotted ? std::floor((bottom - y) * share) : -gap;
        cards.card("launch", {gap, y}, {left, bottom - y - numbers - gap}, true,
                   [&] { drawLaunchPanel(ui, parts.typed); });
        if (plotted) {
            cards.card("measured", {left + 2 * gap, y}, {centre, bottom - y}, true,
                       [&] { drawRightColumn(ui, parts.typed); });
        } else if (!narrow) {
            const ImVec2 at =
                stacked ? ImVec2(gap, bottom - numbers) : ImVec2(screen.x - right - gap, y);
            const ImVec2 size = stacked ? ImVec2(left, numbers) : ImVec2(right, bottom - y);
            cards.card("measured", at, size, false, [&] { drawRightColumn(ui, parts.typed); });
        }
        // Cubes, an SM's slots and the time need more height than a map, and say less of one warp.
        const bool tall = state.view.picture != PictureKind::threads;
        const bool low = bottom - y < look.px(tall ? 560 : 330);
        const float warp =
            low ? -gap : std::min(look.px(290), (bottom - y) * (stacked ? 0.43F : 0.38F));
        const auto picture = [&] {
            switch (state.view.picture) {
                case PictureKind::slots:
                    return drawSmPanel(ui, parts.typed);
                case PictureKind::times:
                    return drawTimePanel(ui);
                default:
                    break;
            }
            return drawMappingPanel(ui, parts.canvas);
        };
        if (!plotted) {
            cards.card("mapping", {left + 2 * gap, y}, {centre, bottom - y - warp - gap}, false,
                       picture);
        }
        if (!plotted && !low) {
            cards.card("warp", {left + 2 * gap, bottom - warp}, {centre, warp}, false,
                       [&] { drawWarpPanel(ui); });
        }
        ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(look.px(18), look.px(6)));
        cards.panel("status", {0, screen.y - status}, {screen.x, status}, false,
                    [&] { drawStatusBar(ui, narrow); });
        ImGui::PopStyleVar();
    };
    if (state.view.mode != Mode::learn) parts.learn.asked.clear();
    const bool tooSmall = screen.x < leastWindow.x || screen.y < leastWindow.y;
    if (tooSmall) {
        backgrounds.add({0, 0}, screen, 0);
        drawTooSmall(ui, screen);
    } else if (state.view.mode == Mode::learn) {
        drawLearnScreen(ui, parts.canvas, backgrounds, parts.learn);
    } else if (state.view.mode == Mode::present) {
        drawPresentScreen(ui, backgrounds);
    } else if (state.program.isOpen()) {
        ownFile();
    } else {
        explore();
    }
    ImGui::End();
    if (!tooSmall) {
        if (!state.present.black) drawNotices(ui);
        if (state.view.mode != Mode::present) drawWelcome(ui);
        drawHelp(ui);
        drawProgramField(ui, parts.programField);
        drawPalette(ui, parts.palette);
        drawFigureWindow(ui, parts.figureWindow);
    }
    if (std::exchange(parts.launchTyped, state.launchTyped) != state.launchTyped) {
        parts.order.moveTo(showsProgram(state) ? "program.wish." : "block.x");
    }
    parts.order.endFrame(packed(look.colors.accent), look.snap(2));

    ImGui::Render();
    backgrounds.clear();
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    return commands;
}

}  // namespace warplens::window
