#include <cmath>

#include "app/drawing/warp_memory_parts.h"
#include "core/text/format.h"

namespace warplens::drawing {
namespace {

constexpr std::uint32_t sectorsPerLine = bytesPerCacheLine / bytesPerSector;

/// The bytes of a run in the box of their sector.
Box runBox(const Box& sector, const Run& run) {
    const float byte = sector.width() / bytesPerSector;
    return {sector.left + byte * static_cast<float>(run.begin), sector.top,
            sector.left + byte * static_cast<float>(run.end), sector.bottom};
}

/// What is filled of it: a little less where others follow. Of one that would be too narrow to be
/// seen a little more, over bytes beside it that nobody asked for.
Box markOf(const MemoryDrawing& drawing, const Box& sector, const std::vector<Run>& runs,
           std::size_t at) {
    Box mark = runBox(sector, runs[at]);
    if (runs[at].end != bytesPerSector && sector.width() / 8 >= drawing.u(4)) {
        mark.right -= std::min(drawing.u(1), mark.width() / 4);
    }
    const auto missing = [&](std::size_t beside) {
        const bool isFree = beside < runs.size() && runs[beside].lanes == 0;
        const float most = isFree ? runBox(sector, runs[beside]).width() / 2 : 0;
        return std::clamp(drawing.u(2) - mark.width(), 0.0F, most);
    };
    mark.right += missing(at + 1);
    mark.left -= missing(at - 1);
    return mark;
}

/// What the marks beside a run of bytes that nobody asked for leave of it; of no width where there
/// is no such run.
Box freeBox(const MemoryDrawing& drawing, const Box& sector, const std::vector<Run>& runs,
            std::size_t at) {
    if (at >= runs.size() || runs[at].lanes != 0) return {};
    return {at == 0 ? sector.left : markOf(drawing, sector, runs, at - 1).right, sector.top,
            at + 1 == runs.size() ? sector.right : markOf(drawing, sector, runs, at + 1).left,
            sector.bottom};
}

/// Behind a name over hatched bytes, and no higher than it: over and under it they stay hatched.
Box plateFor(const MemoryDrawing& drawing, const Box& sector, float left, float width, float size) {
    const float middle = (sector.top + sector.bottom) / 2;
    const float half = std::min(size / 2 + drawing.u(0.5F), sector.height() / 2 - drawing.u(1));
    return {left, middle - half, left + width, middle + half};
}

}  // namespace

std::vector<Sector> sectorsOf(const WarpStep& step) {
    std::vector<Sector> sectors;
    const ActiveOffsets offsets(step);
    for (const std::uint64_t offset : offsets.all()) {
        sectors.push_back({.index = offset / bytesPerSector});
    }
    std::ranges::sort(sectors, {}, &Sector::index);
    const auto repeated = std::ranges::unique(sectors, {}, &Sector::index);
    sectors.erase(repeated.begin(), repeated.end());
    for (Sector& sector : sectors) {
        std::array<std::uint32_t, bytesPerSector> askers{};
        for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
            const std::uint64_t offset = step.offsets.at(lane);
            if ((step.active >> lane & 1) == 0 || offset / bytesPerSector != sector.index) continue;
            for (std::uint32_t byte = 0; byte < step.bytes; ++byte) {
                askers.at(offset % bytesPerSector + byte) |= 1u << lane;
            }
            sector.lanes |= 1u << lane;
        }
        for (std::uint32_t byte = 0; byte < bytesPerSector; ++byte) {
            if (sector.runs.empty() || sector.runs.back().lanes != askers.at(byte)) {
                sector.runs.push_back({byte, byte, askers.at(byte)});
            }
            sector.runs.back().end = byte + 1;
        }
    }
    return sectors;
}

