#include "kernels/device/run/driver.h"

#include <dlfcn.h>
#include <string>

#include "kernels/measure/device/cuda_error.h"
#include "kernels/measure/device/device_query.h"

namespace warplens {
namespace {

template <class Function>
void findDriver(void* library, Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) {
        throw NoDevice(std::string("libcuda.so.1 has no ") + name +
                       "; a driver for CUDA 13 is needed");
    }
}

}  // namespace

// cuda.h names the newest version of each function by macros: `cuMemAlloc` is `cuMemAlloc_v2`.
#define WARPLENS_DRIVER_NAME(name) #name
#define WARPLENS_FIND(member, name) findDriver(library, member, WARPLENS_DRIVER_NAME(name))

Driver::Driver() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == nullptr) throw NoDevice("libcuda.so.1 not found: no NVIDIA driver is installed");
    WARPLENS_FIND(moduleLoadDataEx, cuModuleLoadDataEx);
    WARPLENS_FIND(moduleUnload, cuModuleUnload);
    WARPLENS_FIND(moduleGetFunction, cuModuleGetFunction);
    WARPLENS_FIND(moduleGetGlobal, cuModuleGetGlobal);
    WARPLENS_FIND(memAlloc, cuMemAlloc);
    WARPLENS_FIND(memFree, cuMemFree);
    WARPLENS_FIND(memGetInfo, cuMemGetInfo);
    WARPLENS_FIND(memcpyHtoD, cuMemcpyHtoD);
    WARPLENS_FIND(memcpyDtoH, cuMemcpyDtoH);
    WARPLENS_FIND(memcpyDtoDAsync, cuMemcpyDtoDAsync);
    WARPLENS_FIND(memsetD8, cuMemsetD8);
    WARPLENS_FIND(launchKernelEx, cuLaunchKernelEx);
    WARPLENS_FIND(funcGetAttribute, cuFuncGetAttribute);
    WARPLENS_FIND(funcSetAttribute, cuFuncSetAttribute);
    WARPLENS_FIND(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor);
    WARPLENS_FIND(ctxGetCurrent, cuCtxGetCurrent);
    WARPLENS_FIND(ctxSynchronize, cuCtxSynchronize);
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

void check(CUresult result, const char* call) {
    check(static_cast<cudaError_t>(result), call);
}

}  // namespace warplens
