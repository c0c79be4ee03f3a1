#pragma once

#include <cstdint>
#include <string>

#include "core/access/line_cost.h"

namespace warplens {

enum class SiteKind : std::uint8_t { load, store, atomic, branch };
[[nodiscard]] constexpr AccessKind accessKindOf(SiteKind kind, bool shared) {
    switch (kind) {
        case SiteKind::load:
            return shared ? AccessKind::sharedLoad : AccessKind::load;
        case SiteKind::store:
            return shared ? AccessKind::sharedStore : AccessKind::store;
        case SiteKind::atomic:
            return shared ? AccessKind::sharedAtomic : AccessKind::atomic;
        case SiteKind::branch:
            break;
    }
    return AccessKind::branch;
}

/// The memory that an instruction names. `generic`: found out for each lane when it runs.
enum class SiteSpace : std::uint8_t { none, global, shared, generic };

/// One instruction of a compiled kernel that is counted when it runs.
struct Site final {
    std::string function{};  ///< symbol of the kernel, or of the function that it calls
    SiteKind kind = SiteKind::load;
    SiteSpace space = SiteSpace::none;
    std::uint32_t bytes = 0;  ///< of one lane's access, vectors whole
    std::string file{};       ///< as the compiler names it; empty where it names none
    std::uint32_t line = 0;   ///< 0: the compiler does not say
    std::uint32_t column = 0;
    std::string instruction{};  ///< its PTX, without the semicolon
    friend bool operator==(const Site&, const Site&) = default;
};

/// What a site counted, summed over a launch; what the probe's functions add to (probe.cu), in this
/// order.
struct SiteTally final {
    std::uint64_t requests = 0;  ///< of global memory; of a branch, warps that came to it
    std::uint64_t lanes = 0;  ///< active ones, summed over the requests; of a branch, that take it
    std::uint64_t sectors = 0;
    std::uint64_t idealSectors = 0;
    std::uint64_t uniqueBytes = 0;
    std::uint64_t sharedRequests = 0;
    std::uint64_t sharedLanes = 0;
    std::uint64_t wavefronts = 0;
    std::uint64_t idealWavefronts = 0;
    std::uint64_t divergent = 0;
    std::uint64_t mostSameAddress = 0;  ///< of atomics
    std::uint64_t turns = 0;            ///< of atomics: the most of each request, summed
    std::uint64_t uniqueSectors = 0;    ///< fewest that hold the unique bytes of each request
    friend bool operator==(const SiteTally&, const SiteTally&) = default;

    void add(const SiteTally& other);
};

}  // namespace warplens
