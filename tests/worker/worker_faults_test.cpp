// Every way in which a worker can come to grief: what is said about it, and that it costs one
// request and nothing else.
#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/text/format.h"
#include "tests/support/faults_document.h"
#include "tests/worker/stub_client.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens {
namespace {

using namespace tests;

constexpr std::array mishaps{"crashes",        "crashes-before-answering",
                             "exits",          "faults",
                             "half-line",      "garbage",
                             "nonsense",       "nested",
                             "wrong-id",       "other-experiment",
                             "hangs",          "hangs-before-answering",
                             "endless-line",   "endless-lines",
                             "endless-errors", "endless-error-line",
                             "closes-output"};

class EveryMishap : public testing::TestWithParam<const char*> {};

TEST_P(EveryMishap, CostsOneRequestAndTheNextOneIsAnswered) {
    const Once once;
    // The one about lines is to be ended by their number.
    const auto deadline = std::string(GetParam()) == "endless-lines" ? 30s : 1s;
    WorkerClient client = clientOf(GetParam() + once.option(), deadline);
    const Failure failure = failureOf(client);
    EXPECT_EQ(failure.kind, FailureKind::failed);
    EXPECT_FALSE(failure.message.empty());
    EXPECT_LT(failure.message.size(), 400u);
    EXPECT_TRUE(measures(client));
    EXPECT_TRUE(measures(client));
}

INSTANTIATE_TEST_SUITE_P(WorkerFaults, EveryMishap, testing::ValuesIn(mishaps),
                         [](const auto& mishap) {
                             std::string name = mishap.param;
                             std::erase(name, '-');
                             return name;
                         });

struct Named final {
    const char* part;
    std::string words;
};

TEST(WorkerFaults, AreNamedAsTheDocumentSays) {
    for (const auto& [part, words] : std::vector<Named>{
             {"crashes", "the worker was ended by signal 9 (Killed) while 'timing'"},
             {"crashes-before-answering",
              "the worker was ended by signal 9 (Killed) before answering"},
             {"exits", "the worker exited with code 3 before answering; it said: last words"},
             {"half-line",
              "the worker exited with code 0 before answering, in the middle of a line: "
              "'{\"id\": 1, \"event\": \"resu'"},
             {"garbage",
              "the worker exited with code 5 before answering, in the middle of a line: "
              "'\\x7fELF\\x02\\x01\\xff\\xfe'"},
             {"nonsense",
              "the worker wrote something that is not the protocol: 'Welcome to the cluster!' "
              "(not JSON, or cut off)"},
             {"endless-lines",
              "the worker wrote more than 10000 lines about one request, last 'timing'"},
             {"wrong-id", "the worker answered request 42, which was never asked"}}) {
        EXPECT_EQ(failureOf(part).message, words);
        EXPECT_TRUE(isDocumented(words));
    }
    for (const auto& [part, start] : std::vector<Named>{
             {"nested",
              "the worker wrote something that is not the protocol: '{\"id\": 1, \"event\": [[["},
             {"endless-line", "the worker wrote something that is not the protocol: 'xxx"},
             {"other-experiment", "the worker measured something else than it was asked to: "}}) {
        EXPECT_TRUE(failureOf(part).message.starts_with(start)) << failureOf(part).message;
        EXPECT_TRUE(isDocumented(start));
    }
    EXPECT_TRUE(failureOf("nested").message.ends_with("...' (nested deeper than 64 levels)"));
    WorkerClient output({.command = "exec " WORKER_STUB " closes-output"});
    EXPECT_EQ(failureOf(output).message, "the worker closed its output before answering");
    EXPECT_TRUE(isDocumented("the worker closed its output before answering"));
    WorkerClient chatty = clientOf("endless-errors", 500ms);
    EXPECT_EQ(failureOf(chatty).message, "the worker did not answer within 0.5 s and was killed");
}

class EveryLie : public testing::TestWithParam<std::string> {};

TEST_P(EveryLie, IsNotBelievedAndTheNextRequestIsAnswered) {
    const Once once;
    WorkerClient client = clientOf("lies-" + GetParam() + once.option(), 1s);
    const Failure failure = failureOf(client);
    EXPECT_EQ(failure.kind, GetParam() == "error" ? FailureKind::wrongResult : FailureKind::failed);
    EXPECT_TRUE(failure.message.starts_with("the worker's result cannot be: ") ||
                failure.message.starts_with("the kernel's result differs from the host's by 5"))
        << failure.message;
    if (GetParam() == "error") return;  // it stays, and tells the same again
    EXPECT_TRUE(measures(client));
}

INSTANTIATE_TEST_SUITE_P(WorkerFaults, EveryLie, testing::ValuesIn(tests::lies()),
                         [](const auto& lie) {
                             std::string name = lie.param;
                             std::erase(name, '-');
                             return name;
                         });

TEST(WorkerFaults, AStrangerIsRefusedWithItsVersionAndOurs) {
    const std::string ours =
        "this is Warplens " + version() + "; install the same version at both ends";
    for (const auto& [part, words] : std::vector<Named>{
             {"other-version", "the worker on lab-gpu is of Warplens 99.0.0, and " + ours},
             {"no-hello",
              "the worker does not say what it is, as that of Warplens 0.1.0 did not, and " + ours},
             {"other-protocol", "the worker on lab-gpu speaks protocol 9, and this is Warplens " +
                                    version() +
                                    ", which speaks 3; install the same version at both ends"}}) {
        EXPECT_EQ(failureOf(part), (Failure{FailureKind::impossible, words}));
        EXPECT_TRUE(isDocumented(words.substr(0, words.find("Warplens " + version()) + 9)));
    }
}

TEST(WorkerFaults, AnotherSourceOfTheKernelIsRefused) {
    const std::string words =
        "the worker measured another source of matadd-swapped's kernel than this program has";
    EXPECT_EQ(failureOf("other-source").message, words);
    EXPECT_TRUE(isDocumented(words));
}

TEST(WorkerFaults, ABannerBeforeTheWorkerIsSkippedAndKept) {
    WorkerClient client = clientOf("banner");
    EXPECT_TRUE(measures(client));
    EXPECT_EQ(client.banner(), "Welcome to lab-gpu!");
    WorkerClient silent = clientOf("answers");
    EXPECT_TRUE(measures(silent));
    EXPECT_EQ(silent.banner(), "");
    EXPECT_TRUE(failureOf("endless-banner")
                    .message.starts_with("the worker wrote something that is not the protocol: "
                                         "'Welcome to lab-gpu!'"));
    WorkerClient shell = clientOf("shell-prompt", 500ms);
    EXPECT_EQ(failureOf(shell).message,
              "the worker did not answer within 0.5 s and was killed; it wrote: 'lab-gpu$'");
}

TEST(WorkerFaults, WordsOfAnyLengthAndKindAreMadeFitToBeShown) {
    WorkerClient client = clientOf("long-words");
    const std::uint64_t id = client.measure({anExperiment()});
    const std::optional<WorkerEvent> progress = client.wait(10s);
    ASSERT_TRUE(progress);
    EXPECT_TRUE(std::get<Progress>(progress->body).stage.starts_with("timing  [2Jxxx"));
    EXPECT_LT(std::get<Progress>(progress->body).stage.size(), 200u);
    const std::string message = std::get<Failure>(finalEvent(client, id).body).message;
    EXPECT_TRUE(message.starts_with("scripted:  ]0;title xxx"));
    EXPECT_EQ(failureOf("no-words").message, "the worker failed without a word");
    EXPECT_TRUE(isDocumented("the worker failed without a word"));
    EXPECT_LT(message.size(), 2100u);
}

TEST(WorkerFaults, KilledBetweenTwoRunsIsReplacedUnnoticed) {
    WorkerClient client = clientOf("answers");
    ASSERT_TRUE(measures(client));
    const int first = client.processId();
    ::kill(-first, SIGKILL);  // and at once the next one, so that it may still seem to run
    EXPECT_TRUE(measures(client));
    EXPECT_NE(client.processId(), first);
}

TEST(WorkerFaults, KilledDuringARunIsLaidToThatRun) {
    WorkerClient client = clientOf("slow");
    const std::uint64_t id = client.measure({anExperiment()});
    ASSERT_TRUE(client.wait(10s));
    ::kill(-client.processId(), SIGKILL);
    EXPECT_EQ(
        std::get<Failure>(finalEvent(client, id).body),
        (Failure{FailureKind::failed, "the worker was ended by signal 9 (Killed) while 'timing'"}));
}

TEST(WorkerFaults, KilledAfterARunIsReplacedByTheNextRequest) {
    const Once once;
    WorkerClient client = clientOf("crashes-after-answering" + once.option());
    EXPECT_TRUE(measures(client));
    EXPECT_TRUE(measures(client));
    ASSERT_NE(client.processId(), 0);
    ::kill(-client.processId(), SIGKILL);
    std::this_thread::sleep_for(100ms);
    EXPECT_TRUE(client.poll().empty());
    EXPECT_EQ(client.processId(), 0);
    EXPECT_TRUE(measures(client));
}

TEST(WorkerFaults, ARequestThatEndsEveryWorkerIsNotSentForEver) {
    const TemporaryFolder folder;
    const std::string lives = (folder.path() / "lives").string();
    // Answers its first request and leaves, and the fresh one leaves without an answer.
    WorkerClient client({.command = "echo x >> " + lives + "; if [ $(wc -l < " + lives +
                                    ") = 1 ]; then exec " WORKER_STUB
                                    " crashes-after-answering; fi; exit 7"});
    EXPECT_TRUE(measures(client));
    EXPECT_EQ(failureOf(client).message, "the worker exited with code 7 before answering");
    EXPECT_EQ(std::filesystem::file_size(lives), 4u) << "two workers were started";
}

TEST(WorkerFaults, AnAnswerGivenTwiceCostsNothing) {
    WorkerClient client = clientOf("answers-twice");
    for (int request = 0; request < 3; ++request) EXPECT_TRUE(measures(client));
}

TEST(WorkerFaults, AFloodAfterTheAnswerEndsTheWorker) {
    const Once once;
    WorkerClient client = clientOf("endless-lines-after-answering" + once.option());
    EXPECT_TRUE(measures(client));
    for (int look = 0; look < 500 && client.processId() != 0; ++look) (void)client.wait(10ms);
    EXPECT_EQ(client.processId(), 0);
    EXPECT_TRUE(measures(client));
}

/// Peak of this process's memory since it was forgotten last, in bytes; 0 where the system does not
/// tell.
std::size_t peakMemory() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) return std::stoul(line.substr(6)) * 1024;
    }
    return 0;
}
void forgetPeakMemory() {
    std::ofstream("/proc/self/clear_refs") << 5;
}