void addBytes(MemoryDrawing& drawing, const std::vector<Sector>& sectors, Point at, float size) {
    const std::uint64_t end = (sectors.back().index + 1) * bytesPerSector;
    drawing.add(Text(at,
                     "bytes " + groupedDigits(sectors.front().index * bytesPerSector) + " – " +
                         groupedDigits(end - 1),
                     Face::numbers, size, drawing.area.colors.muted));
}

namespace {

/// A 128-byte line with the sectors fetched of it.
struct CacheLine final {
    std::uint64_t index = 0;
    std::vector<Sector> sectors{};
};

std::vector<CacheLine> linesOf(const WarpStep& step) {
    std::vector<CacheLine> lines;
    for (Sector& sector : sectorsOf(step)) {
        const std::uint64_t line = sector.index / sectorsPerLine;
        if (lines.empty() || lines.back().index != line) lines.push_back({.index = line});
        lines.back().sectors.push_back(std::move(sector));
    }
    return lines;
}

/// Lines side by side, wrapped like words.
struct Flow final {
    float sector = 0;    ///< width of one
    bool whole = false;  ///< sectors not fetched have their place, too
    std::size_t rows = 0;
    bool readable = false;  ///< all lanes are named
};

class Fitting final {
  public:
    Fitting(const MemoryDrawing& drawing, const std::vector<CacheLine>& lines)
        : drawing_(drawing), lines_(lines), gap_(drawing.u(6)) {
        for (const CacheLine& line : lines) {
            for (const Sector& sector : line.sectors) take(sector);
        }
    }

    [[nodiscard]] float gap() const { return gap_; }
    [[nodiscard]] float widthOf(const CacheLine& line, const Flow& flow) const {
        const std::size_t sectors = flow.whole ? sectorsPerLine : line.sectors.size();
        return static_cast<float>(sectors) * flow.sector;
    }

    /// The fewest rows in which lane numbers can be read; else the largest sectors there are.
    [[nodiscard]] Flow fit(std::size_t mostRows) const {
        Flow best;
        for (const bool whole : {true, false}) {
            for (std::size_t rows = 1; rows <= mostRows; ++rows) {
                Flow flow{largest(rows, whole), whole, rows};
                flow.readable = isReadable(flow.sector);
                if (flow.readable) return flow;
                if (flow.sector > best.sector) best = flow;
            }
        }
        return best;
    }

  private:
    [[nodiscard]] std::size_t rowsWith(const Flow& flow) const {
        const float room = drawing_.body.width();
        std::size_t rows = 1;
        float x = 0;
        for (const CacheLine& line : lines_) {
            const float width = widthOf(line, flow);
            if (width > room) return SIZE_MAX;
            if (x > 0 && x + width > room) {
                ++rows;
                x = 0;
            }
            x += width + gap_;
        }
        return rows;
    }
    [[nodiscard]] float largest(std::size_t rows, bool whole) const {
        // No wider than lets a value be as wide as its lane.
        const float laneWidth = drawing_.strip.width() / lanesPerWarp;
        float high =
            laneWidth * bytesPerSector / static_cast<float>(std::min(drawing_.step.bytes, 4U));
        if (rowsWith({high, whole}) <= rows) return high;
        float low = 0;
        for (int halvings = 0; halvings < 14; ++halvings) {
            const float middle = (low + high) / 2;
            (rowsWith({middle, whole}) <= rows ? low : high) = middle;
        }
        return low;
    }
    void take(const Sector& sector) {
        std::string names;
        std::uint32_t free = 0;
        for (const Run& run : sector.runs) {
            if (run.lanes == 0) {
                free = std::max(free, run.end - run.begin);
            } else {
                addWords(names, " ", lanesShort(run.lanes));
            }
        }
        widest_ = std::max(widest_, drawing_.widthOf(names, drawing_.numberSize() * 0.9F));
        leastFree_ = std::min(leastFree_, free);
    }
    /// Numbers fit into the lanes' bytes, or all of a sector's side by side over its unused ones.
    [[nodiscard]] bool isReadable(float sector) const {
        const float number = drawing_.widthOf("00", drawing_.numberSize() * 0.9F) + drawing_.u(2);
        const float value =
            sector * static_cast<float>(drawing_.step.bytes) / static_cast<float>(bytesPerSector);
        const float beside =
            sector * static_cast<float>(leastFree_) / static_cast<float>(bytesPerSector);
        return value >= number || beside >= widest_ + drawing_.u(2);
    }

