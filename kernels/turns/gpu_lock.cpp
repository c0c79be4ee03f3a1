#include "kernels/turns/gpu_lock.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <type_traits>
#include <unistd.h>

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

/// More than ever wait at once for one GPU; two tickets that share a place spoil each other's.
constexpr std::int64_t places = 4096;
constexpr off_t noticesFrom = 64;
constexpr off_t usualTurnAt = 0;
constexpr off_t countersBusyAt = 8;
constexpr std::chrono::nanoseconds longestUsualTime = 10min;

off_t placeOf(std::int64_t ticket) {
    return noticesFrom + (ticket % places) * static_cast<off_t>(sizeof(Heartbeat));
}

template <class T>
void put(int file, off_t at, const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    // What cannot be written is missing, which readers expect.
    [[maybe_unused]] const ssize_t written = ::pwrite(file, &value, sizeof value, at);
}

template <class T>
std::optional<T> taken(int file, off_t at) {
    T value{};
    if (::pread(file, &value, sizeof value, at) != sizeof value) return std::nullopt;
    return value;
}

std::int64_t nowOnLockClock() {
    return std::chrono::nanoseconds(LockClock::now().time_since_epoch()).count();
}

/// Byte 0 is locked by whoever takes a place; a place is a byte further on.
constexpr std::int64_t entryByte = 0;
constexpr std::int64_t firstTicket = 16;
constexpr std::int64_t lastTicket = std::numeric_limits<std::int64_t>::max() / 2;

std::string fileName(const std::string& device) {
    std::string name = "warplens-turns-";
    for (const char c : device) {
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-';
        name += plain ? c : '_';
    }
    return name;
}

/// Lets go of the entry at the end of a block.
class Entry final {
  public:
    Entry(const ByteLocks& locks, std::chrono::milliseconds patience) : locks_(locks) {
        const auto until = LockClock::now() + patience;
        while (!locks_.take(entryByte)) {
            if (LockClock::now() >= until) throw std::runtime_error("its entry stays locked");
            std::this_thread::sleep_for(200us);
        }
    }
    Entry(Entry&&) = delete;
    ~Entry() { locks_.release(entryByte); }

  private:
    const ByteLocks& locks_;
};

