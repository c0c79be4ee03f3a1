// The worker that measures, on whatever machine this is.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <cuda.h>
#include <fcntl.h>
#include <sstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/text/format.h"
#include "tests/support/faults_document.h"
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
        const std::string said = onLabGpu(failure.message);
        EXPECT_TRUE(said == "on lab-gpu: there is no CUDA device (CUDA_ERROR_NO_DEVICE)" ||
                    said == "no NVIDIA driver on lab-gpu; measuring needs one there")
            << said;
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
    return {failure.kind, onLabGpu(failure.message)};
}

/// The same where the driver supports `version` of CUDA and cuInit gives `code`.
Failure failureWithDriver(int version, CUresult code) {
    return failureIn("LD_LIBRARY_PATH='" BROKEN_DRIVER_FOLDER "' STAND_IN_DRIVER_VERSION=" +
                     std::to_string(version) + " STAND_IN_INIT=" + std::to_string(code));
}

TEST(RealWorker, NamesADriverThatIsTooOld) {
    EXPECT_EQ(failureWithDriver(12080, CUDA_SUCCESS),
              (Failure{FailureKind::impossible,
                       "the NVIDIA driver of lab-gpu supports CUDA 12.8, this program needs 13.0; "
                       "update the driver"}));
}

TEST(RealWorker, NamesADriverThatIsNotThere) {
    EXPECT_EQ(failureIn("STAND_IN_MISSING=libcuda.so LD_PRELOAD='" WITHOUT_LIBRARY "'"),
              (Failure{FailureKind::impossible,
                       "no NVIDIA driver on lab-gpu; measuring needs one there"}));
}

TEST(RealWorker, NamesADriverWithoutADevice) {
    EXPECT_EQ(failureWithDriver(13000, CUDA_ERROR_NO_DEVICE),
              (Failure{FailureKind::impossible,
                       "on lab-gpu: there is no CUDA device (CUDA_ERROR_NO_DEVICE)"}));
}

TEST(RealWorker, NamesADriverThatDoesNotFitItsLibraries) {
    EXPECT_EQ(failureWithDriver(13000, CUDA_ERROR_SYSTEM_DRIVER_MISMATCH),
              (Failure{FailureKind::impossible,
                       "on lab-gpu: the loaded NVIDIA driver and its libraries are of different "
                       "versions; restart the machine (CUDA_ERROR_SYSTEM_DRIVER_MISMATCH)"}));
}

TEST(RealWorker, PassesOnAnErrorOfTheDriverWithoutWordsOfItsOwn) {
    const Failure failure = failureWithDriver(13000, CUDA_ERROR_UNKNOWN);
    EXPECT_EQ(failure.kind, FailureKind::impossible);
    EXPECT_TRUE(failure.message.starts_with("cuInit: ")) << failure.message;
}

/// What the worker itself says to this on its standard input, by line.
std::vector<WorkerEvent> saidTo(const std::string& shellText) {
    std::FILE* const worker = ::popen((shellText + " | '" REAL_WORKER "'").c_str(), "r");
    EXPECT_NE(worker, nullptr);
    std::string text;
    for (int c = std::fgetc(worker); c != EOF; c = std::fgetc(worker)) {
        text += static_cast<char>(c);
    }
    // After a failure that ends a worker its code is 1.
    EXPECT_TRUE(WIFEXITED(::pclose(worker)));
    std::vector<WorkerEvent> events;
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) events.push_back(eventFromJsonLine(line));
    return events;
}

TEST(RealWorker, SaysWhatItIsBeforeItIsAsked) {
    const std::vector<WorkerEvent> events = saidTo("true");
    ASSERT_EQ(events.size(), 1u);
    EXPECT_EQ(std::get<Hello>(events[0].body).version, version());
    EXPECT_FALSE(std::get<Hello>(events[0].body).host.empty());
}

