#include <cmath>

#include "app/drawing/elements.h"
#include "app/window/panels/map_panel.h"
#include "core/text/format.h"

namespace warplens::window {
namespace {

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
        // The cells of another block may lie below it.
        plated(context_, look_.fonts.small, look_.colors.muted, {axes.corner.x, top}, words, 0,
               0.94F);
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
        if (measured(font, name).x > width * 0.9F) return;
        const ImVec2 corner = frame.on(cornerOf(frame.layout, block, {}));
        const ImVec2 middle(corner.x + width / 2, corner.y + (height - font->FontSize) / 2);
        if (middle.y + font->FontSize > frame.at.y + frame.area.height) return;
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
    for (const auto& thread : {context.state.pointed, threadAsked(context.state)}) {
        if (!thread || cell < 3) continue;
        const ImVec2 corner = frame.on(cornerOf(frame.layout, chosen, *thread));
        const float half = look.snap(1) / 2;
        outline(*ImGui::GetWindowDrawList(), look, {corner.x + half, corner.y + half},
                {corner.x + cell - half, corner.y + cell - half});
    }
}

}  // namespace warplens::window
