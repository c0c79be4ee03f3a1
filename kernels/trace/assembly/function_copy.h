#pragma once

#include <array>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "kernels/trace/assembly/device_code.h"
#include "kernels/trace/assembly/statements.h"
#include "kernels/trace/runtime/tables.h"

namespace warplens::assembly {

/// A place of a function that leaves events, or may fault.
struct PlannedSite final {
    runtime::SiteKind kind = runtime::SiteKind::load;
    std::uint32_t bytes = 0;
    std::uint32_t flags = 0;
    Location location;
    std::uint32_t block = 0;
    std::string region;  ///< label of its bits; empty where none
    std::string object;  ///< the shared variable named just before; empty where none
    std::uint32_t outcomes = 0;
    std::array<std::uint32_t, 2> arms{};
};

struct FunctionCopy final {
    std::string text;
    std::vector<PlannedSite> sites;  ///< numbered from the first on
    std::string divisions;           ///< rows of wl_divisions
};

/// `f.wl`: the function with its events. `compound` as for `instrument`. Throws
/// std::runtime_error where more than mostSites (instrument.h) are needed.
[[nodiscard]] FunctionCopy copyWithEvents(
    const DeviceCode& code, const DeviceFunction& device, std::size_t firstSite,
    const std::set<std::pair<std::uint32_t, std::uint32_t>>& compound);

}  // namespace warplens::assembly
