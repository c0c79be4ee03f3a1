// Floating-point arithmetic (PTX ISA, "Floating-Point Instructions", "Half-Precision Floating-Point
// Instructions"). What devices approximate (`.approx`) is rounded to nearest here.
#include <cmath>
#include <limits>
#include <span>

#include "kernels/ptx/steps/decoder.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

using u32 = std::uint32_t;

enum class Rounding : std::uint8_t { nearest, zero, down, up };

Rounding roundingOf(const Instruction& instruction) {
    if (instruction.has("rz")) return Rounding::zero;
    if (instruction.has("rm")) return Rounding::down;
    if (instruction.has("rp")) return Rounding::up;
    return Rounding::nearest;
}

/// The neighbour of the nearest value that lies where the rounding wants it; `error` is the exact
/// value less the nearest one, or has its sign.
template <Rounding rounding, class T>
T directed(T nearest, double error, bool finiteOperands) {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    // Of a sum that is too large the error is no number; the exact value is finite.
    if (finiteOperands && std::isinf(nearest) && error != error) error = -nearest;
    if (rounding == Rounding::up && error > 0) return std::nextafter(nearest, infinity);
    if (rounding == Rounding::down && error < 0) return std::nextafter(nearest, -infinity);
    if (rounding == Rounding::zero && ((nearest > 0 && error < 0) || (nearest < 0 && error > 0))) {
        return std::nextafter(nearest, T(0));
    }
    return nearest;
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

struct Plus final {
    static float of(float a, float b) { return a + b; }
    static double of(double a, double b) { return a + b; }
    template <class T>
    static double error(T a, T b, T sum) {
        return errorOfSum(a, b, sum);
    }
    template <Rounding rounding, class T>
    static T zero(T sum, T a, T b) {
        return withZero<rounding>(sum, a, b);
    }
};
struct Minus final {
    static float of(float a, float b) { return a - b; }
    static double of(double a, double b) { return a - b; }
    template <class T>
    static double error(T a, T b, T difference) {
        return errorOfSum(a, -b, difference);
    }
    template <Rounding rounding, class T>
    static T zero(T difference, T a, T b) {
        return withZero<rounding>(difference, a, -b);
    }
};
struct Times final {
    static float of(float a, float b) { return a * b; }
    static double of(double a, double b) { return a * b; }
    template <class T>
    static double error(T a, T b, T product) {
        return productError(a, b, T(0), product);
    }
};
struct Over final {
    static float of(float a, float b) { return a / b; }
    static double of(double a, double b) { return a / b; }
    template <class T>
    static double error(T a, T b, T quotient) {
        if (b == 0) return 0;  // what comes of it is exact
        const double rest = productError(-quotient, b, a, T(0));
        return std::signbit(b) ? -rest : rest;
    }
};
struct Root final {
    static float of(float a) { return std::sqrt(a); }
    static double of(double a) { return std::sqrt(a); }
    template <class T>
    static double error(T a, T root) {
        return productError(-root, root, a, T(0));
    }
};
struct Reciprocal final {
    static float of(float a) { return 1.0f / a; }
    static double of(double a) { return 1.0 / a; }
    template <class T>
    static double error(T a, T quotient) {
        return Over::error(T(1), a, quotient);
    }
};

/// The sum of an exact product and c, rounded to odd: what it is rounded to next is as if rounded
/// once.
inline double oddSum(double product, double c) {
    const double sum = product + c;
    const double error = sumError(product, c, sum);
    auto bits = std::bit_cast<std::uint64_t>(sum);
    if (error == error && error != 0 && (bits & 1) == 0) {
        bits += (error > 0) == (sum > 0) ? 1 : -1;
    }
    return std::bit_cast<double>(bits);
}
/// Without a fused instruction.
inline float fusedFloat(float a, float b, float c) {
    return static_cast<float>(oddSum(static_cast<double>(a) * b, c));
}
struct TimesPlus final {
    static float of(float a, float b, float c) { return fusedFloat(a, b, c); }
    static double of(double a, double b, double c) { return std::fma(a, b, c); }
    template <class T>
    static double error(T a, T b, T c, T nearest) {
        return productError(a, b, c, nearest);
    }
    template <Rounding rounding, class T>
    static T zero(T sum, T a, T b, T c) {
        return withZero<rounding>(sum, std::signbit(a) != std::signbit(b) ? T(-1) : T(1), c);
    }
};

template <class Op, Rounding rounding>
struct Rounded final {
    template <class... T>
    static auto of(T... operands) {
        const auto nearest = Op::of(operands...);
        if constexpr (rounding == Rounding::nearest) {
            return nearest;
        } else {
            const auto result = directed<rounding>(nearest, Op::error(operands..., nearest),
                                                   (std::isfinite(operands) && ...));
            if constexpr (requires { Op::template zero<rounding>(result, operands...); }) {
                return Op::template zero<rounding>(result, operands...);
            } else {
                return result;
            }
        }
    }
};

/// 16-bit floats, worked out as 32-bit ones: these have more than twice their bits and two, so that
/// rounding twice rounds as once.
template <class Op>
struct Short final {
    template <class... T>
    static auto result(float value, T...) {
        if constexpr ((std::is_same_v<T, Half> || ...))
            return toHalf(value);
        else
            return toBfloat(value);
    }
    template <class... T>
    static auto of(T... operands) {
        return result(Op::of(toFloat(operands)...), operands...);
    }
};
template <>
struct Short<TimesPlus> final {
    static Half of(Half a, Half b, Half c) {
        return toHalf(roundToOdd(oddSum(static_cast<double>(toFloat(a)) * toFloat(b), toFloat(c))));
    }
    static Bfloat of(Bfloat a, Bfloat b, Bfloat c) {
        return toBfloat(
            roundToOdd(oddSum(static_cast<double>(toFloat(a)) * toFloat(b), toFloat(c))));
    }
};
/// Two of them in one register.
template <class Op, class T>
struct Pair final {
    template <class... U>
    static u32 of(U... operands) {
        const T low = Op::of(T{static_cast<std::uint16_t>(operands)}...);
        const T high = Op::of(T{static_cast<std::uint16_t>(operands >> 16)}...);
        return u32{low.bits} | u32{high.bits} << 16;
    }
};

struct Negated final {
    static float of(float a) { return -a; }
    static double of(double a) { return -a; }
};
struct Magnitude final {
    static float of(float a) { return std::fabs(a); }
    static double of(double a) { return std::fabs(a); }
};
struct Smaller final {
    template <class T>
    static T of(T a, T b) {
        if (a != a) return b;
        if (b != b) return a;
        return a < b || (a == b && std::signbit(a)) ? a : b;
    }
};
struct Larger final {
    template <class T>
    static T of(T a, T b) {
        if (a != a) return b;
        if (b != b) return a;
        return a > b || (a == b && !std::signbit(a)) ? a : b;
    }
};
template <class Op>
struct OrNan final {
    template <class T>
    static T of(T a, T b) {
        return a != a || b != b ? std::numeric_limits<T>::quiet_NaN() : Op::of(a, b);
    }
};
struct WithSign final {
    static float of(float a, float b) { return std::copysign(b, a); }
    static double of(double a, double b) { return std::copysign(b, a); }
};
struct InverseRoot final {
    static float of(float a) { return static_cast<float>(1.0 / std::sqrt(static_cast<double>(a))); }
    static double of(double a) { return 1.0 / std::sqrt(a); }
};
struct PowerOfTwo final {
    static float of(float a) { return std::exp2(a); }
};
struct Logarithm final {
    static float of(float a) { return std::log2(a); }
};
struct Sine final {
    static float of(float a) { return std::sin(a); }
};
struct Cosine final {
    static float of(float a) { return std::cos(a); }
};
struct Tangent final {  // hyperbolic
    static float of(float a) { return std::tanh(a); }
};
struct Saturated final {
    template <class T>
    static T of(T a) {
        return a > 0 ? (a < 1 ? a : T(1)) : T(0);
    }
};
struct Rectified final {
    template <class T>
    static T of(T a) {
        return a > 0 ? a : a != a ? a : T(0);
    }
};
struct Flushed final {
    static float of(float a) {
        return std::fabs(a) < std::numeric_limits<float>::min() ? std::copysign(0.0f, a) : a;
    }
};

// One instruction where the processor has it.
#if defined(__FMA__) || defined(__aarch64__)
#define WARPLENS_FUSED
constexpr bool mayFuse = true;
#elif defined(__x86_64__) && defined(__GNUC__)
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

const Step* testProperty(Warp& warp, const Step* step) {
    u32 lanes = 0;
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
        int kind;
        if (step->option == 8)
            kind = std::fpclassify(warp.value<double>(step->a)[lane]);
        else
            kind = std::fpclassify(warp.value<float>(step->a)[lane]);
        bool holds = false;
        switch (step->mode) {
            case 0:
                holds = kind != FP_INFINITE && kind != FP_NAN;
                break;
            case 1:
                holds = kind == FP_INFINITE;
                break;
            case 2:
                holds = kind != FP_NAN;
                break;
            case 3:
                holds = kind == FP_NAN;
                break;
            case 4:
                holds = kind == FP_NORMAL;
                break;
            default:
                holds = kind == FP_SUBNORMAL;
                break;
        }
        lanes |= u32{holds} << lane;
    }
    warp.setPredicate(step->d, lanes);
    WARPLENS_GO(warp, step + 1);
}

