// Integer arithmetic, logic, shifts and bit fields (PTX ISA, "Integer Arithmetic Instructions",
// "Logic and Shift Instructions").
#include <algorithm>
#include <bit>
#include <limits>
#include <span>

#include "kernels/ptx/run/access.h"
#include "kernels/ptx/steps/decoder.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

using u16 = std::uint16_t;
using s16 = std::int16_t;
using u32 = std::uint32_t;
using s32 = std::int32_t;
using u64 = std::uint64_t;
using s64 = std::int64_t;
__extension__ using u128 = unsigned __int128;
__extension__ using s128 = __int128;

template <class T>
using Unsigned = std::make_unsigned_t<T>;
/// Wide enough that nothing overflows while a 16-bit product is worked out.
template <class T>
using Working = std::conditional_t<sizeof(T) < 4, u32, Unsigned<T>>;
template <class T>
using Doubled = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, s32, u32>,
    std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, s64, u64>,
                       std::conditional_t<std::is_signed_v<T>, s128, u128>>>;

struct Add final {
    template <class T>
    static T of(T a, T b) {
        return T(Working<T>(a) + Working<T>(b));
    }
};
struct Subtract final {
    template <class T>
    static T of(T a, T b) {
        return T(Working<T>(a) - Working<T>(b));
    }
};
struct Multiply final {
    template <class T>
    static T of(T a, T b) {
        return T(Working<T>(a) * Working<T>(b));
    }
};
struct MultiplyHigh final {
    template <class T>
    static T of(T a, T b) {
        return T(Doubled<T>(a) * Doubled<T>(b) >> (8 * sizeof(T)));
    }
};
struct MultiplyWide final {
    template <class T>
    static Doubled<T> of(T a, T b) {
        return Doubled<T>(a) * Doubled<T>(b);
    }
};
struct MultiplyAdd final {
    template <class T>
    static T of(T a, T b, T c) {
        return T(Working<T>(a) * Working<T>(b) + Working<T>(c));
    }
};
struct MultiplyHighAdd final {
    template <class T>
    static T of(T a, T b, T c) {
        return Add::of(MultiplyHigh::of(a, b), c);
    }
};
struct MultiplyWideAdd final {
    template <class T>
    static Doubled<T> of(T a, T b, Doubled<T> c) {
        return Add::of(MultiplyWide::of(a, b), c);
    }
};
struct Multiply24 final {
    static u32 of(u32 a, u32 b) { return (a & 0xffffff) * (b & 0xffffff); }
    static s32 of(s32 a, s32 b) {
        return s32(u32(s32(u32(a) << 8) >> 8) * u32(s32(u32(b) << 8) >> 8));
    }
};
struct Multiply24Add final {
    template <class T>
    static T of(T a, T b, T c) {
        return Add::of(Multiply24::of(a, b), c);
    }
};
// What dividing by zero gives is not defined; devices give all ones.
struct Divide final {
    template <class T>
    static T of(T a, T b) {
        if (b == 0) return T(-1);
        if (std::is_signed_v<T> && b == T(-1)) return T(0 - Working<T>(a));
        return T(a / b);
    }
};
struct Remainder final {
    template <class T>
    static T of(T a, T b) {
        if (b == 0) return a;
        if (std::is_signed_v<T> && b == T(-1)) return 0;
        return T(a % b);
    }
};
struct Absolute final {
    template <class T>
    static T of(T a) {
        return a < 0 ? T(0 - Working<T>(a)) : a;
    }
};
struct Negate final {
    template <class T>
    static T of(T a) {
        return T(0 - Working<T>(a));
    }
};
struct Minimum final {
    template <class T>
    static T of(T a, T b) {
        return a < b ? a : b;
    }
};
struct Maximum final {
    template <class T>
    static T of(T a, T b) {
        return a > b ? a : b;
    }
};
struct SumOfDifference final {
    template <class T>
    static T of(T a, T b, T c) {
        return T((a < b ? Working<T>(b) - Working<T>(a) : Working<T>(a) - Working<T>(b)) +
                 Working<T>(c));
    }
};
struct SaturatingAdd final {
    static s32 of(s32 a, s32 b) { return s32(std::clamp<s64>(s64(a) + b, INT32_MIN, INT32_MAX)); }
};
struct SaturatingSubtract final {
    static s32 of(s32 a, s32 b) { return s32(std::clamp<s64>(s64(a) - b, INT32_MIN, INT32_MAX)); }
};
struct And final {
    template <class T>
    static T of(T a, T b) {
        return T(a & b);
    }
};
struct Or final {
    template <class T>
    static T of(T a, T b) {
        return T(a | b);
    }
};
struct Xor final {
    template <class T>
    static T of(T a, T b) {
        return T(a ^ b);
    }
};
struct Not final {
    template <class T>
    static T of(T a) {
        return T(~a);
    }
};
struct LogicalNot final {
    template <class T>
    static T of(T a) {
        return T(a == 0);
    }
};
struct ShiftLeft final {
    template <class T>
    static T of(T a, u32 by) {
        return by >= 8 * sizeof(T) ? T(0) : T(Working<T>(a) << by);
    }
};
struct ShiftRight final {
    template <class T>
    static T of(T a, u32 by) {
        constexpr u32 bits = 8 * sizeof(T);
        if (by >= bits) return std::is_signed_v<T> && a < 0 ? T(-1) : T(0);
        return T(a >> by);
    }
};
template <bool left, bool wrap>
struct FunnelShift final {
    static u32 of(u32 low, u32 high, u32 by) {
        const u32 shift = wrap ? by & 31u : std::min(by, 32u);
        const u64 both = u64(high) << 32 | low;
        return left ? u32(both << shift >> 32) : u32(both >> shift);
    }
};
template <>
struct FunnelShift<true, false> final {
    static u32 of(u32 low, u32 high, u32 by) {
        return by >= 32 ? low : u32((u64(high) << 32 | low) << by >> 32);
    }
};
struct ExtractBits final {
    template <class T>
    static T of(T a, u32 position, u32 length) {
        constexpr u32 bits = 8 * sizeof(T);
        position &= 0xff;
        length &= 0xff;
        if (length == 0) return 0;
        const u32 top = std::min(position + length - 1, bits - 1);
        const bool negative = std::is_signed_v<T> && (Unsigned<T>(a) >> top & 1) != 0;
        const Unsigned<T> fill = negative ? Unsigned<T>(~Unsigned<T>(0)) : Unsigned<T>(0);
        Unsigned<T> field = position >= bits ? fill : Unsigned<T>(Unsigned<T>(a) >> position);
        const u32 available = position >= bits ? 0 : bits - position;
        const u32 kept = std::min(length, available);
        const Unsigned<T> mask =
            kept >= bits ? Unsigned<T>(~Unsigned<T>(0)) : Unsigned<T>((Unsigned<T>(1) << kept) - 1);
        field = Unsigned<T>((field & mask) | (fill & ~mask));
        return T(field);
    }
};
struct CountBits final {
    template <class T>
    static u32 of(T a) {
        return u32(std::popcount(a));
    }
};
struct LeadingZeros final {
    template <class T>
    static u32 of(T a) {
        return u32(std::countl_zero(a));
    }
};
struct ReverseBits final {
    static u32 of(u32 a) {
        a = (a & 0x55555555u) << 1 | (a >> 1 & 0x55555555u);
        a = (a & 0x33333333u) << 2 | (a >> 2 & 0x33333333u);
        a = (a & 0x0f0f0f0fu) << 4 | (a >> 4 & 0x0f0f0f0fu);
        return a << 24 | (a & 0xff00u) << 8 | (a >> 8 & 0xff00u) | a >> 24;
    }
    static u64 of(u64 a) { return u64(of(u32(a))) << 32 | of(u32(a >> 32)); }
};
template <bool asShift>
struct FindLeadingBit final {
    template <class T>
    static u32 of(T a) {
        const Unsigned<T> bits = a < 0 ? Unsigned<T>(~a) : Unsigned<T>(a);
        if (bits == 0) return ~0u;
        const u32 zeros = u32(std::countl_zero(bits));
        return asShift ? zeros : u32(8 * sizeof(T) - 1) - zeros;
    }
};
struct PermuteBytes final {
    static u32 of(u32 a, u32 b, u32 selector) {
        const u64 both = u64(b) << 32 | a;
        u32 result = 0;
        for (u32 byte = 0; byte < 4; ++byte) {
            const u32 which = selector >> (4 * byte);
            u32 value = u32(both >> (8 * (which & 7u))) & 0xffu;
            if ((which & 8u) != 0) value = (value & 0x80u) != 0 ? 0xffu : 0u;
            result |= value << (8 * byte);
        }
        return result;
    }
};
template <class A, class B>
struct DotProduct4 final {
    static u32 of(u32 a, u32 b, u32 c) {
        for (u32 shift = 0; shift < 32; shift += 8)
            c += u32(s32(A(a >> shift)) * s32(B(b >> shift)));
        return c;
    }
};
template <class A, class B, bool high>
struct DotProduct2 final {
    static u32 of(u32 a, u32 b, u32 c) {
        for (u32 part = 0; part < 2; ++part) {
            c += u32(s32(A(a >> (16 * part))) * s32(B(b >> (8 * part + (high ? 16 : 0)))));
        }
        return c;
    }
};
template <bool wrap>
struct BitMask final {
    static u32 of(u32 position, u32 length) {
        position = wrap ? position & 31u : std::min(position, 32u);
        length = wrap ? length & 31u : std::min(length, 32u);
        const u64 mask = ((u64(1) << length) - 1) << position;
        return u32(mask);
    }
};

