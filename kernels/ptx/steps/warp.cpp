// Votes, shuffles and matches (PTX ISA, "Parallel Synchronization and Communication Instructions").
#include <span>

#include "kernels/ptx/run/access.h"
#include "kernels/ptx/run/schedule.h"
#include "kernels/ptx/steps/decoder.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

using u32 = std::uint32_t;
using s32 = std::int32_t;
using u64 = std::uint64_t;

/// Waits until the members have come, those of `step->c` where it is given. False where the warp
/// goes on elsewhere meanwhile.
bool gather(Warp& warp, const Step* step) {
    if (step->c == noSlot) {
        warp.together = warp.active;
        return true;
    }
    u32 members = 0;
    forEachLane(warp.active, [&](u32 lane) { members |= warp.value<u32>(step->c)[lane]; });
    return meet(warp, step, members);
}

/// Calls `use(lanes)` for the lanes of each mask: those of tiles of a warp have masks of their own.
template <class Use>
void forEachGroup(Warp& warp, const Step* step, Use use) {
    for (u32 left = warp.together; left != 0;) {
        const u32 first = static_cast<u32>(std::countr_zero(left));
        const u32 members = step->c == noSlot ? warp.together : warp.value<u32>(step->c)[first];
        const u32 lanes = (members & warp.together) | 1u << first;
        use(lanes);
        left &= ~lanes;
    }
}

/// mode 0 all, 1 any, 2 uniform, 3 ballot; option: inverted lanes of the predicate.
const Step* vote(Warp& warp, const Step* step) {
    if (!gather(warp, step)) return std::exchange(warp.next, nullptr);
    const u32 holds = warp.predicate(step->a) ^ step->option;
    alignas(64) u32 ballots[lanesPerWarp] = {};
    u32 result = 0;
    forEachGroup(warp, step, [&](u32 among) {
        const u32 lanes = holds & among;
        forEachLane(among, [&](u32 lane) { ballots[lane] = lanes; });
        const bool is = step->mode == 0   ? lanes == among
                        : step->mode == 1 ? lanes != 0
                                          : lanes == among || lanes == 0;
        result |= is ? among : 0;
    });
    if (step->mode == 3)
        store(warp, step->d, ballots);
    else
        warp.setPredicate(step->d, result);
    part(warp);
    WARPLENS_GO(warp, step + 1);
}

const Step* activeMask(Warp& warp, const Step* step) {
    alignas(64) u32 values[lanesPerWarp];
    std::fill(std::begin(values), std::end(values), warp.active);
    store(warp, step->d, values);
    WARPLENS_GO(warp, step + 1);
}

/// mode 0 up, 1 down, 2 bfly, 3 idx; extra[0]: whether the lane to read from is in range, extra[1]:
/// clamp and segment.
const Step* shuffle(Warp& warp, const Step* step) {
    if (!gather(warp, step)) return std::exchange(warp.next, nullptr);
    const u32* a = warp.value<u32>(step->a);
    const u32* b = warp.value<u32>(step->b);
    const u32* c = warp.value<u32>(step->extra[1]);
    alignas(64) u32 values[lanesPerWarp];
    u32 inRange = 0;
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
        const s32 by = s32(b[lane] & 31u);
        const u32 segment = c[lane] >> 8 & 31u;
        const s32 last = s32((lane & segment) | (c[lane] & 31u & ~segment));
        const s32 first = s32(lane & segment);
        s32 from;
        switch (step->mode) {
            case 0:
                from = s32(lane) - by;
                break;
            case 1:
                from = s32(lane) + by;
                break;
            case 2:
                from = s32(lane) ^ by;
                break;
            default:
                from = first | (by & s32(~segment));
                break;
        }
        const bool valid = step->mode == 0 ? from >= last : from <= last;
        if (!valid) from = s32(lane);
        values[lane] = a[from & 31];
        inRange |= u32{valid} << lane;
    }
    store(warp, step->d, values);
    if (step->extra[0] != noSlot) warp.setPredicate(step->extra[0], inRange);
    part(warp);
    WARPLENS_GO(warp, step + 1);
}

