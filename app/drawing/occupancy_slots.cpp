#include "app/drawing/occupancy_slots.h"

#include <cmath>

#include "core/measurement/measurement.h"
#include "core/schedule/sm_model.h"
#include "core/text/format.h"

namespace warplens::drawing {
namespace {

std::string amountInWords(SmResource resource, std::uint64_t taken, std::uint64_t available) {
    if (resource == SmResource::sharedMemory) {
        return formatBytes(taken) + " of " + formatBytes(available);
    }
    return groupedDigits(taken) + " of " + groupedDigits(available);
}

class SlotsComposer final {
  public:
    SlotsComposer(const SmLimits& limits, const BlockDemand& block, const DrawArea& area,
                  std::optional<Point> pointer, const std::optional<GridShare>& grid)
        : limits_(limits),
          occupancy_(occupancyOf(limits, block)),
          resident_(residentOf(occupancy_, grid)),
          block_(block),
          sharedSum_(sharedSumInWords(limits, block)),
          area_(area),
          pointer_(pointer),
          refusals_(refusalsOf(limits, block)) {}

    OccupancySlots draw() {
        const Box& box = area_.box;
        const float line = textSize() * 1.5F;
        const float barRow = std::max(std::min(u(44), box.height() * 0.12F), textSize() * 1.4F);
        const float bars = barRow * static_cast<float>(smResources.size());
        const float note = line;
        const SlotRows rows = slotRowsOf(occupancy_.warpSlots);
        const float most = box.height() - bars - note - u(16);
        const float cell = std::clamp(std::min(box.width() / static_cast<float>(rows.columns),
                                               most / static_cast<float>(rows.rows)),
                                      u(4), u(58));
        drawSlots({box.left, box.top}, rows,
                  std::floor(box.width() / static_cast<float>(rows.columns)), std::floor(cell));
        const float below = box.top + std::floor(cell) * static_cast<float>(rows.rows) + u(6);
        add(Text({box.left, below},
                 fitting({"One SM's " + counted(occupancy_.warpSlots, "warp slot") +
                              (hasRoom() ? ": filled by blocks of this launch, outlined where it "
                                           "has room for more"
                                         : ", filled block by block; the hardware chooses its own "
                                           "order"),
                          counted(occupancy_.warpSlots, "warp slot") + " of one SM" +
                              (hasRoom() ? ", outlined: room" : "")},
                         box.width(), Face::words, textSize() * 0.92F),
                 Face::words, textSize() * 0.92F, area_.colors.faint));
        measureWords();
        float top = below + note + u(6);
        for (const SmResource resource : smResources) {
            drawBar(resource, {box.left, top, box.right, top + barRow});
            top += barRow;
        }
        return std::move(result_);
    }

  private:
    [[nodiscard]] float u(float units) const { return units * area_.textSize / 12; }
    [[nodiscard]] float textSize() const { return area_.textSize; }
    [[nodiscard]] float hairline() const { return std::max(1.0F, u(1)); }
    [[nodiscard]] bool pointsAt(const Box& box) const {
        return pointer_ && box.contains(*pointer_);
    }
    [[nodiscard]] bool hasRoom() const { return resident_ < occupancy_.residentBlocks; }
    void add(Item item) { result_.items.push_back(std::move(item)); }

    /// The first of `choices` that fits `width`; the last if none does.
    [[nodiscard]] std::string fitting(std::initializer_list<std::string> choices, float width,
                                      Face face, float size) const {
        for (const std::string& words : choices) {
            if (area_.textWidth(words, face, size) <= width) return words;
        }
        return std::data(choices)[choices.size() - 1];
    }

    static Rgb colorOfBlock(std::uint32_t block) { return colorOf(WarpRank{block}); }

