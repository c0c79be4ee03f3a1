#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace warplens {

inline constexpr std::uint32_t bytesPerSector = 32;
inline constexpr std::uint32_t bytesPerCacheLine = 128;
inline constexpr std::uint32_t sharedBanks = 32;
inline constexpr std::uint32_t bytesPerBankWord = 4;

/// What a place in a kernel does.
enum class AccessKind : std::uint8_t {
    load,    ///< of global memory
    store,   ///< to global memory
    atomic,  ///< on global memory
    sharedLoad,
    sharedStore,
    sharedAtomic,
    branch,        ///< an if, a loop's test, one half of && or ||, ?:
    constantLoad,  ///< of constant memory
    localLoad,     ///< of local memory, which is told of where it is compiled
    localStore,
};
constexpr std::array<std::string_view, 10> namesOf(AccessKind /*kind*/) {
    return {"load",          "store",  "atomic",        "shared_load", "shared_store",
            "shared_atomic", "branch", "constant_load", "local_load",  "local_store"};
}
[[nodiscard]] constexpr bool isGlobal(AccessKind kind) {
    return kind <= AccessKind::atomic;
}
[[nodiscard]] constexpr bool isShared(AccessKind kind) {
    return kind >= AccessKind::sharedLoad && kind <= AccessKind::sharedAtomic;
}
[[nodiscard]] constexpr bool isLocal(AccessKind kind) {
    return kind >= AccessKind::localLoad;
}
[[nodiscard]] constexpr bool isAtomic(AccessKind kind) {
    return kind == AccessKind::atomic || kind == AccessKind::sharedAtomic;
}
[[nodiscard]] constexpr bool isStore(AccessKind kind) {
    return kind == AccessKind::store || kind == AccessKind::sharedStore ||
           kind == AccessKind::localStore;
}

/// What requests of one kind cost: one of them, or those of an instruction, a line, an array or a
/// launch together. Of the numbers those count that the kind has.
struct LineCost {
    std::uint64_t requests = 0;         ///< by warps; of a branch the warps that came to it
    std::uint64_t activeLanes = 0;      ///< summed over the requests
    std::uint64_t sectors = 0;          ///< of global or local memory: distinct ones of 32 bytes
    std::uint64_t cacheLines = 0;       ///< distinct ones of 128 bytes
    std::uint64_t idealSectors = 0;     ///< fewest that hold the bytes used: ceil(uniqueBytes / 32)
    std::uint64_t uniqueBytes = 0;      ///< bytes used, a byte that several lanes share once
    std::uint64_t requestedBytes = 0;   ///< a shared byte once for each lane; 0: not counted
    std::uint64_t wavefronts = 0;       ///< of shared memory; of constant memory: turns
    std::uint64_t idealWavefronts = 0;  ///< fewest for the width: 1 for 4 bytes a lane, 4 for 16
    std::uint64_t sameAddress = 0;      ///< atomics: lanes at the address that most share, summed
    std::uint64_t divergent = 0;        ///< branches: warps whose active lanes went both ways
    std::uint64_t takenLanes = 0;       ///< branches
    std::uint32_t mostSameAddress = 0;  ///< atomics: most lanes of one request at one address
    friend bool operator==(const LineCost&, const LineCost&) = default;

    void add(const LineCost& other, std::uint64_t times = 1);
};

/// The members of it that are summed.
inline constexpr std::array summedCounts{
    &LineCost::requests,       &LineCost::activeLanes,  &LineCost::sectors,
    &LineCost::cacheLines,     &LineCost::idealSectors, &LineCost::uniqueBytes,
    &LineCost::requestedBytes, &LineCost::wavefronts,   &LineCost::idealWavefronts,
    &LineCost::sameAddress,    &LineCost::divergent,    &LineCost::takenLanes};

/// Different ones of 1 to 32 addresses: into so many requests one to constant memory is split, one
/// after the other (CUDA C++ Programming Guide, "Device Memory Accesses", Constant Memory).
[[nodiscard]] std::uint32_t distinctAddresses(std::span<const std::uint64_t> addresses);

/// Cost of one request of a kind that accesses global or shared memory, by the lanes whose byte
/// addresses are given, 1 to 32 of them in lane order; every lane accesses `bytes` bytes (1, 2, 4,
/// 8 or 16), aligned, so that no lane straddles a sector. Rules: CUDA Programming Guide, "Coalesced
/// Global Memory Access" (32-byte transactions) and "Shared Memory Access Patterns": lanes that
/// access the same word share it; different words of one bank come one after the other; 8 and 16
/// bytes are served by half and quarter warps, of loads by twice as many lanes where each is at the
/// address of its neighbour, or each at that of the one behind the neighbour, unless that is not
/// active: as an H100 counted (tests/ptx/shared_loads.py). Of an atomic lanes at one word come one
/// after the other, too. `lanes` says which lanes they are; 0: the first ones.
[[nodiscard]] LineCost costOf(AccessKind kind, std::span<const std::uint64_t> addresses,
                              std::uint32_t bytes, std::uint32_t lanes = 0);
/// Of one warp that comes to a branch; bit i: lane i.
[[nodiscard]] LineCost costOfBranch(std::uint32_t activeLanes, std::uint32_t takenLanes);

/// Lanes at the address that most of them share: an atomic is done for one of them at a time.
[[nodiscard]] std::uint32_t mostAtOneAddress(std::span<const std::uint64_t> addresses);

/// One word that a request takes from its bank, and when.
struct BankWord final {
    std::uint64_t word = 0;       ///< byte address / 4
    std::uint32_t wavefront = 0;  ///< from 0
    std::uint32_t lanes = 0;      ///< bit i: the i-th of the addresses takes from it
    [[nodiscard]] constexpr std::uint32_t bank() const {
        return static_cast<std::uint32_t>(word % sharedBanks);
    }
    friend constexpr bool operator==(const BankWord&, const BankWord&) = default;
};

/// The words behind the wavefronts of a request to shared memory, wave by wave. Which of a bank's
/// words comes first is not documented: here it is the lowest.
[[nodiscard]] std::vector<BankWord> bankWordsOf(std::span<const std::uint64_t> addresses,
                                                std::uint32_t bytes,
                                                AccessKind kind = AccessKind::sharedLoad,
                                                std::uint32_t lanes = 0);

}  // namespace warplens
