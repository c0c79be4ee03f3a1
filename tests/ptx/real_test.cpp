// Floating point, with every rounding, against the processor's own (fesetround) or wider
// arithmetic.
#include <cfenv>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

#include "tests/ptx/machine.h"

namespace warplens::ptx::test {
namespace {

template <class T>
std::vector<T> edges() {
    using L = std::numeric_limits<T>;
    return {T(0),          T(-0.0),          T(1),
            T(-1),         T(1) / 3,         T(-1e10),
            T(3),          L::max(),         L::lowest(),
            L::min(),      -L::min(),        L::denorm_min(),
            L::epsilon(),  1 + L::epsilon(), 1 - L::epsilon() / 2,
            L::infinity(), -L::infinity(),   L::quiet_NaN(),
            T(0.1),        T(1e-20)};
}
template <class T>
std::vector<T> numbers(std::size_t count, int exponent) {
    std::mt19937_64 random(7);
    std::vector<T> values;
    for (std::size_t at = 0; at < count; ++at) {
        const double mantissa = 1 + std::ldexp(static_cast<double>(random() >> 12), -52);
        values.push_back(static_cast<T>(std::ldexp(random() % 2 ? mantissa : -mantissa,
                                                   int(random() % (2 * exponent)) - exponent)));
    }
    return values;
}
template <class T>
bool same(T a, T b) {
    return (std::isnan(a) && std::isnan(b)) || std::memcmp(&a, &b, sizeof a) == 0;
}
template <class T>
std::string typeName() {
    return sizeof(T) == 4 ? "f32" : "f64";
}

struct Mode final {
    const char* name;
    int rounding;
};
constexpr Mode modes[] = {
    {"rn", FE_TONEAREST}, {"rz", FE_TOWARDZERO}, {"rm", FE_DOWNWARD}, {"rp", FE_UPWARD}};

/// With the processor's rounding set; not moved across the settings.
template <class T, class Operation>
T inMode(int rounding, Operation operation) {
    std::fesetround(rounding);
    volatile T result = operation();
    std::fesetround(FE_TONEAREST);
    return result;
}

template <class T>
class Real : public testing::Test {};
using Types = testing::Types<float, double>;
TYPED_TEST_SUITE(Real, Types);

TYPED_TEST(Real, RoundsInEveryDirection) {
    using T = TypeParam;
    auto [a, b] = cross(edges<T>(), edges<T>());
    const auto more = numbers<T>(3000, 20);
    a.insert(a.end(), more.begin(), more.end());
    b.insert(b.end(), more.rbegin(), more.rend());
    std::vector<T> c(a.rbegin(), a.rend());
    for (const Mode& mode : modes) {
        const auto check = [&](const std::string& name, const std::vector<T>& results,
                               auto operation) {
            for (std::size_t row = 0; row < a.size(); ++row) {
                const T expected = inMode<T>(mode.rounding, [&] {
                    volatile T x = a[row], y = b[row], z = c[row];
                    return operation(x, y, z);
                });
                EXPECT_TRUE(same(results[row], expected))
                    << name << '.' << mode.name << ' ' << std::hexfloat << a[row] << ' ' << b[row]
                    << ' ' << c[row] << ": " << results[row] << ", not " << expected;
                if (testing::Test::HasFailure()) return;
            }
        };
        const std::string suffix =
            std::string(".") + mode.name + "." + typeName<T>() + " %d, %a, %b;";
        check("add", evaluate<T>("add" + suffix, a, b), [](T x, T y, T) { return x + y; });
        check("sub", evaluate<T>("sub" + suffix, a, b), [](T x, T y, T) { return x - y; });
        check("mul", evaluate<T>("mul" + suffix, a, b), [](T x, T y, T) { return x * y; });
        check("div", evaluate<T>("div" + suffix, a, b), [](T x, T y, T) { return x / y; });
        check(
            "fma",
            evaluate<T>(std::string("fma.") + mode.name + "." + typeName<T>() + " %d, %a, %b, %c;",
                        a, b, c),
            [](T x, T y, T z) { return std::fma(x, y, z); });
        const std::string one = std::string(".") + mode.name + "." + typeName<T>() + " %d, %a;";
        check("rcp", evaluate<T>("rcp" + one, a), [](T x, T, T) { return T(1) / x; });
        check("sqrt", evaluate<T>("sqrt" + one, a), [](T x, T, T) { return std::sqrt(x); });
    }
}

TYPED_TEST(Real, SmallestLargestAndSigns) {
    using T = TypeParam;
    const auto [a, b] = cross(edges<T>(), edges<T>());
    const std::string type = typeName<T>();
    const auto smallest = evaluate<T>("min." + type + " %d, %a, %b;", a, b);
    const auto largest = evaluate<T>("max." + type + " %d, %a, %b;", a, b);
    const auto signs = evaluate<T>("copysign." + type + " %d, %a, %b;", a, b);
    const auto negative = evaluate<T>("neg." + type + " %d, %a;", a);
    const auto magnitude = evaluate<T>("abs." + type + " %d, %a;", a);
    for (std::size_t row = 0; row < a.size(); ++row) {
        const T x = a[row], y = b[row];
        // PTX ISA, "min": of a NaN and a number the number; -0 is smaller than +0.
        const bool xFirst = std::isnan(y) || x < y || (x == y && std::signbit(x));
        EXPECT_TRUE(same(smallest[row], std::isnan(x) ? y : xFirst ? x : y)) << x << ' ' << y;
        const bool xLast = std::isnan(y) || x > y || (x == y && !std::signbit(x));
        EXPECT_TRUE(same(largest[row], std::isnan(x) ? y : xLast ? x : y)) << x << ' ' << y;
        EXPECT_TRUE(same(signs[row], std::copysign(y, x)));
        EXPECT_TRUE(same(negative[row], -x));
        EXPECT_TRUE(same(magnitude[row], std::fabs(x)));
    }
    if constexpr (sizeof(T) == 4) {
        const auto orNan = evaluate<T>("min.NaN.f32 %d, %a, %b;", a, b);
        for (std::size_t row = 0; row < a.size(); ++row) {
            EXPECT_TRUE(same(orNan[row], std::isnan(a[row]) || std::isnan(b[row])
                                             ? std::numeric_limits<T>::quiet_NaN()
                                             : smallest[row]));
        }
    }
}

TYPED_TEST(Real, ComparisonsOrderedAndUnordered) {
    using T = TypeParam;
    const auto [a, b] = cross(edges<T>(), edges<T>());
    const auto check = [&](const std::string& name, auto holds, bool ofNan) {
        const auto results =
            evaluate<bool>("setp." + name + "." + typeName<T>() + " %d, %a, %b;", a, b);
        for (std::size_t row = 0; row < a.size(); ++row) {
            const bool isNan = std::isnan(a[row]) || std::isnan(b[row]);
            EXPECT_EQ(results[row] != 0, isNan ? ofNan : holds(a[row], b[row]))
                << name << ' ' << a[row] << ' ' << b[row];
        }
    };
    for (const bool unordered : {false, true}) {
        const std::string u = unordered ? "u" : "";
        check(
            "eq" + u, [](T x, T y) { return x == y; }, unordered);
        check(
            "ne" + u, [](T x, T y) { return x != y; }, unordered);
        check(
            "lt" + u, [](T x, T y) { return x < y; }, unordered);
        check(
            "le" + u, [](T x, T y) { return x <= y; }, unordered);
        check(
            "gt" + u, [](T x, T y) { return x > y; }, unordered);
        check(
            "ge" + u, [](T x, T y) { return x >= y; }, unordered);
    }
    check(
        "num", [](T, T) { return true; }, false);
    check(
        "nan", [](T, T) { return false; }, true);
    const auto property = [&](const std::string& name, auto holds) {
        const auto results = evaluate<bool>("testp." + name + "." + typeName<T>() + " %d, %a;", a);
        for (std::size_t row = 0; row < a.size(); ++row)
            EXPECT_EQ(results[row] != 0, holds(a[row])) << name << ' ' << a[row];
    };
    property("finite", [](T x) { return std::isfinite(x); });
    property("infinite", [](T x) { return std::isinf(x); });
    property("number", [](T x) { return !std::isnan(x); });
    property("notanumber", [](T x) { return std::isnan(x); });
    property("normal", [](T x) { return std::isnormal(x); });
    property("subnormal", [](T x) { return std::fpclassify(x) == FP_SUBNORMAL; });
}

TEST(RealModifiers, SaturateAndFlush) {
    const std::vector<float> a{-1,     0.25f,  2, std::numeric_limits<float>::quiet_NaN(),
                               1e-39f, -1e-39f};
    const auto saturated = evaluate<float>("add.sat.f32 %d, %a, 0f00000000;", a);
    EXPECT_EQ(saturated,
              (std::vector<float>{0, 0.25f, 1, 0, 1e-39f, 0}));  // NaN becomes 0 (PTX ISA, "add")
    const auto flushed = evaluate<float>("mul.ftz.f32 %d, %a, 0f3F800000;", a);
    EXPECT_EQ(flushed[4], 0.0f);
    EXPECT_TRUE(std::signbit(flushed[5]) && flushed[5] == 0);  // the sign stays
    EXPECT_EQ(evaluate<float>("add.f32 %d, %a, 0f00000000;", a)[4], 1e-39f);
}

TEST(RealApproximations, AreWithinWhatThePtxIsaAllows) {
    std::vector<float> a;
    for (float x = -3; x < 3; x += 0.037f) a.push_back(x);
    const auto check = [&](const std::string& name, auto exact, double absolute, double relative) {
        const auto results = evaluate<float>(name + " %d, %a;", a);
        for (std::size_t row = 0; row < a.size(); ++row) {
            const double expected = exact(static_cast<double>(a[row]));
            if (std::isnan(expected))
                EXPECT_TRUE(std::isnan(results[row])) << name << a[row];
            else
                EXPECT_NEAR(results[row], expected, absolute + relative * std::fabs(expected))
                    << name << ' ' << a[row];
        }
    };
    check(
        "sin.approx.f32", [](double x) { return std::sin(x); }, 0x1p-20, 0);
    check(
        "cos.approx.f32", [](double x) { return std::cos(x); }, 0x1p-20, 0);
    check(
        "ex2.approx.f32", [](double x) { return std::exp2(x); }, 0, 0x1p-22);
    check(
        "lg2.approx.f32", [](double x) { return std::log2(x); }, 0x1p-22, 0x1p-22);
    check(
        "tanh.approx.f32", [](double x) { return std::tanh(x); }, 0, 0x1p-11);
    check(
        "rsqrt.approx.f32", [](double x) { return 1 / std::sqrt(x); }, 0, 0x1p-22);
    check(
        "rcp.approx.f32", [](double x) { return 1 / x; }, 0, 0x1p-22);
    check(
        "sqrt.approx.f32", [](double x) { return std::sqrt(x); }, 0, 0x1p-22);
}

/// A 16-bit float's value, by its definition.
double valueOf(std::uint16_t bits, int exponentBits) {
    const int fractionBits = 15 - exponentBits;
    const int bias = (1 << (exponentBits - 1)) - 1;
    const int exponent = bits >> fractionBits & ((1 << exponentBits) - 1);
    const int fraction = bits & ((1 << fractionBits) - 1);
    const double sign = bits >> 15 ? -1 : 1;
    if (exponent == (1 << exponentBits) - 1) return fraction ? NAN : sign * INFINITY;
    if (exponent == 0) return sign * std::ldexp(fraction, 1 - bias - fractionBits);
    return sign * std::ldexp((1 << fractionBits) + fraction, exponent - bias - fractionBits);
}
/// The nearest one of an exact value, ties to even, by search.
std::uint16_t nearestOf(long double value, int exponentBits) {
    const int fractionBits = 15 - exponentBits;
    const std::uint16_t infinity =
        static_cast<std::uint16_t>(((1 << exponentBits) - 1) << fractionBits);
    if (std::isnan(value)) return 0x7fff;
    const std::uint16_t sign = std::signbit(value) ? 0x8000 : 0;
    const long double magnitude = std::fabs(value);
    std::uint16_t low = 0, high = infinity;  // low <= magnitude < high, infinity as the next power
    const auto at = [&](std::uint16_t bits) -> long double {
        return bits == infinity ? std::ldexp(1.0L, 1 << (exponentBits - 1))
                                : static_cast<long double>(valueOf(bits, exponentBits));
    };
    if (magnitude >= at(infinity)) return sign | infinity;
    while (high - low > 1) {
        const auto middle = static_cast<std::uint16_t>((low + high) / 2);
        (at(middle) <= magnitude ? low : high) = middle;
    }
    const long double below = magnitude - at(low), above = at(high) - magnitude;
    return sign | (below < above || (below == above && low % 2 == 0) ? low : high);
}

TEST(Half, EveryOperationRoundsOnce) {
    for (const int exponentBits : {5, 8}) {
        const std::string type = exponentBits == 5 ? "f16" : "bf16";
        std::mt19937 random(3);
        std::vector<std::uint16_t> a, b, c;
        for (int row = 0; row < 20000; ++row) {
            a.push_back(static_cast<std::uint16_t>(random()));
            b.push_back(static_cast<std::uint16_t>(random()));
            c.push_back(static_cast<std::uint16_t>(random()));
        }
        // A tie that only what lies far below breaks.
        for (const std::uint16_t tiny : {std::uint16_t{0x0001}, std::uint16_t{0x8001}}) {
            a.push_back(exponentBits == 5 ? 0x3c01 : 0x3f81),
                b.push_back(exponentBits == 5 ? 0x3e00 : 0x3fc0), c.push_back(tiny);
        }
        const auto check = [&](const std::string& name, const std::vector<std::uint16_t>& results,
                               auto operation) {
            for (std::size_t row = 0; row < a.size(); ++row) {
                const auto value = [&](std::uint16_t bits) {
                    return static_cast<long double>(valueOf(bits, exponentBits));
                };
                const std::uint16_t expected =
                    nearestOf(operation(value(a[row]), value(b[row]), value(c[row])), exponentBits);
                ASSERT_EQ(results[row], expected)
                    << name << std::hex << ' ' << a[row] << ' ' << b[row] << ' ' << c[row];
            }
        };
        const std::string rest = ".rn." + type + " %d, %a, %b;";
        check("add", evaluate<std::uint16_t>("add" + rest, a, b),
              [](long double x, long double y, long double) { return x + y; });
        check("sub", evaluate<std::uint16_t>("sub" + rest, a, b),
              [](long double x, long double y, long double) { return x - y; });
        check("mul", evaluate<std::uint16_t>("mul" + rest, a, b),
              [](long double x, long double y, long double) { return x * y; });
        check("fma", evaluate<std::uint16_t>("fma.rn." + type + " %d, %a, %b, %c;", a, b, c),
              [](long double x, long double y, long double z) {
                  // The sum's sign of what is lost, put back: ties must not be made.
                  const long double product = x * y;
                  const long double sum = product + z;
                  const long double part = sum - product;
                  const long double error = (product - (sum - part)) + (z - part);
                  return error == 0 || !std::isfinite(error)
                             ? sum
                             : std::nextafter(sum, error > 0 ? INFINITY : -INFINITY);
              });
        const auto low = evaluate<std::uint16_t>("add" + rest, a, b);
        const auto high = evaluate<std::uint16_t>("add" + rest, c, a);
        const auto pairs = evaluate<std::uint32_t>(
            ".reg .b16 %l, %u; .reg .b32 %x, %y; mov.b32 %x, {%a, %c}; mov.b32 %y, {%b, %a};"
            "add.rn." +
                type + "x2 %d, %x, %y;",
            a, b, c);
        for (std::size_t row = 0; row < a.size(); ++row)
            ASSERT_EQ(pairs[row], low[row] | std::uint32_t{high[row]} << 16);
    }
}

}  // namespace
}  // namespace warplens::ptx::test
