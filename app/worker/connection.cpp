#include <regex>
#include <system_error>

#include "app/worker/worker_client_state.h"

namespace warplens {

JobUpdate jobUpdateIn(std::string_view line) {
    static const std::regex queued(R"(srun: job (\d+) queued and waiting for resources.*)");
    static const std::regex started(R"(srun: job (\d+) has been allocated resources.*)");
    static const std::regex limit(R"(.*(?:JOB|STEP) (\d+).*DUE TO TIME LIMIT.*)");
    static const std::regex node(
        R"(.*(?:JOB|STEP) (\d+).*DUE TO NODE FAILURE.*|srun: error: Node failure on .*)");
    static const std::regex cancelled(
        R"(.*(?:JOB|STEP) (\d+)(?:\.\d+)? ON .*CANCELLED AT.*|srun: Job allocation (\d+) has been revoked.*|srun: Force Terminated job (\d+).*)");
    const std::string text(line.substr(0, 500));
    std::smatch found;
    using Kind = JobUpdate::Kind;
    if (std::regex_match(text, found, queued)) return {Kind::queued, found[1].str(), {}};
    if (std::regex_match(text, found, started)) return {Kind::started, found[1].str(), {}};
    if (std::regex_match(text, found, limit)) {
        return {Kind::ended, found[1].str(), "its time limit was reached"};
    }
    if (std::regex_match(text, found, node))
        return {Kind::ended, found[1].str(), "its node failed"};
    if (std::regex_match(text, found, cancelled)) {
        for (std::size_t i = 1; i < found.size(); ++i) {
            if (found[i].matched) return {Kind::ended, found[i].str(), "it was cancelled"};
        }
    }
    return {};
}

std::string mismatch(const OpenRequest& open, const WorkerEvent& event) {
    const auto* asked = std::get_if<MeasureRequest>(&open.request.body);
    const auto* program = std::get_if<MeasureProgramRequest>(&open.request.body);
    if (std::holds_alternative<Description>(event.body) && (asked || program)) {
        return "the worker described itself when it was asked to measure";
    }
    if (const auto* measurement = std::get_if<ProgramMeasurement>(&event.body)) {
        if (!program) return "the worker measured a program that it was not asked to";
        if (measurement->kernel != program->inputs.kernel ||
            measurement->launch != program->inputs.launch) {
            return "the worker measured something else than it was asked to: " +
                   measurement->kernel + toLaunchSyntax(measurement->launch);
        }
    }
    if (const auto* measurement = std::get_if<Measurement>(&event.body)) {
        if (program) return "the worker measured a scenario when it was asked for a program";
        if (!asked) return "the worker measured when it was asked to describe itself";
        if (measurement->experiment != asked->experiment) {
            return "the worker measured something else than it was asked to: " +
                   measurement->experiment.scenario + ' ' +
                   toLaunchSyntax(measurement->experiment.launch) + ' ' +
                   sizesOf(measurement->experiment);
        }
        if (!asked->kernelDigest.empty() && measurement->kernelDigest != asked->kernelDigest) {
            return "the worker measured another source of " + measurement->experiment.scenario +
                   "'s kernel than this program has";
        }
    }
    return {};
}

namespace {

using namespace std::chrono_literals;

constexpr auto timeToConnectUnsaid = 300ms;
constexpr std::size_t longestLimit = 20;

std::string secondsSince(Connection::Clock::time_point time) {
    const auto passed = std::chrono::floor<std::chrono::seconds>(Connection::Clock::now() - time);
    return std::to_string(passed.count()) + " s";
}

}  // namespace

void Connection::begin() {
    *this = Connection(std::move(route_));
    begun_ = Clock::now();
}

void Connection::readErrorLines(const std::vector<std::string>& lines) {
    if (route_.transport != Transport::slurm) return;
    for (const std::string& line : lines) {
        const JobUpdate update = jobUpdateIn(line);
        if (update.kind == JobUpdate::Kind::none) continue;
        noteJob(update.job);
        if (update.kind == JobUpdate::Kind::queued) queuedSince_ = Clock::now();
        if (update.kind == JobUpdate::Kind::started) queuedSince_.reset();
        if (update.kind == JobUpdate::Kind::ended && !end_) end_ = update.why;
    }
}

void Connection::noteJob(const std::string& job) {
    if (job.empty() || job == job_) return;
    job_ = job;
    if (route_.transport != Transport::slurm) return;
    try {
        asking_ = std::make_unique<WorkerProcess>(limitCommand(route_, job_));
    } catch (const std::system_error&) {
        // The limit stays unknown.
    }
}

void Connection::arrive(const std::string& host, const std::string& job) {
    arrived_ = true;
    queuedSince_.reset();
    host_ = host;
    noteJob(job);
}

void Connection::look() {
    if (!asking_) return;
    asking_->exchange(0);
    const std::string& said = asking_->output();
    if (const std::size_t end = said.find('\n'); end != std::string::npos) {
        limit_ = printable(said.substr(0, end), longestLimit);
    } else if (!asking_->outputEnded()) {
        return;
    }
    if (asking_->exitStatus()) asking_.reset();
}

std::string Connection::progress() const {
    if (arrived_ || route_.transport == Transport::here) return {};
    const std::string limit = limit_.empty() ? "" : ", time limit " + limit_;
    if (queuedSince_)
        return "queued as job " + job_ + " for " + secondsSince(*queuedSince_) + limit;
    if (Clock::now() - begun_ < timeToConnectUnsaid) return {};
    if (!job_.empty()) return "starting job " + job_ + limit;
    return route_.host.empty() ? "connecting" : "connecting to " + route_.host;
}

std::string Connection::where() const {
    const bool known = arrived_ && route_.transport != Transport::here && !host_.empty();
    return known ? "on " + host_ : std::string();
}

std::string Connection::whereabouts() const {
    if (!arrived_ || route_.transport == Transport::here) return {};
    std::string words = host_.empty() ? std::string("elsewhere") : "on " + host_;
    if (!job_.empty()) words += ", job " + job_;
    if (!limit_.empty()) words += ", time limit " + limit_;
    return words;
}

std::string Connection::endOfJob() const {
    if (!end_) return {};
    std::string why = *end_;
    if (why == "its time limit was reached" && !limit_.empty()) {
        why = "its time limit (" + limit_ + ") was reached";
    }
    return (job_.empty() ? "the job" : "job " + job_) + " ended" + (why.empty() ? "" : ", " + why);
}

std::string Connection::cancelJob() const {
    if (route_.transport != Transport::slurm || job_.empty() || end_) return {};
    return cancelCommand(route_, job_);
}

}  // namespace warplens
