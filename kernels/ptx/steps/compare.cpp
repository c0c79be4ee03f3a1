// Comparisons, selections and predicates (PTX ISA, "Comparison and Selection Instructions").
#include <span>

#include "kernels/ptx/steps/decoder.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

using u32 = std::uint32_t;

// Comparisons of floats that are no numbers are false, but for those that ask for it (`ltu`, ...).
struct Equal final {
    template <class T>
    static bool of(T a, T b) {
        return a == b;
    }
};
struct NotEqual final {  // of floats: both are numbers
    template <class T>
    static bool of(T a, T b) {
        return a < b || a > b;
    }
};
struct Less final {
    template <class T>
    static bool of(T a, T b) {
        return a < b;
    }
};
struct LessOrEqual final {
    template <class T>
    static bool of(T a, T b) {
        return a <= b;
    }
};
template <class Op>
struct Unless final {
    template <class T>
    static bool of(T a, T b) {
        return !Op::of(a, b);
    }
};
template <class Op>
struct Exchanged final {
    template <class T>
    static bool of(T a, T b) {
        return Op::of(b, a);
    }
};
struct BothNumbers final {
    template <class T>
    static bool of(T a, T b) {
        return a == a && b == b;
    }
};

template <class Op, class T>
inline __attribute__((always_inline)) u32 lanesWhere(Warp& warp, const Step* step) {
    const Stored<T>* a = warp.value<Stored<T>>(step->a);
    const Stored<T>* b = warp.value<Stored<T>>(step->b);
    alignas(64) u32 bits[lanesPerWarp];
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
        bits[lane] = Op::of(toComparable(loaded<T>(a[lane])), toComparable(loaded<T>(b[lane])))
                         ? laneBits[lane]
                         : 0;
    }
    u32 lanes = 0;
    for (const u32 bit : bits) lanes |= bit;
    return lanes;
}

u32 combined(u32 how, u32 lanes, u32 with) {
    switch (how) {
        case 1:
            return lanes & with;
        case 2:
            return lanes | with;
        case 3:
            return lanes ^ with;
        default:
            return lanes;
    }
}

/// d, or d and extra[0], which is its contrary; option: how c is put in, mode: c's inverted lanes.
template <class Op, class T>
WARPLENS_CLONES const Step* compare(Warp& warp, const Step* step) {
    const u32 lanes = lanesWhere<Op, T>(warp, step);
    if (step->option == 0) {
        warp.setPredicate(step->d, lanes);
        if (step->extra[0] != noSlot) warp.setPredicate(step->extra[0], ~lanes);
    } else {
        const u32 with = warp.predicate(step->c) ^ step->mode;
        warp.setPredicate(step->d, combined(step->option, lanes, with));
        if (step->extra[0] != noSlot)
            warp.setPredicate(step->extra[0], combined(step->option, ~lanes, with));
    }
    WARPLENS_GO(warp, step + 1);
}
/// `setp` of packed halves: d of the lower, extra[0] of the higher.
template <class Op, class T>
const Step* comparePair(Warp& warp, const Step* step) {
    const u32* a = warp.value<u32>(step->a);
    const u32* b = warp.value<u32>(step->b);
    u32 low = 0;
    u32 high = 0;
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
        const auto part = [&](u32 from, u32 shift) {
            return toFloat(T{static_cast<std::uint16_t>(from >> shift)});
        };
        low |= Op::of(part(a[lane], 0), part(b[lane], 0)) ? laneBits[lane] : 0;
        high |= Op::of(part(a[lane], 16), part(b[lane], 16)) ? laneBits[lane] : 0;
    }
    const u32 with = step->option == 0 ? 0 : warp.predicate(step->c) ^ step->mode;
    warp.setPredicate(step->d, combined(step->option, low, with));
    if (step->extra[0] != noSlot)
        warp.setPredicate(step->extra[0], combined(step->option, high, with));
    WARPLENS_GO(warp, step + 1);
}
/// `set`: all ones, or 1.0, where it holds; mode: what is written.
template <class Op, class T>
const Step* compareToValue(Warp& warp, const Step* step) {
    const u32 lanes = lanesWhere<Op, T>(warp, step);
    alignas(64) u32 result[lanesPerWarp];
    for (u32 lane = 0; lane < lanesPerWarp; ++lane)
        result[lane] = (lanes >> lane & 1u) != 0 ? step->mode : 0;
    store(warp, step->d, result);
    WARPLENS_GO(warp, step + 1);
}
/// `set` of packed halves: 1.0 in each, or all ones (mode).
template <class Op, class T>
const Step* comparePairToValue(Warp& warp, const Step* step) {
    const u32* a = warp.value<u32>(step->a);
    const u32* b = warp.value<u32>(step->b);
    alignas(64) u32 result[lanesPerWarp];
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
        const auto part = [&](u32 from, u32 shift) {
            return toFloat(T{static_cast<std::uint16_t>(from >> shift)});
        };
        result[lane] =
            (Op::of(part(a[lane], 0), part(b[lane], 0)) ? step->mode & 0xffffu : 0) |
            (Op::of(part(a[lane], 16), part(b[lane], 16)) ? step->mode & 0xffff0000u : 0);
    }
    store(warp, step->d, result);
    WARPLENS_GO(warp, step + 1);
}

