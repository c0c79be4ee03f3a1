#include <cmath>

#include "app/drawing/elements.h"
#include "app/window/panels/map_panel.h"
#include "core/text/format.h"

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

/// Whether the cells are large enough to write into.
bool hasCellNumbers(const MapContext& context, const MapFrame& frame) {
    // However large the text: cells of 14 pixels hold two digits that can be read.
    return frame.camera.cell >= 14 * double{context.ui.look.display} && !context.stale;
}

/// What the state says shall stand in the cells of a block, in those that are seen.
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

/// The places the area shows any part of, at most so many.
struct SeenPlaces final {
    MapPlace first;
    MapPlace last;
};
std::optional<SeenPlaces> seenPlaces(const MapFrame& frame, std::int64_t most) {
    const MapPlace first = pointAt(frame.camera, frame.layout, frame.area, {0, 0}).place;
    const MapPlace last =
        pointAt(frame.camera, frame.layout, frame.area, {frame.area.width, frame.area.height})
            .place;
    const SeenPlaces seen{
        {std::max<std::int64_t>(0, first.column), std::max<std::int64_t>(0, first.row)},
        {std::min(last.column, static_cast<std::int64_t>(frame.layout.placesX()) - 1),
         std::min(last.row, static_cast<std::int64_t>(frame.layout.placesY()) - 1)}};
    const std::int64_t across = seen.last.column - seen.first.column + 1;
    const std::int64_t down = seen.last.row - seen.first.row + 1;
    if (across < 1 || down < 1 || across > most || down > most || across * down > most) {
        return std::nullopt;
    }
    return seen;
}

void forEachBlock(const MapFrame& frame, std::int64_t most, auto&& visit) {
    const auto seen = seenPlaces(frame, most);
    if (!seen) return;
    for (std::int64_t row = seen->first.row; row <= seen->last.row; ++row) {
        for (std::int64_t column = seen->first.column; column <= seen->last.column; ++column) {
            if (const auto block = blockAt(frame.layout, {column, row})) visit(*block);
        }
    }
}

/// Text on a plate of the panel's colour, so that it can be read over anything.
void plated(const MapContext& context, ImFont* font, Rgb ink, ImVec2 at, const std::string& words,
            float align, float strength) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImVec2 size = measured(font, words);
    const float left = std::floor(at.x - align * size.x);
    const float pad = context.ui.px(2);
    list.AddRectFilled({left - pad, at.y - 1}, {left + size.x + pad, at.y + size.y},
                       packed(context.ui.colors.panel, strength), context.ui.px(3));
    textAt(list, font, ink, {left, at.y}, words);
}

/// Where the axes of one tile stand: beside it, or at the area's edge where that cuts it.
struct TileAxes final {
    ImVec2 corner;
    ImVec2 end;
    float top;    ///< of the numbers along x
    float right;  ///< end of the numbers along y
    bool stuckTop;
    bool stuckLeft;
};

class Axes final {
  public:
    Axes(const MapContext& context, const MapFrame& frame)
        : context_(context),
          frame_(frame),
          layout_(frame.layout.block),
          look_(context.ui.look),
          cell_(static_cast<float>(frame.camera.cell)),
          numbers_(look_.fonts.smallNumber),
          line_(layout_.block.y == 1 && layout_.block.z == 1) {}

    /// Where a block is one of many, which one it is says enough.
    [[nodiscard]] bool areDrawn() const {
        const float share = std::max(layout_.width() * cell_ / frame_.area.width,
                                     layout_.height() * cell_ / frame_.area.height);
        // Where it is fitted without room for them there are none.
        const bool isFitted = context_.state.view.map == MapFollows::block;
        if (isFitted && frame_.area.above < numbers_->FontSize) return false;
        return cell_ >= leastCellWithAxes && (cell_ >= 10 * look_.display || share >= 0.4F);
    }
    void draw() const {
        if (!areDrawn()) return;
        for (std::uint32_t tile = 0; tile < layout_.tileCount(); ++tile) {
            const TileAxes axes = place(tile);
            if (axes.end.x < frame_.at.x || axes.corner.x > frame_.at.x + frame_.area.width ||
                axes.end.y < frame_.at.y || axes.corner.y > frame_.at.y + frame_.area.height) {
                continue;
            }
            if (tile < layout_.columns || layout_.tilesX > 1) columns(tile, axes);
            if (tile % layout_.columns == 0) rows(tile, axes);
            slice(tile, axes);
            if (tile == 0) title(axes);
        }
    }

