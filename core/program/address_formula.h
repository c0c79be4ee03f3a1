#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace warplens {

class Archive;

/// How the addresses of one place's accesses to one array come about, in bytes from the array's
/// first one: `start + thread.x * threadIdx.x + ... + block.x * blockIdx.x + ...`, and what the
/// loops around it add. It was found in the accesses themselves, of the blocks at the corners of
/// the grid, and holds for each that was looked at.
struct AddressFormula final {
    /// A loop, as its passes move the address.
    struct Loop final {
        std::int64_t bytes = 0;    ///< from one pass to the next
        std::uint32_t passes = 0;  ///< 0: of the outermost, which is not known to end
        friend bool operator==(const Loop&, const Loop&) = default;
    };
    std::array<std::int64_t, 3> thread{};  ///< for a step of threadIdx.x, y, z
    /// True: `thread` is of the lane in its warp and of the warp in its block, and 0.
    bool ofLanes = false;
    std::array<std::int64_t, 3> block{};  ///< for a step of blockIdx.x, y, z
    std::int64_t start = 0;
    std::vector<Loop> loops{};  ///< the innermost first
    /// Where loops change more than the start: what a step of threadIdx.x is in each pass, in turn.
    std::vector<std::int64_t> eachPass{};
    std::uint32_t elementBytes = 4;  ///< of an access
    friend bool operator==(const AddressFormula&, const AddressFormula&) = default;
};

/// Which lanes of a warp go one way where others go another one.
struct DivergingLanes final {
    std::optional<std::uint32_t> bit{};    ///< those whose lane index has it set, or not set
    std::optional<std::uint32_t> first{};  ///< as many as that, from lane 0; 0: not always the same
    /// Those whose index is a multiple of it; 0: of another power of two each time.
    std::optional<std::uint32_t> every{};
    friend bool operator==(const DivergingLanes&, const DivergingLanes&) = default;
};

void describe(Archive& v, AddressFormula& formula);
void describe(Archive& v, DivergingLanes& lanes);

}  // namespace warplens
