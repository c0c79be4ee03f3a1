// Floating-point arithmetic (PTX ISA, "Floating-Point Instructions", "Half-Precision Floating-Point
// Instructions"). What devices approximate (`.approx`) is rounded to nearest here.
#include <cmath>
#include <limits>

#include "kernels/ptx/steps/decoder.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

/// Of results of `operands`; `errorOf(nearest)` is the exact value less the nearest one, or has its
/// sign.
template <Rounding rounding, class T, class ErrorOf, class... Operands>
T rounded(T nearest, ErrorOf errorOf, Operands... operands) {
    if constexpr (rounding == Rounding::nearest) return nearest;
    double error = errorOf(nearest);
    // Of a sum that is too large the error is no number; the exact value is finite.
    if ((std::isfinite(operands) && ...) && std::isinf(nearest) && error != error) error = -nearest;
    return directed(nearest, error, rounding);
}
double sumError(double a, double b, double sum) {
    // Of the larger part first: the other way round it may overflow.
    if (std::fabs(a) < std::fabs(b)) std::swap(a, b);
    const double part = sum - a;
    return (a - (sum - part)) + (b - part);
}
/// a + b - nearest; of floats the double between them counts, too.
template <class T>
double errorOfSum(T a, T b, T nearest) {
    const double sum = static_cast<double>(a) + b;
    return (sum - nearest) + sumError(a, b, sum);
}
/// a * b + c - nearest, or its sign. Of floats the product is exact.
double productError(float a, float b, float c, float nearest) {
    const double product = static_cast<double>(a) * b;
    const double sum = product + c;
    return (sum - nearest) + sumError(product, c, sum);
}
double productError(double a, double b, double c, double nearest) {
    constexpr double small = 0x1p-900;
    constexpr double large = 0x1p900;
    const auto scale = [&](double& factor, double by) {
        factor *= by;
        c *= by;
        nearest *= by;
    };
    // What is lost would be below the smallest number, or the product above the largest.
    if (std::fabs(nearest) < small && std::fabs(c) < small) {
        scale(std::fabs(a) < std::fabs(b) ? a : b, 0x1p200);
    } else if (std::fabs(a * b) > large) {
        scale(std::fabs(a) < std::fabs(b) ? b : a, 0x1p-200);
    }
    const double product = a * b;
    const double low = std::fma(a, b, -product);
    const double sum = product + c;
    const double error = (sum - nearest) + (sumError(product, c, sum) + low);
    // A product below the smallest number has a sign still.
    const bool isLost = product == 0 && a != 0 && b != 0;
    return error == 0 && isLost ? std::copysign(small, product) : error;
}
/// The sum that is exactly zero has the sign that the rounding says, unless both parts have one.
template <Rounding rounding, class T>
T withZero(T sum, T a, T b) {
    if (rounding != Rounding::down || sum != 0) return sum;
    return std::signbit(a) || std::signbit(b) ? -T(0) : T(0);
}

/// a / b - quotient, or its sign.
template <class T>
double errorOfQuotient(T a, T b, T quotient) {
    if (b == 0) return 0;  // what comes of it is exact
    const double rest = productError(-quotient, b, a, T(0));
    return std::signbit(b) ? -rest : rest;
}

template <Rounding rounding>
constexpr auto plus = []<class T>(T a, T b) {
    const auto error = [=](T sum) { return errorOfSum(a, b, sum); };
    return withZero<rounding>(rounded<rounding>(a + b, error, a, b), a, b);
};
template <Rounding rounding>
constexpr auto minus = []<class T>(T a, T b) {
    const auto error = [=](T difference) { return errorOfSum(a, -b, difference); };
    return withZero<rounding>(rounded<rounding>(a - b, error, a, b), a, -b);
};
template <Rounding rounding>
constexpr auto times = []<class T>(T a, T b) {
    const auto error = [=](T product) { return productError(a, b, T(0), product); };
    return rounded<rounding>(a * b, error, a, b);
};
template <Rounding rounding>
constexpr auto over = []<class T>(T a, T b) {
    const auto error = [=](T quotient) { return errorOfQuotient(a, b, quotient); };
    return rounded<rounding>(a / b, error, a, b);
};
template <Rounding rounding>
constexpr auto reciprocal = []<class T>(T a) { return over<rounding>(T(1), a); };
template <Rounding rounding>
constexpr auto squareRoot = []<class T>(T a) {
    const auto error = [=](T root) { return productError(-root, root, a, T(0)); };
    return rounded<rounding>(std::sqrt(a), error, a);
};

