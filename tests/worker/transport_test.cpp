// Measuring on another machine, `ssh lab-gpu warplens-measure`: a script stands in for ssh, its
// connection breaks in the middle of a run.
#include <filesystem>

#include "core/text/files.h"
#include "tests/support/faults_document.h"
#include "tests/worker/stub_client.h"

namespace warplens {
namespace {

using namespace tests;

/// `ssh HOST WORKER…`: runs the worker on this machine. The first time the connection breaks as
/// `breaks` says, in shell text; $worker is the process at the other end.
class FakeSsh final {
  public:
    explicit FakeSsh(const std::string& breaks) {
        writeFileAtomically(folder_.path() / "ssh",
                            "#!/bin/sh\n"
                            "host=$1; shift\n"
                            "[ -e \"$0.broke\" ] && exec \"$@\"\n"
                            ": > \"$0.broke\"\n"
                            "exec 3<&0\n"
                            "\"$@\" <&3 3<&- &\n"
                            "worker=$!\n"
                            "exec 3<&-\n"
                            "sleep 0.3\n" +
                                breaks + "\n");
        std::filesystem::permissions(folder_.path() / "ssh", std::filesystem::perms::owner_all);
    }
    [[nodiscard]] WorkerClient client(std::chrono::milliseconds deadline = 20s) const {
        // `exec`, or the shell that runs the command would hold the pipe, too.
        return WorkerClient({.command = "exec " + (folder_.path() / "ssh").string() +
                                        " lab-gpu " WORKER_STUB " slow --once " +
                                        (folder_.path() / "played").string(),
                             .deadline = deadline});
    }

    /// The process at the other end, where `breaks` wrote its number to "$0.worker".
    [[nodiscard]] int worker() const { return std::stoi(readFile(folder_.path() / "ssh.worker")); }

  private:
    TemporaryFolder folder_;
};

TEST(Transport, ThatLosesItsConnectionIsQuoted) {
    const FakeSsh ssh(
        "kill -9 $worker; echo 'Connection to '$host' closed by remote host.' >&2; exit 255");
    WorkerClient client = ssh.client();
    const Failure failure = failureOf(client);
    EXPECT_EQ(failure, (Failure{FailureKind::failed,
                                "the worker exited with code 255 while 'timing'; it said: "
                                "Connection to lab-gpu closed by remote host."}));
    EXPECT_TRUE(isDocumented(failure.message));
    EXPECT_TRUE(measures(client));
}

TEST(Transport, ThatIsKilledIsNamed) {
    const FakeSsh ssh("kill -9 $$");
    WorkerClient client = ssh.client();
    EXPECT_EQ(failureOf(client).message,
              "the worker was ended by signal 9 (Killed) while 'timing'");
    EXPECT_TRUE(measures(client));
}

TEST(Transport, WhosePipeClosesIsNamed) {
    const FakeSsh ssh("kill -9 $worker; exec >&-; sleep 100");
    WorkerClient client = ssh.client();
    EXPECT_EQ(failureOf(client).message, "the worker closed its output while 'timing'");
    EXPECT_TRUE(measures(client));
}

TEST(Transport, ThatStallsIsEndedAtTheDeadlineWithItsChildren) {
    const FakeSsh ssh("kill -STOP $worker; echo $worker > \"$0.worker\"; sleep 100");
    WorkerClient client = ssh.client(1s);
    EXPECT_EQ(failureOf(client).message,
              "the worker did not answer within 1 s, last 'timing', and was killed");
    EXPECT_TRUE(waitUntilGone(ssh.worker()));
    EXPECT_TRUE(measures(client));
}

TEST(Transport, ThatDropsBetweenTwoRunsIsSetUpAnew) {
    const Once once;
    WorkerClient client = clientOf("crashes-after-answering" + once.option());
    EXPECT_TRUE(measures(client));
    EXPECT_TRUE(measures(client));
}

TEST(Transport, ThatCannotReachItsHostIsQuoted) {
    WorkerClient client({.command = "echo 'ssh: connect to host lab-gpu port 22: Connection "
                                    "refused' >&2; exit 255"});
    EXPECT_EQ(failureOf(client).message,
              "the worker exited with code 255 before answering; it said: ssh: connect to host "
              "lab-gpu port 22: Connection refused");
}

}  // namespace
}  // namespace warplens
