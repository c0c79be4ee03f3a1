#include "kernels/turns/place.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

namespace warplens {
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
        const auto until = TurnClock::now() + patience;
        while (!locks_.take(entryByte)) {
            if (TurnClock::now() >= until) throw std::runtime_error("its entry stays locked");
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
std::string ownerInWords(const std::optional<Notice>& notice) {
    if (!notice) return "somebody";
    struct stat entry {};
    const std::string process = "process " + std::to_string(notice->process);
    const std::string folder = "/proc/" + std::to_string(notice->process);
    const bool seen = ::stat(folder.c_str(), &entry) == 0;
    return process + " of " + accountName(seen ? entry.st_uid : notice->account);
}

}  // namespace

Place::Place(const std::string& device, const std::vector<std::filesystem::path>& folders,
             const TurnLimits& limits)
    : limits_(limits),
      file_(fileName(device), folders),
      locks_(file_.descriptor()),
      notices_(file_.descriptor()) {
    const Entry entry(locks_, limits.entry);
    // Above every place that is taken, so nobody can come in between.
    const std::int64_t after = locks_.highest(firstTicket).value_or(firstTicket - 1);
    ticket_ = after + 1;
    if (after >= lastTicket || !locks_.take(ticket_)) {
        throw std::runtime_error(file_.path().string() + " gives no place");
    }
    sayAlive(std::nullopt);
}

Place::~Place() {
    locks_.release(ticket_);
}

void Place::sayAlive(std::optional<TurnClock::time_point> begun) const {
    notices_.write(
        {.ticket = ticket_,
         .alive = nowOnTurnClock(),
         .begun = begun ? std::chrono::nanoseconds(begun->time_since_epoch()).count() : 0,
         .process = static_cast<std::uint32_t>(::getpid()),
         .account = ::getuid()});
}

std::optional<std::int64_t> Place::lowestBefore() const {
    std::int64_t from = firstTicket;
    while (const auto lowest = locks_.lowest(from, ticket_ - 1)) {
        if (!still_.contains(*lowest)) return lowest;
        from = *lowest + 1;
    }
    return std::nullopt;
}

bool Place::standsStill(std::int64_t ticket) {
    const TurnClock::time_point now = TurnClock::now();
    if (watched_ != ticket) {
        watched_ = ticket;
        watchedSince_ = now;
    }
    const auto notice = notices_.read(ticket);
    const auto ago = [&](std::int64_t time) {
        return std::chrono::nanoseconds(nowOnTurnClock() - time);
    };
    if (notice && ago(notice->alive) > limits_.silence) return true;
    if (notice && notice->begun != 0) return ago(notice->begun) > limits_.longestTurn;
    // It is the first of all and does not begin.
    return now - watchedSince_ > limits_.silence;
}

bool Place::isNext() {
    while (const auto lowest = lowestBefore()) {
        if (!standsStill(*lowest)) return false;
        still_.insert(*lowest);
        passedOver_.push_back(ownerInWords(notices_.read(*lowest)));
    }
    return true;
}

PlaceInQueue Place::place() const {
    PlaceInQueue result;
    std::optional<std::chrono::nanoseconds> since;
    std::int64_t from = firstTicket;
    while (const auto lowest = locks_.lowest(from, ticket_ - 1)) {
        from = *lowest + 1;
        if (still_.contains(*lowest)) continue;
        ++result.before;
        const auto notice = notices_.read(*lowest);
        if (notice && notice->begun != 0) {
            since = std::chrono::nanoseconds(nowOnTurnClock() - notice->begun);
        }
    }
    if (const auto usual = notices_.usualTurn()) {
        const auto all = static_cast<std::int64_t>(result.before) * *usual;
        const auto left = since ? all - std::min(*since, *usual) : all;
        result.about = std::chrono::ceil<std::chrono::milliseconds>(left);
    }
    return result;
}

bool Place::hasFollowers() const {
    return locks_.highest(ticket_ + 1).has_value();
}

std::size_t placesTaken(const std::string& device,
                        const std::vector<std::filesystem::path>& folders) {
    const QueueFile file(fileName(device), folders);
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
