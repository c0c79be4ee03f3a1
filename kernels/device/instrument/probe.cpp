#include "kernels/device/instrument/probe.h"

#include <map>
#include <mutex>

#include "kernels/device/compile/compile.h"

#include "embedded/warplens_device_code.h"

namespace warplens {

const std::string& probePtx(int computeCapability) {
    static std::mutex mutex;
    static std::map<int, std::string> kept;
    const std::lock_guard lock(mutex);
    if (const auto found = kept.find(computeCapability); found != kept.end()) return found->second;
    const DeviceCode code{.unit = {"probe.cu", std::string(probe_text::embeddedFiles()[0].bytes)}};
    return kept[computeCapability] = compileDeviceCode(code, {},
                                                       {.computeCapability = computeCapability,
                                                        .lineInformation = false,
                                                        .relocatable = true})
                                         .ptx;
}

}  // namespace warplens
