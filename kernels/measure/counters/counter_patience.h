#pragma once

#include <chrono>
#include <functional>
#include <string>

namespace warplens {

/// What a measurement does about counters that another process has: asks again, later and later.
/// Who shares the GPU may be in another container or an account that takes no turns.
struct CounterPatience final {
    std::chrono::milliseconds longest{3'000};
    /// Hears how it ended: whether they were still busy.
    std::function<void(bool busy)> note{};
    /// Who is known to keep its turn and may have them: added to the reason.
    std::string suspects{};
};

/// Calls `attempt` until it no longer throws CountersBusy, for as long as the patience lasts, then
/// throws that. `waits` is called before each wait with its length and returns after it; it may
/// throw.
void askAgain(const CounterPatience& patience, const std::function<void()>& attempt,
              const std::function<void(std::chrono::milliseconds)>& waits);

}  // namespace warplens
