#pragma once

#include <algorithm>
#include <array>
#include <concepts>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>
#include <vector>

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

/// The words in the enumerators' order, and which of them can be chosen in the window.
template <class Enum>
struct Words;
template <>
struct Words<Mode> final {
    static constexpr std::array<std::string_view, 3> all{"explore", "learn", "present"};
};
template <>
struct Words<Theme> final {
    static constexpr std::array<std::string_view, 3> all{"dark", "light", "print"};
    static constexpr bool isOffered(Theme theme) { return theme != Theme::print; }
};
template <>
struct Words<MapFollows> final {
    static constexpr std::array<std::string_view, 3> all{"block", "grid", "nothing"};
    static constexpr bool isOffered(MapFollows what) { return what != MapFollows::nothing; }
};
template <>
struct Words<CellNumbers> final {
    static constexpr std::array<std::string_view, 4> all{"warp", "coordinates", "rank", "element"};
};
template <>
struct Words<RightTab> final {
    static constexpr std::array<std::string_view, 3> all{"measured", "sweep", "roof"};
};
template <>
struct Words<LowerTab> final {
    static constexpr std::array<std::string_view, 2> all{"memory", "source"};
};
template <>
struct Words<PictureKind> final {
    static constexpr std::array<std::string_view, pictures.size()> all = [] {
        std::array<std::string_view, pictures.size()> words{};
        std::ranges::transform(pictures, words.begin(), &PictureRow::word);
        return words;
    }();
    static constexpr bool isOffered(PictureKind picture) { return isInWindow(rowOf(picture)); }
};

template <class Enum>
concept Worded = requires {
    Words<Enum>::all;
};

template <Worded Enum>
[[nodiscard]] constexpr std::string_view toString(Enum enumerator) {
    return Words<Enum>::all.at(static_cast<std::size_t>(enumerator));
}

/// Nothing where the word is none of them.
template <Worded Enum>
[[nodiscard]] constexpr std::optional<Enum> fromWord(std::string_view word) {
    const auto found = std::ranges::find(Words<Enum>::all, word);
    if (found != Words<Enum>::all.end()) {
        return static_cast<Enum>(found - Words<Enum>::all.begin());
    }
    if constexpr (std::same_as<Enum, PictureKind>) {
        const auto former = std::ranges::find(pictures, word, &PictureRow::former);
        if (former != pictures.end() && !word.empty()) return former->picture;
    }
    return std::nullopt;
}

/// Those that the window offers, in their order.
template <Worded Enum>
[[nodiscard]] std::vector<std::string_view> offeredWords() {
    std::vector<std::string_view> words;
    for (std::size_t i = 0; i < Words<Enum>::all.size(); ++i) {
        if constexpr (requires { Words<Enum>::isOffered(Enum{}); }) {
            if (!Words<Enum>::isOffered(static_cast<Enum>(i))) continue;
        }
        words.push_back(Words<Enum>::all.at(i));
    }
    return words;
}

/// The next one, round from the last to the first.
template <Worded Enum>
[[nodiscard]] constexpr Enum after(Enum enumerator) {
    return static_cast<Enum>((static_cast<std::size_t>(enumerator) + 1) % Words<Enum>::all.size());
}

}  // namespace warplens