    void drawSlots(Point at, SlotRows rows, float width, float height) {
        const float gap = std::min(u(2), height * 0.15F);
        const auto cellOf = [&](std::uint32_t slot) {
            const float left = at.x + width * static_cast<float>(slot % rows.columns);
            const float top = at.y + height * static_cast<float>(slot / rows.columns);
            return Box{left, top, left + width - gap, top + height - gap};
        };
        const std::uint32_t warps = occupancy_.warpsPerBlock();
        for (std::uint32_t slot = 0; slot < occupancy_.warpSlots; ++slot) {
            if (slot >= occupancy_.residentWarps()) {
                add(Frame{cellOf(slot), area_.colors.muted, hairline()});
            } else if (slot / warps < resident_) {
                drawWarp(cellOf(slot), slot / warps, slot % warps);
            }
        }
        for (std::uint32_t block = 0; block < occupancy_.residentBlocks; ++block) {
            for (std::uint32_t first = block * warps; first < (block + 1) * warps;) {
                const std::uint32_t row = first / rows.columns;
                const std::uint32_t last =
                    std::min((block + 1) * warps, (row + 1) * rows.columns) - 1;
                const Box run{cellOf(first).left, cellOf(first).top, cellOf(last).right,
                              cellOf(last).bottom};
                if (block < resident_)
                    nameRun(run, block);
                else
                    outlineRun(run);
                first = last + 1;
            }
        }
        if (refusals_.empty()) return;
        const std::string refused = "This block cannot be launched";
        const float size = textSize() * 1.3F;
        const float half = area_.textWidth(refused, Face::strong, size) / 2 + size / 2;
        const Point middle{(cellOf(0).left + cellOf(rows.columns - 1).right) / 2,
                           at.y + height * static_cast<float>(rows.rows) / 2};
        // A background of its own: the frames of the cells would strike it through.
        add(Fill{{middle.x - half, middle.y - size, middle.x + half, middle.y + size},
                 area_.colors.background});
        add(Text({middle.x, middle.y - size / 2}, refused, Face::strong, size, area_.colors.warning,
                 0.5F));
    }

    void drawWarp(const Box& cell, std::uint32_t block, std::uint32_t warp) {
        const std::uint64_t first = std::uint64_t{warp} * lanesPerWarp;
        const std::uint64_t threads = std::min<std::uint64_t>(lanesPerWarp, block_.threads - first);
        add(Fill{cell, colorOfBlock(block)});
        if (threads < lanesPerWarp) {
            // Lanes without a thread: the slot is taken all the same.
            Box idle = cell;
            idle.left += cell.width() * static_cast<float>(threads) / lanesPerWarp;
            add(Fill{idle, area_.colors.background, 0.72F});
            add(Hatch{idle, colorOfBlock(block), u(5)});
        }
        if (!pointsAt(cell)) return;
        add(Frame{cell, area_.colors.text, 2 * hairline()});
        result_.pointed =
            "block " + std::to_string(block) + ", its warp " + std::to_string(warp) + " of " +
            std::to_string(occupancy_.warpsPerBlock()) + '\n' + counted(threads, "thread") +
            (threads < lanesPerWarp ? ", " + counted(lanesPerWarp - threads, "lane") + " idle"
                                    : "");
    }

    void nameRun(const Box& run, std::uint32_t block) {
        const std::string number = std::to_string(block);
        const float size = std::min(textSize() * 1.1F, run.height() * 0.72F);
        if (size < std::max(u(5.5F), area_.leastText) ||
            area_.textWidth(number, Face::strong, size) > run.width())
            return;
        const std::string name =
            fitting({"block " + number, number}, run.width() - u(6), Face::strong, size);
        const float half = area_.textWidth(name, Face::strong, size) / 2 + u(3);
        const float middle = (run.left + run.right) / 2;
        // The gaps between its warps would strike it through.
        add(Quad{{{{middle - half, run.top},
                   {middle + half, run.top},
                   {middle + half, run.bottom},
                   {middle - half, run.bottom}}},
                 colorOfBlock(block)});
        add(Text({middle, (run.top + run.bottom - size) / 2}, name, Face::strong, size,
                 inkOn(colorOfBlock(block)), 0.5F));
    }

    /// Of a block that there is room for.
    void outlineRun(const Box& run) {
        add(Frame{run, area_.colors.text, 1.5F * hairline()});
        const float size = std::min(textSize() * 0.92F, run.height() * 0.6F);
        if (size >= std::max(u(5.5F), area_.leastText) &&
            area_.textWidth("room", Face::words, size) <= run.width() - u(6)) {
            add(Text({(run.left + run.right) / 2, (run.top + run.bottom - size) / 2}, "room",
                     Face::words, size, area_.colors.muted, 0.5F));
        }
        if (pointsAt(run)) result_.pointed = "room for a block that this launch has not";
    }

