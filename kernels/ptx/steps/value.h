#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kernels/ptx/run/warp.h"

// Handlers go on with the next step themselves where compilers make a jump of that, and return it
// to the loop that called them elsewhere.
#if defined(WARPLENS_PTX_TAIL_CALLS)
#if defined(__clang__)
#define WARPLENS_GO(warp, to) [[clang::musttail]] return (to)->run(warp, to)
#else
#define WARPLENS_GO(warp, to) return (to)->run(warp, to)
#endif
#else
#define WARPLENS_GO(warp, to) return (to)
#endif

// Handlers that are often run exist once more for processors with wider registers, unless the build
// is to show what others do (WARPLENS_PTX_BASELINE).
#if !defined(WARPLENS_PTX_BASELINE) && defined(__x86_64__) && defined(__linux__) && \
    defined(WARPLENS_PTX_TAIL_CALLS) && !defined(__AVX2__) && defined(__GNUC__) &&  \
    !defined(__clang__)
#define WARPLENS_CLONES __attribute__((target_clones("default", "avx2")))
#else
#define WARPLENS_CLONES
#endif

namespace warplens::ptx {

/// IEEE's 16-bit floats, and those with the exponents of 32-bit ones, by their bits.
struct Half final {
    u16 bits = 0;
};
struct Bfloat final {
    u16 bits = 0;
};

inline float toFloat(Bfloat value) {
    return std::bit_cast<float>(u32{value.bits} << 16);
}
inline float toFloat(Half value) {
    const u32 sign = (value.bits & 0x8000u) << 16;
    const u32 rest = value.bits & 0x7fffu;
    if (rest >= 0x7c00) return std::bit_cast<float>(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
    // The exponent of 2^112 times the value as if its bits were a float's.
    const float magnitude = std::bit_cast<float>(rest << 13) * 0x1p112f;
    return std::bit_cast<float>(sign | std::bit_cast<u32>(magnitude));
}
inline float toFloat(float value) {
    return value;
}
inline double toFloat(double value) {
    return value;
}
/// 16-bit floats compare as 32-bit ones, all else as it is.
template <class T>
inline auto toComparable(T value) {
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Bfloat>)
        return toFloat(value);
    else
        return value;
}

inline Bfloat toBfloat(float value) {
    u32 bits = std::bit_cast<u32>(value);
    if ((bits & 0x7fffffffu) > 0x7f800000u) return {0x7fff};
    bits += 0x7fffu + (bits >> 16 & 1u);
    return {u16(bits >> 16)};
}
inline Half toHalf(float value) {
    const u32 bits = std::bit_cast<u32>(value);
    const auto sign = u16(bits >> 16 & 0x8000u);
    const u32 rest = bits & 0x7fffffffu;
    if (rest > 0x7f800000u) return {0x7fff};
    if (rest >= 0x47800000u) return {u16(sign | 0x7c00u)};
    if (rest < 0x38800000u) {
        // Below 2^-14: adding 0.5 leaves the bits of the result behind, rounded.
        const float shifted = std::bit_cast<float>(rest) + 0.5f;
        return {u16(sign | (std::bit_cast<u32>(shifted) - 0x3f000000u))};
    }
    const u32 rounded = rest - 0x38000000u + 0xfffu + (rest >> 13 & 1u);
    return {u16(sign | rounded >> 13)};
}
/// An 8-bit float (OCP 8-bit Floating Point Specification): e4m3 with three bits of mantissa, e5m2
/// with two.
inline float fromSmallFloat(u32 bits, u32 mantissaBits) {
    const s32 bias = mantissaBits == 3 ? 7 : 15;
    const u32 exponent = (bits & 0x7fu) >> mantissaBits;
    const u32 mantissa = bits & ((1u << mantissaBits) - 1);
    const float sign = (bits & 0x80u) != 0 ? -1.0f : 1.0f;
    if (mantissaBits == 3 && (bits & 0x7fu) == 0x7fu) return NAN;
    if (mantissaBits == 2 && exponent == 31) return mantissa != 0 ? NAN : sign * INFINITY;
    const float fraction = static_cast<float>(mantissa) / static_cast<float>(1u << mantissaBits);
    return sign * (exponent == 0 ? std::ldexp(fraction, 1 - bias)
                                 : std::ldexp(1 + fraction, s32(exponent) - bias));
}
/// From a double without rounding twice.
inline float roundToOdd(double value) {
    float nearest = static_cast<float>(value);
    if (static_cast<double>(nearest) == value || value != value) return nearest;
    u32 bits = std::bit_cast<u32>(nearest);
    const double back = nearest;
    if ((back < 0 ? back < value : back > value)) --bits;  // towards zero
    return std::bit_cast<float>(bits | 1u);
}

enum class Rounding : u8 { nearest, zero, down, up };
/// The nearest value, or its neighbour that lies where the rounding wants it; `error` is the exact
/// value less the nearest one, or has its sign.
template <class T>
T directed(T nearest, double error, Rounding rounding) {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    if (rounding == Rounding::up && error > 0) return std::nextafter(nearest, infinity);
    if (rounding == Rounding::down && error < 0) return std::nextafter(nearest, -infinity);
    const bool isBeyond = (nearest > 0 && error < 0) || (nearest < 0 && error > 0);
    if (rounding == Rounding::zero && isBeyond) return std::nextafter(nearest, T(0));
    return nearest;
}

/// How a lane's value lies in its slot.
template <class T>
struct StoredAs {
    using type = std::conditional_t<sizeof(T) == 8, T, std::conditional_t<sizeof(T) == 4, T, u32>>;
};
template <class T>
using Stored = typename StoredAs<T>::type;

template <class T>
inline T loaded(Stored<T> stored) {
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Bfloat>) {
        return {u16(stored)};
    } else {
        return static_cast<T>(stored);
    }
}
template <class T>
inline Stored<T> stored(T value) {
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Bfloat>) {
        return value.bits;
    } else if constexpr (std::is_same_v<T, bool>) {
        return value ? 1u : 0u;
    } else if constexpr (sizeof(T) < 4) {
        return u32(s32{value});  // signs fill the register
    } else {
        return value;
    }
}

