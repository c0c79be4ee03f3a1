#include "kernels/trace/runtime/no_processes.h"

#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <iterator>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "kernels/trace/runtime/report.h"

namespace warplens::runtime {
namespace {

constexpr std::uint32_t failWith(std::uint32_t error) {
    return SECCOMP_RET_ERRNO | error;
}

int refuse(const char* call) {
    static bool told = false;
    if (!told) sendNote(std::string("the program may start no other process: ") + call + " fails");
    told = true;
    errno = EAGAIN;
    return -1;
}

}  // namespace

void startNoProcesses() {
    constexpr auto load = BPF_LD | BPF_W | BPF_ABS;
    constexpr auto isEqual = BPF_JMP | BPF_JEQ | BPF_K;
    constexpr auto isAtLeast = BPF_JMP | BPF_JGE | BPF_K;
    constexpr auto hasBit = BPF_JMP | BPF_JSET | BPF_K;
    constexpr auto give = BPF_RET | BPF_K;
    constexpr std::uint32_t otherInterface = 0x40000000;  // x32
    sock_filter filter[] = {
        BPF_STMT(load, offsetof(seccomp_data, arch)),
        BPF_JUMP(isEqual, AUDIT_ARCH_X86_64, 0, 7),
        BPF_STMT(load, offsetof(seccomp_data, nr)),
        BPF_JUMP(isAtLeast, otherInterface, 5, 0),
        BPF_JUMP(isEqual, SYS_clone3, 4, 0),  // its flags cannot be seen: the C library takes clone
        BPF_JUMP(isEqual, SYS_fork, 6, 0),
        BPF_JUMP(isEqual, SYS_vfork, 5, 0),
        BPF_JUMP(isEqual, SYS_clone, 2, 0),
        BPF_STMT(give, SECCOMP_RET_ALLOW),
        BPF_STMT(give, failWith(ENOSYS)),
        BPF_STMT(load, offsetof(seccomp_data, args[0])),
        BPF_JUMP(hasBit, CLONE_THREAD, 1, 0),
        BPF_STMT(give, failWith(EAGAIN)),
        BPF_STMT(give, SECCOMP_RET_ALLOW),
    };
    const sock_fprog program{static_cast<unsigned short>(std::size(filter)), filter};
    if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 ||
        prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) != 0) {
        sendNote("this system cannot keep the program from starting processes");
    }
}

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