    [[nodiscard]] std::string titleOf(SmResource resource) const {
        std::string title(toString(resource));
        title.front() = static_cast<char>(title.front() - 'a' + 'A');
        return isBrief_ ? title.substr(0, title.find(' ')) : title;
    }
    [[nodiscard]] std::string amountOf(SmResource resource) const {
        const ResourceUse& use = occupancy_.use(resource);
        return amountInWords(resource, use.perBlock * resident_, use.available);
    }
    /// How wide names and amounts are; the names are brief where little would be left for bars.
    void measureWords() {
        const auto widest = [&](auto words, Face face, float size) {
            float most = 0;
            for (const SmResource resource : smResources)
                most = std::max(most, area_.textWidth(words(resource), face, size));
            return most + u(14);
        };
        const auto titles = [&](SmResource resource) { return titleOf(resource); };
        amountsWidth_ = widest([&](SmResource resource) { return amountOf(resource); },
                               Face::numbers, textSize() * 0.95F);
        namesWidth_ = widest(titles, Face::strong, textSize());
        isBrief_ = area_.box.width() - namesWidth_ - amountsWidth_ < area_.box.width() * 0.25F;
        if (isBrief_) namesWidth_ = widest(titles, Face::strong, textSize());
    }

    void drawBar(SmResource resource, const Box& row) {
        const ColorRoles& colors = area_.colors;
        const ResourceUse& use = occupancy_.use(resource);
        const bool launches = refusals_.empty();
        const bool limits = launches && occupancy_.isLimitedBy(resource);
        const bool refuses = !launches && use.blocks == 0u;
        const Rgb strong = limits || refuses ? colors.warning : colors.text;
        const std::string amount = amountOf(resource);
        const std::string room = !launches && !refuses  ? ""
                                 : refuses              ? "one block takes too much"
                                 : limits && !hasRoom() ? "no room for another block"
                                 : use.blocks ? "room for " + counted(*use.blocks, "block")
                                              : "none used";
        // Where a row is too low for both, the bar stands beside its words.
        const bool beside = row.height() < textSize() + u(16);
        const float names = beside ? (row.top + row.bottom - textSize()) / 2 : row.top + u(2);
        const float width = row.width();
        const std::string title = titleOf(resource);
        add(Text({row.left, names}, title, limits || refuses ? Face::strong : Face::words,
                 textSize(), strong));
        const float left = row.left + namesWidth_;
        add(Text{{left, names}, amount, Face::numbers, textSize() * 0.95F, colors.text});
        float end = left + area_.textWidth(amount, Face::numbers, textSize() * 0.95F);
        const std::string sum = resource == SmResource::sharedMemory && !sharedSum_.empty()
                                    ? "= " + sharedSum_
                                    : std::string();
        const float sumWidth = area_.textWidth(sum, Face::numbers, textSize() * 0.95F) + u(10);
        if (!beside && !sum.empty() &&
            end + sumWidth + u(12) + area_.textWidth(room, Face::words, textSize()) <= row.right) {
            add(Text{{end + u(10), names}, sum, Face::numbers, textSize() * 0.95F, colors.muted});
            end += sumWidth;
        }
        if (!beside &&
            end + u(12) + area_.textWidth(room, Face::words, textSize()) <= row.left + width) {
            add(Text({row.right, names}, room, limits || refuses ? Face::strong : Face::words,
                     textSize(), limits || refuses ? colors.warning : colors.muted, 1));
        }
        const Box bar =
            beside ? Box{left + amountsWidth_, row.top + u(2), row.right, row.bottom - u(2)}
                   : Box{row.left, names + textSize() + u(2), row.right, row.bottom - u(3)};
        // Where it would be a dash the numbers stand alone.
        if (bar.width() >= u(24)) {
            // Within its frame: where both are dark the colors would be lost.
            const float frame = (limits || refuses ? 2.0F : 1.0F) * hairline();
            fillBar(resource, use,
                    {bar.left + frame, bar.top + frame, bar.right - frame, bar.bottom - frame});
            add(Frame{bar, limits || refuses ? colors.warning : colors.muted, frame});
        }
        if (pointsAt(row)) {
            result_.pointed = title + ": one block takes " + takenByOne(resource, use) + "\n" +
                              amount + "; " + room;
        }
    }