/// The handler for the type, of as many operands as types are repeated.
template <class Op, class F, class D, class H, class B, class P>
Handler pick(Type type, F f32, D f64, H f16, B bf16, P pair) {
    switch (type) {
        case Type::f32:
            return f32;
        case Type::f64:
            return f64;
        case Type::f16:
            return f16;
        case Type::bf16:
            return bf16;
        case Type::f16x2:
            return pair(Half{});
        case Type::bf16x2:
            return pair(Bfloat{});
        default:
            return nullptr;
    }
}
template <class Op>
Handler one(Type type) {
    return pick<Op>(
        type, apply<Op, float, float>, apply<Op, double, double>, apply<Short<Op>, Half, Half>,
        apply<Short<Op>, Bfloat, Bfloat>,
        [](auto t) -> Handler { return apply<Pair<Short<Op>, decltype(t)>, u32, u32>; });
}
template <class Op>
Handler two(Type type) {
    return pick<Op>(
        type, apply<Op, float, float, float>, apply<Op, double, double, double>,
        apply<Short<Op>, Half, Half, Half>, apply<Short<Op>, Bfloat, Bfloat, Bfloat>,
        [](auto t) -> Handler { return apply<Pair<Short<Op>, decltype(t)>, u32, u32, u32>; });
}
template <class Op, Rounding rounding, class T>
Handler roundedHandler(std::size_t operands) {
    using R = Rounded<Op, rounding>;
    if constexpr (requires(T t) { Op::of(t); }) {
        return operands == 1 ? apply<R, T, T> : nullptr;
    } else if constexpr (requires(T t) { Op::of(t, t); }) {
        return operands == 2 ? apply<R, T, T, T> : nullptr;
    } else {
        return operands == 3 ? apply<R, T, T, T, T> : nullptr;
    }
}
template <class Op>
Handler rounded(Type type, Rounding rounding, std::size_t operands) {
    const bool isDouble = type == Type::f64;
    if (!isDouble && type != Type::f32) return nullptr;
    switch (rounding) {
        case Rounding::zero:
            return isDouble ? roundedHandler<Op, Rounding::zero, double>(operands)
                            : roundedHandler<Op, Rounding::zero, float>(operands);
        case Rounding::down:
            return isDouble ? roundedHandler<Op, Rounding::down, double>(operands)
                            : roundedHandler<Op, Rounding::down, float>(operands);
        case Rounding::up:
            return isDouble ? roundedHandler<Op, Rounding::up, double>(operands)
                            : roundedHandler<Op, Rounding::up, float>(operands);
        case Rounding::nearest:
            break;
    }
    return isDouble ? roundedHandler<Op, Rounding::nearest, double>(operands)
                    : roundedHandler<Op, Rounding::nearest, float>(operands);
}