template <class T>
const Step* insertBits(Warp& warp, const Step* step) {
    const T* field = warp.value<T>(step->a);
    const T* into = warp.value<T>(step->b);
    const u32* position = warp.value<u32>(step->c);
    const u32* length = warp.value<u32>(step->extra[0]);
    alignas(64) T result[lanesPerWarp];
    constexpr u32 bits = 8 * sizeof(T);
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
        const u32 at = position[lane] & 0xff;
        const u32 count = length[lane] & 0xff;
        T mask = count >= bits ? T(~T(0)) : T((T(1) << count) - 1);
        mask = at >= bits ? T(0) : T(mask << at);
        const T shifted = at >= bits ? T(0) : T(field[lane] << at);
        result[lane] = (shifted & mask) | (into[lane] & ~mask);
    }
    store(warp, step->d, result);
    WARPLENS_GO(warp, step + 1);
}

const Step* logic3(Warp& warp, const Step* step) {
    const u32* a = warp.value<u32>(step->a);
    const u32* b = warp.value<u32>(step->b);
    const u32* c = warp.value<u32>(step->c);
    const u32 table = step->mode;
    alignas(64) u32 result[lanesPerWarp] = {};
    for (u32 row = 0; row < 8; ++row) {
        if ((table >> row & 1u) == 0) continue;
        const u32 na = (row & 4u) != 0 ? 0 : ~0u;
        const u32 nb = (row & 2u) != 0 ? 0 : ~0u;
        const u32 nc = (row & 1u) != 0 ? 0 : ~0u;
        for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
            result[lane] |= (a[lane] ^ na) & (b[lane] ^ nb) & (c[lane] ^ nc);
        }
    }
    store(warp, step->d, result);
    WARPLENS_GO(warp, step + 1);
}

