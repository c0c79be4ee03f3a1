#include "kernels/programs/runtime_api/lines.h"

#include "kernels/programs/runtime_api/array_names.h"
#include "kernels/ptx/run/lines.h"

namespace warplens::programs {

std::vector<ProgramLine> linesOf(ptx::Program& program, const ptx::KernelLaunch& launch,
                                 const ptx::LaunchResult& result, Source source) {
    const ArrayNames names(program, launch);
    return ptx::linesOf(program, result, source,
                        [&](std::uint32_t array) { return names.of(array); });
}

}  // namespace warplens::programs