  private:
    [[nodiscard]] TileAxes place(std::uint32_t tile) const {
        const Point inBlock = cornerOfTile(layout_, tile);
        MapPoint corner = cornerOf(frame_.layout, context_.state.view.block, Index3{});
        corner.x += inBlock.x;
        corner.y += inBlock.y;
        TileAxes axes{};
        axes.corner = frame_.on(corner);
        axes.end = {axes.corner.x + cell_ * static_cast<float>(layout_.tileWidth),
                    axes.corner.y + cell_ * static_cast<float>(layout_.tileHeight)};
        // Outside of the block's background (shaders/map.frag).
        const float background = 0.35F * cell_;
        const float beside =
            axes.corner.y - background * frame_.layout.marginY() - numbers_->FontSize - look_.px(2);
        const float highest = frame_.at.y + look_.px(2);
        axes.stuckTop = beside < highest;
        axes.top = std::max(beside, highest);
        const float room = measured(numbers_, "0000").x;
        const float right = axes.corner.x - background * frame_.layout.marginX() - look_.px(4);
        axes.stuckLeft = right - room < frame_.at.x;
        axes.right = std::max(right, frame_.at.x + room);
        return axes;
    }

    /// Numbers every 1, 2, 4, 8 … cells, as far apart as their width asks for.
    [[nodiscard]] std::uint32_t every(float room) const {
        std::uint32_t step = 1;
        while (static_cast<float>(step) * cell_ < room) step *= 2;
        return step;
    }

    void number(ImVec2 at, std::uint32_t value, float align, bool stuck) const {
        plated(context_, numbers_, stuck ? look_.colors.text : look_.colors.faint, at,
               std::to_string(value), align, stuck ? 0.8F : 0.55F);
    }

    void columns(std::uint32_t tile, const TileAxes& axes) const {
        if (line_ && tile > 0) return;
        const Index3 first = firstThreadOfTile(layout_, tile);
        const std::uint32_t step = every(measured(numbers_, "000").x * 1.25F);
        for (std::uint32_t x = 0; x < layout_.tileWidth; x += step) {
            if (first.x + x >= layout_.block.x) break;
            const float at = axes.corner.x + (static_cast<float>(x) + 0.5F) * cell_;
            number({at, axes.top}, first.x + x, 0.5F, axes.stuckTop);
        }
    }

    void rows(std::uint32_t tile, const TileAxes& axes) const {
        const std::uint32_t step = every(numbers_->FontSize * 1.1F);
        if (line_ && tile % step != 0) return;
        const Index3 first = firstThreadOfTile(layout_, tile);
        for (std::uint32_t y = 0; y < layout_.tileHeight; y += step) {
            if (first.y + y >= layout_.block.y) break;
            const float at = axes.corner.y + (static_cast<float>(y) + 0.5F) * cell_;
            number({axes.right, at - numbers_->FontSize / 2}, line_ ? first.x : first.y + y, 1,
                   axes.stuckLeft);
        }
    }

    void slice(std::uint32_t tile, const TileAxes& axes) const {
        const Index3 first = firstThreadOfTile(layout_, tile);
        if (layout_.block.z == 1 || first.x != 0 || first.y != 0) return;
        const std::string words = "z = " + std::to_string(first.z);
        const bool short_ = measured(look_.fonts.small, words).x >
                            cell_ * (static_cast<float>(layout_.tileWidth) + layout_.gapX);
        const bool numbered = tile < layout_.columns || layout_.tilesX > 1;
        plated(context_, look_.fonts.small, look_.colors.text,
               {axes.corner.x,
                axes.top - (numbered && !axes.stuckTop ? numbers_->FontSize + look_.px(2) : 0)},
               short_ ? std::to_string(first.z) : words, 0, 0.55F);
    }

