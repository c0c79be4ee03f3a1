#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/worker/route.h"
#include "app/worker/worker_process.h"
#include "core/measurement/worker_protocol.h"

namespace warplens {

/// What srun told about its job.
struct JobUpdate final {
    enum class Kind { none, queued, started, ended };
    Kind kind = Kind::none;
    std::string job;  ///< its number; empty where the line has none
    std::string why;  ///< of one that ended: in words; may be empty
};

/// Reads one line that srun wrote to its standard error (Slurm 20 and newer):
/// `srun: job 4711 queued and waiting for resources`.
[[nodiscard]] JobUpdate jobUpdateIn(std::string_view line);

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

/// Why this event cannot be the answer to this request; empty when it can.
[[nodiscard]] std::string mismatch(const OpenRequest& open, const WorkerEvent& event);

/// How far a worker elsewhere is from answering, as its command's own words tell: nothing is asked
/// of the far side, except, once for each Slurm job, its time limit.
class Connection final {
  public:
    using Clock = std::chrono::steady_clock;

    explicit Connection(Route route) : route_(std::move(route)) {}

    [[nodiscard]] const Route& route() const { return route_; }

    void begin();
    /// Reads what the command wrote to its standard error.
    void readErrorLines(const std::vector<std::string>& lines);
    /// The worker has greeted from there.
    void arrive(const std::string& host, const std::string& job);
    /// Looks for an answer about the time limit; never waits.
    void look();

    /// Its job waits in a queue, for as long as that takes.
    [[nodiscard]] bool isQueued() const { return queuedSince_ && !arrived_; }
    /// `connecting to lab-gpu`, `queued as job 4711 for 40 s, time limit 5:00`; empty once the
    /// worker has greeted, and of a worker on this machine.
    [[nodiscard]] std::string progress() const;
    /// `on gpu07`; empty of a worker on this machine, before it has greeted, and where it has not
    /// said.
    [[nodiscard]] std::string where() const;
    /// `on gpu07, job 4711, time limit 5:00`; empty of a worker on this machine and before it has
    /// greeted.
    [[nodiscard]] std::string whereabouts() const;
    /// Why its job ended: `job 4711 ended, its time limit (5:00) was reached`; empty where that is
    /// not known.
    [[nodiscard]] std::string endOfJob() const;
    /// Shell text that ends the job if there is one that may still wait or run; else empty.
    [[nodiscard]] std::string cancelJob() const;

  private:
    void noteJob(const std::string& job);

    Route route_;
    Clock::time_point begun_{};
    std::optional<Clock::time_point> queuedSince_;
    bool arrived_ = false;
    std::string host_;
    std::string job_;
    std::string limit_;  ///< of the job, as Slurm writes it
    std::optional<std::string> end_;
    std::unique_ptr<WorkerProcess> asking_;
};

}  // namespace warplens
