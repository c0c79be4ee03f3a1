#include <algorithm>
#include <chrono>
#include <utility>

#include "app/worker/worker_client_state.h"
#include "core/json/json.h"
#include "core/measurement/worker_protocol.h"
#include "core/text/encoding.h"

namespace warplens {
namespace {

constexpr std::size_t longestStage = 120;
constexpr std::size_t longestMessage = 2000;

/// Cuts what a worker says about its progress and its failures to what a person would read.
void sanitize(WorkerEvent& event) {
    if (auto* progress = std::get_if<Progress>(&event.body)) {
        progress->stage = sanitized(progress->stage, longestStage);
    } else if (auto* failure = std::get_if<Failure>(&event.body)) {
        failure->message = sanitized(failure->message, longestMessage);
        const bool blank = failure->message.find_first_not_of(" \n") == std::string::npos;
        if (blank) failure->message = "the worker failed without a word";
    }
}

/// Handled before the caller has its turn again: a flood must not hold up a frame.
constexpr int linesAtOnce = 64;

/// A measurement has a dozen stages.
constexpr std::size_t mostProgress = 10'000;

/// A login may greet with a page.
constexpr std::size_t longestBanner = 256u << 10;

std::string notTheProtocol(std::string_view text) {
    return "the worker wrote something that is not the protocol: '" + printable(text, 80) + "'";
}

}  // namespace

std::string printable(std::string_view text, std::size_t most) {
    constexpr std::string_view digits = "0123456789abcdef";
    std::string shown;
    for (const char c : text.substr(0, most)) {
        const auto byte = static_cast<unsigned char>(c);
        if (byte >= 0x20 && byte < 0x7f) {
            shown += c;
        } else {
            shown += std::string("\\x") + digits[byte >> 4] + digits[byte & 15];
        }
    }
    return text.size() > most ? shown + "..." : shown;
}

void WorkerClient::State::readLines() {
    // Taken out whole: handling a line may end the process that owns the text.
    std::string text = std::move(process->output());
    process->output().clear();
    linesWait = false;
    std::size_t start = 0;
    std::size_t searched = std::exchange(process->searched(), 0);
    const WorkerProcess* const speaker = process.get();
    int handled = 0;
    for (std::size_t end; (end = text.find('\n', std::max(start, searched))) != text.npos;
         start = end + 1) {
        if (handled++ == linesAtOnce) {
            linesWait = true;
            break;
        }
        handleLine(std::string_view(text).substr(start, end - start));
        if (process.get() != speaker) return;
    }
    text.erase(0, start);
    if (text.size() > longestProtocolLine && !linesWait) {
        refuse(notTheProtocol(text));
    } else {
        process->searched() = linesWait ? 0 : text.size();
        process->output() = std::move(text);
    }
}

void WorkerClient::State::handleFirstLine(std::string_view line) {
    if (!isEventLine(line)) {
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (banner.empty() && first != std::string_view::npos) {
            banner = printable(line.substr(first, line.find_last_not_of(" \t\r") + 1 - first), 80);
        }
        bannerBytes += line.size() + 1;
        if (bannerBytes > longestBanner) refuse(notTheProtocol(line));
        return;
    }
    const std::string problem = strangerProblem(line);
    if (!problem.empty()) {
        endFirst(FailureKind::impossible, sanitized(problem));
        return;
    }
    greeted = true;
    const Hello hello = std::get<Hello>(eventFromJsonLine(line).body);
    connection.arrive(hello.host, hello.job);
    // It ran from the start of the job, or of the connection, to here.
    if (!open.empty()) open.front().deadline.reset();
}

void WorkerClient::State::handleLine(std::string_view line) {
    try {
        if (!greeted) {
            handleFirstLine(line);
            return;
        }
        handle(eventFromJsonLine(line));
    } catch (const MalformedJson& error) {
        refuse(notTheProtocol(line) + " (" + error.what() + ")");
    }
}

void WorkerClient::State::handle(WorkerEvent event) {
    sanitize(event);
    OpenRequest* const request = find(event.id);
    if (request == nullptr) {
        const bool ended = event.id != 0 && event.id < nextId;
        if (ended && sendAgain()) return;
        const auto* failure = std::get_if<Failure>(&event.body);
        refuse("the worker answered request " + std::to_string(event.id) +
               (ended ? ", which had ended" : ", which was never asked") +
               (failure ? ": " + failure->message : std::string()));
        return;
    }
    const std::string wrong = mismatch(*request, event);
    if (!wrong.empty()) {
        refuse(wrong);
        return;
    }
    const auto now = std::chrono::floor<std::chrono::seconds>(std::chrono::system_clock::now());
    std::optional<Failure> problem;
    if (const auto* measurement = std::get_if<Measurement>(&event.body)) {
        problem = implausibility(*measurement, now);
    } else if (const auto* program = std::get_if<ProgramMeasurement>(&event.body)) {
        problem = implausibility(*program, now);
    }
    if (problem && problem->kind != FailureKind::wrongResult) {
        refuse(problem->message);
        return;
    }
    if (problem) event.body = *problem;
    if (const auto* progress = std::get_if<Progress>(&event.body)) {
        if (++request->progressCount > mostProgress) {
            refuse("the worker wrote more than " + std::to_string(mostProgress) +
                   " lines about one request, last '" + progress->stage + "'");
            return;
        }
        if (progress->before) request->deadline.reset();
        request->stage = progress->stage;
        const std::string where = connection.where();
        if (!where.empty()) {
            event.body =
                Progress{where + ": " + progress->stage, progress->fraction, progress->before};
        }
    } else {
        remove(event.id);
        served = true;
    }
    ready.push_back(std::move(event));
}

void WorkerClient::State::refuse(const std::string& why) {
    endFirst(FailureKind::failed, why);
}

}  // namespace warplens
