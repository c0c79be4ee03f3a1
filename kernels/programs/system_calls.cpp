#include "kernels/programs/system_calls.h"

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

namespace warplens {
namespace {

constexpr std::uint32_t fails(std::uint32_t error) {
    return SECCOMP_RET_ERRNO | error;
}

constexpr auto load = BPF_LD | BPF_W | BPF_ABS;
constexpr auto isEqual = BPF_JMP | BPF_JEQ | BPF_K;
constexpr auto isAtLeast = BPF_JMP | BPF_JGE | BPF_K;
constexpr auto hasBit = BPF_JMP | BPF_JSET | BPF_K;
constexpr auto give = BPF_RET | BPF_K;

struct Refused final {
    std::uint32_t call;
    std::uint32_t error;
};

/// What reaches beyond the namespaces, or takes memory that no limit counts.
constexpr Refused refused[] = {
    {SYS_socket, EACCES},
    {SYS_clone3, ENOSYS},  // its flags cannot be seen: the C library takes clone
    {SYS_unshare, EPERM},
    {SYS_setns, EPERM},
    {SYS_mount, EPERM},
    {SYS_umount2, EPERM},
    {SYS_pivot_root, EPERM},
    {SYS_chroot, EPERM},
    {SYS_open_tree, ENOSYS},
    {SYS_move_mount, ENOSYS},
    {SYS_fsopen, ENOSYS},
    {SYS_fsconfig, ENOSYS},
    {SYS_fsmount, ENOSYS},
    {SYS_fspick, ENOSYS},
    {SYS_mount_setattr, ENOSYS},
    {SYS_keyctl, ENOSYS},
    {SYS_add_key, ENOSYS},
    {SYS_request_key, ENOSYS},
    {SYS_bpf, ENOSYS},
    {SYS_perf_event_open, ENOSYS},
    {SYS_userfaultfd, ENOSYS},
    {SYS_io_uring_setup, ENOSYS},
    {SYS_io_uring_enter, ENOSYS},
    {SYS_io_uring_register, ENOSYS},
    {SYS_ptrace, EPERM},
    {SYS_process_vm_readv, EPERM},
    {SYS_process_vm_writev, EPERM},
    {SYS_pidfd_getfd, EPERM},
    {SYS_memfd_create, ENOSYS},
    {SYS_memfd_secret, ENOSYS},
    {SYS_shmget, ENOSYS},
    {SYS_msgget, ENOSYS},
    {SYS_semget, ENOSYS},
    {SYS_mq_open, ENOSYS},
    {SYS_name_to_handle_at, EPERM},
    {SYS_open_by_handle_at, EPERM},
    {SYS_fanotify_init, EPERM},
    {SYS_syslog, EPERM},
    {SYS_acct, EPERM},
    {SYS_quotactl, EPERM},
    {SYS_swapon, EPERM},
    {SYS_swapoff, EPERM},
    {SYS_reboot, EPERM},
    {SYS_sethostname, EPERM},
    {SYS_setdomainname, EPERM},
    {SYS_settimeofday, EPERM},
    {SYS_clock_settime, EPERM},
    {SYS_adjtimex, EPERM},
    {SYS_clock_adjtime, EPERM},
    {SYS_iopl, EPERM},
    {SYS_ioperm, EPERM},
    {SYS_modify_ldt, EPERM},
    {SYS_init_module, EPERM},
    {SYS_finit_module, EPERM},
    {SYS_delete_module, EPERM},
    {SYS_kexec_load, EPERM},
    {SYS_kexec_file_load, EPERM},
};

}  // namespace

std::vector<sock_filter> filterOf(SystemCalls calls) {
    if (calls == SystemCalls::all) return {};
    std::vector<sock_filter> filter;
    const auto add = [&](sock_filter instruction) { filter.push_back(instruction); };
    const auto refuse = [&](std::uint32_t call, std::uint32_t error) {
        add(BPF_JUMP(isEqual, call, 0, 1));
        add(BPF_STMT(give, fails(error)));
    };
    constexpr std::uint32_t otherInterface = 0x40000000;  // x32
    add(BPF_STMT(load, offsetof(seccomp_data, arch)));
    add(BPF_JUMP(isEqual, AUDIT_ARCH_X86_64, 1, 0));
    add(BPF_STMT(give, fails(ENOSYS)));
    add(BPF_STMT(load, offsetof(seccomp_data, nr)));
    add(BPF_JUMP(isAtLeast, otherInterface, 0, 1));
    add(BPF_STMT(give, fails(ENOSYS)));
    for (const Refused& each : refused) refuse(each.call, each.error);
    if (calls == SystemCalls::ofProgram) {
        refuse(SYS_fork, EAGAIN);
        refuse(SYS_vfork, EAGAIN);
    }
    add(BPF_JUMP(isEqual, SYS_clone, 1, 0));
    add(BPF_STMT(give, SECCOMP_RET_ALLOW));
    add(BPF_STMT(load, offsetof(seccomp_data, args[0])));
    if (calls == SystemCalls::ofProgram) {
        add(BPF_JUMP(hasBit, CLONE_THREAD, 1, 0));
        add(BPF_STMT(give, fails(EAGAIN)));
    }
    add(BPF_JUMP(hasBit,
                 CLONE_NEWUSER | CLONE_NEWNS | CLONE_NEWPID | CLONE_NEWNET | CLONE_NEWIPC |
                     CLONE_NEWUTS | CLONE_NEWCGROUP,
                 0, 1));
    add(BPF_STMT(give, fails(EPERM)));
    add(BPF_STMT(give, SECCOMP_RET_ALLOW));
    return filter;
}

bool keepTo(const std::vector<sock_filter>& filter) {
    if (filter.empty()) return true;
    const sock_fprog program{static_cast<unsigned short>(filter.size()),
                             const_cast<sock_filter*>(filter.data())};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

}  // namespace warplens
