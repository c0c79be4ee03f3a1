// Atomics (PTX ISA, "atom", "red"). Lanes take their turns in order.
#include <algorithm>
#include <charconv>

#include "kernels/ptx/run/access.h"
#include "kernels/ptx/run/grid.h"
#include "kernels/ptx/steps/decoder.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

enum Operation : u32 {
    add,
    exchange,
    minimum,
    maximum,
    compare,
    bitAnd,
    bitOr,
    bitXor,
    increment,
    decrement
};
const std::vector<std::string_view> operations{"add", "exch", "min", "max", "cas",
                                               "and", "or",   "xor", "inc", "dec"};

template <class T>
T sum(T a, T b) {
    if constexpr (std::is_same_v<T, Half>)
        return toHalf(toFloat(a) + toFloat(b));
    else if constexpr (std::is_same_v<T, Bfloat>)
        return toBfloat(toFloat(a) + toFloat(b));
    else
        return T(a + b);
}
/// What is in memory afterwards.
template <class T>
T result(Operation operation, T old, T value, T other) {
    if (operation == add) return sum(old, value);
    if (operation == exchange) return value;
    if (operation == minimum) return toComparable(value) < toComparable(old) ? value : old;
    if (operation == maximum) return toComparable(value) > toComparable(old) ? value : old;
    if constexpr (std::is_integral_v<T>) {
        const T results[] = {old == value ? other : old,
                             T(old & value),
                             T(old | value),
                             T(old ^ value),
                             old >= value ? T(0) : T(old + 1),
                             old == 0 || old > value ? value : T(old - 1)};
        return results[operation - compare];
    }
    return old;
}
/// Two 16-bit floats in one word.
template <class T>
struct PairOf final {
    u32 bits = 0;
};
template <class T>
PairOf<T> result(Operation operation, PairOf<T> old, PairOf<T> value, PairOf<T> other) {
    const auto part = [&](u32 shift) {
        const auto of = [&](PairOf<T> pair) { return T{u16(pair.bits >> shift)}; };
        return u32{result(operation, of(old), of(value), of(other)).bits} << shift;
    };
    return {part(0) | part(16)};
}

/// As a lane's value lies in its slot.
template <class T>
using Lane = std::conditional_t<sizeof(T) == 8, u64, u32>;

template <class T>
T take(Warp& warp, Slot slot, u32 lane) {
    T value;
    const std::byte* from = warp.banks[slot.bank] + slot.offset + lane * sizeof(Lane<T>);
    std::memcpy(&value, from, sizeof value);
    return value;
}

/// One lane's turn; `isShared` with other threads of this program.
template <class T>
T takeTurn(Operation operation, std::byte* place, T value, T other, bool isShared) {
    using Bits =
        std::conditional_t<sizeof(T) == 8, u64, std::conditional_t<sizeof(T) == 4, u32, u16>>;
    T old;
    if (!isShared) {
        std::memcpy(&old, place, sizeof old);
        const T now = result(operation, old, value, other);
        std::memcpy(place, &now, sizeof now);
        return old;
    }
    auto* word = reinterpret_cast<Bits*>(place);
    Bits bits = __atomic_load_n(word, __ATOMIC_RELAXED);
    for (;;) {
        old = std::bit_cast<T>(bits);
        const auto nowBits = std::bit_cast<Bits>(result(operation, old, value, other));
        if (__atomic_compare_exchange_n(word, &bits, nowBits, false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_RELAXED))
            return old;
    }
}

/// By itself: what has taken an address of a variable cannot go on to the next step by a jump.
template <class T>
[[gnu::noinline]] void takeTurnsAt(Warp& warp, const Step* step) {
    takeAddresses(warp, step);
    const auto operation = static_cast<Operation>(step->mode);
    alignas(64) Lane<T> before[lanesPerWarp] = {};
    bool hasChanged = false;
    const auto part = [&](bool isShared, u32 site) {
        const SiteState& state = warp.sites[site];
        Reached reached;
        std::byte** places = placesOf(warp);
        const u64 first = warp.addresses[warp.firstLane()];
        if (repeats(warp, state, warp.addresses.data(), first, sizeof(T))) {
            ++state.shape->hits;
            if (!isShared) warp.sites[site].countSectors(first);
            reached = {warp.active, originOf(warp, state, first, isShared)};
            if (warp.isObserved) observe(warp, step, site, reached.lanes);
        } else {
            reached = reach(warp, step, site, warp.active, isShared);
        }
        const GridRun& grid = gridOf(warp);
        const bool withOthers = !isShared && grid.isParallel();
        const auto turn = [&](u32 lane) {
            std::byte* place = reached.origin != nullptr
                                   ? reached.origin + state.shape->offsets[lane]
                                   : places[lane];
            if ((reinterpret_cast<std::uintptr_t>(place) & (sizeof(T) - 1)) != 0)
                return;  // was reported
            const T value = take<T>(warp, step->b, lane);
            const T other = step->c == noSlot ? value : take<T>(warp, step->c, lane);
            const T old = takeTurn(operation, place, value, other, withOthers);
            std::memcpy(&before[lane], &old, sizeof old);
            hasChanged |= operation != compare || std::memcmp(&old, &value, sizeof old) == 0;
        };
        if (!grid.surroundings().isLastFirst) return forEachLane(reached.lanes, turn);
        for (u32 lane = lanesPerWarp; lane-- > 0;) {
            if ((reached.lanes >> lane & 1u) != 0) turn(lane);
        }
    };
    if (step->option == 2) {
        forEachWindow(warp, [&](u64 window) {
            part(window == sharedWindow, step->site + (window == sharedWindow ? 1 : 0));
        });
    } else {
        part(step->option == 1, step->site);
    }
    if (step->d != noSlot) store(warp, step->d, before);
    warp.hasPolled = true;
    warp.hasChanged |= hasChanged;
}

