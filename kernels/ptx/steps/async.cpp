// Copies that a thread does not wait for, barriers in shared memory, and clusters of blocks (PTX
// ISA, "Asynchronous Copy", "mbarrier", "barrier.cluster", "mapa"). A copy is done when it is made.

#include "kernels/ptx/run/access.h"
#include "kernels/ptx/run/grid.h"
#include "kernels/ptx/run/warp.h"
#include "kernels/ptx/steps/decoder.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

u64 inWindow(u64 address) {
    return (address & windowMask) == sharedWindow ? address ^ sharedWindow : address;
}

/// `cp.async`: a from global memory, b in shared memory, c: how many bytes are read, the rest is
/// zero; mode: bytes; extra[0]: a predicate under which none are.
const Step* copyAsync(Warp& warp, const Step* step) {
    const u32 active = warp.active;
    alignas(64) std::array<std::byte, 16> values[lanesPerWarp] = {};
    alignas(64) u32 sizes[lanesPerWarp];
    u32 reading = 0;
    const u32 ignored =
        step->extra[0] == noSlot ? 0 : warp.predicate(step->extra[0]) ^ step->option;
    forEachLane(active, [&](u32 lane) {
        sizes[lane] =
            step->c == noSlot ? step->mode : std::min(step->mode, warp.value<u32>(step->c)[lane]);
        if ((ignored >> lane & 1u) == 0 && sizes[lane] != 0) reading |= 1u << lane;
    });
    warp.active = reading;
    if (reading != 0) {
        takeAddresses(warp, step);
        forEachPlace(warp, step, step->site, reading, false, [&](u32 lane, std::byte* from) {
            std::memcpy(values[lane].data(), from, sizes[lane]);
        });
    }
    warp.active = active;
    const u64* to = warp.value<u64>(step->b);
    for (u32 lane = 0; lane < lanesPerWarp; ++lane) {
        const u32 of = (active & laneBits[lane]) != 0 ? lane : warp.firstLane();
        warp.addresses[lane] = inWindow(to[of]) + u64(step->secondOffset);
    }
    forEachPlace(warp, step, step->site + 1, active, true, [&](u32 lane, std::byte* at) {
        std::memcpy(at, values[lane].data(), step->mode);
    });
    warp.hasChanged = true;
    WARPLENS_GO(warp, step + 1);
}

/// `cp.async.commit_group`.
const Step* endGroup(Warp& warp, const Step* step) {
    gridOf(warp).tell(&Observer::onCopyGroup, warp);
    return fence(warp, step);
}
/// `cp.async.wait_group`; option: of how many groups it waits for none.
const Step* waitForGroups(Warp& warp, const Step* step) {
    gridOf(warp).tell(&Observer::onCopyWait, warp, std::optional(step->option));
    return fence(warp, step);
}
const Step* waitForCopies(Warp& warp, const Step* step) {
    gridOf(warp).tell(&Observer::onCopyWait, warp, std::optional<u32>());
    return fence(warp, step);
}

/// A barrier object: 8 bytes of shared memory. Arrivals that are awaited of each phase and of this
/// one, bytes of copies that are on their way, and the phase.
struct BarrierObject final {
    u64 expected : 20;
    u64 pending : 20;
    u64 phase : 1;
    u64 bytes : 23;
};
static_assert(sizeof(BarrierObject) == 8);

std::byte* objectAt(Warp& warp, const Step* step, u32 lane, u64 address) {
    std::byte* place = placeInShared(warp, inWindow(address), sizeof(BarrierObject));
    if (place == nullptr)
        report(warp, step, FindingKind::outOfBounds, lane,
               "a barrier object that is in no array of shared memory");
    return place;
}
BarrierObject read(const std::byte* place) {
    BarrierObject object;
    std::memcpy(&object, place, sizeof object);
    return object;
}
/// Goes to the next phase where nobody and nothing is waited for.
void write(Warp& warp, std::byte* place, BarrierObject object) {
    if (object.pending == 0 && object.bytes == 0) {
        object.phase ^= 1u;
        object.pending = object.expected;
        // What was before it is seen behind it.
        gridOf(warp).tell(&Observer::onBarrier, *warp.block);
    }
    std::memcpy(place, &object, sizeof object);
    warp.hasChanged = true;
}

