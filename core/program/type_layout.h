#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/index_derivation.h"
#include "core/program/program_sources.h"

namespace warplens {

/// Where a type's numbers lie in it.
struct TypeLayout final {
    struct Part final {
        std::string name;  ///< `.position.x`, `.cells[3]`; empty of a number itself
        std::int64_t offset = 0;
        std::int64_t bytes = 0;
    };
    std::int64_t bytes = 0;
    std::int64_t alignment = 1;
    std::vector<Part> parts{};
};

/// Of a number, a vector of CUDA's, a pointer, or a plain structure of such that the sources
/// define; sizes in it may be of the names. Nothing where it is something else, a template say.
[[nodiscard]] std::optional<TypeLayout> layoutOf(std::string_view type,
                                                 const ProgramSources& sources,
                                                 const std::vector<NamedNumber>& names);

}  // namespace warplens
