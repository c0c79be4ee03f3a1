#include "core/sweep/share.h"

#include <algorithm>

namespace warplens {

SweepShare::SweepShare(std::vector<std::string> names) {
    for (std::string& name : names) workers_.push_back({.name = std::move(name)});
}

std::optional<std::size_t> SweepShare::next(const Sweep& sweep, std::size_t worker) {
    Worker& asks = workers_.at(worker);
    if (stopped_ || asks.isOut || asks.point) return std::nullopt;
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        const bool open = std::holds_alternative<std::monostate>(sweep.points[i].measured);
        if (!open || taken_.contains(i)) continue;
        // Where it was lost it may be lost again.
        const auto lost = lostBy_.find(i);
        if (lost != lostBy_.end() && lost->second == worker && workersLeft() > 1) continue;
        asks.point = i;
        taken_.insert(i);
        return i;
    }
    return std::nullopt;
}

std::size_t SweepShare::takeBack(std::size_t worker) {
    const std::size_t point = workers_.at(worker).point.value();
    workers_[worker].point.reset();
    taken_.erase(point);
    return point;
}

bool SweepShare::take(Sweep& sweep, std::size_t worker, Measurement measurement) {
    if (measurement.experiment != sweep.points.at(workers_.at(worker).point.value()).experiment) {
        return take(sweep, worker,
                    Failure{FailureKind::failed, "the worker measured another launch"});
    }
    const std::size_t point = takeBack(worker);
    workers_[worker].lossesInARow = 0;
    if (const std::string reason = incompatibilityReason(sweep, measurement); !reason.empty()) {
        incompatibility_ = reason;
        leaveOut(worker, reason);
        return false;
    }
    workers_[worker].hasMeasured = true;
    sweep.points[point].measured = std::move(measurement);
    return true;
}

bool SweepShare::take(Sweep& sweep, std::size_t worker, const Failure& failure) {
    const std::size_t point = takeBack(worker);
    switch (failure.kind) {
        case FailureKind::cancelled:
            stop();
            return false;
        case FailureKind::impossible:
            // Where other points were measured it is this one that cannot be.
            if (workers_[worker].hasMeasured) break;
            impossible_ = failure;
            leaveOut(worker, failure.message);
            return false;
        case FailureKind::failed: {
            const bool others = workersLeft() > 1;
            if (++workers_[worker].lossesInARow == 2) leaveOut(worker, failure.message);
            if (others && lostBy_.emplace(point, worker).second) return false;
            break;
        }
        case FailureKind::invalid:
        case FailureKind::wrongResult:
            workers_[worker].lossesInARow = 0;
            break;
    }
    sweep.points[point].measured = failure;
    return true;
}

void SweepShare::leaveOut(std::size_t worker, std::string why) {
    workers_.at(worker).isOut = true;
    problems_.push_back(workers_.at(worker).name + " takes no more points: " + std::move(why));
}

bool SweepShare::isOver(const Sweep& sweep) const {
    if (underWay() > 0) return false;
    return stopped_ || workersLeft() == 0 || !sweep.nextToMeasure();
}

std::size_t SweepShare::underWay() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        workers_, [](const Worker& worker) { return worker.point.has_value(); }));
}

std::size_t SweepShare::workersLeft() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(workers_, [](const Worker& worker) { return !worker.isOut; }));
}

}  // namespace warplens