/// The operands, subnormal ones as zeros where `.ftz` says so, then the step and what its modifiers
/// do to the result.
bool emitReal(Decoder& decoder, const Instruction& instruction, Handler run, std::size_t operands) {
    const Type type = instruction.type();
    if (run == nullptr || instruction.operands.size() < operands + 1) return decoder.fail("");
    const bool flush = instruction.has("ftz") && type == Type::f32;
    Slot sources[3] = {noSlot, noSlot, noSlot};
    for (std::size_t at = 0; at < operands; ++at) {
        sources[at] = decoder.source(instruction.operands[at + 1], type);
        if (!flush) continue;
        const Slot flushed = decoder.temporary(narrowBytes);
        Step& step = decoder.emit(apply<Flushed, float, float>);
        step.a = std::exchange(sources[at], flushed);
        step.d = flushed;
    }
    const Slot target = decoder.target(instruction.operands[0]);
    Step& step = decoder.emit(run);
    step.d = target;
    step.a = sources[0];
    step.b = sources[1];
    step.c = sources[2];
    const auto onResult = [&](Handler after) {
        if (after == nullptr) return decoder.fail("");
        Step& more = decoder.emit(after);
        more.d = more.a = target;
        return true;
    };
    if (flush && !onResult(apply<Flushed, float, float>)) return false;
    if (instruction.has("sat") && !onResult(one<Saturated>(type))) return false;
    return !instruction.has("relu") || onResult(one<Rectified>(type));
}