/// mode 0: lanes of the same value; 1: all of them where all are the same, extra[0] whether they
/// are.
template <class T>
const Step* match(Warp& warp, const Step* step) {
    if (!gather(warp, step)) return std::exchange(warp.next, nullptr);
    const T* a = warp.value<T>(step->a);
    alignas(64) u32 values[lanesPerWarp] = {};
    u32 equal = 0;
    forEachGroup(warp, step, [&](u32 among) {
        bool all = true;
        forEachLane(among, [&](u32 lane) {
            forEachLane(among,
                        [&](u32 other) { values[lane] |= a[other] == a[lane] ? 1u << other : 0; });
            all &= values[lane] == among;
        });
        equal |= all ? among : 0;
        if (step->mode == 1) forEachLane(among, [&](u32 lane) { values[lane] = all ? among : 0; });
    });
    store(warp, step->d, values);
    if (step->extra[0] != noSlot) warp.setPredicate(step->extra[0], equal);
    part(warp);
    WARPLENS_GO(warp, step + 1);
}

/// `redux.sync`: mode 0 add, 1 min, 2 max, 3 and, 4 or, 5 xor.
template <class T>
const Step* reduce(Warp& warp, const Step* step) {
    if (!gather(warp, step)) return std::exchange(warp.next, nullptr);
    const T* a = warp.value<T>(step->a);
    alignas(64) T values[lanesPerWarp] = {};
    forEachGroup(warp, step, [&](u32 among) {
        T total = a[static_cast<u32>(std::countr_zero(among))];
        forEachLane(among & (among - 1), [&](u32 lane) {
            const T value = a[lane];
            switch (step->mode) {
                case 0:
                    total = T(u32(total) + u32(value));
                    break;
                case 1:
                    total = std::min(total, value);
                    break;
                case 2:
                    total = std::max(total, value);
                    break;
                case 3:
                    total = T(total & value);
                    break;
                case 4:
                    total = T(total | value);
                    break;
                default:
                    total = T(total ^ value);
                    break;
            }
        });
        forEachLane(among, [&](u32 lane) { values[lane] = total; });
    });
    store(warp, step->d, values);
    part(warp);
    WARPLENS_GO(warp, step + 1);
}

/// `elect.sync d|p, members`: the lowest lane.
const Step* elect(Warp& warp, const Step* step) {
    if (!gather(warp, step)) return std::exchange(warp.next, nullptr);
    alignas(64) u32 values[lanesPerWarp] = {};
    u32 elected = 0;
    forEachGroup(warp, step, [&](u32 among) {
        const u32 lowest = static_cast<u32>(std::countr_zero(among));
        elected |= 1u << lowest;
        forEachLane(among, [&](u32 lane) { values[lane] = lowest; });
    });
    if (step->d != noSlot) store(warp, step->d, values);
    warp.setPredicate(step->extra[0], elected);
    part(warp);
    WARPLENS_GO(warp, step + 1);
}

const Step* syncWarp(Warp& warp, const Step* step) {
    if (!gather(warp, step)) return std::exchange(warp.next, nullptr);
    warpSynced(warp, warp.together);
    part(warp);
    WARPLENS_GO(warp, step + 1);
}

/// The mask of members is the last operand of `.sync`.
Slot membersOf(Decoder& decoder, const Instruction& instruction) {
    return instruction.has("sync") ? decoder.source(instruction.operands.back(), Type::b32)
                                   : noSlot;
}

