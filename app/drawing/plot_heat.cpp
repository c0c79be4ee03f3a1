
#include "app/drawing/plot_sweep.h"

namespace warplens::drawing {
namespace {

class HeatComposer final {
  public:
    HeatComposer(const HeatPlot& plot, const DrawArea& area) : plot_(plot), area_(area) {}

    HeatPicture draw() {
        layOut();
        drawAxes();
        drawCorners();
        for (const HeatPlot::Cell& cell : plot_.cells) drawCell(cell);
        // Last, over the neighbours' edges.
        for (std::size_t i = 0; i < plot_.cells.size(); ++i) {
            const HeatPlot::Cell& cell = plot_.cells[i];
            if (cell.best) add(Frame{result_.cells[i], area_.colors.warning, u(3)});
            if (cell.held) add(Frame{result_.cells[i], area_.colors.text, u(2)});
        }
        drawLegendBar();
        return std::move(result_);
    }

  private:
    [[nodiscard]] float u(float units) const { return units * area_.textSize / 12; }
    [[nodiscard]] float size() const { return area_.textSize; }
    void add(Item item) { result_.items.push_back(std::move(item)); }
    [[nodiscard]] float width(const std::string& words, Face face, float textSize) const {
        return area_.textWidth(words, face, textSize);
    }

    void layOut() {
        const Box& box = area_.box;
        add(Text({box.left, box.top},
                 cutTo(area_, plot_.title, Face::strong, size() * 1.1F, box.width()), Face::strong,
                 size() * 1.1F, area_.colors.text));
        float rowNames = 0;
        for (const std::string& row : plot_.rows) {
            rowNames = std::max(rowNames, width(row, Face::numbers, size()));
        }
        float legendNames = 0;
        for (const Tick& tick : plot_.legend) {
            legendNames = std::max(legendNames, width(tick.words, Face::numbers, size()));
        }
        legendWidth_ = u(14) + u(6) + legendNames;
        const float top = box.top + size() * 1.1F + u(6) + size() + u(4);
        const float below = size() + u(6) + size() * 1.1F;
        const float left = box.left + rowNames + u(7);
        const auto columns = static_cast<float>(std::max<std::size_t>(1, plot_.columns.size()));
        const auto rows = static_cast<float>(std::max<std::size_t>(1, plot_.rows.size()));
        const float room = std::max(1.0F, box.right - legendWidth_ - u(14) - left);
        const float tall = std::max(1.0F, box.bottom - below - top);
        cellWidth_ = std::min(room / columns, u(92));
        cellHeight_ = std::min(tall / rows, std::min(u(64), cellWidth_ * 1.1F));
        grid_ = {left, top, left + cellWidth_ * columns, top + cellHeight_ * rows};
    }

    void drawAxes() {
        const float small = size();
        add(Text({area_.box.left, grid_.top - small - u(4)},
                 cutTo(area_, plot_.yTitle, Face::words, small, grid_.width()), Face::words, small,
                 area_.colors.text));
        // As many of them as have room.
        float above = 1e9F;
        for (std::size_t row = 0; row < plot_.rows.size(); ++row) {
            const float middle = grid_.bottom - cellHeight_ * (static_cast<float>(row) + 0.5F);
            if (middle + small / 2 > above) continue;
            above = middle - small / 2;
            add(Text({grid_.left - u(5), middle - small * 0.52F}, plot_.rows[row], Face::numbers,
                     small, area_.colors.muted, 1));
        }
        float end = -1e9F;
        for (std::size_t column = 0; column < plot_.columns.size(); ++column) {
            const std::string& name = plot_.columns[column];
            const float middle = grid_.left + cellWidth_ * (static_cast<float>(column) + 0.5F);
            const float half = width(name, Face::numbers, small) / 2;
            if (middle - half < end) continue;
            end = middle + half + u(3);
            add(Text({middle, grid_.bottom + u(4)}, name, Face::numbers, small, area_.colors.muted,
                     0.5F));
        }
        add(Text({(grid_.left + grid_.right) / 2, grid_.bottom + u(6) + small},
                 cutTo(area_, plot_.xTitle, Face::words, small, grid_.width()), Face::words, small,
                 area_.colors.text, 0.5F));
    }

    [[nodiscard]] Box boxOf(const HeatPlot::Cell& cell) const {
        const float left = grid_.left + cellWidth_ * static_cast<float>(cell.column);
        const float bottom = grid_.bottom - cellHeight_ * static_cast<float>(cell.row);
        return {left, bottom - cellHeight_, left + cellWidth_, bottom};
    }

