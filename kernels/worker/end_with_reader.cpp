#include "kernels/worker/end_with_reader.h"

#include <cerrno>
#include <cstdlib>
#include <poll.h>
#include <thread>

namespace warplens {

void endWithReader(int output) {
    std::thread([output] {
        // Of a file or a terminal that stays there is nothing to be told: this waits for ever.
        pollfd reader{output, 0, 0};
        while (::poll(&reader, 1, -1) < 0 && errno == EINTR) {
        }
        if ((reader.revents & (POLLERR | POLLHUP)) != 0) std::_Exit(1);
    }).detach();
}

}  // namespace warplens