constexpr auto pendingOf = [](u64 state) {
    return u32(std::bit_cast<BarrierObject>(state).pending);
};

// What is done to a barrier object: bits of `mode`.
enum Does : u32 {
    begins = 1,     ///< its phases, with so many arrivals in each
    expects = 2,    ///< so many bytes more
    completes = 4,  ///< so many bytes
    leaves = 8,     ///< so many arrivals fewer from the next phase on
    arrives = 16,   ///< as often, or once where it expects bytes, too
    tests = 32,     ///< whether the phase of a state is over
    parity = 64,    ///< or the one of that parity
};

/// a: the object's address, b: a count, bytes, a state or a parity.
const Step* barrierObject(Warp& warp, const Step* step) {
    const u32 does = step->mode;
    u32 holds = 0;
    forEachLane(warp.active, [&](u32 lane) {
        const u64 second = step->b == noSlot ? 1
                           : does == tests   ? warp.value<u64>(step->b)[lane]
                                             : warp.value<u32>(step->b)[lane];
        std::byte* place =
            objectAt(warp, step, lane, warp.value<u64>(step->a)[lane] + u64(step->immediate));
        if (place == nullptr) return;
        BarrierObject object = read(place);
        const u64 before = std::bit_cast<u64>(object);
        if ((does & tests) != 0) {
            const u64 phase =
                (does & parity) != 0 ? second & 1u : std::bit_cast<BarrierObject>(second).phase;
            holds |= u32{object.phase != phase} << lane;
            return;
        }
        const auto lower = [](u64 from, u64 by) { return from - std::min(from, by); };
        if ((does & begins) != 0)
            object = {.expected = second, .pending = second, .phase = 0, .bytes = 0};
        if ((does & expects) != 0) object.bytes += second;
        if ((does & completes) != 0) object.bytes = lower(object.bytes, second);
        if ((does & leaves) != 0) object.expected = lower(object.expected, second);
        if ((does & arrives) != 0)
            object.pending = lower(object.pending, (does & expects) != 0 ? 1 : second);
        if (does != 0) write(warp, place, object);
        if (step->d != noSlot) warp.value<u64>(step->d)[lane] = before;
    });
    if ((does & tests) != 0) {
        warp.setPredicate(step->d, holds);
        warp.awaitsPhase |= holds != warp.active;
        warp.hasChanged |= holds != 0;
    }
    WARPLENS_GO(warp, step + 1);
}

bool barrierObjectInstruction(Decoder& decoder, const Instruction& instruction) {
    const std::vector<Operand>& operands = instruction.operands;
    const auto bit = [&](std::string_view word, u32 bits) {
        return instruction.has(word) ? bits : 0u;
    };
    const u32 does = bit("init", begins) | bit("expect_tx", expects) |
                     bit("complete_tx", completes) | bit("arrive", arrives) |
                     bit("arrive_drop", leaves | arrives) | bit("test_wait", tests) |
                     bit("try_wait", tests) | bit("parity", parity);
    if ((does & leaves) != 0 && (does & expects) != 0) return decoder.fail();
    Step step{.run = barrierObject, .mode = does};
    std::size_t at = 0;
    if ((does & (tests | arrives)) != 0 && !operands.empty() &&
        operands[0].kind != Operand::Kind::memory) {
        if (operands[0].kind == Operand::Kind::reg) step.d = decoder.target(operands[0]);
        ++at;
    }
    if ((does & tests) != 0 && step.d == noSlot) return decoder.fail();
    if (operands.size() <= at || operands[at].kind != Operand::Kind::memory) return decoder.fail();
    step.a = decoder.address(operands[at]);
    step.immediate = operands[at].offset;
    if (operands.size() > at + 1)
        step.b = decoder.source(operands[at + 1], does == tests ? Type::b64 : Type::b32);
    decoder.emit(step);
    return true;
}

