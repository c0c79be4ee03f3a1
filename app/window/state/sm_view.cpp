#include "app/window/state/sm_view.h"

#include <ranges>

#include "app/window/state/sm_grid.h"
#include "app/window/state/timeline.h"
#include "core/text/format.h"
#include "core/text/lines.h"
#include "kernels/library/prepared_launch.h"

namespace warplens::window {
namespace {

/// What is known of a launch, before the compiler of this machine was asked.
struct KnownDemand final {
    StatedDemand known;
    const Device* device = nullptr;  ///< that an own launch was measured on
    bool assumed = false;            ///< its registers
};

/// Of the launch that is chosen in the open file: what it was compiled to once it was measured,
/// before that what its trace tells of shared memory.
KnownDemand demandOfChosen(const AppState& state) {
    const ProgramResult* const now = resultOfChosen(state.program);
    const ProgramResult* const any = now != nullptr ? now : formerResultOfChosen(state.program);
    const LaunchReport* const chosen = chosenLaunch(state.program);
    const Launch& launch = chosen == nullptr ? state.view.experiment.launch : chosen->launch;
    KnownDemand own{.known = {.block = {.threads = launch.block.count(),
                                        .registersPerThread = assumedRegisters,
                                        .dynamicSharedBytes = launch.dynamicSharedBytes},
                              .registersFrom = "assumed",
                              .sharedFrom = "what the block uses"}};
    if (any != nullptr) {
        const ProgramMeasurement& measured = *any->measurement;
        own.device = &measured.device;
        own.known.block.registersPerThread = measured.resources.registersPerThread;
        own.known.block.staticSharedBytes = measured.resources.staticSharedBytes;
        own.known.registersFrom = own.known.sharedFrom =
            std::string(now != nullptr ? "as compiled for " : "of a former text, compiled for ") +
            measured.device.computeCapability;
        return own;
    }
    const ProgramSteps* const steps = shownSteps(state);
    if (steps != nullptr && steps->steps != nullptr) {
        own.known.block.staticSharedBytes = steps->steps->staticSharedBytes;
    } else {
        own.known.sharedFrom = "not traced yet";
    }
    own.assumed = true;
    return own;
}

/// Everything measured that is at hand: this session's results, the newest first, and recordings.
std::vector<const Measurement*> measurementsOf(const AppState& state) {
    std::vector<const Measurement*> measurements;
    for (const Result& result : state.results | std::views::reverse) {
        measurements.push_back(result.measurement.get());
    }
    for (const Recording& recording : state.library->recordings) {
        measurements.push_back(&recording.measurement);
    }
    return measurements;
}

struct ChosenLimits final {
    const SmLimits* limits;
    std::string from;
    const Device* device = nullptr;  ///< that has them, where one was measured
};

ChosenLimits limitsFor(const AppState& state, const std::vector<const Measurement*>& measured,
                       const Device* own) {
    if (state.view.capability) {
        const SmLimits* const limits = findSmLimits(*state.view.capability);
        const auto has = [&](const Measurement* each) {
            return smLimitsOf(each->device) == limits;
        };
        const auto one = std::ranges::find_if(measured, has);
        return {limits, "chosen", one == measured.end() ? own : &(*one)->device};
    }
    if (own != nullptr) {
        if (const SmLimits* const limits = smLimitsOf(*own)) return {limits, own->name, own};
    }
    // The shown launch's own device first, then any that was ever measured.
    for (const bool ofThisLaunch : {true, false}) {
        for (const Measurement* measurement : measured) {
            const bool same = measurement->experiment == state.view.experiment;
            const SmLimits* const limits = smLimitsOf(measurement->device);
            if (limits != nullptr && same == ofThisLaunch)
                return {limits, measurement->device.name, &measurement->device};
        }
    }
    return {findSmLimits(assumedCapability), "assumed"};
}

KnownDemand knownDemand(const AppState& state, const std::vector<const Measurement*>& measured) {
    if (showsProgram(state)) return demandOfChosen(state);
    const Measurement* const told = tellingResources(state.view.experiment, measured);
    return {.known = demandOf(state.view.experiment, told), .assumed = told == nullptr};
}

std::optional<CompilePlace> placeToCompile(const AppState& state, const SmLimits& limits) {
    const std::string capability = toString(limits.capability);
    if (!showsProgram(state)) {
        const Kernel& kernel = kernelOf(state);
        return CompilePlace{.kernel = &kernel,
                            .instance = kernel.instance(state.view.experiment.arguments),
                            .computeCapability = capability};
    }
    const LaunchReport* const launch = chosenLaunch(state.program);
    if (launch == nullptr) return std::nullopt;
    return CompilePlace{.program = subjectOfChosen(state.program),
                        .instance = launch->instance,
                        .computeCapability = capability};
}

constexpr double fewestCycles = 40;
constexpr double mostCycles = 40'000;
/// Of the cycles that are seen.
constexpr double shareASecond = 0.25;

}  // namespace

std::optional<CompilePlace> wantedCompilation(const AppState& state) {
    if (state.view.picture != PictureKind::slots) return std::nullopt;
    const std::vector<const Measurement*> measured = measurementsOf(state);
    const KnownDemand own = knownDemand(state, measured);
    if (!own.assumed) return std::nullopt;
    return placeToCompile(state, *limitsFor(state, measured, own.device).limits);
}

ShownSm shownSm(const AppState& state) {
    const std::vector<const Measurement*> measured = measurementsOf(state);
    KnownDemand own = knownDemand(state, measured);
    StatedDemand& known = own.known;
    const ChosenLimits chosen = limitsFor(state, measured, own.device);
    std::string unknown;
    if (own.assumed) {
        const auto place = placeToCompile(state, *chosen.limits);
        if (state.compiled != nullptr && place == state.compiled->place) {
            known.take(state.compiled->answer);
            if (!known.unknown.empty()) {
                unknown = "Registers are assumed: " + known.unknown + ". Measure it" +
                          (showsProgram(state) ? ", or type what nvcc said." : ".");
            }
        } else if (place) {
            unknown = "Registers are assumed until it is compiled.";
        }
    }
    ShownSm sm{*chosen.limits,      chosen.from,      known.block,
               known.registersFrom, known.sharedFrom, std::move(unknown)};
    const auto typed = [](std::uint64_t launched) {
        return "typed in; the launch has " + groupedDigits(launched);
    };
    if (state.sm.registers) {
        sm.unknown.clear();
        sm.registersFrom = typed(sm.block.registersPerThread);
        sm.block.registersPerThread = *state.sm.registers;
    }
    if (state.sm.sharedBytes) {
        sm.sharedFrom = typed(sm.block.sharedBytes());
        sm.block.staticSharedBytes = 0;
        sm.block.dynamicSharedBytes = *state.sm.sharedBytes;
    }
    return sm;
}

drawing::GridShare shownGrid(const AppState& state) {
    const std::vector<const Measurement*> measured = measurementsOf(state);
    const ChosenLimits chosen = limitsFor(state, measured, knownDemand(state, measured).device);
    return drawing::gridShareOf(state.view.experiment.launch.grid.count(), *chosen.limits,
                                chosen.device);
}

bool enterSm(SmView& view, std::string_view field, std::string_view text) {
    const std::string_view word = trimmed(text);
    const auto value = wholeNumber<std::uint32_t>(word);
    if (!value && !word.empty()) return false;
    (field == registersField ? view.registers : view.sharedBytes) = value;
    return true;
}

void setSmView(AppState& state, SmView view) {
    if (view.registers) view.registers = std::min(*view.registers, mostRegistersAsked);
    if (view.sharedBytes) view.sharedBytes = std::min(*view.sharedBytes, mostSharedBytesAsked);
    state.sm = view;
}

TimeRows shownRows(const TimeView& view, const Schedule& schedule) {
    if (view.rows) return *view.rows;
    return aboutWaits(schedule) ? TimeRows::warps : TimeRows::sms;
}

drawing::TimeSpan shownSpan(const TimeView& view, const Schedule& schedule) {
    if (view.span) return *view.span;
    return shownRows(view, schedule) == TimeRows::warps ? drawing::recordedWaits(schedule)
                                                        : drawing::TimeSpan{};
}

void setModelView(TimeView& view, ModelView wanted, const SmRun* run) {
    const double last = run == nullptr ? 0 : static_cast<double>(run->spansEnd);
    // Written so that what is no number stays as it was.
    if (!(wanted.cycles > 0) || !(wanted.at >= 0 || wanted.at < 0)) return;
    wanted.cycles = std::clamp(wanted.cycles, fewestCycles, mostCycles);
    wanted.at = std::clamp(wanted.at, 0.0, std::max(0.0, last - wanted.cycles / 2));
    view.model = wanted;
}

void passModelTime(TimeView& view, double seconds, const SmRun* run) {
    if (!view.model.playing || !(seconds > 0) || run == nullptr) return;
    ModelView next = view.model;
    next.at += std::min(seconds, 1.0) * next.cycles * shareASecond;
    const double before = view.model.at;
    setModelView(view, next, run);
    if (view.model.at == before) view.model.playing = false;
}

void setTimeView(TimeView& view, const TimeView& wanted) {
    // Written so that a bound that is no number fails too.
    if (wanted.span && !(wanted.span->begin >= 0 && wanted.span->begin < wanted.span->end &&
                         wanted.span->end <= 1)) {
        return;
    }
    view.rows = wanted.rows;
    view.span = wanted.span;
}

}  // namespace warplens::window
