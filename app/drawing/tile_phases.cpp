#include <cmath>

#include "app/drawing/lesson_pictures.h"
#include "core/text/format.h"

namespace warplens::drawing {
namespace {

/// Of more tiles the first and the last are drawn, with an ellipsis between.
constexpr std::uint64_t mostTiles = 8;

/// Where a tile stands among those that are drawn.
float shownTile(std::uint64_t tile, std::uint64_t count) {
    if (count <= mostTiles || tile + 2 < mostTiles) return static_cast<float>(tile);
    return static_cast<float>(tile + 1 == count ? mostTiles - 1 : mostTiles - 2);
}

/// A matrix of so many tiles, drawn as a square.
struct Matrix final {
    Box box;
    float tiles = 1;

    [[nodiscard]] Box tileAt(float column, float row) const {
        const float side = box.width() / tiles;
        const float least = std::max(side, 3.0F);
        const float left = std::min(box.left + column * side, box.right - least);
        const float top = std::min(box.top + row * side, box.bottom - least);
        return {left, top, left + least, top + least};
    }
};

void drawTile(Items& items, const Box& box, std::uint32_t cells, Rgb color,
              const ColorRoles& colors) {
    items.push_back(Fill{box, color});
    const float cell = box.width() / static_cast<float>(cells);
    if (cell >= 5) {
        for (std::uint32_t i = 1; i < cells; ++i) {
            const float at = cell * static_cast<float>(i);
            items.push_back(Line{
                {box.left + at, box.top}, {box.left + at, box.bottom}, colors.background, 1, 0.7F});
            items.push_back(Line{
                {box.left, box.top + at}, {box.right, box.top + at}, colors.background, 1, 0.7F});
        }
    }
    items.push_back(Frame{box, colors.muted, 1});
}

}  // namespace

std::optional<TilePhases> tilePhasesOf(const Experiment& experiment, Index3 block) {
    const Kernel& kernel = kernelOf(experiment);
    const auto has = [&](const char* name) {
        return std::ranges::find(kernel.shared, name, &KernelShared::name) != kernel.shared.end();
    };
    const bool byTiles = has("tile_a") && has("tile_b");
    if (!byTiles || !experiment.arguments.contains("tile")) return std::nullopt;
    return TilePhases{.n = static_cast<std::uint64_t>(experiment.arguments.at("n")),
                      .tile = static_cast<std::uint32_t>(experiment.arguments.at("tile")),
                      .block = block};
}

Items prepareTilePhases(const TilePhases& phases, const DrawArea& area) {
    Items items;
    const ColorRoles& colors = area.colors;
    const float words = area.textSize + 6;
    const std::uint64_t count = (phases.n + phases.tile - 1) / phases.tile;
    const double whole = std::clamp(phases.at, 0.0, 1.0) * static_cast<double>(count);
    const auto phase = std::min(static_cast<std::uint64_t>(whole), count - 1);
    const auto inside = static_cast<float>(std::min(1.0, whole - static_cast<double>(phase)));
    const float loading = std::clamp(inside / 0.4F, 0.0F, 1.0F);
    const float using_ = std::clamp((inside - 0.45F) / 0.55F, 0.0F, 1.0F);

    // a at the left below, b above, c in the corner, as products are drawn; tiles at the right.
    const float side =
        std::min((area.box.height() - words * 2.4F) / 2.12F, area.box.width() * 0.29F);
    const float gap = side * 0.12F;
    const float top = area.box.top + words;
    const auto tiles = static_cast<float>(std::min(count, mostTiles));
    const Matrix a{{area.box.left, top + side + gap, area.box.left + side, top + 2 * side + gap},
                   tiles};
    const Matrix b{{a.box.right + gap, top, a.box.right + gap + side, top + side}, tiles};
    const Matrix c{{b.box.left, a.box.top, b.box.right, a.box.bottom}, tiles};
    const float along = shownTile(phase, count);
    const float row = shownTile(phases.block.y, count);
    const float column = shownTile(phases.block.x, count);
    const Rgb first = mixed(colors.background, colors.accent, 0.75F);
    const Rgb second = mixed(colors.background, colors.warning, 0.75F);
    const auto write = [&](Point at, std::string text, Rgb color, float align = 0) {
        items.push_back(Text{at, std::move(text), Face::words, area.textSize, color, align});
    };
    for (const auto& [matrix, letter] : {std::pair{&a, "a"}, {&b, "b"}, {&c, "c"}}) {
        items.push_back(Fill{matrix->box, colors.raised});
        const float cell = side / tiles;
        for (float at = cell; at < side - 1; at += cell) {
            const Box& box = matrix->box;
            items.push_back(
                Line{{box.left + at, box.top}, {box.left + at, box.bottom}, colors.faint, 1, 0.6F});
            items.push_back(
                Line{{box.left, box.top + at}, {box.right, box.top + at}, colors.faint, 1, 0.6F});
        }
        items.push_back(Frame{matrix->box, colors.muted, 1});
        std::string name = letter;
        const std::string tiled =
            name + ", " + groupedDigits(count) + " x " + groupedDigits(count) + " tiles";
        const float room = matrix == &b ? area.box.width() : side + gap * 0.7F;
        const bool fits = area.textWidth(tiled, Face::words, area.textSize) <= room;
        if (count > mostTiles && fits) name = tiled;
        // Outside, where no tile comes.
        const float y = matrix == &b ? matrix->box.top - words + 2 : matrix->box.bottom + 3;
        write({matrix->box.left, y}, name, colors.muted);
    }
    const Box aRow{a.box.left, a.tileAt(0, row).top, a.box.right, a.tileAt(0, row).bottom};
    const Box bColumn{b.tileAt(column, 0).left, b.box.top, b.tileAt(column, 0).right, b.box.bottom};
    items.push_back(Fill{aRow, first, 0.22F});
    items.push_back(Fill{bColumn, second, 0.22F});
    items.push_back(Fill{c.tileAt(column, row), colors.text, 0.85F});
    items.push_back(Fill{a.tileAt(along, row), first});
    items.push_back(Fill{b.tileAt(column, along), second});

    // The two tiles in shared memory, large.
    const float right = c.box.right + gap * 2;
    const float large = std::min((area.box.right - right - gap) / 2, area.box.height() - words * 4);
    if (large < 40) return items;
    const float tileTop = top + words * 1.2F;
    const Box aTile{right, tileTop, right + large, tileTop + large};
    const Box bTile{aTile.right + gap, tileTop, aTile.right + gap + large, tileTop + large};
    if (count > mostTiles) {
        const float dots = side / tiles * (mostTiles - 1.5F);
        for (const Point at :
             {Point{a.box.left + dots, a.tileAt(0, row).top},
              Point{b.tileAt(column, 0).left + side / tiles / 2, b.box.top + dots}}) {
            write({at.x, at.y - area.textSize * 0.3F}, "…", colors.text, 0.5F);
        }
    }
    // Counted as the kernel's loop counts.
    write({aTile.left, area.box.top},
          "phase " + groupedDigits(phase) + " of 0 to " + groupedDigits(count - 1), colors.text);
    for (const Box& tile : {aTile, bTile}) items.push_back(Frame{tile, colors.faint, 1});
    drawTile(items, between(a.tileAt(along, row), aTile, loading), phases.tile, first, colors);
    drawTile(items, between(b.tileAt(column, along), bTile, loading), phases.tile, second, colors);
    // The longest that has room.
    const auto say = [&](float left, float y, float room, std::initializer_list<std::string> forms,
                         Rgb color) {
        for (const std::string& form : forms) {
            if (area.textWidth(form, Face::words, area.textSize) > room) continue;
            write({left, y}, form, color);
            return;
        }
    };
    say(aTile.left, aTile.bottom + 4, large, {"shared tile of a", "tile of a", "a"}, colors.muted);
    say(bTile.left, bTile.bottom + 4, large, {"shared tile of b", "tile of b", "b"}, colors.muted);
    const auto says = [&](std::initializer_list<std::string> forms) {
        say(aTile.left, aTile.bottom + 4 + words, area.box.right - aTile.left, forms, colors.text);
    };
    if (loading < 1) {
        says({"each thread loads one value of a and one of b", "each thread loads two values"});
        return items;
    }
    if (using_ <= 0) {
        says({"all wait for each other"});
        return items;
    }
    // One element walks along a row of the one and down a column of the other.
    const float cell = large / static_cast<float>(phases.tile);
    const auto k = std::min(static_cast<std::uint32_t>(using_ * static_cast<float>(phases.tile)),
                            phases.tile - 1);
    const float reached = cell * static_cast<float>(k + 1);
    const float line = cell * static_cast<float>(phases.tile / 2);
    items.push_back(
        Fill{{aTile.left, aTile.top + line, aTile.left + reached, aTile.top + line + cell},
             colors.text,
             0.55F});
    items.push_back(
        Fill{{bTile.left + line, bTile.top, bTile.left + line + cell, bTile.top + reached},
             colors.text,
             0.55F});
    const std::string round = "k = " + std::to_string(k);
    says({"an element of c takes a row of one and a column of the other: " + round,
          "a row of one, a column of the other: " + round, "a row, a column: " + round});
    return items;
}

}  // namespace warplens::drawing
