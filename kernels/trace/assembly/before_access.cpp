#include "kernels/trace/assembly/before_access.h"

#include <cstdlib>

#include "kernels/trace/assembly/hooks.h"

namespace warplens::assembly {

bool asksForGuard(const Unit& unit, const Function& function, std::size_t i) {
    for (std::size_t k = i; k-- > 0 && k + 8 > i;) {
        const std::string_view line = unit.lines[function.body[k].line];
        if (!labelOf(line).empty() || isConditionalJump(mnemonicOf(line))) return false;
        const std::string_view operands = operandsOf(line);
        if (mnemonicOf(line) == "call" && !hookNamed(operands)) return false;
        if (operands.find("_ZGV") != std::string_view::npos &&
            operands.find("tpoff") != std::string_view::npos) {
            return true;
        }
    }
    return false;
}

std::string sharedNamedBefore(const Unit& unit, const Function& function, std::size_t i) {
    for (std::size_t k = i; k-- > 0 && k + 24 > i;) {
        const std::string_view line = unit.lines[function.body[k].line];
        if (!labelOf(line).empty()) return {};
        const std::string_view mnemonic = mnemonicOf(line);
        if (mnemonic == "call" || isConditionalJump(mnemonic)) return {};
        for (const std::string_view suffix : {"@tpoff", "@gottpoff"}) {
            const std::string_view operands = operandsOf(line);
            const std::size_t at = operands.find(suffix);
            if (at == std::string_view::npos || operands.find("%fs:") < at) continue;
            std::size_t begin = at;
            while (begin > 0 && operands[begin - 1] != '$' && operands[begin - 1] != ' ' &&
                   operands[begin - 1] != '(') {
                --begin;
            }
            const std::string_view symbol = operands.substr(begin, at - begin);
            if (symbol.starts_with("_ZGV")) return {};
            return std::string(symbol);
        }
    }
    return {};
}

std::uint32_t constantBefore(const Unit& unit, const Function& function, std::size_t i,
                             std::string_view narrow, std::string_view wide,
                             std::uint32_t otherwise) {
    for (std::size_t k = i; k-- > 0 && k + 6 > i;) {
        const std::string_view line = unit.lines[function.body[k].line];
        const std::string_view operands = operandsOf(line);
        if (!mnemonicOf(line).starts_with("mov") || !operands.starts_with('$') ||
            !(operands.ends_with(narrow) || operands.ends_with(wide))) {
            continue;
        }
        return static_cast<std::uint32_t>(
            std::strtoul(std::string(operands.substr(1)).c_str(), nullptr, 10));
    }
    return otherwise;
}

}  // namespace warplens::assembly
