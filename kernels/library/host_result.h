#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/scenario/scenario.h"

namespace warplens {

/// Four bytes of the output array, and what a launch leaves there.
struct HostWord final {
    std::uint64_t place = 0;  ///< which four bytes of the array
    std::uint32_t bits = 0;
};

/// What a part of a launch writes to its output, worked out on the host with the kernel's own text.
struct HostResult final {
    std::vector<HostWord> words;  ///< by place, each once
    std::uint64_t warps = 0;      ///< that were run
    std::uint64_t warpsOfGrid = 0;
};

/// Runs the warps of the launch, spread evenly from the first to the last, that take about
/// `mostEvents` accesses, decisions and arithmetic steps of all lanes; all where there are no more.
/// Of a kernel with barriers whole blocks are run; of one whose threads add to places by atomics
/// all, or, where that takes a second and more, none. Small inputs are made whole, large ones as
/// far as they are read: first it is found where that is, by running until it changes no more,
/// which is twice where no place follows from an input's value. Cost: some 40 ns for each event.
/// `ptx` as in PreparedLaunch. Throws TraceFault, std::bad_alloc.
[[nodiscard]] HostResult hostResultOf(const Experiment& experiment,
                                      std::uint64_t mostEvents = std::uint64_t{1} << 17,
                                      std::string_view ptx = {});

}  // namespace warplens
