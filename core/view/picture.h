#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "core/text/names.h"

namespace warplens {

/// What can be seen of a launch, in the parts that a lesson's question may ask for.
enum class Aspect : std::uint8_t {
    warps,     ///< which warp and lane a thread is in, and how many warps there are
    elements,  ///< which element a thread writes
    coverage,  ///< the grid, and the threads that it has too many
    requests,  ///< sectors, lines, banks and wavefronts of a warp's accesses
    branches,  ///< by the source: the way that each lane takes
    counters,  ///< by the compiled code: branches and active lanes
    totals,    ///< values loaded by the whole launch
    times,     ///< how long it takes, when and where its blocks run
    slots,     ///< what an SM holds of it
    waves,     ///< the blocks dealt to the SMs
    compiled,  ///< registers, local and shared bytes
};

/// What of a launch is drawn.
enum class PictureKind : std::uint8_t {
    scenario,   ///< what its scenario is about
    threads,    ///< the block's threads on the map, by warp
    block3d,    ///< the block as cubes
    request,    ///< what one warp asks of memory: sectors, banks, branches
    slots,      ///< an SM and the blocks that it holds
    times,      ///< when and where the blocks ran
    source,     ///< the kernel's source
    coverage,   ///< the problem under the threads of the grid
    branches,   ///< the way that each lane takes, warp by warp
    reduction,  ///< a sum's threads at work, round by round
    runs,       ///< how long the timed runs took
    line,       ///< the block's threads leaving it for a line that is cut every 32
    lanes,      ///< the bytes that each lane asks for, without what they cost
    requests,   ///< what all warps of the block ask of one array
    tiles,      ///< a product's tiles being loaded and read; without tiles, the values
    waves,      ///< the grid's blocks on 1, 2, 4 and all SMs
    barrier,    ///< who waits at a kernel's first barrier
    table,      ///< a lesson's first table
};

/// All that a picture can tell.
class Aspects final {
  public:
    constexpr Aspects(std::initializer_list<Aspect> all) : count_(all.size()) {
        std::ranges::copy(all, all_.begin());
    }
    constexpr operator std::span<const Aspect>() const { return {all_.data(), count_}; }