    /// Beyond what it asks for there is what CUDA keeps for itself, and what is rounded up.
    [[nodiscard]] std::string takenByOne(SmResource resource, const ResourceUse& use) const {
        if (resource != SmResource::sharedMemory)
            return groupedDigits(use.perBlock) +
                   (resource == SmResource::registers ? ", rounded up as the SM does" : "");
        const std::uint64_t kept = limits_.sharedReservedPerBlock;
        const std::uint64_t sum = block_.sharedBytes() + kept;
        std::string words = formatBytes(use.perBlock);
        if (kept != 0)
            words += ": " + formatBytes(block_.sharedBytes()) + " of its own and " +
                     formatBytes(kept) + " that CUDA keeps for itself in each block";
        return words + (sum != use.perBlock ? ", rounded up as the SM does" : "");
    }

    /// A piece for each resident block; what is left is too little where this resource limits.
    void fillBar(SmResource resource, const ResourceUse& use, const Box& bar) {
        add(Fill{bar, area_.colors.raised});
        if (use.available == 0) return;
        const auto at = [&](std::uint64_t amount) {
            const double share =
                std::min(1.0, static_cast<double>(amount) / static_cast<double>(use.available));
            return bar.left + bar.width() * static_cast<float>(share);
        };
        for (std::uint32_t block = 0; block < resident_ && use.perBlock != 0; ++block) {
            const float left = at(use.perBlock * block);
            const float right = at(use.perBlock * (block + 1));
            const float gap = right - left > u(4) ? hairline() : 0;
            add(Fill{{left, bar.top, right - gap, bar.bottom}, colorOfBlock(block)});
        }
        const float full = at(use.perBlock * occupancy_.residentBlocks);
        if (hasRoom() && use.perBlock != 0)
            add(Frame{{at(use.perBlock * resident_), bar.top, full, bar.bottom},
                      area_.colors.text,
                      hairline()});
        if (refusals_.empty() && occupancy_.isLimitedBy(resource) && full < bar.right - 1) {
            add(Hatch{{full, bar.top, bar.right, bar.bottom}, area_.colors.warning, u(6)});
        }
        if (!refusals_.empty() && use.blocks == 0u) {
            add(Hatch{bar, area_.colors.warning, u(6)});
        }
    }

