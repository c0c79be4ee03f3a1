#include "app/cli/progress.h"

#include <algorithm>
#include <cstdio>
#include <unistd.h>
#include <utility>

#include "core/text/encoding.h"
#include "kernels/programs/child_process.h"

namespace warplens {
namespace {

volatile std::sig_atomic_t notedSignal = 0;
int notersAlive = 0;

void noteSignal(int signal) {
    if (notedSignal == 0) {
        notedSignal = signal;
        return;
    }
    endAllChildren();
    std::signal(signal, SIG_DFL);
    std::raise(signal);
}

using namespace std::chrono_literals;

constexpr auto worthTelling = 1s;
constexpr auto betweenLines = 200ms;
constexpr auto betweenTold = 10s;
constexpr std::size_t longestStage = 200;

}  // namespace

InterruptNoted::InterruptNoted() {
    if (notersAlive++ != 0) return;
    notedSignal = 0;
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction noted {};
        noted.sa_handler = noteSignal;
        Handler handler{signal, {}};
        ::sigaction(signal, nullptr, &handler.before);
        if (handler.before.sa_handler == SIG_IGN) continue;
        ::sigaction(signal, &noted, nullptr);
        handlers_.push_back(handler);
    }
}

InterruptNoted::~InterruptNoted() {
    --notersAlive;
    for (const Handler& handler : handlers_) ::sigaction(handler.signal, &handler.before, nullptr);
}

int InterruptNoted::signal() {
    return notedSignal;
}

ExitCode exitCodeForSignal(int signal) {
    return static_cast<ExitCode>(signalCodes + signal);
}

void endIfInterrupted(const std::string& message) {
    if (!InterruptNoted::happened()) return;
    throw CommandFailed(exitCodeForSignal(InterruptNoted::signal()), message);
}

ProgressLine::ProgressLine(std::string stage, bool takesMinutes)
    : isTerminal_(::isatty(STDERR_FILENO) == 1),
      begun_(std::chrono::steady_clock::now()),
      stage_(std::move(stage)) {
    if (!isTerminal_ && !takesMinutes) return;
    writer_ = std::jthread([this](const std::stop_token& ending) { write(ending); });
}

ProgressLine::~ProgressLine() = default;

void ProgressLine::show(std::optional<double> fraction, std::optional<std::string> stage) {
    const std::lock_guard lock(mutex_);
    hidden_ = false;
    fraction_ = fraction;
    if (fraction_) fraction_ = std::clamp(*fraction_, 0.0, 1.0);
    if (stage) stage_ = std::move(*stage);
}

void ProgressLine::clear() {
    const std::lock_guard lock(mutex_);
    hidden_ = true;
    if (std::exchange(written_, false)) std::fputs("\r\033[K", stderr);
}

void ProgressLine::write(const std::stop_token& ending) {
    std::unique_lock lock(mutex_);
    const auto never = [] { return false; };
    while (!isTerminal_ && !ending.stop_requested()) {
        changed_.wait_for(lock, ending, betweenTold, never);
        if (!ending.stop_requested() && !hidden_)
            std::fprintf(stderr, "warplens: %s ...\n", sanitizedLine(stage_, longestStage).c_str());
    }
    changed_.wait_for(lock, ending, worthTelling, never);
    if (ending.stop_requested()) return;
    while (!ending.stop_requested()) {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begun_;
        const std::string stage = sanitizedLine(stage_, longestStage);
        if (hidden_) {
            // Until there is something to show.
        } else if (fraction_) {
            std::fprintf(stderr, "\r\033[K%3d %%  %s", static_cast<int>(*fraction_ * 100),
                         stage.c_str());
        } else {
            std::fprintf(stderr, "\r\033[K%3d s  %s", static_cast<int>(passed.count()),
                         stage.c_str());
        }
        written_ = written_ || !hidden_;
        changed_.wait_for(lock, ending, betweenLines, never);
    }
    if (written_) std::fputs("\r\033[K", stderr);
}

}  // namespace warplens