/// A line is refused at 16 MiB; a sanitizer keeps what was freed for a while.
#ifdef __SANITIZE_ADDRESS__
constexpr std::size_t mostMemory = 1u << 30;
#else
constexpr std::size_t mostMemory = 120u << 20;
#endif

class EveryFlood : public testing::TestWithParam<const char*> {};

TEST_P(EveryFlood, StaysInBoundedMemoryAndHoldsNobodyUp) {
    WorkerClient client = clientOf(GetParam(), 1500ms);
    forgetPeakMemory();
    const std::size_t before = peakMemory();
    (void)client.measure({anExperiment()});
    int calls = 0;
    int longCalls = 0;
    const auto until = std::chrono::steady_clock::now() + 10s;
    bool failed = false;
    while (!failed && std::chrono::steady_clock::now() < until) {
        const auto start = std::chrono::steady_clock::now();
        const std::vector<WorkerEvent> events = client.poll();
        ++calls;
        longCalls += std::chrono::steady_clock::now() - start > 50ms;
        EXPECT_LE(events.size(), 1000u);
        failed = std::ranges::any_of(events, [](const WorkerEvent& event) {
            return std::holds_alternative<Failure>(event.body);
        });
    }
    EXPECT_TRUE(failed);
    // Some may be long where other programs keep the processors busy.
    EXPECT_LE(longCalls, calls / 10) << "calls of poll over 50 ms, of " << calls;
    EXPECT_LT(peakMemory() - before, mostMemory);
}

