#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/cuda_tokens.h"
#include "core/program/program_sources.h"

namespace warplens {

/// The device's part of a program: the same files with what belongs to the host alone blanked,
/// every line where it was.
struct DeviceCode final {
    struct File final {
        std::string name{};  ///< what `#include` calls it; of a unit, its path
        std::string text{};  ///< begins with a `#line` directive that names the person's file
    };
    File unit{};
    std::vector<File> headers{};
    bool usesDeviceHeaders = false;  ///< includes headers of CUDA's own: cooperative groups, ...
    /// Parts that stay without a mark of CUDA's own, because something that stays uses their names:
    /// the file's path and the first and last line. Where one does not compile, it may be left out.
    struct Unmarked final {
        std::string path{};
        int firstLine = 0;
        int lastLine = 0;
        std::size_t id = 0;
    };
    std::vector<Unmarked> unmarked{};
};

/// Blanks everything in `sources.units[unit]` and the headers that no kernel and no device function
/// reaches by name: host functions, host variables, types that only they use, headers of the
/// system's that device code cannot read. Members of types that only the host can call go too.
/// Directives that choose stay, and what `kernels` name: `reduce<float, Larger>` keeps Larger.
/// Parts whose ids are in `without` go whether used or not. A `__managed__` variable becomes one of
/// the device's, as managed arrays are measured.
[[nodiscard]] DeviceCode separateDeviceCode(const ProgramSources& sources, std::size_t unit,
                                            const std::set<std::size_t>& without = {},
                                            const std::vector<std::string>& kernels = {});

/// Whether device code may include a header of the system's by that name.
[[nodiscard]] bool isDeviceHeader(const std::string& name);

/// The kernels that a source launches with `<<<`, as it writes them: `add`, `scan<true>`. Inside a
/// template, arguments may be the template's parameters, which nobody outside can name.
[[nodiscard]] std::vector<std::string> launchedKernels(const std::string& source);

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
