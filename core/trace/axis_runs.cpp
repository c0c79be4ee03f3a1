#include "core/trace/axis_runs.h"

#include <algorithm>
#include <numeric>
#include <random>
#include <unordered_map>

namespace warplens::trace {
namespace {

/// Looks at an axis, at each block once.
class Axis final {
  public:
    Axis(std::uint32_t extent, std::uint32_t window, std::span<const std::uint32_t> suspects,
         const std::function<std::uint64_t(std::uint32_t)>& kindAt, int looks)
        : extent_(extent), window_(window), suspects_(suspects), kindAt_(kindAt), looks_(looks) {}

    std::optional<std::vector<AxisRun>> runs() {
        std::vector<AxisRun> found;
        for (std::uint32_t first = 0; first < extent_; first += found.back().count) {
            if (found.size() > window_) return std::nullopt;
            found.push_back(runFrom(first));
            // A run that repeats nothing is told from its neighbours one by one.
            if (found.back().count < 2 && extent_ - first > window_ && found.size() > window_ / 2) {
                return std::nullopt;
            }
        }
        return found;
    }

  private:
    std::uint64_t at(std::uint32_t x) {
        const auto known = known_.find(x);
        if (known != known_.end()) return known->second;
        return known_.emplace(x, kindAt_(x)).first->second;
    }

    /// The longest run that begins there: two periods of it at least, or a single block.
    AxisRun runFrom(std::uint32_t first) {
        const std::uint32_t left = extent_ - first;
        const std::uint32_t seen = std::min(left, window_);
        AxisRun best{first, 1, 1};
        for (std::uint32_t period = 1; period <= seen / 2; ++period) {
            std::uint32_t length = period;
            while (length < seen && at(first + length) == at(first + length - period)) ++length;
            if (length >= 2 * period && length > best.count) best = {first, length, period};
        }
        if (best.count == seen && left > seen) best.count = extended(best);
        return best;
    }

    /// How far the run goes on.
    std::uint32_t extended(const AxisRun& run) {
        const auto fits = [&](std::uint32_t x) {
            return at(x) == at(run.first + (x - run.first) % run.period);
        };
        std::uint32_t end = extent_;  // none before it is known not to fit
        if (!fits(end - 1)) end = firstUnfit(run.first + run.count, end - 1, fits);
        for (const std::uint32_t x : suspects_) {
            if (x >= run.first + run.count && x < end && !fits(x)) {
                end = firstUnfit(run.first + run.count, x, fits);
            }
        }
        const auto tryAt = [&](std::uint64_t x) {
            if (x < run.first + run.count || x >= end) return;
            const auto at = static_cast<std::uint32_t>(x);
            if (!fits(at)) end = firstUnfit(run.first + run.count, at, fits);
        };
        // Kinds often change at powers of two; and a period may end within one of its rounds.
        for (std::uint64_t step = 1; step < extent_; step *= 2) tryAt(run.first + step);
        for (std::uint32_t back = 2; back <= looksAtEnd && back <= end; ++back) tryAt(end - back);
        for (int look = 0; look < looks_ && end > run.first + run.count; ++look) {
            tryAt(run.first + run.count + random_() % (end - run.first - run.count));
        }
        return end - run.first;
    }

    /// `unfit` does not fit, what lies before `from` does.
    template <class Fits>
    static std::uint32_t firstUnfit(std::uint32_t from, std::uint32_t unfit, Fits fits) {
        while (from < unfit) {
            const std::uint32_t middle = from + (unfit - from) / 2;
            if (fits(middle)) {
                from = middle + 1;
            } else {
                unfit = middle;
            }
        }
        return unfit;
    }

    static constexpr std::uint32_t looksAtEnd = 4;

    std::uint32_t extent_;
    std::uint32_t window_;
    std::span<const std::uint32_t> suspects_;
    const std::function<std::uint64_t(std::uint32_t)>& kindAt_;
    std::unordered_map<std::uint32_t, std::uint64_t> known_;
    int looks_;
    std::mt19937_64 random_{1};
};

}  // namespace

std::optional<std::vector<AxisRun>> runsAlong(
    std::uint32_t extent, std::uint32_t window, std::span<const std::uint32_t> suspects,
    const std::function<std::uint64_t(std::uint32_t)>& kindAt, int looks) {
    return Axis(extent, window, suspects, kindAt, looks).runs();
}

std::vector<AxisRun> commonRuns(const std::vector<AxisRun>& a, const std::vector<AxisRun>& b) {
    std::vector<AxisRun> common;
    auto one = a.begin();
    auto other = b.begin();
    for (std::uint32_t first = 0; one != a.end() && other != b.end();) {
        const std::uint32_t end = std::min(one->first + one->count, other->first + other->count);
        const std::uint64_t period = std::lcm(std::uint64_t{one->period}, other->period);
        const std::uint32_t count = end - first;
        common.push_back(
            {first, count, static_cast<std::uint32_t>(std::min<std::uint64_t>(period, count))});
        first = end;
        if (one->first + one->count == end) ++one;
        if (other->first + other->count == end) ++other;
    }
    return common;
}

std::vector<AxisPart> partsOf(const std::vector<AxisRun>& runs) {
    std::vector<AxisPart> parts;
    for (const AxisRun& run : runs) {
        for (std::uint32_t i = 0; i < std::min(run.period, run.count); ++i) {
            parts.push_back({run.first + i, run.period, (run.count - i - 1) / run.period + 1});
        }
    }
    return parts;
}

}  // namespace warplens::trace
