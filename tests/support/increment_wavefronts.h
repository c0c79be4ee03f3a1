#pragma once

#include "core/access/line_cost.h"
#include "kernels/library/traced_kernel.h"

namespace warplens {

/// Wavefronts of shared memory where adding 1 is an instruction of its own, ATOMS.POPC.INC: lanes
/// at one word take it together, as they do in a load.
inline std::uint64_t wavefrontsWithIncrements(const Experiment& e) {
    class Observer final : public trace::WarpObserver {
      public:
        void onRequest(const trace::WarpRequest& request) override {
            if (isGlobal(request.kind)) return;
            wavefronts +=
                costOf(AccessKind::sharedLoad, request.addresses, request.bytes).wavefronts;
        }
        void onBranch(const trace::WarpBranch&) override {}
        std::uint64_t wavefronts = 0;
    };
    TracedKernel kernel(e);
    Observer observer;
    for (std::uint64_t block = 0; block < e.launch.grid.count(); ++block) {
        kernel.runBlock(blockIndexInGrid(block, e.launch.grid), observer);
    }
    return observer.wavefronts;
}

}  // namespace warplens
