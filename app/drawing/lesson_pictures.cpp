#include "app/drawing/lesson_pictures.h"

#include <algorithm>

#include "app/drawing/warp_memory_parts.h"
#include "core/text/format.h"
#include "kernels/library/kernel_program.h"

namespace warplens::drawing {
namespace {

constexpr std::uint64_t mostBlocks = 64;

float rowHeight(float textSize) {
    return textSize * 1.35F;
}

/// One device's stack of waves.
class Stack final {
  public:
    Stack(Items& items, const DrawArea& area, std::uint64_t blocks, std::uint32_t atATime,
          std::uint64_t multiprocessors)
        : items_(items),
          area_(area),
          blocks_(blocks),
          slots_(atATime * multiprocessors),
          atATime_(atATime) {}

    /// Returns where it ends.
    float draw(float top) {
        const float row = rowHeight(area_.textSize);
        const ColorRoles& colors = area_.colors;
        const std::uint64_t waves = (blocks_ + slots_ - 1) / slots_;
        items_.push_back(Text({area_.box.left, top},
                              counted(slots_ / atATime_, "SM") + ": " + counted(waves, "wave"),
                              Face::words, area_.textSize, colors.text, 0));
        top += row;
        for (std::uint64_t wave = 0; wave < waves; ++wave, top += row) {
            for (std::uint64_t slot = 0; slot < slots_; ++slot) cell(wave, slot, top);
        }
        return top + row * 0.4F;
    }

  private:
    void cell(std::uint64_t wave, std::uint64_t slot, float top) {
        const float row = rowHeight(area_.textSize);
        // All stacks have cells of one width: the widest stack, one wave of all blocks, fills it.
        const auto places = static_cast<float>((blocks_ + atATime_ - 1) / atATime_);
        const float space = row * 0.08F;
        const float width =
            std::min((area_.box.width() - places * space) / (places * static_cast<float>(atATime_)),
                     row * 2.4F);
        const std::uint64_t sm = slot / atATime_;
        const float gap = static_cast<float>(sm) * space;
        const float left = area_.box.left + static_cast<float>(slot) * width + gap;
        const Box box{left, top, std::min(left + width - 1, area_.box.right), top + row - 1};
        const std::uint64_t rank = wave * slots_ + slot;
        if (rank >= blocks_) {
            items_.push_back(Frame{box, area_.colors.faint, 1});
            return;
        }
        const Rgb color = warpColors.at(sm % warpColors.size());
        items_.push_back(Fill{box, color, 1});
        const std::string number = std::to_string(rank);
        const float size = area_.textSize * 0.9F;
        if (area_.textWidth(number, Face::numbers, size) + 2 > box.width()) return;
        items_.push_back(Text({(box.left + box.right) / 2, top + (row - size) / 2}, number,
                              Face::numbers, size, inkOn(color), 0.5F));
    }

    Items& items_;
    const DrawArea& area_;
    std::uint64_t blocks_;
    std::uint64_t slots_;
    std::uint32_t atATime_;
};

/// Columns in which the lanes' lines fit, few enough to be read.
std::uint32_t laneColumns(const DrawArea& area, float line) {
    for (const std::uint32_t columns : {2U, 4U}) {
        if (line * static_cast<float>(lanesPerWarp / columns) <= area.box.height() * 0.9F) {
            return columns;
        }
    }
    return 4;
}

/// From long to short.
enum class LaneForm : std::uint8_t { elementAndBytes, bytes, byte, number };

std::string laneWords(const MemoryDrawing& drawing, std::uint32_t lane, LaneForm form) {
    const std::uint64_t first = drawing.step.offsets.at(lane);
    const std::string bytes =
        "bytes " + groupedDigits(first) + " – " + groupedDigits(first + drawing.step.bytes - 1);
    switch (form) {
        case LaneForm::elementAndBytes:
            return elementAt(drawing, first) + "   " + bytes;
        case LaneForm::bytes:
            return bytes;
        case LaneForm::byte:
            return "byte " + groupedDigits(first);
        case LaneForm::number:
            break;
    }
    return groupedDigits(first);
}

}  // namespace

std::vector<std::uint64_t> drawnMultiprocessors(std::uint64_t blocks, std::uint32_t atATime) {
    const std::uint64_t all = (blocks + atATime - 1) / atATime;
    std::vector<std::uint64_t> counts;
    for (const std::uint64_t count : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{4}}) {
        if (count < all) counts.push_back(count);
    }
    counts.push_back(all);
    return counts;
}

