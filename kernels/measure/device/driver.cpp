#include "kernels/measure/device/driver.h"

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <string_view>
#include <unistd.h>

#include "core/text/encoding.h"

namespace warplens {

namespace {

/// What the driver says of the error by one of its functions; empty where there is no driver, or it
/// does not know the error. Needs no driver that can be used.
std::string toldByDriver(const char* function, CUresult code) {
    static void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    using Tell = CUresult (*)(CUresult, const char**);
    const auto tell =
        library == nullptr ? nullptr : reinterpret_cast<Tell>(dlsym(library, function));
    const char* text = nullptr;
    if (tell == nullptr || tell(code, &text) != CUDA_SUCCESS || text == nullptr) return {};
    return text;
}

template <class Function>
void findDriver(void* library, Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(library, name));
    if (function == nullptr) {
        throw NoDevice("the NVIDIA driver of " + hostName() + " has no " + name +
                       "; a driver for CUDA 13 is needed");
    }
}

struct Meaning final {
    CUresult code;
    std::string_view name;
    FailureKind kind;
    std::string_view words;
};

// Named here, too, for machines without a driver that could.
#define WARPLENS_MEANING(code, kind, words) \
    Meaning {                               \
        code, #code, kind, words            \
    }
constexpr std::array meanings{
    // Of the kernel that ran.
    WARPLENS_MEANING(CUDA_ERROR_ILLEGAL_ADDRESS, FailureKind::failed,
                     "the kernel touched an address outside its arrays"),
    WARPLENS_MEANING(CUDA_ERROR_MISALIGNED_ADDRESS, FailureKind::failed,
                     "the kernel touched an address that is no multiple of the value's size"),
    WARPLENS_MEANING(CUDA_ERROR_ASSERT, FailureKind::failed, "the kernel stopped at an assertion"),
    WARPLENS_MEANING(
        CUDA_ERROR_LAUNCH_TIMEOUT, FailureKind::failed,
        "the kernel ran longer than the driver allows on a GPU that also draws the desktop; "
        "take a smaller problem"),
    WARPLENS_MEANING(CUDA_ERROR_LAUNCH_FAILED, FailureKind::failed,
                     "the kernel faulted on the device"),
    WARPLENS_MEANING(CUDA_ERROR_HARDWARE_STACK_ERROR, FailureKind::failed,
                     "the kernel faulted on the device"),
    WARPLENS_MEANING(CUDA_ERROR_ILLEGAL_INSTRUCTION, FailureKind::failed,
                     "the kernel faulted on the device"),
    WARPLENS_MEANING(CUDA_ERROR_INVALID_ADDRESS_SPACE, FailureKind::failed,
                     "the kernel faulted on the device"),
    WARPLENS_MEANING(CUDA_ERROR_INVALID_PC, FailureKind::failed,
                     "the kernel faulted on the device"),
    WARPLENS_MEANING(CUDA_ERROR_ECC_UNCORRECTABLE, FailureKind::failed,
                     "the device's memory lost data that it could not correct"),
    // Of what was asked for.
    WARPLENS_MEANING(CUDA_ERROR_OUT_OF_MEMORY, FailureKind::failed,
                     "the device's memory is exhausted; nvidia-smi shows who holds it"),
    WARPLENS_MEANING(
        CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, FailureKind::invalid,
        "a block of this size takes more registers or shared memory than an SM has; take a "
        "smaller one"),
    // Of the machine.
    WARPLENS_MEANING(CUDA_ERROR_NO_DEVICE, FailureKind::impossible, "there is no CUDA device"),
    WARPLENS_MEANING(
        CUDA_ERROR_DEVICE_UNAVAILABLE, FailureKind::impossible,
        "another program has the GPU to itself; wait for it, or set the compute mode to "
        "Default with nvidia-smi -c 0"),
    WARPLENS_MEANING(
        CUDA_ERROR_NO_BINARY_FOR_GPU, FailureKind::impossible,
        "the compiler is older than this GPU, or newer than the driver; install the CUDA "
        "Toolkit that goes with the driver"),
    WARPLENS_MEANING(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, FailureKind::impossible,
                     "the NVIDIA driver is older than the compiler; update the driver"),
    WARPLENS_MEANING(
        CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, FailureKind::impossible,
        "the loaded NVIDIA driver and its libraries are of different versions; restart the "
        "machine"),
    WARPLENS_MEANING(
        CUDA_ERROR_SYSTEM_NOT_READY, FailureKind::impossible,
        "the GPUs are not ready; on a machine with NVSwitch nvidia-fabricmanager must run"),
    WARPLENS_MEANING(
        CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE, FailureKind::impossible,
        "the NVIDIA driver is older than this program needs on this kind of GPU; update the "
        "driver"),
    WARPLENS_MEANING(
        CUDA_ERROR_STUB_LIBRARY, FailureKind::impossible,
        "the loader found the toolkit's stub of libcuda.so instead of the driver; take the "
        "stubs folder out of LD_LIBRARY_PATH"),
};
#undef WARPLENS_MEANING

}  // namespace

