#include "kernels/measure/device/cuda_failure.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <unistd.h>

#include "core/text/sanitized.h"

namespace warplens {

std::string hostName() {
    std::array<char, 256> name{};
    if (::gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "this machine";
    return sanitized(name.data());
}

namespace {

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
    WARPLENS_MEANING(CUDA_ERROR_NO_BINARY_FOR_GPU, FailureKind::impossible,
                     "NVRTC is older than this GPU, or newer than the driver; install the CUDA "
                     "Toolkit that goes with the driver"),
    WARPLENS_MEANING(CUDA_ERROR_UNSUPPORTED_PTX_VERSION, FailureKind::impossible,
                     "the NVIDIA driver is older than NVRTC; update the driver"),
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

Failure failureOf(const CudaError& error) {
    const auto found = std::ranges::find(meanings, error.code(), &Meaning::code);
    if (found == meanings.end()) return {FailureKind::failed, error.what()};
    // Of the machine: which one is not plain to who sits at another.
    const std::string where =
        found->kind == FailureKind::impossible ? "on " + hostName() + ": " : std::string();
    return {found->kind, where + std::string(found->words) + " (" + std::string(found->name) + ')'};
}

}  // namespace warplens
