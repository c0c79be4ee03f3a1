// Measuring on a cluster, `srun -p gpu --gres=gpu:1 …`: Slurm itself, with two pretended GPUs, and
// a worker that plays a part. After each test the queue is empty.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <memory>
#include <set>

#include "core/sweep/sweep.h"
#include "tests/support/shell_output.h"
#include "tests/worker/stub_client.h"

namespace warplens {
namespace {

using namespace tests;

class SlurmTest : public ::testing::Test {
  protected:
    void SetUp() override {
        for (const char* program : {"munged", "slurmctld", "slurmd", "srun"}) {
            if (std::system(("command -v " + std::string(program) + " >/dev/null").c_str()) != 0) {
                GTEST_SKIP() << "SKIPPED LOUDLY: " << program
                             << " is missing; install slurm-wlm and munge";
            }
        }
        path = (folder.path() / "cluster").string();
        const std::string said = outputOf(CLUSTER " start " + path + " || echo FAILED");
        if (said.find("FAILED") != std::string::npos) FAIL() << said;
        ::setenv("SLURM_CONF", (path + "/slurm.conf").c_str(), 1);
        started = true;
    }
    void TearDown() override {
        if (!started) return;
        EXPECT_TRUE(becomes([] { return queue().empty(); })) << queue();
        (void)outputOf(CLUSTER " stop " + path);
    }

    /// Numbers and states of the jobs there are.
    static std::string queue(const std::string& options = "") {
        return outputOf("squeue -h -o '%i %t' " + options);
    }
    static bool becomes(const std::function<bool()>& holds) {
        for (int look = 0; look < 150; ++look) {
            if (holds()) return true;
            std::this_thread::sleep_for(100ms);
        }
        return holds();
    }
    static WorkerClient clientOf(const std::string& part,
                                 std::chrono::milliseconds deadline = 30s) {
        return WorkerClient(
            {.command = "srun -p gpu --gres=gpu:1 " WORKER_STUB " " + part, .deadline = deadline});
    }

    struct Heard final {
        std::vector<std::string> stages;
        WorkerEvent last;
        [[nodiscard]] bool says(const std::string& words) const {
            return std::ranges::any_of(stages, [&](const std::string& stage) {
                return stage.find(words) != std::string::npos;
            });
        }
        [[nodiscard]] const Failure* failure() const { return std::get_if<Failure>(&last.body); }
        [[nodiscard]] bool isMeasured() const {
            return std::holds_alternative<Measurement>(last.body);
        }
    };
    /// All that is said about a request; `after` is called once, when these words have been heard.
    static Heard hear(WorkerClient& client, std::uint64_t id, const std::string& words = "",
                      const std::function<void()>& after = {}) {
        Heard heard;
        bool called = false;
        const auto until = std::chrono::steady_clock::now() + 60s;
        while (std::chrono::steady_clock::now() < until) {
            const auto event = client.wait(1s);
            if (!event || event->id != id) continue;
            heard.last = *event;
            const auto* progress = std::get_if<Progress>(&event->body);
            if (progress == nullptr) break;
            heard.stages.push_back(progress->stage);
            if (!words.empty() && !called && heard.says(words)) {
                called = true;
                after();
            }
        }
        return heard;
    }
    static Heard hear(WorkerClient& client) {
        return hear(client, client.measure({anExperiment()}));
    }

    TemporaryFolder folder;
    std::string path;
    bool started = false;
};

/// Two jobs that have both GPUs for a while.
class Occupied final {
  public:
    explicit Occupied(const std::string& part)
        : clients_{WorkerClient({.command = command(part)}),
                   WorkerClient({.command = command(part)})} {
        for (WorkerClient& client : clients_) (void)client.measure({anExperiment()});
        const auto until = std::chrono::steady_clock::now() + 20s;
        int running = 0;
        while (running < 2 && std::chrono::steady_clock::now() < until) {
            for (WorkerClient& client : clients_) {
                const auto event = client.wait(100ms);
                if (event && std::holds_alternative<Progress>(event->body) &&
                    std::get<Progress>(event->body).stage.find("timing") != std::string::npos) {
                    ++running;
                }
            }
        }
        EXPECT_EQ(running, 2);
    }