Items prepareBlockWaves(std::uint64_t blocks, std::uint32_t atATime, const DrawArea& area) {
    Items items;
    if (blocks == 0 || blocks > mostBlocks || atATime == 0) return items;
    float top = area.box.top;
    std::vector<std::uint64_t> counts = drawnMultiprocessors(blocks, atATime);
    const auto rows = [&] {
        float all = 1;
        for (const std::uint64_t count : counts) {
            const std::uint64_t slots = atATime * count;
            all += 1.4F + static_cast<float>((blocks + slots - 1) / slots);
        }
        return all;
    };
    // The fewest take most rows.
    while (counts.size() > 1 && rows() * rowHeight(area.textSize) > area.box.height())
        counts.erase(counts.begin());
    for (const std::uint64_t count : counts) {
        top = Stack(items, area, blocks, atATime, count).draw(top);
    }
    items.push_back(Text({area.box.left, top}, "A model: CUDA promises no order.", Face::words,
                         area.textSize, area.colors.muted, 0));
    return items;
}

Items prepareLaneBytes(const WarpTrace& trace, std::size_t step, const DrawArea& area) {
    MemoryDrawing drawing{.trace = trace, .step = trace.steps.at(step), .area = area};
    const ColorRoles& colors = area.colors;
    const Box& box = area.box;
    const float title = area.textSize * 1.2F;
    drawing.add(Text({box.left, box.top},
                     titleOf(trace, drawing.step) + ": what each lane accesses", Face::strong,
                     title, colors.text));
    const float top = box.top + title + drawing.u(12);
    const std::uint32_t columns = laneColumns(area, drawing.u(21));
    const std::uint32_t rows = lanesPerWarp / columns;
    const float width = box.width() / static_cast<float>(columns);
    const float pitch = std::min(drawing.u(34), (box.bottom - top) / static_cast<float>(rows));
    const float size = std::clamp(pitch * 0.62F, area.textSize * 0.6F, area.textSize * 1.1F);
    const std::uint32_t threads =
        threadCountInWarp(trace.place.warp, trace.place.experiment.launch.block);
    // All alike: the longest form that fits for every lane.
    const auto fits = [&](LaneForm tried) {
        for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
            if ((drawing.step.active >> lane & 1) == 0) continue;
            const std::string words = laneWords(drawing, lane, tried);
            if (drawing.widthOf(words, size) > width - drawing.u(40)) return false;
        }
        return true;
    };
    LaneForm form = LaneForm::elementAndBytes;
    while (form != LaneForm::number && !fits(form)) {
        form = static_cast<LaneForm>(static_cast<int>(form) + 1);
    }
    for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
        const float left = box.left + width * static_cast<float>(lane / rows);
        const float y = top + pitch * static_cast<float>(lane % rows);
        const Box chip{left, y, left + drawing.u(26), y + pitch - drawing.u(2)};
        const bool active = (drawing.step.active >> lane & 1) != 0;
        drawing.add(active ? Item(Fill{chip, drawing.colorOfLanes(1U << lane)})
                           : Item(Frame{chip, colors.faint, drawing.u(1)}));
        drawing.label(chip, std::to_string(lane), size,
                      active ? inkOn(drawing.colorOfLanes(1U << lane)) : colors.faint);
        std::string words = lane >= threads ? "no thread" : "accesses nothing";
        if (active) {
            words = laneWords(drawing, lane, form);
        }
        drawing.add(Text({chip.right + drawing.u(8), y + (pitch - drawing.u(2) - size) / 2}, words,
                         Face::numbers, size, active ? colors.text : colors.faint));
    }
    return std::move(drawing.result.items);
}

