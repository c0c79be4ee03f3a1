#include "kernels/trace/runtime/refused_calls.h"

#include <string>

#include "kernels/trace/runtime/device_error.h"
#include "kernels/trace/runtime/launch_state.h"
#include "kernels/trace/runtime/memory.h"

namespace warplens::runtime {
namespace {

/// cudaMemcpyKind, as far as a direction is meant.
constexpr int hostToDevice = 1;
constexpr int deviceToHost = 2;

int refuse(FindingKind kind, const std::string& words, const SourcePlace& place) {
    constexpr int invalidValue = 1;
    if (place.line != 0) addFindingAt(kind, words + ": CUDA refuses it", place);
    if (!deviceErrorIsSticky()) setDeviceError(invalidValue, false);
    return invalidValue;
}

/// Whether the address belongs to none of the device's arrays and variables.
bool isOfTheHost(std::uint64_t address) {
    return arrayAt(address) == noArray && !isInDeviceSlots(address);
}

bool isOfTheDeviceAlone(std::uint64_t address) {
    const std::uint32_t id = arrayAt(address);
    return id != noArray && arrayOf(id).space == Space::device;
}

/// The error where some of the bytes lie outside of the device's array that they begin in.
int errorOfRange(const std::string& does, std::uint64_t address, std::uint64_t bytes,
                 const SourcePlace& place) {
    if (!isInDeviceSlots(address)) return 0;
    const std::uint32_t id = arrayAt(address);
    if (id == noArray) return refuse(FindingKind::wildPointer, does + "nothing", place);
    const Array& array = arrayOf(id);
    const std::string name = does + nameOnHost(array);
    if (!array.live) return refuse(FindingKind::useAfterFree, name + ", which is freed", place);
    if (address >= array.at && address - array.at + bytes <= array.bytes) return 0;
    const auto first = static_cast<std::int64_t>(address - array.at);
    const auto last = first + static_cast<std::int64_t>(bytes) - 1;
    return refuse(FindingKind::outOfBounds,
                  name + ", bytes " + std::to_string(first) + " to " + std::to_string(last) +
                      " of its " + std::to_string(array.bytes),
                  place);
}

}  // namespace

int errorOfCopy(std::uint64_t to, std::uint64_t from, std::uint64_t bytes, int kind,
                const SourcePlace& place) {
    if (const int error = errorOfRange("copies to ", to, bytes, place)) return error;
    if (const int error = errorOfRange("copies from ", from, bytes, place)) return error;
    const bool toDevice = kind == hostToDevice;
    if (!toDevice && kind != deviceToHost) return 0;
    const std::string name = toDevice ? "cudaMemcpyHostToDevice " : "cudaMemcpyDeviceToHost ";
    if (isOfTheHost(toDevice ? to : from)) {
        return refuse(FindingKind::hostPointer,
                      name + (toDevice ? "to" : "from") + " memory of the host", place);
    }
    if (isOfTheDeviceAlone(toDevice ? from : to)) {
        return refuse(FindingKind::devicePointer,
                      name + (toDevice ? "from" : "to") + " memory of the device", place);
    }
    return 0;
}

int errorOfSet(std::uint64_t to, std::uint64_t bytes, const SourcePlace& place) {
    if (!isOfTheHost(to)) return errorOfRange("sets ", to, bytes, place);
    return refuse(FindingKind::hostPointer, "sets memory of the host", place);
}

int errorOfFree(std::uint64_t address, const SourcePlace& place) {
    const std::uint32_t id = arrayAt(address);
    if (id == noArray || !isInDeviceSlots(address)) {
        return refuse(FindingKind::hostPointer, "frees memory that cudaMalloc did not give", place);
    }
    const Array& array = arrayOf(id);
    if (!array.live) {
        return refuse(FindingKind::useAfterFree, "frees " + nameOnHost(array) + " once more",
                      place);
    }
    if (array.at == address) return 0;
    return refuse(FindingKind::wildPointer, "frees an address inside of " + nameOnHost(array),
                  place);
}

}  // namespace warplens::runtime
