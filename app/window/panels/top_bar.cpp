#include <cfloat>

#include "app/window/panels/panels.h"
#include "app/window/state/editing.h"

namespace warplens::window {
namespace {

/// The list with a field that finds in it, what is called so first: Enter takes the first.
void scenarioList(const UiContext& ui, const Scenario& chosen, std::string& filter) {
    if (ImGui::IsWindowAppearing()) {
        filter.clear();
        ImGui::SetKeyboardFocusHere();
    }
    const bool entered = filterField(ui, filter, "scenario.find", "find");
    const auto choose = [&](const Scenario& scenario) {
        ui.issue(ChooseScenario{std::string(scenario.id)});
        ImGui::CloseCurrentPopup();
    };
    std::vector<std::pair<int, const Scenario*>> found;
    for (const Scenario& scenario : allScenarios()) {
        const auto score =
            namedScore(filter, std::string(scenario.title),
                       std::string(scenario.id) + ' ' + std::string(groupTitle(scenario.group)));
        if (score) found.emplace_back(*score, &scenario);
    }
    std::ranges::stable_sort(found, std::ranges::greater{}, &decltype(found)::value_type::first);
    if (entered && !found.empty()) choose(*found.front().second);
    char group = 0;
    for (const auto& [score, each] : found) {
        const Scenario& scenario = *each;
        if (filter.empty() && scenario.group != group) {
            if (group != 0) space(ui, 8);
            group = scenario.group;
            text(ui.fonts.small, ui.colors.faint, groupTitle(group));
        }
        const std::string label = std::string(scenario.title) + "##" + std::string(scenario.id);
        if (ImGui::Selectable(label.c_str(), scenario.id == chosen.id)) choose(scenario);
        ui.mark("scenario." + std::string(scenario.id));
    }
    if (found.empty()) text(ui.fonts.body, ui.colors.muted, "nothing is called so");
}

void scenarioChoice(const UiContext& ui, float width, std::string& filter) {
    const Scenario& chosen = scenarioOf(ui.state);
    ImGui::SetNextItemWidth(width);
    const float arrow = ImGui::GetFrameHeight() + 2 * ImGui::GetStyle().FramePadding.x;
    const std::string title = fitted(ui.fonts.body, chosen.title, width - arrow);
    // Wide enough for the longest title, however little room the bar has.
    ImGui::SetNextWindowSizeConstraints({ui.px(330), 0}, {FLT_MAX, FLT_MAX});
    const bool open = ImGui::BeginCombo("##scenario", title.c_str(), ImGuiComboFlags_HeightLargest);
    ui.mark("scenario");
    if (!open) {
        tooltip(ui, "Scenario  " + keysOf(actionOf(Act::nextScenario)) + ", " +
                        keysOf(actionOf(Act::scenarioBefore)));
        return;
    }
    scenarioList(ui, chosen, filter);
    ImGui::EndCombo();
}

float barWidthOf(const UiContext& ui, const BarButton& one) {
    return one.before +
           buttonWidth(ui.fonts.body, one.label != nullptr ? one.label : actionOf(one.act).label);
}

}  // namespace

void drawBarButtons(const UiContext& ui, std::span<const BarButton> offered, float right) {
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    float at = ImGui::GetCursorPosX();
    float needed = at;
    for (const BarButton& one : offered) needed += barWidthOf(ui, one);
    const float room = right - (needed > right ? buttonWidth(ui.fonts.body, "More") + spacing : 0);
    std::size_t shown = 0;
    for (; shown < offered.size(); ++shown) {
        const BarButton& one = offered[shown];
        at += barWidthOf(ui, one);
        if (at > room) break;
        ImGui::SameLine(0, one.before);
        actButton(ui, one.act, one.chosen, one.label);
    }
    if (shown == offered.size()) return;
    ImGui::SameLine(0, spacing);
    if (plainButton(ui, "More")) ImGui::OpenPopup("more");
    ui.mark("more");
    tooltip(ui, "What the window has no room for");
    if (ImGui::BeginPopup("more")) {
        const std::size_t before = ui.commands.size();
        for (const BarButton& one : offered.subspan(shown)) {
            actButton(ui, one.act, one.chosen, one.label, {ui.px(150), 0});
        }
        if (ui.commands.size() > before) ImGui::CloseCurrentPopup();
        ImGui::EndPopup();
    }
}

void drawMeasureControls(const UiContext& ui) {
    if (const Running* run = running(ui.state)) {
        progressBar(ui, "progress", ui.px(ImGui::GetWindowWidth() < ui.px(900) ? 90 : 230),
                    static_cast<float>(run->fraction),
                    run->cancelled ? std::string("cancelling") : run->stage);
        ImGui::SameLine();
        commandButton(ui, "Cancel", "cancel", CancelMeasure{}, "", {.enabled = !run->cancelled});
        actTooltip(ui, Act::cancel);
        return;
    }
    commandButton(ui, "  Measure  ", "measure", Measure{},
                  ui.state.canMeasure
                      ? actWords(actionOf(Act::measure))
                      : "No worker here: measuring needs an NVIDIA GPU. Predictions and "
                        "recordings work without.",
                  {.enabled = mayMeasure(ui.state), .primary = true});
}

void drawTopBar(const UiContext& ui, std::string& filter) {
    const AppState& state = ui.state;
    const float gap = ui.px(18);
    const float spacing = ImGui::GetStyle().ItemSpacing.x;
    const auto widthOf = [&](const char* label) { return buttonWidth(ui.fonts.body, label); };
    const bool dark = state.view.theme == Theme::dark;
    const char* const theme = dark ? "Light" : "Dark";
    // Text size and help stay within reach; of the others those that there is room for.
    const bool roomy = ImGui::GetWindowWidth() >= ui.px(900);
    float right = roomy ? widthOf(theme) + spacing : 0;
    right += 3 * spacing;
    for (const char* label : {"Find", "A–", "A+", "?"}) right += widthOf(label);
    const float left = ImGui::GetWindowWidth() - ImGui::GetStyle().WindowPadding.x - right;
    const ImVec2 corner = ImGui::GetCursorPos();

    if (roomy) {
        const float lift = (ImGui::GetFrameHeight() - ui.fonts.title->FontSize) / 2;
        ImGui::SetCursorPosY(corner.y + lift);
        text(ui.fonts.title, ui.colors.text, "Warplens");
        ImGui::SameLine(0, gap);
        ImGui::SetCursorPosY(corner.y);
    }
    std::vector<BarButton> offered{{Act::lessons, gap, state.view.mode == Mode::learn, "Lesson"},
                                   {Act::lessonList, spacing},
                                   {Act::present, spacing},
                                   {Act::openFile, spacing},
                                   {Act::newProgram, spacing},
                                   {Act::pinA, gap, state.pinnedA.has_value()},
                                   {Act::pinB, spacing, state.pinnedB.has_value()}};
    for (const BarButton& more :
         {BarButton{Act::figure, gap}, BarButton{Act::swapAxes, spacing}, BarButton{Act::undo, gap},
          BarButton{Act::redo, spacing}, BarButton{Act::projector, gap, isForProjector(state)}}) {
        offered.push_back(more);
    }
    if (!roomy) offered.push_back({Act::theme, spacing, false, theme});
    // Beside those at the right end: no other button moves when it comes, the last ones give way.
    const std::string back = fitted(
        ui.fonts.body, "Back to " + std::filesystem::path(state.program.left).filename().string(),
        ui.px(200));
    const bool hasLeft = isPossible(state, actionOf(Act::backToFile));
    const bool leads = hasLeft && ImGui::GetWindowWidth() >= ui.px(1200);
    if (hasLeft && !leads) offered.push_back({Act::backToFile, gap, false, back.c_str()});
    const float end = left - (leads ? widthOf(back.c_str()) + spacing : 0);
    // Last: no other button moves when it comes.
    if (state.pinnedA || state.pinnedB) offered.push_back({Act::clearPins, spacing});
    const bool measures = state.canMeasure || running(state) != nullptr;
    // The scenario's name gives way to the first two buttons as long as it can be read, and is
    // whole where there is room.
    const bool tells = !measures && ImGui::GetWindowWidth() >= ui.px(1200);
    const float measure = buttonWidth(ui.fonts.strong, "  Measure  ") + gap;
    const float least = widthOf("More") + spacing + gap + (measures || tells ? measure : 0);
    const float all = left - ImGui::GetCursorPosX() - least;
    float beside = 0;
    for (std::size_t i = 0; i < 2; ++i) beside += barWidthOf(ui, offered[i]);
    const float readable = std::clamp(all, ui.px(60), ui.px(180));
    scenarioChoice(ui, std::clamp(all - beside, readable, ui.px(300)), filter);
    // Where nothing can be measured the button that says so comes last, and the rest gives way.
    if (measures) {
        ImGui::SameLine(0, gap);
        drawMeasureControls(ui);
    }
    ImGui::SameLine(0, 0);
    drawBarButtons(ui, offered, end - gap - (tells ? measure : 0));
    if (tells) {
        ImGui::SameLine(0, gap);
        drawMeasureControls(ui);
    }

    ImGui::SetCursorPos({std::max(end, corner.x), corner.y});
    if (leads) {
        actButton(ui, Act::backToFile, false, back.c_str());
        ImGui::SameLine();
    }
    actButton(ui, Act::palette, state.palette.open);
    ImGui::SameLine();
    if (roomy) {
        actButton(ui, Act::theme, false, theme);
        ImGui::SameLine();
    }
    actButton(ui, Act::smaller);
    ImGui::SameLine();
    actButton(ui, Act::larger);
    ImGui::SameLine();
    actButton(ui, Act::help, state.helpOpen);
}

namespace {

/// A slide has room for one small line in its margin.
bool isOverSlide(const UiContext& ui) {
    return ui.state.view.mode == Mode::present;
}
ImFont* messageFont(const UiContext& ui) {
    return isOverSlide(ui) ? ui.fonts.small : ui.fonts.body;
}

/// At most three lines of it, over a slide one.
std::string shownOf(const UiContext& ui, const Message& message, float width) {
    const float room = width - ui.px(130);
    const float most = heightInLines(messageFont(ui), isOverSlide(ui) ? "1" : "1\n2\n3", room);
    const auto fits = [&](const std::string& words) {
        return heightInLines(messageFont(ui), words, room) <= most;
    };
    if (fits(message.text)) return message.text;
    const std::string end =
        message.text.starts_with("Lesson not read") ? " … (`warplens check` says all)" : " …";
    std::string words = message.text;
    while (!words.empty() && !fits(words + end)) {
        const std::size_t blank = words.find_last_of(" \n");
        words.resize(blank == words.npos ? words.size() / 2 : blank);
    }
    return words + end;
}

/// Over and under the words.
float paddingOf(const UiContext& ui) {
    return ui.px(isOverSlide(ui) ? 2 : 10);
}

float messageHeight(const UiContext& ui, const Message& message, float width) {
    return heightInLines(messageFont(ui), shownOf(ui, message, width), width - ui.px(130)) +
           2 * paddingOf(ui);
}

float noticesWidth(const UiContext& ui) {
    const float most = ImGui::GetIO().DisplaySize.x * 0.9F;
    if (!isOverSlide(ui)) return std::min(ui.px(760), most);
    float widest = 0;
    for (const Message& message : ui.state.messages)
        widest = std::max(widest, measured(messageFont(ui), message.text).x);
    return std::min(std::ceil(widest) + ui.px(131), most);
}

void drawMessages(const UiContext& ui) {
    const Colors& c = ui.colors;
    const float width = ImGui::GetContentRegionAvail().x;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(ui.px(8), ui.px(8)));
    for (const Message& message : ui.state.messages) {
        const float height = messageHeight(ui, message, width);
        const auto strength = static_cast<float>(strengthOf(ui.state, message));
        ImGui::PushStyleVar(ImGuiStyleVar_Alpha, std::max(0.05F, strength));
        const Rgb color = message.kind == MessageKind::error     ? c.bad
                          : message.kind == MessageKind::warning ? c.warning
                                                                 : c.accent;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImDrawList& list = *ImGui::GetWindowDrawList();
        list.AddRectFilled(at, {at.x + width, at.y + height},
                           packed(mixed(c.panel, color, 0.16F), strength), ui.px(6));
        list.AddRectFilled(at, {at.x + ui.px(5), at.y + height}, packed(color, strength), ui.px(3));
        textInLines(&list, messageFont(ui), c.text, {at.x + ui.px(18), at.y + paddingOf(ui)},
                    shownOf(ui, message, width), width - ui.px(130), strength);
        ImGui::PushID(static_cast<int>(message.id));
        ImGui::SetCursorScreenPos({at.x + width - ui.px(100), at.y + paddingOf(ui)});
        ImGui::PushFont(messageFont(ui));
        if (ImGui::SmallButton("Dismiss")) ui.issue(DismissMessage{message.id});
        ImGui::PopFont();
        ui.mark("message." + std::to_string(message.id) + ".dismiss");
        if (ui.state.kernelsSaved &&
            message.text.find(" was saved: the course") != message.text.npos) {
            ImGui::SetCursorScreenPos(
                {at.x + width - ui.px(100), at.y + ui.px(14) + ui.fonts.body->FontSize});
            if (ImGui::SmallButton("Start again")) ui.issue(StartAgain{});
            ui.mark("message.again");
        }
        ImGui::PopID();
        ImGui::SetCursorScreenPos(at);
        ImGui::Dummy({width, height});
        ImGui::PopStyleVar();
    }
    ImGui::PopStyleVar();
}

}  // namespace

