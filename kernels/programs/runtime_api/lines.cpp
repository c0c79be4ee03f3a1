#include "kernels/programs/runtime_api/lines.h"

#include "kernels/programs/runtime_api/array_names.h"
#include "kernels/ptx/run/grid.h"

namespace warplens::programs {

std::vector<ProgramLine> linesOf(ptx::Program& program, const ptx::KernelLaunch& launch,
                                 const ptx::LaunchResult& result, Source source,
                                 const ptx::check::AddressFormulas* formulas) {
    const ArrayNames names(program, launch);
    const auto nameOf = [&](std::uint32_t array) { return names.of(array); };
    if (formulas == nullptr) return ptx::linesOf(program, result, source, nameOf);
    return ptx::linesOf(program, result, source, nameOf,
                        [&](ProgramLine& line, const ptx::ArrayCounts& entry) {
                            if (line.kind == AccessKind::branch) {
                                if (auto lanes = formulas->ofBranch(entry.site)) line.lanes = lanes;
                                return;
                            }
                            if (!formulas->hasSeen(entry.site, entry.array)) return;
                            line.address = formulas->of(entry.site, entry.array);
                            line.hasNoFormula = !line.address;
                        });
}

}  // namespace warplens::programs