template <class T>
WARPLENS_CLONES const Step* select(Warp& warp, const Step* step) {
    const T* a = warp.value<T>(step->a);
    const T* b = warp.value<T>(step->b);
    T* to = warp.value<T>(step->d);
    const u32 first = (warp.predicate(step->c) ^ step->mode) & warp.active;
    const u32 second = ~first & warp.active;
#pragma GCC ivdep
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
        const T other = (second & laneBits[lane]) != 0 ? b[lane] : to[lane];
        to[lane] = (first & laneBits[lane]) != 0 ? a[lane] : other;
    }
    WARPLENS_GO(warp, step + 1);
}
/// `slct`: by the sign of c, a float or an integer.
template <class T, class C>
const Step* selectBySign(Warp& warp, const Step* step) {
    const T* a = warp.value<T>(step->a);
    const T* b = warp.value<T>(step->b);
    const C* c = warp.value<C>(step->c);
    alignas(64) T result[lanesPerWarp];
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) result[lane] = c[lane] >= 0 ? a[lane] : b[lane];
    store(warp, step->d, result);
    WARPLENS_GO(warp, step + 1);
}

/// mode 0 and, 1 or, 2 xor, 3 the first alone; option, reconverge: inverted lanes of a and b.
const Step* predicateLogic(Warp& warp, const Step* step) {
    const u32 a = warp.predicate(step->a) ^ step->option;
    const u32 b = step->mode == 3 ? 0 : warp.predicate(step->b) ^ static_cast<u32>(step->immediate);
    warp.setPredicate(step->d, step->mode == 0   ? a & b
                               : step->mode == 1 ? a | b
                               : step->mode == 2 ? a ^ b
                                                 : a);
    WARPLENS_GO(warp, step + 1);
}

enum class Form : std::uint8_t { predicate, value };

template <class Op>
Handler handlerOf(Type type, Form form) {
    const bool p = form == Form::predicate;
#define WARPLENS_FORM(T) (p ? Handler(compare<Op, T>) : Handler(compareToValue<Op, T>))
    switch (type) {
        case Type::f32:
            return WARPLENS_FORM(float);
        case Type::f64:
            return WARPLENS_FORM(double);
        case Type::f16:
            return WARPLENS_FORM(Half);
        case Type::bf16:
            return WARPLENS_FORM(Bfloat);
        case Type::f16x2:
            return p ? comparePair<Op, Half> : comparePairToValue<Op, Half>;
        case Type::bf16x2:
            return p ? comparePair<Op, Bfloat> : comparePairToValue<Op, Bfloat>;
        case Type::b16:
        case Type::u16:
            return WARPLENS_FORM(std::uint16_t);
        case Type::s16:
            return WARPLENS_FORM(std::int16_t);
        case Type::b32:
        case Type::u32:
            return WARPLENS_FORM(u32);
        case Type::s32:
            return WARPLENS_FORM(std::int32_t);
        case Type::b64:
        case Type::u64:
            return WARPLENS_FORM(std::uint64_t);
        case Type::s64:
            return WARPLENS_FORM(std::int64_t);
        default:
            return nullptr;
    }
#undef WARPLENS_FORM
}

struct Comparison final {
    std::string_view name;
    Handler (*handler)(Type, Form);
};
constexpr Comparison comparisons[] = {
    {"eq", handlerOf<Equal>},
    {"ne", handlerOf<NotEqual>},
    {"lt", handlerOf<Less>},
    {"le", handlerOf<LessOrEqual>},
    {"gt", handlerOf<Exchanged<Less>>},
    {"ge", handlerOf<Exchanged<LessOrEqual>>},
    {"lo", handlerOf<Less>},
    {"ls", handlerOf<LessOrEqual>},
    {"hi", handlerOf<Exchanged<Less>>},
    {"hs", handlerOf<Exchanged<LessOrEqual>>},
    {"equ", handlerOf<Unless<NotEqual>>},
    {"neu", handlerOf<Unless<Equal>>},
    {"ltu", handlerOf<Unless<Exchanged<LessOrEqual>>>},
    {"leu", handlerOf<Unless<Exchanged<Less>>>},
    {"gtu", handlerOf<Unless<LessOrEqual>>},
    {"geu", handlerOf<Unless<Less>>},
    {"num", handlerOf<BothNumbers>},
    {"nan", handlerOf<Unless<BothNumbers>>},
};

