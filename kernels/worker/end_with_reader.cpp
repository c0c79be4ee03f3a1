#include "kernels/worker/end_with_reader.h"

#include <cerrno>
#include <cstdlib>
#include <poll.h>
#include <thread>
#include <unistd.h>

namespace warplens {

void endWithReader() {
    std::thread([] {
        // Of a file or a terminal that stays there is nothing to be told: this waits for ever.
        pollfd output{STDOUT_FILENO, 0, 0};
        while (::poll(&output, 1, -1) < 0 && errno == EINTR) {
        }
        if ((output.revents & (POLLERR | POLLHUP)) != 0) std::_Exit(1);
    }).detach();
}

}  // namespace warplens