namespace {

constexpr std::string_view barrierCall = "__syncthreads()";
constexpr std::size_t mostAfter = 3;  ///< requests behind the barrier that are drawn

/// The kernel's first barrier; 0: it has none.
std::uint32_t barrierLine(const Kernel& kernel) {
    for (const KernelLine& line : codeLines(kernel)) {
        if (line.text.find(barrierCall) != std::string_view::npos) return line.line;
    }
    return 0;
}

/// A warp's requests before the barrier and behind it, as places in its steps.
struct BarrierRow final {
    std::vector<std::size_t> before{};
    std::vector<std::size_t> after{};
};

BarrierRow barrierRowOf(const WarpTrace& trace, std::uint32_t line) {
    BarrierRow row;
    for (std::size_t at = 0; at < trace.steps.size() && row.after.size() <= mostAfter; ++at) {
        if (trace.steps[at].kind == StepKind::branch) continue;
        const bool isBehind = !row.after.empty() || trace.steps[at].line > line;
        (isBehind ? row.after : row.before).push_back(at);
    }
    return row;
}

}  // namespace

Items prepareBarrier(std::span<const WarpTrace> warps, const DrawArea& area) {
    Items items;
    const ColorRoles& colors = area.colors;
    const Box& box = area.box;
    const float size = area.textSize;
    const auto write = [&](Point at, std::string words, Rgb color, float align = 0) {
        items.push_back(Text{at, std::move(words), Face::words, size, color, align});
    };
    const std::uint32_t line =
        warps.empty() ? 0 : barrierLine(kernelOf(warps.front().place.experiment));
    if (line == 0) {
        write({box.left, box.top}, "the kernel has no barrier", colors.muted);
        return items;
    }
    std::vector<BarrierRow> rows;
    std::size_t most = 1;
    for (const WarpTrace& trace : warps) {
        rows.push_back(barrierRowOf(trace, line));
        most = std::max(most, rows.back().before.size());
    }
    const float left = box.left + area.textWidth("warp 31", Face::words, size) + size;
    const float gap = size * 0.25F;
    const float wall = size * 0.5F;
    const float width = (box.right - left - wall - 2 * size) / static_cast<float>(most + mostAfter);
    const float barrier = left + width * static_cast<float>(most) + size;
    const float top = box.top + size * 2;
    const float bottom = box.bottom - size * 2;
    const float pitch = std::min((bottom - top) / static_cast<float>(rows.size()), size * 3);
    if (width < size || pitch < size * 0.6F) return items;
    write({box.left, box.top},
          std::string(barrierCall) + " in line " + std::to_string(line) + " waits for " +
              counted(warps.size(), "warp") + " of the block",
          colors.text);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const WarpTrace& trace = warps[i];
        const float y = top + pitch * static_cast<float>(i);
        const float below = y + pitch - std::min(gap, pitch * 0.2F);
        const float middle = (y + below - size) / 2;
        if (pitch >= size) write({box.left, middle}, "warp " + std::to_string(i), colors.muted);
        const auto cell = [&](float x, std::size_t step) {
            const Box at{x, y, x + width - gap, below};
            const Rgb color = colorOf(trace.place.warp);
            items.push_back(Fill{at, color});
            // Without `Warp 0`, which stands before the row.
            std::string words = titleOf(trace, trace.steps[step]);
            words.erase(0, words.find(' ', words.find(' ') + 1) + 1);
            if (pitch >= size && area.textWidth(words, Face::words, size) < at.width())
                write({(at.left + at.right) / 2, middle}, words, inkOn(color), 0.5F);
        };
        for (std::size_t at = 0; at < rows[i].before.size(); ++at)
            cell(left + width * static_cast<float>(at), rows[i].before[at]);
        const Box waits{left + width * static_cast<float>(rows[i].before.size()), y, barrier - gap,
                        below};
        if (waits.width() > width) {
            items.push_back(Fill{waits, colors.raised});
            items.push_back(Hatch{waits, colors.faint, size * 0.6F});
            if (pitch >= size)
                write({(waits.left + waits.right) / 2, middle}, "waits", colors.text, 0.5F);
        }
        for (std::size_t at = 0; at < std::min(mostAfter, rows[i].after.size()); ++at)
            cell(barrier + wall + gap + width * static_cast<float>(at), rows[i].after[at]);
    }
    const float end = top + pitch * static_cast<float>(rows.size());
    items.push_back(Fill{{barrier, top - gap, barrier + wall, end}, colors.accent});
    write({box.left, end + size * 0.5F},
          "A column for each request. How long each takes, and who is first, only a GPU tells.",
          colors.muted);
    return items;
}

