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

std::size_t targetOf(const Unit& unit, const Function& function, std::size_t jump) {
    const std::string_view target = operandsOf(unit.lines[function.body[jump].line]);
    std::size_t at = 0;
    while (at < function.body.size() && labelOf(unit.lines[function.body[at].line]) != target) {
        ++at;
    }
    return instructionFrom(unit, function, at);
}

std::uint32_t bitsOf(Outcome through, Outcome taken) {
    return static_cast<std::uint32_t>(through) | static_cast<std::uint32_t>(taken) << 2;
}

/// The parts of a condition stand one behind the other. Behind the last comes what is done where it
/// holds; at the end of a loop, whose body lies before it, the last part jumps back to that.
void addOutcomes(const Unit& unit, const Function& function, const std::vector<std::size_t>& jumps,
                 std::map<std::size_t, std::uint32_t>& outcomes) {
    const std::size_t last = jumps.back();
    const std::size_t target = targetOf(unit, function, last);
    const std::size_t holds =
        target < jumps.front() ? target : instructionFrom(unit, function, last + 1);
    const auto outcomeAt = [&](std::size_t at) {
        if (at == holds) return Outcome::yes;
        return at > jumps.front() && at <= last ? Outcome::within : Outcome::no;
    };
    for (const std::size_t jump : jumps) {
        const Outcome through = outcomeAt(instructionFrom(unit, function, jump + 1));
        const Outcome taken = outcomeAt(targetOf(unit, function, jump));
        outcomes[jump] = bitsOf(through, taken);
    }
}

}  // namespace

std::map<std::size_t, std::uint32_t> statementOutcomes(const Unit& unit, const Function& function,
                                                       const Statements& statements) {
    std::map<std::uint32_t, std::vector<std::size_t>> jumpsOf;
    if (function.origin == Origin::person) {
        for (std::size_t i = 0; i < function.body.size(); ++i) {
            const Instruction& instruction = function.body[i];
            if (statements.lines.contains(instruction.location.line) &&
                isConditionalJump(mnemonicOf(unit.lines[instruction.line])) &&
                !isCompilersOwnJump(unit, function, i)) {
                jumpsOf[instruction.location.line].push_back(i);
            }
        }
    }
    std::map<std::size_t, std::uint32_t> outcomes;
    for (const auto& [line, jumps] : jumpsOf) addOutcomes(unit, function, jumps, outcomes);
    return outcomes;
}

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
