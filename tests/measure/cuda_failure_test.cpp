#include "kernels/measure/device/cuda_failure.h"

#include <gtest/gtest.h>
#include <source_location>

#include "kernels/measure/counters/cupti_library.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/device/usable_device.h"
#include "tests/support/faults_document.h"

namespace warplens {
namespace {

Failure failureWith(cudaError_t code) {
    return failureOf(CudaError(code, "cudaFree", std::source_location::current()));
}

TEST(CudaFailure, namesWhatAKernelDid) {
    EXPECT_EQ(failureWith(cudaErrorIllegalAddress),
              (Failure{FailureKind::failed,
                       "the kernel touched an address outside its arrays "
                       "(cudaErrorIllegalAddress)"}));
    EXPECT_EQ(failureWith(cudaErrorMisalignedAddress).message,
              "the kernel touched an address that is no multiple of the value's size "
              "(cudaErrorMisalignedAddress)");
    EXPECT_EQ(failureWith(cudaErrorLaunchFailure).message,
              "the kernel faulted on the device (cudaErrorLaunchFailure)");
    EXPECT_EQ(failureWith(cudaErrorAssert).kind, FailureKind::failed);
}

TEST(CudaFailure, namesExhaustedMemory) {
    EXPECT_EQ(failureWith(cudaErrorMemoryAllocation),
              (Failure{FailureKind::failed,
                       "the device's memory is exhausted; nvidia-smi shows who holds it "
                       "(cudaErrorMemoryAllocation)"}));
}

TEST(CudaFailure, tellsAWrongRequestFromAMachineThatCannotMeasure) {
    EXPECT_EQ(failureWith(cudaErrorLaunchOutOfResources).kind, FailureKind::invalid);
    EXPECT_EQ(failureWith(cudaErrorInvalidConfiguration).kind, FailureKind::invalid);
    for (const cudaError_t code :
         {cudaErrorInsufficientDriver, cudaErrorNoDevice, cudaErrorDevicesUnavailable,
          cudaErrorNoKernelImageForDevice, cudaErrorUnsupportedPtxVersion,
          cudaErrorSystemDriverMismatch, cudaErrorSystemNotReady,
          cudaErrorCompatNotSupportedOnDevice, cudaErrorStubLibrary}) {
        EXPECT_EQ(failureWith(code).kind, FailureKind::impossible) << cudaGetErrorName(code);
    }
    EXPECT_EQ(tests::onLabGpu(failureWith(cudaErrorInsufficientDriver).message),
              "on lab-gpu: the NVIDIA driver is older than this program needs; update the driver "
              "(cudaErrorInsufficientDriver)");
}

TEST(CudaFailure, hasTheWordsOfTheDocument) {
    for (const cudaError_t code :
         {cudaErrorIllegalAddress, cudaErrorMisalignedAddress, cudaErrorLaunchFailure,
          cudaErrorMemoryAllocation, cudaErrorLaunchOutOfResources, cudaErrorNoDevice,
          cudaErrorSystemDriverMismatch, cudaErrorDevicesUnavailable}) {
        EXPECT_TRUE(tests::isDocumented(failureWith(code).message));
    }
}

TEST(CudaFailure, keepsTheCallOfAnErrorWithoutWordsOfItsOwn) {
    const Failure failure = failureWith(cudaErrorPeerAccessUnsupported);
    EXPECT_EQ(failure.kind, FailureKind::failed);
    EXPECT_TRUE(failure.message.starts_with("cudaFree: ")) << failure.message;
}

std::string refusalOf(int driver, int runtime) {
    try {
        requireDriver(driver, runtime);
    } catch (const NoDevice& error) {
        return error.what();
    }
    return "accepted";
}

TEST(UsableDevice, needsADriverOfTheRuntimesMajorVersion) {
    EXPECT_EQ(tests::onLabGpu(refusalOf(0, 13000)),
              "no NVIDIA driver on lab-gpu; measuring needs one there");
    EXPECT_EQ(tests::onLabGpu(refusalOf(12080, 13000)),
              "the NVIDIA driver of lab-gpu supports CUDA 12.8, this program needs 13.0; update "
              "the driver");
    EXPECT_TRUE(tests::isDocumented(refusalOf(12080, 13000)));
    EXPECT_TRUE(tests::isDocumented(refusalOf(0, 13000)));
    EXPECT_EQ(tests::onLabGpu(refusalOf(12990, 13000)),
              "the NVIDIA driver of lab-gpu supports CUDA 12.99, this program needs 13.0; update "
              "the driver");
    EXPECT_EQ(refusalOf(13000, 13000), "accepted");
    EXPECT_EQ(refusalOf(13000, 13020), "accepted") << "minor versions are compatible";
    EXPECT_EQ(refusalOf(14000, 13000), "accepted");
}

std::string refusalOf(cudaError_t answer, int count) {
    try {
        requireDevice(answer, count);
    } catch (const NoDevice& error) {
        return error.what();
    }
    return "accepted";
}

TEST(UsableDevice, isThereOrItsAbsenceExplained) {
    const auto refusal = [](cudaError_t answer) { return tests::onLabGpu(refusalOf(answer, 0)); };
    EXPECT_EQ(refusalOf(cudaSuccess, 1), "accepted");
    EXPECT_EQ(refusal(cudaErrorNoDevice),
              "on lab-gpu: there is no CUDA device (cudaErrorNoDevice)");
    EXPECT_EQ(refusal(cudaSuccess), "on lab-gpu: there is no CUDA device (cudaErrorNoDevice)");
    EXPECT_EQ(refusal(cudaErrorSystemDriverMismatch),
              "on lab-gpu: the loaded NVIDIA driver and its libraries are of different versions; "
              "restart the machine (cudaErrorSystemDriverMismatch)");
}

TEST(Cupti, thatIsMissingNamesTheFileAndTheRemedy) {
    try {
        const CuptiLibrary library({"/no/such/folder/"});
        FAIL() << "found";
    } catch (const CountersUnavailable& error) {
        EXPECT_STREQ(
            error.what(),
            "libcupti.so.13 not found; install the CUDA Toolkit's CUPTI, or "
            "nvidia-cuda-cupti==13.0.* with pip, or set CUDA_PATH to the toolkit's folder");
        EXPECT_TRUE(tests::isDocumented(error.what()));
    }
}

TEST(Cupti, thatIsLockedOrBusyNamesTheRemedy) {
    const std::string locked =
        explain(CUPTI_ERROR_INSUFFICIENT_PRIVILEGES, "CUPTI_ERROR_INSUFFICIENT_PRIVILEGES");
    EXPECT_NE(locked.find("NVreg_RestrictProfilingToAdminUsers=0"), std::string::npos);
    EXPECT_TRUE(tests::isDocumented(locked.substr(0, locked.find("put `") + 4)));
    const std::string busy = explain(CUPTI_ERROR_HARDWARE_BUSY, "CUPTI_ERROR_HARDWARE_BUSY");
    EXPECT_NE(busy.find("dcgmi profile --pause"), std::string::npos);
    EXPECT_TRUE(tests::isDocumented(busy.substr(0, busy.find("26)"))));
}

}  // namespace
}  // namespace warplens
