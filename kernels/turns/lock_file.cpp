#include <array>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <limits>
#include <pwd.h>
#include <stdexcept>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "kernels/turns/gpu_lock.h"

namespace warplens {

namespace {

using namespace std::chrono_literals;

constexpr mode_t everybody = 0666;
constexpr off_t mostBytes = off_t{1} << 20;
constexpr auto timeToGrantAccess =
    200ms;  // whoever makes the file opens it to others a moment later
constexpr int openFlags = O_RDWR | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY;

[[noreturn]] void refuse(const std::filesystem::path& path, const std::string& why) {
    struct stat entry {};
    std::string owner;
    if (::lstat(path.c_str(), &entry) == 0)
        owner = ", which belongs to " + accountName(entry.st_uid);
    throw std::runtime_error(path.string() + owner + ": " + why);
}

bool isForEverybody(const std::filesystem::path& folder) {
    struct stat entry {};
    return ::stat(folder.c_str(), &entry) == 0 && S_ISDIR(entry.st_mode) &&
           (entry.st_mode & S_IWOTH) != 0 && (entry.st_mode & S_ISVTX) != 0;
}

/// -1 with errno set.
int openOrMake(const std::filesystem::path& path) {
    const int found = ::open(path.c_str(), openFlags);
    if (found >= 0 || errno != ENOENT) return found;
    // Not O_CREAT alone: where fs.protected_regular is set the system refuses that for a file of
    // another account in such a folder.
    const int made = ::open(path.c_str(), openFlags | O_CREAT | O_EXCL, everybody);
    if (made >= 0) {
        (void)::fchmod(made, everybody);  // whatever the umask took
        return made;
    }
    return errno == EEXIST ? ::open(path.c_str(), openFlags) : made;
}

constexpr std::int64_t lastByte = std::numeric_limits<std::int64_t>::max() - 1;

struct flock lockOf(short type, std::int64_t from, std::int64_t length) {
    struct flock lock {};
    lock.l_type = type;
    lock.l_whence = SEEK_SET;
    lock.l_start = from;
    lock.l_len = length;
    return lock;
}

bool set(int file, short type, std::int64_t byte) {
    struct flock lock = lockOf(type, byte, 1);
    int done = 0;
    while ((done = ::fcntl(file, F_OFD_SETLK, &lock)) != 0 && errno == EINTR) {
    }
    return done == 0;
}

struct Locked final {
    std::int64_t first = 0;
    std::int64_t last = 0;
};

/// Any bytes of [from, to] that somebody else has.
std::optional<Locked> any(int file, std::int64_t from, std::int64_t to) {
    if (from > to) return std::nullopt;
    struct flock lock = lockOf(F_WRLCK, from, to - from + 1);
    if (::fcntl(file, F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return std::nullopt;
    return Locked{lock.l_start, lock.l_len == 0 ? lastByte : lock.l_start + lock.l_len - 1};
}

}  // namespace

LockFile::LockFile(std::string_view name, const std::vector<std::filesystem::path>& folders) {
    std::string looked;
    for (const std::filesystem::path& folder : folders) {
        looked += (looked.empty() ? "" : ", ") + folder.string();
        if (isForEverybody(folder)) {
            path_ = folder / name;
            break;
        }
    }
    if (path_.empty()) {
        throw std::runtime_error("no folder that everybody may write to (sticky): " + looked);
    }
    const auto until = std::chrono::steady_clock::now() + timeToGrantAccess;
    while ((descriptor_ = openOrMake(path_)) < 0 && (errno == EACCES || errno == ENOENT) &&
           std::chrono::steady_clock::now() < until) {
        std::this_thread::sleep_for(5ms);
    }
    if (descriptor_ < 0)
        refuse(path_, "cannot be opened (" + std::string(std::strerror(errno)) + ")");
    struct stat entry {};
    const bool plain = ::fstat(descriptor_, &entry) == 0 && S_ISREG(entry.st_mode) &&
                       entry.st_nlink <= 1 && entry.st_size <= mostBytes;
    if (!plain) {
        ::close(std::exchange(descriptor_, -1));
        refuse(path_, "is no file of a queue");
    }
}

LockFile::LockFile(LockFile&& other) noexcept
    : path_(std::move(other.path_)), descriptor_(std::exchange(other.descriptor_, -1)) {}

LockFile& LockFile::operator=(LockFile&& other) noexcept {
    std::swap(path_, other.path_);
    std::swap(descriptor_, other.descriptor_);
    return *this;
}

LockFile::~LockFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

bool LockFile::isCurrent() const {
    struct stat mine {};
    struct stat named {};
    return ::fstat(descriptor_, &mine) == 0 && ::lstat(path_.c_str(), &named) == 0 &&
           mine.st_ino == named.st_ino && mine.st_dev == named.st_dev;
}

std::vector<std::filesystem::path> lockFolders() {
    const char* const named = std::getenv("WARPLENS_TURNS");
    if (named != nullptr && *named != '\0') return {named};
    return {"/dev/shm", "/tmp"};
}

std::string accountName(unsigned id) {
    passwd entry{};
    passwd* found = nullptr;
    std::array<char, 16384> text{};
    if (::getpwuid_r(id, &entry, text.data(), text.size(), &found) == 0 && found != nullptr) {
        return found->pw_name;
    }
    return "account " + std::to_string(id);
}

bool ByteLocks::take(std::int64_t byte) const {
    return set(file_, F_WRLCK, byte);
}

void ByteLocks::release(std::int64_t byte) const {
    (void)set(file_, F_UNLCK, byte);
}

std::optional<std::int64_t> ByteLocks::lowest(std::int64_t from, std::int64_t to) const {
    std::optional<std::int64_t> found;
    while (const auto locked = any(file_, from, to)) {
        // A lock may begin before the bytes that were asked about.
        if (locked->first <= from) return from;
        found = locked->first;
        to = locked->first - 1;
    }
    return found;
}

std::optional<std::int64_t> ByteLocks::highest(std::int64_t from) const {
    std::optional<std::int64_t> found;
    while (const auto locked = any(file_, from, lastByte)) {
        found = locked->last;
        if (locked->last >= lastByte) break;
        from = locked->last + 1;
    }
    return found;
}

}  // namespace warplens
