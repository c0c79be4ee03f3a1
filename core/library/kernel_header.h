#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace warplens {

/// One line of a header, `array a: in, n * n`, with the lines that go on with it.
struct HeaderEntry final {
    std::string key;   ///< `array`
    std::string name;  ///< `a`; empty where the key takes none
    std::string value;
    std::uint32_t line = 0;

    [[nodiscard]] std::string words() const { return name.empty() ? key : key + ' ' + name; }
};

/// The comment above a kernel.
struct KernelHeader final {
    std::string about;  ///< what stands before the first entry
    std::vector<HeaderEntry> entries;
};

/// Reads the `//` lines with which a file begins. A line goes on in the next one where that begins
/// with two blanks more. Throws MalformedKernelFile for a line after the first entry that is none.
[[nodiscard]] KernelHeader readHeader(const std::string& file, std::string_view text);

}  // namespace warplens