float noticesHeight(const UiContext& ui) {
    float height = 0;
    for (const Message& message : ui.state.messages) {
        height += messageHeight(ui, message, noticesWidth(ui)) + ui.px(8);
    }
    return height;
}

void drawNotices(const UiContext& ui) {
    if (ui.state.messages.empty()) return;
    const ImVec2 screen = ImGui::GetIO().DisplaySize;
    const float width = noticesWidth(ui);
    const float height = noticesHeight(ui);
    // Over the status bar, so that no picture is covered by a line; a lesson leaves them room, and
    // a slide the corner of its margin at which no line of sources begins.
    const bool presents = isOverSlide(ui);
    ImGui::SetNextWindowPos({std::floor((screen.x - width) / (presents ? 1.0F : 2.0F)),
                             std::floor(screen.y - height + (presents ? ui.px(8) : 0))});
    ImGui::SetNextWindowSize({width, height});
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::PushStyleVar(ImGuiStyleVar_WindowBorderSize, 0);
    ImGui::Begin("Notices", nullptr,
                 ImGuiWindowFlags_NoDecoration | ImGuiWindowFlags_NoMove |
                     ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoSavedSettings |
                     ImGuiWindowFlags_NoFocusOnAppearing);
    ImGui::PopStyleVar(2);
    drawMessages(ui);
    ImGui::End();
}

}  // namespace warplens::window