/// Calls `result(lane)` for each lane, and writes it for the active ones.
template <class D, class Result>
__attribute__((always_inline)) inline void forLanes(Warp& warp, Slot slot, Result result) {
    Stored<D>* to = warp.value<Stored<D>>(slot);
    if (warp.active == allLanes) {
#pragma GCC ivdep
        for (u32 lane = 0; lane < lanesPerWarp; ++lane) to[lane] = stored<D>(result(lane));
        return;
    }
    const u32 active = warp.active;
#pragma GCC ivdep
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
        const Stored<D> value = stored<D>(result(lane));
        to[lane] = (active & laneBits[lane]) != 0 ? value : to[lane];
    }
}

constexpr auto widened = [](u32 a) { return u64{a}; };
constexpr auto lowerHalf = [](u64 a) { return u32(a); };

/// The same for all lanes.
template <class T>
inline void fill(Warp& warp, Slot slot, T value) {
    forLanes<T>(warp, slot, [=](u32) { return value; });
}

/// Applies `op` lane by lane to sources of types S.
template <auto op, class... S>
WARPLENS_CLONES const Step* apply(Warp& warp, const Step* step) {
    using D = decltype(op(S{}...));
    const Slot slots[] = {step->a, step->b, step->c, step->extra[0]};
    std::size_t at = 0;
    if constexpr (std::is_same_v<D, float> && (std::is_same_v<S, float> && ...)) {
        // What lies there for other lanes may be no float, and tiny ones take processors long.
        if (const u32 active = warp.active; active != allLanes) {
            forLanes<D>(
                warp, step->d,
                [ =, ... from = warp.value<S>(slots[at++]) ](u32 lane)
                    __attribute__((always_inline)) {
                        return op(((active & laneBits[lane]) != 0 ? from[lane] : 1.0f)...);
                    });
            WARPLENS_GO(warp, step + 1);
        }
    }
    forLanes<D>(
        warp, step->d,
        [... from = warp.value<Stored<S>>(slots[at++])](u32 lane)
            __attribute__((always_inline)) { return op(loaded<S>(from[lane])...); });
    WARPLENS_GO(warp, step + 1);
}

template <class... T>
struct Types final {};
using Unsigned = Types<u16, u32, u64>;
using Signed = Types<s16, s32, s64>;

