#pragma once

#include <cstdint>

#include "kernels/ptx/check/shadow.h"
#include "kernels/ptx/run/access.h"

namespace warplens::ptx::check {

/// One request to one array, and what it is looked at with.
struct Access final {
    const Request& request;
    Shadow& shadow;
    const Order& order;
    Stamp launchFloor =
        0;  ///< stamps below are of launches before; of shared memory, of blocks before
    Stamp writtenFloor = 0;  ///< of words that somebody has written
    bool strong = false;     ///< no race with what is strong, too
    bool fenced = false;     ///< blocks tell one another by fences what is ready
    bool mayBeOld = false;   ///< an atomicCAS further down compares with what is loaded here
};

/// What is wrong with an access, as it is found.
class Listener {
  public:
    virtual ~Listener() = default;
    /// Another thread, that of the stamp, writes or reads the lane's word, and nothing orders the
    /// two.
    virtual void onRace(const Access& access, std::uint32_t lane, Stamp other,
                        bool otherWrites) = 0;
    /// Nobody has written what the lane reads.
    virtual void onUnwritten(const Access& access, std::uint32_t lane) = 0;
};

/// Looks at the lanes' words and notes that they were there. All lanes are within the array.
void check(const Access& access, std::uint32_t lanes, Listener& listener);

}  // namespace warplens::ptx::check
