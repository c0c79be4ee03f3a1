#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "core/sweep/sweep.h"

namespace warplens {

/// Hands the open points of a sweep out to workers as they come free, and decides what becomes of
/// each answer: for the command line and for the window. Always of the same sweep. Workers are told
/// apart by their place in a list. All points come from devices of one kind: that of the points
/// there are, else of the first worker that answers; a worker with another takes no part. A point
/// whose worker was lost goes to another one, once.
class SweepShare final {
  public:
    SweepShare() = default;
    /// `names` of the workers are for people.
    explicit SweepShare(std::vector<std::string> names);

    /// A point for this worker, which has none; nothing where there is none for it now.
    [[nodiscard]] std::optional<std::size_t> next(const Sweep& sweep, std::size_t worker);
    /// The worker's answer about the point it had. True where the sweep has changed.
    bool take(Sweep& sweep, std::size_t worker, Measurement measurement);
    bool take(Sweep& sweep, std::size_t worker, const Failure& failure);

    /// Nothing is under way and nothing more will be.
    [[nodiscard]] bool isOver(const Sweep& sweep) const;
    /// Points that workers have now.
    [[nodiscard]] std::size_t underWay() const;
    /// Workers that still take points.
    [[nodiscard]] std::size_t workersLeft() const;
    /// What was told of workers that take no more points, a line each.
    [[nodiscard]] const std::vector<std::string>& problems() const { return problems_; }
    /// Why the last of them takes none, where its device is of another kind than the points; else
    /// empty.
    [[nodiscard]] const std::string& incompatibility() const { return incompatibility_; }
    /// Why nothing at all could be measured, where that is so.
    [[nodiscard]] const std::optional<Failure>& impossible() const { return impossible_; }
    /// No more points are handed out.
    void stop() { stopped_ = true; }

  private:
    struct Worker final {
        std::string name;
        std::optional<std::size_t> point{};
        int lossesInARow = 0;
        bool hasMeasured = false;
        bool isOut = false;
    };
    void leaveOut(std::size_t worker, std::string why);
    /// The worker's point, which it no longer has.
    std::size_t takeBack(std::size_t worker);

    std::vector<Worker> workers_;
    std::set<std::size_t> taken_;
    std::map<std::size_t, std::size_t> lostBy_;  ///< the worker that was lost to a point
    std::vector<std::string> problems_;
    std::optional<Failure> impossible_;
    std::string incompatibility_;
    bool stopped_ = false;
};

}  // namespace warplens
