#include "kernels/trace/assembly/control_flow.h"

#include <algorithm>
#include <unordered_map>

namespace warplens::assembly {
namespace {

bool neverReturns(std::string_view callee) {
    return callee == "abort" || callee == "__assert_fail" || callee == "_Unwind_Resume" ||
           callee == "__stack_chk_fail" || callee == "exit" || callee == "__cxa_throw" ||
           callee == "__cxa_rethrow" || callee == "_ZSt9terminatev" ||
           callee == "__cxa_pure_virtual" || callee == "wl_trap";
}

}  // namespace

ControlFlow::ControlFlow(const Unit& unit, const Function& function) {
    split(unit, function);
    findMeetingPoints();
}

void ControlFlow::split(const Unit& unit, const Function& function) {
    std::unordered_map<std::string_view, std::uint32_t> blockOfLabel;
    struct Jump final {
        std::uint32_t block;
        std::string_view target;
    };
    std::vector<Jump> jumps;
    bool open = false;
    bool fallsThrough = false;
    const auto size = static_cast<std::uint32_t>(function.body.size());
    const auto begin = [&](std::uint32_t at) {
        blocks_.push_back({at, at, {}});
        const auto block = static_cast<std::uint32_t>(blocks_.size() - 1);
        if (fallsThrough && block > 0) blocks_[block - 1].successors.push_back(block);
        open = true;
        fallsThrough = true;
    };
    for (std::uint32_t i = 0; i < size; ++i) {
        const std::string_view line = unit.lines[function.body[i].line];
        if (const std::string_view label = labelOf(line); !label.empty()) {
            // Several labels in a row name one block.
            if (!open || blocks_.back().end != blocks_.back().first || blocks_.back().first != i) {
                bool onlyLabels = open;
                for (std::uint32_t k = open ? blocks_.back().first : i; onlyLabels && k < i; ++k) {
                    onlyLabels = !labelOf(unit.lines[function.body[k].line]).empty();
                }
                if (!open || !onlyLabels) begin(i);
            }
            blockOfLabel[label] = static_cast<std::uint32_t>(blocks_.size() - 1);
            blocks_.back().end = i + 1;
            continue;
        }
        const std::string_view mnemonic = mnemonicOf(line);
        if (mnemonic.empty()) continue;
        if (!open) begin(i);
        Block& block = blocks_.back();
        block.end = i + 1;
        const auto index = static_cast<std::uint32_t>(blocks_.size() - 1);
        if (isConditionalJump(mnemonic)) {
            jumps.push_back({index, operandsOf(line)});
            open = false;
        } else if (mnemonic == "jmp" || mnemonic == "ret" || mnemonic == "ud2" ||
                   mnemonic == "hlt") {
            if (mnemonic == "jmp") jumps.push_back({index, operandsOf(line)});
            open = false;
            fallsThrough = false;
        } else if (mnemonic == "call" && neverReturns(operandsOf(line))) {
            open = false;
            fallsThrough = false;
        }
    }
    for (const Jump& jump : jumps) {
        // A jump out of the function is a call at its end.
        if (const auto found = blockOfLabel.find(jump.target); found != blockOfLabel.end()) {
            std::vector<std::uint32_t>& successors = blocks_[jump.block].successors;
            if (std::find(successors.begin(), successors.end(), found->second) ==
                successors.end()) {
                successors.push_back(found->second);
            }
        }
    }
}

// Immediate dominators of the reversed graph: Cooper, Harvey, Kennedy, "A Simple, Fast Dominance
// Algorithm" (2001). Blocks from which the exit is never reached (endless loops) are joined to it.
void ControlFlow::findMeetingPoints() {
    const std::uint32_t count = exit();
    std::vector<std::vector<std::uint32_t>> before(count + 1);  // predecessors, exit included
    std::vector<bool> leaves(count, false);
    for (std::uint32_t block = 0; block < count; ++block) {
        for (const std::uint32_t next : blocks_[block].successors) before[next].push_back(block);
        if (blocks_[block].successors.empty()) {
            before[count].push_back(block);
            leaves[block] = true;
        }
    }
    std::vector<std::uint32_t> order;  // postorder of the reversed graph, from the exit
    std::vector<bool> seen(count + 1, false);
    const auto walk = [&](std::uint32_t root) {
        std::vector<std::pair<std::uint32_t, std::size_t>> path{{root, 0}};
        seen[root] = true;
        while (!path.empty()) {
            auto& [block, next] = path.back();
            if (next < before[block].size()) {
                const std::uint32_t to = before[block][next++];
                if (!seen[to]) {
                    seen[to] = true;
                    path.emplace_back(to, 0);
                }
            } else {
                order.push_back(block);
                path.pop_back();
            }
        }
    };
    std::vector<bool> reached(count + 1, false);
    const auto reach = [&](std::uint32_t from) {
        std::vector<std::uint32_t> open{from};
        reached[from] = true;
        while (!open.empty()) {
            const std::uint32_t block = open.back();
            open.pop_back();
            for (const std::uint32_t to : before[block]) {
                if (!reached[to]) {
                    reached[to] = true;
                    open.push_back(to);
                }
            }
        }
    };
    reach(count);
    for (std::uint32_t block = count; block-- > 0;) {
        if (reached[block]) continue;
        before[count].push_back(block);
        leaves[block] = true;
        reach(block);
    }
    walk(count);
    std::vector<std::uint32_t> rank(count + 1, 0);
    for (std::uint32_t i = 0; i < order.size(); ++i) rank[order[i]] = i;
    constexpr std::uint32_t unknown = UINT32_MAX;
    meeting_.assign(count + 1, unknown);
    meeting_[count] = count;
    const auto common = [&](std::uint32_t a, std::uint32_t b) {
        while (a != b) {
            while (rank[a] < rank[b]) a = meeting_[a];
            while (rank[b] < rank[a]) b = meeting_[b];
        }
        return a;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t i = order.size(); i-- > 0;) {
            const std::uint32_t block = order[i];
            if (block == count) continue;
            std::uint32_t found = leaves[block] ? count : unknown;
            for (const std::uint32_t next : blocks_[block].successors) {
                if (meeting_[next] == unknown) continue;
                found = found == unknown ? next : common(found, next);
            }
            if (found != meeting_[block]) {
                meeting_[block] = found;
                changed = true;
            }
        }
    }
}