/// `add.cc`, `subc`, `mad.hi.cc`, ...: mode 0 add, 1 subtract, 2 multiply low, 3 multiply high,
/// then add; option 1 takes the carry in, 2 leaves one, 4 multiplies signed.
template <class T>
const Step* withCarry(Warp& warp, const Step* step) {
    const T* a = warp.value<T>(step->a);
    const T* b = warp.value<T>(step->b);
    const T* c = warp.value<T>(step->c);
    alignas(64) T result[lanesPerWarp];
    u32 carries = 0;
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
        const bool in = (step->option & 1u) != 0 && (warp.carries >> lane & 1u) != 0;
        T x = a[lane];
        T y = b[lane];
        if (step->mode == 2) x = T(x * y);
        if (step->mode == 3 && (step->option & 4u) == 0) x = MultiplyHigh::of(x, y);
        if (step->mode == 3 && (step->option & 4u) != 0) {
            x = T(MultiplyHigh::of(std::make_signed_t<T>(x), std::make_signed_t<T>(y)));
        }
        if (step->mode >= 2) y = c[lane];
        T sum = step->mode == 1 ? T(x - y) : T(x + y);
        bool out = step->mode == 1 ? x < y : sum < x;
        const T whole = step->mode == 1 ? T(sum - in) : T(sum + in);
        out |= step->mode == 1 ? sum < T(in) : whole < sum;
        result[lane] = whole;
        carries |= u32(out) << lane;
    }
    store(warp, step->d, result);
    if ((step->option & 2u) != 0)
        warp.carries = (warp.carries & ~warp.active) | (carries & warp.active);
    WARPLENS_GO(warp, step + 1);
}