    const SmLimits& limits_;
    Occupancy occupancy_;     ///< what there is room for
    std::uint32_t resident_;  ///< of its blocks those that the launch has
    const BlockDemand& block_;
    std::string sharedSum_;
    const DrawArea& area_;
    std::optional<Point> pointer_;
    std::vector<LimitViolation> refusals_;
    OccupancySlots result_;
    float namesWidth_ = 0;
    float amountsWidth_ = 0;
    bool isBrief_ = false;
};

}  // namespace

GridShare gridShareOf(std::uint64_t blocks, const SmLimits& limits, const Device* device) {
    if (device != nullptr && smLimitsOf(*device) == &limits && device->multiprocessors > 0)
        return {blocks, static_cast<std::uint32_t>(device->multiprocessors), device->name};
    constexpr ComputeCapability ofH200{9, 0};
    if (limits.capability == ofH200) return {blocks, SmModel{}.multiprocessors, "an H200"};
    return {blocks};
}

std::uint32_t residentOf(const Occupancy& room, const std::optional<GridShare>& grid) {
    return grid ? std::min(room.residentBlocks, occupancy::blockCount(grid->most()))
                : room.residentBlocks;
}

OccupancySlots prepareOccupancySlots(const SmLimits& limits, const BlockDemand& block,
                                     const DrawArea& area, std::optional<Point> pointer,
                                     const std::optional<GridShare>& grid) {
    return SlotsComposer(limits, block, area, pointer, grid).draw();
}

std::string occupancyInWords(const SmLimits& limits, const BlockDemand& block,
                             const std::optional<GridShare>& grid) {
    const Occupancy room = occupancyOf(limits, block);
    if (room.residentBlocks == 0) return "This block cannot be launched";
    const std::uint32_t resident = residentOf(room, grid);
    const std::uint32_t warps = resident * room.warpsPerBlock();
    const std::string blocks = counted(resident, "block");
    const auto has = [&]() -> std::string {
        if (resident == room.residentBlocks) return blocks + " resident";
        const std::uint64_t sms = grid->multiprocessors;
        if (sms == 0 || grid->blocks == 1) return "This launch has " + blocks;
        if (grid->blocks < sms)
            return "This launch has 1 block on each of " + std::to_string(grid->blocks) + " SMs";
        const bool even = grid->blocks % sms == 0;
        return "This launch has " + (even ? blocks : "at most " + blocks) + " for each SM";
    };
    return has() + ", " + std::to_string(warps) + " of " + counted(room.warpSlots, "warp") + ": " +
           formatNumber(100.0 * warps / room.warpSlots, Unit::percent) + " occupancy";
}

std::string limitInWords(const SmLimits& limits, const BlockDemand& block,
                         const std::optional<GridShare>& grid) {
    const std::vector<LimitViolation> refusals = refusalsOf(limits, block);
    if (!refusals.empty()) return toString(refusals);
    const Occupancy room = occupancyOf(limits, block);
    const std::string limited = "limited by " + limitersOf(room);
    if (residentOf(room, grid) == room.residentBlocks) return limited;
    std::string words = "Room for " + counted(room.residentBlocks, "block") + ", " + limited;
    if (grid->multiprocessors == 0) return words;
    const std::uint64_t sms = grid->multiprocessors;
    words += "; " + counted(grid->blocks, "block") + " on the " + std::to_string(sms) + " SMs of " +
             grid->device;
    if (grid->blocks < sms) return words + ": " + std::to_string(sms - grid->blocks) + " have none";
    if (grid->blocks % sms == 0) return words;
    return words + ": " + std::to_string(grid->most()) + " for some, " +
           std::to_string(grid->most() - 1) + " for others";
}

std::string sharedSumInWords(const SmLimits& limits, const BlockDemand& block) {
    const Occupancy occupancy = occupancyOf(limits, block);
    const std::uint64_t own = block.sharedBytes();
    const std::uint64_t taken = own + limits.sharedReservedPerBlock;
    if (own == 0 || taken == own || taken != occupancy.use(SmResource::sharedMemory).perBlock)
        return {};
    return std::to_string(occupancy.residentBlocks) + " × (" + formatBytes(own) + " + " +
           formatBytes(limits.sharedReservedPerBlock) + " for the system)";
}

OccupancySlots prepareBlockSizes(const SmLimits& limits, const BlockDemand& block,
                                 const DrawArea& area, std::optional<Point> pointer) {
    OccupancySlots result;
    const auto add = [&](Item item) { result.items.push_back(std::move(item)); };
    const ColorRoles& colors = area.colors;
    const float size = area.textSize * 0.92F;
    const float unit = area.textSize / 12;
    const std::uint32_t sizes = limits.threadsPerBlock / lanesPerWarp;
    const Box columns{area.box.left, area.box.top + 1.5F * size, area.box.right,
                      area.box.bottom - 1.3F * size};
    add(Text{{columns.left, area.box.top},
             "Room by threads of a block, to 100 % occupancy, all else as above",
             Face::words,
             size,
             colors.faint});
    const float pitch = std::floor(columns.width() / static_cast<float>(sizes));
    for (std::uint32_t warps = 1; warps <= sizes; ++warps) {
        const bool here = warps == block.warps();
        BlockDemand other = block;
        if (!here) other.threads = std::uint64_t{warps} * lanesPerWarp;
        const float left = columns.left + pitch * static_cast<float>(warps - 1);
        const Box column{left, columns.top, left + pitch - 2 * unit, columns.bottom};
        const double percent = occupancyOf(limits, other).percent();
        Box filled = column;
        filled.top = column.bottom - column.height() * static_cast<float>(percent / 100);
        add(Fill{column, colors.raised});
        if (percent == 0) {
            add(Hatch{column, colors.warning, 6 * unit});
        } else {
            add(Fill{filled, here ? colors.accent : colors.muted});
        }
        // The others keep clear of the number of this block.
        const auto apart =
            static_cast<std::int64_t>(warps) - static_cast<std::int64_t>(block.warps());
        if (here || (warps % 8 == 0 && (apart < -2 || apart > 2))) {
            const bool last = warps == sizes;
            add(Text{{last ? column.right : (column.left + column.right) / 2,
                      columns.bottom + 0.2F * size},
                     groupedDigits(other.threads),
                     Face::numbers,
                     size,
                     here ? colors.text : colors.faint,
                     last ? 1 : 0.5F});
        }
        if (pointer && column.contains(*pointer)) {
            result.pointed = counted(other.threads, "thread") + " a block\n" +
                             occupancyInWords(limits, other) + "\n" + limitInWords(limits, other);
        }
    }
    return result;
}

}  // namespace warplens::drawing
