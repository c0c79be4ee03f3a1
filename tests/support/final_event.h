#pragma once

#include <chrono>
#include <gtest/gtest.h>

#include "app/worker/worker_client.h"

namespace warplens::tests {

/// The event that ends the request, progress passed over; a failure when it does not come within
/// `patience`.
inline WorkerEvent finalEvent(WorkerClient& client, std::uint64_t id,
                              std::chrono::seconds patience = std::chrono::seconds(30)) {
    const auto until = std::chrono::steady_clock::now() + patience;
    while (std::chrono::steady_clock::now() < until) {
        std::optional<WorkerEvent> event = client.wait(std::chrono::seconds(1));
        if (!event || std::holds_alternative<Progress>(event->body)) continue;
        EXPECT_EQ(event->id, id);
        return std::move(*event);
    }
    return {0, Failure{FailureKind::failed, "the test waited in vain"}};
}

}  // namespace warplens::tests
