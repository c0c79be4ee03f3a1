#include "kernels/programs/runtime_api/lines.h"

#include <map>
#include <set>

#include "kernels/programs/runtime_api/array_names.h"
#include "kernels/ptx/run/lines.h"

namespace warplens::programs {
namespace {

/// Arrays by their ids, shared ones by their places in the layout.
class Names final {
  public:
    Names(ptx::Program& program, const ptx::KernelLaunch& launch)
        : shared_(program.sharedLayout(*launch.kernel, launch.launch.dynamicSharedBytes)) {
        for (const auto& [address, array] : program.memory().allocations())
            global_[array.id] = &array;
        const ptx::Module& module = program.moduleOf(*launch.kernel);
        std::set<const ptx::Function*> seen;
        nameDynamic(module, *launch.kernel, seen);
    }
    [[nodiscard]] std::string of(std::uint32_t array) const {
        if (array == ptx::noArray) return {};
        if ((array & ptx::inShared) != 0) {
            const std::size_t index = (array & ~ptx::inShared) - 1;
            const std::string_view name =
                index < shared_.arrays.size() ? shared_.arrays[index].name : std::string_view();
            return name.empty() ? dynamic_ : variableName(name);
        }
        const auto found = global_.find(array);
        if (found == global_.end()) return {};
        if (found->second->name.empty()) return "array " + std::to_string(array);
        return variableName(found->second->name);
    }

  private:
    /// Memory of a size that the launch says has a name of its own in each kernel.
    void nameDynamic(const ptx::Module& module, const ptx::Function& function,
                     std::set<const ptx::Function*>& seen) {
        if (!seen.insert(&function).second) return;
        for (const ptx::Instruction& instruction : function.instructions) {
            for (const ptx::Operand& operand : instruction.operands) {
                const auto variable = module.variables.find(operand.symbol);
                if (variable != module.variables.end() && variable->second.bytes == 0 &&
                    variable->second.space == ptx::Space::shared)
                    dynamic_ = variableName(variable->first);
                const auto called = module.functions.find(operand.symbol);
                if (called != module.functions.end()) nameDynamic(module, *called->second, seen);
            }
        }
    }

    ptx::SharedLayout shared_;
    std::map<std::uint32_t, const ptx::Allocation*> global_;
    std::string dynamic_ = "dynamic shared memory";
};

}  // namespace

std::vector<ProgramLine> linesOf(ptx::Program& program, const ptx::KernelLaunch& launch,
                                 const ptx::LaunchResult& result, Source source,
                                 const ptx::check::AddressFormulas* formulas) {
    const Names names(program, launch);
    const auto nameOf = [&](std::uint32_t array) { return names.of(array); };
    if (formulas == nullptr) return ptx::linesOf(program, result, source, nameOf);
    return ptx::linesOf(program, result, source, nameOf,
                        [&](ProgramLine& line, const ptx::ArrayCounts& entry) {
                            if (line.kind == LineKind::branch) {
                                if (auto lanes = formulas->ofBranch(entry.site)) line.lanes = lanes;
                                return;
                            }
                            if (!formulas->hasSeen(entry.site, entry.array)) return;
                            line.address = formulas->of(entry.site, entry.array);
                            line.hasNoFormula = !line.address;
                        });
}

}  // namespace warplens::programs
