#include "app/window/measuring.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include "app/window/state/measuring_status.h"

namespace warplens::window {
namespace {

using namespace std::chrono_literals;

/// How long the thread waits for a word of the worker before it looks for another order.
constexpr auto forAWord = 10ms;
/// And when nothing is under way: a worker that has ended is noticed.
constexpr auto whenIdle = 500ms;

}  // namespace

/// What works on the thread. Of the members only `orders_` and `said_` are seen by the window.
class Measuring::Desk final {
  public:
    Desk(WorkerClient::Options worker, bool counters, ProgramPreparer preparer,
         std::function<void()> said)
        : worker_(std::move(worker)),
          counters_(counters),
          preparer_(std::move(preparer)),
          wake_(std::move(said)),
          thread_([this](const std::stop_token& ending) { serve(ending); }) {}

    void order(std::function<void(Desk&)> act) {
        const std::scoped_lock lock(mutex_);
        orders_.push_back(std::move(act));
        changed_.notify_one();
    }
    [[nodiscard]] Commands takeSaid() {
        const std::scoped_lock lock(mutex_);
        return std::exchange(said_, {});
    }

    /// Another place's worker is let go on a thread of its own: a cluster takes a moment to end its
    /// job.
    void moveTo(const std::string& command, const DeviceChoice& device) {
        worker_.command = command;
        worker_.device = device;
        if (client_) leaving_.emplace_back([leaving = std::shared_ptr(std::move(client_))] {});
    }
    void askForDevices(std::uint64_t asked) {
        asked_ = asked;
        question_ = client().describe();
    }
    void measure(std::uint64_t number, MeasureRequest request) {
        begin(number, [&] {
            request.counters = counters_;
            return client().measure(std::move(request));
        });
    }
    void measureProgram(std::uint64_t number, const ProgramSubject& subject,
                        const TimingRequest& timing, const std::stop_token& stop) {
        begin(number, [&] {
            const auto tell = [&](std::string stage, double fraction) {
                say(WorkerSaid{number, Progress{std::move(stage), fraction}});
            };
            MeasureProgramRequest request;
            try {
                request = preparer_(subject, capabilityOfDevice(stop), stop, tell);
            } catch (const std::exception& error) {
                if (!stop.stop_requested()) throw Refused{error.what()};
            }
            if (stop.stop_requested()) throw Cancelled{};
            request.counters = counters_;
            request.timing = timing;
            return client().measureProgram(std::move(request));
        });
    }
    void cancel() {
        if (client_ && request_ != 0) client_->cancel(request_);
    }

  private:
    struct Cancelled final {};
    /// By the program itself, before a worker was asked.
    struct Refused final {
        std::string why;
    };

    template <class Ask>
    void begin(std::uint64_t number, const Ask& ask) {
        number_ = number;
        request_ = 0;
        try {
            request_ = ask();
        } catch (const Cancelled&) {
            say(WorkerSaid{number, Failure{FailureKind::cancelled, "cancelled"}});
        } catch (const Failure& failure) {
            say(WorkerSaid{number, failure});
        } catch (const Refused& refused) {
            say(WorkerSaid{number, Failure{FailureKind::invalid, refused.why}});
        } catch (const std::exception& error) {
            say(WorkerSaid{number, Failure{FailureKind::failed, error.what()}});
        }
    }
    /// Asks the worker, and waits: `9.0`.
    std::string capabilityOfDevice(const std::stop_token& stop) {
        const std::uint64_t asked = client().describe(true);
        while (!stop.stop_requested()) {
            const std::optional<WorkerEvent> event = client_->wait(forAWord);
            if (!event) continue;
            const auto* const said = std::get_if<Description>(&event->body);
            const auto* const failure = std::get_if<Failure>(&event->body);
            if (event->id != asked || (said == nullptr && failure == nullptr)) {
                hear(*event);
                continue;
            }
            if (failure != nullptr) throw *failure;
            if (said->devices.empty()) throw Failure{FailureKind::impossible, said->deviceReason};
            return said->devices.front().computeCapability;
        }
        throw Cancelled{};
    }
    WorkerClient& client() {
        if (!client_) client_ = std::make_unique<WorkerClient>(worker_);
        return *client_;
    }

    void serve(const std::stop_token& ending) {
        while (!ending.stop_requested()) {
            const bool busy = client_ && client_->openRequests() != 0;
            std::function<void(Desk&)> act;
            {
                std::unique_lock lock(mutex_);
                if (!busy) {
                    changed_.wait_for(lock, ending, whenIdle, [&] { return !orders_.empty(); });
                }
                if (!orders_.empty()) {
                    act = std::move(orders_.front());
                    orders_.pop_front();
                }
            }
            if (act) act(*this);
            if (!client_) continue;
            if (client_->openRequests() != 0) {
                if (const auto event = client_->wait(forAWord)) hear(*event);
            }
            for (const WorkerEvent& event : client_->poll()) hear(event);
            if (client_->whereabouts() != whereabouts_) {
                whereabouts_ = client_->whereabouts();
                say(WhereaboutsSaid{whereabouts_});
            }
        }
    }

