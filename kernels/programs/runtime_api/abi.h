#pragma once

#include <cstddef>
#include <cstdint>

/// What programs hand over to the CUDA runtime API, byte by byte as in CUDA 13's headers, which
/// need not be there when this is built.
namespace warplens::cuda {

enum Error : int {
    success = 0,
    invalidValue = 1,
    memoryAllocation = 2,
    invalidConfiguration = 9,
    invalidSymbol = 13,
    invalidMemcpyDirection = 21,
    invalidDeviceFunction = 98,
    invalidDevice = 101,
    invalidKernelImage = 200,
    alreadyMapped = 208,
    invalidPtx = 218,
    invalidResourceHandle = 400,
    notReady = 600,
    illegalAddress = 700,
    launchTimeout = 702,
    hostMemoryAlreadyRegistered = 712,
    hostMemoryNotRegistered = 713,
    deviceAssert = 710,
    hardwareStackError = 714,
    misalignedAddress = 716,
    launchFailure = 719,
    cooperativeLaunchTooLarge = 720,
    notSupported = 801,
};

struct Dim3 final {
    std::uint32_t x = 1, y = 1, z = 1;
};
struct Extent final {
    std::size_t width, height, depth;
};
struct Pos final {
    std::size_t x, y, z;
};
struct PitchedPointer final {
    void* pointer;
    std::size_t pitch, width, height;
};
struct Copy3D final {
    void* fromArray;
    Pos fromPos;
    PitchedPointer from;
    void* toArray;
    Pos toPos;
    PitchedPointer to;
    Extent extent;
    int kind;
};
struct Location final {
    int type, id;
};

using Stream = struct OpaqueStream*;
using Event = struct OpaqueEvent*;

enum CopyKind : int { hostToHost, hostToDevice, deviceToHost, deviceToDevice, anyDirection };

struct FunctionAttributes final {
    std::size_t sharedBytes, constantBytes, localBytes;
    int maxThreadsPerBlock, registers, ptxVersion, binaryVersion, cacheModeCa,
        maxDynamicSharedBytes, preferredSharedCarveout, clusterDimMustBeSet, clusterWidth,
        clusterHeight, clusterDepth, clusterPolicy, nonPortableClusterSizeAllowed;
    int reserved[16];
};

/// Of CUDA 12, whose callers have no room for more; 13 has reserved words behind it.
struct PointerAttributes final {
    int type;  ///< 0 unregistered, 1 host, 2 device, 3 managed
    int device;
    void* devicePointer;
    void* hostPointer;
};

struct LaunchAttribute final {
    int id;
    int padding;
    std::byte value[64];
};
inline constexpr int cooperativeAttribute = 2;
inline constexpr int clusterAttribute = 4;
struct LaunchConfig final {
    Dim3 grid, block;
    std::size_t dynamicSharedBytes;
    Stream stream;
    const LaunchAttribute* attributes;
    unsigned attributeCount;
};

/// cudaDeviceProp of CUDA 13.
struct DeviceProperties final {
    char name[256];
    char uuid[16];
    char luid[8];
    unsigned luidDeviceNodeMask;
    std::size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    std::size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    std::size_t totalConstMem;
    int major, minor;
    std::size_t textureAlignment, texturePitchAlignment;
    int multiProcessorCount, integrated, canMapHostMemory;
    int textureAndSurfaceExtents[39];
    std::size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver,
        asyncEngineCount, unifiedAddressing, memoryBusWidth, l2CacheSize, persistingL2CacheMaxSize,
        maxThreadsPerMultiProcessor, streamPrioritiesSupported, globalL1CacheSupported,
        localL1CacheSupported;
    std::size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID,
        hostNativeAtomicSupported, pageableMemoryAccess, concurrentManagedAccess,
        computePreemptionSupported, canUseHostPointerForRegisteredMem, cooperativeLaunch;
    std::size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost,
        maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
    std::size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, others[19];
    int reserved[56];
};
/// As CUDA 12 has it.
struct DevicePropertiesOf12 final {
    char name[256];
    char uuid[16];
    char luid[8];
    unsigned luidDeviceNodeMask;
    std::size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    std::size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate;
    std::size_t totalConstMem;
    int major, minor;
    std::size_t textureAlignment, texturePitchAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated, canMapHostMemory,
        computeMode;
    int textureAndSurfaceExtents[40];
    std::size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver,
        asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize,
        persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported,
        globalL1CacheSupported, localL1CacheSupported;
    std::size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID,
        hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess,
        concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem,
        cooperativeLaunch, cooperativeMultiDeviceLaunch;
    std::size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost,
        maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
    std::size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, others[12];
    int reserved[63];
};

}  // namespace warplens::cuda
