#include "kernels/measure/device/driver.h"

#include <dlfcn.h>
#include <string>

#include "kernels/measure/device/host_name.h"
#include "kernels/measure/device/usable_device.h"

namespace warplens {
namespace {

template <class Function>
void findDriver(void* library, Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) {
        throw NoDevice("the NVIDIA driver of " + hostName() + " has no " + name +
                       "; a driver for CUDA 13 is needed");
    }
}

}  // namespace

// cuda.h names the newest version of each function by macros: `cuMemAlloc` is `cuMemAlloc_v2`.
#define WARPLENS_DRIVER_NAME(name) #name
#define WARPLENS_FIND(member, name) findDriver(library, member, WARPLENS_DRIVER_NAME(name))

Driver::Driver() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == nullptr) requireDriver(0, CUDA_VERSION);
    // What any driver has comes first: one that is too old is to be told so.
    decltype(&cuDriverGetVersion) driverGetVersion = nullptr;
    decltype(&cuInit) init = nullptr;
    WARPLENS_FIND(driverGetVersion, cuDriverGetVersion);
    WARPLENS_FIND(init, cuInit);
    check(driverGetVersion(&version_), "cuDriverGetVersion");
    requireDriver(version_, CUDA_VERSION);
    requireInitialized(init(0));
    WARPLENS_FIND(deviceGetCount, cuDeviceGetCount);
    WARPLENS_FIND(deviceGet, cuDeviceGet);
    WARPLENS_FIND(deviceGetName, cuDeviceGetName);
    WARPLENS_FIND(deviceGetUuid, cuDeviceGetUuid);
    WARPLENS_FIND(deviceGetAttribute, cuDeviceGetAttribute);
    WARPLENS_FIND(deviceTotalMem, cuDeviceTotalMem);
    WARPLENS_FIND(deviceGetPciBusId, cuDeviceGetPCIBusId);
    WARPLENS_FIND(primaryCtxRetain, cuDevicePrimaryCtxRetain);
    WARPLENS_FIND(ctxSetCurrent, cuCtxSetCurrent);
    WARPLENS_FIND(ctxGetCurrent, cuCtxGetCurrent);
    WARPLENS_FIND(ctxGetDevice, cuCtxGetDevice);
    WARPLENS_FIND(ctxSynchronize, cuCtxSynchronize);
    WARPLENS_FIND(moduleLoadDataEx, cuModuleLoadDataEx);
    WARPLENS_FIND(moduleUnload, cuModuleUnload);
    WARPLENS_FIND(moduleGetFunction, cuModuleGetFunction);
    WARPLENS_FIND(moduleGetGlobal, cuModuleGetGlobal);
    WARPLENS_FIND(memAlloc, cuMemAlloc);
    WARPLENS_FIND(memFree, cuMemFree);
    WARPLENS_FIND(memGetInfo, cuMemGetInfo);
    WARPLENS_FIND(memHostAlloc, cuMemHostAlloc);
    WARPLENS_FIND(memHostGetDevicePointer, cuMemHostGetDevicePointer);
    WARPLENS_FIND(memFreeHost, cuMemFreeHost);
    WARPLENS_FIND(memcpyHtoD, cuMemcpyHtoD);
    WARPLENS_FIND(memcpyDtoH, cuMemcpyDtoH);
    WARPLENS_FIND(memcpyDtoDAsync, cuMemcpyDtoDAsync);
    WARPLENS_FIND(memsetD8Async, cuMemsetD8Async);
    WARPLENS_FIND(launchKernelEx, cuLaunchKernelEx);
    WARPLENS_FIND(funcGetAttribute, cuFuncGetAttribute);
    WARPLENS_FIND(funcSetAttribute, cuFuncSetAttribute);
    WARPLENS_FIND(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor);
    WARPLENS_FIND(eventCreate, cuEventCreate);
    WARPLENS_FIND(eventRecord, cuEventRecord);
    WARPLENS_FIND(eventSynchronize, cuEventSynchronize);
    WARPLENS_FIND(eventElapsedTime, cuEventElapsedTime);
    WARPLENS_FIND(eventDestroy, cuEventDestroy);
    WARPLENS_FIND(streamWaitValue32, cuStreamWaitValue32);
    WARPLENS_FIND(linkCreate, cuLinkCreate);
    WARPLENS_FIND(linkAddData, cuLinkAddData);
    WARPLENS_FIND(linkComplete, cuLinkComplete);
    WARPLENS_FIND(linkDestroy, cuLinkDestroy);
}

#undef WARPLENS_FIND
#undef WARPLENS_DRIVER_NAME

const Driver& Driver::open() {
    static const Driver driver;  // a failed attempt throws and is made again next time
    return driver;
}

void synchronize() {
    check(Driver::open().ctxSynchronize(), "cuCtxSynchronize");
}

}  // namespace warplens
