#include "kernels/turns/notices.h"

#include <algorithm>
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
constexpr std::chrono::nanoseconds longestUsualTurn = 10min;

off_t placeOf(std::int64_t ticket) {
    return noticesFrom + (ticket % places) * static_cast<off_t>(sizeof(Notice));
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

std::int64_t nowOnTurnClock() {
    return std::chrono::nanoseconds(TurnClock::now().time_since_epoch()).count();
}

void Notices::write(const Notice& notice) const {
    put(file_, placeOf(notice.ticket), notice);
}

std::optional<Notice> Notices::read(std::int64_t ticket) const {
    const auto notice = taken<Notice>(file_, placeOf(ticket));
    const std::int64_t now = nowOnTurnClock();
    if (!notice || notice->ticket != ticket || notice->alive > now || notice->begun > now ||
        notice->alive < 0 || notice->begun < 0) {
        return std::nullopt;
    }
    return notice;
}

std::optional<std::chrono::nanoseconds> Notices::usualTurn() const {
    const auto usual = taken<std::int64_t>(file_, usualTurnAt);
    if (!usual || *usual <= 0 || *usual > longestUsualTurn.count()) return std::nullopt;
    return std::chrono::nanoseconds(*usual);
}

void Notices::addTurn(std::chrono::nanoseconds duration) const {
    const auto before = usualTurn();
    const std::chrono::nanoseconds mean = before ? (3 * *before + duration) / 4 : duration;
    put(file_, usualTurnAt, std::clamp<std::int64_t>(mean.count(), 1, longestUsualTurn.count()));
}

std::optional<TurnClock::time_point> Notices::countersBusy() const {
    const auto since = taken<std::int64_t>(file_, countersBusyAt);
    if (!since || *since <= 0 || *since > nowOnTurnClock()) return std::nullopt;
    return TurnClock::time_point(std::chrono::nanoseconds(*since));
}

void Notices::setCountersBusy(bool busy) const {
    put(file_, countersBusyAt, busy ? nowOnTurnClock() : std::int64_t{0});
}

}  // namespace warplens
