#include "app/window/state/comparison.h"

#include <cmath>

#include "app/window/state/timeline.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

std::string ratioText(double ratio, const char* more, const char* less) {
    if (!std::isfinite(ratio) || ratio <= 0) return "";
    if (ratio > 0.995 && ratio < 1.005) return "same";
    const double factor = ratio > 1 ? ratio : 1 / ratio;
    const int decimals = factor >= 100 ? 0 : factor >= 10 ? 1 : 2;
    return fixedNumber(factor, decimals) + "× " + (ratio > 1 ? more : less);
}

/// Or their times say nothing of the kernels.
bool timedAlike(const Timing& a, const Timing& b) {
    return a.from == b.from && a.cache == b.cache;
}

struct Wanted final {
    Metric metric;
    Variant variant;
    const char* name;
    const char* more;
    const char* less;
};

/// Nothing where neither side has a number, or both have 0.
std::optional<Comparison> lineOf(const Wanted& want, const Value* a, const Value* b) {
    const auto isNothing = [](const Value* value) {
        return value == nullptr || value->number() == nullptr || *value->number() == 0;
    };
    if (isNothing(a) && isNothing(b)) return std::nullopt;
    Comparison line{want.name, a == nullptr ? "–" : compact(*a), b == nullptr ? "–" : compact(*b),
                    "", 0};
    const double* const na = a == nullptr ? nullptr : a->number();
    const double* const nb = b == nullptr ? nullptr : b->number();
    if (na == nullptr || nb == nullptr) return line;
    const double ratio = *nb / *na;
    line.ratio = *na <= 0 ? "only B" : *nb <= 0 ? "none" : ratioText(ratio, want.more, want.less);
    if (line.ratio != "same" && !line.ratio.empty()) {
        line.verdict = (ratio > 1) == (metricInfo(want.metric).better == Better::more) ? 1 : -1;
    }
    return line;
}

constexpr const char* inShared = "Turns of atomics in shared memory";

/// Of each memory by itself, as figures of the pair have it: turns where lanes wait on a side, else
/// requests.
void addAtomics(std::vector<Comparison>& lines, const std::vector<Value>& a, Source ofA,
                const std::vector<Value>& b, Source ofB) {
    for (const bool shared : {false, true}) {
        const bool meet = atomicsIn(shared, a, ofA).meet() || atomicsIn(shared, b, ofB).meet();
        const Metric metric = meet ? Metric::atomicTurns : Metric::atomicRequests;
        const auto left = atomicsIn(shared, metric, a, ofA);
        const auto right = atomicsIn(shared, metric, b, ofB);
        const char* const name =
            !meet ? shared ? "Atomic requests in shared memory" : "Atomic requests in global memory"
            : shared ? inShared
                     : "Turns of atomics in global memory";
        auto line = lineOf({metric, Variant::none, name, "more", "fewer"}, left ? &*left : nullptr,
                           right ? &*right : nullptr);
        if (line) lines.push_back(*std::move(line));
    }
}

std::string nameOf(const ShownLaunch& launch) {
    const LaunchReport& predicted = launch.predicted();
    return predicted.kernel + launchText(predicted.launch);
}

}  // namespace

Evidence evidenceOf(const LaunchReport* prediction, const std::optional<Result>& result) {
    if (!result) return warplens::evidenceOf(prediction, nullptr, false);
    return warplens::evidenceOf(prediction, result->measurement.get(), result->recorded);
}