template <class Op, class... Rest>
Handler ofWidth(Type type) {
    switch (bytesOf(type)) {
        case 2:
            return apply<Op, u16, u16, Rest...>;
        case 4:
            return apply<Op, u32, u32, Rest...>;
        case 8:
            return apply<Op, u64, u64, Rest...>;
        default:
            return nullptr;
    }
}
/// Two operands, whatever their sign.
template <class Op>
Handler twoOf(Type type) {
    switch (bytesOf(type)) {
        case 2:
            return apply<Op, u16, u16, u16>;
        case 4:
            return apply<Op, u32, u32, u32>;
        case 8:
            return apply<Op, u64, u64, u64>;
        default:
            return nullptr;
    }
}
template <class Op>
Handler signedTwoOf(Type type) {
    switch (type) {
        case Type::s16:
            return apply<Op, s16, s16, s16>;
        case Type::s32:
            return apply<Op, s32, s32, s32>;
        case Type::s64:
            return apply<Op, s64, s64, s64>;
        default:
            return twoOf<Op>(type);
    }
}
template <class Op>
Handler threeOf(Type type) {
    switch (type) {
        case Type::s16:
            return apply<Op, s16, s16, s16, s16>;
        case Type::s32:
            return apply<Op, s32, s32, s32, s32>;
        case Type::s64:
            return apply<Op, s64, s64, s64, s64>;
        default:
            break;
    }
    switch (bytesOf(type)) {
        case 2:
            return apply<Op, u16, u16, u16, u16>;
        case 4:
            return apply<Op, u32, u32, u32, u32>;
        case 8:
            return apply<Op, u64, u64, u64, u64>;
        default:
            return nullptr;
    }
}

bool carry(Decoder& decoder, const Instruction& instruction, u32 mode, u32 option) {
    const Type type = instruction.type();
    const Handler run = bytesOf(type) == 8 ? withCarry<u64> : withCarry<u32>;
    const bool done = mode < 2 ? decoder.emitApply(run, instruction, {type, type})
                               : decoder.emitApply(run, instruction, {type, type, type});
    if (!done) return false;
    Step& step = decoder.last();
    if (mode < 2) step.c = step.a;
    step.mode = mode;
    step.option = option | (instruction.has("cc") ? 2u : 0u) | (isSigned(type) ? 4u : 0u);
    return true;
}

