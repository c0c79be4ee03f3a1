#include "app/window/panels/number_fields.h"

#include <charconv>

#include "app/window/panels/imgui_compat.h"

namespace warplens::window {
namespace {

bool named(const std::vector<LimitViolation>& violations, std::string_view name) {
    return std::ranges::find(violations, name, &LimitViolation::name) != violations.end();
}

/// The arrow keys make the number one more, or one less.
int stepByArrows(ImGuiInputTextCallbackData* data) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(data->Buf, data->Buf + data->BufTextLen, value);
    if (error != std::errc{} || end != data->Buf + data->BufTextLen) return 0;
    const std::string text = std::to_string(
        std::max<std::int64_t>(value + (data->EventKey == ImGuiKey_UpArrow ? 1 : -1), 0));
    data->DeleteChars(0, data->BufTextLen);
    data->InsertChars(0, text.c_str());
    data->SelectAll();
    return 0;
}

}  // namespace

std::optional<std::string> completedText(TypedText& typed, const std::string& field,
                                         const std::string& now, const char* hint,
                                         ImGuiInputTextFlags flags) {
    const auto kept = typed.find(field);
    std::string words = kept == typed.end() ? now : kept->second;
    ImGui::PushID(field.c_str());
    ImGui::InputTextWithHint("##text", hint, &words, flags);
    ImGui::PopID();
    if (kept != typed.end() && words != now && !ImGui::IsItemActive()) hideFocusOfItem();
    if (ImGui::IsItemActive()) {
        typed.insert_or_assign(field, std::move(words));
        return std::nullopt;
    }
    if (kept == typed.end()) return std::nullopt;
    typed.erase(kept);
    return escapeIsDown() || words == now ? std::nullopt : std::optional(std::move(words));
}

void NumberFields::enter(const std::string& field, std::string words, bool finished) const {
    commands.push_back(EnterNumber{field, std::move(words)});
    if (finished) commands.push_back(FinishEdit{});
}

void NumberFields::text(const std::string& field, std::int64_t value, std::int64_t most) const {
    if (const auto kept = typed.find(field); kept != typed.end()) {
        // Goes on with the text that DragScalar began: the same item, but with every character.
        ImGui::InputText("##value", &kept->second,
                         ImGuiInputTextFlags_AutoSelectAll | ImGuiInputTextFlags_CallbackHistory,
                         stepByArrows);
        if (ImGui::IsItemActive()) return;
        if (kept->second != std::to_string(value)) hideFocusOfItem();
        if (!escapeIsDown()) enter(field, kept->second, true);
        typed.erase(kept);
        return;
    }
    const auto unread = edit.unread.find(field);
    std::string format = "%lld";
    if (unread != edit.unread.end()) {
        format.clear();
        for (const char c : unread->second) format += c == '%' ? "%%" : std::string(1, c);
    }
    const std::int64_t before = value;
    const std::int64_t least = 0;
    const float speed = std::max(0.1F, static_cast<float>(value) * 0.004F);
    ImGui::DragScalar("##value", ImGuiDataType_S64, &value, speed, &least, &most, format.c_str());
    if (itemTakesText()) {
        typed[field] = unread == edit.unread.end() ? std::to_string(before) : unread->second;
    } else if (value != before) {
        enter(field, std::to_string(value), false);
    }
    if (ImGui::IsItemDeactivatedAfterEdit()) commands.push_back(FinishEdit{});
}

void NumberFields::number(const std::string& field, std::int64_t value, std::int64_t most,
                          float width) const {
    // `block x` is the widget `block.x` to the tests, `n` is `argument.n`.
    std::string mark = field;
    std::ranges::replace(mark, ' ', '.');
    if (mark == field) mark = "argument." + field;
    const float side = ImGui::GetFrameHeight();
    const float gap = ui.px(3);
    ImGui::PushID(field.c_str());
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding,
                        ImVec2(ui.px(3), ImGui::GetStyle().FramePadding.y));
    const auto step = [&](const char* label, const char* name, std::int64_t by) {
        ImGui::PushButtonRepeat(true);
        if (ImGui::Button(label, {side * 0.8F, side})) {
            enter(field, std::to_string(std::clamp<std::int64_t>(value + by, 0, most)), true);
        }
        ImGui::PopButtonRepeat();
        // The keyboard steps in the field itself.
        ui.markPicture(mark + name, ImGui::GetItemRectMin(), ImGui::GetItemRectMax());
    };
    // Where there is not room for both, the number itself goes before the buttons beside it.
    const float buttons = 2 * (side * 0.8F + gap);
    const float needed = measured(ui.fonts.number, std::to_string(value)).x + ui.px(6);
    const bool stepped = width - buttons >= needed;
    if (stepped) {
        step("–", ".minus", -1);
        ImGui::SameLine(0, gap);
    }
    ImGui::SetNextItemWidth(stepped ? width - buttons : width);
    ImGui::PushFont(ui.fonts.number);
    const bool wrong = named(violations, field);
    if (wrong) {
        ImGui::PushStyleColor(ImGuiCol_FrameBg,
                              packed(mixed(ui.colors.raised, ui.colors.bad, 0.30F)));
    }
    text(field, value, most);
    if (wrong) ImGui::PopStyleColor();
    ui.mark(mark);
    ImGui::PopFont();
    if (stepped) {
        ImGui::SameLine(0, gap);
        step("+", ".plus", 1);
    }
    ImGui::PopStyleVar();
    ImGui::PopID();
}

void NumberFields::extents(const std::string& name, Extents extents, float width) const {
    ImGui::BeginGroup();
    window::text(ui.fonts.small, ui.colors.muted, name);
    const std::array<std::pair<const char*, std::uint32_t>, 3> axes{
        {{"x", extents.x}, {"y", extents.y}, {"z", extents.z}}};
    const float label = ui.px(16);
    for (const auto& [axis, value] : axes) {
        const float left = ImGui::GetCursorPosX();
        ImGui::AlignTextToFramePadding();
        window::text(ui.fonts.body, ui.colors.muted, axis);
        ImGui::SameLine();
        ImGui::SetCursorPosX(left + label);
        number(name + " " + axis, value, UINT32_MAX, width - label);
    }
    ImGui::EndGroup();
}

std::string actWords(const Action& action) {
    const std::string keys = keysOf(action);
    return std::string(action.does) + (keys.empty() ? "" : "  " + keys);
}

void actTooltip(const UiContext& ui, Act act) {
    tooltip(ui, actWords(actionOf(act)));
}

void actButton(const UiContext& ui, Act act, bool chosen, const char* label, ImVec2 size) {
    actButton(ui, actionOf(act), chosen, label, size);
}

void actButton(const UiContext& ui, const Action& action, bool chosen, const char* label,
               ImVec2 size) {
    const std::string words = (label != nullptr ? std::string(label) : std::string(action.label)) +
                              "##" + std::string(action.name);
    if (plainButton(ui, words.c_str(), isPossible(ui.state, action), chosen, size)) {
        ui.issue(action.command(ui.state));
    }
    ui.mark(action.name);
    tooltip(ui, actWords(action));
}

}  // namespace warplens::window