/// `cp.async.bulk`: bytes that follow one another, by one thread. a: from, b: to, c: how many,
/// extra[0]: a barrier object that is told.
const Step* copyBulk(Warp& warp, const Step* step) {
    const Memory& memory = gridOf(warp).program().memory();
    forEachLane(warp.active, [&](u32 lane) {
        const u32 bytes = warp.value<u32>(step->c)[lane];
        const auto place = [&](Slot slot, bool isShared) -> std::byte* {
            const u64 address = warp.value<u64>(slot)[lane];
            if (isShared) return placeInShared(warp, inWindow(address), bytes);
            const Allocation* array = memory.find(address);
            const bool fits = array != nullptr && !array->freed && array->holds(address, bytes);
            if (fits && bytes != 0)
                warp.block->worker->willWrite(*array, address - array->address, bytes);
            return fits ? array->at(address) : nullptr;
        };
        std::byte* from = place(step->a, (step->option & 1u) != 0);
        std::byte* to = place(step->b, (step->option & 2u) != 0);
        if (from == nullptr || to == nullptr) {
            return report(warp, step, FindingKind::outOfBounds, lane, [&] {
                return "a bulk copy of " + std::to_string(bytes) + " bytes goes beyond an array";
            });
        }
        std::memmove(to, from, bytes);
        tellWritten(warp, warp.value<u64>(step->b)[lane], bytes, (step->option & 2u) != 0);
        if (step->extra[0] == noSlot) return;
        std::byte* barrier = objectAt(warp, step, lane, warp.value<u64>(step->extra[0])[lane]);
        if (barrier == nullptr) return;
        BarrierObject object = read(barrier);
        object.bytes -= std::min<u64>(bytes, object.bytes);
        write(warp, barrier, object);
    });
    warp.hasChanged = true;
    WARPLENS_GO(warp, step + 1);
}

bool copyInstruction(Decoder& decoder, const Instruction& instruction) {
    const std::vector<Operand>& operands = instruction.operands;
    const auto has = [&](std::string_view word) { return instruction.has(word); };
    if (has("bulk") && (has("commit_group") || has("wait_group"))) {
        decoder.emit(fence);
        return true;
    }
    if (has("commit_group") || has("wait_group") || has("wait_all")) {
        decoder
            .emit(has("commit_group") ? endGroup
                  : has("wait_group") ? waitForGroups
                                      : waitForCopies)
            .option = operands.empty() ? 0 : u32(operands[0].bits);
        return true;
    }
    if (has("mbarrier")) {  // `cp.async.mbarrier.arrive`
        if (operands.size() != 1) return decoder.fail();
        decoder.emit(waitForCopies);  // whoever waits for the barrier object does
        decoder.emit({.run = barrierObject,
                      .a = decoder.address(operands[0]),
                      .immediate = operands[0].offset,
                      // It raises what is pending before, unless `.noinc` is said.
                      .mode = has("noinc") ? arrives : 0u});
        return true;
    }
    if (has("reduce") || has("tensor") || has("prefetch"))
        return decoder.fail("copies of tensor maps, and those that add");
    const auto isMemory = [&](std::size_t at) {
        return operands.size() > at && operands[at].kind == Operand::Kind::memory &&
               operands[at].offset == 0;
    };
    if (has("bulk")) {
        if (!isMemory(0) || !isMemory(1) || operands.size() < 3) return decoder.fail();
        if (has("multicast::cluster")) return decoder.fail("copies to several blocks");
        const bool toGlobal = instruction.words.size() > 3 && instruction.words[3] == "global";
        const bool fromShared = toGlobal || (instruction.words.size() > 4 &&
                                             instruction.words[4].starts_with("shared"));
        decoder.emit({.run = copyBulk,
                      .a = decoder.address(operands[1]),
                      .b = decoder.address(operands[0]),
                      .c = decoder.source(operands[2], Type::u32),
                      .extra = {isMemory(3) ? decoder.address(operands[3]) : noSlot},
                      .option = (fromShared ? 1u : 0u) | (toGlobal ? 0u : 2u)});
        return true;
    }
    if (operands.size() < 3 || operands[0].kind != Operand::Kind::memory ||
        operands[1].kind != Operand::Kind::memory || operands[2].kind != Operand::Kind::integer ||
        (operands[2].bits != 4 && operands[2].bits != 8 && operands[2].bits != 16))
        return decoder.fail();
    const auto bytes = u32(operands[2].bits);
    Step step{.run = copyAsync,
              .a = decoder.address(operands[1]),
              .b = decoder.address(operands[0]),
              .immediate = operands[1].offset,
              .mode = bytes};
    step.secondOffset = operands[0].offset;
    if (operands.size() > 3) {
        if (decoder.registerType(operands[3]) == Type::pred) {
            const PredicateSlot ignored = decoder.predicate(operands[3]);
            step.extra[0] = ignored.slot;
            step.option = ignored.inverted;
        } else if (operands[3].kind == Operand::Kind::reg ||
                   operands[3].kind == Operand::Kind::integer) {
            // A policy for the cache is of 64 bits.
            if (bytesOf(decoder.registerType(operands[3])) != 8)
                step.c = decoder.source(operands[3], Type::u32);
        }
    }
    step.site = decoder.addSite(AccessKind::load, bytes);
    decoder.addSite(AccessKind::sharedStore, bytes);
    decoder.emit(step);
    return true;
}

