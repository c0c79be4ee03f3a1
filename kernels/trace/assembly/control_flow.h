#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/trace/assembly/unit.h"

namespace warplens::assembly {

/// A stretch of instructions that is entered only at its start and left only at its end.
struct Block final {
    std::uint32_t first = 0;                ///< index into Function::body
    std::uint32_t end = 0;                  ///< one past the last
    std::vector<std::uint32_t> successors;  ///< none where the function is left
};

/// The blocks of one function, and where lanes that part at the end of a block meet again.
class ControlFlow final {
  public:
    ControlFlow(const Unit& unit, const Function& function);

    [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
    /// The block's immediate post-dominator; `exit()` where ways part until the function is left.
    [[nodiscard]] std::uint32_t meetingPoint(std::uint32_t block) const { return meeting_[block]; }
    [[nodiscard]] std::uint32_t exit() const { return static_cast<std::uint32_t>(blocks_.size()); }
    /// The blocks that lanes may come to between the end of `block` and its meeting point.
    [[nodiscard]] std::vector<std::uint32_t> between(std::uint32_t block) const;
    /// Where lanes go that do not jump at the end of `block`, and those that do, and whether the
    /// others may come there, too, before all of them meet or come to `block` again.
    struct Arm final {
        std::uint32_t block = 0;
        bool isShared = false;
    };
    [[nodiscard]] std::array<Arm, 2> arms(std::uint32_t block) const;

  private:
    [[nodiscard]] bool leads(std::uint32_t from, std::uint32_t to, std::uint32_t branch) const;
    void split(const Unit& unit, const Function& function);
    void findMeetingPoints();

    std::vector<Block> blocks_;
    std::vector<std::uint32_t> meeting_;
};

}  // namespace warplens::assembly
