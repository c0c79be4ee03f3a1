#include "kernels/programs/runtime_api/lines.h"

#include <map>

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
        // Memory of a size that the launch says is declared under a name of its own.
        for (const auto& [name, variable] : program.moduleOf(*launch.kernel).variables) {
            if (variable.space == ptx::Space::shared && variable.bytes == 0)
                dynamic_ = variableName(name);
        }
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
    ptx::SharedLayout shared_;
    std::map<std::uint32_t, const ptx::Allocation*> global_;
    std::string dynamic_ = "dynamic shared memory";
};

}  // namespace

std::vector<ProgramLine> linesOf(ptx::Program& program, const ptx::KernelLaunch& launch,
                                 const ptx::LaunchResult& result, Source source) {
    const Names names(program, launch);
    return ptx::linesOf(program, result, source,
                        [&](std::uint32_t array) { return names.of(array); });
}

}  // namespace warplens::programs
