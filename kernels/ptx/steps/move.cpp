// Moves, conversions, addresses and special registers (PTX ISA, "Data Movement and Conversion
// Instructions").
#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/ptx/steps/decoder.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

constexpr auto copy = [](auto a) { return a; };

/// `mov.b64 d, {a, b}`: mode parts of option bits each; of T altogether.
template <class T>
const Step* pack(Warp& warp, const Step* step) {
    const u64 mask = (1ull << step->option) - 1;
    alignas(64) T whole[lanesPerWarp] = {};
    for (u32 part = 0; part < step->mode; ++part) {
        const u32* from = warp.value<u32>(step->extra[part]);
        for (u32 lane = 0; lane < lanesPerWarp; ++lane)
            whole[lane] |= T(from[lane] & mask) << (part * step->option);
    }
    store(warp, step->d, whole);
    WARPLENS_GO(warp, step + 1);
}
template <class T>
const Step* unpack(Warp& warp, const Step* step) {
    const u64 mask = (1ull << step->option) - 1;
    const T* whole = warp.value<T>(step->a);
    alignas(64) u32 parts[4][lanesPerWarp];
    for (u32 part = 0; part < step->mode; ++part) {
        for (u32 lane = 0; lane < lanesPerWarp; ++lane)
            parts[part][lane] = u32(whole[lane] >> (part * step->option) & mask);
    }
    for (u32 part = 0; part < step->mode; ++part) {
        if (step->extra[part] != noSlot) store(warp, step->extra[part], parts[part]);
    }
    WARPLENS_GO(warp, step + 1);
}

/// In a register of `bytes`.
void fillWidth(Warp& warp, Slot slot, u64 value, u32 bytes) {
    if (bytes == 8)
        fill(warp, slot, value);
    else
        fill(warp, slot, u32(value));
}

/// Generic addresses of the shared window, and back from them.
constexpr auto toShared = [](u64 a) { return a | sharedWindow; };
constexpr auto fromShared = [](u64 a) { return a ^ sharedWindow; };
constexpr auto fromLocal = [](u64 a) { return a & 0xffffffffu; };
const Step* localToGeneric(Warp& warp, const Step* step) {
    const u64* from = warp.value<u64>(step->a);
    forLanes<u64>(warp, step->d, [&](u32 lane) {
        const u64 thread = warp.rank * lanesPerWarp + lane + 1;
        return localWindow | thread << 32 | (from[lane] & 0xffffffffu);
    });
    WARPLENS_GO(warp, step + 1);
}

const Step* isInSpace(Warp& warp, const Step* step) {
    const u64* from = warp.value<u64>(step->a);
    u32 lanes = 0;
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
        lanes |= u32((from[lane] & windowMask) == u64(step->immediate)) << lane;
    }
    warp.setPredicate(step->d, lanes);
    WARPLENS_GO(warp, step + 1);
}

/// Clocks count what has run, so that two runs are alike.
const Step* readClock(Warp& warp, const Step* step) {
    fillWidth(warp, step->d, warp.block->tick(), step->mode);
    warp.hasChanged = true;
    WARPLENS_GO(warp, step + 1);
}

bool isClock(std::string_view name) {
    return name == "%clock" || name == "%clock64" || name == "%globaltimer" ||
           name == "%globaltimer_lo";
}

bool moveList(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    const Operand& to = instruction.operands[0];
    const Operand& from = instruction.operands[1];
    const bool packs = from.kind == Operand::Kind::list;
    const std::vector<Operand>& parts = packs ? from.parts : to.parts;
    const auto count = u32(parts.size());
    if ((count != 1 && count != 2 && count != 4) || bytesOf(type) * 8 / count >= 64)
        return decoder.fail();
    const u32 bits = bytesOf(type) * 8 / count;
    const bool wide = count * bits == 64;
    Step step{.run = packs ? (wide ? pack<u64> : pack<u32>) : (wide ? unpack<u64> : unpack<u32>),
              .mode = count,
              .option = bits};
    for (u32 part = 0; part < count; ++part) {
        if (packs)
            step.extra[part] = decoder.source(parts[part], bits == 32 ? Type::b32 : Type::b16);
        else if (parts[part].kind != Operand::Kind::none)
            step.extra[part] = decoder.target(parts[part]);
    }
    (packs ? step.d : step.a) = packs ? decoder.target(to) : decoder.source(from, type);
    decoder.emit(step);
    return true;
}