template <class Op>
bool arithmetic(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    if (!isFloat(type) || type == Type::f32x2) return false;
    constexpr std::size_t operands = requires(float t) {
        Op::of(t);
    }
    ? 1 : requires(float t) {
        Op::of(t, t);
    }
    ? 2 : 3;
    const Rounding rounding = roundingOf(instruction);
    Handler run = nullptr;
    if (type == Type::f32 || type == Type::f64) {
        run = rounded<Op>(type, rounding, operands);
        if constexpr (operands == 3) {
            if (type == Type::f32 && rounding == Rounding::nearest)
                run = mayFuse ? fusedFloats : apply<TimesPlus, float, float, float, float>;
        }
    } else if (rounding == Rounding::nearest) {
        if constexpr (operands == 2) {
            run = two<Op>(type);
        } else if constexpr (operands == 3) {
            using S = Short<TimesPlus>;
            run = type == Type::f16     ? apply<S, Half, Half, Half, Half>
                  : type == Type::bf16  ? apply<S, Bfloat, Bfloat, Bfloat, Bfloat>
                  : type == Type::f16x2 ? apply<Pair<S, Half>, u32, u32, u32, u32>
                                        : apply<Pair<S, Bfloat>, u32, u32, u32, u32>;
        }
    }
    return emitReal(decoder, instruction, run, operands);
}
template <class Op>
bool smallerOrLarger(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    if (!isFloat(type) || instruction.has("xorsign")) return false;
    const std::size_t operands = instruction.operands.size() - 1;
    if (operands != 2) return decoder.fail("");
    return emitReal(decoder, instruction,
                    instruction.has("NaN") ? two<OrNan<Op>>(type) : two<Op>(type), 2);
}
template <class Op>
bool ofSign(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    return isFloat(type) && emitReal(decoder, instruction, one<Op>(type), 1);
}
bool copySign(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    return emitReal(decoder, instruction,
                    type == Type::f64 ? apply<WithSign, double, double, double>
                                      : apply<WithSign, float, float, float>,
                    2);
}
bool inverseRoot(Decoder& decoder, const Instruction& instruction) {
    return emitReal(decoder, instruction,
                    instruction.type() == Type::f64 ? apply<InverseRoot, double, double>
                                                    : apply<InverseRoot, float, float>,
                    1);
}
template <class Op>
bool transcendental(Decoder& decoder, const Instruction& instruction) {
    Handler run = nullptr;
    switch (instruction.type()) {
        case Type::f32:
            run = apply<Op, float, float>;
            break;
        case Type::f16:
            run = apply<Short<Op>, Half, Half>;
            break;
        case Type::bf16:
            run = apply<Short<Op>, Bfloat, Bfloat>;
            break;
        case Type::f16x2:
            run = apply<Pair<Short<Op>, Half>, u32, u32>;
            break;
        case Type::bf16x2:
            run = apply<Pair<Short<Op>, Bfloat>, u32, u32>;
            break;
        default:
            break;
    }
    return emitReal(decoder, instruction, run, 1);
}
bool property(Decoder& decoder, const Instruction& instruction) {
    constexpr std::string_view names[] = {"finite",     "infinite", "number",
                                          "notanumber", "normal",   "subnormal"};
    u32 mode = 0;
    while (mode < std::size(names) && !instruction.has(names[mode])) ++mode;
    if (mode == std::size(names)) return decoder.fail("");
    if (!decoder.emitApply(testProperty, instruction, {instruction.type()})) return false;
    decoder.last().mode = mode;
    decoder.last().option = bytesOf(instruction.type());
    return true;
}

constexpr Opcode opcodes[] = {
    {"add", arithmetic<Plus>},
    {"sub", arithmetic<Minus>},
    {"mul", arithmetic<Times>},
    {"fma", arithmetic<TimesPlus>},
    {"mad", arithmetic<TimesPlus>},
    {"div", arithmetic<Over>},
    {"sqrt", arithmetic<Root>},
    {"rcp", arithmetic<Reciprocal>},
    {"rsqrt", inverseRoot},
    {"min", smallerOrLarger<Smaller>},
    {"max", smallerOrLarger<Larger>},
    {"neg", ofSign<Negated>},
    {"abs", ofSign<Magnitude>},
    {"copysign", copySign},
    {"ex2", transcendental<PowerOfTwo>},
    {"lg2", transcendental<Logarithm>},
    {"sin", transcendental<Sine>},
    {"cos", transcendental<Cosine>},
    {"tanh", transcendental<Tangent>},
    {"testp", property},
};

}  // namespace

std::span<const Opcode> realOpcodes() {
    return opcodes;
}

}  // namespace warplens::ptx
