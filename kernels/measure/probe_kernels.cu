#include <cassert>

#include "kernels/measure/bound_kernel.h"
#include "kernels/measure/probe_dialect.cuh"
#include "kernels/bodies/kernel_id.h"

namespace warplens {
namespace probed_bodies {

#include "kernels/bodies/all.inl"
#include "kernels/bodies/bind.inl"

/// What a probed body's parameters are made from.
struct Parameters {
    const BoundKernel& bound;
    template <class T>
    probe::Array<const T> input(int array) const {
        return {bound.pointer<const T>(array), array};
    }
    template <class T>
    probe::Array<T> output(int array) const {
        return {bound.pointer<T>(array), array};
    }
    int argument(const char* name) const { return bound.argument(name); }
};

struct RunOnDevice {
    const Launch& launch;
    probe::Context context;
    template <auto function, class... Parameter>
    void operator()(Body<function>, Parameter... parameter) const {
        const dim3 grid(launch.grid.x, launch.grid.y, launch.grid.z);
        const dim3 block(launch.block.x, launch.block.y, launch.block.z);
        probe::probed<function><<<grid, block, launch.dynamicSharedBytes>>>(context, parameter...);
    }
};

AccessTally toTally(const probe::Accesses& a) {
    return {a.requests, a.sectors, a.idealSectors, a.uniqueBytes, a.requestedBytes};
}

}  // namespace probed_bodies

LaunchTally BoundKernel::probe() const {
    assert(kernel_.arrays.size() <= probe::mostArrays);
    assert(kernel_.shared.size() <= probe::mostShared);
    assert(kernel_.branches.size() <= probe::mostBranches);
    const DeviceBuffer total(sizeof(probe::Tally));
    check(cudaMemsetAsync(total.as<>(), 0, total.bytes()), "cudaMemsetAsync");
    probe::Context context{total.as<probe::Tally>(), {}, {}};
    for (std::size_t i = 0; i < kernel_.shared.size(); ++i) {
        context.sharedIds[i] = probe::nameId(kernel_.shared[i]);
    }
    for (std::size_t i = 0; i < kernel_.branches.size(); ++i) {
        context.branchIds[i] = probe::nameId(kernel_.branches[i].name);
    }
    probed_bodies::bindKernel(kernelIdOf(kernel_), probed_bodies::Parameters{*this},
                              probed_bodies::RunOnDevice{experiment_.launch, context});
    check(cudaGetLastError(), "launch of the probed kernel");

    probe::Tally counts{};
    check(cudaMemcpy(&counts, total.as<>(), sizeof counts, cudaMemcpyDeviceToHost), "cudaMemcpy");
    LaunchTally tally(kernel_);
    for (std::size_t i = 0; i < tally.loads.size(); ++i) {
        tally.loads[i] = probed_bodies::toTally(counts.loads[i]);
        tally.stores[i] = probed_bodies::toTally(counts.stores[i]);
    }
    for (std::size_t i = 0; i < tally.shared.size(); ++i) {
        const probe::SharedAccesses& a = counts.shared[i];
        tally.shared[i] = {a.requests, a.wavefronts, a.idealWavefronts};
    }
    for (std::size_t i = 0; i < tally.branches.size(); ++i) {
        const probe::Branches& b = counts.branches[i];
        tally.branches[i] = {b.executed, b.divergent, b.lanes, b.takenLanes};
    }
    return tally;
}

}  // namespace warplens
