// What a hostile program tries, each attempt on a line: `ATTEMPT name reached` or `held`. Nothing is
// changed where one succeeds. The script beside it (attacks.py) defines the paths.
#include <arpa/inet.h>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <spawn.h>
#include <string>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <sys/uio.h>
#include <sys/un.h>
#include <unistd.h>

__global__ void nothing() {}

static int forkedBeforeMain;
static void forkEarly() {
    const long child = syscall(SYS_fork);
    if (child == 0) _exit(0);
    if (child > 0) ++forkedBeforeMain;
}
__attribute__((section(".preinit_array"), used)) static void (*const first)() = forkEarly;
__attribute__((constructor(101))) static void construct() { forkEarly(); }

static void tell(const char* name, bool reached) {
    std::printf("ATTEMPT %s %s\n", name, reached ? "reached" : "held");
    std::fflush(stdout);
}
static bool opens(const char* path, int flags = O_RDONLY) {
    const int file = open(path, flags);
    if (file >= 0) close(file);
    return file >= 0;
}
static bool reads(const char* path) {
    char byte;
    const int file = open(path, O_RDONLY | O_NONBLOCK);
    return file >= 0 && read(file, &byte, 1) == 1;
}
static bool holdsText(const char* path, const char* text) {
    static char all[1 << 16];
    const int file = open(path, O_RDONLY);
    const ssize_t size = file < 0 ? 0 : read(file, all, sizeof all);
    return size > 0 && memmem(all, static_cast<std::size_t>(size), text, std::strlen(text)) != nullptr;
}
static bool lists(const char* folder, const char* name) {
    DIR* const all = opendir(folder);
    while (all != nullptr) {
        const dirent* const entry = readdir(all);
        if (entry == nullptr) break;
        if (std::strcmp(entry->d_name, name) == 0) return true;
    }
    return false;
}
static bool creates(const std::string& path) {
    const int file = open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL, 0600);
    if (file >= 0) unlink(path.c_str());
    return file >= 0;
}
static bool connects(int family, const void* address, socklen_t size) {
    const int socket = ::socket(family, SOCK_STREAM, 0);
    return socket >= 0 && connect(socket, static_cast<const sockaddr*>(address), size) == 0;
}
static bool connectsToFile(const char* path, bool isAbstract = false) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path + isAbstract, path, sizeof address.sun_path - 2);
    const auto length = offsetof(sockaddr_un, sun_path) + isAbstract + std::strlen(path);
    return connects(AF_UNIX, &address, static_cast<socklen_t>(length));
}
static bool writesMore(const std::string& folder, int mebibytes) {
    static char block[1 << 20];
    std::memset(block, 1, sizeof block);
    bool all = true;
    int written = 0;
    for (int i = 0; all && written < mebibytes; ++i) {
        const std::string path = folder + "/attempt" + std::to_string(i);
        const int file = open(path.c_str(), O_WRONLY | O_CREAT, 0600);
        all = file >= 0;
        for (int k = 0; all && k < 32 && written < mebibytes; ++k, ++written) {
            all = write(file, block, sizeof block) == sizeof block;
        }
        if (file >= 0) close(file);
    }
    for (int i = 0; i < 64; ++i) unlink((folder + "/attempt" + std::to_string(i)).c_str());
    return all;
}
static void* waits(void*) {
    for (;;) pause();
}

