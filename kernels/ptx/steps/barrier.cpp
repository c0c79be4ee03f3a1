// Barriers of blocks (PTX ISA, "bar", "barrier").
#include <span>

#include "kernels/ptx/run/access.h"
#include "kernels/ptx/run/schedule.h"
#include "kernels/ptx/steps/decoder.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

using u32 = std::uint32_t;

enum class What : std::uint8_t { sync, arrive, count, all, any };

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
        alignas(64) u32 values[lanesPerWarp];
        std::fill(std::begin(values), std::end(values), warp.barrierThreads);
        store(warp, step->d, values);
    } else {
        const u32 bit = static_cast<What>(step->mode) == What::all ? 1u : 2u;
        warp.setPredicate(step->d, (warp.barrierResult & bit) != 0 ? allLanes : 0);
    }
    WARPLENS_GO(warp, step + 1);
}

bool barrierInstruction(Decoder& decoder, const Instruction& instruction) {
    if (instruction.has("warp") || instruction.has("cluster")) return false;
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
    u32 inverted = 0;
    const Slot predicate = reduces ? decoder.predicate(operands[at], inverted) : noSlot;
    const Slot target = reduces ? decoder.target(operands[0]) : noSlot;
    Step& step = decoder.emit(barrier);
    step.a = id;
    step.b = threads;
    step.c = predicate;
    step.option = inverted;
    step.mode = static_cast<u32>(what);
    // `bar` is `barrier.aligned`.
    step.jump = instruction.words[0] == "bar" || instruction.has("aligned") ? 1 : 0;
    if (reduces) {
        Step& result = decoder.emit(barrierResult);
        result.d = target;
        result.mode = static_cast<u32>(what);
    }
    return true;
}

constexpr Opcode opcodes[] = {{"bar", barrierInstruction}, {"barrier", barrierInstruction}};

}  // namespace

std::span<const Opcode> barrierOpcodes() {
    return opcodes;
}

}  // namespace warplens::ptx
