#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <variant>
#include <vector>

#include "kernels/ptx/read/type.h"

namespace warplens::ptx {

/// Where an instruction stands in the person's source, from `.loc`. `file` is an index of
/// `Module::files`; line 0 is nowhere.
struct Place final {
    std::uint32_t file = 0;
    std::uint32_t line = 0;
    std::uint32_t column = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
};

struct Operand final {
    enum class Kind : std::uint8_t {
        none,     ///< `_`
        reg,      ///< `%r1`, `!%p1`, `%r1|%p1`
        integer,  ///< `7`, `-7`, `0x7`
        real,     ///< `0f3F800000`, `0d3FF0000000000000`, `1.5`: bits of a double
        symbol,   ///< a variable, function or label, `+ offset`
        special,  ///< `%tid.x`
        list,     ///< `{a, b}` or `(a, b)`
        memory,   ///< `[reg or symbol + offset, parts...]`
    };
    Kind kind = Kind::none;
    bool negated = false;      ///< `!` before a predicate, `-` before a register
    std::int32_t reg = -1;     ///< of `Function::registers`; of `memory` the base, or -1
    std::int32_t second = -1;  ///< after `|`
    std::uint64_t bits = 0;    ///< of `integer`, and of `real` as a double
    std::string_view symbol;
    std::int64_t offset = 0;
    std::vector<Operand> parts;
};

struct Instruction final {
    std::vector<std::string_view> words;  ///< `ld`, `global`, `f32` of `ld.global.f32`
    std::vector<Operand> operands;
    std::int32_t guard = -1;  ///< register of `@%p1`
    bool guardNegated = false;
    Place place;            ///< in the person's files, of inlined code of a library the caller's
    std::uint32_t row = 0;  ///< line of the PTX, from 1

    [[nodiscard]] bool has(std::string_view word) const;
    /// Which of the words it has, from 0; nothing where it has none of them.
    [[nodiscard]] std::optional<std::uint32_t> which(
        const std::vector<std::string_view>& words) const;
    /// The n-th type among its words, counted from the end (0: the last).
    [[nodiscard]] Type type(std::size_t fromEnd = 0) const;
};

struct Variable final {
    std::string_view name;
    Space space = Space::generic;
    Type type = Type::none;
    std::uint64_t bytes = 0;  ///< 0: an array without bounds, as of dynamic shared memory
    std::uint32_t alignment = 1;
    bool isPointer = false;  ///< a parameter that says so
    bool isExternal = false;
    std::vector<std::uint8_t> initial;  ///< shorter than `bytes` where the rest is zero
    /// Addresses of symbols among the initial bytes.
    struct Address final {
        std::uint64_t at = 0;
        std::string_view symbol;
        std::int64_t offset = 0;
        std::uint32_t bytes = 8;
        std::uint32_t shift = 0;  ///< bits below the part of the address that is wanted
    };
    std::vector<Address> addresses;
};

/// A parameter or result of a function, at `offset` of the bytes that a call hands over.
struct Parameter final {
    std::string_view name;
    Type type = Type::none;
    std::uint32_t bytes = 0;
    std::uint32_t alignment = 1;
    std::uint32_t offset = 0;
    bool isPointer = false;  ///< it says so
};

struct Function final {
    std::string_view name;
    bool isKernel = false;
    bool isDeclaration = false;  ///< no body: it is elsewhere, or the machine's own
    bool isDebug = false;        ///< compiled with `-G`
    bool isLibrary = true;       ///< nothing in it is of the person's files
    std::vector<Parameter> parameters;
    std::vector<Parameter> results;
    std::vector<Type> registers;
    std::vector<Instruction> instructions;
    std::unordered_map<std::string_view, std::uint32_t> labels;  ///< index of the next instruction
    std::unordered_map<std::string_view, std::vector<std::string_view>> branchTargets;
    std::map<std::string_view, Variable> variables;        ///< of local and shared memory
    std::map<std::string_view, Parameter> callParameters;  ///< `.param` declared in the body
    std::array<std::uint32_t, 3> clusterDims{0, 0, 0};     ///< `.reqnctapercluster`; 0: none

    [[nodiscard]] std::uint32_t parameterBytes() const;
};

/// What stands in one PTX file. Names and words are parts of `text`.
struct Module final {
    std::unique_ptr<const std::string> text;
    std::string_view version;  ///< `9.0`
    std::string_view target;   ///< `sm_90`
    /// Compiled with `-G`: nothing was optimised, and counts are what the source asks for.
    bool isDebug = false;
    std::map<std::string_view, std::unique_ptr<Function>> functions;
    std::map<std::string_view, Variable> variables;  ///< global, constant and dynamic shared
    std::map<std::string_view, std::string_view> aliases;
    std::map<std::uint32_t, std::string> files;
    std::deque<std::string> names;  ///< of labels that are not in the text
};

/// A place in a file of the function's module.
struct Origin final {
    const Function* function = nullptr;
    Place place;
    friend auto operator<=>(const Origin&, const Origin&) = default;
};

/// Why a text is not read as PTX.
struct ReadError final {
    std::uint32_t row = 0;  ///< from 1
    std::string message;    ///< without the row
};

/// Reads PTX of ISA 6.0 to 9.x as nvcc, NVRTC, clang and Triton write it. Linear in the text; holds
/// at most about ten times its size.
[[nodiscard]] std::variant<Module, ReadError> readModule(std::string text);

}  // namespace warplens::ptx
