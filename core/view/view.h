#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>

#include "core/launch/mapping.h"
#include "core/occupancy/sm_limits.h"
#include "core/scenario/scenario.h"
#include "core/view/picture.h"

/// What is shown, as one value. The window's state, its settings, scenes, pages of lessons,
/// figures, screenshots and the options of the command line hold a View, or the parts of one that
/// they change; view_parts.h has the one table of these parts.
namespace warplens {

/// Of letters and all that goes by them; 1 is normal.
inline constexpr float leastTextScale = 0.5F;
inline constexpr float largestTextScale = 3;

/// What a View holds of each part, and what a ViewChange holds.
struct Whole final {
    template <class T>
    using Part = T;
};
struct Wanted final {
    template <class T>
    using Part = std::optional<T>;
};

/// What a part is before anybody chose; nothing in a change.
template <class Holds, class T>
[[nodiscard]] constexpr typename Holds::template Part<T> atStart(T value) {
    if constexpr (std::is_same_v<Holds, Whole>) {
        return value;
    } else {
        return std::nullopt;
    }
}

template <class Holds>
struct ViewParts final {
    template <class T>
    using Part = typename Holds::template Part<T>;

    /// The launch: the last one that CUDA accepts, whatever is being typed.
    Part<Experiment> experiment{};
    Part<PictureKind> picture = atStart<Holds>(PictureKind::threads);
    Part<Index3> block{};                  ///< whose threads are drawn
    Part<std::optional<WarpRank>> warp{};  ///< selected; the others are dimmed
    /// Whose steps there are to choose from: a place among the kernel's arrays, its shared arrays
    /// behind them; all steps where none.
    Part<std::optional<std::size_t>> array{};
    /// Its place in the trace, from 0, or the next one there is; the first request where none.
    Part<std::optional<std::uint64_t>> step{};
    Part<MapFollows> map{};
    Part<CellNumbers> numbers{};
    /// Of the SM whose slots are shown; none: the device that was measured.
    Part<std::optional<ComputeCapability>> capability{};
    Part<RightTab> tab{};
    Part<std::string> over{};  ///< what the sweep varies, as typed; empty: the first proposed
    Part<LowerTab> below{};
    Part<Mode> mode{};
    Part<std::string> lesson{};  ///< the one that is opened; empty: the list of them
    Part<Theme> theme{};
    Part<float> textScale = atStart<Holds>(1.0F);
    friend bool operator==(const ViewParts&, const ViewParts&) = default;
};
using View = ViewParts<Whole>;
/// Parts left open stay as they are.
using ViewChange = ViewParts<Wanted>;

/// A change that selects no warp, or shows the first request.
inline constexpr std::optional<WarpRank> noWarp{};
inline constexpr std::optional<std::uint64_t> noStep{};

}  // namespace warplens
