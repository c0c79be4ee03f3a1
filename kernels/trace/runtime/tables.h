#pragma once

#include <cstdint>

/// Variables that the program's own initialisers may already need.
#define WARPLENS_EARLY __attribute__((init_priority(150)))

/// What the assembly pass writes into a traced program, and its runtime reads there.
namespace warplens::runtime {

enum class SiteKind : std::uint32_t {
    load,
    store,
    atomic,
    branch,     ///< the event's value is 1 where the jump was taken
    enter,      ///< a function of the program is called
    leave,      ///< and has returned
    warpEvent,  ///< a barrier or warp intrinsic
    division,   ///< of whole numbers; leaves no event
};

inline constexpr std::uint32_t siteIsVolatile = 1;
inline constexpr std::uint32_t siteIsRange = 2;  ///< several accesses in machine code
inline constexpr std::uint32_t siteIsUnaligned = 4;
inline constexpr std::uint32_t siteOfLibrary = 8;   ///< in a header of the compiler's
inline constexpr std::uint32_t siteIsCompare = 16;  ///< an atomicCAS

struct FunctionRow final {
    const char* name;  ///< mangled
    const void* original;
    const void* traced;
    std::uint32_t firstSite;
    std::uint32_t sites;
};

struct SiteRow final {
    const char* file;
    const FunctionRow* function;
    const void* object;  ///< the shared array that the source names there; null where it names none
    const std::uint64_t* region;  ///< of a branch: one bit for each site of its function
    SiteKind kind;
    std::uint32_t bytes;
    std::uint32_t flags;
    std::uint32_t line;
    std::uint32_t column;
    std::uint32_t outcomes;  ///< of a branch of a named statement (Outcome); else 0
    std::uint32_t arms[2];   ///< of a branch: the blocks behind it, the jump not taken and taken
};

/// In SiteRow::arms: lanes that go the other way may come to this block, too, before all meet: of
/// `if (a || b)` the body, say.
inline constexpr std::uint32_t armIsShared = 1u << 31;

/// Where a jump of a statement's condition leads: bits 0 and 1 of `outcomes` where it is not taken,
/// bits 2 and 3 where it is.
enum class Outcome : std::uint32_t {
    none,  ///< the branch is of no named statement
    no,    ///< the condition does not hold
    yes,   ///< it does
};

/// In SiteRow::outcomes: the jump is one ahead, and what is done without it is no jump.
inline constexpr std::uint32_t jumpIsAhead = 1u << 4;

struct KernelRow final {
    const char* name;  ///< mangled
    const void* traced;
    const void* fast;  ///< null where there is no such copy
    std::uint64_t isVolatile;
    const void* dynamicShared;  ///< its `extern __shared__` array; null for none
};

inline constexpr std::uint32_t objectIsShared = 1;
inline constexpr std::uint32_t objectIsDynamic = 2;  ///< extern __shared__
inline constexpr std::uint32_t objectIsConstant = 4;
inline constexpr std::uint32_t objectIsDevice = 8;

struct ObjectRow final {
    const char* symbol;
    std::uint64_t address;  ///< from the thread pointer for shared ones
    std::uint64_t bytes;
    std::uint64_t flags;
    std::uint64_t alignment;  ///< of the type, for shared ones
};

/// Bytes of nothing behind each variable of the device: an index that is too large is known by
/// them.
inline constexpr std::uint32_t roomBehindVariables = 16 * 1024;

struct DivisionRow final {
    std::uint64_t at;
    std::uint64_t next;
    std::uint64_t site;
};

/// A block's shared memory beyond its static arrays (compute capability 9.0: 227 KiB).
inline constexpr std::uint32_t mostDynamicSharedBytes = 227 * 1024;

}  // namespace warplens::runtime