    void drawCorners() {
        const float small = size();
        const auto write = [&](const std::string& words, Point at, float align) {
            if (words.empty() || width(words, Face::words, small) > grid_.width() * 0.45F ||
                grid_.height() < 8 * small) {
                return;
            }
            add(Text{at, words, Face::words, small, area_.colors.faint, align});
        };
        write(plot_.beyond, {grid_.right, grid_.top + u(4)}, 1);
        write(plot_.below, {grid_.left + u(2), grid_.bottom - small - u(6)}, 0);
    }

    void drawCell(const HeatPlot::Cell& cell) {
        const Box box = boxOf(cell);
        result_.cells.push_back(box);
        const float gap = std::min(u(1), cellWidth_ * 0.06F);
        const Box inner{box.left + gap, box.top + gap, box.right - gap, box.bottom - gap};
        if (!cell.heat) {
            add(Frame{inner, area_.colors.faint, std::max(1.0F, u(0.9F))});
            return;
        }
        const Rgb color = heatColor(area_.colors, *cell.heat);
        add(Fill{inner, color});
        const Rgb ink = inkOn(color);
        const bool two = !cell.remark.empty() && inner.height() > 2.2F * size();
        const float middle = (inner.top + inner.bottom) / 2;
        write(cell.number, Face::numbers, size(), middle - size() * (two ? 1.02F : 0.52F), box,
              ink);
        if (two) write(cell.remark, Face::words, size() * 0.9F, middle + u(1), box, ink);
    }

    void write(const std::string& words, Face face, float textSize, float top, const Box& box,
               Rgb ink) {
        if (width(words, face, textSize) > box.width() - u(3) || textSize > box.height()) return;
        add(Text{{(box.left + box.right) / 2, top}, words, face, textSize, ink, 0.5F});
    }

    void drawLegendBar() {
        if (plot_.legend.empty()) return;
        constexpr int steps = 48;
        const float left = grid_.right + u(14);
        const float height = std::min(grid_.height(), u(220));
        const float bottom = grid_.bottom;
        // From above, each down to the bottom, so that no seam shows between them.
        for (int step = steps - 1; step >= 0; --step) {
            const float top = bottom - height * static_cast<float>(step + 1) / steps;
            add(Fill{{left, top, left + u(14), bottom},
                     heatColor(area_.colors, (step + 0.5) / steps)});
        }
        float end = 1e9F;
        for (const Tick& tick : plot_.legend) {
            const float at = bottom - height * static_cast<float>(tick.number) - size() * 0.52F;
            if (at + size() > end) continue;
            end = at;
            add(Text{{left + u(20), at}, tick.words, Face::numbers, size(), area_.colors.muted});
        }
        const bool anyBest =
            std::ranges::any_of(plot_.cells, [](const auto& cell) { return cell.best; });
        if (!anyBest || plot_.bestWords.empty()) return;
        // At the right end of the line that names the rows.
        const float words = width(plot_.bestWords, Face::words, size());
        const float titled = width(plot_.yTitle, Face::words, size());
        const float right = area_.box.right;
        const float top = grid_.top - size() - u(4);
        if (area_.box.left + titled + u(40) + words > right) return;
        add(Text{{right, top}, plot_.bestWords, Face::words, size(), area_.colors.text, 1});
        const float frameRight = right - words - u(6);
        add(Frame{{frameRight - size(), top + u(1), frameRight, top + size()},
                  area_.colors.warning,
                  u(2.4F)});
    }

    const HeatPlot& plot_;
    const DrawArea& area_;
    HeatPicture result_;
    Box grid_;
    float cellWidth_ = 1;
    float cellHeight_ = 1;
    float legendWidth_ = 0;
};

}  // namespace

HeatPicture prepareHeat(const HeatPlot& plot, const DrawArea& area) {
    return HeatComposer(plot, area).draw();
}

Rgb heatColor(const ColorRoles& colors, double share) {
    const auto inside = static_cast<float>(std::clamp(share, 0.0, 1.0));
    const Rgb cold = mixed(colors.background, colors.accent, 0.10F);
    // On paper the accent is as black as the text.
    if (colors.accent == colors.text) return mixed(cold, colors.text, inside * 0.9F);
    // Half way the accent, then on towards the text: lightness goes one way all along.
    return inside < 0.6F ? mixed(cold, colors.accent, inside / 0.6F)
                         : mixed(colors.accent, colors.text, (inside - 0.6F) / 0.4F * 0.75F);
}

}  // namespace warplens::drawing
