// Moves, addresses and special registers (PTX ISA, "Data Movement and Conversion Instructions").
#include <span>

#include "kernels/ptx/run/block.h"
#include "kernels/ptx/run/specials.h"
#include "kernels/ptx/steps/decoder.h"
#include "kernels/ptx/steps/handlers.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr auto copy = [](auto a) { return a; };
constexpr auto widened = [](u32 a) { return u64{a}; };
constexpr auto narrowed = [](u64 a) { return u32(a); };

/// `mov.b64 d, {a, b}`: mode parts of option bits each.
const Step* pack(Warp& warp, const Step* step) {
    const u32 bits = step->option;
    const u64 mask = bits == 64 ? ~0ull : (1ull << bits) - 1;
    alignas(64) u64 whole[lanesPerWarp] = {};
    for (u32 part = 0; part < step->mode; ++part) {
        const u32* from = warp.value<u32>(step->extra[part]);
        for (u32 lane = 0; lane < lanesPerWarp; ++lane)
            whole[lane] |= (from[lane] & mask) << (part * bits);
    }
    if (step->mode * bits == 64) {
        store(warp, step->d, whole);
    } else {
        alignas(64) u32 narrow[lanesPerWarp];
        for (u32 lane = 0; lane < lanesPerWarp; ++lane) narrow[lane] = u32(whole[lane]);
        store(warp, step->d, narrow);
    }
    WARPLENS_GO(warp, step + 1);
}
const Step* unpack(Warp& warp, const Step* step) {
    const u32 bits = step->option;
    const u64 mask = (1ull << bits) - 1;
    alignas(64) u32 parts[4][lanesPerWarp];
    for (u32 part = 0; part < step->mode; ++part) {
        for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
            const u64 whole = step->mode * bits == 64 ? warp.value<u64>(step->a)[lane]
                                                      : warp.value<u32>(step->a)[lane];
            parts[part][lane] = u32(whole >> (part * bits) & mask);
        }
    }
    for (u32 part = 0; part < step->mode; ++part) {
        if (step->extra[part] != noSlot) store(warp, step->extra[part], parts[part]);
    }
    WARPLENS_GO(warp, step + 1);
}

/// A thread's own address of its local memory: the frame's place among the words of its stack.
const Step* localAddress(Warp& warp, const Step* step) {
    alignas(64) u64 result[lanesPerWarp];
    const u64 address =
        (warp.frame + warp.code->localOffset) / lanesPerWarp + static_cast<u64>(step->immediate);
    std::fill(std::begin(result), std::end(result), address);
    if (step->mode == 4) {
        alignas(64) u32 narrow[lanesPerWarp];
        std::fill(std::begin(narrow), std::end(narrow), u32(address));
        store(warp, step->d, narrow);
    } else {
        store(warp, step->d, result);
    }
    WARPLENS_GO(warp, step + 1);
}

/// Generic addresses of the shared window, and back from them.
constexpr auto toShared = [](u64 a) { return a | sharedWindow; };
constexpr auto fromShared = [](u64 a) { return a ^ sharedWindow; };
constexpr auto fromLocal = [](u64 a) { return a & 0xffffffffu; };
const Step* localToGeneric(Warp& warp, const Step* step) {
    const u64* from = warp.value<u64>(step->a);
    alignas(64) u64 result[lanesPerWarp];
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
        const u64 thread = warp.rank * lanesPerWarp + lane + 1;
        result[lane] = localWindow | thread << 32 | (from[lane] & 0xffffffffu);
    }
    store(warp, step->d, result);
    WARPLENS_GO(warp, step + 1);
}

const Step* isInSpace(Warp& warp, const Step* step) {
    const u64* from = warp.value<u64>(step->a);
    u32 lanes = 0;
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
        lanes |= u32((from[lane] & windowMask) == static_cast<u64>(step->immediate)) << lane;
    }
    warp.setPredicate(step->d, lanes);
    WARPLENS_GO(warp, step + 1);
}

