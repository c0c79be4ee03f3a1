#include "kernels/programs/control_group.h"

#include <atomic>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <fstream>
#include <sstream>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace warplens {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view nameOfOurs = "warplens-";

/// A controller's folder in the hierarchy that is mounted at `root`.
struct Place final {
    fs::path root;
    fs::path folder;
    bool isSecondVersion = false;
};

/// These files take a text in one piece or refuse it.
bool put(const fs::path& file, const std::string& text) {
    const FileDescriptor open(::open(file.c_str(), O_WRONLY | O_CLOEXEC));
    return open.isOpen() &&
           write(open.value(), text.data(), text.size()) == static_cast<ssize_t>(text.size());
}

bool hasWord(const std::string& line, std::string_view wanted, char between) {
    std::istringstream words(line);
    for (std::string word; std::getline(words, word, between);) {
        if (word == wanted) return true;
    }
    return false;
}

/// Lines of /proc/self/cgroup: `4:memory:/path`, and `0::/path` for version 2.
Place pathOfOwn(const std::string& controller) {
    Place place;
    std::ifstream groups("/proc/self/cgroup");
    for (std::string number, names, path; std::getline(groups, number, ':') &&
                                          std::getline(groups, names, ':') &&
                                          std::getline(groups, path);) {
        if (hasWord(names, controller, ',')) return {{}, path, false};
        if (names.empty()) place = {{}, path, true};
    }
    return place;
}

/// This process's own; without a folder where none is mounted here.
Place placeOfOwn(const std::string& controller) {
    const Place own = pathOfOwn(controller);
    std::ifstream mounts("/proc/self/mountinfo");
    for (std::string line; std::getline(mounts, line);) {
        std::istringstream words(line);
        std::string skipped, root, point, type, options;
        words >> skipped >> skipped >> skipped >> root >> point;
        while (words >> skipped && skipped != "-") continue;
        words >> type >> skipped >> options;
        if (type != (own.isSecondVersion ? "cgroup2" : "cgroup")) continue;
        if (!own.isSecondVersion && !hasWord(options, controller, ',')) continue;
        const fs::path below = own.folder.lexically_relative(root);
        if (below.empty() || *below.begin() == "..") continue;
        return {point, below == "." ? fs::path(point) : point / below, own.isSecondVersion};
    }
    return {};
}

/// Of processes that were killed.
void removeLeftBehind(const fs::path& folder) {
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, error)) {
        const std::string name = entry.path().filename();
        if (!name.starts_with(nameOfOurs)) continue;
        const std::size_t end = name.rfind('-');
        const fs::path maker = "/proc/" + name.substr(nameOfOurs.size(), end - nameOfOurs.size());
        if (!fs::exists(maker, error)) rmdir(entry.path().c_str());
    }
}

/// Whether groups below get both controllers. One that holds processes, as our own, gives none to
/// others: both are asked for at once, since it would give pids, to groups that nobody can enter.
bool givesControllers(const fs::path& group) {
    const fs::path file = group / "cgroup.subtree_control";
    std::string given;
    std::getline(std::ifstream(file), given);
    return (hasWord(given, "memory", ' ') && hasWord(given, "pids", ' ')) ||
           put(file, "+memory +pids");
}

/// A new group's folder; there may be one of that name.
fs::path folderFor(const Place& own, const std::string& name) {
    std::vector<fs::path> parents{own.folder};
    if (own.isSecondVersion && own.folder != own.root) parents.push_back(own.folder.parent_path());
    for (const fs::path& parent : parents) {
        if (access((parent / "cgroup.procs").c_str(), W_OK) != 0) continue;
        if (own.isSecondVersion && !givesControllers(parent)) continue;
        removeLeftBehind(parent);
        const fs::path folder = parent / name;
        if (mkdir(folder.c_str(), 0755) == 0 || errno == EEXIST) return folder;
    }
    return {};
}

fs::path makeGroup(const std::string& controller, const std::string& name, std::uint64_t most) {
    const Place own = placeOfOwn(controller);
    const fs::path folder = own.folder.empty() ? fs::path() : folderFor(own, name);
    if (folder.empty()) return {};
    const std::string limit = std::to_string(most);
    const auto set = [&](const char* file, const std::string& text) {
        return put(folder / file, text);
    };
    bool isHeld = false;
    if (controller == "pids") {
        isHeld = set("pids.max", limit);
    } else if (own.isSecondVersion) {
        isHeld = set("memory.max", limit);
        set("memory.swap.max", "0");
    } else {
        isHeld = set("memory.limit_in_bytes", limit);
        set("memory.memsw.limit_in_bytes", limit);
    }
    if (isHeld) return folder;
    rmdir(folder.c_str());
    return {};
}

/// Of a table of names and counts.
bool happened(const fs::path& table, std::string_view event) {
    std::ifstream lines(table);
    std::string name;
    for (std::uint64_t count = 0; lines >> name >> count;) {
        if (name == event) return count > 0;
    }
    return false;
}

}  // namespace

ControlGroup::ControlGroup(std::uint64_t memoryBytes, std::uint64_t threads) {
    static std::atomic<unsigned> count{0};
    const std::string name =
        std::string(nameOfOurs) + std::to_string(getpid()) + '-' + std::to_string(count++);
    if (memoryBytes != 0) memory_ = makeGroup("memory", name, memoryBytes);
    if (threads != 0) threads_ = makeGroup("pids", name, threads);
    for (const fs::path& folder : {memory_, threads_}) {
        if (folder.empty() || (folder == memory_ && !entries_.empty())) continue;
        // Version 1 takes a thread that moves itself in 0.1 ms, a process in 15: it stops all
        // others for a moment.
        const int thread = open((folder / "tasks").c_str(), O_WRONLY | O_CLOEXEC);
        entries_.emplace_back(
            thread >= 0 ? thread : open((folder / "cgroup.procs").c_str(), O_WRONLY | O_CLOEXEC));
    }
}

ControlGroup::~ControlGroup() {
    using namespace std::chrono_literals;
    for (const fs::path& folder : {memory_, threads_}) {
        if (folder.empty()) continue;
        put(folder / "cgroup.kill", "1");
        // What has just ended stays for a moment.
        for (int i = 0; i < 500 && rmdir(folder.c_str()) != 0 && errno == EBUSY; ++i) {
            std::this_thread::sleep_for(1ms);
        }
    }
}

void ControlGroup::enter() const {
    // Without it there are the limits of a process, and who looks at it (ProcessWatch).
    for (const FileDescriptor& entry : entries_) (void)!write(entry.value(), "0", 1);
}

bool ControlGroup::ranOutOfMemory() const {
    return !memory_.empty() && (happened(memory_ / "memory.events", "oom_kill") ||
                                happened(memory_ / "memory.oom_control", "oom_kill"));
}

bool ControlGroup::ranOutOfThreads() const {
    return !threads_.empty() && happened(threads_ / "pids.events", "max");
}

}  // namespace warplens
