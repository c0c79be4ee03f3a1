#include "kernels/turns/turn_queue.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "kernels/turns/place.h"
#include "kernels/turns/watchdog.h"

namespace warplens {
namespace {

using namespace std::chrono_literals;

constexpr int signsInSilence = 8;
constexpr auto shortestLook = 2ms;  // of the one whose turn comes next
constexpr auto longestLook = 50ms;
constexpr auto timeBetweenReports = 250ms;
constexpr auto busyIsRemembered = 60s;

/// Returns early when `stop` is asked for.
void sleepFor(std::chrono::milliseconds time, const std::stop_token& stop) {
    std::mutex mutex;
    std::unique_lock lock(mutex);
    std::condition_variable_any changed;
    changed.wait_for(lock, stop, time, [] { return false; });
}

}  // namespace

std::string inWords(const PlaceInQueue& place) {
    std::string words = std::to_string(place.before) + " before you";
    if (place.about) {
        const auto seconds = std::chrono::ceil<std::chrono::seconds>(*place.about).count();
        words += ", about " + std::to_string(seconds) + " s";
    }
    return words;
}

struct Turn::State final {
    TurnLimits limits;
    std::unique_ptr<Place> place;
    std::string outOfOrder;
    std::vector<std::string> passedOver;
    Watchdog* watchdog = nullptr;
    TurnClock::time_point begun = TurnClock::now();
    std::mutex mutex;
    TurnClock::time_point lastSign = begun;
    bool stoodStill = false;
    std::jthread signs;

    void begin() {
        if (watchdog != nullptr) watchdog->begin(limits.silence, limits.longestTurn);
        place->sayAlive(begun);
        signs = std::jthread([this](const std::stop_token& ending) {
            while (!ending.stop_requested()) {
                sleepFor(limits.silence / signsInSilence, ending);
                if (!ending.stop_requested()) sign();
            }
        });
    }
    void sign() {
        const std::lock_guard lock(mutex);
        const TurnClock::time_point now = TurnClock::now();
        stoodStill |= now - lastSign > limits.silence;
        lastSign = now;
        place->sayAlive(begun);
        if (watchdog != nullptr) watchdog->sayAlive();
    }
    ~State() {
        if (!place) return;
        signs = {};  // ends the thread, and waits for that
        sign();
        if (!stoodStill) place->notices().addTurn(TurnClock::now() - begun);
        if (watchdog != nullptr) watchdog->end();
    }
};

Turn::Turn() : state_(std::make_unique<State>()) {}
Turn::Turn(std::unique_ptr<State> state) : state_(std::move(state)) {}
Turn::Turn(Turn&&) noexcept = default;
Turn& Turn::operator=(Turn&&) noexcept = default;
Turn::~Turn() = default;

const std::string& Turn::outOfOrder() const {
    return state_->outOfOrder;
}

const std::vector<std::string>& Turn::passedOver() const {
    return state_->passedOver;
}

bool Turn::wasPassedOver() const {
    if (!state_->place) return false;
    state_->sign();
    const std::lock_guard lock(state_->mutex);
    return state_->stoodStill;
}

bool Turn::isAwaited() const {
    return state_->place && state_->place->hasFollowers();
}

bool Turn::countersWereBusy() const {
    if (!state_->place) return false;
    const auto since = state_->place->notices().countersBusy();
    return since && TurnClock::now() - *since < busyIsRemembered;
}

void Turn::noteCounters(bool busy) const {
    if (state_->place) state_->place->notices().setCountersBusy(busy);
}

TurnQueue::TurnQueue(std::string device, Watchdog* watchdog, TurnLimits limits,
                     std::vector<std::filesystem::path> folders)
    : device_(std::move(device)),
      watchdog_(watchdog),
      limits_(limits),
      folders_(std::move(folders)) {}

std::optional<Turn> TurnQueue::wait(const std::function<void(const PlaceInQueue&)>& report,
                                    std::stop_token stop) const {
    auto state = std::make_unique<Turn::State>();
    state->limits = limits_;
    std::unique_ptr<Place> place;
    std::optional<PlaceInQueue> told;
    TurnClock::time_point nextSign{};
    TurnClock::time_point nextReport{};
    while (!stop.stop_requested()) {
        const TurnClock::time_point now = TurnClock::now();
        if (now >= nextSign) {
            nextSign = now + limits_.silence / signsInSilence;
            if (place) place->sayAlive(std::nullopt);
            try {
                // Its file may have been taken away: those who come now would not see this place.
                if (!place || !place->isCurrent()) {
                    place = std::make_unique<Place>(device_, folders_, limits_);
                }
            } catch (const std::runtime_error& error) {
                state->outOfOrder = error.what();
                return Turn(std::move(state));
            }
        }
        if (place->isNext()) {
            state->passedOver = place->passedOver();
            state->place = std::move(place);
            state->watchdog = watchdog_;
            state->begun = state->lastSign = TurnClock::now();
            state->begin();
            return Turn(std::move(state));
        }
        if (now >= nextReport) {
            nextReport = now + timeBetweenReports;
            const PlaceInQueue at = place->place();
            if (report && at != told && at.before > 0) report(at);
            told = at;
        }
        const auto rank = static_cast<int>(std::max<std::size_t>(told->before, 1));
        sleepFor(std::min<std::chrono::milliseconds>(rank * shortestLook, longestLook), stop);
    }
    return std::nullopt;
}

std::size_t TurnQueue::count() const {
    return placesTaken(device_, folders_);
}

}  // namespace warplens