bool addOrSubtract(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    const bool add = instruction.words[0] == "add";
    if (isFloat(type)) return false;
    if (instruction.has("cc")) return carry(decoder, instruction, add ? 0 : 1, 0);
    if (instruction.has("sat")) {
        return decoder.emitApply(
            add ? apply<SaturatingAdd, s32, s32, s32> : apply<SaturatingSubtract, s32, s32, s32>,
            instruction, {type, type});
    }
    return decoder.emitApply(add ? twoOf<Add>(type) : twoOf<Subtract>(type), instruction,
                             {type, type});
}
bool carried(Decoder& decoder, const Instruction& instruction) {
    return carry(decoder, instruction, instruction.words[0] == "addc" ? 0 : 1, 1);
}
bool multiply(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    if (isFloat(type)) return false;
    Handler run = nullptr;
    if (instruction.has("wide")) {
        run = type == Type::u16   ? apply<MultiplyWide, u32, u16, u16>
              : type == Type::s16 ? apply<MultiplyWide, s32, s16, s16>
              : isSigned(type)    ? apply<MultiplyWide, s64, s32, s32>
                                  : apply<MultiplyWide, u64, u32, u32>;
    } else if (instruction.has("hi")) {
        run = signedTwoOf<MultiplyHigh>(type);
    } else {
        run = twoOf<Multiply>(type);
    }
    return decoder.emitApply(run, instruction, {type, type});
}
bool multiplyAdd(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    if (isFloat(type)) return false;
    if (instruction.words[0] == "madc" || instruction.has("cc")) {
        return carry(decoder, instruction, instruction.has("hi") ? 3 : 2,
                     instruction.words[0] == "madc" ? 1 : 0);
    }
    if (instruction.has("wide")) {
        const Type wide = bytesOf(type) == 2 ? Type::b32 : Type::b64;
        const Handler run = type == Type::u16   ? apply<MultiplyWideAdd, u32, u16, u16, u32>
                            : type == Type::s16 ? apply<MultiplyWideAdd, s32, s16, s16, s32>
                            : isSigned(type)    ? apply<MultiplyWideAdd, s64, s32, s32, s64>
                                                : apply<MultiplyWideAdd, u64, u32, u32, u64>;
        return decoder.emitApply(run, instruction, {type, type, wide});
    }
    const Handler run =
        instruction.has("hi") ? threeOf<MultiplyHighAdd>(type) : threeOf<MultiplyAdd>(type);
    return decoder.emitApply(run, instruction, {type, type, type});
}
bool multiply24(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    if (instruction.has("hi")) return decoder.fail("");
    if (instruction.words[0] == "mul24") {
        return decoder.emitApply(
            isSigned(type) ? apply<Multiply24, s32, s32, s32> : apply<Multiply24, u32, u32, u32>,
            instruction, {type, type});
    }
    return decoder.emitApply(isSigned(type) ? apply<Multiply24Add, s32, s32, s32, s32>
                                            : apply<Multiply24Add, u32, u32, u32, u32>,
                             instruction, {type, type, type});
}
/// Dividing by zero is told; then it is done as devices do.
template <class Op, class T>
const Step* divide(Warp& warp, const Step* step) {
    const Stored<T>* by = warp.value<Stored<T>>(step->b);
    u32 zero = 0;
    for (u32 lane = 0; lane < lanesPerWarp; ++lane)
        zero |= loaded<T>(by[lane]) == 0 ? laneBits[lane] : 0;
    if ((zero & warp.active) != 0) {
        report(warp, step, FindingKind::divisionByZero, u32(std::countr_zero(zero & warp.active)),
               [] {
                   return std::string(
                       "a whole number is divided by zero: on a GPU the result is undefined");
               });
    }
    return apply<Op, T, T, T>(warp, step);
}
template <class Op>
Handler divideOf(Type type) {
    switch (type) {
        case Type::s16:
            return divide<Op, s16>;
        case Type::s32:
            return divide<Op, s32>;
        case Type::s64:
            return divide<Op, s64>;
        case Type::u16:
            return divide<Op, u16>;
        case Type::u32:
            return divide<Op, u32>;
        case Type::u64:
            return divide<Op, u64>;
        default:
            return nullptr;
    }
}
template <class Op>
bool division(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    return !isFloat(type) && instruction.words.size() == 2 &&
           decoder.emitApply(divideOf<Op>(type), instruction, {type, type});
}
template <class Op>
bool signedTwo(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    return !isFloat(type) && bytesOf(type) > 0 && instruction.words.size() == 2 &&
           decoder.emitApply(signedTwoOf<Op>(type), instruction, {type, type});
}
bool difference(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    return decoder.emitApply(threeOf<SumOfDifference>(type), instruction, {type, type, type});
}
bool absolute(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    if (isFloat(type)) return false;
    return decoder.emitApply(type == Type::s16   ? apply<Absolute, s16, s16>
                             : type == Type::s64 ? apply<Absolute, s64, s64>
                                                 : apply<Absolute, s32, s32>,
                             instruction, {type});
}
bool negate(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    return !isFloat(type) && decoder.emitApply(ofWidth<Negate>(type), instruction, {type});
}
template <class Op>
bool bitwise(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    return type != Type::pred && decoder.emitApply(twoOf<Op>(type), instruction, {type, type});
}
bool complement(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    if (type == Type::pred) return false;
    return decoder.emitApply(
        instruction.words[0] == "not" ? ofWidth<Not>(type) : ofWidth<LogicalNot>(type), instruction,
        {type});
}
bool shift(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    Handler run = instruction.words[0] == "shl" ? ofWidth<ShiftLeft, u32>(type)
                                                : ofWidth<ShiftRight, u32>(type);
    if (instruction.words[0] == "shr" && isSigned(type)) {
        run = type == Type::s16   ? apply<ShiftRight, s16, s16, u32>
              : type == Type::s32 ? apply<ShiftRight, s32, s32, u32>
                                  : apply<ShiftRight, s64, s64, u32>;
    }
    return decoder.emitApply(run, instruction, {type, Type::u32});
}
bool funnelShift(Decoder& decoder, const Instruction& instruction) {
    const bool wrap = instruction.has("wrap");
    const Handler run = instruction.has("l")
                            ? (wrap ? apply<FunnelShift<true, true>, u32, u32, u32, u32>
                                    : apply<FunnelShift<true, false>, u32, u32, u32, u32>)
                            : (wrap ? apply<FunnelShift<false, true>, u32, u32, u32, u32>
                                    : apply<FunnelShift<false, false>, u32, u32, u32, u32>);
    return decoder.emitApply(run, instruction, {Type::b32, Type::b32, Type::b32});
}
bool extractBits(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    const Handler run = type == Type::u32   ? apply<ExtractBits, u32, u32, u32, u32>
                        : type == Type::s32 ? apply<ExtractBits, s32, s32, u32, u32>
                        : type == Type::u64 ? apply<ExtractBits, u64, u64, u32, u32>
                                            : apply<ExtractBits, s64, s64, u32, u32>;
    return decoder.emitApply(run, instruction, {type, Type::u32, Type::u32});
}
bool insert(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    if (instruction.operands.size() != 5) return decoder.fail("");
    const Slot length = decoder.source(instruction.operands[4], Type::u32);
    if (!decoder.emitApply(bytesOf(type) == 8 ? insertBits<u64> : insertBits<u32>, instruction,
                           {type, type, Type::u32})) {
        return false;
    }
    decoder.last().extra[0] = length;
    return true;
}
bool countedBits(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    const bool wide = bytesOf(type) == 8;
    const std::string_view name = instruction.words[0];
    Handler run = nullptr;
    if (name == "popc") run = wide ? apply<CountBits, u32, u64> : apply<CountBits, u32, u32>;
    if (name == "clz") run = wide ? apply<LeadingZeros, u32, u64> : apply<LeadingZeros, u32, u32>;
    if (name == "brev") run = wide ? apply<ReverseBits, u64, u64> : apply<ReverseBits, u32, u32>;
    if (name == "bfind" && instruction.has("shiftamt")) {
        run = type == Type::s32   ? apply<FindLeadingBit<true>, u32, s32>
              : type == Type::s64 ? apply<FindLeadingBit<true>, u32, s64>
              : wide              ? apply<FindLeadingBit<true>, u32, u64>
                                  : apply<FindLeadingBit<true>, u32, u32>;
    } else if (name == "bfind") {
        run = type == Type::s32   ? apply<FindLeadingBit<false>, u32, s32>
              : type == Type::s64 ? apply<FindLeadingBit<false>, u32, s64>
              : wide              ? apply<FindLeadingBit<false>, u32, u64>
                                  : apply<FindLeadingBit<false>, u32, u32>;
    }
    return decoder.emitApply(run, instruction, {type});
}
bool permute(Decoder& decoder, const Instruction& instruction) {
    if (instruction.words.size() != 2) return decoder.fail("");  // .f4e and the like
    return decoder.emitApply(apply<PermuteBytes, u32, u32, u32, u32>, instruction,
                             {Type::b32, Type::b32, Type::b32});
}
bool logicOfThree(Decoder& decoder, const Instruction& instruction) {
    if (instruction.words.size() != 2 || instruction.operands.size() != 5) return decoder.fail("");
    if (!decoder.emitApply(logic3, instruction, {Type::b32, Type::b32, Type::b32})) return false;
    decoder.last().mode = u32(instruction.operands[4].bits);
    return true;
}
bool dotProduct(Decoder& decoder, const Instruction& instruction) {
    using s8 = std::int8_t;
    using u8 = std::uint8_t;
    const bool a = isSigned(instruction.type(1));
    const bool b = isSigned(instruction.type());
    Handler run = nullptr;
    if (instruction.words[0] == "dp4a") {
        run = a ? (b ? apply<DotProduct4<s8, s8>, u32, u32, u32, u32>
                     : apply<DotProduct4<s8, u8>, u32, u32, u32, u32>)
                : (b ? apply<DotProduct4<u8, s8>, u32, u32, u32, u32>
                     : apply<DotProduct4<u8, u8>, u32, u32, u32, u32>);
    } else if (instruction.has("hi")) {
        run = a ? (b ? apply<DotProduct2<s16, s8, true>, u32, u32, u32, u32>
                     : apply<DotProduct2<s16, u8, true>, u32, u32, u32, u32>)
                : (b ? apply<DotProduct2<u16, s8, true>, u32, u32, u32, u32>
                     : apply<DotProduct2<u16, u8, true>, u32, u32, u32, u32>);
    } else {
        run = a ? (b ? apply<DotProduct2<s16, s8, false>, u32, u32, u32, u32>
                     : apply<DotProduct2<s16, u8, false>, u32, u32, u32, u32>)
                : (b ? apply<DotProduct2<u16, s8, false>, u32, u32, u32, u32>
                     : apply<DotProduct2<u16, u8, false>, u32, u32, u32, u32>);
    }
    return decoder.emitApply(run, instruction, {Type::b32, Type::b32, Type::b32});
}
bool bitMask(Decoder& decoder, const Instruction& instruction) {
    return decoder.emitApply(instruction.has("wrap") ? apply<BitMask<true>, u32, u32, u32>
                                                     : apply<BitMask<false>, u32, u32, u32>,
                             instruction, {Type::b32, Type::b32});
}