int main() {
    nothing<<<1, 32>>>();
    tell("private-file-in-home", reads(HOME "/.private"));
    tell("list-home", lists(HOME, ".private"));
    tell("file-of-others-in-tmp", reads(OTHERS "/secret"));
    tell("list-tmp", lists("/tmp", OTHERS_NAME));
    tell("etc-passwd", reads("/etc/passwd"));
    tell("etc-shadow", reads("/etc/shadow"));
    tell("list-the-cache", lists(HOME "/.cache/warplens", "work"));
    tell("neighbour-of-the-source", reads(FOLDER "/neighbour"));
    tell("write-beside-the-source", creates(FOLDER "/written"));
    tell("write-in-usr", creates("/usr/attempt"));
    tell("write-in-root", creates("/attempt"));
    tell("write-in-dev", creates("/dev/attempt"));
    tell("change-the-cached-program", opens(HOME "/.cache/warplens/programs", O_TMPFILE | O_RDWR));

    tell("host-proc", opens(("/proc/" BYSTANDER "/status")));
    tell("environment-of-others", holdsText("/proc/" BYSTANDER "/environ", "ATTACK_SECRET") ||
                                      holdsText("/proc/1/environ", "ATTACK_SECRET"));
    tell("own-environment", std::getenv("ATTACK_SECRET") != nullptr);
    tell("core-pattern", opens("/proc/sys/kernel/core_pattern", O_WRONLY));
    tell("sysrq", opens("/proc/sysrq-trigger", O_WRONLY));
    tell("sys", opendir("/sys/class") != nullptr);
    tell("kernel-log", opens("/dev/kmsg") || opens("/proc/kmsg"));
    tell("terminal", opens("/dev/tty", O_RDWR));
    tell("inherited-descriptor", fcntl(1500, F_GETFD) >= 0);

    tell("signal-another", kill(std::atoi(BYSTANDER), 0) == 0);
    tell("signal-all", kill(-1, 0) == 0);
    tell("trace-another", syscall(SYS_ptrace, 16, std::atoi(BYSTANDER), 0, 0) == 0);
    char byte = 0;
    iovec here{&byte, 1};
    iovec there{reinterpret_cast<void*>(std::strtoull(BYSTANDER_ADDRESS, nullptr, 10)), 1};
    tell("memory-of-another", process_vm_readv(std::atoi(BYSTANDER), &here, 1, &there, 1, 0) == 1);

    struct {
        unsigned version;
        int pid;
    } head{0x20080522, 0};
    unsigned sets[6] = {};
    syscall(SYS_capget, &head, sets);
    tell("capabilities", (sets[0] | sets[3]) != 0);
    tell("mount", mount("none", "/tmp", "tmpfs", 0, nullptr) == 0);
    tell("remount-writable", mount(nullptr, "/usr", nullptr, MS_REMOUNT | MS_BIND, nullptr) == 0);
    tell("write-in-usr-remounted", creates("/usr/attempt"));
    tell("remount-root-writable", mount(nullptr, "/", nullptr, MS_REMOUNT | MS_BIND, nullptr) == 0);
    tell("write-in-root-remounted", creates("/attempt"));
    tell("new-user-namespace", unshare(CLONE_NEWUSER) == 0);
    tell("chroot", chroot("/") == 0);
    tell("device-node", mknod("/tmp/device", S_IFBLK | 0600, makedev(ROOT_MAJOR, ROOT_MINOR)) == 0 &&
                            opens("/tmp/device"));
    tell("host-name", sethostname("attempt", 7) == 0);
    tell("file-handles", syscall(SYS_open_by_handle_at, AT_FDCWD, &head, 0) < 0 && errno != EPERM);

    tell("socket-file-in-tmp", connectsToFile(OTHERS "/socket"));
    tell("socket-file-in-run", connectsToFile("/run/" OTHERS_NAME ".socket"));
    tell("socket-beside-the-source", connectsToFile(FOLDER "/socket"));
    tell("abstract-socket", connectsToFile(OTHERS_NAME, true));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(PORT);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    tell("tcp-of-this-machine", connects(AF_INET, &address, sizeof address));
    tell("udp-socket", socket(AF_INET, SOCK_DGRAM, 0) >= 0);

    tell("keys-of-the-session", syscall(SYS_keyctl, 0, -3, 0) > 0);
    tell("io-uring", syscall(SYS_io_uring_setup, 1, nullptr) < 0 && errno == EFAULT);
    tell("bpf", syscall(SYS_bpf, 0, nullptr, 0) < 0 && errno != ENOSYS && errno != EPERM);
    tell("perf", syscall(SYS_perf_event_open, nullptr, 0, -1, -1, 0) < 0 && errno == EFAULT);
    tell("userfaultfd", syscall(SYS_userfaultfd, 1) >= 0);
    tell("memory-file", syscall(SYS_memfd_create, "x", 0) >= 0);
    tell("system-v-memory", syscall(SYS_shmget, 0, 4096, 01600) >= 0);
    tell("dev-shm-without-end", writesMore("/dev/shm", 100));
    tell("tmp-without-end", writesMore("/tmp", 300));
    rlimit files{1 << 20, 1 << 20};
    tell("raise-own-limits", setrlimit(RLIMIT_NOFILE, &files) == 0);
    tell("priority", setpriority(PRIO_PROCESS, 0, -10) == 0);

    tell("fork-before-main", forkedBeforeMain > 0);
    const long forked = syscall(SYS_fork);
    if (forked == 0) _exit(0);
    tell("fork", forked > 0);
    pid_t spawned = 0;
    char* words[] = {const_cast<char*>("true"), nullptr};
    tell("spawn", posix_spawn(&spawned, "/bin/true", nullptr, nullptr, words, environ) == 0);
    const long cloned = syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (cloned == 0) _exit(0);
    tell("clone", cloned > 0);
    std::printf("ATTEMPTS DONE\n");
    std::fflush(stdout);
#ifdef THREADS
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 16384);
    int threads = 0;
    pthread_t thread;
    while (threads < 6000 && pthread_create(&thread, &small, waits, nullptr) == 0) ++threads;
    usleep(200000);
    tell("more-than-4096-threads", threads > 4200);
#endif
}
