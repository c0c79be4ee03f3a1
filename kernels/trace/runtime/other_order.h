#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "core/program/program_trace.h"

namespace warplens::runtime {

/// Traces a launch with atomics once more in another order of its threads: the last one first, and
/// each gives its turn away after every access. What a line then comes to is kept beside its
/// numbers where it is something else: they depend on which threads come first. What the launch has
/// done stays as the first run left it.
class OtherOrder final {
  public:
    /// Before the launch runs.
    explicit OtherOrder(bool wanted);
    void compare(LaunchReport& launch);

  private:
    void exchangeContents();

    std::map<std::uint32_t, std::vector<std::byte>> contents_;  ///< by array
    bool isPossible_ = false;
};

}  // namespace warplens::runtime
