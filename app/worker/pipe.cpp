#include "app/worker/pipe.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <ctime>
#include <fcntl.h>
#include <system_error>
#include <unistd.h>

namespace warplens {
namespace {

[[noreturn]] void fail(const char* what) {
    throw std::system_error(errno, std::generic_category(), what);
}

/// Keeps SIGPIPE from this thread while it lives, whatever the program does with that signal.
class SigpipeHeld final {
  public:
    SigpipeHeld() {
        ::sigemptyset(&pipe_);
        ::sigaddset(&pipe_, SIGPIPE);
        sigset_t pending;
        ::sigpending(&pending);
        wasPending_ = ::sigismember(&pending, SIGPIPE) == 1;
        ::pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
    }
    SigpipeHeld(const SigpipeHeld&) = delete;
    SigpipeHeld& operator=(const SigpipeHeld&) = delete;
    ~SigpipeHeld() {
        if (!wasPending_) {
            const timespec atOnce{};
            while (::sigtimedwait(&pipe_, nullptr, &atOnce) < 0 && errno == EINTR) {
            }
        }
        ::pthread_sigmask(SIG_SETMASK, &before_, nullptr);
    }

  private:
    sigset_t pipe_{};
    sigset_t before_{};
    bool wasPending_ = false;
};

}  // namespace

void setNonBlocking(const FileDescriptor& file) {
    const int flags = ::fcntl(file.value(), F_GETFL);
    if (flags < 0 || ::fcntl(file.value(), F_SETFL, flags | O_NONBLOCK) != 0) {
        fail("cannot set up a pipe");
    }
}

bool readAvailable(const FileDescriptor& file, std::string& text, std::size_t most) {
    std::array<char, 65536> piece;
    while (most > 0) {
        const ssize_t count = ::read(file.value(), piece.data(), std::min(piece.size(), most));
        if (count == 0) return false;
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) return errno == EAGAIN;
        text.append(piece.data(), static_cast<std::size_t>(count));
        most -= static_cast<std::size_t>(count);
    }
    return true;
}

std::optional<std::size_t> writeAvailable(const FileDescriptor& file, std::string_view text) {
    const SigpipeHeld held;
    std::size_t written = 0;
    while (written < text.size()) {
        const ssize_t count = ::write(file.value(), text.data() + written, text.size() - written);
        if (count < 0 && errno == EINTR) continue;
        if (count < 0 && errno == EAGAIN) break;
        if (count < 0) return std::nullopt;
        written += static_cast<std::size_t>(count);
    }
    return written;
}

}  // namespace warplens
