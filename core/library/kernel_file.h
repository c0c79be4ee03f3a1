#pragma once

#include <array>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "core/kernel/element_type.h"
#include "core/kernel/kernel.h"

namespace warplens {

/// What is wrong with a kernel's file; what() is `file:line: words`.
class MalformedKernelFile final : public std::runtime_error {
  public:
    MalformedKernelFile(const std::string& file, std::uint32_t at, const std::string& words)
        : std::runtime_error(file + ':' + std::to_string(at) + ": " + words), line(at) {}
    std::uint32_t line;
    std::vector<std::pair<std::uint32_t, std::string>> others{};  ///< what else is wrong, by line
};

/// Reads a kernel's file. Throws MalformedKernelFile, of all of the header's faults.
[[nodiscard]] Kernel parseKernelFile(const std::string& file, std::string text);

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
    std::vector<MalformedKernelFile> unknown{};  ///< lines after the first entry that are none
};

/// Reads the `//` lines with which a file begins. A line goes on in the next one where that begins
/// with two blanks more.
[[nodiscard]] KernelHeader readHeader(const std::string& file, std::string_view text);

struct CodeParameter final {
    std::string name;
    bool isPointer = false;
    ElementType type{};  ///< its own, or of what it points to
};

struct CodeShared final {
    std::string name;
    std::uint32_t elementBytes = 4;
    std::string columns{};  ///< the second of two extents, as written
};

/// What a comment at the end of a line says of it: `// name: inside, step: k`, `// only computes`.
struct CodeMark final {
    enum class Kind : std::uint8_t { branch, step, onlyComputes };
    Kind kind = Kind::branch;
    std::string name;  ///< of the branch; the loop's variable
    std::uint32_t line = 0;
    std::uint32_t lastLine = 0;  ///< of the loop that begins on the line; 0: none does
};

/// What the one kernel of a file says of itself.
struct KernelCode final {
    std::string kernel;
    std::uint32_t line = 0;  ///< of its name
    std::string templateParameter;
    std::vector<CodeParameter> parameters;
    std::vector<CodeShared> shared;  ///< arrays in shared memory, in order
    std::vector<CodeMark> marks;
    bool usesBarriers = false;
};

/// Throws MalformedKernelFile for a file without a kernel or with several, and for a parameter or a
/// mark that is not understood.
[[nodiscard]] KernelCode readKernelCode(const std::string& file, std::string_view text);

/// Along which axes (x, y, z) the kernel's file reads the block's index. All of them where it is
/// not certain: where it includes or defines something, or takes the index as a whole.
[[nodiscard]] std::array<bool, 3> blockAxesRead(std::string_view text);

/// Of the words of the file's code, comments and blanks left out: the same as long as the same is
/// measured.
[[nodiscard]] std::string kernelDigest(const Kernel& file);

}  // namespace warplens
