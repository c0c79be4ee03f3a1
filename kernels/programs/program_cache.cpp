#include "kernels/programs/program_cache.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string_view>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <thread>

#include "core/text/encoding.h"
#include "core/text/files.h"
#include "kernels/programs/sandbox.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr std::size_t mostEntries = 200;
constexpr std::uint64_t mostCachedBytes = std::uint64_t{1} << 30;
constexpr std::uint64_t mostFileBytes = std::uint64_t{2} << 30;
constexpr const char* listEnding = ".from";
constexpr auto untilCertain = 20ms;  ///< a tick of the file system's clock is some milliseconds

fs::path cacheFolder() {
    if (const char* cache = std::getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/') {
        return fs::path(cache) / "warplens";
    }
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/') {
        return fs::path(home) / ".cache" / "warplens";
    }
    return fs::temp_directory_path() / ("warplens-" + std::to_string(geteuid()));
}

/// A folder, not a link to one, that belongs to this user and that nobody else may look into.
bool isOurs(const fs::path& folder) {
    struct stat facts {};
    if (lstat(folder.c_str(), &facts) != 0 || !S_ISDIR(facts.st_mode)) return false;
    if (facts.st_uid != geteuid()) return false;
    constexpr mode_t others = S_IRWXG | S_IRWXO;
    return (facts.st_mode & others) == 0 || chmod(folder.c_str(), S_IRWXU) == 0;
}

/// Made where it is not there: why it cannot be used, in words.
std::string refusalOf(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder.parent_path(), error);
    if (error) return error.message();
    if (mkdir(folder.c_str(), S_IRWXU) != 0 && errno != EEXIST) {
        return std::generic_category().message(errno);
    }
    return isOurs(folder) ? "" : "it is not a folder of this user's";
}

std::chrono::system_clock::time_point timeOf(const timespec& time) {
    return std::chrono::system_clock::time_point(std::chrono::seconds(time.tv_sec) +
                                                 std::chrono::nanoseconds(time.tv_nsec));
}

std::uint64_t bytesBelow(const fs::path& path) {
    std::error_code error;
    if (!fs::is_directory(fs::symlink_status(path, error))) return fs::file_size(path, error);
    std::uint64_t bytes = 0;
    for (const auto& entry : fs::recursive_directory_iterator(path, error)) {
        std::error_code none;
        if (entry.is_regular_file(none)) bytes += entry.file_size(none);
    }
    return bytes;
}

/// What changes with a file's content.
std::string stampOf(const struct stat& facts) {
    const auto number = [](auto value) { return std::to_string(value) + ' '; };
    return number(facts.st_size) + number(facts.st_ino) + number(facts.st_mtim.tv_sec) +
           number(facts.st_mtim.tv_nsec) + number(facts.st_ctim.tv_sec) +
           std::to_string(facts.st_ctim.tv_nsec);
}

std::string digestOfFile(const fs::path& file) {
    try {
        return digestOf(readFile(file, mostFileBytes));
    } catch (const std::system_error&) {
        return "unread";
    }
}

/// Words of an entry's list, each ended by a zero byte.
class Words final {
  public:
    explicit Words(std::string_view text) : rest_(text) {}
    [[nodiscard]] bool atEnd() const { return rest_.empty(); }
    std::string next() {
        const std::size_t end = std::min(rest_.find('\0'), rest_.size());
        std::string word(rest_.substr(0, end));
        rest_.remove_prefix(std::min(end + 1, rest_.size()));
        return word;
    }

  private:
    std::string_view rest_;
};

void append(std::string& list, const std::string& word) {
    list += word;
    list += '\0';
}

bool isUnchanged(const std::string& path, const std::string& stamp, const std::string& digest) {
    struct stat facts {};
    if (stat(path.c_str(), &facts) != 0) return false;
    return !digest.empty() && (stampOf(facts) == stamp || digestOfFile(path) == digest);
}

bool isWhole(const fs::path& program, const std::string& digest) {
    struct stat facts {};
    return lstat(program.c_str(), &facts) == 0 && S_ISREG(facts.st_mode) &&
           facts.st_uid == geteuid() && facts.st_size > 0 && digestOfFile(program) == digest;
}

}  // namespace

fs::path programCache() {
    const fs::path folder = cacheFolder();
    if (const std::string why = refusalOf(folder); !why.empty()) {
        throw std::runtime_error("programs are compiled in '" + folder.string() + "': " + why +
                                 "; XDG_CACHE_HOME may name another folder");
    }
    static std::set<fs::path> cleared;
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    if (cleared.insert(folder).second) removeLeftFolders(folder / "work");
    return folder;
}

