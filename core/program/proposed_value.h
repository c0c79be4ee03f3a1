#pragma once

#include <cstdint>
#include <string>

namespace warplens {

/// What is said about the launch of a kernel that no program launches.
enum class ProposedKind : std::uint8_t {
    block,
    grid,
    number,    ///< a parameter
    elements,  ///< of the array that a pointer gets: `n*n`
    fill,      ///< of the same: `random`, `ramp`, a number, or `@FILE`
};

/// One of them: as it was taken for a launch, or as a person wants it.
struct ProposedValue final {
    std::string kernel{};  ///< without namespaces; empty for a wish, which is for all that have it
    ProposedKind kind = ProposedKind::number;
    std::string name{};   ///< of the parameter; empty for block and grid
    std::string value{};  ///< empty: what fits the rest
    friend bool operator==(const ProposedValue&, const ProposedValue&) = default;
};

}  // namespace warplens
