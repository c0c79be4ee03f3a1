#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace warplens {

/// What of a launch is drawn.
enum class PictureKind : std::uint8_t {
    scenario,  ///< what its scenario is about
    threads,   ///< the block's threads on the map, by warp
    block3d,   ///< the block as cubes
    request,   ///< what one warp asks of memory
    slots,     ///< an SM and the blocks that it holds
    times,     ///< when and where the blocks ran
    source,    ///< the kernel's source
};

/// A row of the table of pictures.
struct PictureRow final {
    PictureKind picture{};
    std::string_view word;      ///< in options, scenes, lessons and settings: `3d`
    std::string_view former{};  ///< as version 0.1.0 wrote it
    /// On its button in the window; empty: figures alone draw it.
    std::string_view label{};
    std::string_view does{};  ///< a sentence on it, for the button, the help and the palette
    char key = 0;
    bool toggles = false;  ///< the button pressed once more goes back to the map
};

/// In the enumerators' order, which is that of the choices that are offered.
inline constexpr std::array pictures{
    PictureRow{.picture = PictureKind::scenario, .word = "scenario"},
    PictureRow{.picture = PictureKind::threads,
               .word = "2d",
               .former = "flat",
               .label = "2D",
               .does = "The block's threads on the map",
               .key = '2'},
    PictureRow{.picture = PictureKind::block3d,
               .word = "3d",
               .former = "solid",
               .label = "3D",
               .does = "The block's threads as cubes",
               .key = '3'},
    PictureRow{.picture = PictureKind::request, .word = "request"},
    PictureRow{.picture = PictureKind::slots,
               .word = "sm",
               .former = "slots",
               .label = "SM",
               .does = "The blocks that an SM holds at once, and why no more; again: the map",
               .key = 'O',
               .toggles = true},
    PictureRow{.picture = PictureKind::times,
               .word = "time",
               .former = "times",
               .label = "Time",
               .does = "When and where the blocks ran on the GPU; again: the map",
               .key = '4',
               .toggles = true},
    PictureRow{.picture = PictureKind::source, .word = "source"},
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

}  // namespace warplens
