#pragma once

#include <chrono>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/worker/route.h"
#include "app/worker/worker_client.h"
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

/// What a WorkerClient knows: the worker that runs, those that are dying, the requests that wait.
struct WorkerClient::State final {
    using Clock = OpenRequest::Clock;

    explicit State(Options chosen) : options(std::move(chosen)) {}

    Options options;
    std::uint64_t nextId = 1;
    /// In order. The worker does one at a time: a hang or a crash is laid to the first.
    std::deque<OpenRequest> open;
    std::deque<WorkerEvent> ready;
    std::unique_ptr<WorkerProcess> process;
    /// A command that was told to end, or ends something, and is killed when that takes too long.
    struct Ending final {
        std::unique_ptr<WorkerProcess> process;
        Clock::time_point until;
    };
    std::vector<Ending> dying;
    Connection connection{routeOf(options.command)};
    Clock::time_point nextProgress{};  ///< of the connection
    std::optional<Clock::time_point> outputEndedAt;
    bool linesWait = false;  ///< whole lines of the worker are still to be handled
    bool greeted = false;    ///< this worker has said what it is
    std::string banner;      ///< first line of what came before that
    std::size_t bannerBytes = 0;
    bool served = false;  ///< this worker has ended a request

    std::uint64_t submit(WorkerRequest request);
    /// Starts a worker and sends it every open request.
    void start();
    void pump(std::chrono::milliseconds patience);

    /// In worker_lines.cpp: what the worker wrote, a bounded number of lines at a time.
    void readLines();
    void handleLine(std::string_view line);
    /// Of a worker that has not said yet what it is.
    void handleFirstLine(std::string_view line);
    void handle(WorkerEvent event);
    void refuse(const std::string& why);

    /// The open request; null when there is none with this id.
    [[nodiscard]] OpenRequest* find(std::uint64_t id);
    void remove(std::uint64_t id);

    void noticeEnd();
    void enforceDeadlines();
    void finish(std::uint64_t id, Failure failure);
    /// The worker is of no more use: kills it, lays that to the request it was at, and lets a fresh
    /// one do the others.
    void endFirst(FailureKind kind, const std::string& message);
    void dropWorker();
    /// Ends the process and, where it has one, its job.
    void end(std::unique_ptr<WorkerProcess> ending);
    void reapExited();
    /// Tells how far the connection has come while nothing else does.
    void tellConnection();
    void restartForTheOthers();
    /// For a worker that ended without a word about the first request, after it had served
    /// others: it was as good as gone when the request was sent. Lets a fresh one have it, once;
    /// false where that is not so.
    [[nodiscard]] bool sendAgain();
    [[nodiscard]] std::string duringStage() const;
    /// `; it wrote: 'Welcome to lab-gpu'` of one that never came to speak; else empty.
    [[nodiscard]] std::string bannerInWords() const;
};

/// The first `most` bytes of `text`, with everything that is not plain ASCII written as \xNN.
[[nodiscard]] std::string printable(std::string_view text, std::size_t most);

}  // namespace warplens