/// The sum of an exact product and c, rounded to odd: what it is rounded to next is as if rounded
/// once.
inline double oddSum(double product, double c) {
    const double sum = product + c;
    const double error = sumError(product, c, sum);
    auto bits = std::bit_cast<u64>(sum);
    if (error == error && error != 0 && (bits & 1) == 0) {
        bits += (error > 0) == (sum > 0) ? 1 : -1;
    }
    return std::bit_cast<double>(bits);
}
/// Without a fused instruction.
inline float fusedFloat(float a, float b, float c) {
    return static_cast<float>(oddSum(static_cast<double>(a) * b, c));
}
template <Rounding rounding>
constexpr auto timesPlus = []<class T>(T a, T b, T c) {
    T nearest;
    if constexpr (sizeof(T) == 4)
        nearest = fusedFloat(a, b, c);
    else
        nearest = std::fma(a, b, c);
    const auto error = [=](T sum) { return productError(a, b, c, sum); };
    const T sign = std::signbit(a) != std::signbit(b) ? T(-1) : T(1);
    return withZero<rounding>(rounded<rounding>(nearest, error, a, b, c), sign, c);
};

template <class T>
T fromFloat(float value) {
    if constexpr (std::is_same_v<T, Half>)
        return toHalf(value);
    else
        return toBfloat(value);
}
/// 16-bit floats, worked out as 32-bit ones: these have more than twice their bits and two, so that
/// rounding twice rounds as once.
template <auto op>
constexpr auto ofShort =
    []<class T>(T a, auto... rest) { return fromFloat<T>(op(toFloat(a), toFloat(rest)...)); };
constexpr auto shortTimesPlus = []<class T>(T a, T b, T c) {
    return fromFloat<T>(
        roundToOdd(oddSum(static_cast<double>(toFloat(a)) * toFloat(b), toFloat(c))));
};
/// Two of them in one register.
template <auto op, class T>
constexpr auto pair = [](auto... operands) {
    const T low = op(T{u16(operands)}...);
    const T high = op(T{u16(operands >> 16)}...);
    return u32{low.bits} | u32{high.bits} << 16;
};

constexpr auto negation = [](auto a) { return -a; };
constexpr auto magnitude = [](auto a) { return std::fabs(a); };
constexpr auto smaller = []<class T>(T a, T b) {
    if (a != a) return b;
    if (b != b) return a;
    return a < b || (a == b && std::signbit(a)) ? a : b;
};
constexpr auto larger = []<class T>(T a, T b) {
    if (a != a) return b;
    if (b != b) return a;
    return a > b || (a == b && !std::signbit(a)) ? a : b;
};
template <auto op>
constexpr auto orNan = []<class T>(T a, T b) {
    return a != a || b != b ? std::numeric_limits<T>::quiet_NaN() : op(a, b);
};
constexpr auto withSign = [](auto a, auto b) { return std::copysign(b, a); };
constexpr auto inverseRoot = []<class T>(T a) {
    return static_cast<T>(1.0 / std::sqrt(static_cast<double>(a)));
};
constexpr auto powerOfTwo = [](auto a) { return std::exp2(a); };
constexpr auto logarithm = [](auto a) { return std::log2(a); };
constexpr auto sine = [](auto a) { return std::sin(a); };
constexpr auto cosine = [](auto a) { return std::cos(a); };
constexpr auto hyperbolicTangent = [](auto a) { return std::tanh(a); };
constexpr auto saturated = []<class T>(T a) { return a > 0 ? (a < 1 ? a : T(1)) : T(0); };
constexpr auto rectified = []<class T>(T a) { return a > 0 || a != a ? a : T(0); };
constexpr auto flushed = [](float a) {
    return std::fabs(a) < std::numeric_limits<float>::min() ? std::copysign(0.0f, a) : a;
};

// One instruction where the processor has it.
#if defined(__FMA__) || defined(__aarch64__)
#define WARPLENS_FUSED
constexpr bool mayFuse = true;
#elif defined(__x86_64__) && defined(__GNUC__) && !defined(WARPLENS_PTX_BASELINE)
#define WARPLENS_FUSED __attribute__((target("avx2,fma")))
const bool mayFuse = __builtin_cpu_supports("fma") && __builtin_cpu_supports("avx2");
#else
#define WARPLENS_FUSED
constexpr bool mayFuse = false;
#endif
WARPLENS_FUSED const Step* fusedFloats(Warp& warp, const Step* step) {
    const float* a = warp.value<float>(step->a);
    const float* b = warp.value<float>(step->b);
    const float* c = warp.value<float>(step->c);
    forLanes<float>(
        warp, step->d, [=](u32 lane) __attribute__((always_inline)) {
            return __builtin_fmaf(a[lane], b[lane], c[lane]);
        });
    WARPLENS_GO(warp, step + 1);
}
/// Without it: the sum as a double, in which the product is exact, rounds to the same float as the
/// exact sum does, unless it lies just between two. Those of normal floats have 29 bits behind
/// them; below them more.
const Step* unfusedFloats(Warp& warp, const Step* step) {
    const float* a = warp.value<float>(step->a);
    const float* b = warp.value<float>(step->b);
    const float* c = warp.value<float>(step->c);
    alignas(64) float sums[lanesPerWarp];
    u64 between = 0;
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
        const double sum = static_cast<double>(a[lane]) * b[lane] + c[lane];
        sums[lane] = static_cast<float>(sum);
        const u64 rest = std::bit_cast<u64>(sum) & 0x1fffffff;
        const bool isTiny = std::fabs(sum) < std::numeric_limits<float>::min();
        between |= u64{rest == 0x10000000} | (u64{isTiny} & u64{sum != 0});
    }
    if (between != 0) [[unlikely]]
        return apply<timesPlus<Rounding::nearest>, float, float, float>(warp, step);
    forLanes<float>(warp, step->d, [&](u32 lane) { return sums[lane]; });
    WARPLENS_GO(warp, step + 1);
}