/// The threads of all blocks of a cluster.
const Step* arriveInCluster(Warp& warp, const Step* step) {
    Cluster& cluster = *warp.block->cluster;
    warp.clusterPhase = cluster.phase;
    cluster.arrived += u32(std::popcount(warp.active));
    cluster.pass();
    warp.hasChanged = true;
    WARPLENS_GO(warp, step + 1);
}
const Step* waitForCluster(Warp& warp, const Step* step) {
    Cluster& cluster = *warp.block->cluster;
    cluster.pass();
    if (cluster.phase == warp.clusterPhase) return waitForOthers(warp, step);
    warp.isSpinning = false;
    for (BlockRun* block : cluster.blocks)
        if (block != nullptr) gridOf(warp).tell(&Observer::onBarrier, *block);
    WARPLENS_GO(warp, step + 1);
}
bool clusterBarrierInstruction(Decoder& decoder, const Instruction& instruction) {
    if (!instruction.has("cluster")) return false;
    const bool arrives = instruction.has("arrive");
    if (!arrives && !instruction.has("wait")) return decoder.fail();
    decoder.emit(arrives ? arriveInCluster : waitForCluster);
    return true;
}

/// `mapa d, a, b`: a, an address of this block's shared memory, in the block of that rank.
constexpr auto mapToBlock = []<class T>(T a, u32 rank) -> T {
    return (a & ~(T{15} << clusterRankShift)) | T(rank + 1) << clusterRankShift;
};
/// `getctarank d, a`.
template <class T>
const Step* rankOfAddress(Warp& warp, const Step* step) {
    const T* a = warp.value<T>(step->a);
    forLanes<u32>(warp, step->d, [&](u32 lane) {
        const u32 rank = u32(a[lane] >> clusterRankShift) & 15u;
        return rank == 0 ? warp.block->rankInCluster : rank - 1;
    });
    WARPLENS_GO(warp, step + 1);
}

}  // namespace

void addAsynchronous(InstructionTable& table) {
    table.decode({"cp"}, copyInstruction);
    table.add<pendingOf, u64>("mbarrier.pending_count.b64");
    table.decode({"mbarrier"}, barrierObjectInstruction);
    table.decode({"barrier"}, clusterBarrierInstruction);
    using Form = InstructionTable::Form;
    table.set("mapa", Form{"daB", apply<mapToBlock, u32, u32>, apply<mapToBlock, u64, u32>});
    table.set("getctarank", Form{"da", rankOfAddress<u32>, rankOfAddress<u64>});
}

}  // namespace warplens::ptx
