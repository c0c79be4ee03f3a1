#include <algorithm>
#include <cmath>

#include "app/drawing/plot_sweep.h"
#include "app/window/panels/imgui_compat.h"
#include "app/window/panels/items_painter.h"
#include "app/window/panels/measured_parts.h"
#include "app/window/panels/panels.h"
#include "app/window/state/sweep.h"
#include "core/measurement/measurement.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

constexpr const char* overHelp =
    "An argument: stride=1..128, n=64..1024:64 (every 64th), tile=8..32:x2 (times 2) or "
    "tile=8,16,32; grid=66..4224:x2; array-offset=0..63. The block's shape: block=256 (every x*y), "
    "block=256:z (every x*y*z), block=32..1024 (powers of two between). Enter takes it over.";

/// What is varied now, in the field.
std::string overOf(const AppState& state) {
    if (!state.view.over.empty()) return state.view.over;
    return state.sweep.plan ? toString(state.sweep.plan->axis) : "";
}

void overInput(const UiContext& ui, const AppState& state, TypedText& typed, float width,
               Commands& commands) {
    const Look& look = ui.look;
    ImGui::AlignTextToFramePadding();
    text(look.fonts.body, look.colors.muted, "Over");
    ImGui::SameLine(0, look.px(8));
    ImGui::SetNextItemWidth(std::min(width, ImGui::GetContentRegionAvail().x));
    ImGui::PushFont(look.fonts.number);
    const bool wrong = !state.sweep.problem.empty();
    if (wrong) {
        ImGui::PushStyleColor(ImGuiCol_FrameBg,
                              packed(mixed(look.colors.raised, look.colors.bad, 0.30F)));
    }
    if (auto over = completedText(typed, "sweep over", overOf(state), "")) {
        commands.emplace_back(Show{.over = *std::move(over)});
    }
    if (wrong) ImGui::PopStyleColor();
    ImGui::PopFont();
    ui.mark("sweep.over");
    if (!ImGui::IsItemActive()) tooltip(ui, overHelp);
}

/// Buttons side by side, in as many rows as they need; `beside` what is to their left.
void proposals(const UiContext& ui, const AppState& state, bool beside, Commands& commands) {
    const float gap = ui.look.px(6);
    const float edge = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    const std::string now = overOf(state);
    bool first = !beside;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, gap));
    for (const std::string& over : state.sweep.proposed) {
        const float width = buttonWidth(ui.look.fonts.small, over);
        if (!first && ImGui::GetItemRectMax().x + gap + width <= edge) ImGui::SameLine(0, gap);
        first = false;
        ImGui::PushFont(ui.look.fonts.small);
        if (plainButton(ui, over.c_str(), true, over == now)) {
            commands.emplace_back(Show{.over = over});
        }
        ImGui::PopFont();
        ui.mark("sweep.over." + over);
    }
    ImGui::PopStyleVar();
}

void sweepProgress(const UiContext& ui, const AppState& state, const Sweep& sweep, float width) {
    const Running* const run = running(state);
    const auto points = static_cast<float>(sweep.points.size());
    const auto done = static_cast<float>(sweep.measuredCount() + sweep.failedCount());
    progressBar(ui, "sweep.progress", width, (done + static_cast<float>(run->fraction)) / points,
                run->cancelled ? "cancelling"
                               : placeOn(sweep.plan.axis, run->experiment) + ": " + run->stage);
}

/// How far the points are, in words.
std::string standing(const Sweep& sweep) {
    const std::size_t points = sweep.points.size();
    const auto ofAll = [&](std::size_t some) {
        return std::to_string(some) + " of " + std::to_string(points);
    };
    std::string words = counted(points, "point");
    if (sweep.predictedCount() < points) {
        words += "  ·  predicting " + ofAll(sweep.predictedCount());
    }
    if (sweep.measuredCount() != 0) words += "  ·  measured " + ofAll(sweep.measuredCount());
    if (sweep.failedCount() != 0) words += "  ·  failed " + std::to_string(sweep.failedCount());
    return words;
}

