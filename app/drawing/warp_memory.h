#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "app/drawing/items.h"
#include "app/drawing/warp_trace.h"

/// The picture of one step of a warp: its 32 lanes, and what they ask of memory. Global memory is
/// drawn by sectors of 32 and lines of 128 bytes, shared memory by banks and wavefronts, a branch
/// by its two arms, whose lanes have the arm's colour. Requested bytes have their lane's shade of
/// the warp's colour, bytes that are fetched and not asked for are hatched.
namespace warplens::drawing {

/// Where a picture is drawn, and with what.
struct DrawArea final {
    Box box;
    ColorRoles colors;
    TextWidth textWidth;
    float textSize = 12;  ///< of lane numbers and addresses; lines are a twelfth of it wide
    float leastText = 0;  ///< smaller words are left out where they are drawn
};

/// What stands out of the picture.
struct Pointed final {
    std::optional<Point> at{};            ///< of the pointer, in the area's coordinates
    std::optional<std::uint32_t> lane{};  ///< where the pointer is elsewhere
};

struct WarpMemory final {
    Items items;
    std::string pointed;  ///< several lines about what lies under `Pointed::at`; empty over nothing
};

/// `step` is a place in `trace.steps`. Cost: below 2,000 items.
[[nodiscard]] WarpMemory prepareWarpMemory(const WarpTrace& trace, std::size_t step,
                                           const DrawArea& area, const Pointed& pointed = {});

/// Of what the step accesses.
[[nodiscard]] std::string nameOfArray(const WarpTrace& trace, const WarpStep& step);
/// `Warp 0 loads from a`, `Warp 3 at branch works`.
[[nodiscard]] std::string titleOf(const WarpTrace& trace, const WarpStep& step);

/// What the step costs: `16 sectors of 32 bytes in 8 lines of 128 bytes; 25.0 % of the fetched
/// bytes used`. The brief words say the same in less room.
struct CostWords final {
    std::string full;
    std::string brief;
    bool wasteful = false;  ///< more than the fewest sectors or wavefronts, or lanes that part
};
[[nodiscard]] CostWords costWords(const WarpTrace& trace, const WarpStep& step);

/// One request to global memory, large: the warp's lanes, and below them each sector as a box of
/// its own, with the lanes' numbers in the bytes they asked for and the others hatched. No lines
/// lead from the one to the other: the numbers do. `most`: the sectors of the largest of several
/// that stand beside each other, whose boxes are then as large; 0: it stands alone. Cost: below
/// 1,500 items.
[[nodiscard]] Items prepareSectorGrid(const WarpTrace& trace, std::size_t step,
                                      const DrawArea& area, std::size_t most = 0);

/// What each lane of a step asks for, lane by lane, and nothing about what that costs: the bytes
/// are named, not drawn where they lie. Cost: below 200 items.
[[nodiscard]] Items prepareLaneBytes(const WarpTrace& trace, std::size_t step,
                                     const DrawArea& area);

/// How the lanes of a warp look.
struct LanesLook final {
    Rgb background = 0;
    Rgb outline = 0;  ///< of lanes that hold no thread
    float outlineWidth = 1;
    std::uint32_t hatched = 0;  ///< bit `lane` is set
    float strength = 1;         ///< below 1 the warp recedes into the background
};

/// The 32 lanes of a warp of the block beside one another: lane 0 fills `first`, each next one lies
/// `pitch` further to the right. Lanes without a thread are hollow.
void drawLanes(WarpRank warp, Extents block, const Box& first, float pitch, const LanesLook& look,
               Items& items);

}  // namespace warplens::drawing
