// Comparisons, selections and predicates (PTX ISA, "Comparison and Selection Instructions").

#include "kernels/ptx/steps/decoder.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

// Comparisons of floats that are no numbers are false, but for those that ask for it (`ltu`, ...).
constexpr auto equal = [](auto a, auto b) { return a == b; };
constexpr auto notEqual = [](auto a, auto b) { return a < b || a > b; };  // both are numbers
constexpr auto less = [](auto a, auto b) { return a < b; };
constexpr auto lessOrEqual = [](auto a, auto b) { return a <= b; };
constexpr auto greater = [](auto a, auto b) { return a > b; };
constexpr auto greaterOrEqual = [](auto a, auto b) { return a >= b; };
constexpr auto bothNumbers = [](auto a, auto b) { return a == a && b == b; };
template <auto op>
constexpr auto unless = [](auto a, auto b) { return !op(a, b); };

/// Of pairs of 16-bit floats one of them, the lower where `shift` is 0.
template <auto op, class T, u32 shift = 0>
inline __attribute__((always_inline)) u32 lanesWhere(Warp& warp, const Step* step) {
    const Stored<T>* a = warp.value<Stored<T>>(step->a);
    const Stored<T>* b = warp.value<Stored<T>>(step->b);
    alignas(64) u32 bits[lanesPerWarp];
    const auto of = [](Stored<T> stored) {
        if constexpr (shift != 0) stored >>= shift;
        return toComparable(loaded<T>(stored));
    };
    for (u32 lane = 0; lane < lanesPerWarp; ++lane)
        bits[lane] = op(of(a[lane]), of(b[lane])) ? laneBits[lane] : 0;
    u32 lanes = 0;
    for (const u32 bit : bits) lanes |= bit;
    return lanes;
}

/// How predicates are combined, one more than its place here; 0: the first alone.
const std::vector<std::string_view> combinations{"and", "or", "xor"};
u32 combining(const Instruction& instruction) {
    const std::optional<u32> how = instruction.which(combinations);
    return how ? *how + 1 : 0;
}
u32 combined(u32 how, u32 lanes, u32 with) {
    return how == 1 ? lanes & with : how == 2 ? lanes | with : how == 3 ? lanes ^ with : lanes;
}