bool voteInstruction(Decoder& decoder, const Instruction& instruction) {
    constexpr std::string_view modes[] = {"all", "any", "uni", "ballot"};
    u32 mode = 0;
    while (mode < 4 && !instruction.has(modes[mode])) ++mode;
    if (mode == 4 || instruction.operands.size() < 2) return decoder.fail();
    u32 inverted = 0;
    const Slot a = decoder.predicate(instruction.operands[1], inverted);
    const Slot members = membersOf(decoder, instruction);
    const Slot d = decoder.target(instruction.operands[0]);
    Step& step = decoder.emit(vote);
    step.d = d;
    step.a = a;
    step.c = members;
    step.mode = mode;
    step.option = inverted;
    return true;
}
bool activeMaskInstruction(Decoder& decoder, const Instruction& instruction) {
    if (instruction.operands.size() != 1) return decoder.fail();
    const Slot d = decoder.target(instruction.operands[0]);
    decoder.emit(activeMask).d = d;
    return true;
}
bool shuffleInstruction(Decoder& decoder, const Instruction& instruction) {
    constexpr std::string_view modes[] = {"up", "down", "bfly", "idx"};
    u32 mode = 0;
    while (mode < 4 && !instruction.has(modes[mode])) ++mode;
    if (mode == 4 || instruction.operands.size() < 4) return decoder.fail();
    const Slot a = decoder.source(instruction.operands[1], Type::b32);
    const Slot b = decoder.source(instruction.operands[2], Type::b32);
    const Slot c = decoder.source(instruction.operands[3], Type::b32);
    const Slot members = membersOf(decoder, instruction);
    const Slot d = decoder.target(instruction.operands[0]);
    const Slot p = decoder.secondTarget(instruction.operands[0]);
    Step& step = decoder.emit(shuffle);
    step.d = d;
    step.a = a;
    step.b = b;
    step.c = members;
    step.extra[0] = p;
    step.extra[1] = c;
    step.mode = mode;
    return true;
}
bool matchInstruction(Decoder& decoder, const Instruction& instruction) {
    if (instruction.operands.size() != 3) return decoder.fail();
    const bool wide = bytesOf(instruction.type()) == 8;
    const Slot a = decoder.source(instruction.operands[1], instruction.type());
    const Slot members = membersOf(decoder, instruction);
    const Slot d = decoder.target(instruction.operands[0]);
    const Slot p = decoder.secondTarget(instruction.operands[0]);
    Step& step = decoder.emit(wide ? match<u64> : match<u32>);
    step.d = d;
    step.a = a;
    step.c = members;
    step.extra[0] = p;
    step.mode = instruction.has("all") ? 1 : 0;
    return true;
}
bool reduceInstruction(Decoder& decoder, const Instruction& instruction) {
    constexpr std::string_view modes[] = {"add", "min", "max", "and", "or", "xor"};
    u32 mode = 0;
    while (mode < 6 && !instruction.has(modes[mode])) ++mode;
    if (mode == 6 || instruction.operands.size() != 3 || bytesOf(instruction.type()) != 4 ||
        isFloat(instruction.type()))
        return decoder.fail();
    const Slot a = decoder.source(instruction.operands[1], instruction.type());
    const Slot members = membersOf(decoder, instruction);
    const Slot d = decoder.target(instruction.operands[0]);
    Step& step = decoder.emit(isSigned(instruction.type()) ? reduce<s32> : reduce<u32>);
    step.d = d;
    step.a = a;
    step.c = members;
    step.mode = mode;
    return true;
}
bool electInstruction(Decoder& decoder, const Instruction& instruction) {
    if (instruction.operands.size() != 2) return decoder.fail();
    const Operand& to = instruction.operands[0];
    const Slot p = decoder.secondTarget(to);
    if (p == noSlot) return decoder.fail();
    const Slot members = membersOf(decoder, instruction);
    const Slot d = to.kind == Operand::Kind::reg ? decoder.target(to) : noSlot;
    Step& step = decoder.emit(elect);
    step.d = d;
    step.c = members;
    step.extra[0] = p;
    return true;
}

/// `bar.warp.sync members`.
bool syncWarpInstruction(Decoder& decoder, const Instruction& instruction) {
    if (!instruction.has("warp") || instruction.operands.size() != 1) return false;
    const Slot members = decoder.source(instruction.operands[0], Type::b32);
    decoder.emit(syncWarp).c = members;
    return true;
}

constexpr Opcode opcodes[] = {{"bar", syncWarpInstruction},
                              {"vote", voteInstruction},
                              {"activemask", activeMaskInstruction},
                              {"shfl", shuffleInstruction},
                              {"match", matchInstruction},
                              {"redux", reduceInstruction},
                              {"elect", electInstruction}};

}  // namespace

std::span<const Opcode> warpOpcodes() {
    return opcodes;
}

}  // namespace warplens::ptx