/// lo, ls, hi and hs are of unsigned integers, whatever the type says.
Type comparedType(std::string_view name, Type type) {
    const bool isUnsigned = name == "lo" || name == "ls" || name == "hi" || name == "hs";
    if (!isUnsigned) return type;
    return bytesOf(type) == 8 ? Type::u64 : bytesOf(type) == 2 ? Type::u16 : Type::u32;
}

u32 combining(const Instruction& instruction) {
    return instruction.has("and") ? 1 : instruction.has("or") ? 2 : instruction.has("xor") ? 3 : 0;
}

bool setPredicate(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    for (const Comparison& comparison : comparisons) {
        if (instruction.words.size() < 3 || instruction.words[1] != comparison.name) continue;
        const Type compared = comparedType(comparison.name, type);
        const Handler run = comparison.handler(compared, Form::predicate);
        if (run == nullptr || instruction.operands.size() < 3) return decoder.fail("");
        const Slot a = decoder.source(instruction.operands[1], compared);
        const Slot b = decoder.source(instruction.operands[2], compared);
        u32 inverted = 0;
        const u32 how = combining(instruction);
        if (how != 0 && instruction.operands.size() < 4) return decoder.fail("");
        const Slot c = how == 0 ? noSlot : decoder.predicate(instruction.operands[3], inverted);
        Operand contrary = instruction.operands[0];
        contrary.reg = contrary.second;
        const Slot d = decoder.target(instruction.operands[0]);
        const Slot e = contrary.reg < 0 ? noSlot : decoder.target(contrary);
        Step& step = decoder.emit(run);
        step.d = d;
        step.a = a;
        step.b = b;
        step.c = c;
        step.extra[0] = e;
        step.option = how;
        step.mode = inverted;
        return true;
    }
    return decoder.fail("");
}
bool setValue(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    const Type result = instruction.type(1);
    if (combining(instruction) != 0 || bytesOf(result) == 8 || instruction.words.size() < 4)
        return decoder.fail("");
    for (const Comparison& comparison : comparisons) {
        if (instruction.words[1] != comparison.name) continue;
        if (!decoder.emitApply(comparison.handler(comparedType(comparison.name, type), Form::value),
                               instruction, {type, type})) {
            return false;
        }
        u32 written = ~0u;
        if (result == Type::f32) written = std::bit_cast<u32>(1.0f);
        if (result == Type::f16) written = 0x3c00;
        if (result == Type::bf16) written = 0x3f80;
        if (result == Type::f16x2) written = 0x3c003c00;
        if (result == Type::bf16x2) written = 0x3f803f80;
        if (result == Type::u16 || result == Type::s16) written = 0xffff;
        decoder.last().mode = written;
        return true;
    }
    return decoder.fail("");
}
bool selectOf(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    if (instruction.operands.size() != 4) return decoder.fail("");
    const Slot a = decoder.source(instruction.operands[1], type);
    const Slot b = decoder.source(instruction.operands[2], type);
    u32 inverted = 0;
    const Slot c = decoder.predicate(instruction.operands[3], inverted);
    const Slot d = decoder.target(instruction.operands[0]);
    Step& step = decoder.emit(bytesOf(type) == 8 ? select<std::uint64_t> : select<u32>);
    step.d = d;
    step.a = a;
    step.b = b;
    step.c = c;
    step.mode = inverted;
    return true;
}
bool selectSigned(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type(1);
    const bool byFloat = instruction.type() == Type::f32;
    const Handler run =
        bytesOf(type) == 8 ? (byFloat ? selectBySign<std::uint64_t, float>
                                      : selectBySign<std::uint64_t, std::int32_t>)
                           : (byFloat ? selectBySign<u32, float> : selectBySign<u32, std::int32_t>);
    return decoder.emitApply(run, instruction, {type, type, instruction.type()});
}
bool logic(Decoder& decoder, const Instruction& instruction) {
    if (instruction.type() != Type::pred) return false;
    const std::string_view name = instruction.words[0];
    const bool unary = name == "mov" || name == "not";
    if (instruction.operands.size() != (unary ? 2u : 3u)) return decoder.fail("");
    u32 first = 0;
    u32 second = 0;
    const Slot a = decoder.predicate(instruction.operands[1], first);
    const Slot b = unary ? noSlot : decoder.predicate(instruction.operands[2], second);
    const Slot d = decoder.target(instruction.operands[0]);
    Step& step = decoder.emit(predicateLogic);
    step.d = d;
    step.a = a;
    step.b = b;
    step.mode = name == "and" ? 0 : name == "or" ? 1 : name == "xor" ? 2 : 3;
    step.option = name == "not" ? ~first : first;
    step.immediate = second;
    return true;
}

constexpr Opcode opcodes[] = {
    {"setp", setPredicate}, {"set", setValue}, {"selp", selectOf},
    {"slct", selectSigned}, {"and", logic},    {"or", logic},
    {"xor", logic},         {"not", logic},    {"mov", logic},
};

}  // namespace

std::span<const Opcode> compareOpcodes() {
    return opcodes;
}

}  // namespace warplens::ptx