INSTANTIATE_TEST_SUITE_P(WorkerFaults, EveryFlood,
                         testing::Values("endless-line", "endless-lines", "endless-errors",
                                         "endless-error-line"),
                         [](const auto& flood) {
                             std::string name = flood.param;
                             std::erase(name, '-');
                             return name;
                         });

TEST(WorkerFaults, IsNotHeldUpByAFloodOfErrorOutput) {
    WorkerClient client = clientOf("floods-errors");
    EXPECT_TRUE(measures(client));
}

std::size_t entriesOf(const char* folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder),
                                                  std::filesystem::directory_iterator()));
}

TEST(WorkerFaults, LeaveNoChildFileOrThreadBehind) {
    const std::size_t files = entriesOf("/proc/self/fd");
    const std::size_t threads = entriesOf("/proc/self/task");
    for (const char* mishap : mishaps) {
        if (std::string(mishap) == "endless-lines") continue;  // only takes longer
        const Once once;
        WorkerClient client = clientOf(mishap + once.option(), 1500ms);
        (void)failureOf(client);
        EXPECT_TRUE(measures(client)) << mishap;
    }
    EXPECT_EQ(entriesOf("/proc/self/fd"), files);
    // One thread starts all children and stays, since it is their parent.
    EXPECT_LE(entriesOf("/proc/self/task"), threads + 1);
    EXPECT_EQ(::waitpid(-1, nullptr, WNOHANG), -1) << "a child is left";
    EXPECT_EQ(errno, ECHILD);
}

