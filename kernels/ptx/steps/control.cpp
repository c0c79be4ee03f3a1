// Branches, calls and ends (PTX ISA, "Control Flow Instructions").
#include "core/program/mangled_names.h"
#include "kernels/ptx/run/access.h"
#include "kernels/ptx/run/grid.h"
#include "kernels/ptx/steps/decoder.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {

const Step* reconvergeHere(Warp& warp, const Step* step) {
    if (step->index == warp.reconverge) return resume(warp);
    WARPLENS_GO(warp, step + 1);
}

/// Steps of an instruction with a guard lie between these two; option: how many.
const Step* guardOn(Warp& warp, const Step* step) {
    const u32 lanes = (warp.predicate(step->a) ^ step->mode) & warp.active;
    if (lanes == 0) WARPLENS_GO(warp, step + step->jump);
    warp.guarded = warp.active;
    warp.active = lanes;
    WARPLENS_GO(warp, step + 1);
}
const Step* guardOff(Warp& warp, const Step* step) {
    warp.active = warp.guarded;
    WARPLENS_GO(warp, step + 1);
}

/// Of a guarded call, or one that may wait: the other lanes meet those of the guard behind it.
const Step* branchAround(Warp& warp, const Step* step) {
    const u32 lanes = (warp.predicate(step->a) ^ step->mode) & warp.active;
    const Step* behind = step + step->jump;
    if (lanes == 0) WARPLENS_GO(warp, behind);
    if (lanes == warp.active) WARPLENS_GO(warp, step + 1);
    WARPLENS_GO(warp, diverge(warp, step, warp.active & ~lanes, behind));
}
/// Of a guarded end: the lanes that it does not end go on behind it.
const Step* endAround(Warp& warp, const Step* step) {
    const u32 lanes = (warp.predicate(step->a) ^ step->mode) & warp.active;
    if (lanes == 0) WARPLENS_GO(warp, step + step->jump);
    if (lanes != warp.active) {
        Path rest = warp.path(step->index + u32(step->jump));
        rest.mask = warp.active & ~lanes;
        warp.paths.push_back(rest);
        warp.active = lanes;
    }
    WARPLENS_GO(warp, step + 1);
}
const Step* stop(Warp&, const Step*) {
    return nullptr;
}

const Step* exitKernel(Warp& warp, const Step*) {
    return endLanes(warp);
}

/// Calls `use(word, row)` for the words of results in a frame, and rows where they lie between the
/// callee's and the caller's.
template <class Use>
void forEachResult(Warp& warp, const std::vector<Call::Bytes>& results, Use use) {
    std::size_t row = 0;
    for (const Call::Bytes& result : results) {
        for (u32 byte = 0; byte < result.bytes; byte += 4, ++row) {
            if (warp.returned.size() < (row + 1) * 2) warp.returned.resize((row + 1) * 2);
            use(reinterpret_cast<u32*>(warp.banks[0] + result.offset + byte / 4 * narrowBytes),
                reinterpret_cast<u32*>(warp.returned[row * 2].bytes));
        }
    }
}

/// Results go where the caller takes them from.
const Step* returnToCaller(Warp& warp, const Step*) {
    forEachResult(warp, warp.code->results, [&](const u32* from, u32* to) {
        forEachLane(warp.active, [&](u32 lane) { to[lane] = from[lane]; });
    });
    return leaveFunction(warp);
}

const Step* notKnown(Warp& warp, const Step* step) {
    const auto& why = *static_cast<const std::string*>(step->more);
    report(warp, step, FindingKind::notSupported, warp.firstLane(), why.c_str());
    return endLaunch(warp, why);
}