    const MemoryDrawing& drawing_;
    const std::vector<CacheLine>& lines_;
    float gap_;
    float widest_ = 0;  ///< of a sector's names
    std::uint32_t leastFree_ = bytesPerSector;
};

/// Where one line came to lie.
struct Placed final {
    const CacheLine& line;
    Box box;
    [[nodiscard]] Box sectorBox(std::size_t slot, float width) const {
        const float left = box.left + static_cast<float>(slot) * width;
        return {left, box.top, left + width, box.bottom};
    }
};

/// What names the lanes on their bytes, and how large; of no size where nothing has room.
struct NameOn final {
    std::string name{};
    float size = 0;
};
NameOn nameOn(const MemoryDrawing& drawing, const Sector& sector, std::uint32_t lanes,
              const Box& bytes) {
    const bool isOne = std::has_single_bit(lanes);
    // On a slide none is smaller than another.
    const bool shrinks = isOne && drawing.area.leastText == 0;
    const float size = shrinks ? drawing.laneNumberSize(bytes) : drawing.numberSize();
    const auto fits = [&](const std::string& name) {
        return (drawing.namesInside || !isOne) && drawing.widthOf(name, size) <= bytes.width();
    };
    std::string name = lanesShort(lanes);
    // Beside the only ones of a sector there is no other word that it could be of.
    if (!isOne && lanes != sector.lanes && !fits(name))
        name = "×" + std::to_string(std::popcount(lanes));
    return {name, fits(name) ? size : 0};
}

/// Names lanes beside bytes too narrow for it, over neighbours that nobody asked for: those of
/// bytes side by side together, or none of them.
void nameBeside(MemoryDrawing& drawing, const Sector& sector, const Box& box) {
    const float size = drawing.numberSize() * (drawing.area.leastText == 0 ? 0.9F : 1);
    const std::vector<Run>& runs = sector.runs;
    const auto isNarrow = [&](std::size_t at) {
        const std::uint32_t lanes = runs[at].lanes;
        return lanes != 0 &&
               nameOn(drawing, sector, lanes, markOf(drawing, box, runs, at)).size == 0;
    };
    std::size_t taken = SIZE_MAX;  // a run that holds a name
    for (std::size_t i = 0; i < runs.size(); ++i) {
        if (!isNarrow(i)) continue;
        const std::size_t begin = i;
        std::string names;
        std::uint32_t lanes = 0;
        for (; i < runs.size() && isNarrow(i); ++i) {
            addWords(names, " ", lanesShort(runs[i].lanes));
            lanes |= runs[i].lanes;
        }
        if (!drawing.namesBeside && runs[begin].lanes != sector.lanes) continue;
        const float width = drawing.widthOf(names, size) + drawing.u(2);
        const auto isFree = [&](std::size_t at) {
            return at != taken && freeBox(drawing, box, runs, at).width() >= width;
        };
        const bool after = isFree(i);
        if (!after && (begin == 0 || !isFree(begin - 1))) continue;
        taken = after ? i : begin - 1;
        const Box free = freeBox(drawing, box, runs, taken);
        const float left = after ? free.left : free.right - width;
        const Box plate = plateFor(drawing, box, left, width, size);
        const ColorRoles& colors = drawing.area.colors;
        drawing.add(Fill{plate, colors.raised});
        drawing.label(plate, names, size, drawing.stands(lanes) ? colors.text : colors.faint);
    }
}

}  // namespace

