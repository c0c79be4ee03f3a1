// Votes, shuffles, matches and barriers (PTX ISA, "Parallel Synchronization and Communication
// Instructions").
#include "kernels/ptx/run/access.h"
#include "kernels/ptx/steps/decoder.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

/// Says that lanes come whose own mask does not name them.
void reportUnnamed(Warp& warp, const Step* step, u32 lanes) {
    Finding known;
    known.isOfMask = true;
    const auto words = [&] {
        return std::to_string(std::popcount(lanes)) +
               (std::has_single_bit(lanes) ? " lane comes" : " lanes come") +
               " to a warp intrinsic whose mask does not name " +
               (std::has_single_bit(lanes) ? "it" : "them") + ": what it does is undefined";
    };
    report(warp, step, FindingKind::barrierMismatch, lowest(lanes), words, std::move(known));
}

/// Waits until the members have come, those of `step->c` where it is given. False where the warp
/// goes on elsewhere meanwhile.
bool gather(Warp& warp, const Step* step) {
    if (step->c == noSlot) {
        warp.together = warp.active;
        return true;
    }
    u32 members = warp.active;  // whoever comes is one, whatever its own mask says
    u32 unnamed = 0;
    forEachLane(warp.active, [&](u32 lane) {
        const u32 mask = warp.value<u32>(step->c)[lane];
        members |= mask;
        unnamed |= ~mask & 1u << lane;
    });
    if (unnamed != 0) reportUnnamed(warp, step, unnamed);
    return meet(warp, step, members);
}

/// Does it for the lanes that have come together.
template <void (*use)(Warp&, const Step*)>
const Step* together(Warp& warp, const Step* step) {
    if (!gather(warp, step)) return std::exchange(warp.next, nullptr);
    use(warp, step);
    part(warp);
    WARPLENS_GO(warp, step + 1);
}
/// d, and extra[0] where it is there.
void setResult(Warp& warp, const Step* step, const u32* values, u32 holds) {
    store(warp, step->d, values);
    if (step->extra[0] != noSlot) warp.setPredicate(step->extra[0], holds);
}

/// Calls `use(lanes)` for the lanes of each mask: those of tiles of a warp have masks of their own.
template <class Use>
void forEachGroup(Warp& warp, const Step* step, Use use) {
    for (u32 left = warp.together; left != 0;) {
        const u32 first = lowest(left);
        const u32 members = step->c == noSlot ? warp.together : warp.value<u32>(step->c)[first];
        const u32 lanes = (members & warp.together) | 1u << first;
        use(lanes);
        left &= ~lanes;
    }
}

/// mode 0 all, 1 any, 2 uniform, 3 ballot; option: inverted lanes of the predicate.
void vote(Warp& warp, const Step* step) {
    const u32 holds = warp.predicate(step->a) ^ step->option;
    alignas(64) u32 ballots[lanesPerWarp] = {};
    u32 result = 0;
    // A lane need not be in its own mask.
    forEachLane(warp.together, [&](u32 lane) {
        ballots[lane] =
            holds & warp.together & (step->c == noSlot ? allLanes : warp.value<u32>(step->c)[lane]);
    });
    forEachGroup(warp, step, [&](u32 among) {
        const u32 lanes = holds & among;
        const bool is = step->mode == 0   ? lanes == among
                        : step->mode == 1 ? lanes != 0
                                          : lanes == among || lanes == 0;
        result |= is ? among : 0;
    });
    if (step->mode == 3)
        store(warp, step->d, ballots);
    else
        warp.setPredicate(step->d, result);
}

const Step* activeMask(Warp& warp, const Step* step) {
    fill(warp, step->d, warp.active);
    WARPLENS_GO(warp, step + 1);
}

/// Says that a lane gets what one that has ended, or that the block never had, would have given,
/// though the mask names it.
void reportLost(Warp& warp, const Step* step, u32 lane, s32 from) {
    const u32 members = step->c == noSlot ? allLanes : warp.value<u32>(step->c)[lane];
    if ((members >> from & 1u) == 0) return;
    Finding known;
    known.isOfMask = true;
    const auto words = [&] {
        return "a warp intrinsic's mask names " + std::to_string(std::popcount(members)) +
               " lanes, of which " + std::to_string(std::popcount(members & warp.alive)) +
               " are there by then: what lane " + std::to_string(lane) + " gets from lane " +
               std::to_string(from) + " is undefined";
    };
    report(warp, step, FindingKind::barrierMismatch, lane, words, std::move(known));
}

/// mode 0 up, 1 down, 2 bfly, 3 idx; extra[0]: whether the lane to read from is in range, extra[1]:
/// clamp and segment.
void shuffle(Warp& warp, const Step* step) {
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
        s32 from = step->mode == 0   ? s32(lane) - by
                   : step->mode == 1 ? s32(lane) + by
                   : step->mode == 2 ? s32(lane) ^ by
                                     : first | (by & s32(~segment));
        const bool valid = step->mode == 0 ? from >= last : from <= last;
        if (!valid) from = s32(lane);
        values[lane] = a[from & 31];
        inRange |= u32{valid} << lane;
        if ((warp.alive >> (from & 31) & 1u) == 0 && (warp.together >> lane & 1u) != 0)
            reportLost(warp, step, lane, from & 31);
    }
    setResult(warp, step, values, inRange);
}

