#include "app/worker/worker_client.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <signal.h>
#include <thread>
#include <unistd.h>

#include "tests/worker/stub_client.h"
#include "tests/worker_stub/scripted_measurement.h"

namespace warplens {
namespace {

using namespace tests;

TEST(WorkerClient, DeliversProgressAndThenTheMeasurement) {
    WorkerClient client = clientOf("answers");
    const std::uint64_t id = client.measure({anExperiment()});
    std::vector<std::string> stages;
    for (;;) {
        const std::optional<WorkerEvent> event = client.wait(10s);
        ASSERT_TRUE(event);
        EXPECT_EQ(event->id, id);
        if (const auto* progress = std::get_if<Progress>(&event->body)) {
            stages.push_back(progress->stage);
            continue;
        }
        ASSERT_TRUE(std::holds_alternative<Measurement>(event->body));
        const auto& sent = std::get<Measurement>(event->body);
        EXPECT_EQ(sent, tests::scriptedAsSent(anExperiment(), sent));
        break;
    }
    EXPECT_EQ(stages, (std::vector<std::string>{"allocating", "timing"}));
    EXPECT_EQ(client.openRequests(), 0u);
}

TEST(WorkerClient, KeepsOneWorkerWarmForManyRequests) {
    WorkerClient client = clientOf("answers");
    (void)finalEvent(client, client.describe());
    const int first = client.processId();
    const WorkerEvent event = finalEvent(client, client.measure({anExperiment()}));
    EXPECT_TRUE(std::holds_alternative<Measurement>(event.body));
    EXPECT_EQ(client.processId(), first);
    EXPECT_NE(first, 0);
}

// The queue is the real worker's; the window and the command line print these words as they come.
TEST(WorkerClient, SaysWhoIsBeforeItWhileAnotherMeasures) {
    const TemporaryFolder folder;
    // One that everybody may write to and nobody may take others' files from.
    std::filesystem::permissions(folder.path(), std::filesystem::perms{01777});
    const std::string shares =
        "WARPLENS_TURNS=" + folder.path().string() + " " WORKER_STUB " shares-1000";
    WorkerClient holder({.command = shares, .deadline = 20s});
    WorkerClient waiter({.command = shares, .deadline = 20s});
    const std::uint64_t held = holder.measure({anExperiment()});
    for (;;) {
        const std::optional<WorkerEvent> event = holder.wait(10s);
        ASSERT_TRUE(event);
        const auto* progress = std::get_if<Progress>(&event->body);
        ASSERT_NE(progress, nullptr);
        if (progress->stage == "timing") break;
    }
    const std::uint64_t asked = waiter.measure({anExperiment()});
    bool heard = false;
    for (;;) {
        const std::optional<WorkerEvent> event = waiter.wait(10s);
        ASSERT_TRUE(event);
        EXPECT_EQ(event->id, asked);
        const auto* progress = std::get_if<Progress>(&event->body);
        if (progress == nullptr) {
            EXPECT_TRUE(std::holds_alternative<Measurement>(event->body));
            break;
        }
        if (!progress->before) continue;
        heard = true;
        EXPECT_EQ(*progress->before, 1u);
        EXPECT_TRUE(progress->stage.starts_with("1 before you")) << progress->stage;
    }
    EXPECT_TRUE(heard) << "it waited without a word";
    EXPECT_TRUE(std::holds_alternative<Measurement>(finalEvent(holder, held).body));
}

TEST(WorkerClient, StartsNothingBeforeTheFirstRequest) {
    WorkerClient client = clientOf("answers");
    EXPECT_EQ(client.processId(), 0);
    EXPECT_TRUE(client.poll().empty());
    EXPECT_FALSE(client.wait(1ms));
}

TEST(WorkerClient, NamesTheSignalAndTheStageOfACrash) {
    EXPECT_EQ(failureOf("crashes").message,
              "the worker was ended by signal 9 (Killed) while 'timing'");
}

TEST(WorkerClient, NamesTheSignalOfACommandThatIsTheShellItself) {
    WorkerClient client({.command = "exec " WORKER_STUB " crashes"});
    EXPECT_EQ(failureOf(client).message,
              "the worker was ended by signal 9 (Killed) while 'timing'");
}

TEST(WorkerClient, QuotesTheLastWordsOfAWorkerThatExits) {
    EXPECT_EQ(failureOf("exits").message,
              "the worker exited with code 3 before answering; it said: last words");
}

TEST(WorkerClient, SaysWhenTheOutputStopsInTheMiddleOfALine) {
    EXPECT_EQ(failureOf("half-line").message,
              "the worker exited with code 0 before answering, in the middle of a line: "
              "'{\"id\": 1, \"event\": \"resu'");
}

TEST(WorkerClient, RefusesWhatIsNotTheProtocol) {
    EXPECT_EQ(failureOf("nonsense").message,
              "the worker wrote something that is not the protocol: 'Welcome to the cluster!' "
              "(not JSON, or cut off)");
}

TEST(WorkerClient, RefusesAnAnswerToARequestNeverAsked) {
    EXPECT_EQ(failureOf("wrong-id").message,
              "the worker answered request 42, which was never asked");
}

TEST(WorkerClient, RefusesTheResultOfAnotherExperiment) {
    EXPECT_TRUE(
        failureOf("other-experiment")
            .message.starts_with("the worker measured something else than it was asked to: " +
                                 std::string(allScenarios().back().id)));
}

TEST(WorkerClient, NoticesAWorkerThatClosesItsOutput) {
    WorkerClient client({.command = "exec " WORKER_STUB " closes-output"});
    EXPECT_EQ(failureOf(client).message, "the worker closed its output before answering");
}

TEST(WorkerClient, SaysThatACommandIsMissing) {
    WorkerClient client({.command = "warplens-no-such-program"});
    const Failure failure = failureOf(client);
    EXPECT_EQ(failure.kind, FailureKind::impossible);
    EXPECT_TRUE(failure.message.starts_with("the worker could not be started: "))
        << failure.message;
    EXPECT_TRUE(failure.message.find("warplens-no-such-program") != std::string::npos);
}

TEST(WorkerClient, PassesTheWorkersOwnFailuresOn) {
    EXPECT_EQ(failureOf("no-gpu"), (Failure{FailureKind::impossible, "scripted: no GPU here"}));
    EXPECT_EQ(failureOf("wrong-result"),
              (Failure{FailureKind::wrongResult, "scripted: element 7 differs"}));
}

TEST(WorkerClient, KillsAWorkerThatOutlivesTheDeadline) {
    WorkerClient client = clientOf("hangs", 500ms);
    const std::uint64_t id = client.measure({anExperiment()});
    const int processId = client.processId();
    const WorkerEvent event = finalEvent(client, id);
    EXPECT_EQ(std::get<Failure>(event.body).message,
              "the worker did not answer within 0.5 s, last 'timing', and was killed");
    for (int look = 0; look < 50 && ::kill(processId, 0) == 0; ++look) (void)client.wait(10ms);
    (void)client.poll();
    EXPECT_EQ(client.processId(), 0);
}

TEST(WorkerClient, CancelsARequestAndKeepsTheWorker) {
    WorkerClient client = clientOf("slow", 20s, 5s);
    const std::uint64_t id = client.measure({anExperiment()});
    ASSERT_TRUE(client.wait(10s));
    const int worker = client.processId();
    client.cancel(id);
    const WorkerEvent event = finalEvent(client, id);
    EXPECT_EQ(std::get<Failure>(event.body), (Failure{FailureKind::cancelled, "cancelled"}));
    EXPECT_EQ(client.processId(), worker);
}

TEST(WorkerClient, KillsAWorkerThatDoesNotHeedACancel) {
    WorkerClient client = clientOf("hangs");
    const std::uint64_t id = client.measure({anExperiment()});
    ASSERT_TRUE(client.wait(10s));
    client.cancel(id);
    const WorkerEvent event = finalEvent(client, id);
    EXPECT_EQ(std::get<Failure>(event.body).kind, FailureKind::cancelled);
    EXPECT_EQ(std::get<Failure>(event.body).message,
              "cancelled; the worker did not stop within 0.2 s and was killed");
}

TEST(WorkerClient, IgnoresACancelOfWhatHasEnded) {
    WorkerClient client = clientOf("answers");
    const std::uint64_t id = client.measure({anExperiment()});
    (void)finalEvent(client, id);
    client.cancel(id);
    client.cancel(77);
    EXPECT_TRUE(std::holds_alternative<Description>(finalEvent(client, client.describe()).body));
}

TEST(WorkerClient, LetsAFreshWorkerDoTheRequestsBehindTheOneThatCrashed) {
    const std::filesystem::path flag =
        std::filesystem::temp_directory_path() / ("warplens-queue-" + std::to_string(::getpid()));
    std::filesystem::remove(flag);
    WorkerClient client = clientOf("crashes --once " + flag.string());
    const std::uint64_t first = client.measure({anExperiment()});
    const std::uint64_t second = client.measure({anExperiment()});
    EXPECT_EQ(client.openRequests(), 2u);
    EXPECT_TRUE(std::holds_alternative<Failure>(finalEvent(client, first).body));
    EXPECT_TRUE(std::holds_alternative<Measurement>(finalEvent(client, second).body));
    std::filesystem::remove(flag);
}

TEST(WorkerClient, EndsItsWorkerWithItself) {
    int worker = 0;
    {
        WorkerClient client = clientOf("hangs");
        (void)client.measure({anExperiment()});
        ASSERT_TRUE(client.wait(10s));
        worker = client.processId();
        EXPECT_EQ(::kill(worker, 0), 0);
    }
    EXPECT_TRUE(waitUntilGone(worker));
}

TEST(WorkerClient, EndsTheChildrenOfTheCommandToo) {
    const std::filesystem::path file =
        std::filesystem::temp_directory_path() / ("warplens-child-" + std::to_string(::getpid()));
    {
        WorkerClient client({.command = "sleep 100 & echo $! > " + file.string() + "; " +
                                        WORKER_STUB " answers; true"});
        (void)finalEvent(client, client.describe());
    }
    std::FILE* opened = std::fopen(file.c_str(), "r");
    ASSERT_NE(opened, nullptr);
    int child = 0;
    ASSERT_EQ(std::fscanf(opened, "%d", &child), 1);
    std::fclose(opened);
    EXPECT_TRUE(waitUntilGone(child));
    std::filesystem::remove(file);
}

TEST(WorkerClient, AcceptsRequestsWithoutWaitingForThem) {
    WorkerClient client = clientOf("hangs-before-answering");
    const auto start = std::chrono::steady_clock::now();
    // More than a pipe holds, and nobody reads it.
    for (int request = 0; request < 2000; ++request) (void)client.measure({anExperiment()});
    EXPECT_LT(std::chrono::steady_clock::now() - start, 5s);
    EXPECT_EQ(client.openRequests(), 2000u);
}

TEST(DefaultWorkerCommand, IsEmptyOrNamesAProgram) {
    const std::string command = defaultWorkerCommand();
    EXPECT_TRUE(command.empty() || command.find("warplens-measure") != std::string::npos);
}

}  // namespace
}  // namespace warplens
