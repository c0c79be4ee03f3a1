// Several small values in a register (PTX ISA, "Video Instructions", and integers of 16 bits in
// pairs), 8-bit floats and tf32.
#include <algorithm>
#include <cmath>

#include "kernels/ptx/steps/decoder.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

enum class Does : u8 { add, subtract, difference, minimum, maximum, average, set };
constexpr std::pair<std::string_view, Does> names[] = {
    {"add", Does::add},     {"sub", Does::subtract}, {"absdiff", Does::difference},
    {"min", Does::minimum}, {"max", Does::maximum},  {"avrg", Does::average},
    {"set", Does::set}};

/// Of a step: how values lie in a, b and d, and what is done with them.
struct Video final {
    Does does{};
    u32 bits = 8;
    bool aHasSign = false, bHasSign = false, dHasSign = false;
    bool saturates = false, accumulates = false, rectifies = false;
    u32 condition = 0;  ///< of `vset`
    u32 lanes = 0xf;    ///< parts of d that are written
};

/// Whether it is one of the names, whose meaning the step gets.
bool takeName(std::string_view name, Video& video) {
    const auto known = std::ranges::find(names, name, [](const auto& row) { return row.first; });
    if (known == std::end(names)) return false;
    video.does = known->second;
    return true;
}

s64 partOf(u32 word, u32 part, u32 bits, bool hasSign) {
    const u32 value = bits == 32 ? word : word >> (part * bits) & ((1u << bits) - 1);
    if (!hasSign) return value;
    return s32(value << (32 - bits)) >> (32 - bits);
}

s64 resultOf(const Video& video, s64 a, s64 b) {
    switch (video.does) {
        case Does::add:
            return a + b;
        case Does::subtract:
            return a - b;
        case Does::difference:
            return a > b ? a - b : b - a;
        case Does::minimum:
            return std::min(a, b);
        case Does::maximum:
            return std::max(a, b);
        case Does::average: {
            const s64 sum = a + b;
            return (sum + (sum >= 0 ? 1 : 0)) >> 1;
        }
        default: {
            const bool results[] = {a == b, a != b, a<b, a <= b, a> b, a >= b};
            return results[video.condition] ? 1 : 0;
        }
    }
}

/// `vadd4.s32.u32.s32 d, a, b, c`: c is added to all, or what stays where a part is not written.
const Step* videoStep(Warp& warp, const Step* step) {
    const auto& video = *static_cast<const Video*>(step->more);
    const u32* a = warp.value<u32>(step->a);
    const u32* b = warp.value<u32>(step->b);
    const u32* c = warp.value<u32>(step->c);
    alignas(64) u32 result[lanesPerWarp];
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
        u32 word = 0;
        s64 sum = s32(c[lane]);
        for (u32 part = 0; part < 32 / video.bits; ++part) {
            if ((video.lanes >> part & 1u) == 0) {
                word |= c[lane] & (((1u << video.bits) - 1) << (part * video.bits));
                continue;
            }
            s64 value = resultOf(video, partOf(a[lane], part, video.bits, video.aHasSign),
                                 partOf(b[lane], part, video.bits, video.bHasSign));
            if (video.saturates) {
                const s64 most = (s64{1} << (video.dHasSign ? video.bits - 1 : video.bits)) - 1;
                value = std::clamp<s64>(value, video.dHasSign ? -most - 1 : 0, most);
            }
            if (video.rectifies) value = std::max<s64>(value, 0);
            sum += value;
            const auto bits = u32(value);
            word |=
                video.bits == 32 ? bits : (bits & ((1u << video.bits) - 1)) << (part * video.bits);
        }
        result[lane] = video.accumulates ? u32(sum) : word;
    }
    store(warp, step->d, result);
    WARPLENS_GO(warp, step + 1);
}

bool emitVideo(Decoder& decoder, const Instruction& instruction, const Video& video) {
    const std::vector<Operand>& operands = instruction.operands;
    if (operands.size() < 3) return decoder.fail();
    decoder
        .emit({.run = videoStep,
               .d = decoder.target(operands[0]),
               .a = decoder.source(operands[1], Type::b32),
               .b = decoder.source(operands[2], Type::b32),
               .c = operands.size() > 3 ? decoder.source(operands[3], Type::b32)
                                        : decoder.constant(0, false)})
        .more = decoder.keep(video);
    return true;
}

bool videoInstruction(Decoder& decoder, const Instruction& instruction) {
    std::string_view name = instruction.words[0].substr(1);
    Video video{.bits = name.ends_with('4') ? 8u : name.ends_with('2') ? 16u : 32u};
    if (video.bits != 32) name.remove_suffix(1);
    if (!takeName(name, video)) return decoder.fail();
    for (const Operand& operand : instruction.operands)
        if (!operand.symbol.empty()) return decoder.fail("chosen bytes");
    std::vector<Type> types;
    for (const std::string_view word : instruction.words)
        if (typeNamed(word) != Type::none) types.push_back(typeNamed(word));
    if (types.size() == 3) video.dHasSign = isSigned(types[0]);
    if (types.size() < 2) return decoder.fail();
    video.aHasSign = isSigned(types[types.size() - 2]);
    video.bHasSign = isSigned(types[types.size() - 1]);
    video.saturates = instruction.has("sat");
    video.accumulates = instruction.has("add");
    video.condition = instruction.which({"eq", "ne", "lt", "le", "gt", "ge"}).value_or(0);
    if (video.bits == 32 && instruction.operands.size() > 3 && !video.accumulates)
        return decoder.fail("a second operation");
    return emitVideo(decoder, instruction, video);
}

