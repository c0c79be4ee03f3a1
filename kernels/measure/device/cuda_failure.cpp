#include "kernels/measure/device/cuda_failure.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "kernels/measure/device/host_name.h"

namespace warplens {
namespace {

struct Meaning final {
    cudaError_t code;
    FailureKind kind;
    std::string_view words;
};

constexpr std::array meanings{
    // Of the kernel that ran.
    Meaning{cudaErrorIllegalAddress, FailureKind::failed,
            "the kernel touched an address outside its arrays"},
    Meaning{cudaErrorMisalignedAddress, FailureKind::failed,
            "the kernel touched an address that is no multiple of the value's size"},
    Meaning{cudaErrorAssert, FailureKind::failed, "the kernel stopped at an assertion"},
    Meaning{cudaErrorLaunchTimeout, FailureKind::failed,
            "the kernel ran longer than the driver allows on a GPU that also draws the desktop; "
            "take a smaller problem"},
    Meaning{cudaErrorLaunchFailure, FailureKind::failed, "the kernel faulted on the device"},
    Meaning{cudaErrorHardwareStackError, FailureKind::failed, "the kernel faulted on the device"},
    Meaning{cudaErrorIllegalInstruction, FailureKind::failed, "the kernel faulted on the device"},
    Meaning{cudaErrorInvalidAddressSpace, FailureKind::failed, "the kernel faulted on the device"},
    Meaning{cudaErrorInvalidPc, FailureKind::failed, "the kernel faulted on the device"},
    Meaning{cudaErrorECCUncorrectable, FailureKind::failed,
            "the device's memory lost data that it could not correct"},
    // Of what was asked for.
    Meaning{cudaErrorMemoryAllocation, FailureKind::failed,
            "the device's memory is exhausted; nvidia-smi shows who holds it"},
    Meaning{cudaErrorLaunchOutOfResources, FailureKind::invalid,
            "a block of this size takes more registers or shared memory than an SM has; take a "
            "smaller one"},
    Meaning{cudaErrorInvalidConfiguration, FailureKind::invalid,
            "the device does not accept this grid and block"},
    // Of the machine.
    Meaning{cudaErrorInsufficientDriver, FailureKind::impossible,
            "the NVIDIA driver is older than this program needs; update the driver"},
    Meaning{cudaErrorNoDevice, FailureKind::impossible, "there is no CUDA device"},
    Meaning{cudaErrorDevicesUnavailable, FailureKind::impossible,
            "another program has the GPU to itself; wait for it, or set the compute mode to "
            "Default with nvidia-smi -c 0"},
    Meaning{cudaErrorNoKernelImageForDevice, FailureKind::impossible,
            "this build has no code for this GPU's compute capability"},
    Meaning{cudaErrorUnsupportedPtxVersion, FailureKind::impossible,
            "the NVIDIA driver is older than this build's code for this GPU; update the driver"},
    Meaning{cudaErrorSystemDriverMismatch, FailureKind::impossible,
            "the loaded NVIDIA driver and its libraries are of different versions; restart the "
            "machine"},
    Meaning{cudaErrorSystemNotReady, FailureKind::impossible,
            "the GPUs are not ready; on a machine with NVSwitch nvidia-fabricmanager must run"},
    Meaning{cudaErrorCompatNotSupportedOnDevice, FailureKind::impossible,
            "the NVIDIA driver is older than this program needs on this kind of GPU; update the "
            "driver"},
    Meaning{cudaErrorStubLibrary, FailureKind::impossible,
            "the loader found the toolkit's stub of libcuda.so instead of the driver; take the "
            "stubs folder out of LD_LIBRARY_PATH"},
};

}  // namespace

Failure failureOf(const CudaError& error) {
    const auto found = std::ranges::find(meanings, error.code(), &Meaning::code);
    if (found == meanings.end()) return {FailureKind::failed, error.what()};
    // Of the machine: which one is not plain to who sits at another.
    const std::string where =
        found->kind == FailureKind::impossible ? "on " + hostName() + ": " : std::string();
    return {found->kind,
            where + std::string(found->words) + " (" + cudaGetErrorName(error.code()) + ')'};
}

}  // namespace warplens