std::vector<std::uint32_t> ControlFlow::between(std::uint32_t block) const {
    const std::uint32_t meeting = meeting_[block];
    std::vector<bool> seen(blocks_.size(), false);
    std::vector<std::uint32_t> open;
    std::vector<std::uint32_t> found;
    const auto visit = [&](std::uint32_t next) {
        if (next == meeting || seen[next]) return;
        seen[next] = true;
        open.push_back(next);
        found.push_back(next);
    };
    for (const std::uint32_t next : blocks_[block].successors) visit(next);
    while (!open.empty()) {
        const std::uint32_t at = open.back();
        open.pop_back();
        for (const std::uint32_t next : blocks_[at].successors) visit(next);
    }
    return found;
}

/// Whether a way leads there without `branch` and the point where its lanes meet.
bool ControlFlow::leads(std::uint32_t from, std::uint32_t to, std::uint32_t branch) const {
    std::vector<bool> seen(blocks_.size() + 1, false);
    seen[branch] = seen[meeting_[branch]] = true;
    std::vector<std::uint32_t> open;
    const auto visit = [&](std::uint32_t block) {
        if (!seen[block]) open.push_back(block);
        seen[block] = true;
    };
    for (visit(from); !open.empty();) {
        const std::uint32_t at = open.back();
        open.pop_back();
        if (at == to) return true;
        for (const std::uint32_t next : blocks_[at].successors) visit(next);
    }
    return false;
}

std::array<ControlFlow::Arm, 2> ControlFlow::arms(std::uint32_t block) const {
    const std::vector<std::uint32_t>& ways = blocks_[block].successors;
    if (ways.size() != 2) return {};
    std::array<Arm, 2> found{
        {{ways[0], leads(ways[1], ways[0], block)}, {ways[1], leads(ways[0], ways[1], block)}}};
    // Of a loop between them neither is behind the other.
    if (found[0].isShared && found[1].isShared) found[0].isShared = found[1].isShared = false;
    return found;
}

}  // namespace warplens::assembly
