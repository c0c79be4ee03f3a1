#pragma once

#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "core/program/launch_inputs.h"
#include "core/program/program_measurement.h"
#include "kernels/device/compile/compile.h"

namespace warplens {

/// The compiled unit in which a launch's kernel lies.
struct ProgramCode final {
    std::size_t unit = 0;  ///< index into ProgramSources::units
    std::shared_ptr<const CompiledUnit> compiled{};
    std::string kernel{};                          ///< symbol
    std::map<std::string, std::string> symbols{};  ///< of device variables, by name expression
};

/// Compiles the units of a program until one has the launch's kernel. Throws CompileError: the
/// words of the unit that names the kernel, with the file's own lines.
[[nodiscard]] ProgramCode compileProgram(const ProgramSources& sources, const LaunchInputs& inputs,
                                         const CompileOptions& options);

/// An access to global or shared memory, or a conditional branch, of compiled code.
struct PtxInstruction final {
    std::string file{};  ///< the user's, as they name it, of inlined code that of the call
    std::uint32_t line = 0;
    AccessKind kind = AccessKind::load;  ///< load, store, atomic or branch, whichever memory it is
    std::uint32_t bytes = 0;             ///< of one lane's access, vectors whole
    std::string text{};                  ///< its PTX, without the semicolon
    friend bool operator==(const PtxInstruction&, const PtxInstruction&) = default;
};

/// What compiled code asks for in one launch, run by the machine (kernels/ptx).
struct CompiledLaunch final {
    std::vector<ProgramLine> lines{};  ///< of Source::compiled, by the names that `files` have
    std::vector<PtxInstruction> instructions{};  ///< in the order of the code
    bool lanesShareBytes = false;                ///< somewhere, within one request
    /// Why nothing is known of what it asks for: the PTX cannot be read or run, or takes too long.
    std::string unavailable{};
};

/// Runs the kernel on the arrays' contents before the launch, for at most `seconds`. `files` are
/// the user's own. Needs no GPU. Cost: some 1 to 20 ns for each access of a lane, and a copy of the
/// arrays.
[[nodiscard]] CompiledLaunch runCompiled(const ProgramCode& code, const LaunchInputs& inputs,
                                         const std::set<std::string>& files, double seconds,
                                         const std::stop_token& stop = {});

/// A file and a line of it.
using SourceLine = std::pair<std::string, std::uint32_t>;
/// Of lines in other files than `files`, whose code was inlined for one line of these alone: that
/// line. `kernel` is a symbol: other kernels, which may call the same, are passed over.
using InlinedLines = std::map<SourceLine, SourceLine>;
[[nodiscard]] InlinedLines inlinedLines(const std::string& ptx, const std::string& kernel,
                                        const std::set<std::string>& files);

/// The bytes with their pointers filled in: `addressOf` gives where each array lies.
template <class AddressOf>
[[nodiscard]] std::vector<std::byte> relocated(const InputBytes& bytes,
                                               const AddressOf& addressOf) {
    std::vector<std::byte> found = bytes.bytes;
    for (const PointerRelocation& pointer : bytes.pointers) {
        const std::uint64_t address = addressOf(pointer.array) + pointer.byteOffset;
        std::memcpy(found.data() + pointer.offset, &address, sizeof address);
    }
    return found;
}

}  // namespace warplens
