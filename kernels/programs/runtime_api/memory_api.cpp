
#include "kernels/programs/runtime_api/copies.h"
#include "kernels/programs/runtime_api/in_flight.h"
#include "kernels/programs/runtime_api/report.h"
#include "kernels/programs/runtime_api/streams.h"

using namespace warplens;
using namespace warplens::programs;
using cuda::Error;
using cuda::Extent;
using cuda::PitchedPointer;
using cuda::Stream;
using Kind = ptx::Allocation::Kind;

namespace {

Error allocate(void** pointer, std::size_t bytes, Kind kind) {
    const auto lock = lockDevice();
    RuntimeDevice& device = RuntimeDevice::instance();
    if (device.lost() != cuda::success) return device.lost();
    if (pointer == nullptr) return device.fail(cuda::invalidValue);
    *pointer = nullptr;
    if (bytes == 0) return cuda::success;
    *pointer = kind == Kind::device ? device.allocate(bytes) : device.allocateOnHost(bytes, kind);
    return *pointer == nullptr ? device.fail(cuda::memoryAllocation) : cuda::success;
}

/// What is not at the begin of an array, or freed before, is no memory to free.
Error release(void* pointer, bool isHost) {
    const auto lock = lockDevice();
    RuntimeDevice& device = RuntimeDevice::instance();
    if (pointer == nullptr) return cuda::success;
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    const auto& arrays = device.memory().allocations();
    const auto found = arrays.find(address);
    waitForLaunches();
    if (found != arrays.end() && !found->second.freed &&
        (found->second.kind == Kind::pinned) == isHost && device.release(address)) {
        return device.lost();
    }
    const ptx::Allocation* array = device.memory().find(address);
    if (found != arrays.end() && found->second.freed)
        return refuseCall(FindingKind::useAfterFree, "frees " + nameOf(*array) + " once more");
    if (found == arrays.end() && array != nullptr)
        return refuseCall(FindingKind::wildPointer, "frees an address inside of " + nameOf(*array));
    return refuseCall(FindingKind::hostPointer,
                      isHost ? "frees memory that cudaMallocHost did not give"
                             : "frees memory that cudaMalloc did not give");
}

Error copy(void* to, const void* from, std::size_t bytes, int kind, Stream stream = nullptr) {
    const auto lock = lockDevice();
    return enqueue(stream, [=] { return copyBytes(to, from, bytes, kind); });
}

/// A variable's bytes from `offset` on; null where they are not all there.
void* partOf(const void* symbol, std::size_t bytes, std::size_t offset) {
    const ptx::Allocation* array = RuntimeDevice::instance().variable(symbol);
    if (array == nullptr || offset > array->bytes || bytes > array->bytes - offset) return nullptr;
    return reinterpret_cast<void*>(array->address + offset);
}

std::size_t roundedPitch(std::size_t width) {
    return (width + 511) / 512 * 512;
}

/// Pools have no memory of their own here, and other processes are not served.
struct MemoryPool final {
    unsigned long long releaseThreshold = 0;
};
MemoryPool& defaultPool() {
    static MemoryPool pool;
    return pool;
}
constexpr int thresholdAttribute = 4;

}  // namespace

