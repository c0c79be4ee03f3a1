
#include "app/drawing/plot_sweep.h"
#include "app/window/panels/measured_parts.h"
#include "app/window/panels/panels.h"
#include "app/window/panels/widgets.h"
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

void overInput(const UiContext& ui, TypedText& typed, float width) {
    ImGui::AlignTextToFramePadding();
    text(ui.fonts.body, ui.colors.muted, "Over");
    ImGui::SameLine(0, ui.px(8));
    ImGui::SetNextItemWidth(std::min(width, ImGui::GetContentRegionAvail().x));
    ImGui::PushFont(ui.fonts.number);
    const bool wrong = !ui.state.sweep.problem.empty();
    if (wrong) {
        ImGui::PushStyleColor(ImGuiCol_FrameBg,
                              packed(mixed(ui.colors.raised, ui.colors.bad, 0.30F)));
    }
    if (auto over = completedText(typed, "sweep over", overOf(ui.state), "")) {
        ui.issue(Show{.over = *std::move(over)});
    }
    if (wrong) ImGui::PopStyleColor();
    ImGui::PopFont();
    ui.mark("sweep.over");
    if (!ImGui::IsItemActive()) tooltip(ui, overHelp);
}

/// Buttons side by side, in as many rows as they need; `beside` what is to their left.
void proposals(const UiContext& ui, bool beside) {
    const float gap = ui.px(6);
    const float edge = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
    const std::string now = overOf(ui.state);
    bool first = !beside;
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, gap));
    for (const std::string& over : ui.state.sweep.proposed) {
        const float width = buttonWidth(ui.fonts.small, over);
        if (!first && ImGui::GetItemRectMax().x + gap + width <= edge) ImGui::SameLine(0, gap);
        first = false;
        ImGui::PushFont(ui.fonts.small);
        commandButton(ui, over, "sweep.over." + over, Show{.over = over}, "",
                      {.chosen = over == now});
        ImGui::PopFont();
    }
    ImGui::PopStyleVar();
}