void controls(const UiContext& ui, const AppState& state, const KeptSweep& kept,
              Commands& commands) {
    const Look& look = ui.look;
    const Sweep& sweep = kept.sweep;
    const float width = ImGui::GetContentRegionAvail().x;
    if (state.sweep.measuring && running(state) != nullptr) {
        const float button = buttonWidth(look.fonts.body, "Cancel");
        sweepProgress(ui, state, sweep, width - button - look.px(8));
        ImGui::SameLine(0, look.px(8));
        if (plainButton(ui, "Cancel", !running(state)->cancelled)) {
            commands.emplace_back(CancelMeasure{});
        }
        ui.mark("sweep.cancel");
    } else if (state.canMeasure) {
        const bool goesOn = !kept.recorded && sweep.measuredCount() != 0 &&
                            (sweep.nextToMeasure() || sweep.failedCount() != 0);
        const bool done = !kept.recorded && !goesOn && sweep.measuredCount() != 0;
        const char* const label = done     ? "Measured"
                                  : goesOn ? "Go on measuring"
                                           : "Measure the sweep";
        if (primaryButton(ui, label, mayMeasureSweep(state))) {
            commands.emplace_back(MeasureSweep{});
        }
        ui.mark("sweep.measure");
        tooltip(ui,
                "Runs each point on the GPU, one after the other. What is there stays, also "
                "when it is cancelled.");
    }
    const std::string words = fitted(look.fonts.small, standing(sweep), width);
    // Beside the button where there is room.
    const ImVec2 button = ImGui::GetItemRectMax();
    const float top = ImGui::GetItemRectMin().y;
    const float edge = ImGui::GetCursorScreenPos().x + width;
    if (state.canMeasure && button.x + measured(look.fonts.small, words).x + look.px(12) <= edge) {
        ImGui::SameLine(0, look.px(12));
        ImGui::SetCursorScreenPos(
            {ImGui::GetCursorScreenPos().x, (top + button.y - look.fonts.small->FontSize) / 2});
    }
    text(look.fonts.small, look.colors.muted, words);
    ui.mark("sweep.standing");
}

void quantityChoice(const UiContext& ui, const Sweep& sweep, const std::vector<Quantity>& shown,
                    Commands& commands) {
    const float gap = ui.look.px(8);
    const auto places = static_cast<float>(std::max<std::size_t>(1, shown.size()));
    const float width = (ImGui::GetContentRegionAvail().x - gap * (places - 1)) / places;
    ImGui::PushFont(ui.look.fonts.small);
    for (std::size_t place = 0; place < shown.size(); ++place) {
        if (place != 0) ImGui::SameLine(0, gap);
        ImGui::SetNextItemWidth(width);
        ImGui::PushID(static_cast<int>(place));
        const std::string title(shown[place].title);
        if (ImGui::BeginCombo("##quantity", title.c_str())) {
            for (const Quantity& quantity : quantitiesOf(sweep)) {
                const std::string name(quantity.title);
                if (ImGui::Selectable(name.c_str(), quantity == shown[place])) {
                    commands.emplace_back(ChooseQuantity{place, std::string(quantity.id)});
                }
                ui.mark("sweep.quantity." + std::to_string(place) + "." + std::string(quantity.id));
            }
            ImGui::EndCombo();
        }
        ImGui::PopID();
        ui.mark("sweep.quantity." + std::to_string(place));
    }
    ImGui::PopFont();
}

std::string pointWords(const Sweep& sweep, std::size_t point, const std::vector<Quantity>& shown) {
    std::string words = placeOn(sweep.plan.axis, sweep.points[point].experiment);
    for (const Quantity& quantity : shown) {
        words += '\n' + drawing::pointInWords(sweep, point, quantity);
    }
    if (const auto* failure = std::get_if<Failure>(&sweep.points[point].measured)) {
        words += "\nNot measured: " + failure->message;
    }
    return words + "\nClick shows this launch.";
}

/// Below one another, or side by side in a room that is too low for that.
void plots(const UiContext& ui, const AppState& state, const Sweep& sweep,
           const std::vector<Quantity>& shown, ImVec2 size, Commands& commands) {
    const Look& look = ui.look;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float gap = look.px(16);
    const auto shareOf = [&](float whole) {
        const auto count = static_cast<float>(shown.size());
        return (whole - gap * (count - 1)) / count;
    };
    const bool across = shareOf(size.y) < look.px(90) && shareOf(size.x) >= look.px(200);
    const ImVec2 each = across ? ImVec2(shareOf(size.x), size.y) : ImVec2(size.x, shareOf(size.y));
    if (each.y < look.px(90) || each.x < look.px(140)) return;
    const bool clicked = ImGui::InvisibleButton("plots", size);
    ui.mark("sweep.plots");
    const drawing::SweepMarks marks{.held = heldPoint(state), .pointer = pointerOnItem()};
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const auto place = static_cast<float>(i);
        const float left = at.x + (across ? (each.x + gap) * place : 0);
        const float top = at.y + (across ? 0 : (each.y + gap) * place);
        const drawing::SweepPicture picture = drawing::prepareSweep(
            sweep, shown[i], drawArea(look, {left, top}, {left + each.x, top + each.y}), marks);
        paint(*ImGui::GetWindowDrawList(), look.fonts, picture.items);
        if (!picture.pointed) continue;
        tooltip(ui, pointWords(sweep, *picture.pointed, shown));
        if (clicked) commands.emplace_back(ShowSweepPoint{*picture.pointed});
    }
}

