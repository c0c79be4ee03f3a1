#include "kernels/programs/sandbox.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <string_view>
#include <sys/sysinfo.h>
#include <system_error>
#include <unistd.h>

#include "core/text/encoding.h"
#include "core/text/files.h"
#include "kernels/programs/program_cache.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t smallBytes = std::uint64_t{64} << 20;  // of /dev/shm and of its home
constexpr std::string_view homeOfPrograms = "/home/program";

/// Where a system keeps its libraries, headers and programs.
constexpr std::array<std::string_view, 9> systemFolders{
    "/usr", "/lib", "/lib32", "/lib64", "/libx32", "/bin", "/sbin", "/nix/store", "/gnu/store"};
/// What the loader and the compiler's names lead through.
/// Timers of courses read the processor's clock in the last.
constexpr std::array<std::string_view, 5> systemFiles{"/etc/ld.so.cache", "/etc/ld.so.conf",
                                                      "/etc/ld.so.conf.d", "/etc/alternatives",
                                                      "/proc/cpuinfo"};

std::atomic<bool> unconfined{false};

class CommandWords final {
  public:
    explicit CommandWords(const std::string& first) : all_{first} {}
    template <class... Words>
    void add(Words&&... words) {
        (all_.emplace_back(std::forward<Words>(words)), ...);
    }
    /// Memory that is theirs alone, of that many bytes.
    void addMemory(std::uint64_t bytes, std::string_view place) {
        add("--size", std::to_string(bytes), "--tmpfs", std::string(place));
    }
    [[nodiscard]] std::vector<std::string> take() { return std::move(all_); }

  private:
    std::vector<std::string> all_;
};

/// Nobody's user within namespaces of its own, without any capability, sees the system's programs
/// read-only and nothing else.
CommandWords namespacesOf(const std::string& bubblewrap, std::uint64_t scratchBytes) {
    CommandWords arguments(bubblewrap);
    arguments.add("--unshare-user", "--uid", "1000", "--gid", "1000", "--unshare-pid",
                  "--unshare-net", "--unshare-ipc", "--unshare-uts", "--unshare-cgroup-try",
                  "--hostname", "warplens", "--cap-drop", "ALL", "--die-with-parent");
    for (const std::string_view folder : systemFolders) {
        const std::string name(folder);
        std::error_code error;
        if (fs::is_symlink(name, error)) {
            arguments.add("--symlink", fs::read_symlink(name, error).string(), name);
        } else if (fs::is_directory(name, error)) {
            arguments.add("--ro-bind", name, name);
        }
    }
    for (const std::string_view file : systemFiles) {
        arguments.add("--ro-bind-try", std::string(file), std::string(file));
    }
    // There is no more of /proc: of a new one its root may write what belongs to the whole machine.
    arguments.addMemory(1 << 16, "/dev");
    for (const char* device : {"/dev/null", "/dev/random", "/dev/urandom"}) {
        arguments.add("--dev-bind", device, device);
    }
    arguments.addMemory(smallBytes, "/dev/shm");
    arguments.add("--remount-ro", "/dev");
    arguments.addMemory(scratchBytes, "/tmp");
    arguments.addMemory(smallBytes, homeOfPrograms);
    return arguments;
}

std::vector<std::string> cleanEnvironment(const std::vector<std::string>& own) {
    std::vector<std::string> all{"PATH=/usr/local/bin:/usr/bin:/bin",
                                 "HOME=" + std::string(homeOfPrograms), "LANG=C.UTF-8",
                                 "TMPDIR=/tmp"};
    all.insert(all.end(), own.begin(), own.end());
    return all;
}

/// What decides whether the trial goes well: what is asked of bubblewrap, and what the kernel and
/// who started this process allow.
std::string conditionsOf(const std::vector<std::string>& trial) {
    std::string all = std::to_string(geteuid());
    for (const std::string& word : trial) all += '\0' + word;
    std::error_code error;
    const fs::path program = fs::canonical(trial.front(), error);
    all += std::to_string(fs::last_write_time(program, error).time_since_epoch().count());
    for (const char* space : {"user", "mnt", "pid", "net"}) {
        all += fs::read_symlink("/proc/self/ns/" + std::string(space), error).string();
    }
    for (const char* file :
         {"random/boot_id", "unprivileged_userns_clone", "apparmor_restrict_unprivileged_userns",
          "../user/max_user_namespaces", "../../self/attr/current", "../../self/uid_map"}) {
        try {
            all += '\0' + readFile("/proc/sys/kernel/" + std::string(file));
        } catch (const std::system_error&) {
            all += '\0';  // not every kernel has it
        }
    }
    return digestOf(all);
}