namespace {

/// One warp's requests to the array, as places in its steps, and the sectors of each.
struct WarpRow final {
    const WarpTrace* trace = nullptr;
    std::vector<std::uint32_t> steps{};
    std::vector<std::vector<Sector>> sectors{};
    std::size_t count = 0;  ///< of all sectors
};

WarpRow rowOf(const WarpTrace& trace, std::size_t array) {
    WarpRow row{.trace = &trace};
    if (array < trace.byArray.size()) row.steps = trace.byArray[array];
    for (const std::uint32_t step : row.steps) {
        row.sectors.push_back(sectorsOf(trace.steps[step]));
        row.count += row.sectors.back().size();
    }
    return row;
}

}  // namespace

Items prepareBlockRequests(std::span<const WarpTrace> warps, std::size_t array,
                           const DrawArea& area) {
    Items items;
    std::vector<WarpRow> rows;
    std::size_t requests = 0;
    std::size_t sectors = 0;
    std::size_t mostSectors = 1;
    std::size_t mostRequests = 1;
    for (const WarpTrace& trace : warps) {
        const WarpRow& row = rows.emplace_back(rowOf(trace, array));
        requests += row.steps.size();
        sectors += row.count;
        mostSectors = std::max(mostSectors, row.count);
        mostRequests = std::max(mostRequests, row.steps.size());
    }
    const float size = area.textSize;
    const Box& box = area.box;
    const auto write = [&](Point at, std::string words, Rgb color, float align = 0) {
        items.push_back(Text{at, std::move(words), Face::words, size, color, align});
    };
    if (requests == 0) {
        write({box.left, box.top}, "the block makes no request to it", area.colors.muted);
        return items;
    }
    const StepSubjects& subjects = warps.front().subjects;
    const std::string total = counted(requests, "request") + ", " + counted(sectors, "sector");
    write({box.left, box.top},
          "All requests of the block to " + subjects.arrayNames().at(array) + ": " + total,
          area.colors.text);

    const float gap = size * 0.4F;
    const float apart = size * 1.2F;  // between requests
    const float left = box.left + area.textWidth("warp 31", Face::words, size) + size;
    const float words = area.textWidth("0 requests, 00 sectors", Face::words, size) + size;
    const float room = box.right - words - left - apart * static_cast<float>(mostRequests - 1) -
                       gap * static_cast<float>(mostSectors - 1);
    const float width = std::min(room / static_cast<float>(mostSectors), size * 18);
    const float top = box.top + size * 2;
    const float pitch = std::min((box.bottom - top) / static_cast<float>(rows.size()), size * 4.5F);
    if (width < 2 || pitch < size) return items;
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const WarpRow& row = rows[i];
        const float y = top + pitch * static_cast<float>(i);
        const float bottom = y + pitch - std::min(gap, pitch * 0.2F);
        const float middle = (y + bottom - size) / 2;
        write({box.left, middle}, "warp " + std::to_string(i), area.colors.muted);
        float x = left;
        for (std::size_t r = 0; r < row.steps.size(); ++r) {
            MemoryDrawing drawing{
                .trace = *row.trace, .step = row.trace->steps[row.steps[r]], .area = area};
            for (const Sector& sector : row.sectors[r]) {
                drawSectorBox(drawing, sector, {x, y, x + width, bottom}, drawing.u(7));
                x += width + gap;
            }
            std::ranges::move(drawing.result.items, std::back_inserter(items));
            x += apart;
        }
        write({box.right, middle},
              counted(row.steps.size(), "request") + ", " + counted(row.count, "sector"),
              area.colors.muted, 1);
    }
    return items;
}

}  // namespace warplens::drawing
