#include "app/window/gl/address_space.h"

#include <sys/resource.h>

#include "app/window/window.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

/// 0.7 GiB is what Mesa 22.3 takes with two processors; each further one adds its threads' stacks.
constexpr rlim_t leastAddressSpace = 1u << 30;

}  // namespace

void requireAddressSpace() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur >= leastAddressSpace) return;
    throw WindowUnavailable("this process may address " + formatBytes(limit.rlim_cur) +
                            " (ulimit -v): at least " + formatBytes(leastAddressSpace) +
                            " to draw with OpenGL");
}

}  // namespace warplens::window
