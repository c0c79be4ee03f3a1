#include "kernels/bodies/block_demand.h"

#include "kernels/bodies/traced_kernel.h"

namespace warplens {

std::uint32_t staticSharedBytes(const Experiment& experiment) {
    TracedKernel traced(experiment);
    if (traced.kernel().shared.empty()) return 0;
    struct Ignore final : trace::WarpObserver {
        void onRequest(const trace::WarpRequest&) override {}
        void onBranch(const trace::WarpBranch&) override {}
    } ignore;
    traced.runBlock({}, ignore, WarpRank{0});
    return traced.staticSharedBytes();
}

StatedDemand demandOf(const Experiment& experiment) {
    return {.block = {.threads = experiment.launch.block.count(),
                      .registersPerThread = assumedRegisters,
                      .staticSharedBytes = staticSharedBytes(experiment),
                      .dynamicSharedBytes = experiment.launch.dynamicSharedBytes},
            .registersFrom = "assumed",
            .sharedFrom = "what the kernel declares"};
}

}  // namespace warplens
