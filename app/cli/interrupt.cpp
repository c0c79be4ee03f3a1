#include "app/cli/interrupt.h"

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

}  // namespace warplens