void pruneCache(const fs::path& folder) {
    struct Entry final {
        fs::file_time_type time;
        fs::path path;
        std::uint64_t bytes;
    };
    std::vector<Entry> entries;
    std::error_code error;
    for (const auto& each : fs::directory_iterator(folder, error)) {
        if (each.path().extension() == listEnding) continue;
        entries.push_back(
            {fs::last_write_time(each.path(), error), each.path(), bytesBelow(each.path())});
    }
    std::ranges::sort(entries, std::greater(), &Entry::time);
    std::uint64_t bytes = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        bytes += entries[i].bytes;
        // The newest stays, however large it is: it is about to be run.
        if (i == 0 || (i < mostEntries && bytes <= mostCachedBytes)) continue;
        fs::remove_all(entries[i].path, error);
        fs::remove(entries[i].path.string() + listEnding, error);
    }
}

ProgramCache::ProgramCache(const std::string& folder) : folder_(programCache() / folder) {
    fs::create_directories(folder_);
}

std::optional<fs::path> ProgramCache::find(const std::string& key) const {
    const fs::path program = folder_ / key;
    std::string list;
    try {
        list = readFile(program.string() + listEnding);
    } catch (const std::system_error&) {
        return std::nullopt;
    }
    Words words(list);
    const std::string digest = words.next();
    while (!words.atEnd()) {
        const std::string kind = words.next();
        const std::string path = words.next();
        if (kind == "absent") {
            std::error_code error;
            if (fs::exists(path, error)) return std::nullopt;
            continue;
        }
        const std::string stamp = words.next();
        if (!isUnchanged(path, stamp, words.next())) return std::nullopt;
    }
    if (!isWhole(program, digest)) return std::nullopt;
    std::error_code error;
    fs::last_write_time(program, fs::file_time_type::clock::now(), error);
    return program;
}

fs::path ProgramCache::keep(const std::string& key, const fs::path& made,
                            const ProgramInputs& inputs,
                            std::chrono::system_clock::time_point begun) const {
    const fs::path program = folder_ / key;
    std::string list;
    append(list, digestOfFile(made));
    for (const fs::path& path : inputs.read) {
        struct stat facts {};
        const bool isThere = stat(path.c_str(), &facts) == 0;
        const auto changed = isThere ? timeOf(facts.st_ctim) : begun;
        // What was changed since may have been read before.
        const bool isCertain = changed + untilCertain < begun;
        append(list, "read");
        append(list, path.string());
        append(list, stampOf(facts));
        // Of the system's hundreds of files what changes with them is enough.
        append(list, !isCertain ? "" : isOfTheSystem(path) ? "-" : digestOfFile(path));
    }
    for (const fs::path& path : inputs.absent) {
        append(list, "absent");
        append(list, path.string());
    }
    fs::rename(made, program);
    writeFileAtomically(program.string() + listEnding, list);
    pruneCache(folder_);
    return program;
}

std::vector<fs::path> readDependencies(const fs::path& listing) {
    const std::string text = readFile(listing, 64u << 20);
    std::vector<fs::path> all;
    std::string word;
    const auto finish = [&] {
        if (word.starts_with('/')) all.emplace_back(word);
        word.clear();
    };
    for (std::size_t at = std::min(text.find(": ") + 1, text.size()); at < text.size(); ++at) {
        const char c = text[at];
        const char next = at + 1 < text.size() ? text[at + 1] : '\n';
        if (c == '\\' && (next == ' ' || next == '#' || next == '\\')) {
            word += text[++at];
        } else if (c == '$' && next == '$') {
            word += text[++at];
        } else if (c == ' ' || c == '\n' || (c == '\\' && next == '\n')) {
            finish();
        } else {
            word += c;
        }
    }
    finish();
    return all;
}

fs::path keptText(const fs::path& file, const std::string& text) {
    const fs::path all = programCache() / "tried";
    const fs::path copy = all / digestOf(wholePath(file).string() + '\0' + text) / file.filename();
    std::error_code error;
    if (fs::exists(copy, error) && readFile(copy, mostFileBytes) == text) {
        fs::last_write_time(copy.parent_path(), fs::file_time_type::clock::now(), error);
        return copy;
    }
    fs::create_directories(copy.parent_path());
    writeFileAtomically(copy, text);
    pruneCache(all);
    std::this_thread::sleep_for(untilCertain);
    return copy;
}

void removeLeftFolders(const fs::path& parent) {
    // Nobody holds them any more; one that is being made is not held in the first moment.
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(parent, error)) {
        const FileDescriptor held(
            open(entry.path().c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        struct stat facts {};
        if (held.isOpen() &&
            (flock(held.value(), LOCK_EX | LOCK_NB) != 0 || fstat(held.value(), &facts) != 0 ||
             timeOf(facts.st_mtim) + 10s > std::chrono::system_clock::now())) {
            continue;
        }
        std::error_code ignored;
        fs::remove_all(entry.path(), ignored);
    }
}

TemporaryFolder::TemporaryFolder(const fs::path& parent) {
    fs::create_directories(parent);
    std::string name = (parent / "build-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
        throw std::system_error(errno, std::generic_category(), name);
    }
    path_ = name;
    lock_ = FileDescriptor(open(name.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (lock_.isOpen()) flock(lock_.value(), LOCK_SH);
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code error;
    fs::remove_all(path_, error);
}

}  // namespace warplens
