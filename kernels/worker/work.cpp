#include <chrono>
#include <memory>
#include <stdexcept>
#include <vector>

#include "core/launch/launch.h"
#include "core/library/kernel_file.h"
#include "core/occupancy/sm_limits.h"
#include "core/text/format.h"
#include "kernels/device/compile.h"
#include "kernels/device/cubin.h"
#include "kernels/measure/counters/range_profiler.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/measuring.h"
#include "kernels/worker/request_loop.h"

namespace warplens {
namespace {

void requireSameSource(const MeasureRequest& request) {
    const std::string& scenario = request.experiment.scenario;
    const std::string here = kernelDigest(kernelOf(scenarioNamed(scenario).kernel));
    if (!request.kernelDigest.empty() && request.kernelDigest != here) {
        throw OtherKernelSource(scenario);
    }
}

CompiledResources compiled(const CompileRequest& request) {
    const auto capability = parseComputeCapability(request.computeCapability);
    if (!capability) {
        throw InvalidRequest(
            {{"compute capability", '\'' + request.computeCapability + '\'', "as in 9.0"}});
    }
    const CompiledUnit unit = compileDeviceCode(
        request.file, request.text, {request.kernel},
        {.computeCapability = static_cast<int>(10 * capability->major + capability->minor)});
    return {resourcesOf(unit.cubin, unit.symbols.at(request.kernel)), request.computeCapability,
            unit.compiler()};
}

/// How long the counters are kept when nobody asks for anything.
constexpr std::chrono::seconds countersAreKept{2};

RetryPolicy policyIn(const GpuLock& turn) {
    RetryPolicy policy{.note = [&turn](bool busy) { turn.noteCounters(busy); }};
    // Somebody has waited in vain a moment ago: not everybody need. Whoever stood still with them
    // is being ended, and what it had comes free soon after.
    if (turn.countersWereBusy()) policy.longest = {};
    for (const std::string& one : turn.passedOver()) {
        policy.suspects += "; " + one + " stands still with its turn, and may hold them";
    }
    return policy;
}

/// What a reader must know of how the turns went.
void noteTurn(const GpuLock& turn, LaunchMeasurement& measurement) {
    if (!turn.outOfOrder().empty()) {
        measurement.notes.push_back("measured without a turn, others may have disturbed it: " +
                                    turn.outOfOrder());
    }
    for (const std::string& one : turn.passedOver()) {
        measurement.notes.push_back(one + " stood still with its turn and was passed over");
    }
    if (turn.wasPassedOver()) {
        measurement.notes.emplace_back(
            "this worker stood still in its turn; others may have measured meanwhile");
    }
}

}  // namespace

struct MeasuringWork::State final {
    const WatchedLine* watched;
    LockLimits limits;
    std::vector<DeviceName> devices{};
    int number = 0;
    std::unique_ptr<Measuring> measuring{};
    std::chrono::steady_clock::time_point lastUse{};

    void choose(const DeviceChoice& choice) {
        if (devices.empty()) devices = allDevices();
        const int chosen = deviceNumber(choice, devices);
        if (measuring && chosen != number) throw FreshProcessNeeded();
        number = chosen;
    }
    [[nodiscard]] GpuQueue queue() const {
        return GpuQueue(devices.at(static_cast<std::size_t>(number)).uuid, watched, limits);
    }

    /// Calls `act` with the device and the turn on it.
    template <class Act>
    auto inTurn(const ReportProgress& report, std::stop_token stop, const Act& act) {
        const auto turn = queue().wait(
            [&](const PlaceInQueue& place) {
                // Those before it need what it has kept.
                if (place.before > 0 && measuring) measuring->releaseCounters();
                report({inWords(place), 0, place.before});
            },
            std::move(stop));
        if (!turn) throw Cancelled();
        // Within the turn: making a context disturbs others, too.
        if (!measuring) measuring = std::make_unique<Measuring>(number);
        const Leaving leaving{*this, *turn};
        return act(*measuring, *turn);
    }

    /// At the end of a turn, the counters go to whoever waits.
    struct Leaving final {
        State& state;
        const GpuLock& turn;
        ~Leaving() {
            state.lastUse = std::chrono::steady_clock::now();
            if (turn.isAwaited()) state.measuring->releaseCounters();
        }
    };

    [[nodiscard]] Description described(const DescribeRequest& request,
                                        const ReportProgress& report, std::stop_token stop) {
        choose(request.device);
        if (request.name) {
            return {.device = {},
                    .deviceReason = {},
                    .countersAvailable = false,
                    .countersReason = "not looked at",
                    .version = version(),
                    .devices = {devices.at(static_cast<std::size_t>(number))}};
        }
        Description description = inTurn(
            report, std::move(stop),
            [](Measuring& here, const GpuLock& turn) { return here.describe(policyIn(turn)); });
        description.devices = devices;
        return description;
    }
    template <class Request>
    [[nodiscard]] auto measured(const Request& request, const ReportProgress& report,
                                const std::stop_token& stop) {
        choose(request.device);
        return inTurn(report, stop, [&](Measuring& here, const GpuLock& turn) {
            auto measurement = here.measure(request, report, stop, policyIn(turn));
            noteTurn(turn, measurement);
            return measurement;
        });
    }
};

MeasuringWork::MeasuringWork(const WatchedLine* watched, LockLimits limits)
    : state_(std::make_shared<State>(State{.watched = watched, .limits = limits})) {}

Answer MeasuringWork::operator()(const WorkerRequest& request, const ReportProgress& report,
                                 std::stop_token stop) const {
    if (const auto* measure = std::get_if<MeasureRequest>(&request.body)) {
        requireSameSource(*measure);
        // Told without waiting for a turn.
        if (auto violations = validateRun(measure->experiment); !violations.empty()) {
            throw InvalidRequest(std::move(violations));
        }
        return state_->measured(*measure, report, stop);
    }
    if (const auto* measure = std::get_if<MeasureProgramRequest>(&request.body)) {
        return state_->measured(*measure, report, stop);
    }
    if (const auto* compile = std::get_if<CompileRequest>(&request.body)) {
        return compiled(*compile);  // needs no turn, and no device
    }
    const auto nothing = [](const std::runtime_error& error) {
        return Description{.device = {},
                           .deviceReason = error.what(),
                           .countersAvailable = false,
                           .countersReason = "no device",
                           .version = version()};
    };
    try {
        return state_->described(std::get<DescribeRequest>(request.body), report, std::move(stop));
    } catch (const NoDevice& error) {
        return nothing(error);
    } catch (const CompilerUnavailable& error) {
        return nothing(error);
    }
}

bool MeasuringWork::rest() const {
    if (!state_->measuring || !state_->measuring->hasCounters()) return false;
    const bool kept = std::chrono::steady_clock::now() - state_->lastUse < countersAreKept;
    try {
        if (kept && state_->queue().count() == 0) return true;
    } catch (const std::runtime_error&) {
        // There is no queue to look at: nobody is known to wait.
        if (kept) return true;
    }
    state_->measuring->releaseCounters();
    return false;
}

int measureRequests(std::istream& in, std::ostream& out, const WatchedLine& watched) {
    const MeasuringWork work(&watched);
    return answerRequests(in, out, work, [&] { return work.rest(); });
}

}  // namespace warplens
