#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace warplens::assembly {

/// Where an instruction comes from, as the compiler's `.loc` says.
struct Location final {
    std::uint32_t file = 0;  ///< index into Unit::files
    std::uint32_t line = 0;
    std::uint32_t column = 0;
};

/// Whose code a function is.
enum class Origin : std::uint8_t {
    person,   ///< of the program's own files
    library,  ///< of the compiler's and the system's headers
    ours,     ///< of the CUDA headers that stand in for NVIDIA's
};

/// What the markers in a function's text say (`# wl-...`, from our CUDA headers).
enum class Role : std::uint8_t {
    plain,
    kernel,  ///< a __global__ function
    event,   ///< a barrier or warp intrinsic: whoever calls it is recorded
    atomic,  ///< as `event`, with the address that is the first argument
};

struct Instruction final {
    std::uint32_t line = 0;  ///< index into Unit::lines
    Location location;
};

/// One function: its instructions, labels and markers, directives left out.
struct Function final {
    std::string_view name;
    Origin origin = Origin::person;
    Role role = Role::plain;
    bool isGlobal = false;  ///< other units may call it
    std::vector<Instruction> body;
    std::vector<std::string_view> threadLocals;  ///< variables that it names, as often as it does
    std::uint32_t firstLine = 0;                 ///< its label, in Unit::lines
    std::uint32_t endLine = 0;                   ///< its `.size`
};

/// A variable: in thread-local storage what is __shared__ in CUDA.
struct Object final {
    std::string_view name;
    std::uint64_t bytes = 0;
    bool threadLocal = false;
    bool defined = true;
    std::uint64_t alignment = 1;  ///< in thread-local storage that of its type
};

/// One file of the compiler's output, taken apart. Views point into `text`.
struct Unit final {
    std::string text;
    std::vector<std::string_view> lines;
    std::vector<Function> functions;
    std::unordered_map<std::string_view, std::size_t> functionByName;
    std::map<std::uint32_t, std::string> files;
    std::map<std::string_view, Object> objects;

    Unit() = default;
    Unit(const Unit&) = delete;
    Unit& operator=(const Unit&) = delete;
    Unit(Unit&&) = default;  // the text stays where it is: it is longer than any small string
    Unit& operator=(Unit&&) = default;
};

/// Takes apart what g++ -S wrote. `ourHeaders` is the folder of our CUDA headers.
[[nodiscard]] Unit parseUnit(std::string text, std::string_view ourHeaders);

/// The instruction's mnemonic; empty for labels and markers.
[[nodiscard]] std::string_view mnemonicOf(std::string_view line);
/// What follows the mnemonic, without comments and blanks around it.
[[nodiscard]] std::string_view operandsOf(std::string_view line);
/// The label that a line defines; empty where it defines none.
[[nodiscard]] std::string_view labelOf(std::string_view line);
[[nodiscard]] bool isConditionalJump(std::string_view mnemonic);

}  // namespace warplens::assembly
