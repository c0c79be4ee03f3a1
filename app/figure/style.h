#pragma once

#include "app/drawing/items.h"
#include "app/figure/page.h"

namespace warplens::figure {

/// How a figure looks. Lengths and text sizes are in the units that a figure is composed in: 1280 x
/// 720 of them are a slide of 13.33 x 7.5 inches, so that a unit is 3/4 point there.
struct Style final {
    drawing::ColorRoles colors;
    bool print = false;
    /// Two colours for two things, told apart in grey as well.
    Rgb first = 0;
    Rgb second = 0;
    Rgb third = 0;
    Rgb fourth = 0;
};

[[nodiscard]] const Style& styleOf(Theme theme);

/// The sizes of text, as lines from ascender to descender: Inter's em is 1/1.21 of it, JetBrains
/// Mono's 1/1.32. The smallest are 11 point on a slide of 13.33 x 7.5 inches.
namespace size {
inline constexpr float title = 44;
inline constexpr float statement = 28;
inline constexpr float launch = 26;
inline constexpr float value = 34;
inline constexpr float sentence = 22;
inline constexpr float name = 21;
inline constexpr float smallest = 18;
inline constexpr float smallestNumber = 19.5F;  ///< the mono face's em is smaller
}  // namespace size

}  // namespace warplens::figure