extern "C" {

Error cudaMalloc(void** pointer, std::size_t bytes) {
    return allocate(pointer, bytes, Kind::device);
}
Error cudaMallocManaged(void** pointer, std::size_t bytes, unsigned) {
    return allocate(pointer, bytes, Kind::managed);
}
Error cudaMallocHost(void** pointer, std::size_t bytes) {
    return allocate(pointer, bytes, Kind::pinned);
}
Error cudaMallocAsync(void** pointer, std::size_t bytes, Stream stream) {
    const auto lock = lockDevice();
    waitForNothing();
    if (captured(stream) != nullptr) record(stream, NodeKind::allocate);
    return cudaMalloc(pointer, bytes);
}
Error cudaMallocPitch(void** pointer, std::size_t* pitch, std::size_t width, std::size_t height) {
    *pitch = roundedPitch(width);
    return cudaMalloc(pointer, *pitch * height);
}
Error cudaMalloc3D(PitchedPointer* result, Extent extent) {
    *result = {nullptr, roundedPitch(extent.width), extent.width, extent.height};
    return cudaMalloc(&result->pointer, result->pitch * extent.height * extent.depth);
}
Error cudaFree(void* pointer) {
    return release(pointer, false);
}
Error cudaFreeAsync(void* pointer, Stream stream) {
    const auto lock = lockDevice();
    waitForNothing();
    // A graph's memory stays where it is, for the next time.
    if (captured(stream) != nullptr) return record(stream, NodeKind::release), cuda::success;
    return release(pointer, false);
}
Error cudaFreeHost(void* pointer) {
    return release(pointer, true);
}

Error cudaHostRegister(void* pointer, std::size_t bytes, unsigned) {
    const auto lock = lockDevice();
    RuntimeDevice& device = RuntimeDevice::instance();
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    if (pointer == nullptr || bytes == 0) return device.fail(cuda::invalidValue);
    const ptx::Allocation* there = device.memory().find(address);
    if (there != nullptr && !there->freed) return device.fail(cuda::hostMemoryAlreadyRegistered);
    device.memory().adopt(address, static_cast<std::byte*>(pointer), bytes, Kind::pinned);
    return cuda::success;
}
Error cudaHostUnregister(void* pointer) {
    const auto lock = lockDevice();
    RuntimeDevice& device = RuntimeDevice::instance();
    const bool known = device.memory().release(reinterpret_cast<std::uint64_t>(pointer));
    return known ? cuda::success : device.fail(cuda::hostMemoryNotRegistered);
}
Error cudaHostGetDevicePointer(void** result, void* pointer, unsigned) {
    return give(result, pointer);
}
Error cudaHostGetFlags(unsigned* flags, void*) {
    return give(flags, 0);
}

Error cudaMemcpy(void* to, const void* from, std::size_t bytes, int kind) {
    return copy(to, from, bytes, kind);
}
Error cudaMemcpyAsync(void* to, const void* from, std::size_t bytes, int kind, Stream stream) {
    const auto lock = lockDevice();
    waitForNothing();
    putInto(idOf(stream));
    const Error error = copy(to, from, bytes, kind, stream);
    const ptx::Allocation* array =
        RuntimeDevice::instance().memory().find(reinterpret_cast<std::uint64_t>(to));
    if (error == cuda::success && array != nullptr)
        beginWriting(*array, "cudaMemcpyAsync", idOf(stream));
    return error;
}
Error cudaMemcpyPeer(void* to, int, const void* from, int, std::size_t bytes) {
    return copy(to, from, bytes, cuda::anyDirection);
}
Error cudaMemcpyPeerAsync(void* to, int, const void* from, int, std::size_t bytes, Stream stream) {
    return copy(to, from, bytes, cuda::anyDirection, stream);
}
Error cudaMemcpy2D(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                   std::size_t width, std::size_t height, int kind) {
    const auto lock = lockDevice();
    return copyRows(to, toPitch, from, fromPitch, width, height, kind);
}
Error cudaMemcpy2DAsync(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                        std::size_t width, std::size_t height, int kind, Stream stream) {
    const auto lock = lockDevice();
    return enqueue(stream,
                   [=] { return copyRows(to, toPitch, from, fromPitch, width, height, kind); });
}

Error cudaMemset(void* pointer, int value, std::size_t bytes) {
    const auto lock = lockDevice();
    return fillBytes(pointer, value, bytes);
}
Error cudaMemsetAsync(void* pointer, int value, std::size_t bytes, Stream stream) {
    const auto lock = lockDevice();
    waitForNothing();
    return enqueue(
        stream, [=] { return fillBytes(pointer, value, bytes); }, NodeKind::fill);
}
Error cudaMemset2D(void* pointer, std::size_t pitch, int value, std::size_t width,
                   std::size_t height) {
    for (std::size_t row = 0; row < height; ++row) {
        const Error error =
            cudaMemset(static_cast<std::byte*>(pointer) + row * pitch, value, width);
        if (error != cuda::success) return error;
    }
    return cuda::success;
}
Error cudaMemset2DAsync(void* pointer, std::size_t pitch, int value, std::size_t width,
                        std::size_t height, Stream stream) {
    const auto lock = lockDevice();
    waitForNothing();
    return enqueue(
        stream, [=] { return cudaMemset2D(pointer, pitch, value, width, height); }, NodeKind::fill);
}
Error cudaMemset3D(PitchedPointer target, int value, Extent extent) {
    for (std::size_t z = 0; z < extent.depth; ++z) {
        auto* slice = static_cast<std::byte*>(target.pointer) + z * target.height * target.pitch;
        const Error error = cudaMemset2D(slice, target.pitch, value, extent.width, extent.height);
        if (error != cuda::success) return error;
    }
    return cuda::success;
}
Error cudaMemset3DAsync(PitchedPointer target, int value, Extent extent, Stream stream) {
    const auto lock = lockDevice();
    waitForNothing();
    return enqueue(
        stream, [=] { return cudaMemset3D(target, value, extent); }, NodeKind::fill);
}

Error cudaMemcpyToSymbol(const void* symbol, const void* from, std::size_t bytes,
                         std::size_t offset, int kind) {
    const auto lock = lockDevice();
    void* to = partOf(symbol, bytes, offset);
    return to == nullptr ? fail(cuda::invalidSymbol) : copyBytes(to, from, bytes, kind);
}
Error cudaMemcpyToSymbolAsync(const void* symbol, const void* from, std::size_t bytes,
                              std::size_t offset, int kind, Stream stream) {
    const auto lock = lockDevice();
    waitForNothing();
    return enqueue(stream, [=] { return cudaMemcpyToSymbol(symbol, from, bytes, offset, kind); });
}
Error cudaMemcpyFromSymbol(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                           int kind) {
    const auto lock = lockDevice();
    const void* from = partOf(symbol, bytes, offset);
    return from == nullptr ? fail(cuda::invalidSymbol) : copyBytes(to, from, bytes, kind);
}
Error cudaMemcpyFromSymbolAsync(void* to, const void* symbol, std::size_t bytes, std::size_t offset,
                                int kind, Stream stream) {
    const auto lock = lockDevice();
    return enqueue(stream, [=] { return cudaMemcpyFromSymbol(to, symbol, bytes, offset, kind); });
}
Error cudaGetSymbolAddress(void** pointer, const void* symbol) {
    const auto lock = lockDevice();
    *pointer = partOf(symbol, 0, 0);
    return *pointer == nullptr ? fail(cuda::invalidSymbol) : cuda::success;
}
Error cudaGetSymbolSize(std::size_t* bytes, const void* symbol) {
    const auto lock = lockDevice();
    const bool known = RuntimeDevice::instance().variable(symbol, bytes) != nullptr;
    return known ? cuda::success : fail(cuda::invalidSymbol);
}

Error cudaPointerGetAttributes(cuda::PointerAttributes* attributes, const void* pointer) {
    const auto lock = lockDevice();
    *attributes = {};
    const ptx::Allocation* array =
        RuntimeDevice::instance().memory().find(reinterpret_cast<std::uint64_t>(pointer));
    if (array == nullptr || array->freed) return cuda::success;
    const bool isHost = array->kind == Kind::pinned || array->kind == Kind::managed;
    attributes->type = array->kind == Kind::pinned ? 1 : array->kind == Kind::managed ? 3 : 2;
    attributes->devicePointer = const_cast<void*>(pointer);
    attributes->hostPointer = isHost ? const_cast<void*>(pointer) : nullptr;
    return cuda::success;
}
Error cudaMemGetInfo(std::size_t* free, std::size_t* total) {
    return give(free, *total = std::size_t{8} << 30);
}

Error cudaDeviceGetDefaultMemPool(void** pool, int) {
    return give(pool, &defaultPool());
}
Error cudaMemPoolCreate(void** pool, const void*) {
    return give(pool, new MemoryPool);
}
Error cudaMemPoolDestroy(void* pool) {
    if (pool != &defaultPool()) delete static_cast<MemoryPool*>(pool);
    return cuda::success;
}
Error cudaMemPoolSetAttribute(void* pool, int attribute, const void* value) {
    auto& known = *static_cast<MemoryPool*>(pool);
    if (attribute == thresholdAttribute)
        std::memcpy(&known.releaseThreshold, value, sizeof known.releaseThreshold);
    return cuda::success;
}
/// Of what is in use now nothing is known by pool.
Error cudaMemPoolGetAttribute(void* pool, int attribute, void* value) {
    const auto& known = *static_cast<MemoryPool*>(pool);
    if (attribute < thresholdAttribute) {
        const int flag = 1;
        std::memcpy(value, &flag, sizeof flag);
        return cuda::success;
    }
    const unsigned long long number = attribute == thresholdAttribute ? known.releaseThreshold : 0;
    std::memcpy(value, &number, sizeof number);
    return cuda::success;
}
Error cudaMemPoolGetAccess(int* flags, void*, const void*) {
    return give(flags, 3);  // to read and to write
}

}  // extern "C"
