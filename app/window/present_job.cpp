#include "app/window/present_job.h"

#include <tuple>

#include "app/window/figure_job.h"

namespace warplens::window {

bool operator==(const PresentPlace& a, const PresentPlace& b) {
    // Sweeps grow point by point, and are made anew for every order, as are rooflines.
    const auto alike = [](const std::shared_ptr<const KeptSweep>& one,
                          const std::shared_ptr<const KeptSweep>& other) {
        if (one == nullptr || other == nullptr) return one == other;
        const Sweep& x = one->sweep;
        const Sweep& y = other->sweep;
        return one->recorded == other->recorded && x.plan == y.plan &&
               x.predictedCount() == y.predictedCount() && x.measuredCount() == y.measuredCount();
    };
    const auto rest = [](FigureOrder order) {
        order.sweep.reset();
        order.roofline.reset();
        return order;
    };
    const auto& [x, y] = std::tie(a.order.roofline, b.order.roofline);
    return a.width == b.width && a.height == b.height && alike(a.order.sweep, b.order.sweep) &&
           (x == nullptr || y == nullptr ? x == y : *x == *y) && rest(a.order) == rest(b.order);
}

PresentPlace presentPlace(const AppState& state, int width, int height) {
    return {figureOf(state), width, height};
}

PresentPlace previewPlace(const AppState& state) {
    const FigureChoice& choice = state.figure.choice;
    return {figureOf(state, choice), choice.paper.width, choice.paper.height};
}

Command previewNow(const PresentPlace& place, std::stop_token) {
    try {
        return FigurePreviewed{slideOf(place.order, place.width, place.height)};
    } catch (const std::exception& error) {
        return Report{MessageKind::error, "No figure: " + std::string(error.what())};
    }
}

Command presentNow(const PresentPlace& place, std::stop_token) {
    try {
        return Presented{slideOf(place.order, place.width, place.height)};
    } catch (const std::exception& error) {
        return Report{MessageKind::error, "Not presented: " + std::string(error.what())};
    }
}

}  // namespace warplens::window
