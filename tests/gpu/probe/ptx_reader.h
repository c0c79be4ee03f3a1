#pragma once

#include <compare>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "tests/gpu/probe/site.h"

namespace warplens {

/// A memory instruction of PTX, taken apart.
struct PtxAccess final {
    SiteKind kind = SiteKind::load;
    SiteSpace space = SiteSpace::generic;
    std::uint32_t bytes = 0;
    std::string guard;   ///< `@%p1`, `@!%p2`; empty: always
    std::string base;    ///< register or name within the brackets
    std::string offset;  ///< `8`, `-8`; `0` where there is none
};

/// An access to global, shared or generic memory; nullopt for every other instruction, accesses to
/// parameters, constants and local memory among them. `line` is one line of PTX.
[[nodiscard]] std::optional<PtxAccess> accessOf(std::string_view line);

/// A conditional branch.
struct PtxBranch final {
    std::string predicate;  ///< `%p1`
    bool negated = false;
};
[[nodiscard]] std::optional<PtxBranch> branchOf(std::string_view line);

/// An instruction that touches memory in a way that is not counted, by its name: `cp.async`,
/// `ldmatrix`, `tex`.
[[nodiscard]] std::optional<std::string> uncountedOf(std::string_view line);

struct PtxPlace final {
    std::uint32_t file = 0;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    friend auto operator<=>(const PtxPlace&, const PtxPlace&) = default;
};
/// Of a `.loc` directive; where it tells of an inlined function, also where that was called.
struct PtxPlaces final {
    PtxPlace place;
    std::optional<PtxPlace> calledAt;
};
[[nodiscard]] std::optional<PtxPlaces> placesOf(std::string_view line);

/// The names that `.file` directives give to the numbers.
[[nodiscard]] std::map<std::uint32_t, std::string> filesOf(std::string_view ptx);

/// The symbol of an array in shared memory that a line declares.
[[nodiscard]] std::optional<std::string> sharedSymbolOf(std::string_view line);

/// The symbol that a line defines as a kernel or a function.
struct PtxFunction final {
    std::string symbol;
    bool kernel = false;
};
[[nodiscard]] std::optional<PtxFunction> functionOf(std::string_view line);

}  // namespace warplens