bool move(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    if (type == Type::pred) return false;
    if (instruction.operands.size() != 2 || bytesOf(type) > 8) return decoder.fail();
    const Operand& to = instruction.operands[0];
    const Operand& from = instruction.operands[1];
    if (from.kind == Operand::Kind::list || to.kind == Operand::Kind::list)
        return moveList(decoder, instruction);
    const bool wide = bytesOf(type) == 8;
    if (from.kind == Operand::Kind::special && isClock(from.symbol)) {
        decoder.emit({.run = readClock, .d = decoder.target(to), .mode = bytesOf(type)});
    } else if (from.kind == Operand::Kind::special && wide) {  // values of 32 bits into 64
        decoder.emit({.run = apply<widened, u32>,
                      .d = decoder.target(to),
                      .a = decoder.source(from, Type::u32)});
    } else if (from.kind == Operand::Kind::symbol &&
               decoder.function().variables.contains(from.symbol) &&
               !decoder.program().isShared(from.symbol)) {
        const std::optional<u32> at = decoder.localOffset(from.symbol);
        if (!at) return decoder.fail("local memory of more than 2 MiB");
        decoder.emit({.run = localAddress,
                      .d = decoder.target(to),
                      .immediate = from.offset + *at,
                      .mode = bytesOf(type)});
    } else if (from.kind != Operand::Kind::reg ||
               decoder.source(from, type) != decoder.target(to)) {  // not in one place anyway
        return decoder.emitApply({wide ? apply<copy, u64> : apply<copy, u32>, {type}}, instruction);
    }
    return true;
}

bool convertAddress(Decoder& decoder, const Instruction& instruction) {
    const bool back = instruction.has("to");
    Handler run = apply<copy, u64>;  // global, constant and parameters are what they are
    for (const std::string_view word : instruction.words) {
        if (word.starts_with("shared")) run = back ? apply<fromShared, u64> : apply<toShared, u64>;
        if (word == "local") run = back ? apply<fromLocal, u64> : localToGeneric;
    }
    return decoder.emitApply({run, {Type::u64}}, instruction);
}

bool isSpace(Decoder& decoder, const Instruction& instruction) {
    if (!decoder.emitApply({isInSpace, {Type::u64}}, instruction)) return false;
    Step& step = decoder.last();
    for (const std::string_view word : instruction.words) {
        if (word.starts_with("shared")) step.immediate = s64(sharedWindow);
        if (word == "local") step.immediate = s64(localWindow);
        if (word.starts_with("param")) step.immediate = s64(paramWindow);
    }
    return true;
}

template <class T>
constexpr bool isReal = std::is_same_v<T, float> || std::is_same_v<T, double> ||
                        std::is_same_v<T, Half> || std::is_same_v<T, Bfloat>;

template <class T>
T toInteger(T value, Rounding way) {
    switch (way) {
        case Rounding::nearest:
            return std::nearbyint(value);
        case Rounding::zero:
            return std::trunc(value);
        case Rounding::down:
            return std::floor(value);
        default:
            return std::ceil(value);
    }
}
template <class D>
D narrowed(double value, Rounding way) {
    if constexpr (std::is_same_v<D, double>) {
        return value;
    } else if constexpr (std::is_same_v<D, float>) {
        const auto nearest = static_cast<float>(value);
        return directed(nearest, value - static_cast<double>(nearest), way);
    } else if constexpr (std::is_same_v<D, Half>) {
        Half half = toHalf(roundToOdd(value));
        const double back = toFloat(half);
        if (way != Rounding::nearest && back != value && value == value) {
            // The bits of a half rise with its magnitude.
            const bool larger = std::fabs(back) > std::fabs(value);
            const bool inwards = way == Rounding::zero || (way == Rounding::down) == (value > 0);
            if (inwards && larger) --half.bits;
            if (!inwards && !larger) ++half.bits;
        }
        return half;
    } else {
        const float single = roundToOdd(value);
        if (way == Rounding::zero) return {u16(std::bit_cast<u32>(single) >> 16)};
        return toBfloat(single);
    }
}