std::string nameOf(CUresult code) {
    const std::string name = toldByDriver("cuGetErrorName", code);
    return name.empty() ? "CUDA error " + std::to_string(code) : name;
}

CudaError::CudaError(CUresult code, const char* call, std::source_location where)
    : std::runtime_error(std::string(call) + ": " + toldByDriver("cuGetErrorString", code) + " (" +
                         nameOf(code) + ") at " + where.file_name() + ":" +
                         std::to_string(where.line())),
      code_(code) {}

std::string cudaVersionText(int version) {
    return std::to_string(version / 1000) + '.' + std::to_string(version % 1000 / 10);
}

void requireDriver(int driver, int needed) {
    if (driver == 0) {
        throw NoDevice("no NVIDIA driver on " + hostName() + "; measuring needs one there");
    }
    if (driver / 1000 < needed / 1000) {
        throw NoDevice("the NVIDIA driver of " + hostName() + " supports CUDA " +
                       cudaVersionText(driver) + ", this program needs " + cudaVersionText(needed) +
                       "; update the driver");
    }
}

void requireInitialized(CUresult answer) {
    if (answer == CUDA_SUCCESS) return;
    throw NoDevice(failureOf(CudaError(answer, "cuInit", std::source_location::current())).message);
}

int requireUsableDevice() {
    int count = 0;
    check(Driver::open().deviceGetCount(&count), "cuDeviceGetCount");
    if (count == 0) requireInitialized(CUDA_ERROR_NO_DEVICE);
    return count;
}

std::string uuidInWords(const CUuuid& uuid) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string text = "GPU-";
    for (std::size_t i = 0; i < sizeof uuid.bytes; ++i) {
        if (i == 4 || i == 6 || i == 8 || i == 10) text += '-';
        const auto byte = static_cast<unsigned char>(uuid.bytes[i]);
        text += digits[byte >> 4];
        text += digits[byte & 15];
    }
    return text;
}

// cuda.h names the newest version of each function by macros: `cuMemAlloc` is `cuMemAlloc_v2`.
#define WARPLENS_DRIVER_NAME(name) #name
#define WARPLENS_FIND(member, name) findDriver(library, member, WARPLENS_DRIVER_NAME(name));

Driver::Driver() {
    void* const library = dlopen("libcuda.so.1", RTLD_NOW);
    if (library == nullptr) requireDriver(0, CUDA_VERSION);
    // What any driver has comes first: one that is too old is to be told so.
    decltype(&cuDriverGetVersion) driverGetVersion = nullptr;
    decltype(&cuInit) init = nullptr;
    WARPLENS_FIND(driverGetVersion, cuDriverGetVersion)
    WARPLENS_FIND(init, cuInit)
    check(driverGetVersion(&version_), "cuDriverGetVersion");
    requireDriver(version_, CUDA_VERSION);
    requireInitialized(init(0));
    WARPLENS_DRIVER_FUNCTIONS(WARPLENS_FIND)
}

#undef WARPLENS_FIND
#undef WARPLENS_DRIVER_NAME

const Driver& Driver::open() {
    static const Driver driver;  // a failed attempt throws and is made again next time
    return driver;
}

void synchronize() {
    check(Driver::open().ctxSynchronize(), "cuCtxSynchronize");
}

std::string hostName() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "this machine";
    return sanitized(name.data());
}

Failure failureOf(const CudaError& error) {
    const auto found = std::ranges::find(meanings, error.code(), &Meaning::code);
    if (found == meanings.end()) return {FailureKind::failed, error.what()};
    // Of the machine: which one is not plain to who sits at another.
    const std::string where =
        found->kind == FailureKind::impossible ? "on " + hostName() + ": " : std::string();
    return {found->kind, where + std::string(found->words) + " (" + std::string(found->name) + ')'};
}

}  // namespace warplens
