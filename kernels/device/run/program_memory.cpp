#include "kernels/device/run/program_memory.h"

#include <algorithm>
#include <cstring>

#include "core/launch/limit_violation.h"
#include "core/text/format.h"

namespace warplens {
namespace {

/// Left to the driver, the probe's rows and the code.
constexpr std::uint64_t memoryReserve = 64u << 20;

bool changes(const InputArray& array) {
    return !(array.before == array.after);
}

}  // namespace

ProgramMemory::ProgramMemory(const LaunchInputs& inputs)
    : inputs_(inputs), places_(inputs.arrays.size()) {
    const Driver& driver = Driver::open();
    std::uint64_t needed = 0;
    for (const InputArray& array : inputs.arrays) {
        const std::uint64_t size = array.before.bytes.size();
        bytes_ += size;
        needed += (array.isSymbol ? 0 : size) + (changes(array) ? size : 0);
    }
    std::size_t freeBytes = 0;
    std::size_t total = 0;
    check(driver.memGetInfo(&freeBytes, &total), "cuMemGetInfo");
    if (needed + memoryReserve > freeBytes) {
        throw InvalidRequest(
            {{"memory of the launch's arrays and their copies", formatBytes(needed),
              "at most " + formatBytes(freeBytes) + " free"}});
    }
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const InputArray& array = inputs.arrays[i];
        const std::size_t size = std::max<std::size_t>(array.before.bytes.size(), 1);
        if (!array.isSymbol) {
            check(driver.memAlloc(&places_[i].address, size), "cuMemAlloc");
            places_[i].owned = true;
        }
        if (changes(array)) {
            check(driver.memAlloc(&places_[i].before, size), "cuMemAlloc");
            ++changed_;
        }
    }
}

ProgramMemory::~ProgramMemory() {
    // The results are ignored: after a kernel fault or at exit the driver has freed it itself.
    const Driver& driver = Driver::open();
    for (const Place& place : places_) {
        if (place.owned) driver.memFree(place.address);
        if (place.before != 0) driver.memFree(place.before);
    }
}

void ProgramMemory::bind(const LoadedCode& code,
                         const std::map<std::string, std::string>& symbolOf) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const InputArray& array = inputs_.arrays[i];
        if (!array.isSymbol) continue;
        const auto symbol = symbolOf.find(array.symbol);
        const LoadedCode::Variable variable =
            code.variable(symbol == symbolOf.end() ? array.symbol : symbol->second);
        // What no kernel of this code uses is not in it: 0 then, and nothing to fill.
        if (variable.bytes != 0 && variable.bytes < array.before.bytes.size()) {
            throw InvalidRequest({{"bytes of the device variable " + array.symbol,
                                   std::to_string(array.before.bytes.size()),
                                   std::to_string(variable.bytes) + " in the compiled code"}});
        }
        places_[i].address = variable.address;
    }
    for (std::size_t i = 0; i < places_.size(); ++i) fill(i);
}

void ProgramMemory::fill(std::size_t array) {
    const Place& place = places_[array];
    const std::vector<std::byte> bytes = relocated(inputs_.arrays[array].before);
    if (bytes.empty()) return;
    const Driver& driver = Driver::open();
    if (place.address != 0) {
        check(driver.memcpyHtoD(place.address, bytes.data(), bytes.size()), "cuMemcpyHtoD");
    }
    if (place.before != 0) {
        check(driver.memcpyHtoD(place.before, bytes.data(), bytes.size()), "cuMemcpyHtoD");
    }
}

void ProgramMemory::restore() {
    const Driver& driver = Driver::open();
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const Place& place = places_[i];
        const std::size_t size = inputs_.arrays[i].before.bytes.size();
        if (place.before == 0 || place.address == 0 || size == 0) continue;
        check(driver.memcpyDtoDAsync(place.address, place.before, size, nullptr),
              "cuMemcpyDtoDAsync");
    }
}

std::vector<std::byte> ProgramMemory::relocated(const InputBytes& bytes) const {
    std::vector<std::byte> found = bytes.bytes;
    for (const PointerRelocation& pointer : bytes.pointers) {
        const std::uint64_t address = places_.at(pointer.array).address + pointer.byteOffset;
        std::memcpy(found.data() + pointer.offset, &address, sizeof address);
    }
    return found;
}

std::vector<std::byte> ProgramMemory::parameters() const {
    return relocated(inputs_.parameters);
}

std::vector<ArrayCheck> ProgramMemory::compare() const {
    const Driver& driver = Driver::open();
    check(driver.ctxSynchronize(), "cuCtxSynchronize");
    std::vector<ArrayCheck> checks;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const InputArray& array = inputs_.arrays[i];
        const std::vector<std::byte> expected = relocated(array.after);
        if (places_[i].address == 0 || expected.empty()) continue;
        std::vector<std::byte> found(expected.size());
        check(driver.memcpyDtoH(found.data(), places_[i].address, found.size()), "cuMemcpyDtoH");
        checks.push_back(compareArrays(array.name, array.elementBytes, expected, found));
    }
    return checks;
}

}  // namespace warplens
