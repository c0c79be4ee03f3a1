#include "kernels/measure/device/clock_watch.h"

#include <algorithm>
#include <dlfcn.h>
#include <map>

namespace warplens {
namespace {

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
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;
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
