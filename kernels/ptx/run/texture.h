#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace warplens::ptx {

/// What a texture or surface object stands for (CUDA Programming Guide, "Texture and Surface
/// Memory"): elements of an array, and how they are read. Arrays of the device lie row by row here;
/// where hardware puts their elements is not public.
struct Texture final {
    enum class Addressing : std::uint8_t { wrap, clamp, mirror, border };
    enum class Elements : std::uint8_t { signedNumbers, unsignedNumbers, floats };
    /// One level of a mipmap; others have one.
    struct Level final {
        std::uint64_t address = 0;  ///< of the first byte, on the device
        std::uint32_t width = 1;    ///< elements
        std::uint32_t height = 1;
        std::uint32_t depth = 1;  ///< slices, or layers; of cubes 6 for each
        std::uint64_t rowBytes = 0;
    };
    std::vector<Level> levels;
    std::uint32_t channels = 1;
    std::uint32_t channelBytes = 4;
    Elements elements = Elements::floats;
    std::array<Addressing, 3> addressing{};
    std::array<float, 4> border{};
    bool isLinearMemory = false;  ///< read by index
    bool isFiltered = false;      ///< between elements
    bool isNormalized = false;    ///< coordinates from 0 to 1
    bool readsFractions = false;  ///< integers are read as fractions of their largest
    bool blendsLevels = false;
    float leastLevel = 0;
    float mostLevel = 0;
    float levelBias = 0;

    [[nodiscard]] std::uint32_t elementBytes() const { return channels * channelBytes; }
};

}  // namespace warplens::ptx
