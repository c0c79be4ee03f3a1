#include "app/window/panels/launch_facts.h"

#include <algorithm>
#include <string>

#include "core/launch/coverage.h"
#include "core/measurement/value_text.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

/// One line of facts: what, and its number at the right edge.
void fact(const UiContext& ui, std::string_view what, std::string_view number, Rgb color,
          std::string_view explanation = {}) {
    const Look& look = ui.look;
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    const float height = look.fonts.number->FontSize + look.px(5);
    ImDrawList& list = *ImGui::GetWindowDrawList();
    textAt(list, look.fonts.body, look.colors.muted, at, what);
    textAt(list, look.fonts.number, color, {at.x + width, at.y + look.px(1)}, number, 1);
    ImGui::PushStyleVar(ImGuiStyleVar_ItemSpacing, ImVec2(0, 0));
    ImGui::Dummy({width, height});
    ImGui::PopStyleVar();
    tooltip(ui, explanation);
}

std::string share(std::uint64_t part, std::uint64_t whole) {
    if (whole == 0) return "";
    const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    return "  " + formatNumber(percent, Unit::percent);
}

/// The block's number for `metric`, as text; `otherwise` where it has none.
std::string predicted(const BlockPrediction& block, Metric metric, Variant variant,
                      std::string_view otherwise) {
    const Value* value = findValue(block.values, metric, Source::predicted, variant);
    if (value == nullptr || value->number() == nullptr) return std::string(otherwise);
    return formatNumber(*value->number(), metricInfo(metric).unit);
}

}  // namespace

void drawConsequences(const UiContext& ui, const AppState& state) {
    const Colors& c = ui.look.colors;
    const Launch& launch = state.view.experiment.launch;
    const bool stale = !isDrawable(state.edit);
    const Rgb ink = stale ? c.muted : c.text;
    heading(ui, stale ? "What the last launch gave" : "What that gives");
    const std::uint32_t warps = warpCountPerBlock(launch.block);
    const std::uint32_t idle = idleLaneCount(launch.block);
    fact(ui, "Threads per block", groupedDigits(launch.block.count()), ink);
    fact(ui, "Warps per block", std::to_string(warps), ink, "threads / 32, rounded up");
    fact(ui, "Idle lanes per block",
         std::to_string(idle) + (idle != 0 ? share(idle, std::uint64_t{warps} * 32) : ""),
         idle != 0 ? (stale ? c.muted : c.warning) : ink,
         "Lanes of the last warp that hold no thread: they run and do nothing.");
    fact(ui, "Blocks", groupedDigits(launch.grid.count()), ink);
    fact(ui, "Threads launched", groupedCount(launch.threadCount()), ink);
    const Kernel& kernel = kernelOf(state.view.experiment);
    if (kernel.work.empty()) return;
    const Coverage coverage = coverageOf(launch, kernel.work(state.view.experiment.arguments));
    fact(ui, "with an element", groupedDigits(coverage.useful), ink);
    fact(ui, "outside the problem",
         groupedDigits(coverage.wasted()) +
             (coverage.wasted() != 0 ? share(coverage.wasted(), coverage.launched) : ""),
         coverage.wasted() != 0 ? (stale ? c.muted : c.warning) : ink);
    if (coverage.missed != 0) {
        fact(ui, "Elements missed", groupedDigits(coverage.missed), c.bad,
             "No thread reaches these elements: the grid is too small for the problem.");
    }
    space(ui, 4);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float width = ImGui::GetContentRegionAvail().x;
    bar(*ImGui::GetWindowDrawList(), ui.look, at, {width, ui.look.px(6)},
        static_cast<float>(static_cast<double>(coverage.useful) /
                           static_cast<double>(std::max<std::uint64_t>(1, coverage.launched))),
        c.accent);
    ImGui::Dummy({width, ui.look.px(8)});
}

void drawBlockCosts(const UiContext& ui, const AppState& state) {
    const Colors& c = ui.look.colors;
    const BlockPrediction* const block = shownBlockPrediction(state);
    std::string aside;
    if (block != nullptr) {
        aside = block->exact() ? "all " + std::to_string(block->warps) + " warps"
                               : std::to_string(block->warpsTraced) + " of " +
                                     std::to_string(block->warps) + " warps";
        if (block->warps == 1) aside = "its warp";
    }
    space(ui, 12);
    heading(ui, "This block, predicted", aside);
    tooltip(ui, "Traced at once after every edit; of large blocks as many warps as a frame allows");
    const auto line = [&](std::string_view what, Metric metric, Variant variant,
                          std::string_view otherwise) {
        fact(ui, what, block == nullptr ? "..." : predicted(*block, metric, variant, otherwise),
             isDrawable(state.edit) ? c.text : c.muted);
    };
    line("Sectors per load", Metric::sectorsPerRequest, Variant::load, "no loads");
    line("Sectors per store", Metric::sectorsPerRequest, Variant::store, "no stores");
    line("Fetched bytes used", Metric::coalescingEfficiency, Variant::none, "no accesses");
    line("Divergent branches", Metric::divergentBranches, Variant::none, "no branches");
    if (!kernelOf(state.view.experiment).shared.empty()) {
        line("Bank conflicts", Metric::bankConflicts, Variant::none, "no requests");
    }
    if (block != nullptr &&
        findValue(block->values, Metric::atomicTurns, Source::predicted) != nullptr) {
        line("Atomic requests", Metric::atomicRequests, Variant::none, "none");
        line("Atomic turns", Metric::atomicTurns, Variant::none, "none");
    }
}

}  // namespace warplens::window