namespace {

void countBranch(Warp& warp, const Step* step, u32 taken) {
    LineCost& counts = warp.sites[step->site].counts;
    ++counts.requests;
    // Without an instruction that counts bits std::popcount is a call.
    const auto lanesIn = [](u32 lanes) {
        lanes -= lanes >> 1 & 0x55555555u;
        lanes = (lanes & 0x33333333u) + (lanes >> 2 & 0x33333333u);
        return ((lanes + (lanes >> 4)) & 0x0f0f0f0fu) * 0x01010101u >> 24;
    };
    counts.activeLanes += lanesIn(warp.active);
    counts.takenLanes += lanesIn(taken);
    counts.divergent += taken != 0 && taken != warp.active;
    if (warp.isObserved) {
        gridOf(warp).tell(&Observer::onBranch, warp, *step, warp.active, taken);
    }
}

const Step* jump(Warp& warp, const Step* step) {
    const Step* target = step + step->jump;
    if (step->jump <= 0) {
        target = takeTurns(warp, target);
        if (target == nullptr) return nullptr;
    }
    WARPLENS_GO(warp, target);
}

/// a: the predicate, mode: lanes for which it is inverted.
const Step* branch(Warp& warp, const Step* step) {
    const u32 taken = (warp.predicate(step->a) ^ step->mode) & warp.active;
    countBranch(warp, step, taken);
    if (taken == 0) WARPLENS_GO(warp, step + 1);
    const Step* target = step + step->jump;
    const bool all = taken == warp.active;
    if (!all) target = diverge(warp, step, taken, target);
    if (step->jump <= 0 && target != step + 1) {
        target = takeTurns(warp, target);
        if (target == nullptr) return nullptr;
    }
    WARPLENS_GO(warp, target);
}

/// `brx.idx`: a the index, more the targets.
const Step* branchByIndex(Warp& warp, const Step* step) {
    const auto& targets = *static_cast<const std::vector<u32>*>(step->more);
    const u32* index = warp.value<u32>(step->a);
    const u32 active = warp.active;
    const auto targetOf = [&](u32 lane) {
        return targets[std::min<std::size_t>(index[lane], targets.size() - 1)];
    };
    const u32 first = targetOf(warp.firstLane());
    u32 same = 0;
    forEachLane(active, [&](u32 lane) { same |= targetOf(lane) == first ? 1u << lane : 0; });
    countBranch(warp, step, same);
    if (same != active) {
        meetAt(warp, step->reconverge);
        for (u32 rest = active & ~same; rest != 0;) {
            const u32 target = targetOf(lowest(rest));
            Path path = warp.path(target);
            path.mask = 0;
            forEachLane(rest,
                        [&](u32 lane) { path.mask |= targetOf(lane) == target ? 1u << lane : 0; });
            rest &= ~path.mask;
            if (target != step->reconverge) warp.paths.push_back(path);
        }
        warp.active = same;
        if (first == step->reconverge) return resume(warp);
    }
    const Step* target = &warp.code->steps[first];
    if (target <= step) return takeTurns(warp, target);
    WARPLENS_GO(warp, target);
}

const Step* trapped(Warp& warp, const Step* step) {
    report(warp, step, FindingKind::failedAssertion, warp.firstLane(), "the kernel trapped");
    return endLaunch(warp, "a thread trapped");
}

const Step* enter(Warp& warp, const Step* step, const Code& callee, const Call& call,
                  const Step* behind) {
    u32 top = warp.frameEnd;
    for (const Waiting& waiting : warp.waiting) top = std::max(top, waiting.path.frameEnd);
    for (const Path& path : warp.paths) top = std::max(top, path.frameEnd);
    const u64 end = u64{top} + callee.frameBytes;
    if (end > gridOf(warp).bounds().stackBytes * lanesPerWarp) {
        report(warp, step, FindingKind::stackOverflow, warp.firstLane(),
               "calls go deeper than the stack allows");
        return endLaunch(warp, "the stack is full");
    }
    // Calls can be many without a jump back.
    if (--warp.budget <= 0) {
        warp.budget = jumpsPerTurn;
        if (!gridOf(warp).spend(jumpsPerTurn)) {
            warp.state = Warp::State::ended;
            return nullptr;
        }
    }
    const std::size_t lines = end / sizeof(CacheLine) + spareLines;
    if (lines > warp.stack.size()) warp.stack.resize(std::max(lines, warp.stack.size() * 3 / 2));
    auto* stack = reinterpret_cast<std::byte*>(warp.stack.data());
    for (std::size_t at = 0; at < std::min(call.arguments.size(), callee.parameters.size()); ++at) {
        const u32 bytes = std::min(call.arguments[at].bytes, callee.parameters[at].bytes);
        std::memcpy(stack + top + callee.parameters[at].offset,
                    stack + warp.frame + call.arguments[at].offset, (bytes + 3) / 4 * narrowBytes);
    }
    warp.paths.push_back(warp.path(behind->index));
    warp.setFrame(top, u32(end), callee);
    warp.reconverge = noStep;
    return callee.steps.data();
}

const Step* callFunction(Warp& warp, const Step* step) {
    const Call& call = *static_cast<const Call*>(step->more);
    const Step* target = enter(warp, step, *call.code, call, step + 1);
    if (target == nullptr) return nullptr;
    WARPLENS_GO(warp, target);
}
/// Lanes of one function at a time. In code that ptxas does not optimise they meet behind the call
/// (its SASS has BSSY and BSYNC around it); otherwise where they would without it.
const Step* callByAddress(Warp& warp, const Step* step) {
    const Call& call = *static_cast<const Call*>(step->more);
    const u64* addresses = warp.value<u64>(step->a);
    const u64 address = addresses[warp.firstLane()];
    u32 same = 0;
    forEachLane(warp.active,
                [&](u32 lane) { same |= addresses[lane] == address ? 1u << lane : 0; });
    Program& program = gridOf(warp).program();
    const Function* function = program.functionAt(address);
    if (function == nullptr || function->isDeclaration) {
        report(warp, step, FindingKind::wildPointer, warp.firstLane(),
               "a call to an address where no function is");
        return endLaunch(warp, "a call went to no function");
    }
    if (same != warp.active) {
        if (warp.code->function->isDebug) meetAt(warp, step->index + 1);
        Path rest = warp.path(step->index);
        rest.mask = warp.active & ~same;
        warp.paths.push_back(rest);
        warp.active = same;
    }
    return enter(warp, step, program.code(*function), call, step + 1);
}
const Step* takeResults(Warp& warp, const Step* step) {
    const Call& call = *static_cast<const Call*>(step->more);
    forEachResult(warp, call.results, [&](u32* to, const u32* from) {
        forEachLane(warp.active, [&](u32 lane) { to[lane] = from[lane]; });
    });
    WARPLENS_GO(warp, step + 1);
}

const Step* nothing([[maybe_unused]] Warp& warp, const Step* step) {
    WARPLENS_GO(warp, step + 1);
}

const Step* sleep(Warp& warp, const Step* step) {
    warp.block->clock += 1000;
    WARPLENS_GO(warp, step + 1);
}

bool branchInstruction(Decoder& decoder, const Instruction& instruction) {
    if (instruction.words[0] == "brx") {
        if (instruction.operands.size() != 2) return decoder.fail();
        const auto found = decoder.function().branchTargets.find(instruction.operands[1].symbol);
        if (found == decoder.function().branchTargets.end() || found->second.empty())
            return decoder.fail("a branch without targets");
        auto targets = std::make_unique<std::vector<u32>>();
        for (const std::string_view name : found->second) {
            const std::optional<u32> target = decoder.label(name);
            if (!target) return decoder.fail("there is no label '" + std::string(name) + "'");
            targets->push_back(*target);
        }
        decoder.emit({.run = branchByIndex,
                      .a = decoder.source(instruction.operands[0], Type::u32),
                      .site = decoder.addSite(AccessKind::branch, 0),
                      .more = targets.get()});
        decoder.code().tables.push_back(std::move(targets));
        return true;
    }
    if (instruction.operands.empty()) return decoder.fail();
    const std::optional<u32> target = decoder.label(instruction.operands[0].symbol);
    if (!target)
        return decoder.fail("there is no label '" + std::string(instruction.operands[0].symbol) +
                            "'");
    if (instruction.guard < 0) {
        // To the next one nothing has to be done.
        if (*target > 0 && &decoder.function().instructions[*target - 1] == &instruction)
            return true;
        decoder.emit(jump);
    } else {
        const PredicateSlot guard = decoder.guardOf(instruction);
        decoder.emit({.run = branch,
                      .a = guard.slot,
                      .mode = guard.inverted,
                      .site = decoder.addSite(AccessKind::branch, 0)});
    }
    decoder.jumpTo(*target);
    return true;
}

bool endInstruction(Decoder& decoder, const Instruction& instruction) {
    const bool ends = instruction.words[0] == "exit" || decoder.function().isKernel;
    decoder.emit(instruction.words[0] == "trap" ? trapped : ends ? exitKernel : returnToCaller);
    return true;
}

bool callInstruction(Decoder& decoder, const Instruction& instruction) {
    auto call = std::make_unique<Call>();
    std::size_t at = 0;
    const std::vector<Operand>& operands = instruction.operands;
    const auto bytesOfAll = [&](const Operand& list, std::vector<Call::Bytes>& all) {
        for (const Operand& part : list.parts) {
            const Call::Bytes* bytes = decoder.parameterBytes(part.symbol);
            if (bytes == nullptr)
                return decoder.fail("there is no parameter '" + std::string(part.symbol) + "'");
            all.push_back(*bytes);
        }
        return true;
    };
    if (at < operands.size() && operands[at].kind == Operand::Kind::list &&
        !bytesOfAll(operands[at++], call->results))
        return false;
    if (at >= operands.size()) return decoder.fail();
    const Operand& target = operands[at++];
    if (at < operands.size() && operands[at].kind == Operand::Kind::list &&
        !bytesOfAll(operands[at++], call->arguments))
        return false;
    call->name = target.symbol;
    if (target.kind == Operand::Kind::reg) {
        decoder.emit(
            {.run = callByAddress, .a = decoder.source(target, Type::u64), .more = call.get()});
        decoder.code().callsByAddress = true;
    } else if (const Code* code =
                   decoder.program().codeOf(target.symbol, decoder.code().origin(instruction))) {
        call->code = code;
        decoder.emit({.run = callFunction, .more = call.get()});
    } else if (const Handler builtin = builtinNamed(target.symbol)) {
        decoder.emit({.run = builtin, .more = call.get()});
        // Memory that kernels take, and what they launch, is made in an order.
        decoder.code().usesOrder |= target.symbol != "vprintf" && target.symbol != "__assertfail";
        decoder.code().calls.push_back(std::move(call));
        return true;
    } else {
        return decoder.fail("a call of '" + demangled(target.symbol) + "', which is not here");
    }
    // Lanes that call different functions meet here.
    decoder.emit(reconvergeHere);
    decoder.emit({.run = takeResults, .more = call.get()});
    decoder.code().calls.push_back(std::move(call));
    return true;
}

}  // namespace

const Step* fence(Warp& warp, const Step* step) {
    gridOf(warp).tell(&Observer::onFence, warp, step->instruction->has("cta"));
    WARPLENS_GO(warp, step + 1);
}

void addControl(InstructionTable& table) {
    table.decode({"bra", "brx"}, branchInstruction);
    table.decode({"ret", "exit", "trap"}, endInstruction);
    table.decode({"call"}, callInstruction);
    using Form = InstructionTable::Form;
    table.set("membar", Form{"", fence});
    table.set("fence", Form{"", fence});
    table.set("nanosleep", Form{"", sleep});
    for (const char* name : {"prefetch", "prefetchu", "discard", "applypriority", "brkpt",
                             "pmevent", "griddepcontrol", "setmaxnreg"})
        table.set(name, Form{"", nothing});
}

}  // namespace warplens::ptx
