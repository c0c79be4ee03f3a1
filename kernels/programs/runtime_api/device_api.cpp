// What a program asks about its device: a GPU of compute capability 9.0 (CUDA Programming Guide,
// "Compute Capabilities"), the one that code is compiled for where nothing else is said.
#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

#include "kernels/programs/runtime_api/device.h"
#include "kernels/programs/runtime_api/in_flight.h"
#include "kernels/programs/runtime_api/launching.h"
#include "kernels/programs/runtime_api/report.h"

using namespace warplens;
using namespace warplens::programs;
using cuda::Error;

namespace {

constexpr int multiprocessors = 132;

struct ErrorText final {
    int code;
    const char* name;
    const char* words;
};
constexpr std::array errorTexts{
    ErrorText{0, "cudaSuccess", "no error"},
    ErrorText{1, "cudaErrorInvalidValue", "invalid argument"},
    ErrorText{2, "cudaErrorMemoryAllocation", "out of memory"},
    ErrorText{9, "cudaErrorInvalidConfiguration", "invalid configuration argument"},
    ErrorText{12, "cudaErrorInvalidPitchValue", "invalid pitch argument"},
    ErrorText{13, "cudaErrorInvalidSymbol", "invalid device symbol"},
    ErrorText{21, "cudaErrorInvalidMemcpyDirection", "invalid copy direction for memcpy"},
    ErrorText{98, "cudaErrorInvalidDeviceFunction", "invalid device function"},
    ErrorText{100, "cudaErrorNoDevice", "no CUDA-capable device is detected"},
    ErrorText{101, "cudaErrorInvalidDevice", "invalid device ordinal"},
    ErrorText{200, "cudaErrorInvalidKernelImage", "device kernel image is invalid"},
    ErrorText{400, "cudaErrorInvalidResourceHandle", "invalid resource handle"},
    ErrorText{600, "cudaErrorNotReady", "device not ready"},
    ErrorText{700, "cudaErrorIllegalAddress", "an illegal memory access was encountered"},
    ErrorText{701, "cudaErrorLaunchOutOfResources", "too many resources requested for launch"},
    ErrorText{702, "cudaErrorLaunchTimeout", "the launch timed out and was terminated"},
    ErrorText{710, "cudaErrorAssert", "device-side assert triggered"},
    ErrorText{712, "cudaErrorHostMemoryAlreadyRegistered",
              "part or all of the requested memory range is already mapped"},
    ErrorText{713, "cudaErrorHostMemoryNotRegistered",
              "pointer does not correspond to a registered memory region"},
    ErrorText{714, "cudaErrorHardwareStackError", "hardware stack error"},
    ErrorText{716, "cudaErrorMisalignedAddress", "misaligned address"},
    ErrorText{719, "cudaErrorLaunchFailure", "unspecified launch failure"},
    ErrorText{720, "cudaErrorCooperativeLaunchTooLarge", "too many blocks in cooperative launch"},
    ErrorText{801, "cudaErrorNotSupported", "operation not supported"},
};

const ErrorText& textOf(int code) {
    static constexpr ErrorText unknown{999, "cudaErrorUnknown", "unknown error"};
    const auto* found = std::ranges::find(errorTexts, code, &ErrorText::code);
    return found == errorTexts.end() ? unknown : *found;
}

/// Devices are told apart by number alone: they share one memory.
thread_local int currentDevice = 0;
bool isDevice(int device) {
    return device >= 0 && device < options().devices;
}

template <class Properties>
Properties propertiesOfDevice() {
    Properties p{};
    std::strcpy(p.name, "Warplens, PTX on the processor");
    p.totalGlobalMem = std::size_t{8} << 30;
    p.sharedMemPerBlock = 49152;
    p.regsPerBlock = p.regsPerMultiprocessor = 65536;
    p.warpSize = 32;
    p.memPitch = 2147483647;
    p.maxThreadsPerBlock = 1024;
    p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024;
    p.maxThreadsDim[2] = 64;
    p.maxGridSize[0] = 2147483647;
    p.maxGridSize[1] = p.maxGridSize[2] = 65535;
    p.totalConstMem = 65536;
    p.major = 9;
    p.textureAlignment = 512;
    p.texturePitchAlignment = 32;
    p.multiProcessorCount = multiprocessors;
    p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = p.managedMemory = 1;
    p.concurrentManagedAccess = p.cooperativeLaunch = p.streamPrioritiesSupported = 1;
    p.hostRegisterSupported = p.computePreemptionSupported = p.canUseHostPointerForRegisteredMem =
        1;
    p.asyncEngineCount = 3;
    p.memoryBusWidth = 6144;
    p.l2CacheSize = 60 << 20;
    p.persistingL2CacheMaxSize = 32 << 20;
    p.accessPolicyMaxWindowSize = 128 << 20;
    p.maxThreadsPerMultiProcessor = 2048;
    p.maxBlocksPerMultiProcessor = 32;
    p.sharedMemPerMultiprocessor = 233472;
    p.sharedMemPerBlockOptin = 232448;
    p.reservedSharedMemPerBlock = 1024;
    if constexpr (requires { p.clockRate; }) {
        p.clockRate = 1980000;
        p.memoryClockRate = 3201000;
        p.deviceOverlap = 1;
        p.singleToDoublePrecisionPerfRatio = 2;
    }
    return p;
}

struct Attribute final {
    int id;
    int value;
};
/// Those of cudaDeviceAttr that are not 0.
constexpr std::array attributes{
    Attribute{1, 1024},        Attribute{2, 1024},
    Attribute{3, 1024},        Attribute{4, 64},
    Attribute{5, 2147483647},  Attribute{6, 65535},
    Attribute{7, 65535},       Attribute{8, 49152},
    Attribute{9, 65536},       Attribute{10, 32},
    Attribute{11, 2147483647}, Attribute{12, 65536},
    Attribute{13, 1980000},    Attribute{14, 512},
    Attribute{15, 1},          Attribute{16, multiprocessors},
    Attribute{19, 1},          Attribute{31, 1},
    Attribute{36, 3201000},    Attribute{37, 6144},
    Attribute{38, 60 << 20},   Attribute{39, 2048},
    Attribute{40, 3},          Attribute{41, 1},
    Attribute{51, 32},         Attribute{75, 9},
    Attribute{78, 1},          Attribute{81, 233472},
    Attribute{82, 65536},      Attribute{83, 1},
    Attribute{89, 1},          Attribute{90, 1},
    Attribute{91, 1},          Attribute{95, 1},
    Attribute{97, 232448},     Attribute{99, 1},
    Attribute{102, 1},         Attribute{106, 32},
    Attribute{107, 1},         Attribute{108, 32 << 20},
    Attribute{109, 128 << 20}, Attribute{111, 1024},
    Attribute{115, 1},
};

/// Of a thread; what many kernels have where the assembler was not asked.
int registersOf(const std::string& kernel) {
    const auto found = options().registers.find(kernel);
    return found == options().registers.end() ? 32 : found->second;
}

/// Warps whose registers an SM has at once: it gives out 256 at a time, a quarter by each
/// scheduler.
int warpsByRegisters(const std::string& kernel) {
    const int ofWarp = (registersOf(kernel) + 7) / 8 * 256;
    return 4 * (65536 / 4 / std::max(ofWarp, 256));
}

/// Blocks of so many threads that fit on an SM beside one another.
int blocksPerMultiprocessor(const void* stub, int threads, std::size_t dynamicSharedBytes) {
    if (threads < 1 || threads > 1024) return 0;
    RuntimeDevice& device = RuntimeDevice::instance();
    std::uint64_t shared = dynamicSharedBytes;
    int warps = 64;
    if (const HostKernel* kernel = device.kernel(stub)) {
        warps = std::min(warps, warpsByRegisters(kernel->name));
        if (const ptx::Function* function = device.compiled().function(kernel->name)) {
            shared = device.compiled()
                         .sharedLayout(*function, static_cast<std::uint32_t>(dynamicSharedBytes))
                         .bytes;
        }
    }
    const int blocks = std::min(32, warps / ((threads + 31) / 32));
    if (shared == 0) return blocks;
    return std::min(blocks, static_cast<int>(233472 / (shared + 1024)));
}

}  // namespace

