// Integer arithmetic, logic, shifts and bit fields (PTX ISA, "Integer Arithmetic Instructions",
// "Logic and Shift Instructions").
#include <algorithm>
#include <bit>

#include "kernels/ptx/run/access.h"
#include "kernels/ptx/steps/decoder.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

__extension__ using u128 = unsigned __int128;
__extension__ using s128 = __int128;

template <class T>
using ToUnsigned = std::make_unsigned_t<T>;
/// Wide enough that nothing overflows while a 16-bit product is worked out.
template <class T>
using Working = std::conditional_t<sizeof(T) < 4, u32, ToUnsigned<T>>;
template <class T>
using Doubled = std::conditional_t<
    sizeof(T) == 2, std::conditional_t<std::is_signed_v<T>, s32, u32>,
    std::conditional_t<sizeof(T) == 4, std::conditional_t<std::is_signed_v<T>, s64, u64>,
                       std::conditional_t<std::is_signed_v<T>, s128, u128>>>;

constexpr auto add = []<class T>(T a, T b) { return T(Working<T>(a) + Working<T>(b)); };
constexpr auto subtract = []<class T>(T a, T b) { return T(Working<T>(a) - Working<T>(b)); };
constexpr auto multiply = []<class T>(T a, T b) { return T(Working<T>(a) * Working<T>(b)); };
constexpr auto multiplyWide = []<class T>(T a, T b) { return Doubled<T>(Doubled<T>(a) * b); };
constexpr auto multiplyHigh = []<class T>(T a, T b) {
    return T(multiplyWide(a, b) >> (8 * sizeof(T)));
};
constexpr auto multiply24 = []<class T>(T a, T b) {
    return multiply(T(T(Working<T>(a) << 8) >> 8), T(T(Working<T>(b) << 8) >> 8));
};
/// Of a product, then its sum with c.
template <auto product>
constexpr auto thenAdd = []<class T, class C>(T a, T b, C c) { return add(C(product(a, b)), c); };
// What dividing by zero gives is not defined; devices give all ones.
constexpr auto quotient = []<class T>(T a, T b) {
    if (b == 0) return T(-1);
    if (std::is_signed_v<T> && b == T(-1)) return T(0 - Working<T>(a));
    return T(a / b);
};
constexpr auto remainder = []<class T>(T a, T b) {
    if (b == 0) return a;
    if (std::is_signed_v<T> && b == T(-1)) return T(0);
    return T(a % b);
};
constexpr auto negated = []<class T>(T a) { return T(0 - Working<T>(a)); };
constexpr auto magnitude = []<class T>(T a) { return a < 0 ? negated(a) : a; };
constexpr auto minimum = []<class T>(T a, T b) { return a < b ? a : b; };
constexpr auto maximum = []<class T>(T a, T b) { return a > b ? a : b; };
constexpr auto sumOfDifference = []<class T>(T a, T b, T c) {
    return add(a < b ? subtract(b, a) : subtract(a, b), c);
};
s32 saturated(s64 value) {
    return s32(std::clamp<s64>(value, INT32_MIN, INT32_MAX));
}
constexpr auto saturatingAdd = [](s32 a, s32 b) { return saturated(s64(a) + b); };
constexpr auto saturatingSubtract = [](s32 a, s32 b) { return saturated(s64(a) - b); };
constexpr auto bitAnd = []<class T>(T a, T b) { return T(a & b); };
constexpr auto bitOr = []<class T>(T a, T b) { return T(a | b); };
constexpr auto bitXor = []<class T>(T a, T b) { return T(a ^ b); };
constexpr auto complement = []<class T>(T a) { return T(~a); };
constexpr auto isZero = []<class T>(T a) { return T(a == 0); };
constexpr auto shiftLeft = []<class T>(T a, u32 by) {
    return by >= 8 * sizeof(T) ? T(0) : T(Working<T>(a) << by);
};
constexpr auto shiftRight = []<class T>(T a, u32 by) {
    if (by >= 8 * sizeof(T)) return std::is_signed_v<T> && a < 0 ? T(-1) : T(0);
    return T(a >> by);
};
template <bool wraps>
constexpr auto funnelLeft = [](u32 low, u32 high, u32 by) {
    if (!wraps && by >= 32) return low;
    return u32((u64(high) << 32 | low) << (by & 31u) >> 32);
};
template <bool wraps>
constexpr auto funnelRight = [](u32 low, u32 high, u32 by) {
    return u32((u64(high) << 32 | low) >> (wraps ? by & 31u : std::min(by, 32u)));
};
constexpr auto extractBits = []<class T>(T a, u32 position, u32 length) {
    using U = ToUnsigned<T>;
    constexpr u32 bits = 8 * sizeof(T);
    position &= 0xff;
    length &= 0xff;
    if (length == 0) return T(0);
    const u32 top = std::min(position + length - 1, bits - 1);
    const bool negative = std::is_signed_v<T> && (U(a) >> top & 1) != 0;
    const U fill = negative ? U(~U(0)) : U(0);
    const U field = position >= bits ? fill : U(U(a) >> position);
    const u32 kept = std::min(length, position >= bits ? 0 : bits - position);
    const U mask = kept >= bits ? U(~U(0)) : U((U(1) << kept) - 1);
    return T((field & mask) | (fill & ~mask));
};
constexpr auto insertBits = []<class T>(T field, T into, u32 position, u32 length) {
    const T ones = complement(shiftLeft(T(~T(0)), length & 0xff));
    const T mask = shiftLeft(ones, position & 0xff);
    return T((shiftLeft(field, position & 0xff) & mask) | (into & ~mask));
};
constexpr auto countBits = [](auto a) { return u32(std::popcount(a)); };
constexpr auto leadingZeros = [](auto a) { return u32(std::countl_zero(a)); };
u32 reversed(u32 a) {
    a = (a & 0x55555555u) << 1 | (a >> 1 & 0x55555555u);
    a = (a & 0x33333333u) << 2 | (a >> 2 & 0x33333333u);
    a = (a & 0x0f0f0f0fu) << 4 | (a >> 4 & 0x0f0f0f0fu);
    return a << 24 | (a & 0xff00u) << 8 | (a >> 8 & 0xff00u) | a >> 24;
}
constexpr auto reverseBits = []<class T>(T a) {
    return sizeof(T) == 4 ? T(reversed(u32(a)))
                          : T(u64(reversed(u32(a))) << 32 | reversed(u64(a) >> 32));
};
template <bool asShift>
constexpr auto findLeadingBit = []<class T>(T a) {
    const auto bits = ToUnsigned<T>(a < 0 ? ~a : a);
    if (bits == 0) return ~0u;
    return asShift ? leadingZeros(bits) : u32(8 * sizeof(T) - 1) - leadingZeros(bits);
};
/// The place of the bit that is the offset-th of those set from `base` on, downwards where
/// negative.
constexpr auto placeOfBit = [](u32 mask, u32 base, s32 offset) {
    u32 left = std::max(1u, offset < 0 ? 0u - u32(offset) : u32(offset));
    const u32 end = offset == 0 ? base + 1 : lanesPerWarp;
    for (u32 at = base; at < lanesPerWarp && at != end; at += offset < 0 ? ~0u : 1u) {
        if ((mask >> at & 1u) != 0 && --left == 0) return at;
    }
    return ~0u;
};
constexpr auto permuteBytes = [](u32 a, u32 b, u32 selector) {
    const u64 both = u64(b) << 32 | a;
    u32 result = 0;
    for (u32 byte = 0; byte < 4; ++byte) {
        const u32 which = selector >> (4 * byte);
        u32 value = u32(both >> (8 * (which & 7u))) & 0xffu;
        if ((which & 8u) != 0) value = (value & 0x80u) != 0 ? 0xffu : 0u;
        result |= value << (8 * byte);
    }
    return result;
};
/// Bit by bit: the row of the table that the bits of a, b and c make.
constexpr auto logicOfThree = [](u32 a, u32 b, u32 c, u32 table) {
    const auto rows = [&](u32 row) { return (0 - (table >> row & 1u)); };
    const auto choose = [](u32 by, u32 one, u32 zero) { return (by & one) | (~by & zero); };
    const auto ofB = [&](u32 row) {
        return choose(b, choose(c, rows(row + 3), rows(row + 2)),
                      choose(c, rows(row + 1), rows(row)));
    };
    return choose(a, ofB(4), ofB(0));
};
/// `parts` products of A's and B's that lie side by side in words; B's begin at bit `from`.
template <class A, class B, u32 parts, u32 from>
constexpr auto dotProduct = [](u32 a, u32 b, u32 c) {
    for (u32 part = 0; part < parts; ++part)
        c += u32(s32(A(a >> (32 / parts * part))) * s32(B(b >> (8 * part + from))));
    return c;
};
template <bool wraps>
constexpr auto bitMask = [](u32 position, u32 length) {
    position = wraps ? position & 31u : std::min(position, 32u);
    length = wraps ? length & 31u : std::min(length, 32u);
    return u32(((u64(1) << length) - 1) << position);
};

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
        if (step->mode == 3 && (step->option & 4u) == 0) x = multiplyHigh(x, y);
        if (step->mode == 3 && (step->option & 4u) != 0) {
            x = T(multiplyHigh(std::make_signed_t<T>(x), std::make_signed_t<T>(y)));
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

/// All lanes divided by `by`, not zero: by a product with 2^64 / by, rounded up, of which the upper
/// half is exact for 32 bits (Lemire, Kaser and Kurz, "Faster remainder by direct computation").
template <class T, bool isRemainder>
WARPLENS_CLONES const Step* divideAll(Warp& warp, const Step* step) {
    const T* from = warp.value<T>(step->a);
    const T by = *warp.value<T>(step->b);
    const u32 divisor = by < 0 ? 0 - u32(by) : u32(by);
    const u64 inverse = ~u64(0) / divisor + 1;
    const u64 high = inverse >> 32;
    const u64 low = inverse & 0xffffffffu;
    forLanes<T>(
        warp, step->d, [=](u32 lane) __attribute__((always_inline)) {
            const T value = from[lane];
            const u32 size = value < 0 ? 0 - u32(value) : u32(value);
            const u32 whole = divisor == 1 ? size : u32((high * size + (low * size >> 32)) >> 32);
            const u32 result = isRemainder ? size - whole * divisor : whole;
            const bool isNegative = isRemainder ? value < 0 : (value < 0) != (by < 0);
            return T(isNegative ? 0 - result : result);
        });
    WARPLENS_GO(warp, step + 1);
}
/// Dividing by zero is told; then it is done as devices do.
template <bool isRemainder, class T>
const Step* divide(Warp& warp, const Step* step) {
    const Stored<T>* by = warp.value<Stored<T>>(step->b);
    const auto bank = static_cast<Bank>(step->b.bank);
    if constexpr (sizeof(T) == 4) {
        const bool isSame = bank != Bank::frame && bank != Bank::warp;
        if (isSame && *by != 0) return divideAll<T, isRemainder>(warp, step);
    }
    u32 zero = 0;
    for (u32 lane = 0; lane < lanesPerWarp; ++lane)
        zero |= loaded<T>(by[lane]) == 0 ? laneBits[lane] : 0;
    if ((zero & warp.active) != 0) {
        report(warp, step, FindingKind::divisionByZero, lowest(zero & warp.active),
               "a whole number is divided by zero: on a GPU the result is undefined");
    }
    return isRemainder ? apply<remainder, T, T>(warp, step) : apply<quotient, T, T>(warp, step);
}

bool carry(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    const std::string_view name = instruction.words[0];
    const u32 mode = name.starts_with("mad")   ? (instruction.has("hi") ? 3 : 2)
                     : name.starts_with("sub") ? 1
                                               : 0;
    const bool takes = name.ends_with("c");
    if (isFloat(type) || (!takes && !instruction.has("cc"))) return false;
    const Handler run = bytesOf(type) == 8 ? withCarry<u64> : withCarry<u32>;
    if (!decoder.emitApply({run, {type, type, mode < 2 ? Type::none : type}}, instruction))
        return false;
    Step& step = decoder.last();
    if (mode < 2) step.c = step.a;
    step.mode = mode;
    step.option =
        (takes ? 1u : 0u) | (instruction.has("cc") ? 2u : 0u) | (isSigned(type) ? 4u : 0u);
    return true;
}

template <class A, class B>
void addDotProducts(InstructionTable& table, const std::string& types) {
    table.add<dotProduct<A, B, 4, 0>, u32, u32, u32>("dp4a" + types);
    using A2 = std::conditional_t<std::is_signed_v<A>, s16, u16>;
    table.add<dotProduct<A2, B, 2, 0>, u32, u32, u32>("dp2a.lo" + types);
    table.add<dotProduct<A2, B, 2, 16>, u32, u32, u32>("dp2a.hi" + types);
}

}  // namespace

