
#include "app/drawing/lesson_pictures.h"

namespace warplens::drawing {
namespace {

float eased(float share) {
    const float t = std::clamp(share, 0.0F, 1.0F);
    return t * t * (3 - 2 * t);
}

class LinePlaces final {
  public:
    LinePlaces(const LineUp& lineUp, const DrawArea& area) : block_(lineUp.block), area_(area) {
        threads_ = static_cast<std::uint32_t>(block_.count());
        warps_ = (threads_ + lanesPerWarp - 1) / lanesPerWarp;
        words_ = area.textSize + 6;
        const Box& all = area.box;
        const float height = all.height();
        // Slices have their names above them.
        top_ = {all.left, all.top + (block_.z > 1 ? 2 : 1) * words_, all.right,
                lineUp.told ? all.top + height * 0.42F : all.bottom};
        line_ = {all.left, top_.bottom + words_ * 1.6F, all.right,
                 top_.bottom + words_ * 1.6F + std::max(6.0F, height * 0.045F)};
        below_ = {all.left, line_.bottom + words_ * 1.6F, all.right, all.bottom};
        const float slice = static_cast<float>(block_.x) + 0.7F;
        const float across = slice * static_cast<float>(block_.z);
        cell_ = std::min({top_.width() / across, top_.height() / static_cast<float>(block_.y),
                          area.textSize * 3});
        // A single row would be a thin line.
        const bool row = block_.y == 1 && block_.z == 1;
        tall_ = row ? std::max(cell_, std::min(area.textSize * 2, top_.height() / 2)) : cell_;
        const float names = area.textWidth("warp 31 ", Face::words, area.textSize);
        laneWidth_ = std::min((below_.width() - names) / lanesPerWarp, area.textSize * 3);
        laneHeight_ = std::min(below_.height() / static_cast<float>(warps_), laneWidth_);
        names_ = names;
    }

    [[nodiscard]] Box inBlock(std::uint32_t rank) const {
        const Index3 thread = threadIndexInBlock({rank}, block_);
        const float slice = (static_cast<float>(block_.x) + 0.7F) * cell_;
        const float left =
            top_.left + slice * static_cast<float>(thread.z) + cell_ * static_cast<float>(thread.x);
        const float top = top_.top + tall_ * static_cast<float>(thread.y);
        const float gap = cell_ > 5 ? 1.0F : cell_ > 3 ? 0.4F : 0.0F;
        return {left, top, left + cell_ - gap, top + tall_ - gap};
    }
    [[nodiscard]] Box inLine(std::uint32_t rank) const {
        const float width = std::min(line_.width() / static_cast<float>(threads_), laneWidth_);
        const float left = line_.left + width * static_cast<float>(rank);
        return {left, line_.top, left + std::max(0.5F, width - (width > 5 ? 1.0F : 0.0F)),
                line_.bottom};
    }
    [[nodiscard]] Box inWarp(std::uint32_t rank) const {
        const float left =
            below_.left + names_ + laneWidth_ * static_cast<float>(rank % lanesPerWarp);
        const float top = below_.top + laneHeight_ * static_cast<float>(rank / lanesPerWarp);
        const float gap = laneHeight_ > 5 ? 1.0F : 0.0F;
        return {left, top, left + laneWidth_ - 1, top + laneHeight_ - gap};
    }
    [[nodiscard]] std::uint32_t threads() const { return threads_; }
    [[nodiscard]] std::uint32_t warps() const { return warps_; }
    [[nodiscard]] float cell() const { return cell_; }
    [[nodiscard]] const Box& line() const { return line_; }
    [[nodiscard]] const Box& below() const { return below_; }
    [[nodiscard]] float words() const { return words_; }

