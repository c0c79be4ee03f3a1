#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace warplens::tests {

/// Pixels of three bytes, rows from the top.
struct Picture final {
    int width = 0;
    int height = 0;
    std::vector<unsigned char> pixels;
};

/// Throws std::runtime_error where the file is no PNG.
[[nodiscard]] Picture readPicture(const std::string& file);

/// Each pixel the mean of `factor` x `factor`: what one driver or one version of a library shades
/// otherwise than the next weighs less.
[[nodiscard]] Picture smaller(const Picture& picture, int factor);

/// How far two pictures of one size are apart, in levels of 255 of the channel that differs most.
struct Difference final {
    double mean = 0;        ///< over all pixels
    double farPercent = 0;  ///< of the pixels that differ by more than `farApart`
};
inline constexpr int farApart = 32;
[[nodiscard]] Difference differenceOf(const Picture& a, const Picture& b);

}  // namespace warplens::tests
