// Who started the program keeps it from starting processes, from its first instruction on
// (kernels/programs/system_calls.h); here it is told so.
#include <cerrno>
#include <cstdio>
#include <string>

#include "kernels/trace/runtime/report.h"

namespace warplens::runtime {
namespace {

int refuse(const char* call) {
    static bool told = false;
    if (!told) sendNote(std::string("the program may start no other process: ") + call + " fails");
    told = true;
    errno = EAGAIN;
    return -1;
}

}  // namespace

}  // namespace warplens::runtime

using warplens::runtime::refuse;

extern "C" {

int fork() noexcept {
    return refuse("fork()");
}
int vfork() noexcept {
    return refuse("vfork()");
}
int system(const char* command) {
    return command == nullptr ? 0 : refuse("system()");
}
FILE* popen(const char*, const char*) {
    (void)refuse("popen()");
    return nullptr;
}

}  // extern "C"
