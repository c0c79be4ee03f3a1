// A worker that plays a part instead of measuring, for tests of those who talk to one.
//
//   warplens-worker-stub PART [--once FILE]
//
// With --once the part is played until FILE exists, which playing it creates; from then on this is
// a worker that answers. Parts: see `play`.
#include <array>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>
#include <deque>
#include <fstream>
#include <iostream>
#include <optional>
#include <poll.h>
#include <span>
#include <string>
#include <thread>
#include <unistd.h>

#include "core/course/course.h"
#include "core/measurement/worker_protocol.h"
#include "core/text/format.h"
#include "kernels/turns/gpu_lock.h"
#include "tests/worker_stub/scripted_measurement.h"
#include "tests/worker_stub/scripted_program_measurement.h"

namespace {

using namespace warplens;
using namespace std::chrono_literals;

void say(std::uint64_t id, auto body) {
    std::cout << toJsonLine(WorkerEvent{id, std::move(body)}) << '\n' << std::flush;
}

/// Devices have names of their own: by what was asked for, and by the node of a cluster.
std::string deviceSuffix(const DeviceChoice& device) {
    const char* const node = std::getenv("SLURMD_NODENAME");
    return (device.empty() ? "" : "-" + device) + (node != nullptr ? "-" + std::string(node) : "");
}

/// What is asked for, as if it were measured here and now.
std::string nowUtc() {
    std::array<char, 32> now{};
    const std::time_t seconds = std::time(nullptr);
    std::tm utc{};
    std::strftime(now.data(), now.size(), "%Y-%m-%dT%H:%M:%SZ", ::gmtime_r(&seconds, &utc));
    return now.data();
}
Measurement answerTo(const MeasureRequest& request) {
    Measurement made = tests::scriptedMeasurement(request.experiment);
    made.takenAt = nowUtc();
    made.version = version();
    made.kernelDigest = request.kernelDigest;
    made.device.uuid += deviceSuffix(request.device);
    return made;
}
ProgramMeasurement answerTo(const MeasureProgramRequest& request) {
    ProgramMeasurement made = tests::scriptedProgramMeasurement(request);
    made.takenAt = nowUtc();
    made.version = version();
    made.device.uuid += deviceSuffix(request.device);
    return made;
}

void answer(const WorkerRequest& request) {
    if (const auto* measure = std::get_if<MeasureRequest>(&request.body)) {
        say(request.id, Progress{"allocating", 0.1});
        say(request.id, Progress{"timing", 0.5});
        say(request.id, answerTo(*measure));
    } else if (const auto* program = std::get_if<MeasureProgramRequest>(&request.body)) {
        say(request.id, Progress{"compiling", 0});
        say(request.id, Progress{"timing", 0.2});
        say(request.id, answerTo(*program));
    } else if (std::holds_alternative<DescribeRequest>(request.body)) {
        say(request.id, Description{.device = tests::scriptedMeasurement({}).device,
                                    .deviceReason = "",
                                    .countersAvailable = false,
                                    .countersReason = "scripted: no counters",
                                    .version = version(),
                                    .devices = {{"scripted", "GPU-0", "9.0"}}});
    }
}

/// Requests from standard input; those read while looking for a cancel are kept for their turn.
class Requests final {
  public:
    /// Waits for the next one that is no cancel; ends the program at
    /// the end of the input.
    WorkerRequest next() {
        while (true) {
            while (waiting_.empty()) read();
            WorkerRequest request = std::move(waiting_.front());
            waiting_.pop_front();
            if (!std::holds_alternative<CancelRequest>(request.body)) return request;
        }
    }
    /// Waits up to `time` for the request to be cancelled; true when it was.
    bool cancelledWithin(std::uint64_t id, std::chrono::milliseconds time) {
        const auto until = std::chrono::steady_clock::now() + time;
        while (std::chrono::steady_clock::now() < until) {
            pollfd input{STDIN_FILENO, POLLIN, 0};
            if (::poll(&input, 1, 10) > 0) read();
            for (const WorkerRequest& request : waiting_) {
                const auto* cancel = std::get_if<CancelRequest>(&request.body);
                if (cancel && cancel->target == id) return true;
            }
        }
        return false;
    }