std::vector<std::string> sourceLines(const Sweep& sweep, bool recorded,
                                     const std::vector<Quantity>& shown) {
    std::vector<std::string> lines = drawing::provenanceOf(sweep, recorded);
    const bool modelled = std::ranges::any_of(shown, [&](const Quantity& quantity) {
        return std::ranges::any_of(seriesOf(sweep, quantity), &Series::model);
    });
    if (modelled) lines.push_back(modelInWords(sweep));
    return lines;
}

std::string pointWords(const drawing::RoofRow& row) {
    return row.name + (row.sizes.empty() ? "" : "  " + row.sizes) + "\n" + row.perAccess +
           " FLOP for each access of 4 bytes, predicted\n" + row.perDramByte +
           " FLOP for each byte of DRAM, counted\n" + row.rate +
           ", timed\nClick shows this launch.";
}

/// The points by number, in columns.
void table(const UiContext& ui, const Roofline& roofline, const std::vector<drawing::RoofRow>& rows,
           std::optional<std::size_t> held, Commands& commands) {
    const Look& look = ui.look;
    ImFont* const font = look.fonts.small;
    ImFont* const numbers = look.fonts.smallNumber;
    const float width = ImGui::GetContentRegionAvail().x;
    const float rate = measured(numbers, "88.8 TFLOP/s").x + look.px(6);
    const float each = measured(font, "per DRAM byte").x + look.px(12);
    const float pitch = font->FontSize + look.px(5);
    // In a narrow column the names are worth more than what the pointer tells, too.
    const bool narrow = width - rate - 2 * each < look.px(110);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const auto row = [&](ImVec2 at, const std::string& name, const std::string& access,
                         const std::string& dram, const std::string& flops, Rgb color,
                         ImFont* face) {
        const float names = narrow ? width - rate : width - rate - 2 * each;
        textAt(list, font, color, at, fitted(font, name, names - look.px(6)));
        if (!narrow) {
            textAt(list, face, color, {at.x + names + each - look.px(8), at.y}, access, 1);
            textAt(list, face, color, {at.x + names + 2 * each - look.px(8), at.y}, dram, 1);
        }
        textAt(list, face, color, {at.x + width, at.y}, flops, 1);
    };
    const ImVec2 top = ImGui::GetCursorScreenPos();
    row(top, narrow ? "" : "FLOP for each", "access", "DRAM byte", "FLOP/s", look.colors.faint,
        font);
    ImGui::Dummy({width, pitch});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::PushID(static_cast<int>(i));
        if (ImGui::InvisibleButton("row", {width, pitch})) {
            commands.emplace_back(Show{.experiment = roofline.points[i].experiment});
        }
        ui.mark("roof.row." + std::to_string(i));
        ImGui::PopID();
        const bool pointed = ImGui::IsItemHovered();
        if (pointed || held == i) {
            list.AddRectFilled({at.x - look.px(4), at.y - look.px(1)},
                               {at.x + width + look.px(4), at.y + pitch - look.px(2)},
                               packed(mixed(look.colors.panel, look.colors.accent, 0.14F)),
                               look.px(4));
        }
        tooltip(ui, pointWords(rows[i]));
        const std::string name = std::to_string(i + 1) + "  " + rows[i].name;
        row(at, name, rows[i].perAccess, rows[i].perDramByte, rows[i].rate, look.colors.text,
            numbers);
    }
}

}  // namespace

