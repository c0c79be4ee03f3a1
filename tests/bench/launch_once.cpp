// Launches matadd-coalesced at 512x512 once: something for ncu to profile.

#include "kernels/measure/bound_kernel.h"
#include "kernels/measure/device/device_query.h"

int main() {
    using namespace warplens;
    const Device device = queryDevice();
    const BoundKernel bound(complete({"matadd-coalesced", {}, {}, {{"n", 512}}}), device);
    bound.launchPlain();
    synchronize();
}