    void title(const TileAxes& axes) const {
        if (axes.stuckTop || axes.stuckLeft) return;
        const float top = axes.top - look_.fonts.small->FontSize - look_.px(4) -
                          (layout_.block.z > 1 ? numbers_->FontSize + look_.px(2) : 0);
        if (top < frame_.at.y) return;
        std::string words = line_                 ? "threadIdx.x →   32 to a row: a row is a warp"
                            : layout_.block.y > 1 ? "threadIdx.x →   threadIdx.y ↓"
                                                  : "threadIdx.x →";
        if (frame_.layout.grid.z > 1) {
            words = "blockIdx.z = " + std::to_string(context_.state.view.block.z) + "   " + words;
        }
        // The cells of another block may lie below it, and a block at the edge leaves it no room.
        const float room = frame_.area.width - measured(look_.fonts.small, words).x - look_.px(2);
        const float left = std::min(axes.corner.x, frame_.at.x + std::max(0.0F, room));
        plated(context_, look_.fonts.small, look_.colors.muted, {left, top}, words, 0, 0.94F);
    }

    const MapContext& context_;
    const MapFrame& frame_;
    const BlockLayout& layout_;
    const Look& look_;
    float cell_;
    ImFont* numbers_;
    bool line_;
};

/// The numbers of blocks, of all but the one that is looked at.
void blockNames(const MapContext& context, const MapFrame& frame, std::optional<Index3> but) {
    const Look& look = context.ui.look;
    ImFont* const font = look.fonts.small;
    const float width = frame.layout.block.width() * static_cast<float>(frame.camera.cell);
    const float height = frame.layout.block.height() * static_cast<float>(frame.camera.cell);
    if (height < font->FontSize * 1.3F) return;
    forEachBlock(frame, 600, [&](Index3 block) {
        if (block == but) return;
        const Extents grid = context.state.view.experiment.launch.grid;
        const std::string name = grid.z > 1 ? toText(block)
                                 : grid.y > 1
                                     ? std::to_string(block.x) + ", " + std::to_string(block.y)
                                     : groupedDigits(block.x);
        const float half = measured(font, name).x / 2;
        if (2 * half > width * 0.9F) return;
        const ImVec2 corner = frame.on(cornerOf(frame.layout, block, {}));
        const ImVec2 middle(corner.x + width / 2, corner.y + (height - font->FontSize) / 2);
        if (middle.y + font->FontSize > frame.at.y + frame.area.height ||
            middle.x - half < frame.at.x || middle.x + half > frame.at.x + frame.area.width)
            return;
        plated(context, font, look.colors.text, middle, name, 0.5F, 0.78F);
    });
}