/// d, and extra[0] unless it is noSlot: the contrary, of pairs what holds for the higher ones.
/// option: how c is put in, mode: c's inverted lanes.
template <auto op, class T, bool isPair>
WARPLENS_CLONES const Step* compare(Warp& warp, const Step* step) {
    const u32 lanes = lanesWhere<op, T>(warp, step);
    u32 second = ~lanes;
    if constexpr (isPair) second = lanesWhere<op, T, 16>(warp, step);
    const u32 with = step->option == 0 ? 0 : warp.predicate(step->c) ^ step->mode;
    warp.setPredicate(step->d, combined(step->option, lanes, with));
    if (step->extra[0] != noSlot)
        warp.setPredicate(step->extra[0], combined(step->option, second, with));
    WARPLENS_GO(warp, step + 1);
}
/// Behind the comparison of `set`: d is the immediate, of which the lower half is kept where
/// predicate a holds, the higher one where b does.
const Step* valueOfComparison(Warp& warp, const Step* step) {
    const u32 low = warp.predicate(step->a);
    const u32 high = warp.predicate(step->b);
    forLanes<u32>(warp, step->d, [&](u32 lane) {
        return u32(step->immediate) &
               ((low >> lane & 1u) * 0xffffu | (high >> lane & 1u) * 0xffff0000u);
    });
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
/// `slct`: by the sign of c.
constexpr auto selectBySign = [](auto a, auto b, auto c) { return c >= 0 ? a : b; };

/// mode: how they are combined; option, immediate: inverted lanes of a and b.
const Step* predicateLogic(Warp& warp, const Step* step) {
    const u32 a = warp.predicate(step->a) ^ step->option;
    const u32 b = step->mode == 0 ? 0 : warp.predicate(step->b) ^ u32(step->immediate);
    warp.setPredicate(step->d, combined(step->mode, a, b));
    WARPLENS_GO(warp, step + 1);
}

template <auto op>
Handler handlerOf(Type type) {
    if (type == Type::f16x2) return compare<op, Half, true>;
    if (type == Type::bf16x2) return compare<op, Bfloat, true>;
    return withType(type, []<class T>() -> Handler { return compare<op, T, false>; });
}
struct Comparison final {
    std::string_view name;
    Handler (*handler)(Type);
};
constexpr Comparison comparisons[] = {
    {"eq", handlerOf<equal>},
    {"ne", handlerOf<notEqual>},
    {"lt", handlerOf<less>},
    {"le", handlerOf<lessOrEqual>},
    {"gt", handlerOf<greater>},
    {"ge", handlerOf<greaterOrEqual>},
    {"lo", handlerOf<less>},
    {"ls", handlerOf<lessOrEqual>},
    {"hi", handlerOf<greater>},
    {"hs", handlerOf<greaterOrEqual>},
    {"equ", handlerOf<unless<notEqual>>},
    {"neu", handlerOf<unless<equal>>},
    {"ltu", handlerOf<unless<greaterOrEqual>>},
    {"leu", handlerOf<unless<greater>>},
    {"gtu", handlerOf<unless<lessOrEqual>>},
    {"geu", handlerOf<unless<less>>},
    {"num", handlerOf<bothNumbers>},
    {"nan", handlerOf<unless<bothNumbers>>},
};

/// lo, ls, hi and hs are of unsigned integers, whatever the type says.
Type comparedType(std::string_view name, Type type) {
    const bool isUnsigned = name == "lo" || name == "ls" || name == "hi" || name == "hs";
    if (!isUnsigned) return type;
    return bytesOf(type) == 8 ? Type::u64 : bytesOf(type) == 2 ? Type::u16 : Type::u32;
}

/// A step that compares operands 1 and 2; its handler is null where that cannot be done.
Step comparisonOf(Decoder& decoder, const Instruction& instruction) {
    if (instruction.words.size() < 3 || instruction.operands.size() < 3) return {};
    const auto found = std::ranges::find(comparisons, instruction.words[1], &Comparison::name);
    if (found == std::end(comparisons)) return {};
    const Type type = comparedType(found->name, instruction.type());
    return {.run = found->handler(type),
            .a = decoder.source(instruction.operands[1], type),
            .b = decoder.source(instruction.operands[2], type)};
}
bool setPredicate(Decoder& decoder, const Instruction& instruction) {
    Step step = comparisonOf(decoder, instruction);
    step.option = combining(instruction);
    if (step.run == nullptr || instruction.operands.size() < (step.option == 0 ? 3u : 4u))
        return decoder.fail();
    if (step.option != 0) {
        const auto with = decoder.predicate(instruction.operands[3]);
        step.c = with.slot;
        step.mode = with.inverted;
    }
    step.d = decoder.target(instruction.operands[0]);
    step.extra[0] = decoder.secondTarget(instruction.operands[0]);
    decoder.emit(step);
    return true;
}
/// `set`: all ones, or 1.0, where it holds.
bool setValue(Decoder& decoder, const Instruction& instruction) {
    const Type result = instruction.type(1);
    Step step = comparisonOf(decoder, instruction);
    if (step.run == nullptr || combining(instruction) != 0 || bytesOf(result) == 8 ||
        instruction.words.size() < 4)
        return decoder.fail();
    const Type type = instruction.type();
    const bool isPair = type == Type::f16x2 || type == Type::bf16x2;
    step.d = decoder.temporary(predicateBytes);
    if (isPair) step.extra[0] = decoder.temporary(predicateBytes);
    decoder.emit(step);
    const u32 written = result == Type::f32      ? std::bit_cast<u32>(1.0f)
                        : result == Type::f16    ? 0x3c00
                        : result == Type::bf16   ? 0x3f80
                        : result == Type::f16x2  ? 0x3c003c00
                        : result == Type::bf16x2 ? 0x3f803f80
                        : bytesOf(result) == 2   ? 0xffff
                                                 : ~0u;
    decoder.emit({.run = valueOfComparison,
                  .d = decoder.target(instruction.operands[0]),
                  .a = step.d,
                  .b = isPair ? step.extra[0] : step.d,
                  .immediate = written});
    return true;
}
bool selectSigned(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type(1);
    const Type by = instruction.type();
    const auto of = [&]<class C>(C) -> Handler {
        return bytesOf(type) == 8 ? apply<selectBySign, u64, u64, C>
                                  : apply<selectBySign, u32, u32, C>;
    };
    return decoder.emitApply({by == Type::f32 ? of(float{}) : of(s32{}), {type, type, by}},
                             instruction);
}
bool logic(Decoder& decoder, const Instruction& instruction) {
    if (instruction.type() != Type::pred) return false;
    const std::string_view name = instruction.words[0];
    const bool unary = name == "mov" || name == "not";
    if (instruction.operands.size() != (unary ? 2u : 3u)) return decoder.fail();
    const auto a = decoder.predicate(instruction.operands[1]);
    const auto b = unary ? PredicateSlot{} : decoder.predicate(instruction.operands[2]);
    decoder.emit({.run = predicateLogic,
                  .d = decoder.target(instruction.operands[0]),
                  .a = a.slot,
                  .b = b.slot,
                  .immediate = b.inverted,
                  .mode = u32(std::ranges::find(combinations, name) - combinations.begin() + 1) % 4,
                  .option = name == "not" ? ~a.inverted : a.inverted});
    return true;
}

}  // namespace

void addComparisons(InstructionTable& table) {
    table.decode({"setp"}, setPredicate);
    table.decode({"set"}, setValue);
    table.set("selp", InstructionTable::Form{"dabs", select<u32>, select<u64>});
    table.decode({"slct"}, selectSigned);
    table.decode({"and", "or", "xor", "not", "mov"}, logic);
}

}  // namespace warplens::ptx
