#include "core/occupancy/sm_limits.h"

#include <algorithm>
#include <array>

#include "core/text/format.h"

namespace warplens {

std::string toString(ComputeCapability capability) {
    return std::to_string(capability.major) + '.' + std::to_string(capability.minor);
}

std::optional<ComputeCapability> parseComputeCapability(std::string_view text) {
    const std::size_t point = std::min(text.find('.'), text.size());
    const auto major = wholeNumber<std::uint32_t>(text.substr(0, point));
    const auto minor = wholeNumber<std::uint32_t>(text.substr(std::min(point + 1, text.size())));
    if (!major || !minor) return std::nullopt;
    return ComputeCapability{*major, *minor};
}

namespace {

constexpr std::uint32_t K = 1024;

// The occupancy spreadsheet that came with the CUDA Toolkit up to 11 is no longer published; ports
// of it are. What a device of the kind said of itself is the output of NVIDIA's deviceQuery.
constexpr std::string_view spreadsheet =
    "public ports of NVIDIA's occupancy spreadsheet (herberteuler/cuda-calculator)";
constexpr std::string_view spreadsheetAndHeader =
    "public ports of NVIDIA's occupancy spreadsheet (fabiodrg/cuda-calculator); cuda_occupancy.h "
    "13.0 for blocks and units";
constexpr std::string_view deviceAndHeader =
    "deviceQuery on a Tegra of this kind; cuda_occupancy.h 13.0 for blocks and units";
constexpr std::string_view guideAndHeader =
    "CUDA Programming Guide 13, Technical Specifications per Compute Capability; "
    "cuda_occupancy.h 13.0 for units";
constexpr std::string_view cccl =
    "arch_traits.h of NVIDIA's CUDA Core Compute Libraries, as 8.6; cuda_occupancy.h 13.0 for "
    "units";

constexpr std::array volta{0 * K, 8 * K, 16 * K, 32 * K, 64 * K, 96 * K};
constexpr std::array turing{32 * K, 64 * K};
constexpr std::array ampere{0 * K, 8 * K, 16 * K, 32 * K, 64 * K, 100 * K, 132 * K, 164 * K};
constexpr std::array small{0 * K, 8 * K, 16 * K, 32 * K, 64 * K, 100 * K};
constexpr std::array hopper{0 * K,   8 * K,   16 * K,  32 * K,  64 * K,
                            100 * K, 132 * K, 164 * K, 196 * K, 228 * K};

constexpr SmLimits tesla(std::uint32_t minor, std::uint32_t warps, std::uint32_t registers,
                         std::uint32_t registerUnit) {
    return {.capability = {1, minor},
            .warps = warps,
            .blocks = 8,
            .threadsPerBlock = 512,
            .registers = registers,
            .registersPerBlock = registers,
            .registersPerThread = 124,
            .registerAllocation = RegisterAllocation::perBlock,
            .registerUnit = registerUnit,
            .partitions = 2,
            .launchWarpUnit = 2,
            .sharedBytes = 16 * K,
            .sharedBytesPerBlock = 16 * K,
            .sharedBytesPerBlockOptIn = 16 * K,
            .sharedUnit = 512,
            .source = spreadsheet,
            .unsettled = UnsettledLimit{
                &SmLimits::registersPerThread, 128,
                "124 registers per thread in the spreadsheet, 128 in the programming guide"}};
}

constexpr SmLimits fermi(std::uint32_t minor) {
    return {.capability = {2, minor},
            .warps = 48,
            .blocks = 8,
            .registers = 32 * K,
            .registersPerBlock = 32 * K,
            .registersPerThread = 63,
            .registerUnit = 64,
            .partitions = 2,
            .launchWarpUnit = 2,
            .sharedBytes = 48 * K,
            .sharedUnit = 128,
            .source = spreadsheet};
}

constexpr SmLimits kepler(std::uint32_t minor) {
    return {.capability = {3, minor},
            .warps = 64,
            .blocks = 16,
            .sharedBytes = 48 * K,
            .source = spreadsheetAndHeader};
}

constexpr SmLimits maxwellOrPascal(ComputeCapability capability, std::uint32_t sharedKilobytes) {
    return {.capability = capability,
            .warps = 64,
            .blocks = 32,
            .sharedBytes = sharedKilobytes * K,
            .source = spreadsheetAndHeader};
}

/// From 7.0 on a kernel may ask for more shared memory than 48 KB a block, and for a share of L1.
constexpr SmLimits modern(ComputeCapability capability, std::uint32_t warps, std::uint32_t blocks,
                          std::span<const std::uint32_t> sharedSizes) {
    const bool reserves = capability.major >= 8;
    const std::uint32_t reserved = reserves ? K : 0;
    return {.capability = capability,
            .warps = warps,
            .blocks = blocks,
            .sharedBytes = sharedSizes.back(),
            .sharedBytesPerBlockOptIn = sharedSizes.back() - reserved,
            .sharedUnit = reserves ? 128u : 256u,
            .sharedReservedPerBlock = reserved,
            .sharedSizes = sharedSizes,
            .source = guideAndHeader};
}

constexpr SmLimits with(SmLimits limits, std::uint32_t SmLimits::*limit, std::uint32_t value) {
    limits.*limit = value;
    return limits;
}

constexpr SmLimits from(std::string_view source, SmLimits limits) {
    limits.source = source;
    return limits;
}

constexpr SmLimits unsettled(const UnsettledLimit& which, SmLimits limits) {
    limits.unsettled = which;
    return limits;
}

constexpr SmLimits gp100() {
    // cuda_occupancy.h: two partitions, yet a block must also fit the four of the other Pascals.
    return with(maxwellOrPascal({6, 0}, 64), &SmLimits::partitions, 2);
}

constexpr std::uint32_t SmLimits::*perBlock = &SmLimits::registersPerBlock;

constexpr std::array table{
    tesla(0, 24, 8 * K, 256),
    tesla(1, 24, 8 * K, 256),
    tesla(2, 32, 16 * K, 512),
    tesla(3, 32, 16 * K, 512),
    fermi(0),
    fermi(1),
    with(kepler(0), &SmLimits::registersPerThread, 63),
    unsettled({&SmLimits::registersPerThread, 63,
               "255 registers per thread in the spreadsheet, 63 in some published tables"},
              from(deviceAndHeader, with(kepler(2), perBlock, 32 * K))),
    kepler(5),
    with(with(kepler(7), &SmLimits::registers, 128 * K), &SmLimits::sharedBytes, 112 * K),
    maxwellOrPascal({5, 0}, 64),
    // The spreadsheet's ports say 32 K registers per block here; devices of 5.2 say 64 K.
    maxwellOrPascal({5, 2}, 96),
    from(deviceAndHeader, with(maxwellOrPascal({5, 3}, 64), perBlock, 32 * K)),
    gp100(),
    maxwellOrPascal({6, 1}, 96),
    // Published tables differ on 6.2 (64 or 128 warps, 32 K or 64 K registers per block).
    from(deviceAndHeader, with(maxwellOrPascal({6, 2}, 64), perBlock, 32 * K)),
    from(spreadsheetAndHeader, modern({7, 0}, 64, 32, volta)),
    from(deviceAndHeader, modern({7, 2}, 64, 32, volta)),
    modern({7, 5}, 32, 16, turing),
    modern({8, 0}, 64, 32, ampere),
    modern({8, 6}, 48, 16, small),
    modern({8, 7}, 48, 16, ampere),
    from(cccl, modern({8, 8}, 48, 16, small)),
    modern({8, 9}, 48, 24, small),
    modern({9, 0}, 64, 32, hopper),
    modern({10, 0}, 64, 32, hopper),
    modern({10, 3}, 64, 32, hopper),
    modern({11, 0}, 48, 24, hopper),
    modern({12, 0}, 48, 24, small),
    modern({12, 1}, 48, 24, small),
};

}  // namespace

std::span<const SmLimits> allSmLimits() {
    return table;
}

const SmLimits* findSmLimits(ComputeCapability capability) {
    const auto found = std::ranges::find(allSmLimits(), capability, &SmLimits::capability);
    return found == allSmLimits().end() ? nullptr : &*found;
}

const SmLimits& smLimitsNamed(std::string_view text) {
    if (const auto capability = parseComputeCapability(text)) {
        if (const SmLimits* limits = findSmLimits(*capability)) return *limits;
    }
    std::string known;
    for (const SmLimits& limits : allSmLimits()) known += ' ' + toString(limits.capability);
    throw InvalidRequest({{"compute capability", "'" + std::string(text) + "'", "one of" + known}});
}

SmLimits asTheOtherSourceSays(const SmLimits& limits) {
    SmLimits other = limits;
    other.*limits.unsettled->limit = limits.unsettled->otherValue;
    return other;
}

LaunchLimits launchLimitsOf(const SmLimits& limits) {
    // Grids: CUDA C Programming Guide, Technical Specifications per Compute Capability.
    const bool longGrids = limits.capability >= ComputeCapability{3, 0};
    const bool deepGrids = limits.capability >= ComputeCapability{2, 0};
    return {.grid = {longGrids ? 2147483647u : 65535u, 65535u, deepGrids ? 65535u : 1u},
            .block = {limits.threadsPerBlock, limits.threadsPerBlock, 64u},
            .threadsPerBlock = limits.threadsPerBlock,
            .dynamicSharedBytes = limits.sharedBytesPerBlockOptIn};
}

}  // namespace warplens