void drawSectorBox(MemoryDrawing& drawing, const Sector& sector, const Box& box, float hatch) {
    const ColorRoles& colors = drawing.area.colors;
    drawing.add(Fill{box, colors.raised});
    for (const Run& run : sector.runs) {
        if (run.lanes == 0) drawing.add(Hatch{runBox(box, run), colors.muted, hatch});
    }
    bool isNamed = false;
    for (std::size_t i = 0; i < sector.runs.size(); ++i) {
        const std::uint32_t lanes = sector.runs[i].lanes;
        isNamed |= lanes == 0;
        if (lanes == 0) continue;
        const Box mark = markOf(drawing, box, sector.runs, i);
        drawing.cell(mark, lanes, false);
        const auto& [name, size] = nameOn(drawing, sector, lanes, mark);
        isNamed |= size > 0;
        const Rgb color = drawing.colorOfLanes(lanes);
        if (size > 0)
            drawing.label(mark, name, size,
                          drawing.stands(lanes) ? inkOn(color) : drawing.area.colors.muted);
    }
    nameBeside(drawing, sector, box);
    // On a slide a full one whose lanes have no room for their numbers has the first and the last.
    const std::string all = lanesShort(sector.lanes);
    if (!isNamed && drawing.area.leastText != 0 && !all.starts_with("×")) {
        const std::uint32_t middle = sector.runs[sector.runs.size() / 2].lanes;
        drawing.label(box, all, drawing.numberSize(), inkOn(drawing.colorOfLanes(middle)));
    }
    const bool bright = (drawing.lit & sector.lanes) != 0;
    drawing.add(Frame{box, bright ? colors.text : colors.muted, drawing.u(bright ? 1.5F : 1)});
}

namespace {

void pointAtSector(MemoryDrawing& drawing, const Sector& sector, const Box& box) {
    if (!drawing.pointsAt(box)) return;
    const std::uint64_t first = sector.index * bytesPerSector;
    std::uint32_t used = 0;
    for (const Run& run : sector.runs) used += run.lanes != 0 ? run.end - run.begin : 0;
    drawing.lit = sector.lanes;
    drawing.result.pointed =
        "sector " + groupedDigits(sector.index) + " of " +
        nameOfArray(drawing.trace, drawing.step) + ": bytes " + groupedDigits(first) + " – " +
        groupedDigits(first + bytesPerSector - 1) + '\n' + elementAt(drawing, first) + " – " +
        elementAt(drawing, first + bytesPerSector - 1) + '\n' + std::to_string(used) +
        " of its 32 bytes asked for, by " + lanesLong(sector.lanes);
}

/// Of what begins the box. Below its line, because the lanes' lines come from above.
void addressOf(MemoryDrawing& drawing, const Placed& placed, bool whole, float room, bool first) {
    const float size = drawing.numberSize() * 0.9F;
    const std::string digits =
        groupedDigits(whole ? placed.line.index * bytesPerCacheLine
                            : placed.line.sectors.front().index * bytesPerSector);
    const std::string full = "byte " + digits;
    const bool fits = drawing.widthOf(full, size) <= room;
    if (!fits && !first && drawing.widthOf(digits, size) > room) return;
    drawing.add(Text({placed.box.left, placed.box.bottom + drawing.u(4)}, fits ? full : digits,
                     Face::numbers, size, drawing.area.colors.faint));
}

}  // namespace

