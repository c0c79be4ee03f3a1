#include "kernels/measure/device/host_name.h"

#include <array>
#include <unistd.h>

#include "core/text/sanitized.h"

namespace warplens {

std::string hostName() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "this machine";
    return sanitized(name.data());
}

}  // namespace warplens
