#include "app/worker/worker_client.h"

#include <algorithm>
#include <system_error>

#include "app/worker/worker_client_state.h"
#include "app/worker/worker_process.h"
#include "core/course/course.h"
#include "core/library/kernel_file.h"

namespace warplens {

namespace {

using namespace std::chrono_literals;
using Clock = OpenRequest::Clock;

constexpr auto timeToEndAfterOutput = 200ms;
constexpr auto longestSleep = 50ms;  // the end of a process wakes nobody
constexpr auto timeForJobToEnd = 3s;
constexpr auto timeBetweenConnectionWords = 1s;

std::string inSeconds(std::chrono::milliseconds time) {
    const auto tenths = (time.count() + 50) / 100;
    return std::to_string(tenths / 10) +
           (tenths % 10 ? '.' + std::to_string(tenths % 10) : std::string()) + " s";
}

WorkerRequest requestOf(const Course& course) {
    CourseRequest request{.name = course.name};
    for (const Kernel& kernel : course.kernels) {
        request.kernels.push_back({.path = kernel.file, .text = kernel.text});
    }
    return {.id = 0, .body = std::move(request)};
}

}  // namespace

std::uint64_t WorkerClient::State::submit(WorkerRequest request) {
    const std::uint64_t id = request.id = nextId++;
    const std::string wire = toWire(request);
    open.push_back({.request = std::move(request)});
    if (process && !process->exitStatus()) {
        process->send(wire);
        pump(0ms);
    } else if (process && open.size() > 1) {
        // It ended during an earlier request; the next look lays that to the right one.
    } else {
        dropWorker();
        start();
    }
    return id;
}

void WorkerClient::State::start() {
    try {
        banner.clear();
        bannerBytes = 0;
        connection.begin();
        process = std::make_unique<WorkerProcess>(connection.route().command);
    } catch (const std::system_error& error) {
        while (!open.empty()) {
            finish(open.front().request.id,
                   {FailureKind::failed,
                    std::string("the worker could not be started: ") + error.what()});
        }
        return;
    }
    if (const Course* const course = openedCourse()) process->send(toWire(requestOf(*course)));
    for (OpenRequest& request : open) {
        request.deadline.reset();
        request.stage.clear();
        request.progressCount = 0;
        process->send(toWire(request.request));
    }
    process->exchange(0);
}

void WorkerClient::State::pump(std::chrono::milliseconds patience) {
    reapExited();
    if (!process) return;
    // What waits is handled before more is taken in: the rest stays in the pipe, and the worker
    // behind it.
    if (!linesWait) {
        process->exchange(static_cast<int>(std::clamp(patience, 0ms, longestSleep + 0ms).count()));
    }
    connection.readErrorLines(process->takeErrorLines());
    connection.look();
    readLines();
    if (process && process->outputEnded() && !linesWait) noticeEnd();
    tellConnection();
    enforceDeadlines();
}

void WorkerClient::State::noticeEnd() {
    const std::optional<int> status = process->exitStatus();
    if (!status) {
        if (!outputEndedAt) outputEndedAt = Clock::now();
        if (Clock::now() - *outputEndedAt < timeToEndAfterOutput) return;
    }
    if (process->output().empty() && sendAgain()) return;
    std::string message =
        "the worker " + (status ? exitStatusInWords(*status) : "closed its output");
    message += duringStage();
    if (!process->output().empty()) {
        message += ", in the middle of a line: '" + printable(process->output(), 80) + "'";
    }
    const std::string said = process->lastErrorLine();
    const bool notice = status && isShellsNotice(said, *status);
    if (!said.empty() && !notice) message += "; it said: " + said;
    if (said.empty() || notice) message += bannerInWords();
    if (const std::string why = connection.endOfJob(); !why.empty()) {
        message = why + duringStage();
    }
    const bool missing = status && !greeted && saysCommandNotFound(*status);
    endFirst(
        missing ? FailureKind::impossible : FailureKind::failed,
        missing ? "the worker could not be started: " + (said.empty() ? message : said) : message);
}

void WorkerClient::State::enforceDeadlines() {
    if (!process || open.empty()) return;
    const Clock::time_point now = Clock::now();
    if (connection.isQueued()) {
        open.front().deadline.reset();
    } else if (!open.front().deadline) {
        open.front().deadline = now + options.deadline;
    }
    for (OpenRequest& request : open) {
        if (!request.cancelledUntil || now < *request.cancelledUntil) continue;
        finish(request.request.id,
               {FailureKind::cancelled, "cancelled; the worker did not stop within " +
                                            inSeconds(options.cancelGrace) + " and was killed"});
        dropWorker();
        restartForTheOthers();
        return;
    }
    if (open.front().deadline && now >= *open.front().deadline) {
        const std::string& stage = open.front().stage;
        endFirst(FailureKind::failed, "the worker did not answer within " +
                                          inSeconds(options.deadline) +
                                          (stage.empty() ? "" : ", last '" + stage + "',") +
                                          " and was killed" + bannerInWords());
    }
}

OpenRequest* WorkerClient::State::find(std::uint64_t id) {
    const auto found =
        std::ranges::find(open, id, [](const OpenRequest& one) { return one.request.id; });
    return found == open.end() ? nullptr : &*found;
}

void WorkerClient::State::remove(std::uint64_t id) {
    std::erase_if(open, [&](const OpenRequest& one) { return one.request.id == id; });
}

void WorkerClient::State::finish(std::uint64_t id, Failure failure) {
    remove(id);
    ready.push_back({id, std::move(failure)});
}

void WorkerClient::State::endFirst(FailureKind kind, const std::string& message) {
    dropWorker();
    if (open.empty()) return;
    const OpenRequest& first = open.front();
    if (first.cancelledUntil) {
        finish(first.request.id, {FailureKind::cancelled, "cancelled; " + message});
    } else {
        finish(first.request.id, {kind, message});
    }
    restartForTheOthers();
}

void WorkerClient::State::dropWorker() {
    outputEndedAt.reset();
    linesWait = false;
    greeted = false;
    served = false;
    if (process) end(std::move(process));
}

void WorkerClient::State::end(std::unique_ptr<WorkerProcess> ending) {
    if (connection.route().transport != Transport::slurm) {
        ending->kill();
        dying.push_back({std::move(ending), Clock::now()});
        return;
    }
    // A killed srun leaves its job behind, in the queue too.
    ending->terminate();
    dying.push_back({std::move(ending), Clock::now() + timeForJobToEnd});
    const std::string cancel = connection.cancelJob();
    if (cancel.empty()) return;
    try {
        dying.push_back({std::make_unique<WorkerProcess>(cancel), Clock::now() + timeForJobToEnd});
    } catch (const std::system_error&) {
        // What srun was told has to do.
    }
}

void WorkerClient::State::reapExited() {
    for (Ending& ending : dying) {
        ending.process->exchange(0);
        if (Clock::now() >= ending.until) ending.process->kill();
    }
    std::erase_if(dying,
                  [](const Ending& ending) { return ending.process->exitStatus().has_value(); });
}

void WorkerClient::State::tellConnection() {
    if (!process || greeted || open.empty() || Clock::now() < nextProgress) return;
    std::string words = connection.progress();
    if (words.empty()) return;
    nextProgress = Clock::now() + timeBetweenConnectionWords;
    open.front().stage = words;
    ready.push_back({open.front().request.id, Progress{std::move(words), 0}});
}

void WorkerClient::State::restartForTheOthers() {
    std::vector<std::uint64_t> cancelled;
    for (const OpenRequest& request : open) {
        if (request.cancelledUntil) cancelled.push_back(request.request.id);
    }
    for (const std::uint64_t id : cancelled) finish(id, {FailureKind::cancelled, "cancelled"});
    if (!open.empty()) start();
}

bool WorkerClient::State::sendAgain() {
    if (open.empty() || !served) return false;
    OpenRequest& first = open.front();
    if (!first.stage.empty() || first.sentAgain || first.cancelledUntil) return false;
    first.sentAgain = true;
    dropWorker();
    start();
    return true;
}

std::string WorkerClient::State::duringStage() const {
    if (open.empty()) return {};
    const std::string& stage = open.front().stage;
    return stage.empty() ? " before answering" : " while '" + stage + "'";
}

std::string WorkerClient::State::bannerInWords() const {
    return greeted || banner.empty() ? std::string() : "; it wrote: '" + banner + "'";
}

WorkerClient::WorkerClient(Options options) : state_(std::make_unique<State>(std::move(options))) {}

WorkerClient::~WorkerClient() {
    if (state_->connection.route().transport != Transport::slurm) return;
    // An idle worker ends with its input, and its job with it.
    if (state_->process && state_->greeted && state_->open.empty()) {
        state_->process->closeInput();
        if (state_->process->endsWithin(timeForJobToEnd)) return;
    }
    state_->dropWorker();
    for (const State::Ending& ending : state_->dying) {
        (void)ending.process->endsWithin(
            std::chrono::ceil<std::chrono::milliseconds>(ending.until - Clock::now()));
    }
}

std::uint64_t WorkerClient::describe(bool name) {
    return state_->submit({0, DescribeRequest{state_->options.device, name}});
}

std::uint64_t WorkerClient::measure(MeasureRequest request) {
    const Scenario* const scenario = findScenario(request.experiment.scenario);
    if (scenario != nullptr) request.kernelDigest = kernelDigest(kernelOf(scenario->kernel));
    if (request.device.empty()) request.device = state_->options.device;
    return state_->submit({0, std::move(request)});
}

std::uint64_t WorkerClient::measureProgram(MeasureProgramRequest request) {
    if (request.device.empty()) request.device = state_->options.device;
    return state_->submit({.id = 0, .body = std::move(request)});
}

std::uint64_t WorkerClient::compile(CompileRequest request) {
    return state_->submit({.id = 0, .body = std::move(request)});
}

void WorkerClient::cancel(std::uint64_t id) {
    OpenRequest* const request = state_->find(id);
    if (request == nullptr || request->cancelledUntil) return;
    request->cancelledUntil = Clock::now() + state_->options.cancelGrace;
    if (!state_->process) return;
    if (!state_->greeted && state_->open.size() == 1) {
        // Nobody is there to heed it: what is on its way is called back.
        state_->dropWorker();
        state_->finish(id, {FailureKind::cancelled, "cancelled"});
        return;
    }
    state_->process->send(toJsonLine({state_->nextId++, CancelRequest{id}}) + '\n');
    state_->pump(0ms);
}

std::vector<WorkerEvent> WorkerClient::poll() {
    state_->pump(0ms);
    std::vector<WorkerEvent> events(std::make_move_iterator(state_->ready.begin()),
                                    std::make_move_iterator(state_->ready.end()));
    state_->ready.clear();
    return events;
}

std::optional<WorkerEvent> WorkerClient::wait(std::chrono::milliseconds timeout) {
    const Clock::time_point until = Clock::now() + timeout;
    while (state_->ready.empty()) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now());
        if (left <= 0ms) return std::nullopt;
        state_->pump(left);
        // Without a worker nothing can arrive any more.
        if (!state_->process && state_->ready.empty()) return std::nullopt;
    }
    WorkerEvent event = std::move(state_->ready.front());
    state_->ready.pop_front();
    return event;
}

std::size_t WorkerClient::openRequests() const {
    return state_->open.size();
}

const std::string& WorkerClient::banner() const {
    return state_->banner;
}

std::string WorkerClient::whereabouts() const {
    return state_->connection.whereabouts();
}

int WorkerClient::processId() const {
    return state_->process ? state_->process->processId() : 0;
}

CompileAnswer compileHere(CompileRequest request, const std::function<bool()>& cancelled) {
    const std::string command = defaultWorkerCommand();
    if (command.empty()) {
        return Failure{FailureKind::impossible, "this build has no warplens-measure"};
    }
    WorkerClient worker({.command = command});
    (void)worker.compile(std::move(request));
    while (!cancelled || !cancelled()) {
        const auto event = worker.wait(std::chrono::milliseconds(100));
        if (!event) continue;
        if (const auto* compiled = std::get_if<CompiledResources>(&event->body)) return *compiled;
        if (const auto* failure = std::get_if<Failure>(&event->body)) return *failure;
    }
    return Failure{FailureKind::cancelled, "cancelled"};
}

}  // namespace warplens