/// mode: the way; option 1: saturate, 2: to an integer within a float, 4: negative to zero.
template <class D, class S>
const Step* convert(Warp& warp, const Step* step) {
    const Stored<S>* from = warp.value<Stored<S>>(step->a);
    alignas(64) Stored<D> result[lanesPerWarp];
    const auto way = static_cast<Rounding>(step->mode);
    const bool saturate = (step->option & 1u) != 0;
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
        const S value = loaded<S>(from[lane]);
        using L = std::numeric_limits<D>;
        if constexpr (!isReal<S> && !isReal<D>) {
            const bool isBelow = saturate && std::cmp_less(value, L::min());
            const bool isAbove = saturate && std::cmp_greater(value, L::max());
            result[lane] = stored<D>(isBelow   ? L::min()
                                     : isAbove ? L::max()
                                               : static_cast<D>(value));
        } else if constexpr (isReal<S> && !isReal<D>) {
            const double whole = toInteger(static_cast<double>(toFloat(value)), way);
            D number;
            // No number: 0, but of 64 bits on either side the highest bit alone.
            if (whole != whole)
                number = sizeof(D) == 8 || sizeof(S) == 8
                             ? static_cast<D>(1ull << (8 * sizeof(D) - 1))
                             : D(0);
            else if (whole >= static_cast<double>(L::max()))
                number = L::max();
            else if (whole <= static_cast<double>(L::min()))
                number = L::min();
            else
                number = static_cast<D>(whole);
            result[lane] = stored<D>(number);
        } else if constexpr (!isReal<S> && isReal<D>) {
            if constexpr (std::is_same_v<D, float> || std::is_same_v<D, double>) {
                __extension__ using Exact = __int128;
                D nearest = static_cast<D>(value);
                if (way != Rounding::nearest) {
                    const Exact error = static_cast<Exact>(value) - static_cast<Exact>(nearest);
                    nearest = directed(nearest, static_cast<double>(error), way);
                }
                result[lane] = nearest;
            } else {
                result[lane] = stored<D>(narrowed<D>(static_cast<double>(value), way));
            }
        } else {
            double exact = toFloat(value);
            if ((step->option & 2u) != 0) exact = toInteger(exact, way);
            if (saturate) exact = exact > 0 ? std::min(exact, 1.0) : 0;
            if ((step->option & 4u) != 0 && exact < 0) exact = 0;
            result[lane] =
                stored<D>(narrowed<D>(exact, (step->option & 2u) != 0 ? Rounding::nearest : way));
        }
    }
    store(warp, step->d, result);
    WARPLENS_GO(warp, step + 1);
}

/// Integers, nothing saturated: what addresses are made with.
template <class D>
constexpr auto plainly = [](auto value) { return static_cast<D>(value); };

/// `cvt.rn.f16x2.f32 d, a, b`: a in the upper half; option 4: negative to zero.
template <class T>
const Step* convertPair(Warp& warp, const Step* step) {
    const float* a = warp.value<float>(step->a);
    const float* b = warp.value<float>(step->b);
    const auto part = [&](float value) {
        if ((step->option & 4u) != 0 && value < 0) value = 0;
        return u32{narrowed<T>(value, static_cast<Rounding>(step->mode)).bits};
    };
    forLanes<u32>(warp, step->d, [&](u32 lane) { return part(a[lane]) << 16 | part(b[lane]); });
    WARPLENS_GO(warp, step + 1);
}

/// To D; integers of whole registers, nothing saturated, go an easier way.
template <class D>
Handler from(Type source, bool plain) {
    return withType(source, [=]<class S>() -> Handler {
        if constexpr (!isReal<D> && !isReal<S> && sizeof(D) >= 4) {
            if (plain) return apply<plainly<D>, S>;
        }
        return convert<D, S>;
    });
}

bool conversion(Decoder& decoder, const Instruction& instruction) {
    const Type to = instruction.type(1);
    const Type source = instruction.type();
    // In the order of Rounding, to whole numbers and to others.
    const auto whole = instruction.which({"rni", "rzi", "rmi", "rpi"});
    const u32 way = whole.value_or(instruction.which({"rn", "rz", "rm", "rp"}).value_or(0));
    const bool saturate = instruction.has("sat");
    const u32 option = (saturate ? 1u : 0u) | (whole && isFloat(to) ? 2u : 0u) |
                       (instruction.has("relu") ? 4u : 0u);
    if (to == Type::f16x2 || to == Type::bf16x2) {
        if (source != Type::f32 || instruction.operands.size() != 3) return decoder.fail();
        const Handler run = to == Type::f16x2 ? convertPair<Half> : convertPair<Bfloat>;
        if (!decoder.emitApply({run, {source, source}}, instruction)) return false;
    } else {
        const Handler run = withType(to, [=]<class D>() { return from<D>(source, !saturate); });
        if (!decoder.emitApply({run, {source}}, instruction)) return false;
    }
    Step& step = decoder.last();
    step.mode = way;
    step.option = option;
    return true;
}

}  // namespace

/// A thread's own address of its local memory: the frame's place among the words of its stack.
const Step* localAddress(Warp& warp, const Step* step) {
    const u64 begin = (warp.frame + warp.code->localOffset) / lanesPerWarp;
    fillWidth(warp, step->d, begin + u64(step->immediate), step->mode);
    WARPLENS_GO(warp, step + 1);
}

const Step* packWord(Warp& warp, const Step* step) {
    return pack<u32>(warp, step);
}

void addMoves(InstructionTable& table) {
    table.decode({"mov"}, move);
    table.decode({"cvt"}, conversion);
    table.decode({"cvta"}, convertAddress);
    table.decode({"isspacep"}, isSpace);
}

}  // namespace warplens::ptx
