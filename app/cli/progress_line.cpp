#include "app/cli/progress_line.h"

#include <cstdio>
#include <unistd.h>

namespace warplens {

ProgressLine::ProgressLine() : terminal_(::isatty(STDERR_FILENO) == 1) {}

void ProgressLine::show(double fraction, const std::string& stage) {
    if (!terminal_) return;
    std::fprintf(stderr, "\r\033[K%3d %%  %s", static_cast<int>(fraction * 100), stage.c_str());
    shown_ = true;
}

void ProgressLine::clear() {
    if (shown_) std::fputs("\r\033[K", stderr);
    shown_ = false;
}

}  // namespace warplens