  private:
    void read() {
        char piece[4096];
        const ssize_t count = ::read(STDIN_FILENO, piece, sizeof piece);
        if (count <= 0) std::exit(0);
        text_.append(piece, static_cast<std::size_t>(count));
        for (std::size_t end; (end = text_.find('\n')) != std::string::npos;) {
            const std::string line = text_.substr(0, end);
            std::uint64_t frame = 0;
            WorkerRequest request =
                requestFromJsonLine(line, [&](std::uint64_t bytes) { frame = bytes; });
            if (text_.size() - end - 1 < frame) return;
            if (auto* program = std::get_if<MeasureProgramRequest>(&request.body)) {
                program->inputs =
                    launchInputsFromFrame(std::as_bytes(std::span(text_).subspan(end + 1, frame)));
            }
            if (const auto* course = std::get_if<CourseRequest>(&request.body)) {
                openCourse(courseOfTexts(course->name, course->kernels));
            } else {
                waiting_.push_back(std::move(request));
            }
            text_.erase(0, end + 1 + frame);
        }
    }
    std::string text_;
    std::deque<WorkerRequest> waiting_;
};

/// Ten seconds of progress, unless cancelled.
void answerSlowly(const WorkerRequest& request, Requests& requests) {
    for (int step = 0; step < 100; ++step) {
        say(request.id, Progress{"timing", step / 100.0});
        if (requests.cancelledWithin(request.id, 100ms)) {
            say(request.id, Failure{FailureKind::cancelled, "cancelled"});
            return;
        }
    }
    answer(request);
}

/// A worker that takes its time: `takes-200` milliseconds. Says so when it is cancelled.
void answerLater(const WorkerRequest& request, Requests& requests, std::chrono::milliseconds time) {
    say(request.id, Progress{"timing", 0.5});
    if (requests.cancelledWithin(request.id, time)) {
        say(request.id, Failure{FailureKind::cancelled, "cancelled"});
    } else {
        answer(request);
    }
}

/// The same in its turn among all who do so, `shares-200`, by the queue that the real worker uses.
void answerInTurn(const WorkerRequest& request, Requests& requests,
                  std::chrono::milliseconds time) {
    std::stop_source stop;
    const auto turn = GpuQueue("GPU-00000000-scripted")
                          .wait(
                              [&](const PlaceInQueue& place) {
                                  say(request.id, Progress{inWords(place), 0, place.before});
                                  if (requests.cancelledWithin(request.id, 1ms))
                                      stop.request_stop();
                              },
                              stop.get_token());
    if (turn) return answerLater(request, requests, time);
    say(request.id, Failure{FailureKind::cancelled, "cancelled"});
}

/// `200` of `takes-200`.
std::chrono::milliseconds timeIn(const std::string& part) {
    return std::chrono::milliseconds(std::stoi(part.substr(part.find('-') + 1)));
}

[[noreturn]] void stayForever() {
    while (true) std::this_thread::sleep_for(1s);
}

/// Parts that end the process, at different moments of a request.
void playEnd(const std::string& part, const WorkerRequest& request) {
    if (part == "crashes") {
        say(request.id, Progress{"timing", 0.5});
        std::raise(SIGKILL);
    }
    if (part == "crashes-before-answering") std::raise(SIGKILL);
    if (part == "crashes-after-answering") {
        answer(request);
        std::raise(SIGKILL);
    }
    if (part == "exits") {
        std::cerr << "first trouble\nlast words\n";
        std::exit(3);
    }
    // As the real worker does after a fault of the device, whose driver takes its time.
    if (part == "faults") {
        say(request.id, Progress{"checking the result", 0.1});
        say(request.id, Failure{FailureKind::failed, "scripted: the kernel faulted"});
        std::this_thread::sleep_for(300ms);
        std::_Exit(1);
    }
    if (part == "half-line") {
        std::cout << R"({"id": 1, "event": "resu)" << std::flush;
        std::exit(0);
    }
    if (part == "garbage") {
        std::cout << "\x7f"
                     "ELF\x02\x01\xff\xfe"
                  << std::flush;
        std::exit(5);
    }
}

/// Parts that write without end.
void playFlood(const std::string& part, const WorkerRequest& request) {
    const std::string piece(1 << 20, 'x');
    if (part == "endless-line") {
        while (true) std::cout << piece;
    }
    if (part == "endless-lines") {
        while (true) say(request.id, Progress{"timing", 0.5});
    }
    if (part == "endless-lines-after-answering") {
        answer(request);
        while (true) say(request.id, Progress{"timing", 0.5});
    }
    if (part == "endless-errors") {
        while (true) std::cerr << "warning that nobody needs to read in full\n";
    }
    if (part == "endless-error-line") {
        while (true) std::cerr << piece;
    }
    if (part == "floods-errors") {
        for (int line = 0; line < 20'000; ++line) {
            std::cerr << "warning " << line << " that nobody needs to read in full\n";
        }
        answer(request);
    }
    if (part == "long-words") {
        say(request.id, Progress{"timing \x1b[2J" + piece, 0.5});
        say(request.id, Failure{FailureKind::failed, "scripted: \x1b]0;title\x07" + piece});
    }
}

