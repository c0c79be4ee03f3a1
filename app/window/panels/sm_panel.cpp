#include "app/drawing/occupancy_slots.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"
#include "app/window/state/sm_grid.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

void chooseCapability(const UiContext& ui, const SmLimits& now) {
    const auto ask = [&](std::optional<ComputeCapability> capability) {
        ui.issue(Show{.capability = capability});
    };
    const bool open = ImGui::BeginCombo("##capability", toString(now.capability).c_str());
    ui.mark("sm.capability");
    tooltip(ui, "Compute capability of the SM. " + std::string(now.source));
    if (!open) return;
    if (ImGui::Selectable("as measured", !ui.state.view.capability)) ask({});
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
void takeEntries(const UiContext& ui, const Commands& entered) {
    for (const Command& command : entered) {
        const auto* entry = command.as<EnterNumber>();
        if (entry == nullptr) continue;
        SmView view = ui.state.sm;
        if (enterSm(view, entry->field, entry->text))
            ui.issue(SetSmView{view});
        else
            ui.issue(Report{MessageKind::warning, "'" + entry->text + "' is no whole number."});
    }
}

/// One field under its name, or its brief one, `width` wide; leaves the cursor at its right. Where
/// it is from may be as wide as `room`; in a `low` panel it is one line.
template <class Field>
void named(const UiContext& ui, const char* name, const char* brief, const std::string& from,
           float width, float room, bool low, Field field) {
    ImGui::BeginGroup();
    text(ui.fonts.small, ui.colors.muted,
         measured(ui.fonts.small, name).x <= width ? name : fitted(ui.fonts.small, brief, width));
    ImGui::SetNextItemWidth(width);
    field();
    const auto [list, at, unused] = penHere();
    const std::string told =
        low ? fitted(ui.fonts.small, from.substr(0, from.find(',')), width) : from;
    ImGui::Dummy({width, textInLines(&list, ui.fonts.small, ui.colors.faint, at, told, room)});
    if (told != from) tooltip(ui, from);
    ImGui::EndGroup();
    ImGui::SameLine(0, ui.px(18));
}

void drawQuestion(const UiContext& ui, const ShownSm& sm, bool low, TypedText& typed) {
    const float gap = ui.px(18);
    const float width =
        std::floor(std::min(ui.px(190), (ImGui::GetContentRegionAvail().x - 2 * gap) / 3));
    Commands entered;
    const std::vector<LimitViolation> none;
    const NumberFields fields{ui, typed, ui.state.edit, none, entered};
    named(ui, "Compute capability", "Capability", sm.limitsFrom, width, width, low,
          [&] { chooseCapability(ui, sm.limits); });
    // What both are from stands once.
    const bool same = sm.registersFrom == sm.sharedFrom;
    named(ui, "Registers per thread", "Registers", sm.registersFrom, width,
          same ? 2 * width + gap : width, low, [&] {
              fields.number(std::string(registersField), sm.block.registersPerThread,
                            mostRegistersAsked, width);
          });
    named(ui, "Shared bytes per block", "Shared bytes", same ? "" : sm.sharedFrom, width, width,
          low, [&] {
              fields.number(std::string(sharedField),
                            static_cast<std::int64_t>(sm.block.sharedBytes()), mostSharedBytesAsked,
                            width);
          });
    takeEntries(ui, entered);
    const char* const back = "As the launch has it";
    const float needed = measured(ui.fonts.body, back).x + ui.px(20);
    const bool asMeasured = !ui.state.view.capability && ui.state.sm == SmView{};
    const bool beside = ImGui::GetContentRegionAvail().x >= needed;
    if (!asMeasured) {
        if (beside)
            ImGui::SetCursorPosY(ImGui::GetCursorPosY() + ui.fonts.small->FontSize + ui.px(4));
        else
            ImGui::NewLine();
        if (plainButton(ui, back)) {
            ui.issue(SetSmView{});
            ui.issue(Show{.capability = std::optional<ComputeCapability>()});
        }
        ui.mark("sm.reset");
        tooltip(ui, "Device, registers and shared memory as measured or declared");
    }
    if (asMeasured || beside) ImGui::NewLine();
}

}  // namespace

