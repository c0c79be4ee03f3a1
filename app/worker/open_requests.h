#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <string>

#include "core/measurement/worker_protocol.h"

namespace warplens {

/// A request that still waits for its final event.
struct OpenRequest final {
    using Clock = std::chrono::steady_clock;

    WorkerRequest request{};
    std::string stage{};                          ///< of its last progress; empty before the first
    std::size_t progressCount = 0;                ///< how often it was heard of
    bool sentAgain = false;                       ///< to a fresh worker: the one before had left
    std::optional<Clock::time_point> deadline{};  ///< set when its turn comes
    std::optional<Clock::time_point> cancelledUntil{};  ///< set when it was cancelled
};

/// The requests sent to a worker, in order. The worker does one at a time, so it is the first one
/// that a hang or a crash is laid to.
class OpenRequests final {
  public:
    void add(WorkerRequest request) { requests_.push_back({.request = std::move(request)}); }
    /// Null when there is none with this id.
    [[nodiscard]] OpenRequest* find(std::uint64_t id);
    void remove(std::uint64_t id);

    [[nodiscard]] bool empty() const { return requests_.empty(); }
    [[nodiscard]] std::size_t size() const { return requests_.size(); }
    [[nodiscard]] OpenRequest& front() { return requests_.front(); }
    [[nodiscard]] const OpenRequest& front() const { return requests_.front(); }
    [[nodiscard]] std::deque<OpenRequest>& all() { return requests_; }

  private:
    std::deque<OpenRequest> requests_;
};

/// Why this event cannot be the answer to this request; empty when it can.
[[nodiscard]] std::string mismatch(const OpenRequest& open, const WorkerEvent& event);

}  // namespace warplens
