#include "core/text/atomic_file.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

#include "core/text/digest.h"
#include "core/text/file_descriptor.h"
#include "core/text/format.h"

namespace warplens {
namespace {

[[noreturn]] void fail(const char* what, const std::filesystem::path& path, int error = errno) {
    throw std::system_error(error, std::generic_category(), what + path.string());
}

/// Before the number of the process that writes it.
constexpr std::string_view temporaryMark = ".writing-";

/// Of a file's name; what the mark and two numbers take of it.
constexpr std::size_t longestName = 255;
constexpr std::size_t longestMark = 32;

/// While it lives this thread hears of no signal that asks the program to end: what it has begun to
/// write is then finished, or removed.
class EndingSignalsHeld final {
  public:
    EndingSignalsHeld() {
        sigset_t ending;
        ::sigemptyset(&ending);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) ::sigaddset(&ending, signal);
        ::pthread_sigmask(SIG_BLOCK, &ending, &before_);
    }
    EndingSignalsHeld(const EndingSignalsHeld&) = delete;
    EndingSignalsHeld& operator=(const EndingSignalsHeld&) = delete;
    ~EndingSignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  private:
    sigset_t before_{};
};

/// What the names of new files beside `target` begin with: its own name, cut where the system's
/// longest would be passed.
std::string temporaryStart(const std::filesystem::path& target) {
    std::string name = target.filename().string();
    if (name.size() + longestMark > longestName) {
        const std::string digest = digestOf(name);
        name.resize(longestName - longestMark - digest.size() - 1);
        name += '~' + digest;
    }
    return name + std::string(temporaryMark);
}

std::filesystem::path folderOf(const std::filesystem::path& target) {
    return target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
}

/// A new file beside `target` that takes what is being written. It is locked while its writer
/// lives, so that what a killed one left behind can be told from it. Removed unless it was kept.
class TemporaryFile final {
  public:
    explicit TemporaryFile(const std::filesystem::path& target, ::mode_t mode) {
        static std::atomic<unsigned> made = 0;
        const std::string stem =
            (folderOf(target) / temporaryStart(target)).string() + std::to_string(::getpid()) + '-';
        while (!file_.isOpen()) {
            path_ = stem + std::to_string(made++);
            const int opened =
                ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
            if (opened < 0 && errno == EEXIST) continue;
            if (opened < 0) {
                error_ = errno;
                return;
            }
            file_ = FileDescriptor(opened);
            // Where the file system has no locks nobody takes it for a leftover.
            const bool locked = ::flock(opened, LOCK_EX | LOCK_NB) == 0;
            const bool wanted = !locked && errno == EWOULDBLOCK;
            struct stat status {};
            const bool gone = ::fstat(opened, &status) == 0 && status.st_nlink == 0;
            if (wanted || gone) file_.close();  // taken for one before it was locked
        }
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        if (file_.isOpen() && !kept_) ::unlink(path_.c_str());
    }
    /// Why there is none; 0 where there is.
    [[nodiscard]] int error() const { return error_; }
    [[nodiscard]] const FileDescriptor& file() const { return file_; }
    /// The file is of the same owner and for the same people as `other`. False where the system
    /// refuses.
    [[nodiscard]] bool takesOwnerAndModeOf(const struct stat& other) const {
        struct stat own {};
        if (::fstat(file_.value(), &own) != 0) return false;
        const bool sameOwner = own.st_uid == other.st_uid && own.st_gid == other.st_gid;
        if (!sameOwner && ::fchown(file_.value(), other.st_uid, other.st_gid) != 0) return false;
        return ::fchmod(file_.value(), other.st_mode & 07777) == 0;
    }
    /// False where the system refuses.
    [[nodiscard]] bool becomes(const std::filesystem::path& target) {
        kept_ = ::rename(path_.c_str(), target.c_str()) == 0;
        return kept_;
    }

