#include "app/worker/job_words.h"

#include <regex>

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

}  // namespace warplens