    void hear(const WorkerEvent& event) {
        if (event.id == question_ && !std::holds_alternative<Progress>(event.body)) {
            const auto* said = std::get_if<Description>(&event.body);
            say(DevicesListed{asked_, said != nullptr ? said->devices : std::vector<DeviceName>{}});
            if (const auto* failure = std::get_if<Failure>(&event.body)) {
                say(Report{MessageKind::warning, failure->message});
            }
        }
        if (event.id != request_) return;
        if (!bannerTold_ && !client_->banner().empty()) {
            bannerTold_ = true;
            say(Report{MessageKind::note,
                       "Skipped what came before the worker spoke: '" + client_->banner() + "'"});
        }
        std::visit(
            [&](const auto& body) {
                using Body = std::decay_t<decltype(body)>;
                // The others say nothing of a measurement.
                if constexpr (std::is_constructible_v<decltype(WorkerSaid::event), Body>) {
                    say(WorkerSaid{number_, body});
                }
            },
            event.body);
    }

    void say(Command command) {
        {
            const std::scoped_lock lock(mutex_);
            const auto isProgress = [](const Command& one) {
                const auto* const said = one.as<WorkerSaid>();
                return said != nullptr && std::holds_alternative<Progress>(said->event);
            };
            // Of progress only the latest counts.
            if (isProgress(command) && !said_.empty() && isProgress(said_.back())) said_.pop_back();
            said_.push_back(std::move(command));
        }
        if (wake_) wake_();
    }

    WorkerClient::Options worker_;
    bool counters_;
    ProgramPreparer preparer_;
    std::function<void()> wake_;
    std::unique_ptr<WorkerClient> client_;
    std::vector<std::jthread> leaving_;
    std::uint64_t asked_ = 0;     ///< the state's question for devices under way
    std::uint64_t question_ = 0;  ///< the client's id of it
    std::string whereabouts_;
    std::uint64_t number_ = 0;   ///< of the state's measurement under way
    std::uint64_t request_ = 0;  ///< the client's id of it; 0 before it is asked
    bool bannerTold_ = false;    ///< what the worker's connection wrote before it spoke
    std::mutex mutex_;
    std::condition_variable_any changed_;
    std::deque<std::function<void(Desk&)>> orders_;
    Commands said_;
    std::jthread thread_;  ///< last: ends before what it uses
};

Measuring::Measuring(WorkerClient::Options worker, bool counters, ProgramPreparer preparer,
                     std::function<void()> said)
    : command_(worker.command), device_(worker.device) {
    desk_ =
        std::make_unique<Desk>(std::move(worker), counters, std::move(preparer), std::move(said));
}

Measuring::~Measuring() {
    stop_.request_stop();
}

Commands Measuring::step(const AppState& state) {
    const Running* const run = running(state);
    if (run == nullptr || run->number != number_) {
        const Places& places = state.places;
        const std::string& command = placeInUse(places);
        if (!command.empty() && (command != command_ || places.device != device_)) {
            command_ = command;
            device_ = places.device;
            desk_->order([command, device = device_](Desk& desk) { desk.moveTo(command, device); });
        }
        if (places.asking && places.asked != asked_) {
            asked_ = places.asked;
            desk_->order([asked = asked_](Desk& desk) { desk.askForDevices(asked); });
        }
    }
    if (run != nullptr && run->number != number_) {
        number_ = run->number;
        cancelled_ = false;
        stop_ = std::stop_source();
        if (run->program) {
            desk_->order([number = number_, subject = *run->program, timing = state.timing,
                          stop = stop_.get_token()](Desk& desk) {
                desk.measureProgram(number, subject, timing, stop);
            });
        } else {
            // Which SM ran which block is no number of a sweep, and large.
            desk_->order(
                [number = number_, request = MeasureRequest{.experiment = run->experiment,
                                                            .schedule = !state.sweep.measuring,
                                                            .timing = state.timing}](Desk& desk) {
                    desk.measure(number, request);
                });
        }
    } else if (run != nullptr && run->cancelled && !cancelled_) {
        cancelled_ = true;
        stop_.request_stop();
        desk_->order([](Desk& desk) { desk.cancel(); });
    }
    return desk_->takeSaid();
}

}  // namespace warplens::window