void sweepProgress(const UiContext& ui, const Sweep& sweep, float width) {
    const Running* const run = running(ui.state);
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

void controls(const UiContext& ui, const KeptSweep& kept) {
    const Sweep& sweep = kept.sweep;
    const float width = ImGui::GetContentRegionAvail().x;
    if (ui.state.sweep.measuring && running(ui.state) != nullptr) {
        const float button = buttonWidth(ui.fonts.body, "Cancel");
        sweepProgress(ui, sweep, width - button - ui.px(8));
        ImGui::SameLine(0, ui.px(8));
        commandButton(ui, "Cancel", "sweep.cancel", CancelMeasure{}, "",
                      {.enabled = !running(ui.state)->cancelled});
    } else if (ui.state.canMeasure) {
        const bool goesOn = !kept.recorded && sweep.measuredCount() != 0 &&
                            (sweep.nextToMeasure() || sweep.failedCount() != 0);
        const bool done = !kept.recorded && !goesOn && sweep.measuredCount() != 0;
        const char* const label = done     ? "Measured"
                                  : goesOn ? "Go on measuring"
                                           : "Measure the sweep";
        commandButton(ui, label, "sweep.measure", MeasureSweep{},
                      "Runs each point on the GPU, one after the other. What is there stays, also "
                      "when it is cancelled.",
                      {.enabled = mayMeasureSweep(ui.state), .primary = true});
    }
    const std::string words = fitted(ui.fonts.small, standing(sweep), width);
    // Beside the button where there is room.
    const ImVec2 button = ImGui::GetItemRectMax();
    const float top = ImGui::GetItemRectMin().y;
    const float edge = ImGui::GetCursorScreenPos().x + width;
    if (ui.state.canMeasure && button.x + measured(ui.fonts.small, words).x + ui.px(12) <= edge) {
        ImGui::SameLine(0, ui.px(12));
        ImGui::SetCursorScreenPos(
            {ImGui::GetCursorScreenPos().x, (top + button.y - ui.fonts.small->FontSize) / 2});
    }
    text(ui.fonts.small, ui.colors.muted, words);
    ui.mark("sweep.standing");
}

void quantityChoice(const UiContext& ui, const Sweep& sweep, const std::vector<Quantity>& shown) {
    const float gap = ui.px(8);
    const auto places = static_cast<float>(std::max<std::size_t>(1, shown.size()));
    const float width = (ImGui::GetContentRegionAvail().x - gap * (places - 1)) / places;
    ImGui::PushFont(ui.fonts.small);
    for (std::size_t place = 0; place < shown.size(); ++place) {
        if (place != 0) ImGui::SameLine(0, gap);
        ImGui::SetNextItemWidth(width);
        ImGui::PushID(static_cast<int>(place));
        const std::string title(shown[place].title);
        if (ImGui::BeginCombo("##quantity", title.c_str())) {
            for (const Quantity& quantity : quantitiesOf(sweep)) {
                const std::string name(quantity.title);
                if (ImGui::Selectable(name.c_str(), quantity == shown[place])) {
                    ui.issue(ChooseQuantity{place, std::string(quantity.id)});
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
void plots(const UiContext& ui, const Sweep& sweep, const std::vector<Quantity>& shown,
           ImVec2 size) {
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float gap = ui.px(16);
    const auto shareOf = [&](float whole) {
        const auto count = static_cast<float>(shown.size());
        return (whole - gap * (count - 1)) / count;
    };
    const bool across = shareOf(size.y) < ui.px(90) && shareOf(size.x) >= ui.px(200);
    const ImVec2 each = across ? ImVec2(shareOf(size.x), size.y) : ImVec2(size.x, shareOf(size.y));
    if (each.y < ui.px(90) || each.x < ui.px(140)) return;
    const bool clicked = ImGui::InvisibleButton("plots", size);
    ui.mark("sweep.plots");
    const drawing::SweepMarks marks{.held = heldPoint(ui.state), .pointer = pointerOnItem()};
    for (std::size_t i = 0; i < shown.size(); ++i) {
        const auto place = static_cast<float>(i);
        const float left = at.x + (across ? (each.x + gap) * place : 0);
        const float top = at.y + (across ? 0 : (each.y + gap) * place);
        const drawing::SweepPicture picture = drawing::prepareSweep(
            sweep, shown[i], drawArea(ui.look, {left, top}, {left + each.x, top + each.y}), marks);
        paint(*ImGui::GetWindowDrawList(), ui.fonts, picture.items);
        if (!picture.pointed) continue;
        tooltip(ui, pointWords(sweep, *picture.pointed, shown));
        if (clicked) ui.issue(ShowSweepPoint{*picture.pointed});
    }
}

std::string pointWords(const drawing::RoofRow& row) {
    return row.name + (row.sizes.empty() ? "" : "  " + row.sizes) + "\n" + row.perAccess +
           " FLOP for each access of 4 bytes, predicted\n" + row.perDramByte +
           " FLOP for each byte of DRAM, counted\n" + row.rate +
           ", timed\nClick shows this launch.";
}

/// The points by number, in columns.
void table(const UiContext& ui, const Roofline& roofline, const std::vector<drawing::RoofRow>& rows,
           std::optional<std::size_t> held) {
    ImFont* const font = ui.fonts.small;
    ImFont* const numbers = ui.fonts.smallNumber;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const float width = ImGui::GetContentRegionAvail().x;
    const float rate = measured(numbers, "88.8 TFLOP/s").x + ui.px(6);
    const float each = measured(font, "per DRAM byte").x + ui.px(12);
    const float pitch = font->FontSize + ui.px(5);
    // In a narrow column the names are worth more than what the pointer tells, too.
    const bool narrow = width - rate - 2 * each < ui.px(110);
    float widest = 0;
    for (const drawing::RoofRow& one : rows) {
        widest = std::max(widest, measured(numbers, "0  " + one.name).x + ui.px(6));
    }
    // A name that does not fit has a line of its own.
    const bool apart = narrow && widest > width - rate;
    const auto row = [&](ImVec2 at, const std::string& name, const std::string& access,
                         const std::string& dram, const std::string& flops, Rgb color,
                         ImFont* face) {
        const float names = apart ? width : narrow ? width - rate : width - rate - 2 * each;
        textAt(list, font, color, at, fitted(font, name, names - ui.px(6)));
        if (apart && !name.empty()) at.y += font->FontSize + ui.px(1);
        if (!narrow) {
            textAt(list, face, color, {at.x + names + each - ui.px(8), at.y}, access, 1);
            textAt(list, face, color, {at.x + names + 2 * each - ui.px(8), at.y}, dram, 1);
        }
        textAt(list, face, color, {at.x + width, at.y}, flops, 1);
    };
    const ImVec2 top = ImGui::GetCursorScreenPos();
    row(top, narrow ? "" : "FLOP for each", "access", "DRAM byte", "FLOP/s", ui.colors.faint, font);
    ImGui::Dummy({width, pitch});
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        ImGui::PushID(static_cast<int>(i));
        const float height = apart ? pitch + font->FontSize + ui.px(1) : pitch;
        if (ImGui::InvisibleButton("row", {width, height})) {
            ui.issue(Show{.experiment = roofline.points[i].experiment});
        }
        ui.mark("roof.row." + std::to_string(i));
        ImGui::PopID();
        const bool pointed = ImGui::IsItemHovered();
        if (pointed || held == i) {
            list.AddRectFilled({at.x - ui.px(4), at.y - ui.px(1)},
                               {at.x + width + ui.px(4), at.y + height - ui.px(2)},
                               packed(mixed(ui.colors.panel, ui.colors.accent, 0.14F)), ui.px(4));
        }
        tooltip(ui, pointWords(rows[i]));
        const std::string name = std::to_string(i + 1) + "  " + rows[i].name;
        row(at, name, rows[i].perAccess, rows[i].perDramByte, rows[i].rate, ui.colors.text,
            numbers);
    }
}

}  // namespace

void drawSweepPanel(const UiContext& ui, TypedText& typed) {
    // A low room is the plots'.
    const ImVec2 all = ImGui::GetContentRegionAvail();
    const bool low = all.y < ui.px(420) && all.x >= ui.px(420);
    overInput(ui, typed, low ? ui.px(130) : all.x);
    if (!low) space(ui, 4);
    proposals(ui, low);
    if (!ui.state.sweep.problem.empty()) {
        space(ui, 4);
        wrapped(ui.fonts.body, ui.colors.bad, ui.state.sweep.problem);
        ui.mark("sweep.problem");
    }
    const KeptSweep* const kept = shownSweep(ui.state);
    if (kept == nullptr) return;
    space(ui, 6);
    controls(ui, *kept);
    const Sweep& sweep = kept->sweep;
    // Beside the words where there is room.
    const auto tagged = [&](const std::string& words, const char* mark) {
        const float width = measured(ui.fonts.small, words).x + ui.px(28);
        const float edge = ImGui::GetCursorScreenPos().x + ImGui::GetContentRegionAvail().x;
        const float line = ImGui::GetItemRectMin().y;
        if (ImGui::GetItemRectMax().x + width <= edge) {
            ImGui::SameLine(0, ui.px(12));
            // The word in it level with those beside it.
            ImGui::SetCursorScreenPos({ImGui::GetCursorScreenPos().x, line - ui.px(3)});
        }
        tag(ui, words, ui.colors.warning);
        ui.mark(mark);
    };
    if (kept->recorded) {
        tagged("Recorded on " + takenOn(*sweep.firstMeasurement()), "sweep.recorded");
    } else if (sweep.measuredCount() == 0 && sweep.predictedCount() != 0) {
        tagged(ui.state.canMeasure ? "Predicted only: not measured yet"
                                   : "Predicted only: no GPU here, and no recording",
               "sweep.predicted");
    }
    const std::vector<Quantity> shown = shownQuantities(ui.state);
    if (shown.empty()) return;
    space(ui, 4);
    quantityChoice(ui, sweep, shown);
    space(ui, 4);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const std::vector<std::string> lines = drawing::provenanceOf(sweep, kept->recorded, shown);
    const float footer = ui.px(10) + provenanceHeight(ui, lines);
    plots(ui, sweep, shown, {room.x, std::max(ui.px(150), room.y - footer)});
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, ui.px(2)));
    ImGui::Dummy({0, ui.px(4)});
    ImGui::PopStyleVar();
    provenance(ui, lines);
}

void drawRoofPanel(const UiContext& ui) {
    const Roofline roofline = shownRoofline(ui.state);
    const std::vector<drawing::RoofRow> rows = drawing::rowsOf(roofline);
    const auto shown =
        std::ranges::find(roofline.points, ui.state.view.experiment, &RoofPoint::experiment);
    std::optional<std::size_t> held;
    if (shown != roofline.points.end()) {
        held = static_cast<std::size_t>(shown - roofline.points.begin());
    }
    if (roofline.recorded) {
        tag(ui, "Recorded on " + roofline.ceilings->device + ", " + dayOf(roofline.takenAt),
            ui.colors.warning);
        ui.mark("roof.recorded");
    } else if (!roofline.ceilings) {
        tag(ui, "Predicted only: no device was measured", ui.colors.warning);
    }
    const std::vector<std::string> lines = drawing::provenanceOf(roofline);
    const float pitch = ui.fonts.small->FontSize + ui.px(5) + ImGui::GetStyle().ItemSpacing.y;
    const float below =
        pitch * static_cast<float>(rows.size() + 1) + ui.px(20) + provenanceHeight(ui, lines);
    const ImVec2 room = ImGui::GetContentRegionAvail();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    // In a low room the table stands beside the plot.
    const bool beside = room.y - below <= ui.px(150) && room.x >= ui.px(460);
    const ImVec2 size =
        beside ? ImVec2(std::floor(room.x * 0.52F), std::max(room.y - ui.px(16), ui.px(160)))
               : ImVec2(room.x, std::min(room.y - below, room.x * 1.15F));
    if (size.y > ui.px(150)) {
        const bool clicked = ImGui::InvisibleButton("roof", size);
        ui.mark("roof.plot");
        const drawing::RoofPicture picture = drawing::prepareRoof(
            roofline, drawArea(ui.look, at, {at.x + size.x, at.y + size.y}), held, pointerOnItem());
        paint(*ImGui::GetWindowDrawList(), ui.fonts, picture.items);
        if (picture.pointed) {
            tooltip(ui, pointWords(rows[*picture.pointed]));
            if (clicked) ui.issue(Show{.experiment = roofline.points[*picture.pointed].experiment});
        }
        space(ui, 6);
    }
    if (beside) {
        ImGui::SetCursorScreenPos({at.x + size.x + ui.px(16), at.y});
        beginPanel("roof.table", {room.x - size.x - ui.px(16), size.y},
                   ImGuiWindowFlags_NoBackground);
    }
    table(ui, roofline, rows, held);
    space(ui, 6);
    provenance(ui, lines);
    if (beside) ImGui::EndChild();
}

}  // namespace warplens::window
