#pragma once

#include <cstdint>
#include <functional>
#include <span>

namespace warplens {

/// Reads the line numbers of a cubin's .debug_line section (DWARF 2, "Line Number Information").
/// `add(place, offset, line)` is called for each row: from `offset` bytes into its function on, the
/// code comes from `line`, until the next row; `place` is where in the section the function's
/// address stands, which a relocation names. Line 0 ends a function. Throws std::runtime_error for
/// what is cut off.
void readLineTable(
    std::span<const char> section,
    const std::function<void(std::uint64_t place, std::uint64_t offset, std::uint32_t line)>& add);

}  // namespace warplens
