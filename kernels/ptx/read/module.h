#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
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

namespace warplens::ptx {

/// Types of PTX's registers and instructions (PTX ISA, "Fundamental Types" and "Packed Data
/// Types").
enum class Type : std::uint8_t {
    none,
    pred,
    b8,
    u8,
    s8,
    b16,
    u16,
    s16,
    f16,
    bf16,
    b32,
    u32,
    s32,
    f32,
    f16x2,
    bf16x2,
    tf32,
    b64,
    u64,
    s64,
    f64,
    f32x2,
    b128,
    e4m3x2,
    e5m2x2,
};

using u8 = std::uint8_t;
using s8 = std::int8_t;
using u16 = std::uint16_t;
using s16 = std::int16_t;
using u32 = std::uint32_t;
using s32 = std::int32_t;
using u64 = std::uint64_t;
using s64 = std::int64_t;

struct TypeRow final {
    std::string_view name;
    u32 bytes;
    bool isFloat;
    bool isSigned;
};

// In the order of the enum.
inline constexpr std::array typeRows{
    TypeRow{"", 0, false, false},      TypeRow{"pred", 0, false, false},
    TypeRow{"b8", 1, false, false},    TypeRow{"u8", 1, false, false},
    TypeRow{"s8", 1, false, true},     TypeRow{"b16", 2, false, false},
    TypeRow{"u16", 2, false, false},   TypeRow{"s16", 2, false, true},
    TypeRow{"f16", 2, true, true},     TypeRow{"bf16", 2, true, true},
    TypeRow{"b32", 4, false, false},   TypeRow{"u32", 4, false, false},
    TypeRow{"s32", 4, false, true},    TypeRow{"f32", 4, true, true},
    TypeRow{"f16x2", 4, true, true},   TypeRow{"bf16x2", 4, true, true},
    TypeRow{"tf32", 4, true, true},    TypeRow{"b64", 8, false, false},
    TypeRow{"u64", 8, false, false},   TypeRow{"s64", 8, false, true},
    TypeRow{"f64", 8, true, true},     TypeRow{"f32x2", 8, true, true},
    TypeRow{"b128", 16, false, false}, TypeRow{"e4m3x2", 2, true, true},
    TypeRow{"e5m2x2", 2, true, true}};
static_assert(typeRows.size() == static_cast<std::size_t>(Type::e5m2x2) + 1);

/// `f32` of `f32`; `none` for anything that is not a type.
[[nodiscard]] constexpr Type typeNamed(std::string_view name) {
    const auto row = std::ranges::find(typeRows, name, &TypeRow::name);
    return row == typeRows.end() ? Type::none : static_cast<Type>(row - typeRows.begin());
}
/// Bytes in memory; 0 of `none` and `pred`, which is in none.
[[nodiscard]] constexpr u32 bytesOf(Type type) {
    return typeRows[static_cast<std::size_t>(type)].bytes;
}
/// Packed pairs included.
[[nodiscard]] constexpr bool isFloat(Type type) {
    return typeRows[static_cast<std::size_t>(type)].isFloat;
}
[[nodiscard]] constexpr bool isSigned(Type type) {
    return typeRows[static_cast<std::size_t>(type)].isSigned;
}

/// State spaces (PTX ISA, "State Spaces").
enum class Space : u8 { generic, global, shared, constant, local, param };

/// Where an instruction stands in the person's source, from `.loc`. `file` is an index of
/// `Module::files`; line 0 is nowhere.
struct Place final {
    u32 file = 0;
    u32 line = 0;
    u32 column = 0;
    friend auto operator<=>(const Place&, const Place&) = default;
};

struct Operand final {
    enum class Kind : u8 {
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
    bool negated = false;  ///< `!` before a predicate, `-` before a register
    s32 reg = -1;          ///< of `Function::registers`; of `memory` the base, or -1
    s32 second = -1;       ///< after `|`
    u64 bits = 0;          ///< of `integer`, and of `real` as a double
    std::string_view symbol;
    s64 offset = 0;
    std::vector<Operand> parts;
};

struct Instruction final {
    std::vector<std::string_view> words;  ///< `ld`, `global`, `f32` of `ld.global.f32`
    std::vector<Operand> operands;
    s32 guard = -1;  ///< register of `@%p1`
    bool guardNegated = false;
    Place place;  ///< in the person's files, of inlined code of a library the caller's
    u32 row = 0;  ///< line of the PTX, from 1

    [[nodiscard]] bool has(std::string_view word) const;
    /// Which of the words it has, from 0; nothing where it has none of them.
    [[nodiscard]] std::optional<u32> which(const std::vector<std::string_view>& words) const;
    /// The n-th type among its words, counted from the end (0: the last).
    [[nodiscard]] Type type(std::size_t fromEnd = 0) const;
};

struct Variable final {
    std::string_view name;
    Space space = Space::generic;
    Type type = Type::none;
    u64 bytes = 0;  ///< 0: an array without bounds, as of dynamic shared memory
    u32 alignment = 1;
    bool isPointer = false;  ///< a parameter that says so
    bool isExternal = false;
    std::vector<u8> initial;  ///< shorter than `bytes` where the rest is zero
    /// Addresses of symbols among the initial bytes.
    struct Address final {
        u64 at = 0;
        std::string_view symbol;
        s64 offset = 0;
        u32 bytes = 8;
        u32 shift = 0;  ///< bits below the part of the address that is wanted
    };
    std::vector<Address> addresses;
};

/// A parameter or result of a function, at `offset` of the bytes that a call hands over.
struct Parameter final {
    std::string_view name;
    Type type = Type::none;
    u32 bytes = 0;
    u32 alignment = 1;
    u32 offset = 0;
    bool isPointer = false;  ///< it says so
};

struct Function final {
    std::string_view name;
    bool isKernel = false;
    bool isDeclaration = false;  ///< no body: it is elsewhere, or the machine's own
    bool isDebug = false;        ///< compiled with `-G`
    /// Nothing in it is of the person's files, or it is a copy that the compiler wrote: it counts
    /// where it is called.
    bool isLibrary = true;
    std::vector<Parameter> parameters;
    std::vector<Parameter> results;
    std::vector<Type> registers;
    std::vector<Instruction> instructions;
    std::unordered_map<std::string_view, u32> labels;  ///< index of the next instruction
    std::unordered_map<std::string_view, std::vector<std::string_view>> branchTargets;
    std::map<std::string_view, Variable> variables;        ///< of local and shared memory
    std::map<std::string_view, Parameter> callParameters;  ///< `.param` declared in the body
    std::array<u32, 3> clusterDims{0, 0, 0};               ///< `.reqnctapercluster`; 0: none

    [[nodiscard]] u32 parameterBytes() const;
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
    std::map<u32, std::string> files;
    std::deque<std::string> names;  ///< of labels that are not in the text
};

/// A place in a file of the function's module.
struct Origin final {
    const Function* function = nullptr;
    Place place;
    friend auto operator<=>(const Origin&, const Origin&) = default;
};

/// Whether the file came with the toolkit or the system.
[[nodiscard]] bool isLibrary(std::string_view path);

/// Why a text is not read as PTX.
struct ReadError final {
    u32 row = 0;          ///< from 1
    std::string message;  ///< without the row
};

/// Reads PTX of ISA 6.0 to 9.x as nvcc, NVRTC, clang and Triton write it. Linear in the text; holds
/// at most about ten times its size.
[[nodiscard]] std::variant<Module, ReadError> readModule(std::string text);

}  // namespace warplens::ptx
