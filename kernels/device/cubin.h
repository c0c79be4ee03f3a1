#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "core/library/kernel_file.h"
#include "core/measurement/measurement.h"

namespace warplens {

/// One machine instruction of a GPU from compute capability 7.0 on, where each takes 16 bytes.
/// The guard predicate stands in bits 12 to 15: 7 is "always", 8 and more the negated ones.
struct SassInstruction final {
    std::uint32_t offset = 0;  ///< bytes from the function's begin
    std::uint16_t opcode = 0;  ///< the low 12 bits
    std::uint8_t guard = 0;
    std::uint8_t width = 0;  ///< of a shared-memory access: 4 for 4 bytes a lane, 5 for 8, 6 for 16
    std::uint32_t line = 0;  ///< of the source; 0: the cubin does not say
    friend bool operator==(const SassInstruction&, const SassInstruction&) = default;

    [[nodiscard]] bool conditional() const { return guard % 8 != 7; }
    /// BRA, or on compute capability 10.0 and more its form with a uniform predicate.
    [[nodiscard]] bool isBranch() const { return opcode == 0x947 || opcode == 0x547; }
    [[nodiscard]] bool isExit() const { return opcode == 0x94d; }
    /// YIELD: from here on lanes of a warp may go on apart, and need not meet where paths do.
    [[nodiscard]] bool isYield() const { return opcode == 0x946; }
    /// ATOMS.POPC.INC: adds 1 in shared memory for each lane, at once for those at one word.
    [[nodiscard]] bool isSharedIncrement() const { return opcode == 0xf8c; }
    /// LDS: a load from shared memory, of 8 or 16 bytes a lane.
    [[nodiscard]] bool isWideSharedLoad() const { return opcode == 0x984 && width > 4; }
};

/// A kernel's machine code.
struct SassFunction final {
    std::string name;  ///< mangled
    std::vector<SassInstruction> instructions;
};

/// The functions of a cubin: an ELF file whose sections `.text.NAME` hold them. Throws
/// std::runtime_error for anything else.
[[nodiscard]] std::vector<SassFunction> functionsOf(std::span<const char> cubin);

/// What a kernel of the cubin takes of an SM, as the driver would say once it is loaded; local
/// memory that a recursion takes is not known. Throws std::runtime_error where the cubin is none,
/// or does not hold the symbol.
[[nodiscard]] KernelResources resourcesOf(std::span<const char> cubin, const std::string& symbol);

/// What the compiler made of a kernel.
struct CompiledKernel final {
    std::vector<CompiledBranch> branches;  ///< those that are named, in the order of the file
    /// Neighbouring loads from shared memory were merged into wider ones, so that there are fewer
    /// requests than the source has.
    bool mergedSharedLoads = false;
    /// Adding 1 in shared memory became an instruction of its own, from compute capability 8.0 on:
    /// lanes at one word take one wavefront together, not one after the other.
    bool incrementsShared = false;
};

/// What became of the kernel in its machine code, compiled with line information: an instruction
/// belongs to a named branch when it comes from the branch's line. (CUPTI 13.0 tells lines, too,
/// but takes two kernels of the same code and length for one.) Throws std::runtime_error where the
/// cubin does not hold the symbol.
[[nodiscard]] CompiledKernel compiledKernel(std::span<const char> cubin, const std::string& symbol,
                                            const Kernel& file);

/// Reads the line numbers of a cubin's .debug_line section (DWARF 2, "Line Number Information").
/// `add(place, offset, line)` is called for each row: from `offset` bytes into its function on, the
/// code comes from `line`, until the next row; `place` is where in the section the function's
/// address stands, which a relocation names. Line 0 ends a function. Throws std::runtime_error for
/// what is cut off.
void readLineTable(
    std::span<const char> section,
    const std::function<void(std::uint64_t place, std::uint64_t offset, std::uint32_t line)>& add);

}  // namespace warplens