/// Clocks count what has run, so that two runs are alike.
const Step* readClock(Warp& warp, const Step* step) {
    const u64 now = warp.block->tick();
    if (step->mode == 8) {
        alignas(64) u64 result[lanesPerWarp];
        std::fill(std::begin(result), std::end(result), now);
        store(warp, step->d, result);
    } else {
        alignas(64) u32 result[lanesPerWarp];
        std::fill(std::begin(result), std::end(result), u32(now));
        store(warp, step->d, result);
    }
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
    if (count == 0 || count > 4 || bytesOf(type) * 8 / count >= 64) return decoder.fail();
    Slot slots[4] = {noSlot, noSlot, noSlot, noSlot};
    for (u32 part = 0; part < count; ++part) {
        if (packs)
            slots[part] = decoder.source(parts[part],
                                         bytesOf(type) * 8 / count == 32 ? Type::b32 : Type::b16);
        else if (parts[part].kind != Operand::Kind::none)
            slots[part] = decoder.target(parts[part]);
    }
    const Slot whole = packs ? decoder.target(to) : decoder.source(from, type);
    Step& step = decoder.emit(packs ? pack : unpack);
    (packs ? step.d : step.a) = whole;
    std::copy(std::begin(slots), std::end(slots), std::begin(step.extra));
    step.mode = count;
    step.option = bytesOf(type) * 8 / count;
    return true;
}

bool move(Decoder& decoder, const Instruction& instruction) {
    const Type type = instruction.type();
    if (type == Type::pred) return false;
    if (instruction.operands.size() != 2 || bytesOf(type) > 8) return decoder.fail();
    const Operand& from = instruction.operands[1];
    if (from.kind == Operand::Kind::list || instruction.operands[0].kind == Operand::Kind::list) {
        return moveList(decoder, instruction);
    }
    const bool wide = bytesOf(type) == 8;
    if (from.kind == Operand::Kind::special && isClock(from.symbol)) {
        const Slot target = decoder.target(instruction.operands[0]);
        Step& step = decoder.emit(readClock);
        step.d = target;
        step.mode = bytesOf(type);
        return true;
    }
    if (from.kind == Operand::Kind::special && wide) {  // values of 32 bits into 64
        const Slot source = decoder.source(from, Type::u32);
        const Slot target = decoder.target(instruction.operands[0]);
        Step& step = decoder.emit(apply<widened, u32>);
        step.d = target;
        step.a = source;
        return true;
    }
    if (from.kind == Operand::Kind::symbol && decoder.function().variables.contains(from.symbol) &&
        !decoder.symbols().isShared(from.symbol)) {
        const std::optional<u32> at = decoder.localOffset(from.symbol);
        if (!at) return decoder.fail("local memory of more than 2 MiB");
        const Slot target = decoder.target(instruction.operands[0]);
        Step& step = decoder.emit(localAddress);
        step.d = target;
        step.mode = bytesOf(type);
        step.immediate = from.offset + *at;
        return true;
    }
    return decoder.emitApply({wide ? apply<copy, u64> : apply<copy, u32>, {type}}, instruction);
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
        if (word.starts_with("shared")) step.immediate = static_cast<std::int64_t>(sharedWindow);
        if (word == "local") step.immediate = static_cast<std::int64_t>(localWindow);
        if (word.starts_with("param")) step.immediate = static_cast<std::int64_t>(paramWindow);
    }
    return true;
}

constexpr Opcode opcodes[] = {{"mov", move}, {"cvta", convertAddress}, {"isspacep", isSpace}};

}  // namespace

std::span<const Opcode> moveOpcodes() {
    return opcodes;
}
Handler localAddressHandler() {
    return localAddress;
}
Handler widenHandler() {
    return apply<widened, u32>;
}
Handler narrowHandler() {
    return apply<narrowed, u64>;
}

}  // namespace warplens::ptx
