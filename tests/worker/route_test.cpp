#include "app/worker/route.h"

#include <gtest/gtest.h>

#include "app/worker/worker_client_state.h"
#include "core/text/files.h"
#include "tests/support/temporary_folder.h"

namespace warplens {
namespace {

struct Case final {
    const char* typed;
    Transport transport;
    const char* command;
    const char* host = "";
    const char* atController = "";
};

class RouteTest : public ::testing::TestWithParam<Case> {};

TEST_P(RouteTest, isReadAsTheShellWould) {
    const Case& expected = GetParam();
    const Route route = routeOf(expected.typed);
    EXPECT_EQ(route.transport, expected.transport) << expected.typed;
    EXPECT_EQ(route.command, expected.command);
    EXPECT_EQ(route.host, expected.host);
    EXPECT_EQ(route.atController, expected.atController);
}

INSTANTIATE_TEST_SUITE_P(
    Typed, RouteTest,
    ::testing::Values(
        Case{"/opt/warplens-measure", Transport::here, "/opt/warplens-measure"},
        Case{"cd /tmp && ./worker", Transport::here, "cd /tmp && ./worker"},
        Case{"", Transport::here, ""},
        Case{"ssh lab-gpu", Transport::ssh, "ssh lab-gpu warplens-measure", "lab-gpu"},
        Case{"ssh lab-gpu ./warplens-measure", Transport::ssh, "ssh lab-gpu ./warplens-measure",
             "lab-gpu"},
        Case{"ssh -p 2222 -i 'my key' anna@lab-gpu", Transport::ssh,
             "ssh -p 2222 -i 'my key' anna@lab-gpu warplens-measure", "anna@lab-gpu"},
        Case{"/usr/bin/ssh -vp 2222 lab-gpu", Transport::ssh,
             "/usr/bin/ssh -vp 2222 lab-gpu warplens-measure", "lab-gpu"},
        Case{"srun -p gpu --gres=gpu:1", Transport::slurm,
             "srun -p gpu --gres=gpu:1 warplens-measure"},
        Case{"srun -p gpu --gres gpu:1", Transport::slurm,
             "srun -p gpu --gres gpu:1 warplens-measure"},
        Case{"srun --exclusive -pgpu", Transport::slurm, "srun --exclusive -pgpu warplens-measure"},
        Case{"srun -p gpu ./my-worker --fast", Transport::slurm, "srun -p gpu ./my-worker --fast"},
        Case{"env SLURM_CONF=/x srun -p gpu", Transport::slurm,
             "env SLURM_CONF=/x srun -p gpu warplens-measure"},
        Case{"ssh login srun -p gpu", Transport::slurm, "ssh login 'srun -p gpu warplens-measure'",
             "login", "ssh login"},
        Case{"ssh -J gate login 'srun -p gpu ./w'", Transport::slurm,
             "ssh -J gate login 'srun -p gpu ./w'", "login", "ssh -J gate login"}));

TEST(Route, cancelsItsJobWhereSrunRuns) {
    EXPECT_EQ(cancelCommand(routeOf("srun -p gpu"), "4711"), "scancel 4711");
    EXPECT_EQ(cancelCommand(routeOf("ssh login srun -p gpu"), "4711"), "ssh login scancel 4711");
    EXPECT_EQ(limitCommand(routeOf("srun -p gpu"), "4711"), "squeue -h -o %l -j 4711");
}

TEST(Route, saysHowTheWorkerGetsThere) {
    const Installation ssh = installationOn(routeOf("ssh -p 2222 lab-gpu"), "/opt/a b/worker");
    EXPECT_EQ(ssh.command,
              "ssh -p 2222 lab-gpu 'cat > warplens-measure && chmod 755 warplens-measure' < "
              "'/opt/a b/worker'");
    EXPECT_EQ(ssh.place, "ssh -p 2222 lab-gpu ./warplens-measure");
    EXPECT_EQ(installationOn(routeOf("ssh login srun -p gpu"), "/w").place,
              "ssh login 'srun -p gpu ./warplens-measure'");
    EXPECT_EQ(installationOn(routeOf("srun -p gpu"), "/w").command, "");
}

TEST(Route, takesThePortableFoldersWorkerWithItsLibraries) {
    const tests::TemporaryFolder folder;
    const std::string worker = folder.path() / "warplens-measure";
    EXPECT_FALSE(isPortable(worker));
    writeFileAtomically(worker + ".bin", "the program");
    ASSERT_TRUE(isPortable(worker));
    const Installation portable = installationOn(routeOf("ssh -p 2222 lab-gpu"), worker);
    EXPECT_EQ(
        portable.command,
        "tar -C " + folder.path().parent_path().string() +
            " -c bin/warplens-measure bin/warplens-measure.bin lib/glibc | ssh -p 2222 lab-gpu "
            "'mkdir -p warplens-worker && tar -C warplens-worker -x'");
    EXPECT_EQ(portable.place, "ssh -p 2222 lab-gpu ./warplens-worker/bin/warplens-measure");
    EXPECT_EQ(installationOn(routeOf("ssh login srun -p gpu"), worker).place,
              "ssh login 'srun -p gpu ./warplens-worker/bin/warplens-measure'");
}

TEST(Route, takesWordsApartAsTheShellDoes) {
    using Words = std::vector<std::string>;
    EXPECT_EQ(wordsOf(R"(a 'b c' "d \"e" f\ g '')"), (Words{"a", "b c", "d \"e", "f g", ""}));
    EXPECT_EQ(wordsOf("a | b"), Words{});
    EXPECT_EQ(wordsOf("a 'b"), Words{});
    EXPECT_EQ(wordsOf("a \"$b\""), Words{});
    for (const char* text : {"", "it's", "a b", "$x", "plain-1.2"}) {
        EXPECT_EQ(wordsOf(quotedForShell(text)), Words{text});
    }
}

