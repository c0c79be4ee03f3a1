// What of the driver API is no row of names.ld: contexts, modules that a program loads by itself,
// launches of their kernels, copies by direction, and virtual memory (CUDA Driver API). A context
// is its device's.
#include <cstdio>
#include <fstream>
#include <iterator>
#include <vector>

#include "kernels/programs/runtime_api/copies.h"
#include "kernels/programs/runtime_api/report.h"
#include "kernels/programs/runtime_api/streams.h"

using namespace warplens;
using namespace warplens::programs;
using cuda::Dim3;
using cuda::Error;
using cuda::Stream;

namespace {

constexpr auto fileNotFound = static_cast<Error>(301);
constexpr auto notFound = static_cast<Error>(500);

/// A device's number, and 1: none is null.
using Context = std::intptr_t;

/// CUmemAllocationProp, whose parts are given back as they came.
struct MemoryProperties final {
    std::byte all[32];
};
/// Physical memory. It is had where its addresses are reserved, and mapped there alone.
struct PhysicalMemory final {
    MemoryProperties properties;
    bool isMapped = false;
};
/// Until it is released and unmapped, which nobody is told of here.
using MemoryHandle = PhysicalMemory*;

const ptx::Function* functionOf(const void* handle) {
    RuntimeDevice& device = RuntimeDevice::instance();
    const HostKernel* kernel = device.kernel(handle);
    return kernel == nullptr ? nullptr : device.compiled().function(kernel->name);
}

/// Of arguments that lie in one buffer: {1: the buffer, 2: where its size is, 0: the end}.
std::vector<void*> argumentsIn(const ptx::Function& kernel, void** extra) {
    std::byte* buffer = nullptr;
    for (; extra[0] != nullptr; extra += 2)
        if (reinterpret_cast<std::uintptr_t>(extra[0]) == 1)
            buffer = static_cast<std::byte*>(extra[1]);
    std::vector<void*> pointers;
    for (const ptx::Parameter& parameter : kernel.parameters)
        pointers.push_back(buffer + parameter.offset);
    return pointers;
}

using Launch = Error (*)(const void*, Dim3, Dim3, void**, std::size_t, Stream);
Error launchBy(Launch launch, const void* handle, Dim3 grid, Dim3 block, unsigned shared,
               Stream stream, void** arguments, void** extra) {
    const auto lock = lockDevice();
    const ptx::Function* kernel = functionOf(handle);
    if (kernel == nullptr) return cuda::invalidResourceHandle;
    std::vector<void*> own;
    if (extra != nullptr) own = argumentsIn(*kernel, extra);
    return launch(handle, grid, block, extra == nullptr ? arguments : own.data(), shared, stream);
}

Error fill(std::uint64_t to, unsigned value, unsigned bytes, std::size_t count, Stream stream) {
    const auto lock = lockDevice();
    const FillParameters all{reinterpret_cast<void*>(to), 0, value, bytes, count, 1};
    return enqueue(
        stream, [=] { return fillElements(all); }, NodeKind::fill);
}

}  // namespace

extern "C" {

Error cudaSetDevice(int device);
Error cudaGetDevice(int* device);
Error cudaGetDeviceProperties(cuda::DeviceProperties* properties, int device);
Error cudaDeviceGetAttribute(int* value, int attribute, int device);
const char* cudaGetErrorString(int error);
const char* cudaGetErrorName(int error);
Error cudaFuncGetAttributes(cuda::FunctionAttributes* result, const void* stub);
Error cudaLaunchKernel(const void* stub, Dim3 grid, Dim3 block, void** arguments,
                       std::size_t shared, Stream stream);
Error cudaLaunchCooperativeKernel(const void* stub, Dim3 grid, Dim3 block, void** arguments,
                                  std::size_t shared, Stream stream);
Error cudaMalloc(void** pointer, std::size_t bytes);
Error cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind);
Error cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, Stream stream);
Error cuModuleLoadData(const void** module, const void* image);

/// In names.ld.
Error __cudaSucceeds() {
    return cuda::success;
}

Error cuGetErrorString(int error, const char** words) {
    return give(words, cudaGetErrorString(error));
}
Error cuGetErrorName(int error, const char** name) {
    return give(name, cudaGetErrorName(error));
}

Error cuDeviceGet(int* device, int ordinal) {
    cuda::DeviceProperties properties;
    *device = ordinal;
    return cudaGetDeviceProperties(&properties, ordinal);
}
Error cuDeviceGetName(char* name, int length, int device) {
    cuda::DeviceProperties properties;
    const Error error = cudaGetDeviceProperties(&properties, device);
    if (error != cuda::success) return error;
    std::snprintf(name, static_cast<std::size_t>(length), "%s", properties.name);
    return cuda::success;
}
Error cuDeviceTotalMem_v2(std::size_t* bytes, int device) {
    cuda::DeviceProperties properties;
    const Error error = cudaGetDeviceProperties(&properties, device);
    *bytes = properties.totalGlobalMem;
    return error;
}
Error cuDeviceComputeCapability(int* major, int* minor, int device) {
    constexpr int attribute = 75;  // and of the minor number the next
    const Error error = cudaDeviceGetAttribute(major, attribute, device);
    return error != cuda::success ? error : cudaDeviceGetAttribute(minor, attribute + 1, device);
}

