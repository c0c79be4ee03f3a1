#pragma once

#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "app/worker/connection.h"
#include "app/worker/worker_client.h"
#include "app/worker/worker_process.h"
#include "core/measurement/worker_protocol.h"

namespace warplens {

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
