#include <tuple>

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

/// `a` at the left below, `b` above, `c` in the corner, as products are drawn.
struct Product final {
    Product(const TilePhases& phases, const DrawArea& where)
        : area(where),
          count((phases.n + phases.tile - 1) / phases.tile),
          words(where.textSize + 6),
          side(std::min((where.box.height() - words * 2.4F) / 2.12F, where.box.width() * 0.29F)),
          gap(side * 0.12F),
          row(shownTile(phases.block.y, count)),
          column(shownTile(phases.block.x, count)) {
        const Box& box = where.box;
        const float top = box.top + words;
        const auto tiles = static_cast<float>(std::min(count, mostTiles));
        a = {{box.left, top + side + gap, box.left + side, top + 2 * side + gap}, tiles};
        b = {{a.box.right + gap, top, a.box.right + gap + side, top + side}, tiles};
        c = {{b.box.left, a.box.top, b.box.right, a.box.bottom}, tiles};
        first = mixed(area.colors.background, area.colors.accent, 0.75F);
        second = mixed(area.colors.background, area.colors.warning, 0.75F);
    }

    void write(Point at, std::string text, Rgb color, float align = 0) {
        items.push_back(Text{at, std::move(text), Face::words, area.textSize, color, align});
    }
    /// The longest that has room.
    void say(Point at, float room, std::initializer_list<std::string> forms, Rgb color) {
        for (const std::string& form : forms) {
            if (area.textWidth(form, Face::words, area.textSize) > room) continue;
            write(at, form, color);
            return;
        }
    }
    /// The matrices, cut into `parts`, with their letters.
    void drawMatrices(const std::string& parts) {
        const ColorRoles& colors = area.colors;
        for (const auto& [matrix, letter] : {std::pair{&a, "a"}, {&b, "b"}, {&c, "c"}}) {
            const Box& box = matrix->box;
            items.push_back(Fill{box, colors.raised});
            const float cell = side / matrix->tiles;
            for (float at = cell; at < side - 1; at += cell) {
                items.push_back(Line{
                    {box.left + at, box.top}, {box.left + at, box.bottom}, colors.faint, 1, 0.6F});
                items.push_back(Line{
                    {box.left, box.top + at}, {box.right, box.top + at}, colors.faint, 1, 0.6F});
            }
            items.push_back(Frame{box, colors.muted, 1});
            // Outside, where no tile comes.
            const bool isAbove = matrix == &b;
            const Point at{box.left, isAbove ? box.top - words + 2 : box.bottom + 3};
            const float room = isAbove ? area.box.width() : side + gap * 0.7F;
            const std::string number = groupedDigits(count);
            const std::string name = letter;
            if (count <= mostTiles) {
                write(at, name, colors.muted);
            } else {
                say(at, room, {name + ", " + number + " x " + number + " " + parts, name},
                    colors.muted);
            }
        }
    }

    const DrawArea& area;
    std::uint64_t count;  ///< of tiles in a row
    float words;          ///< the height of a line of them
    float side;           ///< of a matrix
    float gap;
    float row;  ///< of the block, among the tiles that are drawn
    float column;
    Matrix a{};
    Matrix b{};
    Matrix c{};
    Rgb first = 0;  ///< of what is loaded from a
    Rgb second = 0;
    Items items{};
};

/// Without tiles: a thread's two values, and the row and the column of threads that load them, too.
Items prepareSharedReads(const TilePhases& phases, const DrawArea& area) {
    Product product(phases, area);
    const auto& [a, b, c] = std::tie(product.a, product.b, product.c);
    product.drawMatrices("blocks");
    const std::uint64_t row = phases.block.y * std::uint64_t{phases.tile};
    const std::uint64_t column = phases.block.x * std::uint64_t{phases.tile};
    const auto k = std::min(phases.n - 1,
                            static_cast<std::uint64_t>(phases.at * static_cast<double>(phases.n)));
    const float value = std::max(5.0F, product.side / static_cast<float>(phases.n));
    const float along = (product.side - value) * static_cast<float>(k) /
                        static_cast<float>(std::max<std::uint64_t>(phases.n - 1, 1));
    const float left = c.tileAt(product.column, 0).left;
    const float top = c.tileAt(0, product.row).top;
    const float above = b.box.top + along;
    const auto fill = [&](const Box& box, Rgb color, float strength = 1) {
        product.items.push_back(Fill{box, color, strength});
    };
    fill({a.box.left, top, a.box.right, top + value}, product.first, 0.3F);
    fill({left, b.box.top, left + value, b.box.bottom}, product.second, 0.3F);
    fill({c.box.left, top, c.box.right, top + value}, product.first);
    fill({left, c.box.top, left + value, c.box.bottom}, product.second);
    fill({left, top, left + value, top + value}, area.colors.text);
    fill({a.box.left + along, top, a.box.left + along + value, top + value}, product.first);
    fill({left, above, left + value, above + value}, product.second);

    const float right = c.box.right + product.gap * 2;
    float y = b.box.top;
    const auto tell = [&](std::initializer_list<std::string> forms, Rgb color) {
        product.say({right, y}, area.box.right - right, forms, color);
        y += product.words * 1.3F;
    };
    const std::string threads = groupedDigits(phases.n) + " threads";
    const std::string blocks = groupedDigits(product.count) + " blocks";
    const auto readers = [&](std::uint64_t rowOf, std::uint64_t columnOf, const char* array,
                             const std::string& line, Rgb color) {
        const std::string name = std::string(array) + "[" + std::to_string(rowOf) + "][" +
                                 std::to_string(columnOf) + "]";
        tell({name + " is loaded by " + threads, name + ": by " + threads, name + ": " + threads,
              threads},
             color);
        tell({"all of " + line + " of c, in " + blocks, "of " + line + ", in " + blocks,
              "of " + line},
             area.colors.muted);
        y += product.words * 0.5F;
    };
    const std::string round =
        "k = " + std::to_string(k) + " of 0 to " + std::to_string(phases.n - 1);
    tell({"Iteration " + round, round}, area.colors.muted);
    readers(row, k, "a", "row " + std::to_string(row), product.first);
    readers(k, column, "b", "column " + std::to_string(column), product.second);
    return std::move(product.items);
}

}  // namespace