Commands drawSweepPanel(const UiContext& ui, const AppState& state, TypedText& typed) {
    Commands commands;
    const Look& look = ui.look;
    // A low room is the plots'.
    const ImVec2 all = ImGui::GetContentRegionAvail();
    const bool low = all.y < look.px(420) && all.x >= look.px(420);
    overInput(ui, state, typed, low ? look.px(130) : all.x, commands);
    if (!low) space(ui, 4);
    proposals(ui, state, low, commands);
    if (!state.sweep.problem.empty()) {
        space(ui, 4);
        wrapped(look.fonts.body, look.colors.bad, state.sweep.problem);
        ui.mark("sweep.problem");
    }
    const KeptSweep* const kept = shownSweep(state);
    if (kept == nullptr) return commands;
    space(ui, 6);
    controls(ui, state, *kept, commands);
    const Sweep& sweep = kept->sweep;
    // Beside the words where there is room.
    const auto tagged = [&](const std::string& words, const char* mark) {
        const float width = measured(look.fonts.small, words).x + look.px(28);
        const float edge = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
        const float line = ImGui::GetItemRectMin().y;
        if (ImGui::GetItemRectMax().x + width <= edge) {
            ImGui::SameLine(0, look.px(12));
            // The word in it level with those beside it.
            ImGui::SetCursorScreenPos({ImGui::GetCursorScreenPos().x, line - look.px(3)});
        }
        tag(ui, words, look.colors.warning);
        ui.mark(mark);
    };
    if (kept->recorded) {
        tagged("Recorded on " + takenOn(*sweep.firstMeasurement()), "sweep.recorded");
    } else if (sweep.measuredCount() == 0 && sweep.predictedCount() != 0) {
        tagged(state.canMeasure ? "Predicted only: not measured yet"
                                : "Predicted only: no GPU here, and no recording",
               "sweep.predicted");
    }
    const std::vector<Quantity> shown = shownQuantities(state);
    if (shown.empty()) return commands;
    space(ui, 4);
    quantityChoice(ui, sweep, shown, commands);
    space(ui, 4);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const std::vector<std::string> lines = sourceLines(sweep, kept->recorded, shown);
    const float footer = look.px(10) + provenanceHeight(ui, lines);
    plots(ui, state, sweep, shown, {room.x, std::max(look.px(150), room.y - footer)}, commands);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, look.px(2)));
    ImGui::Dummy({0, look.px(4)});
    ImGui::PopStyleVar();
    provenance(ui, lines);
    return commands;
}

Commands drawRoofPanel(const UiContext& ui, const AppState& state) {
    Commands commands;
    const Look& look = ui.look;
    const Roofline roofline = shownRoofline(state);
    const std::vector<drawing::RoofRow> rows = drawing::rowsOf(roofline);
    const auto shown =
        std::ranges::find(roofline.points, state.view.experiment, &RoofPoint::experiment);
    std::optional<std::size_t> held;
    if (shown != roofline.points.end()) {
        held = static_cast<std::size_t>(shown - roofline.points.begin());
    }
    if (roofline.recorded) {
        tag(ui, "Recorded on " + roofline.ceilings->device + ", " + dayOf(roofline.takenAt),
            look.colors.warning);
        ui.mark("roof.recorded");
    } else if (!roofline.ceilings) {
        tag(ui, "Predicted only: no device was measured", look.colors.warning);
    }
    const std::vector<std::string> lines = drawing::provenanceOf(roofline);
    const float pitch = look.fonts.small->FontSize + look.px(5) + ImGui::GetStyle().ItemSpacing.y;
    const float below =
        pitch * static_cast<float>(rows.size() + 1) + look.px(20) + provenanceHeight(ui, lines);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    // In a low room the table stands beside the plot.
    const bool beside = room.y - below <= look.px(150) && room.x >= look.px(460);
    const ImVec2 size =
        beside ? ImVec2(std::floor(room.x * 0.52F), std::max(room.y - look.px(16), look.px(160)))
               : ImVec2(room.x, std::min(room.y - below, room.x * 1.15F));
    if (size.y > look.px(150)) {
        const bool clicked = ImGui::InvisibleButton("roof", size);
        ui.mark("roof.plot");
        const drawing::RoofPicture picture = drawing::prepareRoof(
            roofline, drawArea(look, at, {at.x + size.x, at.y + size.y}), held, pointerOnItem());
        paint(*ImGui::GetWindowDrawList(), look.fonts, picture.items);
        if (picture.pointed) {
            tooltip(ui, pointWords(rows[*picture.pointed]));
            if (clicked) {
                commands.emplace_back(
                    Show{.experiment = roofline.points[*picture.pointed].experiment});
            }
        }
        space(ui, 6);
    }
    if (beside) {
        ImGui::SetCursorScreenPos({at.x + size.x + look.px(16), at.y});
        beginPanel("roof.table", {room.x - size.x - look.px(16), size.y},
                   ImGuiWindowFlags_NoBackground);
    }
    table(ui, roofline, rows, held, commands);
    space(ui, 6);
    provenance(ui, lines);
    if (beside) ImGui::EndChild();
    return commands;
}

}  // namespace warplens::window
