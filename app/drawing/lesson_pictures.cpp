#include "app/drawing/lesson_pictures.h"

#include "app/drawing/warp_memory_parts.h"
#include "core/text/format.h"

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

}  // namespace warplens::drawing