/// A trial that went well holds for a day. Where it no longer should, bubblewrap refuses what it is
/// given: nothing runs outside of it.
bool isRemembered(const fs::path& file, const std::string& conditions) {
    try {
        constexpr auto day = std::chrono::hours(24);
        const auto age = fs::file_time_type::clock::now() - fs::last_write_time(file);
        return age < day && readFile(file) == conditions;
    } catch (const std::system_error&) {
        return false;
    }
}

/// Empty where nothing can be remembered.
fs::path memoryOfTrial() {
    try {
        return programCache() / "sandbox";
    } catch (const std::runtime_error&) {
        return {};
    }
}

std::string lastLine(std::string text) {
    while (text.ends_with('\n')) text.pop_back();
    return text.substr(text.rfind('\n') + 1);
}

}  // namespace

Sandbox::Sandbox() {
    constexpr const char* reach =
        ": a program that is run can reach your files and your other programs";
    const std::string found = findProgram("bwrap");
    if (found.empty()) {
        notHeld_ = std::string("bubblewrap is not installed") + reach;
        return;
    }
    CommandWords arguments = namespacesOf(found, smallBytes);
    arguments.add("--remount-ro", "/", "/bin/true");
    ChildCommand trial{.arguments = arguments.take(), .environment = cleanEnvironment({})};
    const fs::path memory = memoryOfTrial();
    const std::string conditions = conditionsOf(trial.arguments);
    if (isRemembered(memory, conditions)) {
        bubblewrap_ = found;
        return;
    }
    trial.limits.wall = std::chrono::seconds(10);
    const ChildResult result = runChild(trial);
    if (result.status == 0) {
        bubblewrap_ = found;
        try {
            if (!memory.empty()) writeFileAtomically(memory, conditions);
        } catch (const std::system_error&) {
            // The next process tries again.
        }
    } else {
        notHeld_ =
            "bubblewrap does not work here (" + lastLine(result.output) + ')' + std::string(reach);
    }
}

const Sandbox& Sandbox::ofThisMachine() {
    static const Sandbox found;
    return found;
}

ChildCommand Sandbox::confined(ChildCommand command, const Confinement& what) const {
    command.environment = cleanEnvironment(command.environment);
    command.folder = what.folder.string();
    if (!holds()) {
        if (!unconfined) throw NotConfined(notHeld_);
        return command;
    }
    CommandWords arguments = namespacesOf(bubblewrap_, what.scratchBytes);
    // What lies in others comes after them.
    std::vector<fs::path> readable = what.readable;
    std::ranges::sort(readable);
    for (const fs::path& path : readable) {
        if (!isOfTheSystem(path)) arguments.add("--ro-bind-try", path.string(), path.string());
    }
    for (const fs::path& path : what.unread) {
        arguments.add("--ro-bind-try", "/dev/null", path.string());  // which nobody can open there
    }
    for (const fs::path& path : what.writable) {
        arguments.add("--bind", path.string(), path.string());
    }
    const std::string folder = what.folder.empty() ? "/tmp" : what.folder.string();
    arguments.add("--dir", folder, "--chdir", folder);
    arguments.add("--remount-ro", "/", "--seccomp", std::to_string(command.filterDescriptor()));
    const std::string start = std::to_string(command.startDescriptor());
    arguments.add("--", "/bin/sh", "-c",
                  "printf '\\1' && read -r line <&" + start + " && exec \"$@\" " + start + "<&-",
                  "sh");
    std::vector<std::string> all = arguments.take();
    all.insert(all.end(), command.arguments.begin(), command.arguments.end());
    command.arguments = std::move(all);
    command.folder = {};
    command.readsFilter = true;
    return command;
}

void allowUnconfined() {
    unconfined = true;
}

bool isUnconfinedAllowed() {
    return unconfined;
}

bool isOfTheSystem(const fs::path& path) {
    return std::ranges::any_of(systemFolders, [&](std::string_view folder) {
        const fs::path root(folder);
        return std::mismatch(root.begin(), root.end(), path.begin(), path.end()).first ==
               root.end();
    });
}

std::uint64_t memoryLimit(std::uint64_t most) {
    struct sysinfo system {};
    if (sysinfo(&system) != 0) return most;
    const std::uint64_t all = std::uint64_t{system.totalram} * system.mem_unit;
    return std::min(most, all / 4 * 3);
}

}  // namespace warplens
