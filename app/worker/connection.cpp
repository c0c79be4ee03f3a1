#include "app/worker/connection.h"

#include <system_error>

#include "app/worker/job_words.h"
#include "app/worker/worker_words.h"

namespace warplens {
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

void Connection::hear(const std::vector<std::string>& lines) {
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