  private:
    std::filesystem::path path_;
    FileDescriptor file_;
    int error_ = 0;
    bool kept_ = false;
};

/// Removes what writers of `target` that were killed have left beside it.
void removeLeftovers(const std::filesystem::path& target) {
    const std::string start = temporaryStart(target);
    const auto isLeftover = [&](const std::string& name) {
        return name.starts_with(start) &&
               name.find_first_not_of("0123456789-", start.size()) == std::string::npos;
    };
    std::error_code error;
    std::vector<std::filesystem::path> found;
    for (std::filesystem::directory_iterator entry(folderOf(target), error), end;
         !error && entry != end; entry.increment(error)) {
        if (isLeftover(entry->path().filename().string())) found.push_back(entry->path());
    }
    for (const std::filesystem::path& path : found) {
        const FileDescriptor file(
            ::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        if (file.isOpen() && ::flock(file.value(), LOCK_EX | LOCK_NB) == 0) {
            ::unlink(path.c_str());
        }
    }
}

/// Writes to the open `file`; `path` is for the message.
void writeAll(const FileDescriptor& file, std::string_view text,
              const std::filesystem::path& path) {
    while (!text.empty()) {
        const ssize_t count = ::write(file.value(), text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail("cannot write ", path);
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

/// Over what the file holds, once there is room for all of it.
void writeInPlace(const std::filesystem::path& target, std::string_view text,
                  const std::filesystem::path& path) {
    const FileDescriptor file(::open(target.c_str(), O_WRONLY | O_CLOEXEC));
    struct stat before {};
    if (!file.isOpen() || ::fstat(file.value(), &before) != 0) fail("cannot write ", path);
    const auto size = static_cast<off_t>(text.size());
    if (size > before.st_size) {
        const int error = ::posix_fallocate(file.value(), 0, size);
        if (error == ENOSPC || error == EFBIG || error == EDQUOT) {
            (void)!::ftruncate(file.value(), before.st_size);
            fail("cannot write ", path, error);
        }
    }
    writeAll(file, text, path);
    if (::ftruncate(file.value(), size) != 0 || ::fsync(file.value()) != 0) {
        fail("cannot write ", path);
    }
}

/// Where the path leads, whether or not there is a file. Throws for links without end.
std::filesystem::path throughLinks(const std::filesystem::path& path) {
    constexpr int mostLinks = 40;  // as many as Linux follows
    std::filesystem::path target = path;
    for (int links = 0; links <= mostLinks; ++links) {
        std::error_code none;
        const std::filesystem::path next = std::filesystem::read_symlink(target, none);
        if (none) return target;
        target = next.is_absolute() ? next : target.parent_path() / next;
    }
    fail("cannot write ", path, ELOOP);
}

}  // namespace

std::string readFile(const std::filesystem::path& path, std::uint64_t mostBytes) {
    // A pipe would be waited for until somebody writes it, and then until nobody does.
    FileDescriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (!file.isOpen()) fail("cannot read ", path);
    struct stat status {};
    if (::fstat(file.value(), &status) != 0) fail("cannot read ", path);
    if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) {
        fail("a pipe or device, no file: ", path, EINVAL);
    }
    std::string text;
    std::array<char, 65536> piece;
    while (true) {
        const ssize_t count = ::read(file.value(), piece.data(), piece.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail("cannot read ", path);
        if (count == 0) return text;
        text.append(piece.data(), static_cast<std::size_t>(count));
        if (text.size() > mostBytes) {
            fail(("larger than " + formatBytes(mostBytes) + ": ").c_str(), path, EFBIG);
        }
    }
}

void writeFileAtomically(const std::filesystem::path& path, std::string_view text) {
    std::error_code ignored;
    if (std::filesystem::is_other(std::filesystem::status(path, ignored))) {
        const FileDescriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
        if (!device.isOpen()) fail("cannot write ", path);
        writeAll(device, text, path);
        return;
    }
    const EndingSignalsHeld held;
    const std::filesystem::path target = throughLinks(path);
    struct stat before {};
    const bool exists = ::stat(target.c_str(), &before) == 0;
    if (exists && S_ISDIR(before.st_mode)) fail("cannot write ", path, EISDIR);
    if (exists && ::access(target.c_str(), W_OK) != 0) fail("cannot write ", path);
    if (exists && before.st_nlink > 1) {
        writeInPlace(target, text, path);
        return;
    }
    removeLeftovers(target);
    // Not for more people than may read it in the end.
    TemporaryFile temporary(target, exists ? 0600 : 0666);
    if (temporary.error() != 0) {
        const bool folderIsClosed = temporary.error() == EACCES || temporary.error() == EPERM;
        if (!exists || !folderIsClosed) fail("cannot write ", path, temporary.error());
        writeInPlace(target, text, path);
        return;
    }
    writeAll(temporary.file(), text, path);
    if (exists && !temporary.takesOwnerAndModeOf(before)) {
        writeInPlace(target, text, path);
        return;
    }
    if (::fsync(temporary.file().value()) != 0) fail("cannot write ", path);
    if (temporary.becomes(target)) return;
    if (!exists || (errno != EACCES && errno != EPERM)) fail("cannot write ", path);
    writeInPlace(target, text, path);  // a folder in which nobody replaces another's file
}

std::filesystem::path newStem(const std::filesystem::path& folder, std::string name,
                              std::initializer_list<const char*> endings) {
    std::ranges::replace(name, '/', '-');
    const auto isTaken = [&](const std::string& one) {
        return std::ranges::any_of(endings, [&](const char* ending) {
            std::error_code ignored;
            return std::filesystem::exists(
                std::filesystem::symlink_status(folder / (one + ending), ignored));
        });
    };
    std::string found = name;
    for (int number = 2; isTaken(found); ++number) found = name + '-' + std::to_string(number);
    return folder / found;
}

}  // namespace warplens
