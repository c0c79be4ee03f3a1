
#include "app/window/panels/imgui_compat.h"
#include "app/window/panels/widgets.h"

namespace warplens::window {

void TabOrder::beginFrame() {
    stops_.clear();
    only_ = nullptr;
    keepKeysFromImGui();
    if (typed_ != 0 && ImGui::GetActiveID() == typed_) {
        ImGui::GetIO().AddInputCharacter(static_cast<unsigned>(std::exchange(digit_, 0)));
        typed_ = 0;
    }
}

void TabOrder::move(int steps) {
    const bool taken = steps == 1 && tabTaker_ != 0 && ImGui::GetActiveID() == tabTaker_;
    if (taken) {
        tabbed_ = true;
    } else {
        steps_ += steps;
    }
}

bool TabOrder::takesTab(ImGuiID field) {
    tabTaker_ = field;
    return std::exchange(tabbed_, false) && ImGui::GetActiveID() == field;
}

bool TabOrder::type(int digit) {
    ImGuiContext& context = *ImGui::GetCurrentContext();
    if (!focusIsShown() || context.ActiveId != 0) return false;
    const auto stop = std::ranges::find(stops_, context.NavId, &Stop::id);
    if (stop == stops_.end() || !stop->takesText) return false;
    focus(*stop);
    typed_ = stop->id;
    digit_ = static_cast<char>(digit);
    return true;
}

void TabOrder::add(std::string_view name) {
    const ImGuiID id = ImGui::GetItemID();
    const ImGuiItemFlags flags = ImGui::GetItemFlags();
    if (id == 0 || (flags & ImGuiItemFlags_Disabled) != 0) return;
    if (std::ranges::find(stops_, id, &Stop::id) != stops_.end()) return;
    stops_.push_back({std::string(name), id, ImGui::GetCurrentWindow(), ImGui::GetItemRectMin(),
                      ImGui::GetItemRectMax(), (flags & ImGuiItemFlags_Inputable) != 0});
}

void TabOrder::keepToThisWindow() {
    only_ = ImGui::GetCurrentWindow()->RootWindow;
}

bool TabOrder::isReachable(const Stop& stop) const {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    if (!context.OpenPopupStack.empty() && context.OpenPopupStack.back().Window != nullptr) {
        return stop.window->RootWindow == context.OpenPopupStack.back().Window;
    }
    return only_ == nullptr || stop.window->RootWindow == only_;
}

void TabOrder::go() {
    ImGuiContext& context = *ImGui::GetCurrentContext();
    std::vector<const Stop*> reachable;
    for (const Stop& stop : stops_) {
        if (isReachable(stop)) reachable.push_back(&stop);
    }
    if (reachable.empty()) return;
    if (!wanted_.empty()) {
        const std::string wanted = std::exchange(wanted_, {});
        const auto first = std::ranges::find_if(
            reachable, [&](const Stop* stop) { return stop->name.starts_with(wanted); });
        if (first != reachable.end()) focus(**first);
        return;
    }
    const auto count = static_cast<std::ptrdiff_t>(reachable.size());
    const auto now = std::ranges::find(reachable, context.NavId, &Stop::id) - reachable.begin();
    // From nowhere to the first, or the last.
    const std::ptrdiff_t from = now < count ? now : steps_ > 0 ? -1 : 0;
    focus(*reachable[static_cast<std::size_t>(((from + steps_) % count + count) % count)]);
}

void TabOrder::focus(const Stop& stop) {
    ImGuiContext& context = *ImGui::GetCurrentContext();
    if (context.ActiveId != 0) ImGui::ClearActiveID();
    const ImRect rect(stop.from, stop.to);
    ImGui::SetFocusID(stop.id, stop.window);
    stop.window->NavRectRel[context.NavLayer] = ImGui::WindowRectAbsToRel(stop.window, rect);
    ImGui::ScrollToRect(stop.window, rect);
    showFocus();
    if (!stop.takesText) return;
    context.NavNextActivateId = stop.id;
    context.NavNextActivateFlags = ImGuiActivateFlags_PreferInput;
}

void TabOrder::press() {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    if (!focusIsShown() || context.ActiveId != 0 || !enterPressesNothing) return;
    const auto stop = std::ranges::find(stops_, context.NavId, &Stop::id);
    if (stop != stops_.end() && !stop->takesText) activateItem(stop->id);
}

void TabOrder::endFrame(ImU32 color, float width) {
    if (steps_ != 0 || !wanted_.empty()) go();
    steps_ = 0;
    // Arrows choose its blocks.
    if (focused() == "map") ImGui::NavMoveRequestCancel();
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    if (!focusIsShown() || context.NavId == 0 || !context.NavIdIsAlive) return;
    ImGuiWindow* const window = context.NavWindow;
    ImRect rect = ImGui::WindowRectRelToAbs(window, window->NavRectRel[context.NavLayer]);
    rect.Expand(width);
    ImRect seen = window->OuterRectClipped;
    seen.Expand(width);
    ImDrawList& list = *ImGui::GetForegroundDrawList();
    list.PushClipRect(seen.Min, seen.Max);
    list.AddRect(rect.Min, rect.Max, color, 2 * width, 0, width);
    list.PopClipRect();
}

std::string_view TabOrder::focused() const {
    const ImGuiContext& context = *ImGui::GetCurrentContext();
    if (!focusIsShown()) return {};
    const auto stop = std::ranges::find(stops_, context.NavId, &Stop::id);
    return stop == stops_.end() ? std::string_view() : std::string_view(stop->name);
}

}  // namespace warplens::window
