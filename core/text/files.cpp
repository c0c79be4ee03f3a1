#include "core/text/files.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <fstream>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <vector>

#include "core/text/encoding.h"
#include "core/text/format.h"

namespace warplens {
namespace {

/// The open file is still the one of this path: nobody has removed it meanwhile.
bool isAt(const FileDescriptor& file, const std::string& path) {
    struct stat open {};
    struct stat there {};
    return ::fstat(file.value(), &open) == 0 && ::stat(path.c_str(), &there) == 0 &&
           open.st_dev == there.st_dev && open.st_ino == there.st_ino;
}

[[noreturn]] void fail(const char* what, const std::filesystem::path& path, int error = errno) {
    throw std::system_error(error, std::generic_category(), what + path.string());
}

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
    EndingSignalsHeld(EndingSignalsHeld&&) = delete;
    ~EndingSignalsHeld() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  private:
    sigset_t before_{};
};

/// What the names of new files beside `target` begin with.
std::string temporaryStem(const std::filesystem::path& target) {
    constexpr std::size_t longestName = 200;  // so that the rest fits into the system's 255
    const std::string name = target.filename().string();
    return (target.parent_path() / (name.size() > longestName ? digestOf(name) : name)).string() +
           ".writing-";
}

/// A new file beside another, of a name that no other writer has.
FileDescriptor openTemporary(const std::string& stem, ::mode_t mode, std::string& path) {
    static std::atomic<unsigned> made = 0;
    while (true) {
        path = stem + std::to_string(::getpid()) + '-' + std::to_string(made++);
        FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
        if (file.isOpen() || errno != EEXIST) return file;
    }
}

/// The file of this path, unless it is empty; a renamed one is no longer there.
struct RemovedAtTheEnd final {
    std::string path;
    ~RemovedAtTheEnd() {
        if (!path.empty()) ::unlink(path.c_str());
    }
};

/// Removes what writers that were killed have left, so old that none can be at it any more.
void removeLeftovers(const std::string& stem) {
    const auto newest = std::filesystem::file_time_type::clock::now() - std::chrono::hours(1);
    const std::filesystem::path folder = std::filesystem::path(stem).parent_path();
    std::error_code error;
    std::vector<std::filesystem::path> found;
    for (std::filesystem::directory_iterator entry(folder.empty() ? "." : folder, error), end;
         !error && entry != end; entry.increment(error)) {
        const std::string path = (folder / entry->path().filename()).string();
        const bool isLeftover =
            path.starts_with(stem) &&
            path.find_first_not_of("0123456789-", stem.size()) == std::string::npos;
        std::error_code unknown;
        if (isLeftover && entry->last_write_time(unknown) < newest && !unknown)
            found.emplace_back(path);
    }
    for (const std::filesystem::path& path : found) std::filesystem::remove(path, error);
}

/// The open file is of the same owner and for the same people as `other`. False where the system
/// refuses.
bool takeOwnerAndMode(const FileDescriptor& file, const struct stat& other) {
    struct stat own {};
    if (::fstat(file.value(), &own) != 0) return false;
    const bool sameOwner = own.st_uid == other.st_uid && own.st_gid == other.st_gid;
    if (!sameOwner && ::fchown(file.value(), other.st_uid, other.st_gid) != 0) return false;
    return ::fchmod(file.value(), other.st_mode & 07777) == 0;
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

/// Over what the file, device or pipe holds, once there is room for all of it.
void writeInPlace(const std::filesystem::path& path, std::string_view text, int flags = 0) {
    const FileDescriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC | flags, 0666));
    struct stat before {};
    if (!file.isOpen() || ::fstat(file.value(), &before) != 0) fail("cannot write ", path);
    const auto size = static_cast<off_t>(text.size());
    if (S_ISREG(before.st_mode) && size > before.st_size) {
        const int error = ::posix_fallocate(file.value(), 0, size);
        if (error == ENOSPC || error == EFBIG || error == EDQUOT) {
            (void)!::ftruncate(file.value(), before.st_size);
            fail("cannot write ", path, error);
        }
    }
    writeAll(file, text, path);
    if (!S_ISREG(before.st_mode)) return;
    if (::ftruncate(file.value(), size) != 0 || ::fsync(file.value()) != 0) {
        fail("cannot write ", path);
    }
}

}  // namespace

std::optional<FileLock> FileLock::of(const std::filesystem::path& path) {
    std::error_code error;
    const std::filesystem::path target = std::filesystem::weakly_canonical(path, error);
    const std::string name = (error ? path : target).string() + ".lock";
    while (true) {
        FileDescriptor file(::open(name.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666));
        if (!file.isOpen()) return FileLock({}, {});
        if (::flock(file.value(), LOCK_EX | LOCK_NB) != 0) {
            if (errno == EWOULDBLOCK) return std::nullopt;
            return FileLock({}, {});
        }
        if (isAt(file, name)) return FileLock(name, std::move(file));
    }
}

FileLock::~FileLock() {
    if (file_.isOpen()) ::unlink(path_.c_str());
}

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
    const EndingSignalsHeld held;
    struct stat before {};
    const bool exists = ::stat(path.c_str(), &before) == 0;
    if (exists && S_ISDIR(before.st_mode)) fail("cannot write ", path, EISDIR);
    if (exists && ::access(path.c_str(), W_OK) != 0) fail("cannot write ", path);
    if (exists && (!S_ISREG(before.st_mode) || before.st_nlink > 1)) {
        writeInPlace(path, text);
        return;
    }
    if (!exists && std::filesystem::is_symlink(path)) {
        writeInPlace(path, text, O_CREAT);
        return;
    }
    const std::filesystem::path target = exists ? std::filesystem::canonical(path) : path;
    const std::string stem = temporaryStem(target);
    removeLeftovers(stem);
    std::string temporary;
    // Not for more people than may read it in the end.
    const FileDescriptor file = openTemporary(stem, exists ? 0600 : 0666, temporary);
    const RemovedAtTheEnd scrap{file.isOpen() ? temporary : std::string()};
    // By a folder that takes no new file, or in which nobody replaces another's.
    const auto refused = [&] { return exists && (errno == EACCES || errno == EPERM); };
    if (!file.isOpen() && !refused()) fail("cannot write ", path);
    if (file.isOpen()) writeAll(file, text, path);
    if (file.isOpen() && (!exists || takeOwnerAndMode(file, before))) {
        if (::fsync(file.value()) != 0) fail("cannot write ", path);
        if (::rename(temporary.c_str(), target.c_str()) == 0) return;
        if (!refused()) fail("cannot write ", path);
    }
    writeInPlace(target, text);
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

std::filesystem::path programPath() {
    const auto here = reinterpret_cast<std::uintptr_t>(&programPath);
    std::ifstream maps("/proc/self/maps");
    // `first-last rwxp offset device inode      /path`, in hexadecimal.
    for (std::string line; std::getline(maps, line);) {
        std::uintptr_t first = 0;
        std::uintptr_t last = 0;
        const char* const end = line.data() + line.size();
        const auto begun = std::from_chars(line.data(), end, first, 16);
        if (begun.ec != std::errc{} || begun.ptr == end) continue;
        if (std::from_chars(begun.ptr + 1, end, last, 16).ec != std::errc{}) continue;
        if (here < first || here >= last) continue;
        const std::size_t path = line.find('/');
        return path == std::string::npos ? std::string() : line.substr(path);
    }
    return {};
}

}  // namespace warplens