/// mode: which of the properties, as `testp` is registered with.
template <class T>
const Step* testProperty(Warp& warp, const Step* step) {
    u32 lanes = 0;
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
        const int kind = std::fpclassify(warp.value<T>(step->a)[lane]);
        const bool holds[] = {kind != FP_INFINITE && kind != FP_NAN,
                              kind == FP_INFINITE,
                              kind != FP_NAN,
                              kind == FP_NAN,
                              kind == FP_NORMAL,
                              kind == FP_SUBNORMAL};
        lanes |= u32{holds[step->mode]} << lane;
    }
    warp.setPredicate(step->d, lanes);
    WARPLENS_GO(warp, step + 1);
}
/// Of 16-bit floats, alone and in pairs.
template <auto op, std::size_t n>
void addShort(InstructionTable& table, const std::string& name) {
    [&]<std::size_t... at>(std::index_sequence<at...>) {
        table.add<op, std::enable_if_t<at + 1 != 0, Half>...>(name + ".f16");
        table.add<op, std::enable_if_t<at + 1 != 0, Bfloat>...>(name + ".bf16");
        table.add<pair<op, Half>, std::enable_if_t<at + 1 != 0, u32>...>(name + ".f16x2");
        table.add<pair<op, Bfloat>, std::enable_if_t<at + 1 != 0, u32>...>(name + ".bf16x2");
    }
    (std::make_index_sequence<n>());
}
template <auto op, std::size_t n>
void addReal(InstructionTable& table, const std::string& name) {
    table.each<op, n>(name, "f", Types<float, double>{});
}
template <auto op, std::size_t n>
void addOfAll(InstructionTable& table, const std::string& name) {
    addReal<op, n>(table, name);
    addShort<ofShort<op>, n>(table, name);
}
template <auto op>
void addApproximate(InstructionTable& table, const std::string& name) {
    table.add<op, float>(name + ".f32");
    addShort<ofShort<op>, 1>(table, name);
}
/// Arithmetic of floats, which may say how it rounds.
template <Rounding rounding>
void addRounded(InstructionTable& table, const std::string& how) {
    addReal<plus<rounding>, 2>(table, "add" + how);
    addReal<minus<rounding>, 2>(table, "sub" + how);
    addReal<times<rounding>, 2>(table, "mul" + how);
    addReal<over<rounding>, 2>(table, "div" + how);
    addReal<timesPlus<rounding>, 3>(table, "fma" + how);
    addReal<timesPlus<rounding>, 3>(table, "mad" + how);
    addReal<squareRoot<rounding>, 1>(table, "sqrt" + how);
    addReal<reciprocal<rounding>, 1>(table, "rcp" + how);
}

}  // namespace

void addReals(InstructionTable& table) {
    table.set("testp", InstructionTable::Form{
                           "da",
                           testProperty<float>,
                           testProperty<double>,
                           {"finite", "infinite", "number", "notanumber", "normal", "subnormal"}});
    addRounded<Rounding::nearest>(table, "");
    addRounded<Rounding::zero>(table, ".rz");
    addRounded<Rounding::down>(table, ".rm");
    addRounded<Rounding::up>(table, ".rp");
    addShort<ofShort<plus<Rounding::nearest>>, 2>(table, "add");
    addShort<ofShort<minus<Rounding::nearest>>, 2>(table, "sub");
    addShort<ofShort<times<Rounding::nearest>>, 2>(table, "mul");
    addShort<shortTimesPlus, 3>(table, "fma");
    for (const char* name : {"fma.f32", "mad.f32"}) {
        table.set(name, InstructionTable::Row{mayFuse ? fusedFloats : unfusedFloats,
                                              {Type::f32, Type::f32, Type::f32}});
    }
    addReal<withSign, 2>(table, "copysign");
    addReal<inverseRoot, 1>(table, "rsqrt");
    addOfAll<smaller, 2>(table, "min");
    addOfAll<larger, 2>(table, "max");
    addOfAll<orNan<smaller>, 2>(table, "min.NaN");
    addOfAll<orNan<larger>, 2>(table, "max.NaN");
    addOfAll<negation, 1>(table, "neg");
    addOfAll<magnitude, 1>(table, "abs");
    addApproximate<powerOfTwo>(table, "ex2");
    addApproximate<logarithm>(table, "lg2");
    addApproximate<sine>(table, "sin");
    addApproximate<cosine>(table, "cos");
    addApproximate<hyperbolicTangent>(table, "tanh");
    // What modifiers do to operands and results.
    table.add<flushed, float>(".ftz.f32");
    addOfAll<saturated, 1>(table, ".sat");
    addOfAll<rectified, 1>(table, ".relu");
}

}  // namespace warplens::ptx
