#include "kernels/programs/runtime_api/copies.h"

#include <algorithm>
#include <cstring>

#include "core/program/trace_frames.h"
#include "kernels/programs/runtime_api/report.h"

namespace warplens::programs {
namespace {

using Kind = ptx::Allocation::Kind;

std::uint64_t addressOf(const void* pointer) {
    return reinterpret_cast<std::uint64_t>(pointer);
}

/// Whether only the device has something there.
bool isOfTheDevice(std::uint64_t address) {
    return address >= 1ull << 47;
}

/// Where the bytes are; null, with `error`, where not all of them are in one array or the host's.
std::byte* placeOf(const void* pointer, std::size_t bytes, const std::string& does,
                   cuda::Error& error) {
    const std::uint64_t address = addressOf(pointer);
    const ptx::Memory& memory = RuntimeDevice::instance().memory();
    const ptx::Allocation* array = memory.find(address);
    if (array == nullptr && !isOfTheDevice(address)) {
        return static_cast<std::byte*>(const_cast<void*>(pointer));  // the host's own
    }
    if (array != nullptr && !array->freed && array->holds(address, bytes))
        return array->data + (address - array->address);
    if (array == nullptr) array = memory.nearest(address);
    if (array == nullptr) {
        error = refuseCall(FindingKind::wildPointer, does + "an address of nothing");
    } else if (array->freed) {
        error = refuseCall(FindingKind::useAfterFree,
                           does + nameOf(*array) + ", which is freed" + placesOfArray(array->id));
    } else {
        const auto first = static_cast<std::int64_t>(address - array->address);
        error = refuseCall(FindingKind::outOfBounds,
                           does + nameOf(*array) + ", bytes " + std::to_string(first) + " to " +
                               std::to_string(first + static_cast<std::int64_t>(bytes) - 1) +
                               " of its " + std::to_string(array->bytes));
    }
    return nullptr;
}

/// Whether a copy that is said to go from or to the device does, on that side.
bool isDeviceSide(const void* pointer) {
    const ptx::Allocation* array = RuntimeDevice::instance().memory().find(addressOf(pointer));
    return array != nullptr || isOfTheDevice(addressOf(pointer));
}
bool isHostSide(const void* pointer) {
    const ptx::Allocation* array = RuntimeDevice::instance().memory().find(addressOf(pointer));
    if (array == nullptr) return !isOfTheDevice(addressOf(pointer));
    return array->kind == Kind::managed || array->kind == Kind::pinned;
}

/// Nothing where the pointers are on the sides that the kind of copy says.
std::string wrongSide(const void* to, const void* from, int kind) {
    if (kind == cuda::hostToDevice && !isDeviceSide(to))
        return "cudaMemcpyHostToDevice to memory of the host";
    if (kind == cuda::hostToDevice && !isHostSide(from))
        return "cudaMemcpyHostToDevice from memory of the device";
    if (kind == cuda::deviceToHost && !isDeviceSide(from))
        return "cudaMemcpyDeviceToHost from memory of the host";
    if (kind == cuda::deviceToHost && !isHostSide(to))
        return "cudaMemcpyDeviceToHost to memory of the device";
    if (kind == cuda::hostToHost && (!isHostSide(to) || !isHostSide(from)))
        return "cudaMemcpyHostToHost of memory of the device";
    return {};
}

/// What is copied to the host and has no value: all of it, its end, as where a grid is too small,
/// or places in it.
void noteUnwritten(const void* from, std::size_t bytes) {
    RuntimeDevice& device = RuntimeDevice::instance();
    const std::uint64_t address = addressOf(from);
    const ptx::Allocation* array = device.memory().find(address);
    if (array == nullptr) return;
    const auto [unwritten, first] = device.faults().unwrittenOf(address, bytes);
    const std::uint64_t element = std::max(1u, device.faults().elementBytes(address));
    if (unwritten < std::max<std::uint64_t>(4, element)) return;
    const std::string elements = std::to_string(bytes / element) +
                                 (element == 1 ? " bytes" : " elements") + " copied from " +
                                 nameOf(*array);
    const bool isAtEnd = first + unwritten == bytes;
    std::string which = "the last " + std::to_string(unwritten / element) + " of the " + elements;
    if (unwritten == bytes) which = "none of the " + elements;
    if (!isAtEnd) {
        which = std::to_string(unwritten / element) + " of the " + elements +
                ", the first of them " + nameOf(*array) + '[' +
                std::to_string((address - array->address + first) / element) + "],";
    }
    // Of some in between it may be known elsewhere that they are not in use.
    sendFinding(isAtEnd ? FindingKind::unwrittenMemory : FindingKind::notReached,
                which + (unwritten == bytes ? " was ever" : " were never") +
                    " written: no copy, no memset, no kernel did");
    device.faults().markWritten(array->address, array->bytes);  // it has been told
}

/// Tells of a copy to the host from where an array begins, which ends before what launches stored
/// to it.
void noteLeft(const void* from, std::size_t bytes) {
    RuntimeDevice& device = RuntimeDevice::instance();
    const ptx::Allocation* array = device.memory().find(addressOf(from));
    if (array == nullptr || array->address != addressOf(from)) return;
    const std::uint64_t stored = device.faults().storedTo(addressOf(from));
    if (stored > bytes)
        sendFinding(FindingKind::mayBeWhy,
                    std::to_string(bytes) + " of the " + std::to_string(stored) +
                        " bytes that kernels stored to " + nameOf(*array) + " are copied here");
}

}  // namespace

std::string nameOf(const ptx::Allocation& array) {
    return unnamedArray(array.id);
}

cuda::Error refuseCall(FindingKind kind, const std::string& words, cuda::Error error) {
    sendFinding(kind, words + ": CUDA refuses it");
    return fail(error);
}

cuda::Error copyBytes(void* to, const void* from, std::size_t bytes, int kind) {
    RuntimeDevice& device = RuntimeDevice::instance();
    if (device.lost() != cuda::success) return device.lost();
    if (bytes == 0) return cuda::success;
    if (kind < cuda::hostToHost || kind > cuda::anyDirection) {
        return device.fail(cuda::invalidMemcpyDirection);
    }
    if (to == nullptr || from == nullptr) return device.fail(cuda::invalidValue);
    cuda::Error error = cuda::success;
    std::byte* target = placeOf(to, bytes, "copies to ", error);
    if (target == nullptr) return error;
    const std::byte* source = placeOf(from, bytes, "copies from ", error);
    if (source == nullptr) return error;
    if (const std::string words = wrongSide(to, from, kind); !words.empty()) {
        const bool isOfHost = kind == cuda::hostToDevice ? !isDeviceSide(to) : !isDeviceSide(from);
        return refuseCall(isOfHost ? FindingKind::hostPointer : FindingKind::devicePointer, words);
    }
    if (isDeviceSide(to)) {
        // Programs copy the same before each of many launches: what is there already stays.
        const bool changes = std::memcmp(target, source, bytes) != 0;
        device.noteWritten(addressOf(to), bytes, changes);
        device.faults().markCopied(addressOf(to), bytes);
        if (changes) std::memmove(target, source, bytes);
    } else {
        noteUnwritten(from, bytes);
        noteLeft(from, bytes);
        device.faults().markCopied(addressOf(from), bytes);
        std::memmove(target, source, bytes);
        device.noteCopied();
        sendResult(target, bytes, device.faults().elementBytes(addressOf(from)));
    }
    return cuda::success;
}

cuda::Error fillBytes(void* to, int value, std::size_t bytes) {
    RuntimeDevice& device = RuntimeDevice::instance();
    if (device.lost() != cuda::success) return device.lost();
    if (bytes == 0) return cuda::success;
    if (!isDeviceSide(to)) return refuseCall(FindingKind::hostPointer, "sets memory of the host");
    cuda::Error error = cuda::success;
    std::byte* target = placeOf(to, bytes, "sets ", error);
    if (target == nullptr) return error;
    const auto set = static_cast<std::byte>(value);
    const bool changes = std::any_of(target, target + bytes, [&](std::byte b) { return b != set; });
    device.noteWritten(addressOf(to), bytes, changes);
    if (changes) std::memset(target, value, bytes);
    return cuda::success;
}

cuda::Error copyRows(void* to, std::size_t toPitch, const void* from, std::size_t fromPitch,
                     std::size_t width, std::size_t height, int kind) {
    constexpr auto invalidPitch = static_cast<cuda::Error>(12);
    if (width > toPitch || width > fromPitch) return fail(invalidPitch);
    for (std::size_t row = 0; row < height; ++row) {
        const cuda::Error error =
            copyBytes(static_cast<std::byte*>(to) + row * toPitch,
                      static_cast<const std::byte*>(from) + row * fromPitch, width, kind);
        if (error != cuda::success) return error;
    }
    return cuda::success;
}

}  // namespace warplens::programs