void addIntegers(InstructionTable& table) {
    table.decode({"add", "sub", "addc", "subc", "mad", "madc"}, carry);
    using Row = InstructionTable::Row;
    const Unsigned all;
    const Signed withSign;
    const Types<u32, u64> words;
    // Whatever the sign.
    table.each<add, 2>("add", "us", all);
    table.each<subtract, 2>("sub", "us", all);
    table.each<multiply, 2>("mul.lo", "us", all);
    table.each<thenAdd<multiply>, 3>("mad.lo", "us", all);
    table.each<negated, 1>("neg", "us", all);
    table.add<saturatingAdd, s32, s32>("add.sat.s32");
    table.add<saturatingSubtract, s32, s32>("sub.sat.s32");
    // Of each sign another one.
    const auto bySign = [&](std::string_view kind, auto types) {
        table.each<multiplyHigh, 2>("mul.hi", kind, types);
        table.each<thenAdd<multiplyHigh>, 3>("mad.hi", kind, types);
        table.each<minimum, 2>("min", kind, types);
        table.each<maximum, 2>("max", kind, types);
        table.each<sumOfDifference, 3>("sad", kind, types);
        table.each<shiftRight, 1, u32>("shr", kind, types);
        const auto ofBits = [&]<class T>(T) {
            const std::string name = '.' + std::string(kind) + std::to_string(8 * sizeof(T));
            table.set("div" + name, Row{divide<false, T>, {typeOf<T>(), typeOf<T>()}});
            table.set("rem" + name, Row{divide<true, T>, {typeOf<T>(), typeOf<T>()}});
            if constexpr (sizeof(T) < 8) {
                table.add<multiplyWide, T, T>("mul.wide" + name);
                table.add<thenAdd<multiplyWide>, T, T, Doubled<T>>("mad.wide" + name);
            }
            if constexpr (sizeof(T) > 2) {
                table.add<extractBits, T, u32, u32>("bfe" + name);
                table.add<findLeadingBit<false>, T>("bfind" + name);
                table.add<findLeadingBit<true>, T>("bfind.shiftamt" + name);
            }
            if constexpr (sizeof(T) == 4) {
                table.add<multiply24, T, T>("mul24.lo" + name);
                table.add<thenAdd<multiply24>, T, T, T>("mad24.lo" + name);
            }
        };
        [&]<class... T>(Types<T...>) { (ofBits(T{}), ...); }(types);
    };
    bySign("u", all);
    bySign("s", withSign);
    table.each<magnitude, 1>("abs", "s", withSign);
    // Bits.
    table.each<bitAnd, 2>("and", "b", all);
    table.each<bitOr, 2>("or", "b", all);
    table.each<bitXor, 2>("xor", "b", all);
    table.each<complement, 1>("not", "b", all);
    table.each<isZero, 1>("cnot", "b", all);
    table.each<shiftLeft, 1, u32>("shl", "b", all);
    table.each<shiftRight, 1, u32>("shr", "b", all);
    table.each<insertBits, 2, u32, u32>("bfi", "b", words);
    table.each<countBits, 1>("popc", "b", words);
    table.each<leadingZeros, 1>("clz", "b", words);
    table.each<reverseBits, 1>("brev", "b", words);
    table.add<funnelLeft<true>, u32, u32, u32>("shf.l.wrap.b32");
    table.add<funnelLeft<false>, u32, u32, u32>("shf.l.clamp.b32");
    table.add<funnelRight<true>, u32, u32, u32>("shf.r.wrap.b32");
    table.add<funnelRight<false>, u32, u32, u32>("shf.r.clamp.b32");
    table.add<bitMask<true>, u32, u32>("bmsk.wrap.b32");
    table.add<bitMask<false>, u32, u32>("bmsk.clamp.b32");
    table.add<placeOfBit, u32, u32, s32>("fns.b32");
    table.add<permuteBytes, u32, u32, u32>("prmt.b32");
    table.add<logicOfThree, u32, u32, u32, u32>("lop3.b32");
    addDotProducts<s8, s8>(table, ".s32.s32");
    addDotProducts<s8, u8>(table, ".s32.u32");
    addDotProducts<u8, s8>(table, ".u32.s32");
    addDotProducts<u8, u8>(table, ".u32.u32");
}

}  // namespace warplens::ptx