TEST(RealWorker, RefusesALineThatIsNoRequest) {
    const std::vector<WorkerEvent> events = saidTo("echo nonsense");
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(events[1].id, 0u);
    EXPECT_EQ(std::get<Failure>(events[1].body),
              (Failure{FailureKind::invalid, "request not understood: not JSON, or cut off"}));
}

TEST(RealWorker, KeepsNoMoreOfALineThanItWouldRead) {
    const std::vector<WorkerEvent> events =
        saidTo("{ head -c 300000000 /dev/zero | tr '\\0' x; echo; echo nonsense; }");
    ASSERT_EQ(events.size(), 3u);
    EXPECT_EQ(std::get<Failure>(events[1].body).message,
              "request not understood: JSON text larger than 16 MiB");
    EXPECT_EQ(std::get<Failure>(events[2].body).message,
              "request not understood: not JSON, or cut off");
    rusage most{};
    ASSERT_EQ(::getrusage(RUSAGE_CHILDREN, &most), 0);
    EXPECT_LT(most.ru_maxrss, 150 * 1024) << "KiB at most; what CUDA holds is most of it";
}

TEST(RealWorker, RefusesToMeasureAnotherSourceOfAKernel) {
    const std::string request =
        toJsonLine({1, MeasureRequest{anExperiment(), true, false, "0123456789abcdef"}});
    const std::vector<WorkerEvent> events = saidTo("echo '" + request + "'");
    ASSERT_EQ(events.size(), 2u);
    EXPECT_EQ(std::get<Failure>(events[1].body).kind, FailureKind::impossible);
    EXPECT_EQ(onLabGpu(std::get<Failure>(events[1].body).message),
              "the worker on lab-gpu has another source of matadd-swapped's kernel; install the "
              "same version at both ends");
}

TEST(RealWorker, CompilesWithoutADevice) {
    WorkerClient client = realClient("CUDA_VISIBLE_DEVICES=");
    CompileRequest request{.file = "own.cu",
                           .text =
                               "template <int N> __global__ void own(int* a) {\n"
                               "    __shared__ int t[N * 3];\n"
                               "    t[threadIdx.x] = a[threadIdx.x];\n"
                               "    __syncthreads();\n"
                               "    a[threadIdx.x] = t[N - threadIdx.x];\n"
                               "}\n",
                           .kernel = "own<8>",
                           .computeCapability = "8.6"};
    const WorkerEvent event = finalEvent(client, client.compile(request));
    const auto* const failure = std::get_if<Failure>(&event.body);
    if (failure != nullptr && failure->message.find("libnvrtc.so.13") != std::string::npos) {
        GTEST_SKIP() << failure->message;
    }
    ASSERT_TRUE(std::holds_alternative<CompiledResources>(event.body)) << failure->message;
    const auto& compiled = std::get<CompiledResources>(event.body);
    EXPECT_EQ(compiled.computeCapability, "8.6");
    EXPECT_TRUE(compiled.compiler.starts_with("NVRTC ")) << compiled.compiler;
    EXPECT_EQ(compiled.resources.staticSharedBytes, 96u);
    EXPECT_GT(compiled.resources.registersPerThread, 3u);
    const auto refusalOf = [&](const char* kernel, const char* capability) {
        request.kernel = kernel;
        request.computeCapability = capability;
        const WorkerEvent answer = finalEvent(client, client.compile(request));
        return std::get<Failure>(answer.body);
    };
    EXPECT_EQ(refusalOf("own<8>", "newest").kind, FailureKind::invalid);
    EXPECT_EQ(refusalOf("other", "8.6").kind, FailureKind::invalid);
    EXPECT_TRUE(refusalOf("own<8>", "5.0")
                    .message.ends_with("does not compile for compute capability 5.0"));
}

TEST(RealWorker, TellsHowItIsUsed) {
    EXPECT_EQ(std::system("'" REAL_WORKER "' --help >/dev/null"), 0);
    EXPECT_EQ(WEXITSTATUS(std::system("'" REAL_WORKER "' --nonsense 2>/dev/null")), 2);
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
