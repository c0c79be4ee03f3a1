#include "app/window/state/time_view.h"

namespace warplens::window {

TimeRows shownRows(const TimeView& view, const Schedule& schedule) {
    if (view.rows) return *view.rows;
    return aboutWaits(schedule) ? TimeRows::warps : TimeRows::sms;
}

drawing::TimeSpan shownSpan(const TimeView& view, const Schedule& schedule) {
    if (view.span) return *view.span;
    return shownRows(view, schedule) == TimeRows::warps ? drawing::recordedWaits(schedule)
                                                        : drawing::TimeSpan{};
}

void setTimeView(TimeView& view, const TimeView& wanted) {
    // Written so that a bound that is no number fails too.
    if (wanted.span && !(wanted.span->begin >= 0 && wanted.span->begin < wanted.span->end &&
                         wanted.span->end <= 1)) {
        return;
    }
    view = wanted;
}

}  // namespace warplens::window
