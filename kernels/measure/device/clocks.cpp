#include <dlfcn.h>

#include "kernels/measure/device/device_query.h"

namespace warplens {
namespace {

/// The few functions of NVML (NVIDIA Management Library) that read clocks. Its C interface is
/// stable; the library belongs to the driver, so it is opened, not linked.
class Nvml final {
  public:
    Nvml() : library_(dlopen("libnvidia-ml.so.1", RTLD_NOW)) {
        if (library_ == nullptr) return;
        const auto init = symbol<int (*)()>("nvmlInit_v2");
        handleByIndex_ = symbol<int (*)(unsigned, void**)>("nvmlDeviceGetHandleByIndex_v2");
        clockInfo_ = symbol<int (*)(void*, int, unsigned*)>("nvmlDeviceGetClockInfo");
        usable_ = init != nullptr && handleByIndex_ != nullptr && clockInfo_ != nullptr &&
                  init() == 0 && handleByIndex_(0, &device_) == 0;
    }
    Nvml(const Nvml&) = delete;
    Nvml& operator=(const Nvml&) = delete;
    // Left open: closing NVML at exit races with the driver's own clean-up.
    ~Nvml() = default;

    /// MHz, 0 when it cannot be read.
    [[nodiscard]] unsigned megahertz(int clock) const {
        unsigned value = 0;
        return usable_ && clockInfo_(device_, clock, &value) == 0 ? value : 0;
    }

  private:
    template <class Function>
    Function symbol(const char* name) const {
        return reinterpret_cast<Function>(dlsym(library_, name));
    }
    void* library_;
    void* device_ = nullptr;
    bool usable_ = false;
    int (*handleByIndex_)(unsigned, void**) = nullptr;
    int (*clockInfo_)(void*, int, unsigned*) = nullptr;
};

constexpr int smClock = 1;      // NVML_CLOCK_SM
constexpr int memoryClock = 2;  // NVML_CLOCK_MEM

}  // namespace

std::string describeClocks() {
    static const Nvml nvml;
    const unsigned sm = nvml.megahertz(smClock);
    const unsigned memory = nvml.megahertz(memoryClock);
    if (sm == 0 || memory == 0) return "clocks not readable; not locked by Warplens";
    return "SM " + std::to_string(sm) + " MHz, memory " + std::to_string(memory) +
           " MHz after the timed runs; not locked by Warplens";
}

}  // namespace warplens
