#pragma once

#include <cuda.h>

namespace warplens {

/// The CUDA driver's functions that loading and launching compiled code takes, found with dlopen.
class Driver final {
  public:
    /// Opens libcuda once for the process. Throws NoDevice (device_query.h).
    static const Driver& open();

    decltype(&cuModuleLoadDataEx) moduleLoadDataEx = nullptr;
    decltype(&cuModuleUnload) moduleUnload = nullptr;
    decltype(&cuModuleGetFunction) moduleGetFunction = nullptr;
    decltype(&cuModuleGetGlobal) moduleGetGlobal = nullptr;
    decltype(&cuMemAlloc) memAlloc = nullptr;
    decltype(&cuMemFree) memFree = nullptr;
    decltype(&cuMemGetInfo) memGetInfo = nullptr;
    decltype(&cuMemcpyHtoD) memcpyHtoD = nullptr;
    decltype(&cuMemcpyDtoH) memcpyDtoH = nullptr;
    decltype(&cuMemcpyDtoDAsync) memcpyDtoDAsync = nullptr;
    decltype(&cuMemsetD8) memsetD8 = nullptr;
    decltype(&cuLaunchKernelEx) launchKernelEx = nullptr;
    decltype(&cuFuncGetAttribute) funcGetAttribute = nullptr;
    decltype(&cuFuncSetAttribute) funcSetAttribute = nullptr;
    decltype(&cuOccupancyMaxActiveBlocksPerMultiprocessor) occupancy = nullptr;
    decltype(&cuCtxGetCurrent) ctxGetCurrent = nullptr;
    decltype(&cuCtxSynchronize) ctxSynchronize = nullptr;
    decltype(&cuLinkCreate) linkCreate = nullptr;
    decltype(&cuLinkAddData) linkAddData = nullptr;
    decltype(&cuLinkComplete) linkComplete = nullptr;
    decltype(&cuLinkDestroy) linkDestroy = nullptr;

  private:
    Driver();
};

/// Throws CudaError (cuda_error.h) unless `result` is a success: the driver numbers its errors as
/// the runtime does.
void check(CUresult result, const char* call);

}  // namespace warplens
