#include "kernels/measure/counters/counter_patience.h"

#include <algorithm>
#include <random>

#include "kernels/measure/counters/cupti_library.h"

namespace warplens {
namespace {

using namespace std::chrono_literals;

constexpr auto firstWait = 20ms;
constexpr auto longestWait = 320ms;

}  // namespace

void askAgain(const CounterPatience& patience, const std::function<void()>& attempt,
              const std::function<void(std::chrono::milliseconds)>& waits) {
    // Whoever asks in step with another meets it each time.
    std::minstd_rand random(std::random_device{}());
    std::chrono::milliseconds wait = firstWait;
    std::chrono::milliseconds waited{};
    while (true) {
        try {
            attempt();
            if (patience.note) patience.note(false);
            return;
        } catch (const CountersBusy& busy) {
            if (waited >= patience.longest) {
                if (patience.note) patience.note(true);
                throw CountersBusy(busy.what() + patience.suspects);
            }
        }
        const std::chrono::milliseconds now(wait.count() / 2 +
                                            static_cast<std::int64_t>(random()) % wait.count());
        waits(now);
        waited += now;
        wait = std::min<std::chrono::milliseconds>(2 * wait, longestWait);
    }
}

}  // namespace warplens
