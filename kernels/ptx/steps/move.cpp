// Moves, addresses and special registers (PTX ISA, "Data Movement and Conversion Instructions").
#include <span>

#include "kernels/ptx/run/block.h"
#include "kernels/ptx/run/specials.h"
#include "kernels/ptx/steps/decoder.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

using u32 = std::uint32_t;
using u64 = std::uint64_t;

constexpr auto copy = [](auto a) { return a; };
constexpr auto widened = [](u32 a) { return u64{a}; };
constexpr auto narrowed = [](u64 a) { return u32(a); };

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

/// A thread's own address of its local memory: the frame's place among the words of its stack.
const Step* localAddress(Warp& warp, const Step* step) {
    const u64 begin = (warp.frame + warp.code->localOffset) / lanesPerWarp;
    fillWidth(warp, step->d, begin + static_cast<u64>(step->immediate), step->mode);
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
    if (count == 0 || count > 4 || bytesOf(type) * 8 / count >= 64) return decoder.fail();
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
               !decoder.symbols().isShared(from.symbol)) {
        const std::optional<u32> at = decoder.localOffset(from.symbol);
        if (!at) return decoder.fail("local memory of more than 2 MiB");
        decoder.emit({.run = localAddress,
                      .d = decoder.target(to),
                      .immediate = from.offset + *at,
                      .mode = bytesOf(type)});
    } else {
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
