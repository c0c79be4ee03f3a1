#include "kernels/worker/standard_input.h"

#include <algorithm>
#include <cerrno>
#include <poll.h>
#include <unistd.h>

namespace warplens {
namespace {

constexpr std::size_t bufferBytes = 1u << 16;

}  // namespace

StandardInput::StandardInput(std::string first) : first_(std::move(first)) {}

void StandardInput::lineHandled() {
    const std::lock_guard lock(mutex_);
    ++linesHandled_;
}

bool StandardInput::Pause::isClean() const {
    return !input_.inLine_ && input_.first_.empty() && input_.linesRead_ == input_.linesHandled_;
}

StandardInput::int_type StandardInput::underflow() {
    std::size_t count = 0;
    while (count == 0) {
        // Waited for outside the lock; what is there is then taken at once.
        pollfd input{STDIN_FILENO, POLLIN, 0};
        if (first_.empty() && ::poll(&input, 1, -1) < 0 && errno == EINTR) continue;
        const std::lock_guard lock(mutex_);
        if (!first_.empty()) {
            buffer_.assign(first_.begin(), first_.end());
            first_.clear();
            count = buffer_.size();
        } else {
            buffer_.resize(bufferBytes);
            const ssize_t got = ::read(STDIN_FILENO, buffer_.data(), buffer_.size());
            if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
            if (got <= 0) return traits_type::eof();
            count = static_cast<std::size_t>(got);
        }
        const auto end = buffer_.begin() + static_cast<std::ptrdiff_t>(count);
        linesRead_ += static_cast<std::uint64_t>(std::count(buffer_.begin(), end, '\n'));
        inLine_ = buffer_[count - 1] != '\n';
    }
    setg(buffer_.data(), buffer_.data(), buffer_.data() + count);
    return traits_type::to_int_type(buffer_.front());
}

}  // namespace warplens
