#include <algorithm>
#include <cmath>

#include "app/window/panels/mapping_panel.h"
#include "app/window/panels/mapping_parts.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

std::string sectorCount(std::size_t count) {
    return std::to_string(count) + (count == 1 ? " sector" : " sectors");
}

/// Lanes above, the sectors of memory they ask for below, a line from each lane to its value.
void lanesOverSectors(const Pen& pen, const WarpSectors& warp, WarpRank rank, ImVec2 at,
                      ImVec2 size) {
    const Look& look = pen.look;
    const Colors& c = look.colors;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    ImFont* const font = look.fonts.smallNumber;
    const Rgb color = colorOf(rank);
    const float laneWidth = size.x / 32;
    const float laneHeight = look.snap(20);
    const float slotHeight = look.snap(18);
    const float lanesTop = std::floor(at.y);
    const float labels = font->FontSize + look.px(4);
    const float sectorsTop = std::floor(at.y + size.y - slotHeight - labels);
    const float line = look.snap(1);

    const std::size_t count = warp.sectors.size();
    const float gap = count > 16 ? look.px(2) : look.px(6);
    const float slotWidth =
        count == 0 ? 0
                   : std::min(laneWidth, (size.x - gap * static_cast<float>(count - 1)) /
                                             static_cast<float>(8 * count));
    const float span = static_cast<float>(count) * (8 * slotWidth + gap) - gap;
    const float sectorsLeft = at.x + std::max(0.0F, (32 * laneWidth - span) / 2);
    const auto slotLeft = [&](std::size_t sector, std::uint32_t slot) {
        return sectorsLeft + static_cast<float>(sector) * (8 * slotWidth + gap) +
               static_cast<float>(slot) * slotWidth;
    };

    for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
        const ImVec2 from{std::floor(at.x + static_cast<float>(lane) * laneWidth), lanesTop};
        const ImVec2 to{std::floor(at.x + static_cast<float>(lane + 1) * laneWidth) - line,
                        lanesTop + laneHeight};
        if (lane >= warp.lanes.size()) {
            list.AddRect(from, to, packed(c.faint), 0, 0, line);
            continue;
        }
        const WarpSectors::Lane& entry = warp.lanes[lane];
        if (entry.active) {
            const float x =
                slotLeft(entry.sector, entry.slot) + slotWidth * static_cast<float>(warp.slots) / 2;
            list.AddLine({(from.x + to.x) / 2, to.y}, {x, sectorsTop}, packed(color, 0.75F),
                         look.px(1.3F));
        }
        list.AddRectFilled(from, to, packed(entry.active ? color : mixed(c.panel, color, 0.25F)));
        if (laneWidth >= measured(font, "00").x * 0.9F) {
            const Rgb ink = !entry.active ? c.muted : takesDarkText(color) ? 0x000000 : 0xffffff;
            const std::string label = std::to_string(lane);
            const float shrunk = font->FontSize * 0.88F;
            const ImVec2 extent = font->CalcTextSizeA(shrunk, FLT_MAX, 0, label.c_str());
            list.AddText(font, shrunk,
                         {std::floor((from.x + to.x - extent.x) / 2),
                          std::floor(from.y + (laneHeight - extent.y) / 2)},
                         packed(ink), label.c_str());
        }
    }
    for (std::size_t i = 0; i < count; ++i) {
        const WarpSectors::Sector& sector = warp.sectors[i];
        for (std::uint32_t slot = 0; slot < 8; ++slot) {
            const ImVec2 from{slotLeft(i, slot), sectorsTop};
            const ImVec2 to{from.x + slotWidth - (slotWidth >= 4 ? line : 0),
                            sectorsTop + slotHeight};
            const bool used = (sector.used >> slot & 1) != 0;
            list.AddRectFilled(from, to, packed(used ? color : c.raised));
        }
        list.AddRect({slotLeft(i, 0) - line, sectorsTop - line},
                     {slotLeft(i, 8) + line, sectorsTop + slotHeight + line}, packed(c.muted), 0, 0,
                     line);
        const std::string bytes = "byte " + groupedDigits(sector.index * 32);
        const float room = 8 * slotWidth + gap;
        if (measured(font, bytes).x < room) {
            textAt(list, font, c.faint, {slotLeft(i, 4), sectorsTop + slotHeight + look.px(4)},
                   bytes, 0.5F);
        } else if (i == 0 || i + 1 == count) {
            // Too narrow for a label each: all sectors are drawn, the first and last are named.
            const float end = i == 0 ? 0.0F : 1.0F;
            textAt(list, font, c.faint,
                   {i == 0 ? slotLeft(0, 0) : slotLeft(i, 8), sectorsTop + slotHeight + look.px(4)},
                   bytes, end);
        }
    }
}

