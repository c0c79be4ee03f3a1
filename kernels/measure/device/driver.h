#pragma once

#include <cuda.h>
#include <source_location>
#include <stdexcept>
#include <string>

#include "core/measurement/worker_protocol.h"

namespace warplens {

/// `CUDA_ERROR_ILLEGAL_ADDRESS`; `CUDA error 1234` where no driver tells its name.
[[nodiscard]] std::string nameOf(CUresult code);

/// A call of the CUDA driver that failed.
class CudaError final : public std::runtime_error {
  public:
    CudaError(CUresult code, const char* call, std::source_location where);
    [[nodiscard]] CUresult code() const { return code_; }

  private:
    CUresult code_;
};

/// Throws CudaError unless `code` is a success.
inline void check(CUresult code, const char* call,
                  std::source_location where = std::source_location::current()) {
    if (code != CUDA_SUCCESS) throw CudaError(code, call, where);
}

/// `13.0`, of a version as CUDA numbers it: 13000.
[[nodiscard]] std::string cudaVersionText(int version);

/// Throws NoDevice, with what to do, unless this driver (0: there is none) can run programs of this
/// release of CUDA: minor versions are compatible, major ones are not (CUDA Compatibility, 3.1).
void requireDriver(int driver, int needed);

/// Throws NoDevice, with what to do, unless cuInit succeeded.
void requireInitialized(CUresult answer);

/// How many devices this driver gives this process. Makes no context. Throws NoDevice.
[[nodiscard]] int requireUsableDevice();

/// `GPU-8c9fcd5b-2f8c-…`, as nvidia-smi writes it.
[[nodiscard]] std::string uuidInWords(const CUuuid& uuid);

/// Thrown when this machine has no CUDA device that can be used; says why and what to do.
class NoDevice final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// What a Driver calls the functions of CUDA's.
#define WARPLENS_DRIVER_FUNCTIONS(X)                          \
    X(deviceGetCount, cuDeviceGetCount)                       \
    X(deviceGet, cuDeviceGet)                                 \
    X(deviceGetName, cuDeviceGetName)                         \
    X(deviceGetUuid, cuDeviceGetUuid)                         \
    X(deviceGetAttribute, cuDeviceGetAttribute)               \
    X(deviceTotalMem, cuDeviceTotalMem)                       \
    X(deviceGetPciBusId, cuDeviceGetPCIBusId)                 \
    X(primaryCtxRetain, cuDevicePrimaryCtxRetain)             \
    X(ctxSetCurrent, cuCtxSetCurrent)                         \
    X(ctxGetCurrent, cuCtxGetCurrent)                         \
    X(ctxGetDevice, cuCtxGetDevice)                           \
    X(ctxSynchronize, cuCtxSynchronize)                       \
    X(moduleLoadDataEx, cuModuleLoadDataEx)                   \
    X(moduleUnload, cuModuleUnload)                           \
    X(moduleGetFunction, cuModuleGetFunction)                 \
    X(moduleGetGlobal, cuModuleGetGlobal)                     \
    X(memAlloc, cuMemAlloc)                                   \
    X(memFree, cuMemFree)                                     \
    X(memGetInfo, cuMemGetInfo)                               \
    X(memHostAlloc, cuMemHostAlloc)                           \
    X(memHostGetDevicePointer, cuMemHostGetDevicePointer)     \
    X(memFreeHost, cuMemFreeHost)                             \
    X(memcpyHtoD, cuMemcpyHtoD)                               \
    X(memcpyDtoH, cuMemcpyDtoH)                               \
    X(memcpyDtoDAsync, cuMemcpyDtoDAsync)                     \
    X(memsetD8Async, cuMemsetD8Async)                         \
    X(launchKernelEx, cuLaunchKernelEx)                       \
    X(funcGetAttribute, cuFuncGetAttribute)                   \
    X(funcSetAttribute, cuFuncSetAttribute)                   \
    X(occupancy, cuOccupancyMaxActiveBlocksPerMultiprocessor) \
    X(eventCreate, cuEventCreate)                             \
    X(eventRecord, cuEventRecord)                             \
    X(eventSynchronize, cuEventSynchronize)                   \
    X(eventElapsedTime, cuEventElapsedTime)                   \
    X(eventDestroy, cuEventDestroy)                           \
    X(streamWaitValue32, cuStreamWaitValue32)

/// The CUDA driver's functions that measuring takes, found with dlopen: nothing links libcuda.
class Driver final {
  public:
    /// Opens and initialises libcuda once for the process. Makes no context. Throws NoDevice where
    /// there is none, or one that cannot be used.
    static const Driver& open();

#define WARPLENS_MEMBER(member, name) decltype(&name) member = nullptr;
    WARPLENS_DRIVER_FUNCTIONS(WARPLENS_MEMBER)
#undef WARPLENS_MEMBER

    [[nodiscard]] int version() const {
        return version_;
    }  ///< of CUDA: 13000 for 13.0

  private:
    Driver();
    int version_ = 0;
};

/// Waits for all that is queued in this thread's context. Throws CudaError.
void synchronize();

/// What this machine is called: who reads a worker's words may sit at another one. `this machine`
/// where it has no name.
[[nodiscard]] std::string hostName();

/// What an error of CUDA means for a person, and what can be done about it: `invalid` where the
/// request asks for more than the device has, `impossible` where this machine cannot measure,
/// `failed` where this run failed. Errors without words of their own keep the call that gave
/// them.
[[nodiscard]] Failure failureOf(const CudaError& error);

}  // namespace warplens