std::vector<Comparison> compare(const Result& a, const Result& b) {
    constexpr std::array<Wanted, 9> wanted{{
        {Metric::time, Variant::none, "Time", "slower", "faster"},
        {Metric::effectiveBandwidth, Variant::none, "Effective bandwidth", "higher", "lower"},
        {Metric::coalescingEfficiency, Variant::none, "Coalescing efficiency", "higher", "lower"},
        {Metric::sectorsPerRequest, Variant::load, "Sectors per load", "more", "fewer"},
        {Metric::sectorsPerRequest, Variant::store, "Sectors per store", "more", "fewer"},
        {Metric::sharedWavefrontsPerRequest, Variant::none, "Wavefronts per request", "more",
         "fewer"},
        {Metric::branchEfficiency, Variant::none, "Branch efficiency", "higher", "lower"},
        {Metric::laneEfficiency, Variant::active, "Lane efficiency", "higher", "lower"},
        {Metric::achievedOccupancy, Variant::none, "Achieved occupancy", "higher", "lower"},
    }};
    const Evidence left = evidenceOf(nullptr, a);
    const Evidence right = evidenceOf(nullptr, b);
    const bool isUnequal =
        unequalWork(a.measurement->experiment, b.measurement->experiment).has_value();
    std::vector<Comparison> lines;
    for (const Wanted& want : wanted) {
        const Value* va = left.best(want.metric, want.variant);
        const Value* vb = right.best(want.metric, want.variant);
        auto line = lineOf(want, va, vb);
        if (!line) continue;
        const bool timed = want.metric == Metric::time || want.metric == Metric::effectiveBandwidth;
        if (timed && !line->ratio.empty()) {
            const double ratio = *vb->number() / *va->number();
            const double spread =
                std::max(a.measurement->timing.spreadPercent, b.measurement->timing.spreadPercent);
            if (!timedAlike(a.measurement->timing, b.measurement->timing)) {
                line->ratio = "timed differently";
                line->verdict = 0;
            } else if (line->ratio != "same" && 100 * std::abs(ratio - 1) < spread) {
                line->ratio = "within the spread";
                line->verdict = 0;
            }
        }
        lines.push_back(*std::move(line));
    }
    const Value* const ofA = left.best(Metric::atomicTurns);
    const Value* const ofB = right.best(Metric::atomicTurns);
    if (ofA != nullptr && ofB != nullptr)
        addAtomics(lines, left.values, ofA->source, right.values, ofB->source);
    for (Comparison& line : lines) {
        const bool isOfAll = line.name == "Time" || line.name.starts_with("Turns") ||
                             line.name.starts_with("Atomic");
        if (!isOfAll || !isUnequal || line.ratio.empty()) continue;
        line.ratio = "not the same work";
        line.verdict = 0;
    }
    return lines;
}

std::optional<ProgramComparison> programComparison(const AppState& state) {
    const std::optional<ShownLaunch> shown = shownLaunch(state);
    if (!shown) return std::nullopt;
    ProgramComparison result{.a = {}, .b = nameOf(*shown), .lines = {}};
    const std::vector<Value>* of = nullptr;
    const std::optional<ShownLaunch> pinned = launchHeldAgainst(state);
    if (pinned) {
        of = &pinned->predicted().values;
        result.a = nameOf(*pinned);
        if (pinned->path != shown->path) {
            result.a += " of " + std::filesystem::path(pinned->path).filename().string();
        } else if (pinned->version != shown->version) {
            result.a += ", as it was";
        }
    } else if (state.pinnedA && !state.pinnedProgram) {
        of = &state.pinnedA->measurement->values;
        result.a = shortName(state.pinnedA->measurement->experiment);
    } else {
        return std::nullopt;
    }
    constexpr std::array<Wanted, 8> wanted{{
        {Metric::globalLoadRequests, Variant::none, "Load requests", "more", "fewer"},
        {Metric::globalLoadSectors, Variant::none, "Load sectors", "more", "fewer"},
        {Metric::globalStoreRequests, Variant::none, "Store requests", "more", "fewer"},
        {Metric::globalStoreSectors, Variant::none, "Store sectors", "more", "fewer"},
        {Metric::coalescingEfficiency, Variant::none, "Coalescing", "higher", "lower"},
        {Metric::sharedWavefronts, Variant::none, "Shared wavefronts", "more", "fewer"},
        {Metric::bankConflicts, Variant::none, "Bank conflicts", "more", "fewer"},
        {Metric::divergentBranches, Variant::none, "Divergent branches", "more", "fewer"},
    }};
    const auto predicted = [](const std::vector<Value>& values, const Wanted& want) {
        return findValue(values, want.metric, Source::predicted, want.variant, "kernel");
    };
    // Figures count them by themselves.
    const auto atGuards = [](const LaunchReport& launch) {
        double times = 0;
        for (const ProgramLine& line : launch.lines) {
            if (line.isGuard && line.source == Source::predicted)
                times += static_cast<double>(line.divergent);
        }
        return times;
    };
    const double guardsOfA = pinned ? atGuards(pinned->predicted()) : 0;
    const double guardsOfB = atGuards(shown->predicted());
    for (Wanted want : wanted) {
        const Value* const a = predicted(*of, want);
        const Value* const b = predicted(shown->predicted().values, want);
        const bool withGuards =
            want.metric == Metric::divergentBranches && guardsOfA + guardsOfB > 0;
        if (withGuards) want.name = "Divergent, guards too";
        auto line = lineOf(want, a, b);
        if (!line) continue;
        // Of guards alone neither is better.
        const auto rest = [](const Value* value, double guards) {
            return value == nullptr || value->number() == nullptr ? 0 : *value->number() - guards;
        };
        if (withGuards && rest(a, guardsOfA) == rest(b, guardsOfB)) line->verdict = 0;
        result.lines.push_back(*std::move(line));
    }
    addAtomics(result.lines, *of, Source::predicted, shown->predicted().values, Source::predicted);
    // A scenario's are told of its source; of files of one's own the compiled code decides whether
    // lanes at one address of shared memory add together.
    const bool isJoined = std::ranges::any_of(shown->predicted().lines, [](const ProgramLine& own) {
        return own.isJoined && own.kind == AccessKind::sharedAtomic;
    });
    if (!pinned && isJoined && !result.lines.empty() && result.lines.back().name == inShared) {
        result.lines.back().ratio = "joined by the compiler";
        result.lines.back().verdict = 0;
    }
    return result;
}

