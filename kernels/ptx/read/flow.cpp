#include "kernels/ptx/read/flow.h"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <tuple>
#include <utility>

namespace warplens::ptx {
namespace {

/// How many of the first operands are written.
std::size_t targetsOf(const Instruction& instruction) {
    const std::string_view name = instruction.words[0];
    for (const std::string_view none : {"st",        "red",           "bra",
                                        "brx",       "call",          "ret",
                                        "exit",      "trap",          "membar",
                                        "fence",     "prefetch",      "prefetchu",
                                        "nanosleep", "brkpt",         "pmevent",
                                        "cp",        "stmatrix",      "sust",
                                        "discard",   "applypriority", "griddepcontrol",
                                        "setmaxnreg"}) {
        if (name == none) return 0;
    }
    if (name == "bar" || name == "barrier") return instruction.has("red") ? 1 : 0;
    if (name == "mbarrier") return instruction.has("init") || instruction.has("inval") ? 0 : 1;
    return 1;
}

void addRegisters(const Operand& operand, bool isTarget, RegisterUse& use) {
    std::vector<s32>& list =
        isTarget && operand.kind != Operand::Kind::memory ? use.writes : use.reads;
    if (operand.reg >= 0) list.push_back(operand.reg);
    if (operand.second >= 0) list.push_back(operand.second);
    for (const Operand& part : operand.parts)
        addRegisters(part, isTarget && operand.kind == Operand::Kind::list, use);
}

bool endsBlock(const Instruction& instruction) {
    const std::string_view name = instruction.words[0];
    return name == "bra" || name == "brx" || name == "ret" || name == "exit" || name == "trap";
}

/// Whether all that is left to do at that instruction is to return from somewhere else. In code of
/// `-G` a `ret` with a place of its own is the closing brace, where lanes do meet.
bool isSharedReturn(const Function& function, u32 at) {
    const auto& instructions = function.instructions;
    if (at == 0 || at >= instructions.size()) return false;
    const Instruction& last = instructions[at];
    return (last.words[0] == "ret" || last.words[0] == "exit") && last.guard < 0 &&
           !(function.isDebug && last.place != instructions[at - 1].place);
}

}  // namespace

RegisterUse registersOf(const Instruction& instruction) {
    RegisterUse use;
    const std::size_t targets = targetsOf(instruction);
    for (std::size_t at = 0; at < instruction.operands.size(); ++at) {
        addRegisters(instruction.operands[at], at < targets, use);
    }
    if (instruction.guard >= 0) {
        use.reads.push_back(instruction.guard);
        // Where it does not hold, what was there stays.
        use.reads.insert(use.reads.end(), use.writes.begin(), use.writes.end());
    }
    return use;
}

ControlFlow::ControlFlow(const Function& function) {
    const auto count = u32(function.instructions.size());
    std::vector<bool> begins(count + 1, false);
    begins[0] = true;
    for (const auto& [name, at] : function.labels) begins[at] = true;
    for (u32 at = 0; at < count; ++at) {
        if (endsBlock(function.instructions[at])) begins[at + 1] = true;
    }
    blockOf_.resize(count + 1);
    for (u32 at = 0; at < count; ++at) {
        if (begins[at]) blocks_.push_back({.begin = at, .end = at});
        blocks_.back().end = at + 1;
        blockOf_[at] = u32(blocks_.size() - 1);
    }
    // A label behind the last instruction is the function's end.
    blocks_.push_back({.begin = count, .end = count});
    blockOf_[count] = u32(blocks_.size() - 1);
    const u32 end = blockOf_[count];
    const auto jumpTo = [&](u32 from, std::string_view label, bool isGuarded) {
        const auto found = function.labels.find(label);
        if (found == function.labels.end()) return;
        u32 to = blockOf_[found->second];
        if (isSharedReturn(function, found->second)) {
            if (!isGuarded) {
                blocks_[from].isReturn = blocks_[from].begin + 1 == blocks_[from].end;
                return;
            }
            to = u32(blocks_.size());
            blocks_.push_back({.begin = count, .end = count, .isReturn = true});
        }
        if (isGuarded) blocks_[from].jump = to;
        blocks_[from].next.push_back(to);
    };
    for (u32 index = 0; index < end; ++index) {
        const Instruction& last = function.instructions[blocks_[index].end - 1];
        const std::string_view name = last.words[0];
        if (name == "bra" && !last.operands.empty())
            jumpTo(index, last.operands[0].symbol, last.guard >= 0);
        if (name == "brx" && last.operands.size() > 1) {
            const auto targets = function.branchTargets.find(last.operands[1].symbol);
            if (targets != function.branchTargets.end()) {
                for (const std::string_view label : targets->second) jumpTo(index, label, false);
            }
        }
        Block& block = blocks_[index];
        const bool goesOn = !endsBlock(last) || (last.guard >= 0);
        if (goesOn) block.next.push_back(index + 1);
        std::ranges::sort(block.next);
        block.next.erase(std::unique(block.next.begin(), block.next.end()), block.next.end());
    }
    findPostDominators();
}

std::vector<u32> ControlFlow::endsOf(const std::vector<std::vector<u32>>& before) const {
    const auto count = u32(blocks_.size());
    std::vector<u32> ends;
    for (u32 block = 0; block < count; ++block) {
        if (blocks_[block].next.empty()) ends.push_back(block);
    }
    std::vector<u32> stack;
    const auto visit = [&](u32 end, auto&& isNew) {
        stack.assign(1, end);
        for (isNew(end); !stack.empty();) {
            const u32 block = stack.back();
            stack.pop_back();
            for (const u32 from : before[block]) {
                if (isNew(from)) stack.push_back(from);
            }
        }
    };
    // How many blocks lead to each; where there are too many ends to ask, those that come last in
    // the text are taken first. Those where nothing is done but to return come last.
    constexpr std::size_t mostVisits = 1u << 24;
    std::size_t visits = 0;
    std::vector<u32> seenFor(count, none);
    std::vector<u32> leading(count, 0);
    for (const u32 end : ends) {
        if (visits > mostVisits) break;
        visit(end, [&](u32 block) {
            if (std::exchange(seenFor[block], end) == end) return false;
            ++leading[end];
            return true;
        });
        visits += leading[end];
    }
    const auto rankOf = [&](u32 end) {
        return std::tuple(!blocks_[end].isReturn, leading[end], end);
    };
    std::ranges::sort(ends, std::greater(), rankOf);
    std::vector<u32> endOf(count, none);
    for (const u32 end : ends) {
        visit(end, [&](u32 block) {
            if (endOf[block] != none) return false;
            endOf[block] = end;
            return true;
        });
    }
    return endOf;
}

void ControlFlow::findPostDominators() {
    // Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm", on the reversed graph; the
    // end is a block of its own, which all that do not go on lead to. A way to another end than the
    // block's own does not count: its lanes are gone, and the others need not wait for them.
    const auto count = u32(blocks_.size());
    const u32 end = count;
    std::vector<std::vector<u32>> before(count + 1);
    for (u32 block = 0; block < count; ++block) {
        for (const u32 next : blocks_[block].next) before[next].push_back(block);
    }
    endOf_ = endsOf(before);
    for (u32 block = 0; block < count; ++block) {
        std::erase_if(before[block], [&](u32 from) { return endOf_[from] != endOf_[block]; });
        if (blocks_[block].next.empty()) before[end].push_back(block);
    }
    std::vector<u32> order;  // from the end, last visited first
    std::vector<u32> rank(count + 1, none);
    std::vector<std::pair<u32, std::size_t>> stack{{end, 0}};
    std::vector<bool> seen(count + 1, false);
    seen[end] = true;
    while (!stack.empty()) {
        auto& [block, at] = stack.back();
        if (at < before[block].size()) {
            const u32 next = before[block][at++];
            if (!seen[next]) {
                seen[next] = true;
                stack.emplace_back(next, 0);
            }
        } else {
            rank[block] = u32(order.size());
            order.push_back(block);
            stack.pop_back();
        }
    }
    std::vector<u32> dominator(count + 1, none);
    dominator[end] = end;
    const auto common = [&](u32 a, u32 b) {
        while (a != b) {
            while (rank[a] < rank[b]) a = dominator[a];
            while (rank[b] < rank[a]) b = dominator[b];
        }
        return a;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (auto block = order.rbegin(); block != order.rend(); ++block) {
            if (*block == end) continue;
            u32 found = blocks_[*block].next.empty() ? end : none;
            for (const u32 next : blocks_[*block].next) {
                if (dominator[next] == none || endOf_[next] != endOf_[*block]) continue;
                found = found == none ? next : common(found, next);
            }
            if (found != dominator[*block]) {
                dominator[*block] = found;
                changed = true;
            }
        }
    }
    postDominator_.assign(count, none);
    for (u32 block = 0; block < count; ++block) {
        if (dominator[block] != end) postDominator_[block] = dominator[block];
    }
}

u32 ControlFlow::reconvergence(u32 instruction) const {
    const u32 block = postDominator_[blockOf_[instruction]];
    return block == none ? none : blocks_[block].begin;
}

ControlFlow::Leaving ControlFlow::leaving(u32 instruction) const {
    const u32 at = blockOf_[instruction];
    const u32 jump = blocks_[at].jump;
    if (jump == none || jump == at + 1) return {};
    return {endOf_[jump] != endOf_[at], endOf_[at + 1] != endOf_[at]};
}

Liveness livenessOf(const Function& function, const ControlFlow& flow,
                    const std::vector<RegisterUse>& uses,
                    const std::vector<std::pair<s32, s32>>& copies) {
    constexpr std::size_t mostWords = 1u << 24;
    constexpr std::size_t mostBits = 1u << 22;  // of registers that are copied, by instruction
    const std::size_t registers = function.registers.size();
    const auto& blocks = flow.blocks();
    const auto last = u32(function.instructions.size());
    const std::size_t words = (registers + 63) / 64;
    Liveness liveness{std::vector<LiveRange>(registers), std::vector<s32>(registers)};
    std::vector<LiveRange>& ranges = liveness.ranges;
    std::vector<s32>& places = liveness.places;
    std::iota(places.begin(), places.end(), 0);
    if (words * blocks.size() > mostWords) {
        std::ranges::fill(ranges, LiveRange{0, last});
        return liveness;
    }

    // Registers read before they are written, and written, in each block; then what is needed at
    // its begin.
    std::vector<u64> reads(words * blocks.size());
    std::vector<u64> writes(words * blocks.size());
    const auto bit = [](s32 reg) { return 1ull << (reg & 63); };
    for (std::size_t block = 0; block < blocks.size(); ++block) {
        u64* const read = reads.data() + block * words;
        u64* const written = writes.data() + block * words;
        for (u32 at = blocks[block].begin; at < blocks[block].end; ++at) {
            for (const s32 reg : uses[at].reads) {
                if ((written[reg >> 6] & bit(reg)) == 0) read[reg >> 6] |= bit(reg);
            }
            for (const s32 reg : uses[at].writes) written[reg >> 6] |= bit(reg);
        }
    }
    std::vector<u64> needed = reads;
    std::vector<u64> neededBehind(words * blocks.size());
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t block = blocks.size(); block-- > 0;) {
            for (std::size_t word = 0; word < words; ++word) {
                u64 behind = 0;
                for (const u32 next : blocks[block].next) behind |= needed[next * words + word];
                neededBehind[block * words + word] = behind;
                const u64 before =
                    reads[block * words + word] | (behind & ~writes[block * words + word]);
                changed |= before != needed[block * words + word];
                needed[block * words + word] = before;
            }
        }
    }
    const auto extend = [&](std::size_t reg, u32 at) {
        ranges[reg].begin = std::min(ranges[reg].begin, at);
        ranges[reg].end = std::max(ranges[reg].end, at);
    };
    for (std::size_t block = 0; block < blocks.size(); ++block) {
        for (u32 at = blocks[block].begin; at < blocks[block].end; ++at) {
            for (const s32 reg : uses[at].reads) extend(static_cast<std::size_t>(reg), at);
            for (const s32 reg : uses[at].writes) extend(static_cast<std::size_t>(reg), at);
        }
        for (std::size_t word = 0; word < words; ++word) {
            const auto forEach = [&](u64 bits, u32 at) {
                for (; bits != 0; bits &= bits - 1) {
                    extend(word * 64 + static_cast<std::size_t>(__builtin_ctzll(bits)), at);
                }
            };
            forEach(needed[block * words + word], blocks[block].begin);
            forEach(neededBehind[block * words + word], blocks[block].end);
        }
    }

    if (copies.size() * 2 * last > mostBits) return liveness;
    // Behind which instructions each register's value is needed, or has just been written.
    std::map<s32, std::vector<bool>> held;
    for (const auto& [to, from] : copies) held[to] = held[from] = std::vector<bool>(last);
    for (auto& [reg, behind] : held) {
        for (std::size_t block = 0; block < blocks.size(); ++block) {
            const auto word = static_cast<std::size_t>(reg >> 6);
            bool isNeeded = (neededBehind[block * words + word] & bit(reg)) != 0;
            for (u32 at = blocks[block].end; at-- > blocks[block].begin;) {
                const bool isWritten = std::ranges::count(uses[at].writes, reg) != 0;
                behind[at] = isNeeded || isWritten;
                isNeeded = (isNeeded && !isWritten) || std::ranges::count(uses[at].reads, reg) != 0;
            }
        }
    }
    const auto placeOf = [&](s32 reg) {
        while (places[reg] != reg) reg = places[reg];
        return reg;
    };
    for (const auto& copy : copies) {
        const s32 from = placeOf(copy.second);
        const s32 to = placeOf(copy.first);
        if (from == to) continue;
        std::vector<bool>& both = held[from];
        const std::vector<bool>& other = held[to];
        bool isApart = true;
        for (u32 at = 0; at < last && isApart; ++at) isApart = !both[at] || !other[at];
        if (!isApart) continue;
        for (u32 at = 0; at < last; ++at) both[at] = both[at] || other[at];
        places[to] = from;
        extend(static_cast<std::size_t>(from), ranges[to].begin);
        extend(static_cast<std::size_t>(from), ranges[to].end);
    }
    for (std::size_t reg = 0; reg < registers; ++reg) places[reg] = placeOf(s32(reg));
    return liveness;
}

}  // namespace warplens::ptx