constexpr Opcode opcodes[] = {
    {"add", addOrSubtract},
    {"sub", addOrSubtract},
    {"addc", carried},
    {"subc", carried},
    {"mul", multiply},
    {"mad", multiplyAdd},
    {"madc", multiplyAdd},
    {"mul24", multiply24},
    {"mad24", multiply24},
    {"div", division<Divide>},
    {"rem", division<Remainder>},
    {"min", signedTwo<Minimum>},
    {"max", signedTwo<Maximum>},
    {"sad", difference},
    {"abs", absolute},
    {"neg", negate},
    {"and", bitwise<And>},
    {"or", bitwise<Or>},
    {"xor", bitwise<Xor>},
    {"not", complement},
    {"cnot", complement},
    {"shl", shift},
    {"shr", shift},
    {"shf", funnelShift},
    {"bfe", extractBits},
    {"bfi", insert},
    {"popc", countedBits},
    {"clz", countedBits},
    {"brev", countedBits},
    {"bfind", countedBits},
    {"prmt", permute},
    {"lop3", logicOfThree},
    {"dp4a", dotProduct},
    {"dp2a", dotProduct},
    {"bmsk", bitMask},
};

}  // namespace

std::span<const Opcode> integerOpcodes() {
    return opcodes;
}

}  // namespace warplens::ptx