TEST(JobWords, areThoseOfSrun) {
    using Kind = JobUpdate::Kind;
    const JobUpdate queued = jobUpdateIn("srun: job 4711 queued and waiting for resources");
    EXPECT_EQ(queued.kind, Kind::queued);
    EXPECT_EQ(queued.job, "4711");
    EXPECT_EQ(jobUpdateIn("srun: job 4711 has been allocated resources").kind, Kind::started);
    const JobUpdate limit = jobUpdateIn(
        "slurmstepd-gpu01: error: *** STEP 17.0 ON gpu01 CANCELLED AT 2026-11-22T07:55:50 DUE TO "
        "TIME LIMIT ***");
    EXPECT_EQ(limit.kind, Kind::ended);
    EXPECT_EQ(limit.job, "17");
    EXPECT_EQ(limit.why, "its time limit was reached");
    EXPECT_EQ(
        jobUpdateIn("slurmstepd: error: *** STEP 3.0 ON gpu02 CANCELLED AT "
                    "2026-11-22T07:55:50 DUE TO NODE FAILURE, SEE SLURMCTLD LOG FOR DETAILS ***")
            .why,
        "its node failed");
    EXPECT_EQ(
        jobUpdateIn(
            "slurmstepd-gpu02: error: *** STEP 3.0 ON gpu02 CANCELLED AT 2026-11-22T07:55:50 ***")
            .why,
        "it was cancelled");
    EXPECT_EQ(jobUpdateIn("srun: error: Node failure on gpu01").why, "its node failed");
    EXPECT_EQ(jobUpdateIn("srun: Job allocation 4 has been revoked").job, "4");
    EXPECT_EQ(jobUpdateIn("srun: error: gpu02: task 0: Killed").kind, Kind::none);
    EXPECT_EQ(jobUpdateIn(std::string(10'000, 'x')).kind, Kind::none);
}

}  // namespace
}  // namespace warplens
