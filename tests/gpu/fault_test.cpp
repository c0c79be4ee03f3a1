// Faults of the device, through the process that measures: what is said about them, and that the
// next request works.
#include <string>

#include "app/worker/worker_client.h"
#include "tests/gpu/gpu_fixture.h"
#include "tests/support/final_event.h"
#include "tests/support/temporary_folder.h"

namespace warplens {
namespace {

using namespace std::chrono_literals;

class FaultTest : public GpuTest {
  protected:
    [[nodiscard]] WorkerClient clientWith(const std::string& fault,
                                          std::chrono::milliseconds deadline = 120s) const {
        return WorkerClient({.command = "'" FAULTY_WORKER "' " + fault + " '" +
                                        (folder_.path() / "happened").string() + "'",
                             .deadline = deadline});
    }
    /// How a measurement of the sum of two square matrices ends.
    static WorkerEvent outcome(WorkerClient& client, std::int64_t n = 512) {
        const Experiment sum = complete({"matadd-coalesced", {}, {}, {{"n", n}}});
        return tests::finalEvent(client, client.measure({.experiment = sum, .counters = false}),
                                 100s);
    }
    static Failure failureOf(const WorkerEvent& event) {
        const auto* failure = std::get_if<Failure>(&event.body);
        EXPECT_NE(failure, nullptr) << "it did not fail";
        return failure != nullptr ? *failure : Failure{};
    }
    static void expectMeasures(WorkerClient& client) {
        const WorkerEvent event = outcome(client);
        const auto* failure = std::get_if<Failure>(&event.body);
        EXPECT_TRUE(std::holds_alternative<Measurement>(event.body))
            << (failure != nullptr ? failure->message : "");
    }

  private:
    tests::TemporaryFolder folder_;
};

TEST_F(FaultTest, anIllegalAddressIsNamedAndTheNextRequestWorks) {
    WorkerClient client = clientWith("illegal-address");
    EXPECT_EQ(failureOf(outcome(client)),
              (Failure{FailureKind::failed,
                       "the kernel touched an address outside its arrays "
                       "(CUDA_ERROR_ILLEGAL_ADDRESS)"}));
    expectMeasures(client);
    expectMeasures(client);
}

TEST_F(FaultTest, aKernelPastItsDeadlineIsKilledAndTheNextRequestWorks) {
    WorkerClient client = clientWith("hang", 30s);
    EXPECT_EQ(failureOf(outcome(client)),
              (Failure{FailureKind::failed,
                       "the worker did not answer within 30 s, last 'checking the result', and "
                       "was killed"}));
    expectMeasures(client);
}

TEST_F(FaultTest, exhaustedMemoryIsNamedAndTheNextRequestWorks) {
    WorkerClient client = clientWith("exhausted-memory");
    EXPECT_EQ(failureOf(outcome(client)),
              (Failure{FailureKind::failed,
                       "the device's memory is exhausted; nvidia-smi shows who holds it "
                       "(CUDA_ERROR_OUT_OF_MEMORY)"}));
    expectMeasures(client);
}

TEST_F(FaultTest, memoryThatIsHeldLeavesRoomForSmallRequestsAlone) {
    WorkerClient client = clientWith("held-memory");
    // 3 x 16384^2 x 4 bytes: 3 GiB, where less than one is left.
    const Failure failure = failureOf(outcome(client, 16384));
    EXPECT_EQ(failure.kind, FailureKind::invalid);
    EXPECT_TRUE(failure.message.starts_with("memory of the arrays = 3,221,225,472 bytes"))
        << failure.message;
    EXPECT_NE(failure.message.find(", free on " + device_.name), std::string::npos)
        << failure.message;
    // The same process, which still holds it.
    expectMeasures(client);
}

}  // namespace
}  // namespace warplens
