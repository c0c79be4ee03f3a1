#include "kernels/worker/renewal.h"

#include <array>
#include <cerrno>
#include <string>
#include <sys/mman.h>
#include <unistd.h>

#include "kernels/turns/watchdog.h"
#include "kernels/worker/answer_output.h"
#include "kernels/worker/standard_input.h"

namespace warplens {
namespace {

bool writeAll(int file, const std::string& text) {
    std::size_t done = 0;
    while (done < text.size()) {
        const ssize_t count = ::write(file, text.data() + done, text.size() - done);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return false;
        done += static_cast<std::size_t>(count);
    }
    return ::lseek(file, 0, SEEK_SET) == 0;
}

}  // namespace

void ProcessRenewal::lineHandled() {
    input_.lineHandled();
}

void ProcessRenewal::now(const std::function<std::string()>& pending) {
    const StandardInput::Pause pause(input_);
    if (!pause.isClean()) return;
    const int left = ::memfd_create("requests", MFD_CLOEXEC);
    if (left < 0) return;
    if (!writeAll(left, pending())) {
        ::close(left);
        return;
    }
    watchdog_.dismiss();
    output_.giveBack();
    // Whatever the driver has open ends here; what was left goes along.
    (void)::close_range(STDERR_FILENO + 1, ~0U, CLOSE_RANGE_CLOEXEC);
    const int kept = ::dup(left);
    std::string program = "warplens-measure";
    std::string option = continuedOption;
    std::string number = std::to_string(kept);
    const std::array<char*, 4> arguments{program.data(), option.data(), number.data(), nullptr};
    ::execv("/proc/self/exe", arguments.data());
    ::close(kept);
    ::close(left);
}

std::string readLeft(int descriptor) {
    std::string text;
    std::array<char, 65536> piece{};
    for (ssize_t count = 0; (count = ::read(descriptor, piece.data(), piece.size())) != 0;) {
        if (count < 0 && errno != EINTR) break;
        if (count > 0) text.append(piece.data(), static_cast<std::size_t>(count));
    }
    ::close(descriptor);
    return text;
}

}  // namespace warplens