/// The type by which a T is read: of integers the bits, their sign does not matter there.
template <class T>
constexpr Type typeOf() {
    if (std::is_same_v<T, Half>) return Type::f16;
    if (std::is_same_v<T, Bfloat>) return Type::bf16;
    if (std::is_floating_point_v<T>) return sizeof(T) == 8 ? Type::f64 : Type::f32;
    constexpr Type integers[] = {Type::b8, Type::b16, Type::b32, Type::b64};
    return integers[std::countr_zero(sizeof(T))];
}
/// `use.operator()<T>()` for the T that numbers of a PTX type are; null for pairs and predicates.
template <class Use>
Handler withType(Type type, Use use) {
    Handler found = nullptr;
    const auto of = [&]<class... T>(Types<T...>) {
        const auto isReadAs = [&]<class U>(U) {
            return isFloat(type) ? type == typeOf<U>()
                                 : std::is_integral_v<U> && bytesOf(type) == sizeof(U) &&
                                       isSigned(type) == std::is_signed_v<U>;
        };
        ((found = isReadAs(T{}) ? use.template operator()<T>() : found), ...);
    };
    of(Types<u8, s8, Half, Bfloat, float, double>{});
    of(Unsigned{});
    of(Signed{});
    return found;
}

class Decoder;
/// Adds the steps of an instruction; false where it is not done here. The decoder holds why.
using Decode = bool (*)(Decoder&, const Instruction&);

/// How instructions are decoded. What is done lane by lane goes by its whole name, `mul.wide.u16`;
/// what has a place in the step for each of its operands by a form; all else by a function.
class InstructionTable final {
  public:
    struct Row final {
        Handler run = nullptr;
        std::array<Type, 4> sources{};  ///< none behind the last
    };
    struct Form final {
        /// None where operands do not matter, or a letter for each: `d` the target, of `d|p` the
        /// second in extra[0]; `a`, `b` and `c` sources of the instruction's type, `A`, `B`, `C`
        /// and `E` (in extra[1]) of 32 bits; `p` a predicate in a, its inverted lanes in `option`;
        /// `s` one in c, these in `mode`; `m` in c the members of `.sync`.
        std::string_view operands;
        Handler run = nullptr;
        Handler runWide = nullptr;                 ///< of types of 64 bits
        std::vector<std::string_view> modes = {};  ///< words: `mode` is which of them is there
    };
    [[nodiscard]] const Row* row(const std::string& name) const { return at(rows_, name); }
    /// By opcode, or by that and the type: `redux.s32`.
    [[nodiscard]] const Form* form(const std::string& name) const { return at(forms_, name); }
    /// Functions that may know the opcode, in the order in which they are tried.
    [[nodiscard]] std::span<const Decode> decoders(const std::string& opcode) const {
        const std::vector<Decode>* found = at(decoders_, opcode);
        return found == nullptr ? std::span<const Decode>() : *found;
    }

    void set(const std::string& name, const Row& row) { rows_[name] = row; }
    void set(const std::string& name, const Form& form) { forms_[name] = form; }
    void decode(std::initializer_list<std::string> opcodes, Decode by) {
        for (const std::string& opcode : opcodes) decoders_[opcode].push_back(by);
    }
    template <auto op, class... S>
    void add(const std::string& name) {
        set(name, Row{apply<op, S...>, {typeOf<S>()...}});
    }
    /// `n` sources of each of the types, and behind them the rest. `kinds` are the letters of its
    /// PTX types: `us` gives `add.u32` and `add.s32`.
    template <auto op, std::size_t n, class... Rest, class... T>
    void each(const std::string& name, std::string_view kinds, Types<T...>) {
        const auto repeat = [&]<class U, std::size_t... at>(U, std::index_sequence<at...>) {
            for (const char kind : kinds)
                add<op, std::enable_if_t<at + 1 != 0, U>..., Rest...>(
                    name + '.' + kind + std::to_string(8 * sizeof(U)));
        };
        (repeat(T{}, std::make_index_sequence<n>()), ...);
    }

  private:
    template <class T>
    static const T* at(const std::unordered_map<std::string, T>& map, const std::string& name) {
        const auto found = map.find(name);
        return found == map.end() ? nullptr : &found->second;
    }
    std::unordered_map<std::string, Row> rows_;
    std::unordered_map<std::string, Form> forms_;
    std::unordered_map<std::string, std::vector<Decode>> decoders_;
};
// What each file knows.
void addAsynchronous(InstructionTable& table);
void addAtomics(InstructionTable& table);
void addComparisons(InstructionTable& table);
void addControl(InstructionTable& table);
void addIntegers(InstructionTable& table);
void addMatrices(InstructionTable& table);
void addMemory(InstructionTable& table);
void addMoves(InstructionTable& table);
void addPacked(InstructionTable& table);
void addReals(InstructionTable& table);
void addSynchronization(InstructionTable& table);
void addTextures(InstructionTable& table);

}  // namespace warplens::ptx
