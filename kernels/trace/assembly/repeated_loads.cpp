#include "kernels/trace/assembly/repeated_loads.h"

#include <optional>
#include <tuple>
#include <vector>

#include "kernels/trace/assembly/hooks.h"

namespace warplens::assembly {

std::set<std::size_t> repeatedLoads(
    const Unit& unit, const Function& function,
    const std::set<std::pair<std::uint32_t, std::uint32_t>>& compound) {
    std::set<std::size_t> repeated;
    if (compound.empty()) return repeated;
    struct Load final {
        std::size_t instruction;
        Location location;
        std::string_view hook;
    };
    std::vector<Load> loads;  // since the last store
    for (std::size_t i = 0; i < function.body.size(); ++i) {
        const std::string_view line = unit.lines[function.body[i].line];
        if (mnemonicOf(line) != "call") continue;
        const std::string_view callee = operandsOf(line);
        const std::optional<Hook> hook = hookNamed(callee);
        if (!hook || isOfFrame(unit, function, i)) continue;
        const Location& here = function.body[i].location;
        if (!hook->store) {
            loads.push_back({i, here, callee});
            continue;
        }
        if (compound.contains({here.line, here.column})) {
            std::set<std::tuple<std::uint32_t, std::uint32_t, std::string_view>> seen;
            for (const Load& load : loads) {
                const Location& at = load.location;
                if (at.file != here.file ||
                    std::pair(at.line, at.column) > std::pair(here.line, here.column)) {
                    continue;
                }
                if (!seen.emplace(at.line, at.column, load.hook).second) {
                    repeated.insert(load.instruction);
                }
            }
        }
        loads.clear();
    }
    return repeated;
}

}  // namespace warplens::assembly
