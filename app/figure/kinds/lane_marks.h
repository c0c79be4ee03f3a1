#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "app/figure/subject.h"

/// What the lanes of each warp of a block do at the kernel's marked branches.
namespace warplens::figure {

/// A warp at one mark, once or, at a loop's condition and in a loop, again and again.
struct LaneMark final {
    std::uint32_t active = 0;  ///< bit i: lane i comes to it
    std::uint32_t taken = 0;   ///< and goes in
    std::string round{};       ///< `stride 4`: in which rounds of its loops the warp is
    [[nodiscard]] bool parts() const { return taken != 0 && taken != active; }
    friend bool operator==(const LaneMark&, const LaneMark&) = default;
};

struct BlockMarks final {
    /// By branch of the kernel, by warp of the block: in the order in which it comes there.
    std::vector<std::vector<std::vector<LaneMark>>> marks;
    std::string failure;  ///< why the block could not be traced; then there are no marks
};

/// Traces the subject's block, warp by warp.
[[nodiscard]] BlockMarks marksOf(const Subject& subject);

}  // namespace warplens::figure