extern "C" {

Error cudaGetLastError() {
    const auto lock = lockDevice();
    waitForNothing();
    return RuntimeDevice::instance().takeError();
}
Error cudaPeekAtLastError() {
    const auto lock = lockDevice();
    waitForNothing();
    return RuntimeDevice::instance().pendingError();
}
const char* cudaGetErrorName(int error) {
    return textOf(error).name;
}
const char* cudaGetErrorString(int error) {
    return textOf(error).words;
}

Error cudaDeviceSynchronize() {
    const auto lock = lockDevice();
    waitForLaunches();
    return RuntimeDevice::instance().lost();
}
Error cudaGetDeviceCount(int* count) {
    return give(count, options().devices);
}
Error cudaGetDevice(int* device) {
    return give(device, currentDevice);
}
Error cudaStreamGetDevice(cuda::Stream, int* device) {
    return cudaGetDevice(device);
}
Error cudaSetDevice(int device) {
    if (!isDevice(device)) return fail(cuda::invalidDevice);
    currentDevice = device;
    return cuda::success;
}
Error cudaDeviceGetPCIBusId(char* text, int length, int device) {
    std::snprintf(text, static_cast<std::size_t>(length), "0000:%02x:00.0", device + 1);
    return cuda::success;
}
Error cudaGetDeviceFlags(unsigned* flags) {
    return give(flags, 0);
}
Error cudaGetDeviceProperties(cuda::DeviceProperties* properties, int device) {
    if (!isDevice(device)) return fail(cuda::invalidDevice);
    return give(properties, propertiesOfDevice<cuda::DeviceProperties>());
}
/// What the headers of CUDA 12 call cudaGetDeviceProperties.
Error cudaGetDeviceProperties_v2(cuda::DevicePropertiesOf12* properties, int device) {
    if (!isDevice(device)) return fail(cuda::invalidDevice);
    return give(properties, propertiesOfDevice<cuda::DevicePropertiesOf12>());
}
Error cudaDeviceGetAttribute(int* value, int attribute, int device) {
    if (!isDevice(device)) return fail(cuda::invalidDevice);
    const auto* found = std::ranges::find(attributes, attribute, &Attribute::id);
    return give(value, found == attributes.end() ? 0 : found->value);
}
Error cudaDeviceGetStreamPriorityRange(int* least, int* greatest) {
    if (least != nullptr) *least = 0;
    if (greatest != nullptr) *greatest = -5;
    return cuda::success;
}
Error cudaDeviceGetLimit(std::size_t* value, int) {
    return give(value, 8 << 20);
}
Error cudaDeviceGetCacheConfig(int* config) {
    return give(config, 0);
}
Error cudaDeviceCanAccessPeer(int* can, int device, int peer) {
    return give(can, isDevice(device) && isDevice(peer) && device != peer ? 1 : 0);
}
Error cudaDeviceEnablePeerAccess(int peer, unsigned) {
    return isDevice(peer) && peer != currentDevice ? cuda::success : fail(cuda::invalidDevice);
}
Error cudaDeviceDisablePeerAccess(int peer) {
    return cudaDeviceEnablePeerAccess(peer, 0);
}
Error cudaDeviceGetP2PAttribute(int* value, int attribute, int, int) {
    return give(value, attribute == 1 ? 0 : 1);  // a rank of 0; access, atomics and arrays
}
Error cudaDriverGetVersion(int* version) {
    return give(version, 13000);
}

Error cudaFuncSetAttribute(const void* stub, int attribute, int value) {
    const auto lock = lockDevice();
    HostKernel* kernel = RuntimeDevice::instance().kernel(stub);
    if (kernel == nullptr) return fail(cuda::invalidDeviceFunction);
    constexpr int maxDynamicSharedMemorySize = 8;
    if (attribute != maxDynamicSharedMemorySize) return cuda::success;
    if (value < 0 || value > 232448) return fail(cuda::invalidValue);
    kernel->maxDynamicSharedBytes = value;
    return cuda::success;
}
Error cudaFuncGetAttributes(cuda::FunctionAttributes* result, const void* stub) {
    const auto lock = lockDevice();
    RuntimeDevice& device = RuntimeDevice::instance();
    const HostKernel* kernel = device.kernel(stub);
    const ptx::Function* function =
        kernel == nullptr ? nullptr : device.compiled().function(kernel->name);
    if (function == nullptr) return device.fail(cuda::invalidDeviceFunction);
    *result = {};
    result->sharedBytes = device.compiled().sharedLayout(*function, 0).bytes;
    result->maxThreadsPerBlock = std::min(1024, 32 * warpsByRegisters(kernel->name));
    result->registers = registersOf(kernel->name);
    result->ptxVersion = result->binaryVersion = 90;
    result->maxDynamicSharedBytes = kernel->maxDynamicSharedBytes;
    return cuda::success;
}
Error cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, const void* stub,
                                                             int threads,
                                                             std::size_t dynamicSharedBytes,
                                                             unsigned) {
    const auto lock = lockDevice();
    return give(blocks, blocksPerMultiprocessor(stub, threads, dynamicSharedBytes));
}
Error cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* stub, int threads,
                                                    std::size_t dynamicSharedBytes) {
    return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, stub, threads,
                                                                  dynamicSharedBytes, 0);
}
Error cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, const void*, int blocks, int) {
    return give(bytes, blocks < 1 ? 0
                                  : std::min<std::size_t>(
                                        232448, 233472 / static_cast<std::size_t>(blocks) - 1024));
}

}  // extern "C"