TEST(WorkerFaults, OfOneClientDoNotPileUpWhileItLives) {
    WorkerClient client = clientOf("crashes");
    (void)failureOf(client);
    const std::size_t files = entriesOf("/proc/self/fd");
    for (int request = 0; request < 40; ++request) (void)failureOf(client);
    for (int look = 0; look < 100 && ::waitpid(-1, nullptr, WNOHANG | WNOWAIT) == 0; ++look) {
        (void)client.wait(10ms);
    }
    EXPECT_LE(entriesOf("/proc/self/fd"), files);
}

/// While it lives this process can open no further file.
class NoFilesLeft final {
  public:
    NoFilesLeft() {
        ::getrlimit(RLIMIT_NOFILE, &before_);
        const rlimit none{3, before_.rlim_max};
        ::setrlimit(RLIMIT_NOFILE, &none);
    }
    NoFilesLeft(const NoFilesLeft&) = delete;
    NoFilesLeft& operator=(const NoFilesLeft&) = delete;
    ~NoFilesLeft() { ::setrlimit(RLIMIT_NOFILE, &before_); }

  private:
    rlimit before_{};
};

TEST(WorkerFaults, ASystemOutOfFilesIsNamedAndTheNextRequestIsAnswered) {
#ifdef __SANITIZE_ADDRESS__
    GTEST_SKIP() << "the undefined-behaviour sanitizer needs a pipe to look at an object's type";
#endif
    WorkerClient client = clientOf("answers");
    {
        const NoFilesLeft none;
        EXPECT_EQ(failureOf(client),
                  (Failure{FailureKind::failed,
                           "the worker could not be started: cannot make a pipe: Too many open "
                           "files"}));
    }
    EXPECT_TRUE(measures(client));
}

}  // namespace
}  // namespace warplens
