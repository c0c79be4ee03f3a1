// `cvt` between all types (PTX ISA, "cvt"): rounding, saturation, NaN.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "tests/ptx/machine.h"

namespace warplens::ptx::test {
namespace {

const std::vector<double> reals{0,
                                -0.0,
                                0.5,
                                -0.5,
                                1.5,
                                2.5,
                                -1.5,
                                -2.5,
                                0.49,
                                126.5,
                                127.5,
                                128,
                                -128.5,
                                -129,
                                255.5,
                                256,
                                32767.5,
                                65535.6,
                                -40000,
                                2147483647,
                                2147483648.0,
                                -2147483648.0,
                                -2147483649.0,
                                4294967295.0,
                                4294967296.0,
                                9.3e18,
                                -9.3e18,
                                1.9e19,
                                1e300,
                                -1e300,
                                INFINITY,
                                -INFINITY,
                                1e-320};

double rounded(double value, const std::string& way) {
    if (way == "rzi") return std::trunc(value);
    if (way == "rmi") return std::floor(value);
    if (way == "rpi") return std::ceil(value);
    const double down = std::floor(value);
    const double rest = value - down;
    return rest < 0.5 || (rest == 0.5 && std::fmod(down, 2) == 0) ? down : down + 1;
}

template <class T>
std::string named() {
    if constexpr (std::is_floating_point_v<T>)
        return sizeof(T) == 4 ? "f32" : "f64";
    else
        return (std::is_signed_v<T> ? "s" : "u") + std::to_string(8 * sizeof(T));
}

template <class D, class S>
void realsToIntegers() {
    for (const std::string way : {"rni", "rzi", "rmi", "rpi"}) {
        std::vector<S> a;
        for (const double value : reals) a.push_back(static_cast<S>(value));
        a.push_back(std::numeric_limits<S>::quiet_NaN());
        const auto results =
            evaluate<D>("cvt." + way + "." + named<D>() + "." + named<S>() + " %d, %a;", a);
        for (std::size_t row = 0; row < a.size(); ++row) {
            D expected;
            const double whole = rounded(a[row], way);
            // Beyond the ends: the ends. NaN: 0, but the highest bit alone where either side has 64
            // bits.
            if (std::isnan(a[row]))
                expected = sizeof(D) == 8 || sizeof(S) == 8
                               ? D(std::make_unsigned_t<D>(1) << (8 * sizeof(D) - 1))
                               : D(0);
            else if (whole >= std::ldexp(1.0, std::numeric_limits<D>::digits))
                expected = std::numeric_limits<D>::max();
            else if (whole <= static_cast<double>(std::numeric_limits<D>::min()))
                expected = std::numeric_limits<D>::min();
            else
                expected = static_cast<D>(whole);
            EXPECT_EQ(+results[row], +expected)
                << way << ' ' << named<D>() << " of " << named<S>() << ' ' << a[row];
        }
    }
}
TEST(Convert, RealsToIntegersRoundAndClamp) {
    realsToIntegers<std::int8_t, float>();
    realsToIntegers<std::uint8_t, float>();
    realsToIntegers<std::int16_t, float>();
    realsToIntegers<std::uint16_t, double>();
    realsToIntegers<std::int32_t, float>();
    realsToIntegers<std::uint32_t, float>();
    realsToIntegers<std::int32_t, double>();
    realsToIntegers<std::uint32_t, double>();
    realsToIntegers<std::int64_t, float>();
    realsToIntegers<std::uint64_t, float>();
    realsToIntegers<std::int64_t, double>();
    realsToIntegers<std::uint64_t, double>();
}

template <class D, class S>
void integersToReals() {
    using L = std::numeric_limits<S>;
    const std::vector<S> a{0,
                           1,
                           S(-1),
                           L::max(),
                           L::min(),
                           S(L::max() - 1),
                           S(L::max() / 2 + 1),
                           S(16777217),
                           S(16777219),
                           S(9007199254740993ll),
                           S(123456789)};
    for (const std::string way : {"rn", "rz", "rm", "rp"}) {
        const auto results =
            evaluate<D>("cvt." + way + "." + named<D>() + "." + named<S>() + " %d, %a;", a);
        for (std::size_t row = 0; row < a.size(); ++row) {
            // 64 bits of long double hold every integer: the neighbours of the nearest are compared
            // with it.
            const auto exact = static_cast<long double>(a[row]);
            const D below = static_cast<long double>(static_cast<D>(exact)) <= exact
                                ? static_cast<D>(exact)
                                : std::nextafter(static_cast<D>(exact), D(-INFINITY));
            const D above = static_cast<long double>(below) == exact
                                ? below
                                : std::nextafter(below, D(INFINITY));
            const bool towardsBelow = way == "rm" || (way == "rz" && exact > 0);
            const D expected = way == "rn" ? static_cast<D>(exact) : towardsBelow ? below : above;
            EXPECT_EQ(results[row], expected)
                << way << ' ' << named<D>() << " of " << named<S>() << ' ' << +a[row];
        }
    }
}
TEST(Convert, IntegersToRealsRound) {
    integersToReals<float, std::int8_t>();
    integersToReals<float, std::uint16_t>();
    integersToReals<float, std::int32_t>();
    integersToReals<float, std::uint32_t>();
    integersToReals<float, std::int64_t>();
    integersToReals<float, std::uint64_t>();
    integersToReals<double, std::int32_t>();
    integersToReals<double, std::int64_t>();
    integersToReals<double, std::uint64_t>();
}

template <class D, class S>
void integersToIntegers() {
    using L = std::numeric_limits<S>;
    const std::vector<S> a{0,       1,       S(-1),     L::max(),      L::min(),
                           S(0x80), S(0x7f), S(0x8000), S(0x12345678), S(-200)};
    const auto plain = evaluate<D>("cvt." + named<D>() + "." + named<S>() + " %d, %a;", a);
    const auto clamped = evaluate<D>("cvt.sat." + named<D>() + "." + named<S>() + " %d, %a;", a);
    for (std::size_t row = 0; row < a.size(); ++row) {
        EXPECT_EQ(plain[row], static_cast<D>(a[row]))
            << named<D>() << " of " << named<S>() << ' ' << +a[row];
        __extension__ using Wide = __int128;
        const Wide value = std::clamp<Wide>(Wide(a[row]), Wide(std::numeric_limits<D>::min()),
                                            Wide(std::numeric_limits<D>::max()));
        EXPECT_EQ(clamped[row], static_cast<D>(value))
            << "sat " << named<D>() << " of " << named<S>() << ' ' << +a[row];
    }
}
TEST(Convert, IntegersWidenAndNarrow) {
    integersToIntegers<std::int8_t, std::int32_t>();
    integersToIntegers<std::uint8_t, std::int32_t>();
    integersToIntegers<std::int16_t, std::int64_t>();
    integersToIntegers<std::uint16_t, std::uint32_t>();
    integersToIntegers<std::int32_t, std::int8_t>();
    integersToIntegers<std::int32_t, std::uint32_t>();
    integersToIntegers<std::uint32_t, std::int32_t>();
    integersToIntegers<std::int64_t, std::int16_t>();
    integersToIntegers<std::uint64_t, std::int8_t>();
    integersToIntegers<std::int32_t, std::uint64_t>();
}

TEST(Convert, DoublesToFloatsInEveryDirection) {
    std::vector<double> a = reals;
    for (const double value : {0.1, -0.1, 1 + 0x1p-24, 1 + 0x1p-24 + 0x1p-50, 3.4028235e38,
                               3.4028236e38, 1e-46, -1e-46, 1e-45})
        a.push_back(value);
    for (const std::string way : {"rn", "rz", "rm", "rp"}) {
        const auto results = evaluate<float>("cvt." + way + ".f32.f64 %d, %a;", a);
        for (std::size_t row = 0; row < a.size(); ++row) {
            const float nearest = static_cast<float>(a[row]);
            const float below = nearest <= a[row] ? nearest : std::nextafter(nearest, -INFINITY);
            const float above = nearest >= a[row] ? nearest : std::nextafter(nearest, INFINITY);
            const float expected = way == "rn"                                  ? nearest
                                   : way == "rm" || (way == "rz" && a[row] > 0) ? below
                                                                                : above;
            EXPECT_EQ(results[row], expected) << way << ' ' << a[row];
        }
    }
    EXPECT_EQ(evaluate<float>("cvt.sat.f32.f32 %d, %a;", std::vector<float>{-1, 0.5f, 7, NAN}),
              (std::vector<float>{0, 0.5f, 1, 0}));
    EXPECT_EQ(evaluate<float>("cvt.rni.f32.f32 %d, %a;", std::vector<float>{-1.5f, 0.5f, 2.5f}),
              (std::vector<float>{-2, 0, 2}));
    EXPECT_EQ(evaluate<double>("cvt.rpi.f64.f64 %d, %a;", std::vector<double>{-1.5, 0.5, 2.5}),
              (std::vector<double>{-1, 1, 3}));
}

TEST(Convert, HalvesBothWays) {
    // All halves are floats; back they are the same.
    std::vector<std::uint16_t> halves;
    for (std::uint32_t bits = 0; bits < 65536; bits += 7)
        halves.push_back(static_cast<std::uint16_t>(bits));
    for (const std::string type : {"f16", "bf16"}) {
        const auto back = evaluate<std::uint16_t>(
            ".reg .f32 %x; cvt.f32." + type + " %x, %a; cvt.rn." + type + ".f32 %d, %x;", halves);
        for (std::size_t row = 0; row < halves.size(); ++row) {
            const bool isNan = (halves[row] & 0x7fff) > (type == "f16" ? 0x7c00 : 0x7f80);
            EXPECT_EQ(back[row], isNan ? 0x7fff : halves[row])
                << type << std::hex << halves[row];  // NaN: the canonical one
        }
    }
    const std::vector<float> a{1,         65504,        65519.9f,         65520,  1e-8f, 2.98e-8f,
                               2.981e-8f, 1 + 0x1p-11f, 1 + 3 * 0x1p-11f, -70000, 1e9f};
    EXPECT_EQ(evaluate<std::uint16_t>("cvt.rn.f16.f32 %d, %a;", a),
              (std::vector<std::uint16_t>{0x3c00, 0x7bff, 0x7bff, 0x7c00, 0, 0, 1, 0x3c00, 0x3c02,
                                          0xfc00, 0x7c00}));
    EXPECT_EQ(evaluate<std::uint16_t>("cvt.rz.f16.f32 %d, %a;", a),
              (std::vector<std::uint16_t>{0x3c00, 0x7bff, 0x7bff, 0x7bff, 0, 0, 0, 0x3c00, 0x3c01,
                                          0xfbff, 0x7bff}));
    EXPECT_EQ(evaluate<std::uint16_t>("cvt.rp.f16.f32 %d, %a;", a),
              (std::vector<std::uint16_t>{0x3c00, 0x7bff, 0x7c00, 0x7c00, 1, 1, 1, 0x3c01, 0x3c02,
                                          0xfbff, 0x7c00}));
    EXPECT_EQ(evaluate<std::uint16_t>("cvt.rm.f16.f32 %d, %a;", a),
              (std::vector<std::uint16_t>{0x3c00, 0x7bff, 0x7bff, 0x7bff, 0, 0, 0, 0x3c00, 0x3c01,
                                          0xfc00, 0x7bff}));
    EXPECT_EQ(
        evaluate<std::uint16_t>("cvt.rz.bf16.f32 %d, %a;",
                                std::vector<float>{1 + 0x1p-7f, 1 + 0x1.8p-7f, -1 - 0x1.8p-7f}),
        (std::vector<std::uint16_t>{0x3f81, 0x3f81, 0xbf81}));
    EXPECT_EQ(evaluate<std::uint32_t>("cvt.rn.f16x2.f32 %d, %a, %b;", std::vector<float>{1},
                                      std::vector<float>{-2})[0],
              0x3c00c000u);
    EXPECT_EQ(evaluate<std::uint32_t>("cvt.rn.relu.bf16x2.f32 %d, %a, %b;", std::vector<float>{1},
                                      std::vector<float>{-2})[0],
              0x3f800000u);
    EXPECT_EQ(evaluate<std::uint16_t>("cvt.rn.f16.s32 %d, %a;",
                                      std::vector<std::int32_t>{-3, 70000, 2049}),
              (std::vector<std::uint16_t>{0xc200, 0x7c00, 0x6800}));
    // As cuda_bf16.h writes it, without a blank behind `.reg`: 48.5, -1.25, 300.
    EXPECT_EQ(evaluate<std::uint16_t>(".reg.b8 x; cvt.rzi.s8.bf16 x, %a; mov.b16 %d, {x, 0};",
                                      std::vector<std::uint16_t>{0x4242, 0xbfa0, 0x4396}),
              (std::vector<std::uint16_t>{48, 0xff, 0x7f}));
}

}  // namespace
}  // namespace warplens::ptx::test
