#include "app/cli/interrupt.h"

namespace warplens {
namespace {

volatile std::sig_atomic_t interrupted = 0;

}  // namespace

InterruptNoted::InterruptNoted() {
    interrupted = 0;
    struct sigaction noted {};
    noted.sa_handler = [](int) { interrupted = 1; };
    noted.sa_flags = static_cast<int>(SA_RESETHAND);
    ::sigaction(SIGINT, &noted, &before_);
}

InterruptNoted::~InterruptNoted() {
    ::sigaction(SIGINT, &before_, nullptr);
}

bool InterruptNoted::happened() {
    return interrupted != 0;
}

}  // namespace warplens