/// What is drawn of a warp's requests, and in words.
struct Drawn final {
    std::string does;  ///< `loads from`
    std::string verdict;
    std::string brief;
    std::string lanes;  ///< `32 lanes × 4 bytes`
    WarpSectors sectors;
};

void judge(Drawn& drawn) {
    const std::size_t count = drawn.sectors.sectors.size();
    std::size_t used = 0;
    for (const auto& sector : drawn.sectors.sectors) used += std::popcount(sector.used);
    drawn.brief = sectorCount(count) + ", fewest " + std::to_string(drawn.sectors.fewest);
    drawn.verdict = sectorCount(count) + ", fewest possible " +
                    std::to_string(drawn.sectors.fewest) + ": " +
                    formatNumber(100.0 * static_cast<double>(used) / static_cast<double>(8 * count),
                                 Unit::percent) +
                    " of their bytes used";
}

/// The request chosen; while it is not traced, or cannot be, what the kernel says of its output.
Drawn drawnRequest(const AppState& state, WarpRank rank) {
    Drawn drawn;
    if (const ArrayTrace* array = shownRequests(state)) {
        drawn.does = "does not touch";
        drawn.brief = drawn.verdict = "no request";
        if (array->requests.empty()) return drawn;
        const LaneBytes& request = array->requests[shownRequest(state)];
        drawn.does = request.store ? "stores to" : "loads from";
        drawn.sectors = sectorsOf(request, threadCountInWarp(rank, state.shown.launch.block));
        const int lanes = std::popcount(request.active);
        drawn.lanes = std::to_string(lanes) + (lanes == 1 ? " lane × " : " lanes × ") +
                      std::to_string(request.bytes) + " bytes";
        judge(drawn);
        return drawn;
    }
    const WarpTrace* trace = shownTrace(state);
    drawn.does = "and";
    drawn.brief = drawn.verdict = trace == nullptr ? "tracing …" : "not traced: " + trace->failure;
    const Kernel& kernel = kernelOf(scenarioNamed(state.shown.scenario).kernel);
    if (shownArray(state) != outputIndex(kernel)) return drawn;
    drawn.does = "stores to";
    drawn.sectors = warpSectors(state.shown, state.selection.block, rank);
    if (drawn.sectors.sectors.empty()) {
        drawn.brief = drawn.verdict = "no lane has an element";
    } else {
        judge(drawn);
    }
    return drawn;
}

/// The kernel's arrays side by side, and which of the requests to the one chosen is drawn.
void requestChooser(const Pen& pen, const AppState& state, const Kernel& kernel,
                    const ArrayTrace* requests, const std::string& lanes, float width,
                    Commands& commands) {
    const Look& look = pen.look;
    const float gap = look.px(4);
    const float right = ImGui::GetCursorScreenPos().x + width;
    ImGui::PushFont(look.fonts.small);
    ImGui::PushStyleVar(ImGuiStyleVar_FramePadding, ImVec2(look.px(9), look.px(3)));
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(gap, 0));
    for (std::size_t i = 0; i < kernel.arrays.size(); ++i) {
        const std::string name(kernel.arrays[i].name);
        if (i != 0) ImGui::SameLine(0, gap);
        if (plainButton(pen, (name + "##array").c_str(), true, i == shownArray(state))) {
            commands.emplace_back(ChooseArray{i});
        }
        pen.mark("array." + name);
        tooltip(pen, "What the warp asks of the array " + name + ", request by request");
    }
    const std::size_t kept = requests == nullptr ? 0 : requests->requests.size();
    if (kept == 1) {
        ImGui::SameLine(0, look.px(14));
        ImGui::AlignTextToFramePadding();
        text(look.fonts.small, look.colors.muted, "one request");
    } else if (kept > 1) {
        const std::string of = "%d of " + groupedDigits(requests->total);
        const std::string cut =
            kept < requests->total ? " (first " + groupedDigits(kept) + " kept)" : "";
        ImGui::SameLine(0, look.px(14));
        if (plainButton(pen, "<##request")) commands.emplace_back(StepRequest{-1});
        pen.mark("request.before");
        tooltip(pen, "The request before  <");
        ImGui::SameLine(0, gap);
        const float step = ImGui::GetItemRectSize().x + gap;
        const float room = right - ImGui::GetCursorScreenPos().x - step;
        const float slider = std::max(1.0F, std::min(look.px(250), room));
        const std::string whole = "request " + of + cut;
        const bool fits = measured(look.fonts.small, whole).x + look.px(18) <= slider;
        int number = static_cast<int>(shownRequest(state)) + 1;
        ImGui::SetNextItemWidth(slider);
        if (ImGui::SliderInt("##request", &number, 1, static_cast<int>(kept),
                             (fits ? whole : of).c_str(), ImGuiSliderFlags_AlwaysClamp)) {
            commands.emplace_back(ChooseRequest{static_cast<std::uint64_t>(number - 1)});
        }
        tooltip(pen, "Which of the " + groupedDigits(requests->total) + " requests" + cut);
        pen.mark("request");
        ImGui::SameLine(0, gap);
        if (plainButton(pen, ">##request")) commands.emplace_back(StepRequest{1});
        pen.mark("request.after");
        tooltip(pen, "The request after  >");
    }
    if (measured(look.fonts.small, lanes).x + look.px(12) < right - ImGui::GetItemRectMax().x) {
        textAt(*ImGui::GetWindowDrawList(), look.fonts.small, look.colors.muted,
               {right, ImGui::GetItemRectMin().y + look.px(3)}, lanes, 1);
    }
    ImGui::PopStyleVar(2);
    ImGui::PopFont();
}

}  // namespace

