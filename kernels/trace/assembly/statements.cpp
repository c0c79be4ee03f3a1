#include "kernels/trace/assembly/statements.h"

#include <string_view>
#include <unordered_map>
#include <vector>

#include "kernels/trace/assembly/hooks.h"
#include "kernels/trace/runtime/tables.h"

namespace warplens::assembly {
namespace {

using runtime::Outcome;

/// The next instruction that is no label and no marker.
std::size_t instructionFrom(const Unit& unit, const Function& function, std::size_t at) {
    while (at < function.body.size() && mnemonicOf(unit.lines[function.body[at].line]).empty()) {
        ++at;
    }
    return at;
}

std::uint32_t bitsOf(Outcome through, Outcome taken) {
    return static_cast<std::uint32_t>(through) | static_cast<std::uint32_t>(taken) << 2;
}

}  // namespace

/// Where a part holds, what comes next is done; unless that lies before it, as the body of a loop
/// whose test stands at its end, or right behind a later part, as the body of `if (a || b)`.
std::map<std::size_t, std::uint32_t> partOutcomes(const Unit& unit, const Function& function) {
    std::unordered_map<std::string_view, std::size_t> labels;
    std::vector<bool> isBehindJump(function.body.size() + 1);
    bool jumpBefore = false;
    std::vector<std::size_t> jumps;
    for (std::size_t i = 0; i < function.body.size(); ++i) {
        const std::string_view line = unit.lines[function.body[i].line];
        if (const auto label = labelOf(line); !label.empty()) {
            labels.emplace(label, i);
            isBehindJump[i] = jumpBefore;
            continue;
        }
        if (mnemonicOf(line).empty()) continue;
        jumpBefore = false;
        if (!isConditionalJump(mnemonicOf(line)) || isCompilersOwnJump(unit, function, i)) continue;
        jumps.push_back(i);
        jumpBefore = !labels.contains(operandsOf(line));  // forward
    }
    std::map<std::size_t, std::uint32_t> outcomes;
    for (const std::size_t jump : jumps) {
        const auto target = labels.find(operandsOf(unit.lines[function.body[jump].line]));
        if (target == labels.end()) continue;
        const bool isAhead = target->second > jump;
        const bool jumpsWhereItHolds = !isAhead || isBehindJump[target->second];
        const std::size_t through = instructionFrom(unit, function, jump + 1);
        const bool goesOn = through < function.body.size() &&
                            mnemonicOf(unit.lines[function.body[through].line]) != "jmp";
        outcomes[jump] = (jumpsWhereItHolds ? bitsOf(Outcome::no, Outcome::yes)
                                            : bitsOf(Outcome::yes, Outcome::no)) |
                         (isAhead && goesOn ? runtime::jumpIsAhead : 0);
    }
    return outcomes;
}

}  // namespace warplens::assembly
