// Launches matadd-coalesced at 512x512 once: something for ncu to profile.

#include "kernels/measure/device/device_query.h"
#include "kernels/measure/scenario_launch.h"

int main() {
    using namespace warplens;
    const Device device = queryDevice();
    const ScenarioLaunch launch(complete({"matadd-coalesced", {}, {}, {{"n", 512}}}), device);
    launch.run();
    synchronize();
}
