#include "app/worker/exit_status.h"

#include <cstring>
#include <sys/wait.h>

namespace warplens {
namespace {

constexpr int shellSignalBase = 128;

/// The signal that ended the process, or the command of the shell that it was; 0 when none did.
int endingSignal(int waitStatus) {
    if (WIFSIGNALED(waitStatus)) return WTERMSIG(waitStatus);
    const int signal = WEXITSTATUS(waitStatus) - shellSignalBase;
    return signal > 0 && ::sigdescr_np(signal) ? signal : 0;
}

}  // namespace

std::string exitStatusInWords(int waitStatus) {
    const int signal = endingSignal(waitStatus);
    if (signal == 0) return "exited with code " + std::to_string(WEXITSTATUS(waitStatus));
    const char* name = ::sigdescr_np(signal);
    return "was ended by signal " + std::to_string(signal) +
           (name ? " (" + std::string(name) + ")" : "");
}

bool isShellsNotice(const std::string& line, int waitStatus) {
    const char* name = ::sigdescr_np(endingSignal(waitStatus));
    return name && line.starts_with(name);
}

bool saysCommandNotFound(int waitStatus) {
    return WIFEXITED(waitStatus) &&
           (WEXITSTATUS(waitStatus) == 126 || WEXITSTATUS(waitStatus) == 127);
}

}  // namespace warplens
