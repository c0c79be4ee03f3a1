#pragma once

#include <string_view>
#include <vector>

#include "app/drawing/warp_memory.h"

/// What the parts of the picture of a warp's step share. For the .cpp files of this folder that
/// draw one.
namespace warplens::drawing {

struct MemoryDrawing final {
    const WarpTrace& trace;
    const WarpStep& step;
    const DrawArea& area;
    Box strip{};  ///< of the lanes
    Box body{};   ///< below it
    std::optional<Point> pointer{};
    std::uint32_t lit = 0;  ///< lanes that stand out; 0: none does
    /// Each lane's number has room on its bytes; on a slide else none stands there.
    bool namesInside = true;
    /// Where they have none they stand beside their bytes, also where a sector has several.
    bool namesBeside = true;
    WarpMemory result{};

    /// In units of a twelfth of the text's size.
    [[nodiscard]] float u(float units) const { return units * area.textSize / 12; }
    [[nodiscard]] float numberSize() const { return area.textSize * 0.9F; }
    [[nodiscard]] float widthOf(std::string_view words, float size,
                                Face face = Face::numbers) const {
        return area.textWidth(words, face, size);
    }
    [[nodiscard]] Rgb warpColor() const { return colorOf(trace.place.warp); }
    /// One lane's shade, or for several the colour of the warp; at a branch that of their arm.
    [[nodiscard]] Rgb colorOfLanes(std::uint32_t lanes) const;
    [[nodiscard]] Box laneBox(std::uint32_t lane) const;
    [[nodiscard]] bool stands(std::uint32_t lanes) const { return lit == 0 || (lit & lanes) != 0; }
    [[nodiscard]] bool pointsAt(const Box& box) const { return pointer && box.contains(*pointer); }

    void add(Item item) { result.items.push_back(std::move(item)); }
    /// Text in the middle of a box.
    void label(const Box& box, std::string words, float size, Rgb color, Face face = Face::numbers);
    /// For any lane's number in a cell so wide, so that all are named or none is: 0.
    [[nodiscard]] float laneNumberSize(const Box& box) const;
    /// Every first, second, fourth or eighth lane: as many as have room for their numbers.
    [[nodiscard]] std::uint32_t numberedEvery() const;
    /// A filled cell of some lanes, named where it may be and there is room; dimmed where others
    /// stand out.
    void cell(const Box& box, std::uint32_t lanes, bool named = true);
    /// From a lane down to what it asks for.
    void link(std::uint32_t lane, Point to);
};

/// `5`, `0–31`, `4 lanes`.
[[nodiscard]] std::string lanesShort(std::uint32_t lanes);
/// `lane 5`, `lanes 0–31`, `lanes 0, 2, 4 … (16)`.
[[nodiscard]] std::string lanesLong(std::uint32_t lanes);
/// `a[17]`, `c[5][3]`: the element of the step's array that holds a byte.
[[nodiscard]] std::string elementAt(const MemoryDrawing& drawing, std::uint64_t offset);

/// Neighbouring bytes of a sector that the same lanes ask for.
struct Run final {
    std::uint32_t begin = 0;
    std::uint32_t end = 0;
    std::uint32_t lanes = 0;  ///< 0: fetched, and asked for by none
};
struct Sector final {
    std::uint64_t index = 0;  ///< byte offset in the array / 32
    std::vector<Run> runs{};
    std::uint32_t lanes = 0;
};
/// What a step fetches, by address.
[[nodiscard]] std::vector<Sector> sectorsOf(const WarpStep& step);
/// `bytes 0 – 8,191`, from the first to the last of them; in place of each row's own address.
void addBytes(MemoryDrawing& drawing, const std::vector<Sector>& sectors, Point at, float size);

/// One sector: its lanes stand in the bytes that they ask for, or where these are too narrow beside
/// them. `hatch` is between the strokes over bytes that nobody asks for.
void drawSectorBox(MemoryDrawing& drawing, const Sector& sector, const Box& box, float hatch);

/// The strip of the warp's lanes.
void drawLanes(MemoryDrawing& drawing);

/// Makes room at the left of the strip of lanes and of the rows below it, for their names.
void nameRow(MemoryDrawing& drawing, std::string_view name);

void drawSectors(MemoryDrawing& drawing);
void drawBanks(MemoryDrawing& drawing);
void drawArms(MemoryDrawing& drawing);
/// Of constant memory: a cell for each address, in the order of its turns. Which comes first is not
/// documented: here it is the lowest.
void drawTurns(MemoryDrawing& drawing);

}  // namespace warplens::drawing