  private:
    Extents block_;
    const DrawArea& area_;
    std::uint32_t threads_ = 0;
    std::uint32_t warps_ = 0;
    float words_ = 0;
    Box top_;
    Box line_;
    Box below_;
    float cell_ = 0;
    float tall_ = 0;  ///< of a cell in the block
    float laneWidth_ = 0;
    float laneHeight_ = 0;
    float names_ = 0;
};

void nameCell(Items& items, const DrawArea& area, const Box& cell, const std::string& words,
              Rgb on) {
    const float size = std::min(area.textSize * 0.9F, cell.height() * 0.8F);
    if (size < area.textSize * 0.7F ||
        area.textWidth(words, Face::numbers, size) > cell.width() - 1) {
        return;
    }
    items.push_back(Text({(cell.left + cell.right) / 2, (cell.top + cell.bottom - size) / 2}, words,
                         Face::numbers, size, inkOn(on), 0.5F));
}

/// Below a block of one row whose cells are too narrow for it, every tenth rank and the last. Tens
/// tell nothing of where a warp ends.
void nameRow(Items& items, const DrawArea& area, const LinePlaces& places) {
    const std::uint32_t last = places.threads() - 1;
    const float size = area.textSize * 0.9F;
    const auto widthOf = [&](std::uint32_t rank) {
        return area.textWidth(std::to_string(rank), Face::numbers, size);
    };
    if (places.inBlock(last).top > places.inBlock(0).top || widthOf(last) < places.cell()) return;
    std::uint32_t every = 10;
    while (every <= last && places.cell() * static_cast<float>(every) < 1.5F * widthOf(last))
        every *= 10;
    for (std::uint32_t rank = 0; rank <= last; ++rank) {
        const bool crowded = static_cast<float>(last - rank) * places.cell() < 1.5F * widthOf(last);
        if (rank != last && (rank % every != 0 || crowded)) continue;
        const Box cell = places.inBlock(rank);
        const float half = widthOf(rank) / 2;
        const float middle = std::max(
            area.box.left + half, std::min((cell.left + cell.right) / 2, area.box.right - half));
        items.push_back(Text({middle, cell.bottom + 3}, std::to_string(rank), Face::numbers, size,
                             area.colors.faint, 0.5F));
    }
}

}  // namespace

Items prepareLineUp(const LineUp& lineUp, const DrawArea& area) {
    Items items;
    const LinePlaces places(lineUp, area);
    const ColorRoles& colors = area.colors;
    const auto write = [&](Point at, std::string words, Rgb color) {
        items.push_back(Text{at, std::move(words), Face::words, area.textSize, color});
    };
    const Extents block = lineUp.block;
    write({area.box.left, area.box.top},
          "The block: " + std::to_string(block.x) + " x " + std::to_string(block.y) + " x " +
              std::to_string(block.z) + " threads" + (block.z > 1 ? ", slice beside slice" : ""),
          colors.muted);
    for (std::uint32_t z = 0; z < block.z && block.z > 1; ++z) {
        const Box corner = places.inBlock(z * block.x * block.y);
        std::string name = "z = " + std::to_string(z);
        const float room = (static_cast<float>(block.x) + 0.6F) * places.cell();
        if (area.textWidth(name, Face::words, area.textSize) > room) name = std::to_string(z);
        if (area.textWidth(name, Face::words, area.textSize) > room) break;
        write({corner.left, corner.top - places.words() + 2}, std::move(name), colors.text);
    }
    const Rgb plain = mixed(colors.background, colors.accent, 0.55F);
    const auto leaving = static_cast<float>(lineUp.told ? lineUp.at * 2 : 0);
    const auto cutting = static_cast<float>(lineUp.told ? lineUp.at * 2 - 1 : 0);
    const float cut = eased(cutting);
    const auto count = static_cast<float>(places.threads());
    nameRow(items, area, places);
    // Where each has been a shadow stays, in the colour of its warp once that is told.
    for (std::uint32_t rank = 0; rank < places.threads(); ++rank) {
        const Rgb warp = mixed(plain, colorOf(WarpRank{rank / lanesPerWarp}), cut);
        const Box home = places.inBlock(rank);
        const float order = static_cast<float>(rank) / count;
        const float left = eased((leaving - order * 0.6F) / 0.4F);
        items.push_back(
            Fill{home, left > 0 ? mixed(colors.background, warp, 0.25F + 0.35F * cut) : warp});
        if (left <= 0) {
            if (lineUp.told) nameCell(items, area, home, std::to_string(rank), warp);
            continue;
        }
        const float fallen = eased((cutting - order * 0.6F) / 0.4F);
        Box now = between(home, places.inLine(rank), left);
        if (fallen > 0) {
            const Box line = places.inLine(rank);
            items.push_back(Fill{line, mixed(colors.background, warp, 0.25F + 0.35F * cut)});
            now = between(line, places.inWarp(rank), fallen);
        }
        items.push_back(Fill{now, warp});
        if (left >= 1 && (fallen <= 0 || fallen >= 1)) {
            nameCell(items, area, now, std::to_string(fallen > 0 ? rank % lanesPerWarp : rank),
                     warp);
        }
    }
    if (lineUp.told) {
        // What flies by passes below them.
        const auto writeOver = [&](const Box& below, const std::string& words) {
            const float top = below.top - places.words();
            const float width = area.textWidth(words, Face::words, area.textSize);
            items.push_back(
                Fill{{below.left, top, below.left + width + 6, below.top - 2}, colors.background});
            write({below.left, top}, words, colors.muted);
        };
        writeOver(places.line(), "In one line: x counts first, then y, then z");
        if (cutting > 0) writeOver(places.below(), "Cut every 32: warps");
    }
    if (const auto& marked = lineUp.marked; marked && marked->value < places.threads()) {
        std::vector<Box> boxes{places.inBlock(marked->value)};
        if (leaving >= 1) boxes.push_back(places.inLine(marked->value));
        if (cut >= 1) boxes.push_back(places.inWarp(marked->value));
        for (const Box& box : boxes) {
            items.push_back(
                Frame{{box.left - 2, box.top - 2, box.right + 2, box.bottom + 2}, colors.text, 2});
        }
    }
    if (cut < 1) return items;
    for (std::uint32_t w = 0; w < places.warps(); ++w) {
        const Box first = places.inWarp(w * lanesPerWarp);
        const float size = std::min(area.textSize, first.height());
        if (size >= area.textSize * 0.7F) {
            items.push_back(Text({places.below().left, (first.top + first.bottom - size) / 2},
                                 "warp " + std::to_string(w), Face::words, size, colors.text));
        }
        for (std::uint32_t rank = places.threads();
             rank < (w + 1) * lanesPerWarp && rank / lanesPerWarp == w; ++rank) {
            items.push_back(Frame{places.inWarp(rank), colors.faint, 1});
        }
        // What is empty is told from what is there and does nothing.
        const std::uint32_t end = (w + 1) * lanesPerWarp;
        if (places.threads() >= end) continue;
        const Box from = places.inWarp(places.threads());
        const std::uint32_t empty = end - places.threads();
        const std::string words =
            std::to_string(empty) + (empty == 1 ? " lane" : " lanes") + " without a thread";
        const float width = area.textWidth(words, Face::words, size) + 8;
        const float middle = (from.left + places.inWarp(end - 1).right) / 2;
        if (size < area.textSize * 0.7F || middle - width / 2 < from.left) continue;
        items.push_back(
            Fill{{middle - width / 2, from.top + 2, middle + width / 2, from.bottom - 2},
                 colors.background});
        items.push_back(Text({middle, (from.top + from.bottom - size) / 2}, words, Face::words,
                             size, colors.text, 0.5F));
    }
    return items;
}

}  // namespace warplens::drawing
