#include "app/window/present_job.h"

#include "app/window/figure_job.h"

namespace warplens::window {
namespace {

std::string stampOf(const std::optional<Result>& result) {
    if (!result) return {};
    return result->measurement->takenAt + result->measurement->experiment.scenario +
           toOptions(result->measurement->experiment);
}

}  // namespace

bool operator==(const PresentPlace& a, const PresentPlace& b) {
    const auto points = [](const FigureOrder& order) {
        return order.sweep == nullptr
                   ? std::size_t{0}
                   : order.sweep->sweep.predictedCount() + order.sweep->sweep.measuredCount();
    };
    return a.width == b.width && a.height == b.height && a.order.experiment == b.order.experiment &&
           a.order.block == b.order.block && a.order.warp == b.order.warp &&
           a.order.array == b.order.array && a.order.step == b.order.step &&
           a.order.view == b.order.view && a.order.source == b.order.source &&
           a.order.capability == b.order.capability && a.order.demand == b.order.demand &&
           a.order.theme == b.order.theme && a.order.program == b.order.program &&
           a.order.programAgainst == b.order.programAgainst &&
           (a.order.sweep == nullptr) == (b.order.sweep == nullptr) &&
           points(a.order) == points(b.order) &&
           (a.order.roofline == nullptr) == (b.order.roofline == nullptr) &&
           stampOf(a.order.result) == stampOf(b.order.result) &&
           stampOf(a.order.against) == stampOf(b.order.against);
}

PresentPlace presentPlace(const AppState& state, int width, int height) {
    return {figureOf(state), width, height};
}

Command presentNow(const PresentPlace& place, std::stop_token) {
    try {
        return Presented{slideOf(place.order, place.width, place.height)};
    } catch (const std::exception& error) {
        return Report{MessageKind::error, "Not presented: " + std::string(error.what())};
    }
}

}  // namespace warplens::window
