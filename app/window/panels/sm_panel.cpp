#include <charconv>
#include <cmath>

#include "app/drawing/occupancy_slots.h"
#include "app/window/panels/items_painter.h"
#include "app/window/panels/map_panel.h"
#include "app/window/panels/panels.h"
#include "app/window/state/actions.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

constexpr const char* registersField = "sm registers";
constexpr const char* sharedField = "sm shared";

void chooseCapability(const UiContext& ui, const AppState& state, const SmLimits& now,
                      Commands& commands) {
    const auto ask = [&](std::optional<ComputeCapability> capability) {
        commands.emplace_back(Show{.capability = capability});
    };
    const bool open = ImGui::BeginCombo("##capability", toString(now.capability).c_str());
    ui.mark("sm.capability");
    tooltip(ui, "Compute capability of the SM. " + std::string(now.source));
    if (!open) return;
    if (ImGui::Selectable("as measured", !state.view.capability)) ask({});
    ui.mark("sm.capability.measured");
    for (const SmLimits& limits : allSmLimits()) {
        const std::string name = toString(limits.capability);
        const bool chosen = limits.capability == now.capability;
        if (ImGui::Selectable(name.c_str(), chosen)) ask(limits.capability);
        if (chosen && ImGui::IsWindowAppearing()) ImGui::SetScrollHereY();
        ui.mark("sm.capability." + name);
    }
    ImGui::EndCombo();
}

/// What was entered in the number fields, as changes of the view; the rest goes on.
void takeEntries(const AppState& state, const Commands& entered, Commands& commands) {
    for (const Command& command : entered) {
        const auto* entry = command.as<EnterNumber>();
        if (entry == nullptr) continue;
        std::uint32_t value = 0;
        const char* const end = entry->text.data() + entry->text.size();
        const auto [next, error] = std::from_chars(entry->text.data(), end, value);
        if (error != std::errc{} || next != end) continue;
        SmView view = state.sm;
        (entry->field == registersField ? view.registers : view.sharedBytes) = value;
        commands.emplace_back(SetSmView{view});
    }
}

/// One field under its name, or its brief one, `width` wide; leaves the cursor at its right.
template <class Field>
void named(const UiContext& ui, const char* name, const char* brief, const std::string& from,
           float width, Field field) {
    const Look& look = ui.look;
    ImGui::BeginGroup();
    text(look.fonts.small, look.colors.muted,
         measured(look.fonts.small, name).x <= width ? name
                                                     : fitted(look.fonts.small, brief, width));
    ImGui::SetNextItemWidth(width);
    field();
    text(look.fonts.small, look.colors.faint, fitted(look.fonts.small, from, width));
    if (measured(look.fonts.small, from).x > width) tooltip(ui, from);
    ImGui::EndGroup();
    ImGui::SameLine(0, look.px(18));
}

void drawQuestion(const UiContext& ui, const AppState& state, const ShownSm& sm, TypedText& typed,
                  Commands& commands) {
    const Look& look = ui.look;
    const float gap = look.px(18);
    const float width =
        std::floor(std::min(look.px(190), (ImGui::GetContentRegionAvail().x - 2 * gap) / 3));
    Commands entered;
    const std::vector<LimitViolation> none;
    const NumberFields fields{ui, typed, state.edit, none, entered};
    named(ui, "Compute capability", "Capability", sm.limitsFrom, width,
          [&] { chooseCapability(ui, state, sm.limits, commands); });
    named(ui, "Registers per thread", "Registers", sm.registersFrom, width, [&] {
        fields.number(registersField, sm.block.registersPerThread, mostRegistersAsked, width);
    });
    named(ui, "Shared bytes per block", "Shared bytes", sm.sharedFrom, width, [&] {
        fields.number(sharedField, static_cast<std::int64_t>(sm.block.sharedBytes()),
                      mostSharedBytesAsked, width);
    });
    takeEntries(state, entered, commands);
    const char* const back = "As the launch has it";
    const float needed = measured(look.fonts.body, back).x + look.px(20);
    const bool asMeasured = !state.view.capability && state.sm == SmView{};
    if (!asMeasured && ImGui::GetContentRegionAvail().x >= needed) {
        ImGui::SetCursorPosY(ImGui::GetCursorPosY() + look.fonts.small->FontSize + look.px(4));
        if (plainButton(ui, back)) {
            commands.emplace_back(SetSmView{});
            commands.emplace_back(Show{.capability = std::optional<ComputeCapability>()});
        }
        ui.mark("sm.reset");
        tooltip(ui, "Device, registers and shared memory as measured or declared");
    }
    ImGui::NewLine();
}

}  // namespace

Commands drawSmPanel(const UiContext& ui, const AppState& state, TypedText& typed) {
    Commands commands;
    const Look& look = ui.look;
    const ShownSm sm = shownSm(state);
    const float room = drawBlockViewChoice(ui, state, commands);
    const std::string title =
        "One SM under blocks of " + toString(state.view.experiment.launch.block);
    const bool fits = measured(look.fonts.title, title).x <= room;
    text(look.fonts.title, look.colors.text,
         fits                                             ? title
         : measured(look.fonts.title, "One SM").x <= room ? std::string("One SM")
                                                          : std::string(" "));
    space(ui, 6);
    drawQuestion(ui, state, sm, typed, commands);
    if (!sm.unknown.empty()) {
        wrapped(look.fonts.small, look.colors.muted, sm.unknown);
        ui.mark("sm.unknown");
    }
    space(ui, 8);
    const std::uint32_t resident = occupancyOf(sm.limits, sm.block).residentBlocks;
    const bool launches = resident != 0;
    const std::uint64_t blocks = state.view.experiment.launch.grid.count();
    const bool fewer = blocks < resident;
    wrapped(look.fonts.strong, launches ? look.colors.text : look.colors.bad,
            (fewer ? "An SM " : "") + drawing::occupancyInWords(sm.limits, sm.block, fewer));
    ui.mark("sm.occupancy");
    std::string why = drawing::limitInWords(sm.limits, sm.block);
    if (fewer) {
        why += "  ·  this launch has " + counted(blocks, "block");
    }
    if (sm.limits.unsettled) why += "  ·  unsettled: " + std::string(sm.limits.unsettled->words);
    wrapped(look.fonts.body, look.colors.warning, why);
    space(ui, 8);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 size = ImGui::GetContentRegionAvail();
    if (size.x < look.px(120) || size.y < look.px(120)) {
        wrapped(look.fonts.body, look.colors.muted,
                "No room here for the slots: enlarge the window, or press " +
                    keysOf(actionOf(Act::present)) + " to present them.");
        return commands;
    }
    ImGui::InvisibleButton("slots", size);
    ui.mark("sm.slots");
    const drawing::OccupancySlots picture = drawing::prepareOccupancySlots(
        sm.limits, sm.block, drawArea(look, at, {at.x + size.x, at.y + size.y}), pointerOnItem());
    paint(*ImGui::GetWindowDrawList(), look.fonts, picture.items);
    if (!picture.pointed.empty()) tooltip(ui, picture.pointed);
    return commands;
}

}  // namespace warplens::window