Error cuDevicePrimaryCtxRetain(Context* context, int device) {
    *context = device + 1;
    return cuDeviceGet(&device, device);
}
Error cuCtxCreate_v2(Context* context, unsigned, int device) {
    *context = device + 1;
    return cudaSetDevice(device);
}
Error cuCtxCreate_v4(Context* context, const void*, unsigned flags, int device) {
    return cuCtxCreate_v2(context, flags, device);
}
Error cuCtxSetCurrent(Context context) {
    return context == 0 ? cuda::success : cudaSetDevice(static_cast<int>(context - 1));
}
Error cuCtxGetCurrent(Context* context) {
    int device = 0;
    const Error error = cudaGetDevice(&device);
    *context = device + 1;
    return error;
}

Error cuModuleLoad(const void** module, const char* path) {
    std::ifstream file(path, std::ios::binary);
    const std::string image(std::istreambuf_iterator<char>(file), {});
    return image.empty() ? fileNotFound : cuModuleLoadData(module, image.c_str());
}
/// Names are those of all modules.
Error cuModuleGetFunction(const void** result, const void*, const char* name) {
    const auto lock = lockDevice();
    RuntimeDevice& device = RuntimeDevice::instance();
    const ptx::Function* function = device.compiled().function(name);
    if (function == nullptr || !function->isKernel || function->isDeclaration) return notFound;
    if (device.kernel(function) == nullptr) device.addKernel(function, name);
    return give(result, function);
}
Error cuModuleGetGlobal_v2(std::uint64_t* address, std::size_t* bytes, const void*,
                           const char* name) {
    const auto lock = lockDevice();
    const ptx::Allocation* array = RuntimeDevice::instance().compiled().variable(name);
    if (array == nullptr) return notFound;
    if (address != nullptr) *address = array->address;
    if (bytes != nullptr) *bytes = array->bytes;
    return cuda::success;
}
Error cuFuncGetAttribute(int* value, int attribute, const void* function) {
    cuda::FunctionAttributes all{};
    const Error error = cudaFuncGetAttributes(&all, function);
    const int values[] = {all.maxThreadsPerBlock,
                          static_cast<int>(all.sharedBytes),
                          static_cast<int>(all.constantBytes),
                          static_cast<int>(all.localBytes),
                          all.registers,
                          all.ptxVersion,
                          all.binaryVersion,
                          all.cacheModeCa,
                          all.maxDynamicSharedBytes};
    if (attribute < 0 || attribute >= static_cast<int>(std::size(values)))
        return cuda::invalidValue;
    *value = values[attribute];
    return error;
}

Error cuLaunchKernel(const void* function, unsigned gridX, unsigned gridY, unsigned gridZ,
                     unsigned blockX, unsigned blockY, unsigned blockZ, unsigned shared,
                     Stream stream, void** arguments, void** extra) {
    return launchBy(cudaLaunchKernel, function, {gridX, gridY, gridZ}, {blockX, blockY, blockZ},
                    shared, stream, arguments, extra);
}
Error cuLaunchCooperativeKernel(const void* function, unsigned gridX, unsigned gridY,
                                unsigned gridZ, unsigned blockX, unsigned blockY, unsigned blockZ,
                                unsigned shared, Stream stream, void** arguments) {
    return launchBy(cudaLaunchCooperativeKernel, function, {gridX, gridY, gridZ},
                    {blockX, blockY, blockZ}, shared, stream, arguments, nullptr);
}

#define WARPLENS_COPY(name, asyncName, kind)                                                  \
    Error cuMemcpy##name(void* to, const void* from, std::size_t bytes) {                     \
        return cudaMemcpy(to, from, bytes, cuda::kind);                                       \
    }                                                                                         \
    Error cuMemcpy##asyncName(void* to, const void* from, std::size_t bytes, Stream stream) { \
        return cudaMemcpyAsync(to, from, bytes, cuda::kind, stream);                          \
    }
WARPLENS_COPY(, Async, anyDirection)
WARPLENS_COPY(HtoD_v2, HtoDAsync_v2, hostToDevice)
WARPLENS_COPY(DtoH_v2, DtoHAsync_v2, deviceToHost)
WARPLENS_COPY(DtoD_v2, DtoDAsync_v2, deviceToDevice)

Error cuMemsetD16_v2(std::uint64_t to, unsigned short value, std::size_t count) {
    return fill(to, value, 2, count, nullptr);
}
Error cuMemsetD16Async(std::uint64_t to, unsigned short value, std::size_t count, Stream stream) {
    return fill(to, value, 2, count, stream);
}
Error cuMemsetD32_v2(std::uint64_t to, unsigned value, std::size_t count) {
    return fill(to, value, 4, count, nullptr);
}
Error cuMemsetD32Async(std::uint64_t to, unsigned value, std::size_t count, Stream stream) {
    return fill(to, value, 4, count, stream);
}

Error cuMemGetAllocationGranularity(std::size_t* bytes, const void*, int) {
    return give(bytes, std::size_t{2} << 20);
}
Error cuMemAddressReserve(void** address, std::size_t bytes, std::size_t, std::uint64_t,
                          unsigned long long) {
    return cudaMalloc(address, bytes);
}
Error cuMemCreate(MemoryHandle* memory, std::size_t, const MemoryProperties* properties,
                  unsigned long long) {
    return give(memory, new PhysicalMemory{*properties});
}
Error cuMemGetAllocationPropertiesFromHandle(MemoryProperties* properties, MemoryHandle memory) {
    return give(properties, memory->properties);
}
Error cuMemMap(std::uint64_t, std::size_t, std::size_t, MemoryHandle memory, unsigned long long) {
    if (!std::exchange(memory->isMapped, true)) return cuda::success;
    const auto lock = lockDevice();
    return refuseCall(FindingKind::notSupported,
                      "maps memory of cuMemCreate twice, which is not modelled",
                      cuda::notSupported);
}
Error cuMemRelease(MemoryHandle memory) {
    delete memory;
    return cuda::success;
}

}  // extern "C"
