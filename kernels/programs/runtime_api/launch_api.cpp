#include <cstring>
#include <vector>

#include "kernels/programs/runtime_api/launching.h"
#include "kernels/programs/runtime_api/streams.h"

using namespace warplens;
using namespace warplens::programs;
using cuda::Dim3;
using cuda::Error;
using cuda::Stream;

namespace {

struct Configuration final {
    Dim3 grid, block;
    std::size_t dynamicSharedBytes;
    Stream stream;
};
/// `<<<>>>` whose kernel's call has not come yet; a call's arguments may launch, too.
thread_local std::vector<Configuration> configurations;

Error launchIn(Stream stream, const HostLaunch& host, void** arguments) {
    const auto lock = lockDevice();
    if (captured(stream) == nullptr) {
        HostLaunch inStream = host;
        inStream.stream = stream;
        return launch(inStream, arguments);
    }
    record(stream, NodeKind::kernel).take(host, arguments);
    return cuda::success;
}

}  // namespace

extern "C" {

unsigned __cudaPushCallConfiguration(Dim3 grid, Dim3 block, std::size_t dynamicSharedBytes,
                                     Stream stream) {
    configurations.push_back({grid, block, dynamicSharedBytes, stream});
    return 0;
}
Error __cudaPopCallConfiguration(Dim3* grid, Dim3* block, std::size_t* dynamicSharedBytes,
                                 void* stream) {
    if (configurations.empty()) return cuda::invalidConfiguration;
    const Configuration last = configurations.back();
    configurations.pop_back();
    *grid = last.grid;
    *block = last.block;
    *dynamicSharedBytes = last.dynamicSharedBytes;
    std::memcpy(stream, &last.stream, sizeof last.stream);
    return cuda::success;
}

/// A kernel's handle is its stub.
Error __cudaGetKernel(const void** kernel, const void* stub) {
    return give(kernel, stub);
}

Error cudaLaunchKernel(const void* stub, Dim3 grid, Dim3 block, void** arguments,
                       std::size_t shared, Stream stream) {
    return launchIn(stream,
                    {.stub = stub, .grid = grid, .block = block, .dynamicSharedBytes = shared},
                    arguments);
}
Error cudaLaunchCooperativeKernel(const void* stub, Dim3 grid, Dim3 block, void** arguments,
                                  std::size_t shared, Stream stream) {
    return launchIn(stream,
                    {.stub = stub,
                     .grid = grid,
                     .block = block,
                     .dynamicSharedBytes = shared,
                     .isCooperative = true},
                    arguments);
}
Error cudaLaunchKernelExC(const cuda::LaunchConfig* config, const void* stub, void** arguments) {
    HostLaunch host{.stub = stub,
                    .grid = config->grid,
                    .block = config->block,
                    .dynamicSharedBytes = config->dynamicSharedBytes};
    for (unsigned at = 0; at < config->attributeCount; ++at) {
        const cuda::LaunchAttribute& attribute = config->attributes[at];
        int flag = 0;
        std::memcpy(&flag, attribute.value, sizeof flag);
        if (attribute.id == cuda::cooperativeAttribute) host.isCooperative = flag != 0;
        if (attribute.id == cuda::clusterAttribute)
            std::memcpy(&host.cluster, attribute.value, sizeof host.cluster);
    }
    return launchIn(config->stream, host, arguments);
}

}  // extern "C"