/// mode: the operation; option 1: the address is of shared memory, 2: it is generic; d, unless it
/// is noSlot, gets what was there.
template <class T>
const Step* atomic(Warp& warp, const Step* step) {
    takeTurnsAt<T>(warp, step);
    WARPLENS_GO(warp, step + 1);
}

Handler handlerOf(Type type, Operation operation) {
    if (type == Type::f16x2) return atomic<PairOf<Half>>;
    if (type == Type::bf16x2) return atomic<PairOf<Bfloat>>;
    return withType(type, [=]<class T>() -> Handler {
        if constexpr (sizeof(T) == 1)
            return nullptr;
        else if constexpr (std::is_integral_v<T>)  // the sign matters to two of them
            return operation == minimum || operation == maximum ? atomic<T>
                                                                : atomic<std::make_unsigned_t<T>>;
        else
            return atomic<T>;
    });
}

/// `Site::countsLanes`. What was not optimised does not show it: it is as the optimised code has it
/// at the line.
bool countsLanes(Decoder& decoder, const Instruction& instruction) {
    const Function& function = decoder.function();
    if (function.isDebug)
        return decoder.program().countsLanesAt(decoder.code().origin(instruction));
    constexpr int firstSm = 80;  // ATOMS.POPC.INC: ptxas 13 makes none for compute capability 7.5
    const std::string_view target = decoder.program().moduleOf(function).target;
    int sm = 0;
    std::from_chars(target.data() + std::min(target.size(), target.find('_') + 1),
                    target.data() + target.size(), sm);
    const std::size_t at = instruction.words[0] == "atom" ? 1 : 0;
    const Operand& value = instruction.operands[at + 1];
    const bool isOne = value.kind == Operand::Kind::integer && !isFloat(instruction.type()) &&
                       bytesOf(instruction.type()) == sizeof(u32) &&
                       (instruction.has("add") ? value.bits == 1
                                               : instruction.has("inc") && ~u32(value.bits) == 0);
    if (sm < firstSm || !isOne || decoder.spaceOf(instruction) != Space::shared) return false;
    return at == 0 || instruction.operands[0].kind == Operand::Kind::none ||
           std::ranges::none_of(function.instructions, [&](const Instruction& each) {
               return std::ranges::count(registersOf(each).reads, instruction.operands[0].reg) != 0;
           });
}

bool atomicInstruction(Decoder& decoder, const Instruction& instruction) {
    const bool hasResult = instruction.words[0] == "atom";
    const std::size_t at = hasResult ? 1 : 0;
    if (instruction.has("async") || instruction.has("bulk") || instruction.operands.size() < at + 2)
        return decoder.fail();
    const Operand& memory = instruction.operands[at];
    const std::optional<u32> operation = instruction.which(operations);
    const Type type = instruction.type();
    if (!operation || memory.kind != Operand::Kind::memory ||
        instruction.operands[at + 1].kind == Operand::Kind::list) {
        return decoder.fail();
    }
    const auto does = static_cast<Operation>(*operation);
    const bool compares = does == compare;
    if (instruction.operands.size() < at + (compares ? 3 : 2)) return decoder.fail();
    const bool keeps = hasResult && instruction.operands[0].kind != Operand::Kind::none;
    const Space space = decoder.spaceOf(instruction);
    // cas: b is compared with, c written.
    Step step{.run = handlerOf(type, does),
              .d = keeps ? decoder.target(instruction.operands[0]) : noSlot,
              .a = decoder.address(memory),
              .b = decoder.source(instruction.operands[at + 1], type),
              .c = compares ? decoder.source(instruction.operands[at + 2], type) : noSlot,
              .immediate = memory.offset,
              .mode = u32(does),
              .option = space == Space::shared   ? 1u
                        : space == Space::global ? 0u
                                                 : 2u};
    if (step.run == nullptr) return decoder.fail();
    // As ptxas 13 does from compute capability 8.0 on; of 64 bits where one value is added.
    const bool isWide = bytesOf(type) == sizeof(u64) && does == add;
    const bool isJoinable = (bytesOf(type) == sizeof(u32) || isWide) && !isFloat(type) &&
                            (does == add || does == minimum || does == maximum || does == bitAnd ||
                             does == bitOr || does == bitXor);
    // ATOMS.CAST.SPIN, for compute capability 8.0 and 9.0.
    const bool tries =
        (isFloat(type) && does == add) ||
        (bytesOf(type) == sizeof(u64) && (does == add || does == minimum || does == maximum));
    const auto site = [&](AccessKind kind) {
        const bool counts = kind == AccessKind::sharedAtomic && countsLanes(decoder, instruction);
        Site made{kind, u8(bytesOf(type))};
        made.isJoinable = isJoinable && !counts;
        made.countsLanes = counts;
        made.triesAgain = kind == AccessKind::sharedAtomic && tries;
        return decoder.addSite(made);
    };
    if (space == Space::shared) {
        step.site = site(AccessKind::sharedAtomic);
    } else {
        step.site = site(AccessKind::atomic);
        if (space != Space::global) site(AccessKind::sharedAtomic);
        // What is there, and sums of floats, depend on what other blocks did before.
        decoder.code().usesOrder |= keeps || isFloat(type) || does == exchange || compares ||
                                    does == increment || does == decrement;
    }
    decoder.emit(step);
    return true;
}

}  // namespace

void addAtomics(InstructionTable& table) {
    table.decode({"atom", "red"}, atomicInstruction);
}

}  // namespace warplens::ptx