void drawThreadFacts(const Pen& pen, const Experiment& experiment, Index3 block, Index3 thread) {
    const Look& look = pen.look;
    const Extents extents = experiment.launch.block;
    const WarpRank warp = warpRankInBlock(threadRankInBlock(thread, extents));
    ImGui::BeginGroup();
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float side = look.fonts.strong->FontSize;
    ImGui::GetWindowDrawList()->AddRectFilled(at, {at.x + side, at.y + side}, packed(colorOf(warp)),
                                              look.px(3));
    ImGui::Dummy({side, side});
    ImGui::SameLine();
    text(look.fonts.strong, look.colors.text,
         "Thread " + toText(thread) + " of block " + toText(block));
    ImFont* const font = look.fonts.smallNumber;
    text(font, look.colors.text, rankFormula(extents, thread));
    text(font, look.colors.text, warpFormula(extents, thread));
    text(font, look.colors.text, laneFormula(extents, thread));
    const std::string element = elementName(experiment, block, thread);
    if (element.empty()) {
        text(look.fonts.body, look.colors.warning, "Outside the problem: it has nothing to do.");
    } else {
        text(font, look.colors.accent, "writes " + element);
    }
    ImGui::EndGroup();
}

Commands drawWarpPanel(const Pen& pen, const AppState& state) {
    Commands commands;
    const Look& look = pen.look;
    const Colors& c = look.colors;
    const Index3 thread = threadInFocus(state);
    const Extents block = state.shown.launch.block;
    const WarpRank rank = warpRankInBlock(threadRankInBlock(thread, block));
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const ImVec2 room = ImGui::GetContentRegionAvail();
    // Where there is no room for both, the thread's numbers show while it is pointed at.
    const bool narrow = room.x < look.px(640);
    float left = at.x;
    if (!narrow || state.selection.thread) {
        drawThreadFacts(pen, state.shown, state.selection.block, thread);
        if (narrow) return commands;
        left += std::max(look.px(330), std::min(ImGui::GetItemRectSize().x, room.x * 0.5F)) +
                look.px(24);
    }
    const float width = at.x + room.x - left;

    const Kernel& kernel = kernelOf(scenarioNamed(state.shown.scenario).kernel);
    const std::size_t array = shownArray(state);
    const ArrayTrace* const requests = shownRequests(state);
    const Drawn drawn = drawnRequest(state, rank);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const std::string title = "Warp " + std::to_string(rank.value) + ' ' + drawn.does + ' ' +
                              std::string(kernel.arrays[array].name);
    const std::size_t count = drawn.sectors.sectors.size();
    const float titleWidth = measured(look.fonts.strong, title).x + look.px(16);
    textAt(list, look.fonts.strong, c.text, {left, at.y}, title);
    const bool fits = measured(look.fonts.body, drawn.verdict).x <= width - titleWidth;
    textAt(list, look.fonts.body, count > drawn.sectors.fewest ? c.warning : c.muted,
           {left + width, at.y},
           fitted(look.fonts.body, fits ? drawn.verdict : drawn.brief, width - titleWidth), 1);
    float top = at.y + look.fonts.strong->FontSize + look.px(6);
    ImGui::SetCursorScreenPos({left, top});
    requestChooser(pen, state, kernel, requests, drawn.lanes, width, commands);
    top += look.fonts.small->FontSize + look.px(16);
    if (!drawn.sectors.lanes.empty()) {
        lanesOverSectors(pen, drawn.sectors, rank, {left, top}, {width, at.y + room.y - top});
    }
    return commands;
}

}  // namespace warplens::window
