#pragma once

#include <utility>
#include <vector>

#include "kernels/ptx/read/module.h"

namespace warplens::ptx {

/// Which registers an instruction reads and writes.
struct RegisterUse final {
    std::vector<s32> reads;
    std::vector<s32> writes;
};
[[nodiscard]] RegisterUse registersOf(const Instruction& instruction);

/// The ways through a function.
class ControlFlow final {
  public:
    explicit ControlFlow(const Function& function);

    static constexpr u32 none = 0xffffffffu;
    struct Block final {
        u32 begin = 0;  ///< instructions
        u32 end = 0;
        u32 jump = none;        ///< of `next` the one that a branch with a guard leads to
        bool isReturn = false;  ///< it does nothing else
        std::vector<u32> next{};
    };
    [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
    [[nodiscard]] u32 blockOf(u32 instruction) const { return blockOf_[instruction]; }
    /// The first instruction that all ways from behind the instruction's block come through: its
    /// immediate post-dominator. Ways that end, as by a `ret` in a loop, do not count beside those
    /// that go on; `none` where all end before they meet. A jump to a `ret` that stands alone is a
    /// `ret`: compilers let all `return`s of a function share one.
    [[nodiscard]] u32 reconvergence(u32 instruction) const;
    /// Lanes that a branch with a guard sends where they cannot come back from: they end, or leave
    /// the function, and nobody waits for them.
    struct Leaving final {
        bool taken = false;
        bool notTaken = false;
    };
    [[nodiscard]] Leaving leaving(u32 instruction) const;

  private:
    void findPostDominators();
    /// By block, the block at whose end its ways end: of several the one that most blocks lead to.
    /// `none` where they are endless.
    [[nodiscard]] std::vector<u32> endsOf(const std::vector<std::vector<u32>>& before) const;

    std::vector<Block> blocks_;
    std::vector<u32> blockOf_;
    std::vector<u32> postDominator_;  ///< block; none: the function's end
    std::vector<u32> endOf_;          ///< block
};

/// Where a register is needed: from its first instruction to its last, loops included.
struct LiveRange final {
    u32 begin = ControlFlow::none;
    u32 end = 0;
    [[nodiscard]] bool empty() const { return begin == ControlFlow::none; }
};
struct Liveness final {
    std::vector<LiveRange> ranges;  ///< by register; of those with one place the same
    /// The register whose place each has: its own, or that of one which it is a copy of, where no
    /// thread needs the values of both at one time.
    std::vector<s32> places;
};
/// Of a function whose instructions use registers so; `copies` are pairs of a register and the one
/// that is copied to it. O(blocks x registers / 64) a round, and O(copies x instructions); where
/// that would be too much, every register is needed everywhere, and has its own place.
[[nodiscard]] Liveness livenessOf(const Function& function, const ControlFlow& flow,
                                  const std::vector<RegisterUse>& uses,
                                  const std::vector<std::pair<s32, s32>>& copies);

}  // namespace warplens::ptx