void drawSmPanel(const UiContext& ui, TypedText& typed) {
    const ShownSm sm = shownSm(ui.state);
    const drawing::GridShare grid = shownGrid(ui.state);
    const float room = drawBlockViewChoice(ui);
    const std::string title =
        "One SM under blocks of " + toString(ui.state.view.experiment.launch.block);
    const bool fits = measured(ui.fonts.title, title).x <= room;
    text(ui.fonts.title, ui.colors.text,
         fits                                           ? title
         : measured(ui.fonts.title, "One SM").x <= room ? std::string("One SM")
                                                        : std::string(" "));
    space(ui, 6);
    // Beside an own file it scrolls: the line comes first. Else the slots come before words.
    const bool scrolls = showsProgram(ui.state);
    const bool low = !scrolls && ImGui::GetContentRegionAvail().y < ui.px(340);
    drawQuestion(ui, sm, low, typed);
    if (!sm.unknown.empty()) {
        wrapped(ui.fonts.small, ui.colors.muted, sm.unknown);
        ui.mark("sm.unknown");
    }
    space(ui, 8);
    const bool launches = occupancyOf(sm.limits, sm.block).residentBlocks != 0;
    wrapped(ui.fonts.strong, launches ? ui.colors.text : ui.colors.bad,
            drawing::occupancyInWords(sm.limits, sm.block, grid));
    ui.mark("sm.occupancy");
    std::string why = drawing::limitInWords(sm.limits, sm.block, grid);
    const std::string whole = why;
    if (low && launches) why.erase(std::min(why.find(';'), why.size()));
    const std::string sum = drawing::sharedSumInWords(sm.limits, sm.block);
    if (launches && !sum.empty() &&
        occupancyOf(sm.limits, sm.block).isLimitedBy(SmResource::sharedMemory))
        why += ": " + sum;
    if (sm.limits.unsettled) why += "  ·  unsettled: " + std::string(sm.limits.unsettled->words);
    wrapped(ui.fonts.body, ui.colors.warning, why);
    if (low) tooltip(ui, whole);
    space(ui, 8);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    ImVec2 size = ImGui::GetContentRegionAvail();
    if (scrolls) size.y = std::max(size.y, ui.px(140));
    if (size.x < ui.px(120) || size.y < ui.px(120)) {
        wrapped(ui.fonts.body, ui.colors.muted,
                "No room here for the slots: enlarge the window, or press " +
                    keysOf(actionOf(Act::present)) + " to present them.");
        return;
    }
    const auto draw = [&](const char* id, auto prepare, float top, float bottom) {
        ImGui::SetCursorScreenPos({at.x, at.y + top});
        ImGui::InvisibleButton(id, {size.x, bottom - top});
        ui.mark(id);
        const drawing::OccupancySlots picture = prepare(
            sm.limits, sm.block,
            drawArea(ui.look, {at.x, at.y + top}, {at.x + size.x, at.y + bottom}), pointerOnItem());
        paint(*ImGui::GetWindowDrawList(), ui.fonts, picture.items);
        if (!picture.pointed.empty()) tooltip(ui, picture.pointed);
    };
    const bool both = size.y >= ui.px(250);
    const float slots = both ? size.y - std::max(ui.px(90), size.y / 4) : size.y;
    const auto prepareSlots = [&](const auto&... of) {
        return drawing::prepareOccupancySlots(of..., grid);
    };
    draw("sm.slots", prepareSlots, 0, slots);
    if (both) draw("sm.sizes", drawing::prepareBlockSizes, slots + ui.px(8), size.y);
}

}  // namespace warplens::window
