#include <cstring>

#include "app/figure/page.h"
#include "app/window/figure_job.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"

namespace warplens::window {
namespace {

constexpr const char* figureName = "figure window";

struct PaperSize final {
    const char* words;
    int width;
    int height;
};
constexpr std::array paperSizes{PaperSize{"1280 x 720, a slide of 16:9", 1280, 720},
                                PaperSize{"1920 x 1080, a larger one", 1920, 1080},
                                PaperSize{"1024 x 768, a slide of 4:3", 1024, 768},
                                PaperSize{"800 x 600, half a page", 800, 600}};

/// The slide as large as it fits, and its size where it is not there yet.
void drawPreview(const UiContext& ui, ImVec2 room) {
    const FigurePaper& paper = ui.state.figure.choice.paper;
    const float unit = std::min(room.x / static_cast<float>(paper.width),
                                room.y / static_cast<float>(paper.height));
    const ImVec2 size{unit * static_cast<float>(paper.width),
                      unit * static_cast<float>(paper.height)};
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 end{at.x + size.x, at.y + size.y};
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::shared_ptr<const Slide>& slide = ui.state.figure.preview;
    const bool isOfPaper =
        slide != nullptr && slide->width == paper.width && slide->height == paper.height;
    list.AddRectFilled(at, end, packed(isOfPaper ? slide->background : ui.colors.raised));
    if (isOfPaper) {
        drawing::Items items = slide->items;
        figure::enlarge(items, unit);
        figure::move(items, {at.x, at.y});
        figure::snapFills(items);
        list.PushClipRect(at, end, true);
        paint(list, ui.fonts, items);
        list.PopClipRect();
    }
    list.AddRect(at, end, packed(ui.colors.border));
    ui.markPicture("figure.preview", at, end);
    ImGui::Dummy(size);
}

/// What is proposed stands in it until somebody types another name.
void drawNameField(const UiContext& ui, FigurePaper& paper) {
    const std::string proposed = proposedName(figureOf(ui.state, ui.state.figure.choice));
    const std::string& shown = paper.name.empty() ? proposed : paper.name;
    std::array<char, longestFigureName + 1> name{};
    std::memcpy(name.data(), shown.data(), std::min(shown.size(), longestFigureName));
    ImGui::SetNextItemWidth(-1);
    if (ImGui::InputTextWithHint("##name", "name of the files", name.data(), name.size())) {
        paper.name = name.data() == proposed ? "" : name.data();
    }
    ui.mark("figure.name");
}

/// A text of the paper; the hint says what stands there without one.
template <std::size_t longest>
void drawTextField(const UiContext& ui, const std::string& mark, const std::string& hint,
                   std::string& text) {
    std::array<char, longest + 1> typed{};
    std::memcpy(typed.data(), text.data(), std::min(text.size(), longest));
    ImGui::SetNextItemWidth(-1);
    if (ImGui::InputTextWithHint(("##" + mark).c_str(), hint.c_str(), typed.data(), typed.size()))
        text = typed.data();
    ui.mark("figure." + mark);
}

/// Below the slide: its title and a sentence, its own words as hints.
void drawWords(const UiContext& ui) {
    FigureChoice choice = ui.state.figure.choice;
    const bool ofScenario =
        !showsProgram(ui.state) && (choice.of == FigureOf::shown || choice.of == FigureOf::source);
    const Scenario& scenario = scenarioNamed(ui.state.view.experiment.scenario);
    drawTextField<longestFigureName>(
        ui, "title", ofScenario ? std::string(scenario.title) : "a title of your own",
        choice.paper.title);
    drawTextField<longestFigureName>(ui, "caption",
                                     ofScenario && !scenario.lookFor.empty()
                                         ? std::string(scenario.lookFor)
                                         : "a sentence below the picture",
                                     choice.paper.caption);
    if (choice != ui.state.figure.choice) ui.issue(ChooseFigure{choice});
}

/// What a figure of the launch is of: the map and the memory below it make one picture.
const char* nameOfShown(const AppState& state) {
    if (stepIsChosen(state)) return "The step on the screen";
    const bool isMap = state.view.picture == PictureKind::threads &&
                       state.view.below != LowerTab::source && !showsProgram(state);
    return isMap ? "The launch at a glance" : "What is on the screen";
}

void drawChoices(const UiContext& ui) {
    FigureChoice choice = ui.state.figure.choice;
    const FigureChoice before = choice;
    heading(ui, "Picture");
    const std::array names{nameOfShown(ui.state), "A against B", "The source", "The sweep",
                           "The roofline"};
    constexpr std::array marks{"shown", "pair", "source", "sweep", "roofline"};
    for (std::size_t i = 0; i < names.size(); ++i) {
        const auto of = static_cast<FigureOf>(i);
        if (!canDraw(ui.state, of)) continue;
        if (ImGui::RadioButton(names.at(i), choice.of == of)) choice.of = of;
        ui.mark(std::string("figure.of.") + marks.at(i));
    }
    space(ui, 8);
    heading(ui, "Size");
    for (const PaperSize& size : paperSizes) {
        const bool chosen = choice.paper.width == size.width && choice.paper.height == size.height;
        if (ImGui::RadioButton(size.words, chosen)) {
            choice.paper.width = size.width;
            choice.paper.height = size.height;
        }
        ui.mark("figure.size." + std::to_string(size.width));
    }
    space(ui, 8);
    heading(ui, "Colours");
    for (const Theme theme : {Theme::light, Theme::dark, Theme::print}) {
        const std::string word(toString(theme));
        if (theme != Theme::light) ImGui::SameLine();
        if (ImGui::RadioButton(word.c_str(), choice.paper.theme == theme)) {
            choice.paper.theme = theme;
        }
        ui.mark("figure.theme." + word);
    }
    space(ui, 8);
    heading(ui, "Files");
    ImGui::Checkbox("PDF", &choice.paper.pdf);
    ui.mark("figure.pdf");
    ImGui::SameLine();
    ImGui::Checkbox("SVG", &choice.paper.svg);
    ui.mark("figure.svg");
    ImGui::SameLine();
    ImGui::Checkbox("PNG", &choice.paper.png);
    ui.mark("figure.png");
    drawNameField(ui, choice.paper);
    static const std::string usual = "in " + picturesFolder().string();
    drawTextField<longestFolder>(ui, "folder", usual, choice.paper.folder);
    if (const std::string& problem = ui.state.figure.problem; !problem.empty()) {
        space(ui, 4);
        window::wrapped(ui.fonts.small, ui.colors.warning, problem);
    }
    if (choice != before) ui.issue(ChooseFigure{choice});
}

/// Below the slide, in reach however long the choices are.
void drawSaving(const UiContext& ui) {
    const FigurePaper& paper = ui.state.figure.choice.paper;
    commandButton(ui, "Save", "figure.save", DrawFigure{FigureTarget::files}, "",
                  {.enabled = paper.pdf || paper.svg || paper.png, .primary = true});
    ImGui::SameLine(0, ui.px(8));
    commandButton(ui, "Cancel", "figure.cancel", OpenFigure{false});
    // Dear ImGui's own first Esc only takes the focus from a button.
    if (escapeIsDown() && !ImGui::IsAnyItemActive()) ui.issue(OpenFigure{false});
}

}  // namespace

void drawFigureWindow(const UiContext& ui, bool& wasOpen) {
    const bool appears = ui.state.figure.open && !wasOpen;
    wasOpen = ui.state.figure.open;
    if (appears) ImGui::OpenPopup(figureName);
    if (!wasOpen && !ImGui::IsPopupOpen(figureName)) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const ImVec2 size{std::min(ui.px(1120), screen.x * 0.96F),
                      std::min(ui.px(660), screen.y * 0.94F)};
    ImGui::SetNextWindowPos({screen.x / 2, screen.y / 2}, ImGuiCond_Always, {0.5F, 0.5F});
    ImGui::SetNextWindowSize(size);
    if (ImGui::BeginPopup(figureName)) {
        if (!ui.state.figure.open) {
            ImGui::CloseCurrentPopup();
        } else {
            const float choices = std::min(ui.px(330), size.x * 0.45F);
            const ImVec2 room{ImGui::GetContentRegionAvail().x - choices - ui.px(16),
                              ImGui::GetContentRegionAvail().y};
            beginPanel("figure preview", room, ImGuiWindowFlags_NoBackground);
            const ImVec2 slide = ImGui::GetContentRegionAvail();
            drawPreview(ui, {slide.x, slide.y - 3 * ImGui::GetFrameHeight() - ui.px(34)});
            drawWords(ui);
            drawSaving(ui);
            ImGui::EndChild();
            ImGui::SameLine(0, ui.px(16));
            beginPanel("figure choices", {0, 0}, ImGuiWindowFlags_NoBackground);
            drawChoices(ui);
            ImGui::EndChild();
        }
        ImGui::EndPopup();
    } else if (!appears && ui.state.figure.open) {
        // A click beside it, or Esc.
        ui.issue(OpenFigure{false});
    }
}

}  // namespace warplens::window
