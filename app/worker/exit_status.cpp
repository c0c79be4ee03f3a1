#include "app/worker/exit_status.h"

#include <cstring>
#include <sys/wait.h>

namespace warplens {
namespace {

constexpr int shellSignalBase = 128;

std::string signalInWords(int signal) {
    const char* name = ::sigdescr_np(signal);
    return "signal " + std::to_string(signal) + (name ? " (" + std::string(name) + ")" : "");
}

}  // namespace

std::string exitStatusInWords(int waitStatus) {
    if (WIFSIGNALED(waitStatus)) return "was ended by " + signalInWords(WTERMSIG(waitStatus));
    const int code = WEXITSTATUS(waitStatus);
    const int signal = code - shellSignalBase;
    if (signal > 0 && ::sigdescr_np(signal)) return "was ended by " + signalInWords(signal);
    return "exited with code " + std::to_string(code);
}

bool saysCommandNotFound(int waitStatus) {
    return WIFEXITED(waitStatus) &&
           (WEXITSTATUS(waitStatus) == 126 || WEXITSTATUS(waitStatus) == 127);
}

}  // namespace warplens
