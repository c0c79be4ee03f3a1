#include "kernels/device/run/probe_run.h"

#include "kernels/device/run/program_kernel.h"
#include "kernels/measure/probed_code.h"

namespace warplens {

ProbedSites probeProgram(const ProgramCode& code, const LaunchInputs& inputs, ProgramMemory& memory,
                         const std::set<std::string>& files) {
    const ProbedCode probed(code.compiled->ptx, code.kernel, inputs.launch.block, files);
    memory.bind(probed.code(), code.symbols);
    const ProgramKernel kernel(probed.code(), code.kernel, inputs, memory);
    return {.sites = probed.sites(),
            .tallies = probed.count({}, [&] { kernel.launch(); }),
            .notes = probed.notes()};
}

}  // namespace warplens