std::optional<TilePhases> tilePhasesOf(const Experiment& experiment, Index3 block) {
    const Kernel& kernel = kernelOf(experiment);
    const auto has = [&](const char* name) {
        return std::ranges::find(kernel.shared, name, &KernelShared::name) != kernel.shared.end();
    };
    const auto argument = [&](const char* name) {
        return experiment.arguments.contains(name) ? experiment.arguments.at(name) : 0;
    };
    TilePhases phases{.n = static_cast<std::uint64_t>(argument("n")),
                      .tile = static_cast<std::uint32_t>(argument("tile")),
                      .block = block};
    if (!has("tile_a") || !has("tile_b")) {
        const bool isProduct = kernel.arrays.size() == 3 && kernel.arrays[0].name == "a" &&
                               kernel.arrays[2].name == "c" && !kernel.loops.empty();
        phases.tile = isProduct ? experiment.launch.block.x : 0;
        phases.shared = false;
    }
    if (phases.n == 0 || phases.tile == 0) return std::nullopt;
    return phases;
}

Items prepareTilePhases(const TilePhases& phases, const DrawArea& area) {
    if (!phases.shared) return prepareSharedReads(phases, area);
    Product product(phases, area);
    product.drawMatrices("tiles");
    const auto& [a, b, c, items] = std::tie(product.a, product.b, product.c, product.items);
    const auto& [words, side, gap, row, column] =
        std::tie(product.words, product.side, product.gap, product.row, product.column);
    const ColorRoles& colors = area.colors;
    const std::uint64_t count = product.count;
    const double whole = std::clamp(phases.at, 0.0, 1.0) * static_cast<double>(count);
    const auto phase = std::min(static_cast<std::uint64_t>(whole), count - 1);
    const auto inside = static_cast<float>(std::min(1.0, whole - static_cast<double>(phase)));
    const float loading = std::clamp(inside / 0.4F, 0.0F, 1.0F);
    const float using_ = std::clamp((inside - 0.45F) / 0.55F, 0.0F, 1.0F);

    const float along = shownTile(phase, count);
    const Rgb first = product.first;
    const Rgb second = product.second;
    const Box aRow{a.box.left, a.tileAt(0, row).top, a.box.right, a.tileAt(0, row).bottom};
    const Box bColumn{b.tileAt(column, 0).left, b.box.top, b.tileAt(column, 0).right, b.box.bottom};
    items.push_back(Fill{aRow, first, 0.22F});
    items.push_back(Fill{bColumn, second, 0.22F});
    items.push_back(Fill{c.tileAt(column, row), colors.text, 0.85F});
    items.push_back(Fill{a.tileAt(along, row), first});
    items.push_back(Fill{b.tileAt(column, along), second});

    // The two tiles in shared memory, large.
    const float right = c.box.right + gap * 2;
    const float large = std::min((area.box.right - right - gap) / 2, area.box.height() - words * 5);
    if (large < 40) return items;
    const float tileTop = b.box.top + words * 1.2F;
    const Box aTile{right, tileTop, right + large, tileTop + large};
    const Box bTile{aTile.right + gap, tileTop, aTile.right + gap + large, tileTop + large};
    if (count > mostTiles) {
        const float dots = side / a.tiles * (mostTiles - 1.5F);
        for (const Point at :
             {Point{a.box.left + dots, a.tileAt(0, row).top},
              Point{b.tileAt(column, 0).left + side / b.tiles / 2, b.box.top + dots}}) {
            product.write({at.x, at.y - area.textSize * 0.3F}, "…", colors.text, 0.5F);
        }
    }
    // Counted as the kernel's loop counts.
    product.write({aTile.left, area.box.top},
                  "phase " + groupedDigits(phase) + " of 0 to " + groupedDigits(count - 1),
                  colors.text);
    for (const Box& tile : {aTile, bTile}) items.push_back(Frame{tile, colors.faint, 1});
    drawTile(items, between(a.tileAt(along, row), aTile, loading), phases.tile, first, colors);
    drawTile(items, between(b.tileAt(column, along), bTile, loading), phases.tile, second, colors);
    for (const auto& [tile, letter] : {std::pair{&aTile, "a"}, {&bTile, "b"}}) {
        const std::string name = letter;
        product.say({tile->left, tile->bottom + 4}, large,
                    {"shared tile of " + name, "tile of " + name, name}, colors.muted);
    }
    const std::string threads = std::to_string(phases.tile) + " threads";
    product.say({aTile.left, aTile.bottom + 4 + 2 * words}, area.box.right - aTile.left,
                {"each value of a tile is loaded by one thread and read by " + threads,
                 "each value is read by " + threads, threads},
                colors.muted);
    const auto says = [&](std::initializer_list<std::string> forms) {
        product.say({aTile.left, aTile.bottom + 4 + words}, area.box.right - aTile.left, forms,
                    colors.text);
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
