#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "core/launch/launch.h"

namespace warplens {

/// What CUDA calls a generation of GPUs: 9.0 is Hopper.
struct ComputeCapability final {
    std::uint32_t major = 0;
    std::uint32_t minor = 0;
    friend constexpr auto operator<=>(const ComputeCapability&, const ComputeCapability&) = default;
};

/// `9.0`.
[[nodiscard]] std::string toString(ComputeCapability capability);

/// Reads `9.0`; nothing for any other form. Whether there are such GPUs is another question.
[[nodiscard]] std::optional<ComputeCapability> parseComputeCapability(std::string_view text);

/// How an SM hands out its registers.
enum class RegisterAllocation : std::uint8_t {
    perBlock,  ///< compute capability 1.x: one piece for the whole block
    perWarp,   ///< 2.0 on: a piece for each warp, from the partition of the SM the warp runs in
};

struct SmLimits;

/// A limit on which published sources differ.
struct UnsettledLimit final {
    std::uint32_t SmLimits::*limit;
    std::uint32_t otherValue;  ///< what the other source says
    std::string_view words;    ///< which source says what
};

/// What one streaming multiprocessor (SM) of a compute capability holds, and what it grants one
/// block. Registers count 32 bits each; sizes of shared memory are bytes.
struct SmLimits final {
    ComputeCapability capability{};
    std::uint32_t warps = 0;
    std::uint32_t blocks = 0;
    std::uint32_t threadsPerBlock = 1024;
    std::uint32_t registers = 65536;
    std::uint32_t registersPerBlock = 65536;
    std::uint32_t registersPerThread = 255;
    RegisterAllocation registerAllocation = RegisterAllocation::perWarp;
    std::uint32_t registerUnit = 256;  ///< each piece of registers is a multiple of this many
    /// Parts of the SM with registers of their own. Where registers belong to the block, a block's
    /// warps are rounded up to a multiple of this for them.
    std::uint32_t partitions = 4;
    /// Warps are rounded up to this before a block's registers are held against
    /// `registersPerBlock`.
    std::uint32_t launchWarpUnit = 4;
    std::uint32_t sharedBytes = 0;
    std::uint32_t sharedBytesPerBlock = 49152;       ///< without asking for more
    std::uint32_t sharedBytesPerBlockOptIn = 49152;  ///< with cudaFuncSetAttribute
    std::uint32_t sharedUnit = 256;                  ///< a block's piece is a multiple of this
    std::uint32_t sharedReservedPerBlock = 0;        ///< what the system takes of each block's
    /// Sizes the SM can give to shared memory, the rest being L1, smallest first. Empty where a
    /// kernel cannot ask for a share (before 7.0): then the largest size counts.
    std::span<const std::uint32_t> sharedSizes{};
    std::string_view source{};  ///< where the row is from
    std::optional<UnsettledLimit> unsettled{};

    [[nodiscard]] constexpr std::uint32_t threads() const { return 32 * warps; }
};

/// Compute capability 1.0 to 12.1, in this order. 10.1 is missing: it is what CUDA 12.8 and 12.9
/// called 11.0.
[[nodiscard]] std::span<const SmLimits> allSmLimits();

/// Null where there is no such compute capability.
[[nodiscard]] const SmLimits* findSmLimits(ComputeCapability capability);

/// As `findSmLimits` for text as in `9.0`, throwing InvalidRequest that lists the known ones.
[[nodiscard]] const SmLimits& smLimitsNamed(std::string_view text);

/// The row as the other source has it; it must be unsettled.
[[nodiscard]] SmLimits asTheOtherSourceSays(const SmLimits& limits);

/// What a launch may be there: sizes of grid and block, dynamic shared memory with opting in.
[[nodiscard]] LaunchLimits launchLimitsOf(const SmLimits& limits);

}  // namespace warplens