/// mode 0: lanes of the same value; 1: all of them where all are the same, extra[0] whether they
/// are.
template <class T>
void match(Warp& warp, const Step* step) {
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
    setResult(warp, step, values, equal);
}

/// `redux.sync`: mode 0 add, 1 min, 2 max, 3 and, 4 or, 5 xor.
template <class T>
void reduce(Warp& warp, const Step* step) {
    const T* a = warp.value<T>(step->a);
    alignas(64) T values[lanesPerWarp] = {};
    forEachGroup(warp, step, [&](u32 among) {
        T total = a[lowest(among)];
        forEachLane(among & (among - 1), [&](u32 lane) {
            const T value = a[lane];
            const T results[] = {T(u32(total) + u32(value)), std::min(total, value),
                                 std::max(total, value),     T(total & value),
                                 T(total | value),           T(total ^ value)};
            total = results[step->mode];
        });
        forEachLane(among, [&](u32 lane) { values[lane] = total; });
    });
    store(warp, step->d, values);
}

/// `elect.sync d|p, members`: the lowest lane.
void elect(Warp& warp, const Step* step) {
    alignas(64) u32 values[lanesPerWarp] = {};
    u32 elected = 0;
    forEachGroup(warp, step, [&](u32 among) {
        const u32 first = lowest(among);
        elected |= 1u << first;
        forEachLane(among, [&](u32 lane) { values[lane] = first; });
    });
    setResult(warp, step, values, elected);
}

void syncWarp(Warp& warp, const Step*) {
    warpSynced(warp, warp.together);
}

enum class What : u8 { sync, arrive, count, all, any };

/// a: which barrier, b: threads that it waits for (noSlot: all), c: predicate of a reduction,
/// option: its inverted lanes; jump: 1 where all lanes of a warp must come to it.
const Step* barrier(Warp& warp, const Step* step) {
    const u32 lane = warp.firstLane();
    const u32 id = warp.value<u32>(step->a)[lane] & 15u;
    const u32 threads = step->b == noSlot ? 0 : warp.value<u32>(step->b)[lane];
    const u32 holds = step->c == noSlot ? 0 : warp.predicate(step->c) ^ step->option;
    return arrive(warp, step, id, threads, static_cast<What>(step->mode) != What::arrive, holds,
                  step->jump != 0 ? warp.alive : 0);
}
/// Behind the barrier: what its reduction came to.
const Step* barrierResult(Warp& warp, const Step* step) {
    if (static_cast<What>(step->mode) == What::count) {
        fill(warp, step->d, warp.barrierThreads);
    } else {
        const u32 bit = static_cast<What>(step->mode) == What::all ? 1u : 2u;
        warp.setPredicate(step->d, (warp.barrierResult & bit) != 0 ? allLanes : 0);
    }
    WARPLENS_GO(warp, step + 1);
}

bool barrierInstruction(Decoder& decoder, const Instruction& instruction) {
    if (instruction.has("cluster")) return false;
    if (instruction.has("warp")) return decoder.emitForm({"C", together<syncWarp>}, instruction);
    What what = What::sync;
    if (instruction.has("arrive")) what = What::arrive;
    if (instruction.has("red")) {
        what = instruction.has("popc")  ? What::count
               : instruction.has("and") ? What::all
                                        : What::any;
    }
    const bool reduces = what == What::count || what == What::all || what == What::any;
    std::size_t at = reduces ? 1 : 0;
    const std::vector<Operand>& operands = instruction.operands;
    if (operands.size() < at + (reduces ? 2 : 1)) return decoder.fail();
    const Slot id = decoder.source(operands[at++], Type::u32);
    const bool hasCount = operands.size() > at + (reduces ? 1 : 0);
    const Slot threads = hasCount ? decoder.source(operands[at++], Type::u32) : noSlot;
    const auto holds = reduces ? decoder.predicate(operands[at]) : PredicateSlot{};
    // `bar` is `barrier.aligned`.
    const bool isAligned = instruction.words[0] == "bar" || instruction.has("aligned");
    const auto mode = u32(what);
    decoder.emit({.run = barrier,
                  .a = id,
                  .b = threads,
                  .c = holds.slot,
                  .mode = mode,
                  .option = holds.inverted,
                  .jump = isAligned ? 1 : 0});
    if (reduces)
        decoder.emit({.run = barrierResult, .d = decoder.target(operands[0]), .mode = mode});
    return true;
}

}  // namespace

void addSynchronization(InstructionTable& table) {
    using Form = InstructionTable::Form;
    table.set("vote", Form{"dpm", together<vote>, nullptr, {"all", "any", "uni", "ballot"}});
    table.set("activemask", Form{"d", activeMask});
    table.set("shfl", Form{"dABEm", together<shuffle>, nullptr, {"up", "down", "bfly", "idx"}});
    table.set("match", Form{"dam", together<match<u32>>, together<match<u64>>, {"any", "all"}});
    const std::vector<std::string_view> reductions{"add", "min", "max", "and", "or", "xor"};
    table.set("redux.s32", Form{"dam", together<reduce<s32>>, nullptr, reductions});
    table.set("redux.u32", Form{"dam", together<reduce<u32>>, nullptr, reductions});
    table.set("redux.b32", Form{"dam", together<reduce<u32>>, nullptr, reductions});
    table.set("elect", Form{"dm", together<elect>});
    table.decode({"bar", "barrier"}, barrierInstruction);
}

}  // namespace warplens::ptx
