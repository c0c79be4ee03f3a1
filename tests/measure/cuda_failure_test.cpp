#include <gtest/gtest.h>
#include <source_location>

#include "kernels/measure/counters/cupti_library.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/device/driver.h"
#include "tests/support/faults_document.h"
#include "tests/support/refusal.h"

namespace warplens {
namespace {

Failure failureWith(CUresult code) {
    return failureOf(CudaError(code, "cuMemFree", std::source_location::current()));
}

TEST(CudaFailure, namesWhatAKernelDid) {
    EXPECT_EQ(failureWith(CUDA_ERROR_ILLEGAL_ADDRESS),
              (Failure{FailureKind::failed,
                       "the kernel touched an address outside its arrays "
                       "(CUDA_ERROR_ILLEGAL_ADDRESS)"}));
    EXPECT_EQ(failureWith(CUDA_ERROR_MISALIGNED_ADDRESS).message,
              "the kernel touched an address that is no multiple of the value's size "
              "(CUDA_ERROR_MISALIGNED_ADDRESS)");
    EXPECT_EQ(failureWith(CUDA_ERROR_LAUNCH_FAILED).message,
              "the kernel faulted on the device (CUDA_ERROR_LAUNCH_FAILED)");
    EXPECT_EQ(failureWith(CUDA_ERROR_ASSERT).kind, FailureKind::failed);
}

TEST(CudaFailure, namesExhaustedMemory) {
    EXPECT_EQ(failureWith(CUDA_ERROR_OUT_OF_MEMORY),
              (Failure{FailureKind::failed,
                       "the device's memory is exhausted; nvidia-smi shows who holds it "
                       "(CUDA_ERROR_OUT_OF_MEMORY)"}));
}

TEST(CudaFailure, tellsAWrongRequestFromAMachineThatCannotMeasure) {
    EXPECT_EQ(failureWith(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES).kind, FailureKind::invalid);
    for (const CUresult code :
         {CUDA_ERROR_NO_DEVICE, CUDA_ERROR_DEVICE_UNAVAILABLE, CUDA_ERROR_NO_BINARY_FOR_GPU,
          CUDA_ERROR_UNSUPPORTED_PTX_VERSION, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH,
          CUDA_ERROR_SYSTEM_NOT_READY, CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE,
          CUDA_ERROR_STUB_LIBRARY}) {
        EXPECT_EQ(failureWith(code).kind, FailureKind::impossible) << nameOf(code);
    }
    EXPECT_EQ(tests::onLabGpu(failureWith(CUDA_ERROR_UNSUPPORTED_PTX_VERSION).message),
              "on lab-gpu: the NVIDIA driver is older than the compiler; update the driver "
              "(CUDA_ERROR_UNSUPPORTED_PTX_VERSION)");
}

TEST(CudaFailure, hasTheWordsOfTheDocument) {
    for (const CUresult code :
         {CUDA_ERROR_ILLEGAL_ADDRESS, CUDA_ERROR_MISALIGNED_ADDRESS, CUDA_ERROR_LAUNCH_FAILED,
          CUDA_ERROR_OUT_OF_MEMORY, CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, CUDA_ERROR_NO_DEVICE,
          CUDA_ERROR_SYSTEM_DRIVER_MISMATCH, CUDA_ERROR_DEVICE_UNAVAILABLE}) {
        EXPECT_TRUE(tests::isDocumented(failureWith(code).message));
    }
}

TEST(CudaFailure, keepsTheCallOfAnErrorWithoutWordsOfItsOwn) {
    const Failure failure = failureWith(CUDA_ERROR_PEER_ACCESS_UNSUPPORTED);
    EXPECT_EQ(failure.kind, FailureKind::failed);
    EXPECT_TRUE(failure.message.starts_with("cuMemFree: ")) << failure.message;
}

std::string refusalOf(int driver, int runtime) {
    return tests::refusal<NoDevice>([&] { requireDriver(driver, runtime); });
}

TEST(UsableDevice, needsADriverOfTheSameMajorVersion) {
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

std::string refusalOf(CUresult answer) {
    try {
        requireInitialized(answer);
    } catch (const NoDevice& error) {
        return tests::onLabGpu(error.what());
    }
    return "accepted";
}

TEST(UsableDevice, isThereOrItsAbsenceExplained) {
    EXPECT_EQ(refusalOf(CUDA_SUCCESS), "accepted");
    EXPECT_EQ(refusalOf(CUDA_ERROR_NO_DEVICE),
              "on lab-gpu: there is no CUDA device (CUDA_ERROR_NO_DEVICE)");
    EXPECT_EQ(refusalOf(CUDA_ERROR_SYSTEM_DRIVER_MISMATCH),
              "on lab-gpu: the loaded NVIDIA driver and its libraries are of different versions; "
              "restart the machine (CUDA_ERROR_SYSTEM_DRIVER_MISMATCH)");
}

TEST(Cupti, thatIsMissingNamesTheFileAndTheRemedy) {
    const std::string why = tests::refusal<CountersUnavailable>(
        [&] { const CuptiLibrary library({"/no/such/folder/"}); });
    EXPECT_EQ(why,
              "libcupti.so.13 not found; install the CUDA Toolkit's CUPTI, or "
              "nvidia-cuda-cupti==13.0.* with pip, or set CUDA_PATH to the toolkit's folder");
    EXPECT_TRUE(tests::isDocumented(why));
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
