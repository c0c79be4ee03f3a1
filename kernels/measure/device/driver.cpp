#include "kernels/measure/device/driver.h"

#include <dlfcn.h>
#include <string>

#include "kernels/measure/device/cuda_failure.h"

namespace warplens {

namespace {

/// What the driver says of the error by one of its functions; empty where there is no driver, or it
/// does not know the error. Needs no driver that can be used.
std::string toldByDriver(const char* function, CUresult code) {
    static void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    using Tell = CUresult (*)(CUresult, const char**);
    const auto tell =
        library == nullptr ? nullptr : reinterpret_cast<Tell>(dlsym(library, function));
    const char* text = nullptr;
    if (tell == nullptr || tell(code, &text) != CUDA_SUCCESS || text == nullptr) return {};
    return text;
}

}  // namespace

std::string nameOf(CUresult code) {
    const std::string name = toldByDriver("cuGetErrorName", code);
    return name.empty() ? "CUDA error " + std::to_string(code) : name;
}

CudaError::CudaError(CUresult code, const char* call, std::source_location where)
    : std::runtime_error(std::string(call) + ": " + toldByDriver("cuGetErrorString", code) + " (" +
                         nameOf(code) + ") at " + where.file_name() + ":" +
                         std::to_string(where.line())),
      code_(code) {}

std::string cudaVersionText(int version) {
    return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

void requireDriver(int driver, int needed) {
    if (driver == 0) {
        throw NoDevice("no NVIDIA driver on " + hostName() + "; measuring needs one there");
    }
    if (driver / 1000 < needed / 1000) {
        throw NoDevice("the NVIDIA driver of " + hostName() + " supports CUDA " +
                       cudaVersionText(driver) + ", this program needs " + cudaVersionText(needed) +
                       "; update the driver");
    }
}

void requireInitialized(CUresult answer) {
    if (answer == CUDA_SUCCESS) return;
    throw NoDevice(failureOf(CudaError(answer, "cuInit", std::source_location::current())).message);
}

int requireUsableDevice() {
    int count = 0;
    check(Driver::open().deviceGetCount(&count), "cuDeviceGetCount");
    if (count == 0) requireInitialized(CUDA_ERROR_NO_DEVICE);
    return count;
}

std::string uuidInWords(const CUuuid& uuid) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text = "GPU-";
    for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        const auto byte = static_cast<unsigned char>(uuid.bytes[i]);
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

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
