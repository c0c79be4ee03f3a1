#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/cuda_tokens.h"

namespace warplens {

/// What a part of a file at namespace scope is.
enum class CodePartKind : std::uint8_t {
    function,
    type,  ///< class, struct, union, enum, typedef or alias
    variable,
    usingNamespace,  ///< `using namespace cooperative_groups;`
    macro,
    include,
    other,
};

/// A declaration, definition or directive at namespace scope, with the names by which others reach
/// it.
struct CodePart final {
    CodePartKind kind = CodePartKind::other;
    std::size_t begin = 0;  ///< offsets in its file
    std::size_t end = 0;
    bool onDevice = false;  ///< marked __global__, __device__, __constant__ or the like
    bool isConstexpr = false;
    std::set<std::string, std::less<>> declares{};
    std::set<std::string, std::less<>> uses{};  ///< every identifier in it, its own names too
    /// Offsets of members that exist on the host only, to be taken out of a type that stays.
    struct Range final {
        std::size_t begin = 0;
        std::size_t end = 0;
    };
    std::vector<Range> hostMembers{};
};

/// The parts of a file, in order. `deviceMarks` are the names that mark device code: CUDA's own and
/// the file's macros for them.
[[nodiscard]] std::vector<CodePart> codePartsOf(
    std::string_view source, const std::set<std::string, std::less<>>& deviceMarks);

/// CUDA's own words that mark device code, and every macro of `sources` whose replacement holds
/// one.
[[nodiscard]] std::set<std::string, std::less<>> deviceMarksOf(
    const std::vector<std::string_view>& sources);

}  // namespace warplens
