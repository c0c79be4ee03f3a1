#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "core/measurement/worker_protocol.h"

namespace warplens {

/// Talks to one `warplens-measure`, started on demand and kept warm between requests.
///
/// Every request ends in exactly one final event (Description, Measurement or Failure). Where the
/// worker cannot give it (it did not start, died, is of another version, spoke something that is
/// not the protocol, gave a result that cannot be, or outlived the deadline and was killed) the
/// client makes a Failure that says so, and the next request starts a fresh worker. A request that
/// a warm worker left without a word is sent to a fresh one, once. However much a worker writes,
/// what is kept of it stays below some 20 MiB. No call blocks except `wait`.
class WorkerClient final {
  public:
    struct Options final {
        /// Where to measure: what `routeOf` reads, or a command run by /bin/sh that speaks the
        /// protocol on its standard input and output.
        std::string command;
        std::chrono::milliseconds deadline{120'000};
        /// How long a cancelled request may take to end before the worker is killed.
        std::chrono::milliseconds cancelGrace{1'500};
        /// Which of the devices there, for every request.
        DeviceChoice device{};
    };

    explicit WorkerClient(Options options);
    WorkerClient(WorkerClient&&) = delete;
    /// Ends the worker: closes its input, and kills it if it stays.
    ~WorkerClient();

    /// Sends a request and returns its id. One request runs at a time: a second one waits its turn
    /// in the worker.
    ///
    /// The deadline runs from the moment the worker has the request to itself: time in the queue of
    /// a cluster, or waiting for others on the same device, is not counted.
    /// `name`: only of the device's name and compute capability.
    std::uint64_t describe(bool name = false);
    /// The kernel's source must be this program's: its digest is sent along.
    std::uint64_t measure(MeasureRequest request);
    /// The same for a launch of a person's program: ends in a ProgramMeasurement or a Failure.
    std::uint64_t measureProgram(MeasureProgramRequest request);
    /// Ends in CompiledResources or a Failure.
    std::uint64_t compile(CompileRequest request);
    void cancel(std::uint64_t id);

    /// Events that arrived since the last call, in order; also where deadlines are enforced, so
    /// call it every frame while a request is open.
    [[nodiscard]] std::vector<WorkerEvent> poll();

    /// As `poll`, but waits for the next event; nullopt after `timeout`.
    [[nodiscard]] std::optional<WorkerEvent> wait(std::chrono::milliseconds timeout);

    /// `on gpu07, job 4711, time limit 5:00`, of a worker elsewhere that has greeted; else empty.
    [[nodiscard]] std::string whereabouts() const;

    /// Requests without their final event.
    [[nodiscard]] std::size_t openRequests() const;

    /// The first line of what came from the worker's command before the worker itself spoke, as a
    /// login's banner does: it was skipped. Empty where nothing did.
    [[nodiscard]] const std::string& banner() const;

    /// Process id of the worker, 0 while none runs.
    [[nodiscard]] int processId() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

/// Command that starts the worker that belongs to this program: beside the executable, then on
/// PATH. Empty when there is none, which is what a build without CUDA's headers gives.
[[nodiscard]] std::string defaultWorkerCommand();

/// What the compiler of this machine makes of a kernel, by a worker of its own that ends then: no
/// GPU is needed, and no place that measures is asked. `cancelled` is asked now and then.
/// Cost: half a second.
[[nodiscard]] CompileAnswer compileHere(CompileRequest request,
                                        const std::function<bool()>& cancelled = {});

}  // namespace warplens
