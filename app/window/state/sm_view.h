#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "app/drawing/schedule_chart.h"
#include "app/window/state/program.h"
#include "core/kernel/kernel.h"
#include "core/measurement/worker_protocol.h"
#include "core/occupancy/occupancy.h"
#include "core/scenario/scenario.h"
#include "core/schedule/sm_model.h"

namespace warplens::window {

struct AppState;

/// What a block asks of the SM whose slots are shown. What is left open follows the launch.
struct SmView final {
    std::optional<std::uint32_t> registers{};    ///< per thread
    std::optional<std::uint32_t> sharedBytes{};  ///< per block, static and dynamic together
    friend bool operator==(const SmView&, const SmView&) = default;
};

/// Most that the fields take; what an SM grants is less, and refusing more is what it shows.
inline constexpr std::uint32_t mostRegistersAsked = 512;
inline constexpr std::uint32_t mostSharedBytesAsked = 512 * 1024;

/// The SM as it is drawn, and where each part of the question is from, in words.
struct ShownSm final {
    const SmLimits& limits;
    std::string limitsFrom;
    BlockDemand block;
    std::string registersFrom;
    std::string sharedFrom;
    std::string unknown{};  ///< a sentence on registers that are assumed; empty where they are not
};

/// A kernel as it is to be compiled for the SM, which needs no GPU.
struct CompilePlace final {
    const Kernel* kernel = nullptr;           ///< built-in, or of a course
    std::optional<ProgramSubject> program{};  ///< or of a launch of the open file
    std::string instance;
    std::string computeCapability;
    friend bool operator==(const CompilePlace&, const CompilePlace&) = default;
};
struct CompiledPlace final {
    CompilePlace place;
    CompileAnswer answer;
};
/// The kernel whose SM is shown, where its registers would be assumed otherwise.
[[nodiscard]] std::optional<CompilePlace> wantedCompilation(const AppState& state);

/// Of the launch that is shown. Cost: microseconds.
[[nodiscard]] ShownSm shownSm(const AppState& state);

/// The fields that are typed into.
inline constexpr std::string_view registersField = "sm registers";
inline constexpr std::string_view sharedField = "sm shared";
/// What was typed into one of them; nothing follows the launch again. False where it is no number.
[[nodiscard]] bool enterSm(SmView& view, std::string_view field, std::string_view text);

/// Takes over what the view asks for, held to what the fields take.
void setSmView(AppState& state, SmView view);

enum class TimeRows : std::uint8_t {
    sms,    ///< all of them, as recorded
    warps,  ///< of one SM, as recorded
    model,  ///< of one SM, modelled
};

/// What is chosen of the model of an SM, and which of its cycles are seen.
struct ModelView final {
    std::uint32_t latency = 0;   ///< of global memory, cycles; 0: as published
    std::uint32_t resident = 0;  ///< blocks at once; 0: as many as fit
    double at = 0;               ///< first cycle that is seen
    double cycles = 1000;        ///< so many are
    bool playing = false;
    friend bool operator==(const ModelView&, const ModelView&) = default;
};

/// What the model is run for.
struct ModelPlace final {
    Experiment experiment;
    Index3 block;
    std::uint32_t resident = 1;
    SmModel model{};
    friend bool operator==(const ModelPlace&, const ModelPlace&) = default;
};
/// What came of it.
struct ModelledSm final {
    ModelPlace place;
    SmRun run{};
    std::string cut{};      ///< what of the block was taken, where not all was
    std::string failure{};  ///< why there is no run; empty where there is
};

/// What was chosen of how the shown launch's schedule is looked at; the rest follows from the
/// schedule. Another launch starts with nothing chosen.
struct TimeView final {
    std::optional<TimeRows> rows{};
    std::optional<drawing::TimeSpan> span{};
    ModelView model{};
    friend bool operator==(const TimeView&, const TimeView&) = default;
};

/// Takes over what is chosen, held to what there is. `run` may be null.
void setModelView(TimeView& view, ModelView wanted, const SmRun* run);
/// Cycles go by on their own.
void passModelTime(TimeView& view, double seconds, const SmRun* run);

/// Where nothing was chosen: the warps where the schedule is about their waits, then the time in
/// which these were recorded.
[[nodiscard]] TimeRows shownRows(const TimeView& view, const Schedule& schedule);
[[nodiscard]] drawing::TimeSpan shownSpan(const TimeView& view, const Schedule& schedule);

/// Changes nothing for a span that is empty or reaches beyond the whole.
void setTimeView(TimeView& view, const TimeView& wanted);

}  // namespace warplens::window
