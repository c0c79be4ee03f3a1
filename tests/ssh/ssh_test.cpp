// Measuring on another machine, `ssh lab-gpu …`: ssh itself, to two servers on the loopback.
#include <cstdlib>

#include "app/worker/route.h"
#include "core/sweep/sweep.h"
#include "core/text/files.h"
#include "tests/support/shell_output.h"
#include "tests/worker/stub_client.h"

namespace warplens {
namespace {

using namespace tests;

class SshTest : public ::testing::Test {
  protected:
    void SetUp() override {
        if (std::system("command -v ssh >/dev/null && { command -v sshd || test -x "
                        "/usr/sbin/sshd; } >/dev/null") != 0) {
            GTEST_SKIP() << "SKIPPED LOUDLY: there is no ssh or no sshd; install openssh-client "
                            "and openssh-server";
        }
        if (std::system("test -c /dev/null") != 0) {
            GTEST_SKIP() << "SKIPPED LOUDLY: /dev/null is no device here, and sshd needs it";
        }
        path = (folder.path() / "ssh").string();
        const std::string said = outputOf(SSHD " start " + path + " || echo FAILED");
        if (said.find("FAILED") != std::string::npos) FAIL() << said;
        started = true;
    }
    void TearDown() override {
        if (started) (void)outputOf(SSHD " stop " + path);
    }
    [[nodiscard]] std::string to(const std::string& host) const {
        return "ssh -F " + path + "/config " + host;
    }
    [[nodiscard]] WorkerClient clientOn(const std::string& host, const std::string& part) const {
        return WorkerClient({.command = to(host) + " " WORKER_STUB " " + part, .deadline = 20s});
    }

    TemporaryFolder folder;
    std::string path;
    bool started = false;
};

TEST_F(SshTest, AKeyIsEnoughAndTheHostIsNamed) {
    WorkerClient client = clientOn("lab-gpu", "answers");
    EXPECT_TRUE(measures(client));
    EXPECT_EQ(client.whereabouts(), "on lab-gpu");
    EXPECT_EQ(client.banner(), "") << "the server's banner is not the worker's output";
}

TEST_F(SshTest, AChattyProfileIsSkipped) {
    WorkerClient client = clientOn("lab-two", "answers");
    EXPECT_TRUE(measures(client));
    EXPECT_EQ(client.banner(), "Welcome to lab-two!");
}

TEST_F(SshTest, APasswordIsNotAskedForButTheRefusalTold) {
    WorkerClient client = clientOn("no-key", "answers");
    const auto begin = std::chrono::steady_clock::now();
    const Failure failure = failureOf(client);
    EXPECT_LT(std::chrono::steady_clock::now() - begin, 15s);
    EXPECT_NE(failure.message.find("Permission denied"), std::string::npos) << failure.message;
}

TEST_F(SshTest, AHostThatDoesNotAnswerIsQuoted) {
    WorkerClient client = clientOn("closed", "answers");
    const Failure failure = failureOf(client);
    EXPECT_NE(failure.message.find("Connection refused"), std::string::npos) << failure.message;
}

TEST_F(SshTest, AConnectionCutInTheMiddleCostsOneRequest) {
    WorkerClient client = clientOn("lab-gpu", "slow --once " + (folder.path() / "played").string());
    const std::uint64_t id = client.measure({anExperiment()});
    bool cut = false;
    std::optional<WorkerEvent> last;
    while (!last) {
        auto event = client.wait(20s);
        ASSERT_TRUE(event) << "nothing came";
        if (!std::holds_alternative<Progress>(event->body)) {
            last = std::move(event);
        } else if (!cut &&
                   std::get<Progress>(event->body).stage.find("timing") != std::string::npos) {
            cut = true;
            // The server's process of this connection, and what it had started goes with it.
            (void)outputOf("pkill -9 -P $(cat " + path + "/one.pid)");
        }
    }
    EXPECT_EQ(last->id, id);
    const auto* failure = std::get_if<Failure>(&last->body);
    ASSERT_NE(failure, nullptr);
    EXPECT_NE(failure->message.find("exited with code 255 while 'timing'"), std::string::npos)
        << failure->message;
    EXPECT_TRUE(measures(client)) << "the connection is set up anew";
}

TEST_F(SshTest, TwoHostsShareASweep) {
    const std::string file = (folder.path() / "sweep.json").string();
    const std::string said =
        outputOf(WARPLENS_PROGRAM " sweep access-stride --over stride=1..12 --worker '" +
                 to("lab-gpu") + " " WORKER_STUB " takes-100' --worker '" + to("lab-two") +
                 " " WORKER_STUB " takes-100' --save " + file + "; echo code $?");
    EXPECT_NE(said.find("code 0"), std::string::npos) << said;
    EXPECT_EQ(loadSweep(file).sweep.measuredCount(), 12u);
}

TEST_F(SshTest, TheDoctorSaysWhatIsWrongOverThereAndHowToInstallTheWorker) {
    const std::string missing =
        outputOf(WARPLENS_PROGRAM " doctor --worker '" + to("lab-gpu") + " no-such-program'");
    EXPECT_NE(missing.find("there is no such program on lab-gpu"), std::string::npos) << missing;
    EXPECT_NE(missing.find("cat > warplens-measure"), std::string::npos) << missing;
    const std::string refused =
        outputOf(WARPLENS_PROGRAM " doctor --worker '" + to("no-key") + "'");
    EXPECT_NE(refused.find("ssh-copy-id"), std::string::npos) << refused;
}

TEST_F(SshTest, TheCommandThatInstallsTheWorkerDoes) {
    const Route route = routeOf(to("lab-gpu"));
    const Installation installation = installationOn(route, WORKER_STUB);
    // The home over there is this account's own: what is put there is taken away again.
    const std::string place = folder.path() / "worker";
    std::string command = installation.command;
    for (std::size_t at; (at = command.find("warplens-measure")) != std::string::npos;) {
        command.replace(at, std::string("warplens-measure").size(), place);
    }
    EXPECT_EQ(outputOf(command), "All use is logged.\nQuota: 80 % used.\n");
    EXPECT_EQ(readFile(place), readFile(WORKER_STUB));
    EXPECT_TRUE(installation.place.ends_with("lab-gpu ./warplens-measure")) << installation.place;
}

}  // namespace
}  // namespace warplens
