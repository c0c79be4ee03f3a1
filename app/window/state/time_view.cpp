#include "app/window/state/time_view.h"

#include <algorithm>

namespace warplens::window {
namespace {

constexpr double fewestCycles = 40;
constexpr double mostCycles = 40'000;
/// Of the cycles that are seen.
constexpr double shareASecond = 0.25;

}  // namespace

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
