#include "app/drawing/palette.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <gtest/gtest.h>
#include <iostream>
#include <string>

#include "core/text/files.h"

namespace warplens {
namespace {

using Triple = std::array<double, 3>;
using Matrix = std::array<Triple, 3>;

constexpr Matrix normalSight{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
// Machado, Oliveira, Fernandes 2009, severity 1, for linear RGB.
constexpr Matrix protanopia{{{0.152286, 1.052583, -0.204868},
                             {0.114503, 0.786281, 0.099216},
                             {-0.003882, -0.048116, 1.051998}}};
constexpr Matrix deuteranopia{{{0.367322, 0.860646, -0.227968},
                               {0.280085, 0.672501, 0.047413},
                               {-0.011820, 0.042940, 0.968881}}};
constexpr Matrix tritanopia{{{1.255528, -0.076749, -0.178779},
                             {-0.078411, 0.930809, 0.147602},
                             {0.004733, 0.691367, 0.303900}}};

Triple times(const Matrix& m, const Triple& v) {
    Triple result{};
    for (std::size_t i = 0; i < 3; ++i) {
        result.at(i) = m.at(i)[0] * v[0] + m.at(i)[1] * v[1] + m.at(i)[2] * v[2];
    }
    return result;
}

Triple linear(Rgb color) {
    Triple result{};
    for (std::size_t i = 0; i < 3; ++i) {
        const double c = (color >> (16 - 8 * i) & 255) / 255.0;
        result.at(i) = c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
    }
    return result;
}

/// OKLab as a person with that sight sees the colour (Ottosson 2020).
Triple seen(Rgb color, const Matrix& sight) {
    constexpr Matrix toCones{{{0.4122214708, 0.5363325363, 0.0514459929},
                              {0.2119034982, 0.6806995451, 0.1073969566},
                              {0.0883024619, 0.2817188376, 0.6299787005}}};
    constexpr Matrix toLab{{{0.2104542553, 0.7936177850, -0.0040720468},
                            {1.9779984951, -2.4285922050, 0.4505937099},
                            {0.0259040371, 0.7827717662, -0.8086757660}}};
    Triple rgb = times(sight, linear(color));
    for (double& c : rgb) c = std::clamp(c, 0.0, 1.0);
    Triple cones = times(toCones, rgb);
    for (double& c : cones) c = std::cbrt(c);
    return times(toLab, cones);
}

double distance(Rgb a, Rgb b, const Matrix& sight) {
    const Triple x = seen(a, sight);
    const Triple y = seen(b, sight);
    return std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]);
}

// A just noticeable difference is about 0.02 in OKLab.
TEST(Palette, AnyTwoWarpsDifferUnderEverySight) {
    for (const auto& [sight, least] :
         {std::pair{normalSight, 0.10}, std::pair{protanopia, 0.055},
          std::pair{deuteranopia, 0.055}, std::pair{tritanopia, 0.055}}) {
        for (std::size_t i = 0; i < warpColors.size(); ++i) {
            for (std::size_t j = i + 1; j < warpColors.size(); ++j) {
                EXPECT_GE(distance(warpColors.at(i), warpColors.at(j), sight), least)
                    << "warps " << i << " and " << j;
            }
        }
    }
}

TEST(Palette, WarpsThatFollowOneAnotherDifferStrongly) {
    for (const Matrix& sight : {normalSight, protanopia, deuteranopia, tritanopia}) {
        for (std::size_t i = 0; i + 1 < warpColors.size(); ++i) {
            EXPECT_GE(distance(warpColors.at(i), warpColors.at(i + 1), sight), 0.14)
                << "warps " << i << " and " << i + 1;
        }
    }
}

TEST(Palette, EveryWarpStandsOutOnTheDarkAndOnTheLightBackground) {
    for (const Rgb color : warpColors) {
        EXPECT_GE(distance(color, 0x161b22, normalSight), 0.15);
        EXPECT_GE(distance(color, 0xffffff, normalSight), 0.10);
    }
}

std::string row(const char* sight, const Matrix& matrix) {
    double any = 1e9;
    double next = 1e9;
    double dark = 1e9;
    double light = 1e9;
    for (std::size_t i = 0; i < warpColors.size(); ++i) {
        for (std::size_t j = i + 1; j < warpColors.size(); ++j) {
            const double apart = distance(warpColors.at(i), warpColors.at(j), matrix);
            any = std::min(any, apart);
            if (j == i + 1) next = std::min(next, apart);
        }
        dark = std::min(dark, distance(warpColors.at(i), 0x161b22, matrix));
        light = std::min(light, distance(warpColors.at(i), 0xffffff, matrix));
    }
    std::array<char, 120> text{};
    std::snprintf(text.data(), text.size(), "| %s | %.3f | %.3f | %.3f | %.3f |\n", sight, any,
                  next, dark, light);
    return text.data();
}

TEST(Palette, ReachesTheDifferencesThatItsDocumentStates) {
    const std::string table = row("normal", normalSight) + row("protanopia", protanopia) +
                              row("deuteranopia", deuteranopia) + row("tritanopia", tritanopia);
    std::cout << table;
    EXPECT_NE(readFile(SOURCE_FOLDER "/docs/palette.md").find(table), std::string::npos) << table;
}

TEST(Palette, TheNumberOnEveryWarpHasContrast) {
    for (const Rgb color : warpColors) {
        const Triple rgb = linear(color);
        const double luminance = 0.2126 * rgb[0] + 0.7152 * rgb[1] + 0.0722 * rgb[2];
        const double contrast =
            inkOn(color) == 0 ? (luminance + 0.05) / 0.05 : 1.05 / (luminance + 0.05);
        EXPECT_GE(contrast, 3.0) << std::hex << color;  // WCAG 2, large or bold text
    }
}

}  // namespace
}  // namespace warplens