/// blockIdx along a plane of blocks that are too small to be named each.
void blockAxes(const MapContext& context, const MapFrame& frame) {
    const Look& look = context.ui.look;
    const MapLayout& layout = frame.layout;
    ImFont* const font = look.fonts.smallNumber;
    ImFont* const words = look.fonts.small;
    const float cell = static_cast<float>(frame.camera.cell);
    const auto seen = seenPlaces(frame, 20'000);
    if (!seen || layout.grid.y == 1 || layout.pieceCount() > 1 ||
        layout.block.height() * cell >= words->FontSize * 1.3F) {
        return;
    }
    const auto along = [&](std::int64_t from, std::int64_t to, float pitch, float apart,
                           auto&& number) {
        std::int64_t step = 1;
        while (static_cast<float>(step) * pitch < apart) step *= 2;
        for (std::int64_t at = (from + step - 1) / step * step; at + step <= to; at += step) {
            number(at);
        }
        number(to);  // the last says how many there are
    };
    const auto plate = [&](ImVec2 at, std::int64_t value, float align) {
        plated(context, font, look.colors.text, at, std::to_string(value), align, 0.8F);
    };
    const ImVec2 first = frame.on(cornerOf(layout, {}, {}));
    const float room = measured(font, "0000").x;
    const ImVec2 pitch(layout.pitchX * cell, layout.pitchY * cell);
    const float top = std::max(frame.at.y, first.y - font->FontSize - look.px(3));
    along(seen->first.column, seen->last.column, pitch.x, 1.5F * room, [&](std::int64_t x) {
        plate({first.x + (static_cast<float>(x) + 0.5F) * pitch.x, top}, x, 0.5F);
    });
    const float right = std::max(first.x - look.px(4), frame.at.x + room);
    along(seen->first.row, seen->last.row, pitch.y, 2 * font->FontSize, [&](std::int64_t y) {
        plate({right, first.y + (static_cast<float>(y) + 0.5F) * pitch.y - font->FontSize / 2}, y,
              1);
    });
    const float above = top - words->FontSize - look.px(3);
    if (above < frame.at.y) return;
    plated(context, words, look.colors.muted, {first.x, above}, "blockIdx.x →   blockIdx.y ↓", 0,
           0.94F);
}

/// `blockIdx.z = 3` over the first block of each plane, but for one that bears axes, which name it.
void planeNames(const MapContext& context, const MapFrame& frame, bool hasAxes) {
    const Look& look = context.ui.look;
    const MapLayout& layout = frame.layout;
    ImFont* const font = look.fonts.small;
    if (layout.grid.z == 1) return;
    const float cell = static_cast<float>(frame.camera.cell);
    const float room = cell * layout.pitchY;
    const float across = cell * layout.pitchX * static_cast<float>(layout.pieceWidth + 1);
    if (room < font->FontSize * 0.9F || across < measured(font, "z = 00").x) return;
    const auto seen = seenPlaces(frame, 200'000);
    if (!seen) return;
    const auto down = static_cast<std::int64_t>(layout.pieceHeight) + layout.gap;
    const auto side = static_cast<std::int64_t>(layout.pieceWidth) + layout.gap;
    for (std::int64_t row = seen->first.row / down * down; row <= seen->last.row + 1; row += down) {
        for (std::int64_t column = seen->first.column / side * side; column <= seen->last.column;
             column += side) {
            const auto block = blockAt(layout, {column, row});
            if (!block || block->x != 0 || block->y != 0) continue;
            if (hasAxes && *block == context.state.view.block) continue;
            const ImVec2 corner = frame.on(cornerOf(layout, *block, {}));
            if (corner.y - font->FontSize - look.px(5) < frame.at.y) continue;
            plated(context, font, look.colors.text,
                   {corner.x, corner.y - font->FontSize - look.px(5)},
                   "blockIdx.z = " + std::to_string(block->z), 0, 0.7F);
        }
    }
}

void chosenBlock(const MapContext& context, const MapFrame& frame) {
    const Look& look = context.ui.look;
    if (context.state.view.experiment.launch.grid.count() == 1) return;
    const float cell = static_cast<float>(frame.camera.cell);
    const ImVec2 corner = frame.on(cornerOf(frame.layout, context.state.view.block, {}));
    const float width = std::max(frame.layout.block.width() * cell, look.px(5));
    const float height = std::max(frame.layout.block.height() * cell, look.px(5));
    // Where the block fills the area its own edge says enough.
    if (width > frame.area.width * 0.6F || height > frame.area.height * 0.6F) return;
    const float pad = cell >= 6 ? look.snap(2) : 0;
    outline(*ImGui::GetWindowDrawList(), look, {corner.x - pad, corner.y - pad},
            {corner.x + width + pad, corner.y + height + pad});
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

void drawMapLabels(const MapContext& context, const MapFrame& frame, float others) {
    const Look& look = context.ui.look;
    const float cell = static_cast<float>(frame.camera.cell);
    const Index3 chosen = context.state.view.block;
    const bool numbered = hasCellNumbers(context, frame);
    if (numbered) drawCellNumbers(context, frame, chosen, 1);
    if (numbered && others > 0.5F) {
        forEachBlock(frame, 4096, [&](Index3 block) {
            if (block != chosen) drawCellNumbers(context, frame, block, others);
        });
    } else if (!context.stale) {
        blockNames(context, frame,
                   numbered || others <= 0.5F ? std::optional(chosen) : std::nullopt);
    }
    const Axes axes(context, frame);
    planeNames(context, frame, axes.areDrawn());
    axes.draw();
    if (!axes.areDrawn()) blockAxes(context, frame);
    chosenBlock(context, frame);
    for (const auto& thread :
         {context.state.pointed, threadAsked(context.state), heldThread(context.state)}) {
        if (!thread || cell < 3) continue;
        const ImVec2 corner = frame.on(cornerOf(frame.layout, chosen, *thread));
        const float half = look.snap(1) / 2;
        outline(*ImGui::GetWindowDrawList(), look, {corner.x + half, corner.y + half},
                {corner.x + cell - half, corner.y + cell - half});
    }
}

}  // namespace warplens::window
