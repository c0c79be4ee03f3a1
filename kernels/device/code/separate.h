#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

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

}  // namespace warplens