/// The account that a process really has: what it says of itself anybody may have written.
std::string ownerInWords(const std::optional<Heartbeat>& notice) {
    if (!notice) return "somebody";
    struct stat entry {};
    const std::string process = "process " + std::to_string(notice->process);
    const std::string folder = "/proc/" + std::to_string(notice->process);
    const bool seen = ::stat(folder.c_str(), &entry) == 0;
    return process + " of " + accountName(seen ? entry.st_uid : notice->account);
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

void Heartbeats::write(const Heartbeat& notice) const {
    put(file_, placeOf(notice.ticket), notice);
}

std::optional<Heartbeat> Heartbeats::read(std::int64_t ticket) const {
    const auto notice = taken<Heartbeat>(file_, placeOf(ticket));
    const std::int64_t now = nowOnLockClock();
    if (!notice || notice->ticket != ticket || notice->alive > now || notice->begun > now ||
        notice->alive < 0 || notice->begun < 0) {
        return std::nullopt;
    }
    return notice;
}

std::optional<std::chrono::nanoseconds> Heartbeats::usualTime() const {
    const auto usual = taken<std::int64_t>(file_, usualTurnAt);
    if (!usual || *usual <= 0 || *usual > longestUsualTime.count()) return std::nullopt;
    return std::chrono::nanoseconds(*usual);
}

void Heartbeats::addTime(std::chrono::nanoseconds duration) const {
    const auto before = usualTime();
    const std::chrono::nanoseconds mean = before ? (3 * *before + duration) / 4 : duration;
    put(file_, usualTurnAt, std::clamp<std::int64_t>(mean.count(), 1, longestUsualTime.count()));
}

std::optional<LockClock::time_point> Heartbeats::countersBusy() const {
    const auto since = taken<std::int64_t>(file_, countersBusyAt);
    if (!since || *since <= 0 || *since > nowOnLockClock()) return std::nullopt;
    return LockClock::time_point(std::chrono::nanoseconds(*since));
}

void Heartbeats::setCountersBusy(bool busy) const {
    put(file_, countersBusyAt, busy ? nowOnLockClock() : std::int64_t{0});
}

Ticket::Ticket(const std::string& device, const std::vector<std::filesystem::path>& folders,
               const LockLimits& limits)
    : limits_(limits),
      file_(fileName(device), folders),
      locks_(file_.descriptor()),
      heartbeats_(file_.descriptor()) {
    const Entry entry(locks_, limits.entry);
    // Above every place that is taken, so nobody can come in between.
    const std::int64_t after = locks_.highest(firstTicket).value_or(firstTicket - 1);
    ticket_ = after + 1;
    if (after >= lastTicket || !locks_.take(ticket_)) {
        throw std::runtime_error(file_.path().string() + " gives no place");
    }
    sayAlive(std::nullopt);
}

Ticket::~Ticket() {
    locks_.release(ticket_);
}

void Ticket::sayAlive(std::optional<LockClock::time_point> begun) const {
    heartbeats_.write(
        {.ticket = ticket_,
         .alive = nowOnLockClock(),
         .begun = begun ? std::chrono::nanoseconds(begun->time_since_epoch()).count() : 0,
         .process = static_cast<std::uint32_t>(::getpid()),
         .account = ::getuid()});
}

std::optional<std::int64_t> Ticket::lowestBefore() const {
    std::int64_t from = firstTicket;
    while (const auto lowest = locks_.lowest(from, ticket_ - 1)) {
        if (!still_.contains(*lowest)) return lowest;
        from = *lowest + 1;
    }
    return std::nullopt;
}

bool Ticket::standsStill(std::int64_t ticket) {
    const LockClock::time_point now = LockClock::now();
    if (watched_ != ticket) {
        watched_ = ticket;
        watchedSince_ = now;
    }
    const auto notice = heartbeats_.read(ticket);
    const auto ago = [&](std::int64_t time) {
        return std::chrono::nanoseconds(nowOnLockClock() - time);
    };
    if (notice && ago(notice->alive) > limits_.silence) return true;
    if (notice && notice->begun != 0) return ago(notice->begun) > limits_.longest;
    // It is the first of all and does not begin.
    return now - watchedSince_ > limits_.silence;
}

bool Ticket::isNext() {
    while (const auto lowest = lowestBefore()) {
        if (!standsStill(*lowest)) return false;
        still_.insert(*lowest);
        passedOver_.push_back(ownerInWords(heartbeats_.read(*lowest)));
    }
    return true;
}

PlaceInQueue Ticket::place() const {
    PlaceInQueue result;
    std::optional<std::chrono::nanoseconds> since;
    std::int64_t from = firstTicket;
    while (const auto lowest = locks_.lowest(from, ticket_ - 1)) {
        from = *lowest + 1;
        if (still_.contains(*lowest)) continue;
        ++result.before;
        const auto notice = heartbeats_.read(*lowest);
        if (notice && notice->begun != 0) {
            since = std::chrono::nanoseconds(nowOnLockClock() - notice->begun);
        }
    }
    if (const auto usual = heartbeats_.usualTime()) {
        const auto all = static_cast<std::int64_t>(result.before) * *usual;
        const auto left = since ? all - std::min(*since, *usual) : all;
        result.about = std::chrono::ceil<std::chrono::milliseconds>(left);
    }
    return result;
}

bool Ticket::hasFollowers() const {
    return locks_.highest(ticket_ + 1).has_value();
}

std::size_t GpuQueue::count() const {
    const LockFile file(fileName(device_), folders_);
    const ByteLocks locks(file.descriptor());
    std::size_t count = 0;
    std::int64_t from = firstTicket;
    while (const auto lowest = locks.lowest(from, lastTicket)) {
        ++count;
        from = *lowest + 1;
    }
    return count;
}

}  // namespace warplens