  private:
    std::array<Aspect, 4> all_{};
    std::size_t count_;
};

/// A row of the table of pictures. Where a word is empty the picture is not offered.
struct PictureRow final {
    PictureKind picture{};
    std::string_view word{};    ///< in options, scenes, lessons and settings: `3d`
    std::string_view figure{};  ///< in the header of a kernel whose scenario is about it
    std::string_view panel{};   ///< in lessons, as a panel of a page: `cubes`
    Aspects tells = {};         ///< as a panel, its tooltips and labels included
    bool bare = false;          ///< the panel has a form that tells nothing of these
    bool moves = false;         ///< the panel moves by itself
    std::string_view label{};   ///< on its button in the window, which draws it for the map
    std::string_view does{};    ///< a sentence on it, for the button, the help and the palette
    char key = 0;
    bool toggles = false;  ///< the button pressed once more goes back to the map
};

/// In the enumerators' order, which is that of the choices that are offered.
inline constexpr std::array pictures{
    PictureRow{.picture = PictureKind::scenario, .word = "scenario"},
    PictureRow{.picture = PictureKind::threads,
               .word = "2d",
               .figure = "threads",
               .panel = "threads",
               .tells = {Aspect::warps, Aspect::elements, Aspect::coverage},
               .label = "2D",
               .does = "The block's threads on the map",
               .key = '2'},
    PictureRow{.picture = PictureKind::block3d,
               .word = "3d",
               .panel = "cubes",
               .tells = {Aspect::warps},
               .label = "3D",
               .does = "The block's threads as cubes",
               .key = '3'},
    PictureRow{.picture = PictureKind::request,
               .word = "request",
               .figure = "memory",
               .panel = "request",
               .tells = {Aspect::requests, Aspect::branches, Aspect::elements, Aspect::totals}},
    PictureRow{
        .picture = PictureKind::slots,
        .word = "sm",
        .panel = "slots",
        .tells = {Aspect::slots},
        .label = "SM",
        .does = "Occupancy: the blocks that an SM holds at once, and why no more; again: the map",
        .key = 'O',
        .toggles = true},
    PictureRow{.picture = PictureKind::times,
               .word = "time",
               .figure = "schedule",
               .panel = "times",
               .tells = {Aspect::times, Aspect::slots, Aspect::waves},
               .label = "Time",
               .does = "When and where the blocks ran on the GPU; again: the map",
               .key = '4',
               .toggles = true},
    PictureRow{.picture = PictureKind::source,
               .word = "source",
               .panel = "source",
               .tells = {Aspect::requests, Aspect::branches},
               .bare = true},
    PictureRow{.picture = PictureKind::coverage, .word = "coverage", .figure = "coverage"},
    PictureRow{.picture = PictureKind::branches, .figure = "branches"},
    PictureRow{.picture = PictureKind::reduction,
               .figure = "reduction",
               .panel = "rounds",
               .tells = {Aspect::branches},
               .moves = true},
    PictureRow{.picture = PictureKind::runs},
    PictureRow{.picture = PictureKind::line,
               .panel = "line",
               .tells = {Aspect::warps},
               .bare = true,
               .moves = true},
    PictureRow{.picture = PictureKind::lanes, .panel = "lanes", .tells = {Aspect::elements}},
    PictureRow{.picture = PictureKind::requests,
               .panel = "requests",
               .tells = {Aspect::requests, Aspect::elements, Aspect::totals}},
    PictureRow{.picture = PictureKind::tiles,
               .panel = "tiles",
               .tells = {Aspect::totals, Aspect::requests},
               .moves = true},
    PictureRow{.picture = PictureKind::waves, .panel = "waves", .tells = {Aspect::waves}},
    PictureRow{.picture = PictureKind::barrier,
               .panel = "barrier",
               .tells = {Aspect::warps, Aspect::requests}},
    PictureRow{.picture = PictureKind::table, .panel = "table"},
};

[[nodiscard]] constexpr const PictureRow& rowOf(PictureKind picture) {
    return pictures.at(static_cast<std::size_t>(picture));
}
/// Whether the window draws it in place of the map.
[[nodiscard]] constexpr bool isInWindow(const PictureRow& row) {
    return !row.label.empty();
}

static_assert(
    [] {
        for (std::size_t i = 0; i < pictures.size(); ++i) {
            if (static_cast<std::size_t>(pictures.at(i).picture) != i) return false;
        }
        return true;
    }(),
    "a row for each picture, in its order");

// What there is to choose from in a view, and the words that options, scenes, lessons and settings
// have for it.

/// What a person came to do: each has a screen of its own.
enum class Mode : std::uint8_t {
    explore,  ///< every panel
    learn,    ///< one idea at a time, and nothing that answers before the answer
    present,  ///< the picture alone, for the back row
};
enum class Theme : std::uint8_t {
    dark,
    light,
    print,  ///< of figures: black on white, no meaning hangs on a colour
};
/// What the camera over the map stays with when the launch or the window changes.
enum class MapFollows : std::uint8_t { block, grid, nothing };
/// What stands in a thread's cell where there is room.
enum class CellNumbers : std::uint8_t { warp, coordinates, rank, element };
/// What stands in the right column.
enum class RightTab : std::uint8_t { measured, sweep, roof };
/// What stands under the mapping.
enum class LowerTab : std::uint8_t {
    memory,  ///< what the held warp's step asks of memory
    source,  ///< the kernel's source, with what each line costs
};

constexpr std::array<std::string_view, 3> namesOf(Mode /*mode*/) {
    return {"explore", "learn", "present"};
}
constexpr std::array<std::string_view, 3> namesOf(Theme /*theme*/) {
    return {"dark", "light", "print"};
}
constexpr std::array<std::string_view, 3> namesOf(MapFollows /*what*/) {
    return {"block", "grid", "nothing"};
}
constexpr std::array<std::string_view, 4> namesOf(CellNumbers /*numbers*/) {
    return {"warp", "coordinates", "rank", "element"};
}
constexpr std::array<std::string_view, 3> namesOf(RightTab /*tab*/) {
    return {"measured", "sweep", "roof"};
}
constexpr std::array<std::string_view, 2> namesOf(LowerTab /*tab*/) {
    return {"memory", "source"};
}
constexpr std::array<std::string_view, pictures.size()> namesOf(PictureKind /*picture*/) {
    std::array<std::string_view, pictures.size()> words{};
    std::ranges::transform(pictures, words.begin(), &PictureRow::word);
    return words;
}

/// Whether it can be chosen in the window; all of others can.
constexpr bool isOffered(Theme theme) {
    return theme != Theme::print;
}
constexpr bool isOffered(MapFollows what) {
    return what != MapFollows::nothing;
}
constexpr bool isOffered(PictureKind picture) {
    return isInWindow(rowOf(picture));
}

/// Nothing where the word is none of them.
template <NamedEnum Enum>
[[nodiscard]] constexpr std::optional<Enum> fromWord(std::string_view word) {
    if (word.empty()) return std::nullopt;
    return fromString<Enum>(word);
}

/// Those that the window offers, in their order.
template <NamedEnum Enum>
[[nodiscard]] std::vector<std::string_view> offeredWords() {
    std::vector<std::string_view> words;
    const auto names = namesOf(Enum{});
    for (std::size_t i = 0; i < names.size(); ++i) {
        if constexpr (requires { isOffered(Enum{}); }) {
            if (!isOffered(static_cast<Enum>(i))) continue;
        }
        words.push_back(names[i]);
    }
    return words;
}

/// The next one, round from the last to the first.
template <NamedEnum Enum>
[[nodiscard]] constexpr Enum after(Enum enumerator) {
    return static_cast<Enum>((static_cast<std::size_t>(enumerator) + 1) %
                             namesOf(enumerator).size());
}

}  // namespace warplens
