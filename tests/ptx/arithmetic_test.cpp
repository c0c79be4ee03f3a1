// Integer instructions against what the PTX ISA says of them, worked out here by wider integers or
// bit by bit.
#include <bit>
#include <cstdint>
#include <gtest/gtest.h>
#include <limits>

#include "tests/ptx/machine.h"

namespace warplens::ptx::test {
namespace {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

/// Values at which arithmetic goes wrong, and some between.
template <class T>
std::vector<T> edges() {
    using L = std::numeric_limits<T>;
    return {T(0),
            T(1),
            T(2),
            T(3),
            T(7),
            T(-1),
            T(-2),
            T(-7),
            L::max(),
            L::min(),
            T(L::max() - 1),
            T(L::min() + 1),
            T(0x5a5a5a5a5a5a5a5aull),
            T(0x80),
            T(0x1234)};
}
template <class T>
std::string named() {
    return (std::is_signed_v<T> ? "s" : "u") + std::to_string(8 * sizeof(T));
}

/// All pairs of edges; `expected(a, b)`.
template <class D, class A, class B, class Expected>
void checkPairs(const std::string& instruction, Expected expected, const std::vector<A>& first,
                const std::vector<B>& second) {
    const auto [a, b] = cross(first, second);
    const auto results = evaluate<D>(instruction + " %d, %a, %b;", a, b);
    for (std::size_t row = 0; row < a.size(); ++row) {
        EXPECT_EQ(results[row], expected(a[row], b[row]))
            << instruction << " " << +a[row] << ", " << +b[row];
    }
}
template <class T, class Expected>
void checkTwo(const std::string& instruction, Expected expected) {
    checkPairs<T, T, T>(
        instruction, [&](T a, T b) { return T(expected(Wide(a), Wide(b))); }, edges<T>(),
        edges<T>());
}
template <class D, class A, class B, class C, class Expected>
void checkThree(const std::string& instruction, Expected expected, const std::vector<A>& first,
                const std::vector<B>& second, const std::vector<C>& third) {
    for (const C& c : third) {
        const auto [a, b] = cross(first, second);
        const auto results =
            evaluate<D>(instruction + " %d, %a, %b, %c;", a, b, std::vector<C>(a.size(), c));
        for (std::size_t row = 0; row < a.size(); ++row) {
            EXPECT_EQ(results[row], D(expected(a[row], b[row], c)))
                << instruction << " " << +a[row] << ", " << +b[row] << ", " << +c;
        }
    }
}
template <class D, class A, class Expected>
void checkOne(const std::string& instruction, Expected expected) {
    const std::vector<A> a = edges<A>();
    const auto results = evaluate<D>(instruction + " %d, %a;", a);
    for (std::size_t row = 0; row < a.size(); ++row)
        EXPECT_EQ(results[row], D(expected(a[row]))) << instruction << " " << +a[row];
}

template <class T>
class Integers : public testing::Test {};
using AllIntegers = testing::Types<std::uint16_t, std::int16_t, std::uint32_t, std::int32_t,
                                   std::uint64_t, std::int64_t>;
TYPED_TEST_SUITE(Integers, AllIntegers);

TYPED_TEST(Integers, SumsDifferencesAndProducts) {
    using T = TypeParam;
    const std::string type = named<T>();
    checkTwo<T>("add." + type, [](Wide a, Wide b) { return a + b; });
    checkTwo<T>("sub." + type, [](Wide a, Wide b) { return a - b; });
    checkTwo<T>("mul.lo." + type, [](Wide a, Wide b) { return UnsignedWide(a) * UnsignedWide(b); });
    if constexpr (sizeof(T) < 8)
        checkTwo<T>("mul.hi." + type, [](Wide a, Wide b) { return a * b >> (8 * sizeof(T)); });
    checkTwo<T>("min." + type, [](Wide a, Wide b) { return std::min(a, b); });
    checkTwo<T>("max." + type, [](Wide a, Wide b) { return std::max(a, b); });
    checkThree<T>(
        "mad.lo." + type,
        [](T a, T b, T c) { return T(UnsignedWide(a) * UnsignedWide(b) + UnsignedWide(c)); },
        edges<T>(), edges<T>(), std::vector<T>{T(1), T(-5)});
    checkThree<T>(
        "sad." + type,
        [](T a, T b, T c) {
            return T(UnsignedWide(Wide(a) < Wide(b) ? Wide(b) - a : Wide(a) - b) + UnsignedWide(c));
        },
        edges<T>(), edges<T>(), std::vector<T>{T(0), T(100)});
}

TYPED_TEST(Integers, QuotientsTruncate) {
    using T = TypeParam;
    std::vector<T> divisors;
    for (const T value : edges<T>()) {
        if (value != 0) divisors.push_back(value);
    }
    checkPairs<T>(
        "div." + named<T>(), [](T a, T b) { return T(Wide(a) / Wide(b)); }, edges<T>(), divisors);
    checkPairs<T>(
        "rem." + named<T>(), [](T a, T b) { return T(Wide(a) % Wide(b)); }, edges<T>(), divisors);
}

TYPED_TEST(Integers, ShiftsBeyondTheWidthAreClamped) {
    using T = TypeParam;
    const std::vector<std::uint32_t> amounts{0,  1,  7,   8 * sizeof(T) - 1, 8 * sizeof(T),
                                             63, 64, 255, 0xffffffffu};
    const auto right = [](T a, std::uint32_t by) { return T(Wide(a) >> std::min(by, 100u)); };
    checkPairs<T>(
        "shl.b" + std::to_string(8 * sizeof(T)),
        [](T a, std::uint32_t by) { return by > 64 ? T(0) : T(UnsignedWide(a) << by); }, edges<T>(),
        amounts);
    checkPairs<T>("shr." + named<T>(), right, edges<T>(), amounts);
}

TYPED_TEST(Integers, ComparisonsAndSelections) {
    using T = TypeParam;
    const std::string type = named<T>();
    const auto check = [&](const std::string& name, auto holds) {
        checkPairs<bool, T, T>(
            "setp." + name + "." + type, [&](T a, T b) { return std::uint32_t(holds(a, b)); },
            edges<T>(), edges<T>());
    };
    check("eq", [](T a, T b) { return a == b; });
    check("ne", [](T a, T b) { return a != b; });
    check("lt", [](T a, T b) { return a < b; });
    check("le", [](T a, T b) { return a <= b; });
    check("gt", [](T a, T b) { return a > b; });
    check("ge", [](T a, T b) { return a >= b; });
    if constexpr (std::is_unsigned_v<T>) {
        check("lo", [](T a, T b) { return a < b; });
        check("ls", [](T a, T b) { return a <= b; });
        check("hi", [](T a, T b) { return a > b; });
        check("hs", [](T a, T b) { return a >= b; });
    }
    if constexpr (sizeof(T) == 4) {
        checkPairs<T>(
            "set.lt.u32." + type, [](T a, T b) { return a < b ? T(~T(0)) : T(0); }, edges<T>(),
            edges<T>());
    }
}

TEST(Arithmetic, ProductsOfTwiceTheWidth) {
    checkPairs<std::int32_t>(
        "mul.wide.s16", [](std::int16_t a, std::int16_t b) { return a * b; }, edges<std::int16_t>(),
        edges<std::int16_t>());
    checkPairs<std::uint32_t>(
        "mul.wide.u16", [](std::uint16_t a, std::uint16_t b) { return std::uint32_t(a) * b; },
        edges<std::uint16_t>(), edges<std::uint16_t>());
    checkPairs<std::int64_t>(
        "mul.wide.s32", [](std::int32_t a, std::int32_t b) { return std::int64_t(a) * b; },
        edges<std::int32_t>(), edges<std::int32_t>());
    checkPairs<std::uint64_t>(
        "mul.wide.u32", [](std::uint32_t a, std::uint32_t b) { return std::uint64_t(a) * b; },
        edges<std::uint32_t>(), edges<std::uint32_t>());
    checkPairs<std::int64_t>(
        "mul.hi.s64",
        [](std::int64_t a, std::int64_t b) { return std::int64_t(Wide(a) * b >> 64); },
        edges<std::int64_t>(), edges<std::int64_t>());
    checkPairs<std::uint64_t>(
        "mul.hi.u64",
        [](std::uint64_t a, std::uint64_t b) { return std::uint64_t(UnsignedWide(a) * b >> 64); },
        edges<std::uint64_t>(), edges<std::uint64_t>());
    checkThree<std::int64_t>(
        "mad.wide.s32",
        [](std::int32_t a, std::int32_t b, std::int64_t c) {
            return std::uint64_t(std::int64_t(a) * b) + std::uint64_t(c);
        },
        edges<std::int32_t>(), edges<std::int32_t>(), std::vector<std::int64_t>{-1, INT64_MAX});
    checkThree<std::uint32_t>(
        "mad.hi.u32",
        [](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            return std::uint32_t(std::uint64_t(a) * b >> 32) + c;
        },
        edges<std::uint32_t>(), edges<std::uint32_t>(), std::vector<std::uint32_t>{3, ~0u});
    // 24 bits, with the sign of the 24th.
    const auto low24 = [](std::int32_t a) {
        return std::int64_t((a & 0xffffff) ^ 0x800000) - 0x800000;
    };
    checkPairs<std::int32_t>(
        "mul24.lo.s32",
        [&](std::int32_t a, std::int32_t b) { return std::int32_t(low24(a) * low24(b)); },
        edges<std::int32_t>(), edges<std::int32_t>());
    checkPairs<std::uint32_t>(
        "mul24.lo.u32",
        [](std::uint32_t a, std::uint32_t b) {
            return std::uint32_t(std::uint64_t(a & 0xffffff) * (b & 0xffffff));
        },
        edges<std::uint32_t>(), edges<std::uint32_t>());
}

TEST(Arithmetic, SaturatingSums) {
    const auto clamped = [](std::int64_t value) {
        return std::int32_t(std::clamp<std::int64_t>(value, INT32_MIN, INT32_MAX));
    };
    checkPairs<std::int32_t>(
        "add.sat.s32", [&](std::int32_t a, std::int32_t b) { return clamped(std::int64_t(a) + b); },
        edges<std::int32_t>(), edges<std::int32_t>());
    checkPairs<std::int32_t>(
        "sub.sat.s32", [&](std::int32_t a, std::int32_t b) { return clamped(std::int64_t(a) - b); },
        edges<std::int32_t>(), edges<std::int32_t>());
}

TEST(Arithmetic, OneOperand) {
    checkOne<std::int32_t, std::int32_t>(
        "abs.s32", [](std::int32_t a) { return a < 0 ? 0u - std::uint32_t(a) : std::uint32_t(a); });
    checkOne<std::int64_t, std::int64_t>("abs.s64", [](std::int64_t a) {
        return a < 0 ? 0ull - std::uint64_t(a) : std::uint64_t(a);
    });
    checkOne<std::int16_t, std::int16_t>("neg.s16", [](std::int16_t a) { return -a; });
    checkOne<std::int32_t, std::int32_t>("neg.s32",
                                         [](std::int32_t a) { return 0u - std::uint32_t(a); });
    checkOne<std::uint64_t, std::uint64_t>("not.b64", [](std::uint64_t a) { return ~a; });
    checkOne<std::uint16_t, std::uint16_t>("not.b16", [](std::uint16_t a) { return ~a; });
    checkOne<std::uint32_t, std::uint32_t>("cnot.b32", [](std::uint32_t a) { return a == 0; });
    checkOne<std::uint32_t, std::uint32_t>("popc.b32",
                                           [](std::uint32_t a) { return std::popcount(a); });
    checkOne<std::uint32_t, std::uint64_t>("popc.b64",
                                           [](std::uint64_t a) { return std::popcount(a); });
    checkOne<std::uint32_t, std::uint32_t>("clz.b32",
                                           [](std::uint32_t a) { return std::countl_zero(a); });
    checkOne<std::uint32_t, std::uint64_t>("clz.b64",
                                           [](std::uint64_t a) { return std::countl_zero(a); });
    const auto reversed = [](auto a) {
        decltype(a) result = 0;
        for (unsigned bit = 0; bit < 8 * sizeof a; ++bit)
            result |= (a >> bit & 1) << (8 * sizeof a - 1 - bit);
        return result;
    };
    checkOne<std::uint32_t, std::uint32_t>("brev.b32", reversed);
    checkOne<std::uint64_t, std::uint64_t>("brev.b64", reversed);
    // The highest bit that is not a sign bit.
    const auto leading = [](auto a, bool asShift) {
        const int top = 8 * sizeof a - 1;
        for (int bit = top; bit >= 0; --bit) {
            if (((a >> bit & 1) != 0) != (a < 0)) return std::uint32_t(asShift ? top - bit : bit);
        }
        return ~0u;
    };
    checkOne<std::uint32_t, std::uint32_t>("bfind.u32",
                                           [&](std::uint32_t a) { return leading(a, false); });
    checkOne<std::uint32_t, std::int32_t>("bfind.s32",
                                          [&](std::int32_t a) { return leading(a, false); });
    checkOne<std::uint32_t, std::uint64_t>("bfind.shiftamt.u64",
                                           [&](std::uint64_t a) { return leading(a, true); });
    checkOne<std::uint32_t, std::int64_t>("bfind.shiftamt.s64",
                                          [&](std::int64_t a) { return leading(a, true); });
}

/// The algorithm of the PTX ISA, "bfe".
template <class T>
T fieldOf(T a, std::uint32_t position, std::uint32_t length) {
    const int pos = position & 0xff;
    const int len = length & 0xff;
    const int msb = 8 * sizeof(T) - 1;
    using U = std::make_unsigned_t<T>;
    const bool sign =
        std::is_unsigned_v<T> || len == 0 ? false : (U(a) >> std::min(pos + len - 1, msb) & 1) != 0;
    U d = 0;
    for (int i = 0; i <= msb; ++i) {
        const bool bit = i < len && pos + i <= msb ? (U(a) >> (pos + i) & 1) != 0 : sign;
        d |= U(bit) << i;
    }
    return T(d);
}

TEST(Arithmetic, BitFields) {
    const std::vector<std::uint32_t> places{0, 1, 5, 31, 32, 63, 64, 200, 255, 256, 260};
    checkThree<std::uint32_t>("bfe.u32", fieldOf<std::uint32_t>, edges<std::uint32_t>(), places,
                              places);
    checkThree<std::int32_t>("bfe.s32", fieldOf<std::int32_t>, edges<std::int32_t>(), places,
                             places);
    checkThree<std::uint64_t>("bfe.u64", fieldOf<std::uint64_t>, edges<std::uint64_t>(), places,
                              places);
    checkThree<std::int64_t>("bfe.s64", fieldOf<std::int64_t>, edges<std::int64_t>(), places,
                             places);
    for (const std::uint32_t length : places) {
        const auto inserted = [&](auto a, auto b, std::uint32_t position) {  // PTX ISA, "bfi"
            const int pos = position & 0xff;
            const int len = length & 0xff;
            auto f = b;
            for (int i = 0; i < len && pos + i < int(8 * sizeof a); ++i) {
                const auto bit = decltype(a)(1) << (pos + i);
                f = (f & ~bit) | ((a >> i & 1) != 0 ? bit : 0);
            }
            return f;
        };
        const std::string rest = ", " + std::to_string(length) + ";";
        for (const std::uint32_t position : places) {
            const auto [a, b] = cross(edges<std::uint32_t>(), edges<std::uint32_t>());
            const auto narrow = evaluate<std::uint32_t>(
                "bfi.b32 %d, %a, %b, " + std::to_string(position) + rest, a, b);
            const auto [c, d] = cross(edges<std::uint64_t>(), edges<std::uint64_t>());
            const auto wide = evaluate<std::uint64_t>(
                "bfi.b64 %d, %a, %b, " + std::to_string(position) + rest, c, d);
            for (std::size_t row = 0; row < a.size(); ++row) {
                ASSERT_EQ(narrow[row], inserted(a[row], b[row], position)) << position << rest;
                ASSERT_EQ(wide[row], inserted(c[row], d[row], position)) << position << rest;
            }
        }
    }
    const auto nth = [](std::uint32_t mask, std::uint32_t base, std::int32_t offset) {
        std::vector<std::uint32_t> set;  // PTX ISA, "fns"
        const int step = offset < 0 ? -1 : 1;
        for (int at = int(base); at >= 0 && at < 32; at += step) {
            if ((mask >> at & 1) != 0) set.push_back(at);
            if (offset == 0) break;
        }
        const std::size_t index = offset == 0 ? 0 : std::abs(std::int64_t(offset)) - 1;
        return index < set.size() ? set[index] : ~0u;
    };
    checkThree<std::uint32_t>("fns.b32", nth, edges<std::uint32_t>(),
                              std::vector<std::uint32_t>{0, 1, 5, 17, 30, 31},
                              std::vector<std::int32_t>{0, 1, 2, 7, 31, 32, 40, -1, -2, -8, -32});
    for (const bool wrap : {false, true}) {
        checkPairs<std::uint32_t>(
            wrap ? "bmsk.wrap.b32" : "bmsk.clamp.b32",
            [&](std::uint32_t position, std::uint32_t length) {
                position = wrap ? position & 31 : std::min(position, 32u);
                length = wrap ? length & 31 : std::min(length, 32u);
                std::uint32_t mask = 0;
                for (std::uint32_t bit = position; bit < std::min(position + length, 32u); ++bit)
                    mask |= 1u << bit;
                return mask;
            },
            places, places);
    }
}

TEST(Arithmetic, FunnelShifts) {
    const std::vector<std::uint32_t> amounts{0, 1, 5, 31, 32, 33, 64, ~0u};
    const auto both = [](std::uint32_t low, std::uint32_t high) {
        return UnsignedWide(high) << 32 | low;
    };
    for (const bool wrap : {false, true}) {
        const auto shift = [&](std::uint32_t c) { return wrap ? c & 31 : std::min(c, 32u); };
        const std::string mode = wrap ? "wrap" : "clamp";
        checkThree<std::uint32_t>(
            "shf.l." + mode + ".b32",
            [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
                return std::uint32_t(both(a, b) << shift(c) >> 32);
            },
            edges<std::uint32_t>(), edges<std::uint32_t>(), amounts);
        checkThree<std::uint32_t>(
            "shf.r." + mode + ".b32",
            [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
                return std::uint32_t(both(a, b) >> shift(c));
            },
            edges<std::uint32_t>(), edges<std::uint32_t>(), amounts);
    }
}

TEST(Arithmetic, BytesLogicAndDotProducts) {
    const std::vector<std::uint32_t> selectors{0x3210, 0x7654, 0x0123,  0xfedc,
                                               0x8888, 0x9210, 0x77777, 0x5140};
    checkThree<std::uint32_t>(
        "prmt.b32",
        [](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
            const std::array<std::uint32_t, 2> words{a, b};
            std::uint32_t result = 0;
            for (int byte = 0; byte < 4; ++byte) {
                const std::uint32_t which = c >> (4 * byte) & 15;
                std::uint32_t value = words[which >> 2 & 1] >> (8 * (which & 3)) & 255;
                if ((which & 8) != 0) value = value >> 7 ? 255 : 0;
                result |= value << (8 * byte);
            }
            return result;
        },
        edges<std::uint32_t>(), edges<std::uint32_t>(), selectors);
    for (int table = 0; table < 256; table += 5) {
        const std::uint32_t a = 0xf0f0aaccu, b = 0xcc33f00fu, c = 0xaa5512efu;
        std::uint32_t expected = 0;
        for (int bit = 0; bit < 32; ++bit) {
            const unsigned row = (a >> bit & 1) << 2 | (b >> bit & 1) << 1 | (c >> bit & 1);
            expected |= (unsigned(table) >> row & 1) << bit;
        }
        EXPECT_EQ(evaluate<std::uint32_t>("lop3.b32 %d, %a, %b, %c, " + std::to_string(table) + ";",
                                          std::vector{a}, std::vector{b}, std::vector{c})[0],
                  expected)
            << table;
    }
    const auto part = [](std::uint32_t word, int at, int bits, bool isSigned) {
        const std::int64_t value = word >> (at * bits) & ((1u << bits) - 1);
        return isSigned && value >> (bits - 1) ? value - (1 << bits) : value;
    };
    for (const bool aSigned : {false, true}) {
        for (const bool bSigned : {false, true}) {
            const std::string types =
                std::string(aSigned ? ".s32" : ".u32") + (bSigned ? ".s32" : ".u32");
            checkThree<std::uint32_t>(
                "dp4a" + types,
                [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
                    std::int64_t sum = c;
                    for (int at = 0; at < 4; ++at)
                        sum += part(a, at, 8, aSigned) * part(b, at, 8, bSigned);
                    return std::uint32_t(sum);
                },
                edges<std::uint32_t>(), edges<std::uint32_t>(),
                std::vector<std::uint32_t>{0, 77, ~0u});
            for (const bool high : {false, true}) {
                checkThree<std::uint32_t>(
                    std::string("dp2a.") + (high ? "hi" : "lo") + types,
                    [&](std::uint32_t a, std::uint32_t b, std::uint32_t c) {
                        std::int64_t sum = c;
                        for (int at = 0; at < 2; ++at)
                            sum +=
                                part(a, at, 16, aSigned) * part(b, at + (high ? 2 : 0), 8, bSigned);
                        return std::uint32_t(sum);
                    },
                    edges<std::uint32_t>(), edges<std::uint32_t>(),
                    std::vector<std::uint32_t>{0, 77});
            }
        }
    }
}

TEST(Arithmetic, CarriesJoinTwoWords) {
    const auto [a, b] = cross(edges<std::uint64_t>(), edges<std::uint64_t>());
    const std::string halves =
        ".reg .b32 %al, %ah, %bl, %bh, %dl, %dh; mov.b64 {%al, %ah}, %a; mov.b64 {%bl, %bh}, %b;\n";
    const std::string whole = "mov.b64 %d, {%dl, %dh};";
    const auto sums = evaluate<std::uint64_t>(
        halves + "add.cc.u32 %dl, %al, %bl; addc.u32 %dh, %ah, %bh;" + whole, a, b);
    const auto differences = evaluate<std::uint64_t>(
        halves + "sub.cc.u32 %dl, %al, %bl; subc.u32 %dh, %ah, %bh;" + whole, a, b);
    const auto products = evaluate<std::uint64_t>(
        halves +
            "mul.lo.u32 %dl, %al, %bl; mul.hi.u32 %dh, %al, %bl; mad.lo.cc.u32 %dh, %ah, %bl, %dh; "
            "mad.lo.u32 %dh, %al, %bh, %dh;" +
            whole,
        a, b);
    // 128 bits: the upper half of a + b + (a + b's carry), by 64-bit carries.
    const auto carries = evaluate<std::uint64_t>(
        ".reg .b64 %x; add.cc.u64 %x, %a, %b; addc.cc.u64 %x, %x, -1; addc.u64 %d, 0, 0;", a, b);
    const auto fused = evaluate<std::uint64_t>(
        halves + "mad.lo.cc.u32 %dl, %al, %bl, %ah; madc.hi.u32 %dh, %al, %bl, 0;" + whole, a, b);
    for (std::size_t row = 0; row < a.size(); ++row) {
        EXPECT_EQ(sums[row], a[row] + b[row]);
        EXPECT_EQ(differences[row], a[row] - b[row]);
        EXPECT_EQ(products[row], a[row] * b[row]);
        const UnsignedWide first = UnsignedWide(a[row]) + b[row];
        const UnsignedWide second =
            UnsignedWide(std::uint64_t(first)) + ~0ull + std::uint64_t(first >> 64);
        EXPECT_EQ(carries[row], std::uint64_t(second >> 64));
        EXPECT_EQ(fused[row], (a[row] & 0xffffffff) * (b[row] & 0xffffffff) + (a[row] >> 32));
    }
}

TEST(Arithmetic, PredicatesAreLogic) {
    const std::vector<std::uint32_t> a{0, 0, 1, 1}, b{0, 1, 0, 1};
    const std::string make = ".reg .pred %x, %y; setp.ne.u32 %x, %a, 0; setp.ne.u32 %y, %b, 0;\n";
    EXPECT_EQ(evaluate<bool>(make + "and.pred %d, %x, %y;", a, b),
              (std::vector<std::uint32_t>{0, 0, 0, 1}));
    EXPECT_EQ(evaluate<bool>(make + "or.pred %d, %x, !%y;", a, b),
              (std::vector<std::uint32_t>{1, 0, 1, 1}));
    EXPECT_EQ(evaluate<bool>(make + "xor.pred %d, %x, %y;", a, b),
              (std::vector<std::uint32_t>{0, 1, 1, 0}));
    EXPECT_EQ(evaluate<bool>(make + "not.pred %d, %x;", a, b),
              (std::vector<std::uint32_t>{1, 1, 0, 0}));
    EXPECT_EQ(evaluate<bool>("setp.ne.u32 %e, %b, 0; setp.eq.and.u32 %d|%e, %a, 1, %e;", a, b),
              (std::vector<std::uint32_t>{0, 0, 0, 1}));
    EXPECT_EQ(evaluate<bool>("setp.ne.u32 %e, %b, 0; setp.eq.and.u32 %e|%d, %a, 1, %e;", a, b),
              (std::vector<std::uint32_t>{0, 1, 0, 0}));
    EXPECT_EQ(evaluate<std::uint32_t>(make + "selp.b32 %d, 5, 6, %x;", a, b),
              (std::vector<std::uint32_t>{6, 6, 5, 5}));
    EXPECT_EQ(evaluate<std::uint32_t>("slct.u32.s32 %d, 5, 6, %a;",
                                      std::vector<std::int32_t>{0, -1, 7, INT32_MIN}),
              (std::vector<std::uint32_t>{5, 6, 5, 6}));
}

}  // namespace
}  // namespace warplens::ptx::test