std::string shortName(const Experiment& experiment) {
    std::string name = experiment.scenario + "  " + timesText(experiment.launch.block);
    const std::string arguments = sizesOf(experiment);
    return arguments.empty() ? name : name + "  " + arguments;
}

std::string shortName(const Result& result) {
    return shortName(result.measurement->experiment) + (result.recorded ? "  (recorded)" : "");
}

std::string timesText(Extents extents) {
    std::string name = std::to_string(extents.x);
    if (extents.y != 1 || extents.z != 1) name += "×" + std::to_string(extents.y);
    if (extents.z != 1) name += "×" + std::to_string(extents.z);
    return name;
}

std::vector<std::string> labelsOf(const std::vector<const Recording*>& recordings) {
    const auto differs = [&](const std::string& size, std::int64_t value) {
        return std::ranges::any_of(recordings, [&](const Recording* other) {
            const Arguments& arguments = other->measurement.experiment.arguments;
            return !arguments.contains(size) || arguments.at(size) != value;
        });
    };
    // The grid follows from block and sizes, unless it is itself the problem.
    const auto onlyGridsDiffer = [&](const Experiment& experiment) {
        return std::ranges::any_of(recordings, [&](const Recording* other) {
            const Experiment& theirs = other->measurement.experiment;
            return theirs.launch.block == experiment.launch.block &&
                   theirs.arguments == experiment.arguments &&
                   theirs.launch.grid != experiment.launch.grid;
        });
    };
    std::vector<std::string> labels;
    for (const Recording* recording : recordings) {
        const Measurement& m = recording->measurement;
        std::string label = timesText(m.experiment.launch.block);
        if (onlyGridsDiffer(m.experiment)) {
            const Extents grid = m.experiment.launch.grid;
            label = timesText(grid) + (grid.count() == 1 ? " block of " : " blocks of ") + label;
        }
        for (const auto& [size, value] : m.experiment.arguments.entries()) {
            if (differs(size, value)) label += " · " + size + " " + std::to_string(value);
        }
        std::string_view device = m.device.name;
        constexpr std::string_view maker = "NVIDIA ";
        if (device.starts_with(maker)) device.remove_prefix(maker.size());
        labels.push_back(label + " · " + std::string(device));
    }
    return labels;
}

}  // namespace warplens::window
