#include "kernels/turns/gpu_lock.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <mutex>
#include <sys/socket.h>
#include <system_error>
#include <thread>
#include <unistd.h>

#include "kernels/turns/ticket.h"

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

struct GpuLock::State final {
    LockLimits limits;
    std::unique_ptr<Ticket> place;
    std::string outOfOrder;
    std::vector<std::string> passedOver;
    const WatchedLine* watched = nullptr;
    LockClock::time_point begun = LockClock::now();
    std::mutex mutex;
    LockClock::time_point lastSign = begun;
    bool stoodStill = false;
    std::jthread signs;

    void begin() {
        if (watched != nullptr) watched->begin(limits.silence, limits.longest);
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
        const LockClock::time_point now = LockClock::now();
        stoodStill |= now - lastSign > limits.silence;
        lastSign = now;
        place->sayAlive(begun);
        if (watched != nullptr) watched->sayAlive();
    }
    ~State() {
        if (!place) return;
        signs = {};  // ends the thread, and waits for that
        sign();
        if (!stoodStill) place->heartbeats().addTime(LockClock::now() - begun);
        if (watched != nullptr) watched->end();
    }
};

GpuLock::GpuLock() : state_(std::make_unique<State>()) {}
GpuLock::GpuLock(std::unique_ptr<State> state) : state_(std::move(state)) {}
GpuLock::GpuLock(GpuLock&&) noexcept = default;
GpuLock& GpuLock::operator=(GpuLock&&) noexcept = default;
GpuLock::~GpuLock() = default;

const std::string& GpuLock::outOfOrder() const {
    return state_->outOfOrder;
}

const std::vector<std::string>& GpuLock::passedOver() const {
    return state_->passedOver;
}

bool GpuLock::wasPassedOver() const {
    if (!state_->place) return false;
    state_->sign();
    const std::lock_guard lock(state_->mutex);
    return state_->stoodStill;
}

bool GpuLock::isAwaited() const {
    return state_->place && state_->place->hasFollowers();
}

bool GpuLock::countersWereBusy() const {
    if (!state_->place) return false;
    const auto since = state_->place->heartbeats().countersBusy();
    return since && LockClock::now() - *since < busyIsRemembered;
}

void GpuLock::noteCounters(bool busy) const {
    if (state_->place) state_->place->heartbeats().setCountersBusy(busy);
}

GpuQueue::GpuQueue(std::string device, const WatchedLine* watched, LockLimits limits,
                   std::vector<std::filesystem::path> folders)
    : device_(std::move(device)),
      watched_(watched),
      limits_(limits),
      folders_(std::move(folders)) {}

std::optional<GpuLock> GpuQueue::wait(const std::function<void(const PlaceInQueue&)>& report,
                                      std::stop_token stop) const {
    auto state = std::make_unique<GpuLock::State>();
    state->limits = limits_;
    std::unique_ptr<Ticket> place;
    std::optional<PlaceInQueue> told;
    LockClock::time_point nextSign{};
    LockClock::time_point nextReport{};
    while (!stop.stop_requested()) {
        const LockClock::time_point now = LockClock::now();
        if (now >= nextSign) {
            nextSign = now + limits_.silence / signsInSilence;
            if (place) place->sayAlive(std::nullopt);
            try {
                // Its file may have been taken away: those who come now would not see this place.
                if (!place || !place->isCurrent()) {
                    place = std::make_unique<Ticket>(device_, folders_, limits_);
                }
            } catch (const std::runtime_error& error) {
                state->outOfOrder = error.what();
                return GpuLock(std::move(state));
            }
        }
        if (place->isNext()) {
            state->passedOver = place->passedOver();
            state->place = std::move(place);
            state->watched = watched_;
            state->begun = state->lastSign = LockClock::now();
            state->begin();
            return GpuLock(std::move(state));
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

std::size_t GpuQueue::count() const {
    return placesTaken(device_, folders_);
}

namespace {

using std::chrono::milliseconds;

enum class Word : std::int64_t { alive, begin, end };

struct Message final {
    Word word{};
    std::int64_t silence = 0;  ///< milliseconds
    std::int64_t longest = 0;
};

/// Who watches may be gone, or stand still itself: that must not hold up whom it watches.
void tell(int connection, const Message& message) {
    if (connection < 0) return;
    (void)::send(connection, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

}  // namespace

void WatchedLine::begin(milliseconds silence, milliseconds longest) const {
    tell(connection_, {Word::begin, silence.count(), longest.count()});
}

void WatchedLine::sayAlive() const {
    tell(connection_, {.word = Word::alive});
}

void WatchedLine::end() const {
    tell(connection_, {.word = Word::end});
}

std::pair<int, int> Watchdog::connections() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) {
        throw std::system_error(errno, std::generic_category(), "socketpair");
    }
    return {ends[0], ends[1]};
}

bool Watchdog::read() {
    Message message;
    const ssize_t size = ::read(connection_, &message, sizeof message);
    if (size == 0) return false;
    if (size != sizeof message) return true;
    const Clock::time_point now = Clock::now();
    lastSign_ = message.word == Word::end ? std::nullopt : std::optional(now);
    if (message.word == Word::begin) {
        silence_ = milliseconds(message.silence);
        until_ = now + milliseconds(message.longest);
    }
    return true;
}

std::optional<milliseconds> Watchdog::timeLeft() const {
    if (!lastSign_) return std::nullopt;
    const auto left = std::min(*lastSign_ + silence_, until_) - Clock::now();
    return std::max(milliseconds(0), std::chrono::ceil<milliseconds>(left));
}

}  // namespace warplens
