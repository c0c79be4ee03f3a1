#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

#include "core/text/enum_names.h"
#include "core/view/picture.h"

/// What there is to choose from in a view, and the words that options, scenes, lessons and settings
/// have for it.
namespace warplens {

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
    if (const auto found = fromString<Enum>(word)) return found;
    if constexpr (std::same_as<Enum, PictureKind>) {
        const auto former = std::ranges::find(pictures, word, &PictureRow::former);
        if (former != pictures.end()) return former->picture;
    }
    return std::nullopt;
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
