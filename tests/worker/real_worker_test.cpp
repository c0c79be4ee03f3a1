// The worker that measures, on whatever machine this is.
#include <array>
#include <cuda.h>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/worker/stub_client.h"

namespace warplens {
namespace {

using namespace tests;

WorkerClient realClient(const std::string& environment = "") {
    return WorkerClient({.command = environment + " '" REAL_WORKER "'"});
}

TEST(RealWorker, WithoutADeviceSaysSoToEveryRequest) {
    // No device is visible, on a machine with a GPU too.
    WorkerClient client = realClient("CUDA_VISIBLE_DEVICES=");
    for (int request = 0; request < 2; ++request) {
        const WorkerEvent described = finalEvent(client, client.describe());
        ASSERT_TRUE(std::holds_alternative<Description>(described.body));
        const auto& description = std::get<Description>(described.body);
        EXPECT_FALSE(description.device);
        EXPECT_FALSE(description.countersAvailable);
        const Failure failure = failureOf(client);
        EXPECT_EQ(failure.kind, FailureKind::impossible);
        EXPECT_EQ(failure.message, description.deviceReason);
        EXPECT_TRUE(failure.message == "no CUDA device on this machine (cudaErrorNoDevice)" ||
                    failure.message ==
                        "no NVIDIA driver on this machine; install it to measure here")
            << failure.message;
    }
}

/// What the worker answers two requests with in this environment, and says of the device.
Failure failureIn(const std::string& environment) {
    WorkerClient client = realClient(environment);
    const Failure failure = failureOf(client);
    EXPECT_EQ(failureOf(client), failure);
    const WorkerEvent described = finalEvent(client, client.describe());
    const auto* description = std::get_if<Description>(&described.body);
    EXPECT_TRUE(description != nullptr && description->deviceReason == failure.message);
    return failure;
}

/// The same where the driver supports `version` of CUDA and cuInit gives `code`.
Failure failureWithDriver(int version, CUresult code) {
    return failureIn("LD_LIBRARY_PATH='" BROKEN_DRIVER_FOLDER "' STAND_IN_DRIVER_VERSION=" +
                     std::to_string(version) + " STAND_IN_INIT=" + std::to_string(code));
}

TEST(RealWorker, NamesADriverThatIsTooOld) {
    EXPECT_EQ(failureWithDriver(12080, CUDA_SUCCESS),
              (Failure{FailureKind::impossible,
                       "the NVIDIA driver supports CUDA 12.8, this program needs 13.0; update the "
                       "driver"}));
}

TEST(RealWorker, NamesADriverThatIsNotThere) {
    EXPECT_EQ(failureIn("STAND_IN_MISSING=libcuda.so LD_PRELOAD='" WITHOUT_LIBRARY "'"),
              (Failure{FailureKind::impossible,
                       "no NVIDIA driver on this machine; install it to measure here"}));
}

TEST(RealWorker, NamesADriverWithoutADevice) {
    EXPECT_EQ(
        failureWithDriver(13000, CUDA_ERROR_NO_DEVICE),
        (Failure{FailureKind::impossible, "no CUDA device on this machine (cudaErrorNoDevice)"}));
}

TEST(RealWorker, NamesADriverThatDoesNotFitItsLibraries) {
    EXPECT_EQ(failureWithDriver(13000, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH),
              (Failure{FailureKind::impossible,
                       "the loaded NVIDIA driver and its libraries are of different versions; "
                       "restart the machine (cudaErrorSystemDriverMismatch)"}));
}

TEST(RealWorker, PassesOnAnErrorOfTheDriverWithoutWordsOfItsOwn) {
    const Failure failure = failureWithDriver(13000, CUDA_ERROR_UNKNOWN);
    EXPECT_EQ(failure.kind, FailureKind::impossible);
    EXPECT_TRUE(
        failure.message.starts_with("cudaGetDeviceCount: unknown error (cudaErrorUnknown) at "))
        << failure.message;
}

TEST(RealWorker, RefusesALineThatIsNoRequest) {
    std::array<char, 4096> text{};
    std::FILE* const worker = ::popen("echo nonsense | '" REAL_WORKER "'", "r");
    ASSERT_NE(worker, nullptr);
    const std::size_t size = std::fread(text.data(), 1, text.size(), worker);
    EXPECT_EQ(::pclose(worker), 0);
    ASSERT_GT(size, 0u);
    const WorkerEvent event = eventFromJsonLine({text.data(), size - 1});
    EXPECT_EQ(event.id, 0u);
    EXPECT_EQ(std::get<Failure>(event.body),
              (Failure{FailureKind::invalid, "request not understood: not JSON, or cut off"}));
}

TEST(RealWorker, EndsWhenNobodyReadsItAnyMore) {
    // Its input stays open: it learns of its end from its output alone, as in a kernel that hangs.
    std::array<int, 2> input{};
    std::array<int, 2> output{};
    ASSERT_EQ(::pipe2(input.data(), O_CLOEXEC), 0);
    ASSERT_EQ(::pipe2(output.data(), O_CLOEXEC), 0);
    const pid_t worker = ::fork();
    if (worker == 0) {
        ::dup2(input[0], STDIN_FILENO);
        ::dup2(output[1], STDOUT_FILENO);
        ::execl(REAL_WORKER, REAL_WORKER, nullptr);
        ::_exit(127);
    }
    ::close(input[0]);
    ::close(output[1]);
    std::this_thread::sleep_for(200ms);
    int status = 0;
    EXPECT_EQ(::waitpid(worker, &status, WNOHANG), 0) << "it ended before it was left alone";
    ::close(output[0]);
    pid_t ended = 0;
    for (int look = 0; look < 500 && ended == 0; ++look) {
        std::this_thread::sleep_for(10ms);
        ended = ::waitpid(worker, &status, WNOHANG);
    }
    EXPECT_EQ(ended, worker);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 1);
    if (ended != worker) {
        ::kill(worker, SIGKILL);
        ::waitpid(worker, &status, 0);
    }
    ::close(input[1]);
}

}  // namespace
}  // namespace warplens
