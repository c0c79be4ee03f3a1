#include "kernels/turns/watchdog.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <sys/socket.h>
#include <system_error>
#include <unistd.h>

namespace warplens {
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
