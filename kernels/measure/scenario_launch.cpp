#include "kernels/measure/scenario_launch.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string_view>

#include "core/text/format.h"
#include "kernels/library/array_memory.h"
#include "kernels/measure/device/device_query.h"

namespace warplens {
namespace {

/// Atomics on what may be global memory.
bool hasGlobalAtomics(const std::string& ptx) {
    for (const char* const name : {"atom.", "red."}) {
        for (std::size_t at = ptx.find(name); at != ptx.npos; at = ptx.find(name, at + 1)) {
            const bool begins = at == 0 || ptx[at - 1] == '\t' || ptx[at - 1] == ' ';
            const std::string_view words(ptx.data() + at, ptx.find_first_of(" \t", at) - at);
            if (begins && words.find(".shared") == words.npos) return true;
        }
    }
    return false;
}

/// Left to the driver and the code.
constexpr std::uint64_t memoryReserve = 64u << 20;

bool changes(const InputArray& array) {
    return !(array.before == array.after);
}

/// Whether a number is one that a program would have computed as floating-point: bits of small
/// integers read as numbers near zero.
template <class Number>
bool plausible(Number value) {
    const Number least = sizeof(Number) == 4 ? Number(1e-30) : Number(1e-200);
    return std::isfinite(value) && (value == 0 || std::abs(value) >= least);
}

template <class Number>
Number numberAt(std::span<const std::byte> bytes, std::size_t index) {
    Number value{};
    std::memcpy(&value, bytes.data() + index * sizeof value, sizeof value);
    return value;
}

template <class Number>
void compareNumbers(ArrayCheck& check, std::span<const std::byte> expected,
                    std::span<const std::byte> found, double tolerance) {
    const std::size_t count = expected.size() / sizeof(Number);
    double largest = 0;
    for (std::size_t i = 0; i < count; ++i) {
        const auto value = numberAt<Number>(expected, i);
        if (plausible(value)) largest = std::max(largest, std::abs(static_cast<double>(value)));
    }
    check.tolerance = tolerance;
    for (std::size_t i = 0; i < count; ++i) {
        if (std::memcmp(expected.data() + i * sizeof(Number), found.data() + i * sizeof(Number),
                        sizeof(Number)) == 0) {
            ++check.equal;
            continue;
        }
        const auto wanted = numberAt<Number>(expected, i);
        const auto got = numberAt<Number>(found, i);
        const bool comparable = plausible(wanted) && plausible(got) && largest > 0;
        const double error =
            comparable ? std::abs(static_cast<double>(wanted) - static_cast<double>(got)) / largest
                       : 0;
        if (comparable && error <= tolerance) {
            ++check.within;
            check.largestError = std::max(check.largestError, error);
        } else {
            if (check.different++ == 0) check.firstDifferent = i;
        }
    }
}

/// Whether both hold the same elements, in whatever order.
bool areReordered(std::size_t elementBytes, std::span<const std::byte> expected,
                  std::span<const std::byte> found) {
    const auto sorted = [&](std::span<const std::byte> bytes) {
        std::vector<std::string_view> elements;
        const auto* text = reinterpret_cast<const char*>(bytes.data());
        for (std::size_t at = 0; at < bytes.size(); at += elementBytes) {
            elements.emplace_back(text + at, std::min(elementBytes, bytes.size() - at));
        }
        std::ranges::sort(elements);
        return elements;
    };
    return sorted(expected) == sorted(found);
}

}  // namespace

CompiledUnit compileKernelFile(const Kernel& file, const std::string& instance,
                               int computeCapability) {
    return compileDeviceCode(file.file, file.text, {instance},
                             {.computeCapability = computeCapability});
}

LoadedKernel::LoadedKernel(const Kernel& file, std::string instance)
    : file_(file),
      instance_(std::move(instance)),
      compiled_(compileKernelFile(file, instance_, computeCapabilityNumber())),
      symbol_(compiled_.symbols.at(instance_)),
      code_(compiled_.cubin),
      plain_(code_.kernel(symbol_)),
      addsToMemory_(hasGlobalAtomics(compiled_.ptx)) {}

CUfunction LoadedKernel::scheduled() {
    if (!scheduled_) {
        scheduled_.emplace(compileScheduleText(file_, instance_, computeCapabilityNumber()).cubin);
    }
    return scheduled_->kernel(scheduledKernelName);
}

LoadedKernel& loadedKernel(const Kernel& file, const Arguments& arguments) {
    static std::map<std::pair<std::string, std::string>, LoadedKernel> kept;
    std::string instance = file.instance(arguments);
    const auto found = kept.find({file.text, instance});
    if (found != kept.end()) return found->second;
    return kept.try_emplace({file.text, instance}, file, instance).first->second;
}

void requireMemory(const Experiment& experiment, std::uint64_t freeBytes,
                   const std::string& deviceName) {
    const Kernel& kernel = kernelOf(experiment);
    const std::uint64_t needed = arrayBytes(kernel, experiment.arguments, experiment.launch);
    if (needed <= freeBytes) return;
    throw InvalidRequest(
        {{"memory of the arrays", groupedDigits(needed) + " bytes (" + formatBytes(needed) + ")",
          "at most " + groupedDigits(freeBytes) + " bytes (" + formatBytes(freeBytes) +
              "), free on " + deviceName}});
}

ScenarioLaunch::ScenarioLaunch(const Experiment& experiment, const Device& device)
    : ScenarioLaunch(experiment, device, loadedKernel(kernelOf(experiment), experiment.arguments)) {
}

ScenarioLaunch::ScenarioLaunch(const Experiment& experiment, const Device& device,
                               LoadedKernel& loaded)
    : DeviceLaunch(experiment.launch, loaded.plain()),
      experiment_(experiment),
      kernel_(kernelOf(experiment)),
      loaded_(loaded) {
    std::size_t free = 0;
    std::size_t total = 0;
    check(Driver::open().memGetInfo(&free, &total), "cuMemGetInfo");
    requireMemory(experiment, free, device.name);
    for (std::size_t i = 0; i < kernel_.arrays.size(); ++i) {
        const KernelArray& array = kernel_.arrays[i];
        const std::uint64_t elementBytes = byteCount(array.type);
        arrays_.emplace_back(length(i) * elementBytes, experiment.arrayOffset * elementBytes);
        if (!array.filled.empty()) {
            const library::ArrayMemory values(experiment, false);
            arrays_[i].write(reinterpret_cast<const std::byte*>(values.arrays()[i].begin),
                             arrays_[i].bytes());
        } else if (array.role == ArrayRole::input) {
            launchKernel(deviceKernel("fillInput"), {.grid = {1024}, .block = {256}},
                         arrays_[i].address(), arrays_[i].bytes() / sizeof(float),
                         static_cast<std::uint32_t>(i));
        } else {
            arrays_[i].fill(loaded_.addsToMemory() ? 0 : 0xff);
        }
    }
    std::vector<std::byte> parameters;
    for (const CallParameter& parameter : kernel_.parameters) {
        if (parameter.isArray) {
            appendParameter(parameters, arrays_[parameter.which].address());
            continue;
        }
        const std::uint64_t bits = bitsOf(parameter.type, experiment.arguments.at(parameter.name));
        if (byteCount(parameter.type) == sizeof bits) {
            appendParameter(parameters, bits);
        } else {
            appendParameter(parameters, static_cast<std::uint32_t>(bits));
        }
    }
    setParameters(std::move(parameters));
}

std::uint64_t ScenarioLaunch::bytes() const {
    return arrayBytes(kernel_, experiment_.arguments, experiment_.launch);
}

std::size_t ScenarioLaunch::outputArray() const {
    const auto found = std::ranges::find(kernel_.arrays, ArrayRole::output, &KernelArray::role);
    return static_cast<std::size_t>(found - kernel_.arrays.begin());
}

std::uint64_t ScenarioLaunch::length(std::size_t array) const {
    return kernel_.arrays[array].length(experiment_.arguments, experiment_.launch);
}

Schedule ScenarioLaunch::schedule(std::uint32_t multiprocessors,
                                  std::vector<std::string>& notes) const {
    CUfunction const stamping = loaded_.scheduled();
    allowSharedMemory(stamping, launch());
    const int resident = residentBlocksOf(stamping, launch());
    if (resident != residentBlocks()) {
        notes.push_back("schedule: with time stamps " + std::to_string(resident) +
                        " blocks fit an SM at once, without " + std::to_string(residentBlocks()));
    }
    return recordSchedule(launch(), multiprocessors,
                          [&](std::span<const std::byte> records) { run(stamping, records); });
}

UserLaunch::UserLaunch(const LaunchInputs& inputs) : UserLaunch(LoadedCode(inputs.cubin), inputs) {}

UserLaunch::UserLaunch(LoadedCode loaded, const LaunchInputs& inputs)
    : DeviceLaunch(inputs.launch, loaded.kernel(inputs.symbol), inputs.cooperative),
      loaded_(std::move(loaded)),
      inputs_(inputs) {
    std::uint64_t needed = 0;
    for (const InputArray& array : inputs.arrays) {
        const std::uint64_t size = array.before.bytes.size();
        bytes_ += size;
        needed += (array.symbol.empty() ? size : 0) + (changes(array) ? size : 0);
    }
    std::size_t freeBytes = 0;
    std::size_t total = 0;
    check(Driver::open().memGetInfo(&freeBytes, &total), "cuMemGetInfo");
    if (needed + memoryReserve > freeBytes) {
        throw InvalidRequest(
            {{"memory of the launch's arrays and their copies", formatBytes(needed),
              "at most " + formatBytes(freeBytes) + " free"}});
    }
    place();
}

void UserLaunch::place() {
    for (const InputArray& array : inputs_.arrays) {
        const std::uint64_t size = std::max<std::uint64_t>(array.before.bytes.size(), 1);
        Place& place = places_.emplace_back();
        if (changes(array)) place.before = DeviceBuffer(size);
        if (array.symbol.empty()) {
            place.array = DeviceBuffer(size);
            place.address = place.array.address();
            continue;
        }
        const LoadedCode::Variable variable = loaded_.variable(array.symbol);
        if (variable.bytes != 0 && variable.bytes < array.before.bytes.size()) {
            throw InvalidRequest({{"bytes of the device variable " + array.name,
                                   std::to_string(array.before.bytes.size()),
                                   std::to_string(variable.bytes) + " in the compiled code"}});
        }
        place.address = variable.address;
    }
    const Driver& driver = Driver::open();
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const std::vector<std::byte> bytes = relocatedHere(inputs_.arrays[i].before);
        if (bytes.empty()) continue;
        for (const CUdeviceptr to :
             {places_[i].address,
              places_[i].before.bytes() == 0 ? 0 : places_[i].before.address()}) {
            if (to != 0) check(driver.memcpyHtoD(to, bytes.data(), bytes.size()), "cuMemcpyHtoD");
        }
    }
    setParameters(relocatedHere(inputs_.parameters));
}

