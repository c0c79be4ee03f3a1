#include <cmath>

#include "app/drawing/elements.h"
#include "app/window/panels/map_panel.h"

namespace warplens::window {
namespace {

/// The first and the last of `count` cells from `start` on that [0, length) shows any of.
struct Range final {
    std::uint32_t first;
    std::uint32_t last;
};
std::optional<Range> seen(float start, float cell, std::uint32_t count, float length) {
    if (start >= length || start + cell * static_cast<float>(count) <= 0) return std::nullopt;
    const auto at = [&](float pixel) {
        return static_cast<std::uint32_t>(
            std::clamp(std::floor((pixel - start) / cell), 0.0F, static_cast<float>(count - 1)));
    };
    return Range{at(0), at(length)};
}

class CellWriter final {
  public:
    CellWriter(const MapContext& context, float cell, float strength)
        : context_(context),
          look_(context.ui.look),
          list_(*ImGui::GetWindowDrawList()),
          font_(look_.fonts.strong),
          cell_(cell),
          strength_(strength),
          large_(std::min(font_->FontSize * (cell >= look_.px(110) ? 1.6F : 1.1F), cell * 0.62F)),
          small_(font_->FontSize * 0.85F) {}

    /// Hatched cells have a plate below the words.
    void add(CellWords words, Rgb ink, ImVec2 corner, bool isHatched) {
        large_ = std::min(large_, fitting(words.first, 0.9F));
        if (!words.second.empty()) small_ = std::min(small_, fitting(words.second, 0.94F));
        cells_.push_back({std::move(words), ink, corner, isHatched});
    }
    /// All that were added, in one size.
    void write() const {
        if (large_ < 7 * look_.display) return;
        for (const auto& [words, ink, corner, isHatched] : cells_) {
            const bool both =
                !words.second.empty() && cell_ >= look_.px(50) && small_ >= 8.5F * look_.display;
            line(words.first, ink, large_, corner, both ? 0.38F : 0.5F, strength_, isHatched);
            if (both) line(words.second, ink, small_, corner, 0.70F, 0.75F * strength_, isHatched);
        }
    }

  private:
    /// The size in which the words fill this share of the cell.
    [[nodiscard]] float fitting(const std::string& words, float share) const {
        const float width = font_->CalcTextSizeA(font_->FontSize, FLT_MAX, 0, words.c_str()).x;
        return width == 0 ? 0 : font_->FontSize * share * cell_ / width;
    }

    void line(const std::string& words, Rgb ink, float size, ImVec2 corner, float middle,
              float opacity, bool isPlated) const {
        const ImVec2 extent = font_->CalcTextSizeA(size, FLT_MAX, 0, words.c_str());
        const ImVec2 at{std::floor(corner.x + (cell_ - extent.x) / 2),
                        std::floor(corner.y + cell_ * middle - extent.y / 2)};
        if (isPlated) {
            list_.AddRectFilled({at.x - 1, at.y}, {at.x + extent.x + 1, at.y + extent.y},
                                packed(look_.colors.panel, 0.85F * strength_), look_.px(2));
        }
        list_.AddText(font_, size, at, packed(ink, opacity), words.c_str());
    }

    const MapContext& context_;
    const Look& look_;
    ImDrawList& list_;
    ImFont* font_;
    float cell_;
    float strength_;
    float large_;
    float small_;
    struct Cell final {
        CellWords words;
        Rgb ink;
        ImVec2 corner;
        bool isHatched;
    };
    std::vector<Cell> cells_;
};

/// Calls `draw(thread, corner)` for every thread of the block that can be seen.
template <class Draw>
void forEachCell(const MapFrame& frame, Index3 block, Draw draw) {
    const BlockLayout& layout = frame.layout.block;
    const float cell = static_cast<float>(frame.camera.cell);
    const ImVec2 origin = frame.on(cornerOf(frame.layout, block, {}));
    for (std::uint32_t tile = 0; tile < layout.tileCount(); ++tile) {
        const Point inBlock = cornerOfTile(layout, tile);
        const ImVec2 corner{origin.x + inBlock.x * cell, origin.y + inBlock.y * cell};
        const auto across = seen(corner.x - frame.at.x, cell, layout.tileWidth, frame.area.width);
        const auto down = seen(corner.y - frame.at.y, cell, layout.tileHeight, frame.area.height);
        if (!across || !down) continue;
        const Index3 first = firstThreadOfTile(layout, tile);
        for (std::uint32_t y = down->first; y <= down->last; ++y) {
            for (std::uint32_t x = across->first; x <= across->last; ++x) {
                const Index3 thread{first.x + x, first.y + y, first.z};
                if (thread.x >= layout.block.x || thread.y >= layout.block.y) continue;
                draw(thread, ImVec2(corner.x + static_cast<float>(x) * cell,
                                    corner.y + static_cast<float>(y) * cell));
            }
        }
    }
}

}  // namespace

void drawIdleCells(const MapContext& context, const MapFrame& frame) {
    const float cell = static_cast<float>(frame.camera.cell);
    if (!context.lanes || cell < 3) return;
    const Look& look = context.ui.look;
    ImDrawList& list = *ImGui::GetWindowDrawList();
    forEachCell(frame, context.state.view.block, [&](Index3 thread, ImVec2 corner) {
        const ThreadRank rank = threadRankInBlock(thread, frame.layout.block.block);
        if ((context.lanes->at(warpRankInBlock(rank).value) >> laneIndex(rank).value & 1) != 0)
            return;
        list.AddRectFilled(corner, {corner.x + cell, corner.y + cell},
                           packed(look.colors.panel, 0.75F));
    });
}

bool hasCellNumbers(const MapContext& context, const MapFrame& frame) {
    // However large the text: cells of 14 pixels hold two digits that can be read.
    return frame.camera.cell >= 14 * double{context.ui.look.display} && !context.stale;
}

void drawCellNumbers(const MapContext& context, const MapFrame& frame, Index3 block,
                     float strength) {
    const Look& look = context.ui.look;
    CellWriter writer(context, static_cast<float>(frame.camera.cell), strength);
    forEachCell(frame, block, [&](Index3 thread, ImVec2 corner) {
        const ThreadRank rank = threadRankInBlock(thread, frame.layout.block.block);
        const WarpRank warp = warpRankInBlock(rank);
        if (context.state.view.warp && *context.state.view.warp != warp) return;
        const bool isHatched = context.guard.wastes(block, thread);
        writer.add(cellWords(context.state.view, block, thread),
                   isHatched ? look.colors.text : inkOn(colorOf(warp)), corner, isHatched);
    });
    writer.write();
}

}  // namespace warplens::window
