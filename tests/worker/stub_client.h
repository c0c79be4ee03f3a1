#pragma once

#include <chrono>
#include <gtest/gtest.h>
#include <signal.h>
#include <string>
#include <thread>

#include "app/worker/worker_client.h"
#include "tests/support/final_event.h"
#include "tests/support/temporary_folder.h"

/// A client of the worker that plays parts (tests/worker_stub), and waiting for what it says.
namespace warplens::tests {

using namespace std::chrono_literals;

inline Experiment anExperiment() {
    return initialExperiment(scenarioNamed("matadd-swapped"));
}

inline WorkerClient clientOf(const std::string& part, std::chrono::milliseconds deadline = 20s,
                             std::chrono::milliseconds grace = 200ms) {
    return WorkerClient(
        {.command = WORKER_STUB " " + part, .deadline = deadline, .cancelGrace = grace});
}

/// The failure a request to measure ends with.
inline Failure failureOf(WorkerClient& client) {
    const WorkerEvent event = finalEvent(client, client.measure({anExperiment()}));
    const auto* failure = std::get_if<Failure>(&event.body);
    EXPECT_NE(failure, nullptr) << "it did not fail";
    return failure ? *failure : Failure{};
}
inline Failure failureOf(const std::string& part) {
    WorkerClient client = clientOf(part);
    return failureOf(client);
}

/// Whether a request to measure is answered.
inline testing::AssertionResult measures(WorkerClient& client) {
    const WorkerEvent event = finalEvent(client, client.measure({anExperiment()}));
    if (std::holds_alternative<Measurement>(event.body)) return testing::AssertionSuccess();
    const auto* failure = std::get_if<Failure>(&event.body);
    return testing::AssertionFailure() << (failure ? failure->message : "described itself");
}

inline bool waitUntilGone(int processId) {
    for (int look = 0; look < 200; ++look) {
        if (::kill(processId, 0) != 0) return true;
        std::this_thread::sleep_for(10ms);
    }
    return false;
}

/// A file that is not there yet, for parts played once: `--once FILE`.
class Once final {
  public:
    [[nodiscard]] std::string option() const {
        return " --once " + (folder_.path() / "played").string();
    }

  private:
    TemporaryFolder folder_;
};

}  // namespace warplens::tests