bool UserLaunch::needsRestoring() const {
    return std::ranges::any_of(places_,
                               [](const Place& place) { return place.before.bytes() != 0; });
}

void UserLaunch::restore() {
    const Driver& driver = Driver::open();
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const Place& place = places_[i];
        const std::size_t size = inputs_.arrays[i].before.bytes.size();
        if (place.before.bytes() == 0 || place.address == 0 || size == 0) continue;
        check(driver.memcpyDtoDAsync(place.address, place.before.address(), size, nullptr),
              "cuMemcpyDtoDAsync");
    }
}

std::vector<std::byte> UserLaunch::relocatedHere(const InputBytes& bytes) const {
    return relocated(bytes, [&](std::uint32_t array) { return places_.at(array).address; });
}

std::vector<ArrayCheck> UserLaunch::compare() const {
    synchronize();
    std::vector<ArrayCheck> checks;
    for (std::size_t i = 0; i < places_.size(); ++i) {
        const InputArray& array = inputs_.arrays[i];
        const std::vector<std::byte> expected = relocatedHere(array.after);
        if (places_[i].address == 0 || expected.empty()) continue;
        std::vector<std::byte> found(expected.size());
        check(Driver::open().memcpyDtoH(found.data(), places_[i].address, found.size()),
              "cuMemcpyDtoH");
        checks.push_back(compareArrays(array.name, array.elementBytes, expected, found));
    }
    return checks;
}

ArrayCheck compareArrays(const std::string& name, std::uint32_t elementBytes,
                         std::span<const std::byte> expected, std::span<const std::byte> found) {
    ArrayCheck check{.array = name};
    if (elementBytes == 8 && expected.size() % 8 == 0) {
        compareNumbers<double>(check, expected, found, doubleTolerance);
    } else if (elementBytes % 4 == 0 && expected.size() % 4 == 0) {
        compareNumbers<float>(check, expected, found, floatTolerance);
    } else {
        const std::size_t size = std::max<std::size_t>(elementBytes, 1);
        for (std::size_t i = 0; i * size < expected.size(); ++i) {
            const std::size_t bytes = std::min(size, expected.size() - i * size);
            const bool same =
                std::memcmp(expected.data() + i * size, found.data() + i * size, bytes) == 0;
            if (same) {
                ++check.equal;
            } else if (check.different++ == 0) {
                check.firstDifferent = i;
            }
        }
    }
    if (check.different != 0) {
        check.reordered = areReordered(std::max<std::size_t>(elementBytes, 1), expected, found);
    }
    return check;
}

}  // namespace warplens
