#include "kernels/turns/ticket.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <sys/stat.h>
#include <thread>
#include <type_traits>
#include <unistd.h>

namespace warplens {

namespace {

using namespace std::chrono_literals;

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

}  // namespace

std::int64_t nowOnLockClock() {
    return std::chrono::nanoseconds(LockClock::now().time_since_epoch()).count();
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

namespace {

using namespace std::chrono_literals;

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
    Entry(const Entry&) = delete;
    Entry& operator=(const Entry&) = delete;
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

std::size_t placesTaken(const std::string& device,
                        const std::vector<std::filesystem::path>& folders) {
    const LockFile file(fileName(device), folders);
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