/// `min.s16x2`, `add.u16x2`, `max.s16x2.relu`, `max.s32.relu`.
bool pairInstruction(Decoder& decoder, const Instruction& instruction) {
    const bool isWhole = instruction.has("s32") && instruction.has("relu");
    const bool hasSign = isWhole || instruction.has("s16x2");
    if (!hasSign && !instruction.has("u16x2")) return false;
    Video video{.bits = isWhole ? 32u : 16u,
                .aHasSign = hasSign,
                .bHasSign = hasSign,
                .dHasSign = hasSign,
                .rectifies = instruction.has("relu")};
    return takeName(instruction.words[0], video) ? emitVideo(decoder, instruction, video)
                                                 : decoder.fail();
}

/// Of the nearest 8-bit float, at most the largest.
u32 toSmallFloat(float value, u32 mantissaBits) {
    const u32 sign = std::signbit(value) ? 0x80u : 0;
    if (value != value) return 0x7fu;
    const s32 bias = mantissaBits == 3 ? 7 : 15;
    const double largest = mantissaBits == 3 ? 448 : 57344;
    const double magnitude = std::min(std::fabs(static_cast<double>(value)), largest);
    if (magnitude == 0) return sign;
    s32 exponent = std::max(std::ilogb(magnitude), 1 - bias);
    const double steps = std::nearbyint(std::ldexp(magnitude, s32(mantissaBits) - exponent));
    auto mantissa = u32(steps);
    if (mantissa == 2u << mantissaBits) {
        mantissa /= 2;
        ++exponent;
    }
    const u32 one = 1u << mantissaBits;
    const u32 bits =
        mantissa < one ? mantissa : u32(exponent + bias) << mantissaBits | (mantissa - one);
    return sign | std::min(bits, mantissaBits == 3 ? 0x7eu : 0x7bu);
}

template <u32 mantissaBits>
constexpr auto packSmall = [](float a, float b) -> u16 {
    return u16(toSmallFloat(a, mantissaBits) << 8 | toSmallFloat(b, mantissaBits));
};
template <u32 mantissaBits>
constexpr auto packHalves = [](u32 pair) -> u16 {
    const auto part = [&](u32 shift) {
        return toSmallFloat(toFloat(Half{u16(pair >> shift)}), mantissaBits);
    };
    return u16(part(16) << 8 | part(0));
};
template <u32 mantissaBits>
constexpr auto unpackSmall = [](u16 pair) -> u32 {
    const auto part = [&](u32 shift) {
        return u32{toHalf(fromSmallFloat(pair >> shift & 0xffu, mantissaBits)).bits};
    };
    return part(8) << 16 | part(0);
};
/// The nearest with ten bits of fraction, halves away from zero.
constexpr auto roundToTf32 = [](float value) -> u32 {
    const u32 bits = std::bit_cast<u32>(value);
    if ((bits & 0x7fffffffu) >= 0x7f800000u) return bits;
    return (bits + 0x1000u) & 0xffffe000u;
};

bool conversion(Decoder& decoder, const Instruction& instruction) {
    const Type to = instruction.type(1);
    const Type from = instruction.type();
    if (to == Type::tf32 && from == Type::f32 && !instruction.has("relu"))
        return decoder.emitApply({apply<roundToTf32, float>, {Type::f32}}, instruction);
    const bool hasThree = to == Type::e4m3x2 || from == Type::e4m3x2;
    const bool hasTwo = to == Type::e5m2x2 || from == Type::e5m2x2;
    if ((!hasThree && !hasTwo) || instruction.has("relu")) return false;
    const auto convert = [&](Handler ofThree, Handler ofTwo, std::array<Type, 4> sources) {
        return decoder.emitApply({hasThree ? ofThree : ofTwo, sources}, instruction);
    };
    if (to == Type::f16x2)
        return convert(apply<unpackSmall<3>, u16>, apply<unpackSmall<2>, u16>, {Type::b16});
    if (from == Type::f16x2)
        return convert(apply<packHalves<3>, u32>, apply<packHalves<2>, u32>, {Type::b32});
    return from == Type::f32 && convert(apply<packSmall<3>, float, float>,
                                        apply<packSmall<2>, float, float>, {Type::f32, Type::f32});
}

}  // namespace

void addPacked(InstructionTable& table) {
    table.decode({"cvt"}, conversion);
    table.decode({"add", "min", "max"}, pairInstruction);
    for (const std::string name : {"vadd", "vsub", "vabsdiff", "vmin", "vmax"})
        for (const char* parts : {"", "2", "4"}) table.decode({name + parts}, videoInstruction);
    table.decode({"vavrg2", "vset2", "vavrg4", "vset4"}, videoInstruction);
}

}  // namespace warplens::ptx