  private:
    static std::string command(const std::string& part) {
        return "srun -p gpu --gres=gpu:1 " WORKER_STUB " " + part;
    }
    std::array<WorkerClient, 2> clients_;
};

TEST_F(SlurmTest, MeasuresOnANodeAndSaysWhere) {
    WorkerClient client = clientOf("takes-1200");
    const Heard first = hear(client);
    ASSERT_TRUE(first.isMeasured()) << first.failure()->message;
    EXPECT_TRUE(first.says("on gpu0")) << first.stages.back();
    EXPECT_TRUE(becomes([&] {
        return hear(client).isMeasured() &&
               client.whereabouts().find("time limit 5:00") != std::string::npos;
    })) << client.whereabouts();
    EXPECT_TRUE(client.whereabouts().starts_with("on gpu0")) << client.whereabouts();
    EXPECT_NE(client.whereabouts().find(", job "), std::string::npos) << client.whereabouts();
}

TEST_F(SlurmTest, TellsThatItIsQueuedAndMeasuresWhenItsTurnComes) {
    auto others = std::make_unique<Occupied>("hangs");
    WorkerClient client = clientOf("answers");
    const std::uint64_t id = client.measure({anExperiment()});
    const Heard heard = hear(client, id, "queued as job ", [&] { others.reset(); });
    ASSERT_TRUE(heard.isMeasured()) << heard.failure()->message;
    EXPECT_TRUE(heard.says(" for "));
    EXPECT_TRUE(heard.says("on gpu0"));
}

TEST_F(SlurmTest, ACancelledRequestTakesItsPendingJobOutOfTheQueue) {
    const Occupied others("hangs");
    WorkerClient client = clientOf("answers");
    const std::uint64_t id = client.measure({anExperiment()});
    std::chrono::steady_clock::time_point asked;
    const Heard heard = hear(client, id, "queued as job ", [&] {
        EXPECT_NE(queue("-t pending"), "");
        asked = std::chrono::steady_clock::now();
        client.cancel(id);
    });
    EXPECT_LT(std::chrono::steady_clock::now() - asked, 500ms);
    ASSERT_NE(heard.failure(), nullptr);
    EXPECT_EQ(*heard.failure(), (Failure{FailureKind::cancelled, "cancelled"}));
    EXPECT_TRUE(becomes([] { return queue("-t pending").empty(); })) << queue();
}

TEST_F(SlurmTest, ACancelledRequestEndsARunningJobThatDoesNotHeedIt) {
    WorkerClient client = clientOf("hangs");
    const std::uint64_t id = client.measure({anExperiment()});
    const Heard heard = hear(client, id, "timing", [&] { client.cancel(id); });
    ASSERT_NE(heard.failure(), nullptr);
    EXPECT_EQ(heard.failure()->kind, FailureKind::cancelled);
    EXPECT_TRUE(becomes([] { return queue().empty(); })) << queue();
}

TEST_F(SlurmTest, TheDeadlineRunsFromTheStartOfTheJob) {
    auto others = std::make_unique<Occupied>("hangs");
    WorkerClient client = clientOf("takes-1000", 2500ms);
    const std::uint64_t id = client.measure({anExperiment()});
    const auto begin = std::chrono::steady_clock::now();
    const Heard heard = hear(client, id, "for 3 s", [&] { others.reset(); });
    EXPECT_GT(std::chrono::steady_clock::now() - begin, 3s);
    ASSERT_TRUE(heard.isMeasured()) << heard.failure()->message;
}

TEST_F(SlurmTest, ALateRequestEndsItsJob) {
    WorkerClient client = clientOf("hangs", 1500ms);
    const Heard heard = hear(client);
    ASSERT_NE(heard.failure(), nullptr);
    EXPECT_EQ(heard.failure()->message,
              "the worker did not answer within 1.5 s, last 'timing', and was killed");
    EXPECT_TRUE(becomes([] { return queue().empty(); })) << queue();
}

TEST_F(SlurmTest, AProgramThatEndsLeavesNoPendingJob) {
    const Occupied others("hangs");
    {
        WorkerClient client = clientOf("answers");
        const std::uint64_t id = client.measure({anExperiment()});
        bool queued = false;
        while (!queued) {
            const auto event = client.wait(5s);
            ASSERT_TRUE(event && event->id == id);
            const auto* progress = std::get_if<Progress>(&event->body);
            ASSERT_NE(progress, nullptr);
            queued = progress->stage.starts_with("queued");
        }
    }
    EXPECT_TRUE(queue("-t pending").empty()) << queue();
}

TEST_F(SlurmTest, ANodeThatGoesDownIsNamedAndTheNextRequestRunsOnAnother) {
    WorkerClient client = clientOf("hangs --once " + (folder.path() / "played").string());
    const std::uint64_t id = client.measure({anExperiment()});
    const Heard heard = hear(client, id, "timing", [&] {
        const std::string node = outputOf("squeue -h -o %N | head -1 | tr -d '\\n'");
        EXPECT_EQ(outputOf("scontrol update NodeName=" + node + " State=DOWN Reason=test"), "");
    });
    ASSERT_NE(heard.failure(), nullptr);
    EXPECT_EQ(heard.failure()->kind, FailureKind::failed);
    EXPECT_NE(heard.failure()->message.find("its node failed"), std::string::npos)
        << heard.failure()->message;
    const Heard next = hear(client);
    EXPECT_TRUE(next.isMeasured()) << next.failure()->message;
}

TEST_F(SlurmTest, ASweepOverFourWorkersOutlivesOneOfThem) {
    const std::string file = (folder.path() / "sweep.json").string();
    const std::string output = (folder.path() / "output").string();
    const std::string command =
        WARPLENS_PROGRAM
        " sweep access-stride --over stride=1..40 --worker 'srun -p gpu " WORKER_STUB
        " takes-150' --workers 4 --save " +
        file + " > " + output + " 2>&1; echo $? > " + file + ".code";
    std::jthread sweeping([&] { (void)std::system(command.c_str()); });
    ASSERT_TRUE(becomes([&] {
        return outputOf("squeue -h -t running | wc -l") == "4\n" && std::filesystem::exists(file);
    })) << queue()
        << outputOf("cat " + output);
    (void)outputOf("scancel $(squeue -h -o %i | tail -1)");
    sweeping.join();
    EXPECT_EQ(outputOf("cat " + file + ".code"), "0\n") << outputOf("cat " + output);
    const Sweep sweep = loadSweep(file).sweep;
    EXPECT_EQ(sweep.measuredCount(), 40u);
    std::set<std::string> devices;
    for (const SweepPoint& point : sweep.points) {
        if (point.measurement() != nullptr) devices.insert(point.measurement()->device.uuid);
    }
    EXPECT_EQ(devices.size(), 2u) << "one for each node";
}

}  // namespace
}  // namespace warplens
