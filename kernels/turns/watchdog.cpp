#include "kernels/turns/watchdog.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <optional>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

namespace warplens {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

enum class Word : std::int64_t { alive, begin, end };

struct Message final {
    Word word{};
    std::int64_t silence = 0;  ///< milliseconds
    std::int64_t longest = 0;
};

/// A watchdog that is gone, or stands still itself, must not hold up whom it watches.
void tell(int connection, const Message& message) {
    if (connection < 0) return;
    (void)::send(connection, &message, sizeof message, MSG_NOSIGNAL | MSG_DONTWAIT);
}

void closeAllBut(int kept) {
    if (kept > 0) (void)::close_range(0, static_cast<unsigned>(kept) - 1, 0);
    (void)::close_range(static_cast<unsigned>(kept) + 1, ~0U, 0);
}

/// Until the connection ends, and with it the other process.
[[noreturn]] void watch(pid_t watched, int connection) {
    std::optional<Clock::time_point> lastSign;
    Clock::time_point until{};
    milliseconds silence{};
    while (true) {
        int patience = -1;
        if (lastSign) {
            const auto left = std::min(*lastSign + silence, until) - Clock::now();
            patience = static_cast<int>(
                std::clamp<std::int64_t>(std::chrono::ceil<milliseconds>(left).count(), 0, 60'000));
        }
        pollfd input{connection, POLLIN, 0};
        const int ready = ::poll(&input, 1, patience);
        if (ready > 0) {
            Message message;
            const ssize_t size = ::read(connection, &message, sizeof message);
            if (size == 0) ::_exit(0);
            if (size != sizeof message) continue;
            lastSign = message.word == Word::end ? std::nullopt : std::optional(Clock::now());
            if (message.word == Word::begin) {
                silence = milliseconds(message.silence);
                until = *lastSign + milliseconds(message.longest);
            }
        }
        const bool late = lastSign && std::min(*lastSign + silence, until) <= Clock::now();
        // Still its child: its number cannot have gone to another.
        if (ready == 0 && late && ::getppid() == watched) {
            ::kill(watched, SIGKILL);
            ::_exit(0);
        }
    }
}

}  // namespace

Watchdog::Watchdog() {
    std::array<int, 2> ends{};
    if (::socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends.data()) != 0) return;
    const pid_t watched = ::getpid();
    process_ = ::fork();
    if (process_ == 0) {
        ::prctl(PR_SET_NAME, "warplens-watch");
        ::signal(SIGINT, SIG_IGN);
        closeAllBut(ends[0]);
        watch(watched, ends[0]);
    }
    ::close(ends[0]);
    if (process_ < 0) {
        process_ = 0;
        ::close(ends[1]);
        return;
    }
    connection_ = ends[1];
}

Watchdog::~Watchdog() {
    dismiss();
}

void Watchdog::dismiss() {
    if (connection_ < 0) return;
    ::close(connection_);
    connection_ = -1;
    ::kill(process_, SIGKILL);
    while (::waitpid(process_, nullptr, 0) < 0 && errno == EINTR) {
    }
    process_ = 0;
}

void Watchdog::begin(milliseconds silence, milliseconds longest) const {
    tell(connection_, {Word::begin, silence.count(), longest.count()});
}

void Watchdog::sayAlive() const {
    tell(connection_, {.word = Word::alive});
}

void Watchdog::end() const {
    tell(connection_, {.word = Word::end});
}

}  // namespace warplens
