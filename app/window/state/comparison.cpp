#include "app/window/state/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "app/window/state/launch_names.h"
#include "app/window/state/measured_numbers.h"

namespace warplens::window {
namespace {

std::string ratioText(double ratio, const char* more, const char* less) {
    if (!std::isfinite(ratio) || ratio <= 0) return "";
    if (ratio > 0.995 && ratio < 1.005) return "same";
    const double factor = ratio > 1 ? ratio : 1 / ratio;
    const int decimals = factor >= 100 ? 0 : factor >= 10 ? 1 : 2;
    std::array<char, 48> number{};
    std::snprintf(number.data(), number.size(), "%.*f× ", decimals, factor);
    return number.data() + std::string(ratio > 1 ? more : less);
}

/// Or their times say nothing of the kernels.
bool timedAlike(const Timing& a, const Timing& b) {
    return a.from == b.from && a.cache == b.cache;
}

}  // namespace

std::vector<Comparison> compare(const Result& a, const Result& b) {
    struct Wanted {
        Metric metric;
        Variant variant;
        const char* name;
        const char* more;
        const char* less;
    };
    constexpr std::array<Wanted, 8> wanted{{
        {Metric::time, Variant::none, "Time", "slower", "faster"},
        {Metric::effectiveBandwidth, Variant::none, "Effective bandwidth", "higher", "lower"},
        {Metric::coalescingEfficiency, Variant::none, "Coalescing efficiency", "higher", "lower"},
        {Metric::sectorsPerRequest, Variant::load, "Sectors per load", "more", "fewer"},
        {Metric::sectorsPerRequest, Variant::store, "Sectors per store", "more", "fewer"},
        {Metric::branchEfficiency, Variant::none, "Branch efficiency", "higher", "lower"},
        {Metric::laneEfficiency, Variant::active, "Lane efficiency", "higher", "lower"},
        {Metric::achievedOccupancy, Variant::none, "Achieved occupancy", "higher", "lower"},
    }};
    const Evidence left = evidenceOf(nullptr, a);
    const Evidence right = evidenceOf(nullptr, b);
    std::vector<Comparison> lines;
    for (const Wanted& want : wanted) {
        const Value* va = left.best(want.metric, want.variant);
        const Value* vb = right.best(want.metric, want.variant);
        if (va == nullptr && vb == nullptr) continue;
        Comparison line{want.name, va == nullptr ? "–" : compact(*va),
                        vb == nullptr ? "–" : compact(*vb), "", 0};
        const double* na = va == nullptr ? nullptr : va->number();
        const double* nb = vb == nullptr ? nullptr : vb->number();
        if (na != nullptr && nb != nullptr && *na > 0) {
            const double ratio = *nb / *na;
            line.ratio = ratioText(ratio, want.more, want.less);
            const bool timed =
                want.metric == Metric::time || want.metric == Metric::effectiveBandwidth;
            const double spread =
                std::max(a.measurement->timing.spreadPercent, b.measurement->timing.spreadPercent);
            if (timed && !timedAlike(a.measurement->timing, b.measurement->timing)) {
                line.ratio = "timed differently";
            } else if (timed && line.ratio != "same" && 100 * std::abs(ratio - 1) < spread) {
                line.ratio = "within the spread";
            } else if (line.ratio != "same" && !line.ratio.empty()) {
                const Better better = metricInfo(want.metric).better;
                line.verdict = (ratio > 1) == (better == Better::more) ? 1 : -1;
            }
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

std::string shortName(const Experiment& experiment) {
    std::string name = experiment.scenario + "  " + timesText(experiment.launch.block);
    const std::string arguments = sizesOf(experiment);
    return arguments.empty() ? name : name + "  " + arguments;
}

}  // namespace warplens::window
