#include "kernels/measure/device/device_query.h"

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <functional>
#include <map>

#include "core/launch/launch.h"
#include "core/text/format.h"
#include "kernels/device/compile.h"
#include "kernels/measure/counters/cupti_library.h"
#include "kernels/measure/device/loaded_code.h"
#include "kernels/measure/timing/timed_runs.h"

namespace warplens {

namespace {

/// `9.0`
std::string capabilityOf(CUdevice device) {
    return std::to_string(attributeOf(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR)) + '.' +
           std::to_string(attributeOf(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR));
}

/// What the device of this number is called. Makes no context. Throws NoDevice, CudaError.
DeviceName nameOfDevice(int number) {
    const Driver& driver = Driver::open();
    CUdevice device = 0;
    check(driver.deviceGet(&device, number), "cuDeviceGet");
    std::array<char, 256> name{};
    CUuuid uuid{};
    check(driver.deviceGetName(name.data(), static_cast<int>(name.size()), device),
          "cuDeviceGetName");
    check(driver.deviceGetUuid(&uuid, device), "cuDeviceGetUuid");
    return {name.data(), uuidInWords(uuid), capabilityOf(device)};
}

/// By the device's own stamps, as kernels are timed; by events where there are none.
std::vector<double> secondsOfCopies(const std::function<void()>& copy, int runs) {
    std::vector<double> seconds;
    try {
        const ActivityRecords records(CuptiLibrary::open());
        for (const KernelStamp& stamp : records.copyStampsOf([&] {
                 for (int run = 0; run < runs; ++run) copy();
                 synchronize();
             })) {
            seconds.push_back(1e-9 * static_cast<double>(stamp.nanoseconds()));
        }
        if (seconds.size() == static_cast<std::size_t>(runs)) return seconds;
    } catch (const StampsUnavailable&) {
    } catch (const CountersUnavailable&) {
    }
    seconds.clear();
    Event begin;
    Event end;
    for (int run = 0; run < runs; ++run) {
        begin.record();
        copy();
        end.record();
        end.wait();
        seconds.push_back(end.secondsSince(begin));
    }
    return seconds;
}

double medianOf(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::ranges::nth_element(values, middle);
    return *middle;
}

/// The few functions of NVML that read clocks; its C interface is stable.
class Nvml final {
  public:
    Nvml() : library_(dlopen("libnvidia-ml.so.1", RTLD_NOW)) {
        if (library_ == nullptr) return;
        find(handleByBusId, "nvmlDeviceGetHandleByPciBusId_v2");
        find(clockInfo, "nvmlDeviceGetClockInfo");
        find(maxClockInfo, "nvmlDeviceGetMaxClockInfo");
        find(applicationsClock, "nvmlDeviceGetApplicationsClock");
        find(defaultApplicationsClock, "nvmlDeviceGetDefaultApplicationsClock");
        find(eventReasons, "nvmlDeviceGetCurrentClocksEventReasons");
        // By its name before release 535.
        if (eventReasons == nullptr) {
            find(eventReasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
        }
        int (*init)() = nullptr;
        find(init, "nvmlInit_v2");
        usable = init != nullptr && handleByBusId != nullptr && clockInfo != nullptr && init() == 0;
    }
    Nvml(Nvml&&) = delete;
    // Left open: closing NVML at exit races with the driver's own clean-up.
    ~Nvml() = default;

    using ClockOf = int (*)(void*, int, unsigned*);
    bool usable = false;
    int (*handleByBusId)(const char*, void**) = nullptr;
    ClockOf clockInfo = nullptr;
    ClockOf maxClockInfo = nullptr;
    ClockOf applicationsClock = nullptr;
    ClockOf defaultApplicationsClock = nullptr;
    int (*eventReasons)(void*, unsigned long long*) = nullptr;

  private:
    template <class Function>
    void find(Function& function, const char* name) const {
        function = reinterpret_cast<Function>(dlsym(library_, name));
    }
    void* library_;
};

const Nvml& nvml() {
    static const Nvml library;
    return library;
}

constexpr int smClock = 1;      // NVML_CLOCK_SM
constexpr int memoryClock = 2;  // NVML_CLOCK_MEM

// nvmlClocksEventReasons, NVML API Reference 4.31
constexpr std::uint64_t idle = 0x1;
constexpr std::uint64_t applicationClocks = 0x2;
constexpr std::uint64_t powerCap = 0x4;
constexpr std::uint64_t slowdown = 0x8;
constexpr std::uint64_t syncBoost = 0x10;
constexpr std::uint64_t heat = 0x20 | 0x40;
constexpr std::uint64_t powerBrake = 0x80;
constexpr std::uint64_t heldBack = powerCap | slowdown | syncBoost | heat | powerBrake;

unsigned megahertz(Nvml::ClockOf clockOf, void* device, int clock) {
    unsigned value = 0;
    return clockOf != nullptr && clockOf(device, clock, &value) == 0 ? value : 0;
}

/// What a device keeps while a process lives. NVML takes up to a millisecond for each.
struct FixedClocks final {
    unsigned smMost = 0;
    unsigned smUsual = 0;  ///< unless somebody sets application clocks
};

const FixedClocks& fixedClocksOf(void* device) {
    static std::map<void*, FixedClocks> kept;
    const auto known = kept.find(device);
    if (known != kept.end()) return known->second;
    return kept[device] = {megahertz(nvml().maxClockInfo, device, smClock),
                           megahertz(nvml().defaultApplicationsClock, device, smClock)};
}

std::string limitOf(std::uint64_t reasons) {
    if ((reasons & powerCap) != 0) return "the power limit";
    if ((reasons & heat) != 0) return "heat";
    if ((reasons & powerBrake) != 0) return "the power brake";
    if ((reasons & syncBoost) != 0) return "another GPU that it keeps pace with";
    return "a hardware slowdown";
}

/// One clock throughout, below what the device can, with no reason given.
bool standsStill(const ClockWatch::Seen& seen) {
    return seen.smLowest == seen.smHighest && seen.smHighest < seen.smMost &&
           (seen.reasons & (heldBack | idle)) == 0;
}

}  // namespace

std::vector<DeviceName> allDevices() {
    const int count = requireUsableDevice();
    std::vector<DeviceName> devices;
    for (int number = 0; number < count; ++number) {
        devices.push_back(nameOfDevice(number));
    }
    return devices;
}

int deviceNumber(const DeviceChoice& choice, std::span<const DeviceName> devices) {
    if (choice.empty()) return 0;
    const auto number = wholeNumber<std::size_t>(choice);
    if (number && *number < devices.size()) return static_cast<int>(*number);
    // As nvidia-smi prints it, or as much of it as tells it from the others.
    constexpr std::size_t shortest = std::string_view("GPU-0").size();
    std::string known;
    int found = -1;
    bool several = false;
    for (std::size_t i = 0; i < devices.size(); ++i) {
        known += (known.empty() ? "" : ", ") + std::to_string(i) + " (" + devices[i].name + ", " +
                 devices[i].uuid + ")";
        if (choice.size() < shortest || !devices[i].uuid.starts_with(choice)) continue;
        several = several || found >= 0;
        found = static_cast<int>(i);
    }
    if (found >= 0 && !several) return found;
    throw InvalidRequest({{"device", "'" + choice + "'", "one of " + known}});
}

CUdevice currentDevice() {
    CUdevice device = 0;
    check(Driver::open().ctxGetDevice(&device), "cuCtxGetDevice");
    return device;
}

int attributeOf(CUdevice device, CUdevice_attribute attribute) {
    int value = 0;
    check(Driver::open().deviceGetAttribute(&value, attribute, device), "cuDeviceGetAttribute");
    return value;
}

int computeCapabilityNumber() {
    const CUdevice device = currentDevice();
    return 10 * attributeOf(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR) +
           attributeOf(device, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR);
}

Device queryDevice(int number) {
    (void)requireUsableDevice();
    const Driver& driver = Driver::open();
    CUdevice here = 0;
    CUcontext context = nullptr;
    check(driver.deviceGet(&here, number), "cuDeviceGet");
    check(driver.primaryCtxRetain(&context, here), "cuDevicePrimaryCtxRetain");
    check(driver.ctxSetCurrent(context), "cuCtxSetCurrent");

    Device device;
    const DeviceName name = nameOfDevice(number);
    device.name = name.name;
    device.uuid = name.uuid;
    device.computeCapability = name.computeCapability;
    device.multiprocessors = attributeOf(here, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT);
    device.l2Bytes =
        static_cast<std::uint64_t>(attributeOf(here, CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE));
    std::size_t memory = 0;
    check(driver.deviceTotalMem(&memory, here), "cuDeviceTotalMem");
    device.memoryBytes = memory;
    device.driver = cudaVersionText(driver.version());
    int major = 0;
    int minor = 0;
    NvrtcLibrary::open().version(&major, &minor);
    device.cuda = cudaVersionText(1000 * major + 10 * minor);
    // Two transfers each clock; the clock is in kHz, the bus width in bits.
    const double peak = 2.0 * 1000 * attributeOf(here, CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE) *
                        attributeOf(here, CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH) / 8;
    if (peak > 0) device.theoreticalPeak = peak;
    return device;
}

std::string pciBusId() {
    std::array<char, 32> id{};
    check(Driver::open().deviceGetPciBusId(id.data(), static_cast<int>(id.size()), currentDevice()),
          "cuDeviceGetPCIBusId");
    return id.data();
}

void measureCopyRate(Device& device) {
    constexpr int runs = 11;
    const Driver& driver = Driver::open();
    std::size_t free = 0;
    std::size_t total = 0;
    check(driver.memGetInfo(&free, &total), "cuMemGetInfo");
    const std::uint64_t wanted = std::max<std::uint64_t>(4 * device.l2Bytes, 256u << 20);
    const std::uint64_t bytes = std::min<std::uint64_t>(wanted, free / 4);
    const DeviceBuffer from(bytes);
    const DeviceBuffer to(bytes);
    from.fill(1);
    const auto copy = [&] {
        check(driver.memcpyDtoDAsync(to.address(), from.address(), bytes, nullptr),
              "cuMemcpyDtoDAsync");
    };
    copy();
    copy();
    const double seconds = medianOf(secondsOfCopies(copy, runs));
    device.copyRateBytes = 2 * bytes;
    device.copyRate = static_cast<double>(device.copyRateBytes) / seconds;
    device.copyRateRuns = runs;
}

void measureFp32Rate(Device& device) {
    constexpr int runs = 11;
    constexpr int rounds = 4096;
    constexpr int chains = 8;
    constexpr std::uint32_t threads = 256;
    const std::uint32_t blocks = 16 * static_cast<std::uint32_t>(device.multiprocessors);
    CUfunction const kernel = deviceKernel("multiplyAdd");
    const DeviceBuffer out(threads * sizeof(float));
    std::vector<double> seconds;
    Event begin;
    Event end;
    for (int run = 0; run < runs + 2; ++run) {
        begin.record();
        launchKernel(kernel, {.grid = {blocks}, .block = {threads}}, out.address(), 0.5f, 1.0f,
                     rounds);
        end.record();
        end.wait();
        if (run >= 2) seconds.push_back(end.secondsSince(begin));
    }
    device.fp32Rate = 2.0 * chains * rounds * threads * blocks / medianOf(std::move(seconds));
    device.fp32RateRuns = runs;
}

ClockWatch::ClockWatch(const char* pciBusId) {
    if (!nvml().usable || nvml().handleByBusId(pciBusId, &device_) != 0) device_ = nullptr;
    if (device_ == nullptr) return;
    const FixedClocks& fixed = fixedClocksOf(device_);
    const unsigned set = megahertz(nvml().applicationsClock, device_, smClock);
    seen_.smMost = fixed.smMost;
    seen_.applicationClocksSet = set != 0 && fixed.smUsual != 0 && set != fixed.smUsual;
}

void ClockWatch::look() {
    if (device_ == nullptr) return;
    const unsigned sm = megahertz(nvml().clockInfo, device_, smClock);
    seen_.smLowest = seen_.smLowest == 0 ? sm : std::min(seen_.smLowest, sm);
    seen_.smHighest = std::max(seen_.smHighest, sm);
    seen_.memory = megahertz(nvml().clockInfo, device_, memoryClock);
    unsigned long long reasons = 0;
    if (nvml().eventReasons != nullptr && nvml().eventReasons(device_, &reasons) == 0) {
        seen_.reasons |= reasons;
    }
}

void ClockWatch::tell(Timing& timing) const {
    timing.clockState = clockStateOf(seen_);
    timing.clocks = inWords(seen_);
}

ClockState clockStateOf(const ClockWatch::Seen& seen) {
    if (seen.smHighest == 0) return ClockState::unknown;
    if ((seen.reasons & heldBack) != 0) return ClockState::limited;
    if (seen.applicationClocksSet || (seen.reasons & applicationClocks) != 0 || standsStill(seen)) {
        return ClockState::locked;
    }
    return ClockState::free;
}

std::string inWords(const ClockWatch::Seen& seen) {
    if (seen.smHighest == 0) return "not readable";
    std::string text = "SM " + std::to_string(seen.smLowest);
    if (seen.smHighest != seen.smLowest) text += " to " + std::to_string(seen.smHighest);
    text += " MHz while timed";
    if (seen.smMost != 0) text += ", of at most " + std::to_string(seen.smMost);
    if (seen.memory != 0) text += "; memory " + std::to_string(seen.memory) + " MHz";
    switch (clockStateOf(seen)) {
        case ClockState::limited:
            return text + "; held back by " + limitOf(seen.reasons);
        case ClockState::locked:
            if (standsStill(seen)) {
                return text + "; it stood still with no reason given: most likely locked";
            }
            return text + "; set by application clocks";
        case ClockState::free:
            return text + "; not locked";
        case ClockState::unknown:
            break;
    }
    return text;
}

}  // namespace warplens