/// Parts that say something else than they should.
void playLie(const std::string& part, const WorkerRequest& request) {
    if (part == "nonsense") {
        std::cout << "Welcome to the cluster!\n" << std::flush;
        stayForever();
    }
    if (part == "nested") {
        std::cout << R"({"id": 1, "event": )" << std::string(1 << 20, '[') << '\n' << std::flush;
        stayForever();
    }
    if (part == "wrong-id") {
        say(request.id + 41, Progress{"timing", 0.5});
        stayForever();
    }
    if (part == "answers-twice") {
        answer(request);
        answer(request);
        stayForever();
    }
    if (part == "other-experiment") {
        say(request.id, tests::scriptedMeasurement(initialExperiment(allScenarios().back())));
        stayForever();
    }
    if (part == "other-source") {
        Measurement other = answerTo(std::get<MeasureRequest>(request.body));
        other.kernelDigest = "0123456789abcdef";
        say(request.id, other);
        stayForever();
    }
    if (const auto* program = std::get_if<MeasureProgramRequest>(&request.body);
        program != nullptr && part.starts_with("lies-")) {
        ProgramMeasurement lie = answerTo(*program);
        lie.timing.medianSeconds = -1;
        say(request.id, lie);
        stayForever();
    }
    if (part.starts_with("lies-")) {
        say(request.id, tests::implausible(answerTo(std::get<MeasureRequest>(request.body)),
                                           part.substr(std::strlen("lies-"))));
        stayForever();
    }
    if (part == "closes-output") {
        ::close(STDOUT_FILENO);
        stayForever();
    }
}

void play(const std::string& part, const WorkerRequest& request, Requests& requests) {
    if (part == "answers") return answer(request);
    if (part == "slow") return answerSlowly(request, requests);
    if (part.starts_with("takes-")) return answerLater(request, requests, timeIn(part));
    if (part.starts_with("shares-")) return answerInTurn(request, requests, timeIn(part));
    if (part == "hangs") {
        say(request.id, Progress{"timing", 0.5});
        stayForever();
    }
    if (part == "hangs-before-answering") stayForever();
    if (part == "no-gpu") {
        return say(request.id, Failure{FailureKind::impossible, "scripted: no GPU here"});
    }
    if (part == "no-words") return say(request.id, Failure{FailureKind::failed, " \n"});
    if (part == "wrong-result") {
        return say(request.id, Failure{FailureKind::wrongResult, "scripted: element 7 differs"});
    }
    if (part == "no-schedule" && std::get<MeasureRequest>(request.body).schedule) {
        return say(request.id, Failure{FailureKind::invalid, "scripted: a schedule was asked for"});
    }
    if (part == "no-schedule") return answer(request);
    if (part == "too-large") {
        return say(request.id, Failure{FailureKind::invalid, "scripted: memory = 2: at most 1"});
    }
    for (const char* known : {"floods-errors", "long-words"}) {
        if (part == known) return playFlood(part, request);
    }
    playEnd(part, request);
    playFlood(part, request);
    playLie(part, request);
    std::cerr << "no such part: " << part << '\n';
    std::exit(64);
}

/// What stands before a worker's own words, and what it says of itself.
void greet(const std::string& part) {
    if (part == "banner") std::cout << "\n  Welcome to lab-gpu!  \nQuota: 80 %\n";
    if (part == "endless-banner") {
        while (true) std::cout << "Welcome to lab-gpu!\n";
    }
    if (part == "shell-prompt") {
        std::cout << "lab-gpu$ \n" << std::flush;
        stayForever();
    }
    if (part == "no-hello") return;
    const char* const job = std::getenv("SLURM_JOB_ID");
    const char* const node = std::getenv("SLURMD_NODENAME");
    std::string hello = toJsonLine(
        WorkerEvent{0, Hello{part == "other-version" ? "99.0.0" : version(),
                             node != nullptr ? node : "lab-gpu", job != nullptr ? job : ""}});
    if (part == "other-protocol") hello.replace(hello.find("event/") + 6, 1, "9");
    std::cout << hello << '\n' << std::flush;
}

}  // namespace

int main(int argumentCount, char** arguments) {
    std::string part = argumentCount > 1 ? arguments[1] : "answers";
    const std::optional<std::string> once =
        argumentCount > 3 ? std::optional<std::string>(arguments[3]) : std::nullopt;
    if (once && std::ifstream(*once)) part = "answers";
    greet(part);
    for (const char* greeting : {"banner", "no-hello", "other-version", "other-protocol"}) {
        if (part == greeting) part = "answers";
    }
    Requests requests;
    while (true) {
        const WorkerRequest request = requests.next();
        const auto* const description = std::get_if<DescribeRequest>(&request.body);
        if (description != nullptr && description->name) {
            answer(request);  // what every part begins with
            continue;
        }
        if (once && std::ifstream(*once)) part = "answers";
        if (once) std::ofstream{*once};
        play(part, request, requests);
    }
}
