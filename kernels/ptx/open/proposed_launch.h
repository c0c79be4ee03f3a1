#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "kernels/ptx/open/signature.h"
#include "kernels/ptx/run/grid.h"

namespace warplens::ptx {

/// What is said about the launch of a kernel that no program launches; the rest is proposed.
struct LaunchChoices final {
    std::optional<Extents> grid{};
    std::optional<Extents> block{};
    std::map<std::string, std::string> values{};  ///< of parameters that are numbers, by name
    struct Array final {
        std::string
            elements;      ///< how many, in terms of the kernel's numbers: `p2*p2`; empty: proposed
        std::string fill;  ///< `random`, `ramp` or a number; empty: random
    };
    std::map<std::string, Array> arrays{};  ///< of parameters that are pointers, by name
};

struct ProposedLaunch final {
    KernelLaunch launch;
    Signature signature;
    std::vector<std::string> notes;  ///< with what the kernel is launched, a sentence each
    std::map<std::uint32_t, std::string> arrays;  ///< names by id
};

/// A launch of the kernel with arrays made in `memory`: numbers are 1,000, so that a guard that is
/// missing is found, arrays as many elements as two of them make; the grid covers the largest
/// number along the axes that the kernel asks for. Throws InvalidRequest for a choice that does not
/// fit, with the limit.
[[nodiscard]] ProposedLaunch proposeLaunch(Memory& memory, const Function& kernel,
                                           const LaunchChoices& choices);

}  // namespace warplens::ptx
