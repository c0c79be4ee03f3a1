#include "app/window/state/time_view.h"

namespace warplens::window {

TimeView timeViewOf(const Schedule& schedule, TimeRows rows) {
    return {rows, rows == TimeRows::warps ? drawing::recordedWaits(schedule) : drawing::TimeSpan{}};
}

}  // namespace warplens::window