void drawSectors(MemoryDrawing& drawing) {
    const std::vector<CacheLine> lines = linesOf(drawing.step);
    const Fitting fitting(drawing, lines);
    float address = drawing.numberSize() * 0.9F + drawing.u(4);
    float between = drawing.u(7);
    float room = drawing.body.height() - drawing.u(6);
    const auto fitted = [&] {
        const float least = address + drawing.u(11) + between;
        return fitting.fit(static_cast<std::size_t>(std::max(1.0F, room / least)));
    };
    Flow flow = fitted();
    // The lanes' names come before the addresses, of which one below all rows has to do, and that
    // only where names are left, if any are without.
    const bool addressed = flow.readable || room < drawing.u(24);
    bool isTold = false;
    if (!addressed) {
        const float whole = room;
        const float label = std::exchange(address, 0.0F);
        for (const auto& [apart, taken] : {std::pair{5.0F, label}, std::pair{2.0F, label},
                                           std::pair{5.0F, 0.0F}, std::pair{5.0F, label}}) {
            between = drawing.u(apart);
            room = whole - taken;
            isTold = taken > 0;
            flow = fitted();
            if (flow.readable) break;
        }
    }
    const auto rows = static_cast<float>(flow.rows);
    const float height =
        std::round(std::clamp(room / rows - address - between, drawing.u(8), drawing.u(26)));
    const float pitch = address + height + between;
    // Room for the links where there is one row.
    const float above = std::max(
        drawing.u(6), flow.rows == 1 ? std::min(drawing.u(70), room - pitch) : drawing.u(6));

    std::vector<Placed> placed;
    float total = -fitting.gap();
    for (const CacheLine& line : lines) total += fitting.widthOf(line, flow) + fitting.gap();
    const float start =
        drawing.body.left + (flow.rows == 1 ? std::max(0.0F, drawing.body.width() - total) / 2 : 0);
    float x = start;
    float y = std::round(drawing.body.top + above);
    for (const CacheLine& line : lines) {
        const float width = fitting.widthOf(line, flow);
        if (x > start && x + width > drawing.body.right + drawing.u(1)) {
            x = start;
            y += std::round(pitch);
        }
        placed.push_back({line, {x, y, x + width, y + height}});
        x += width + fitting.gap();
    }
    const auto forEachSector = [&](auto use) {
        for (const Placed& at : placed) {
            for (std::size_t i = 0; i < at.line.sectors.size(); ++i) {
                const Sector& sector = at.line.sectors[i];
                use(sector,
                    at.sectorBox(flow.whole ? sector.index % sectorsPerLine : i, flow.sector));
            }
        }
    };
    forEachSector(
        [&](const Sector& sector, const Box& box) { pointAtSector(drawing, sector, box); });

    for (std::size_t i = 0; i < placed.size(); ++i) {
        const Placed& at = placed[i];
        for (std::size_t slot = 0; flow.whole && slot < sectorsPerLine; ++slot) {
            drawing.add(
                Frame{at.sectorBox(slot, flow.sector), drawing.area.colors.raised, drawing.u(1)});
        }
        const bool first = i == 0 || placed[i - 1].box.top != at.box.top;
        const bool last = i + 1 == placed.size() || placed[i + 1].box.top != at.box.top;
        const float free = last ? drawing.body.right - at.box.left : at.box.width() + fitting.gap();
        if (addressed) addressOf(drawing, at, flow.whole, free - drawing.u(4), first);
        const float edge = drawing.u(2);
        drawing.add(Frame(
            {at.box.left - edge, at.box.top - edge, at.box.right + edge, at.box.bottom + edge},
            drawing.area.colors.faint, drawing.u(1)));
    }
    if (isTold && !placed.empty()) {
        addBytes(drawing, sectorsOf(drawing.step),
                 {drawing.body.left, placed.back().box.bottom + drawing.u(4)},
                 drawing.numberSize() * 0.9F);
    }
    forEachSector([&](const Sector& sector, const Box& box) {
        for (const Run& run : sector.runs) {
            const Box bytes = runBox(box, run);
            for (std::uint32_t left = run.lanes; left != 0; left &= left - 1) {
                const auto lane = static_cast<std::uint32_t>(std::countr_zero(left));
                if (flow.rows != 1 && (drawing.lit >> lane & 1) == 0) continue;
                drawing.link(lane, {(bytes.left + bytes.right) / 2, bytes.top});
            }
        }
    });
    forEachSector([&](const Sector& sector, const Box& box) {
        drawSectorBox(drawing, sector, box, drawing.u(5));
    });
}

}  // namespace warplens::drawing
