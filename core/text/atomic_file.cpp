#include "core/text/atomic_file.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <fcntl.h>
#include <optional>
#include <string>
#include <sys/file.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <vector>

namespace warplens {
namespace {

[[noreturn]] void fail(const char* what, const std::filesystem::path& path, int error = errno) {
    throw std::system_error(error, std::generic_category(), what + path.string());
}

/// Closes its file descriptor.
class Descriptor final {
  public:
    explicit Descriptor(int value) : value_(value) {}
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    ~Descriptor() {
        if (value_ >= 0) ::close(value_);
    }
    [[nodiscard]] int value() const { return value_; }

  private:
    int value_;
};

/// Before the number of the process that writes it.
constexpr std::string_view scrapMark = ".writing-";

/// A new file beside `target` that takes what is being written. It is locked while its writer
/// lives, so that what a killed one left behind can be told from it. Removed unless it was kept.
class Scrap final {
  public:
    explicit Scrap(const std::filesystem::path& target) {
        static std::atomic<unsigned> made = 0;
        const std::string stem =
            target.string() + std::string(scrapMark) + std::to_string(::getpid()) + '-';
        while (!file_) {
            path_ = stem + std::to_string(made++);
            const int opened =
                ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
            if (opened < 0 && errno == EEXIST) continue;
            if (opened < 0) fail("cannot write ", target);
            file_.emplace(opened);
            // Where the file system has no locks nobody takes it for a leftover.
            const bool locked = ::flock(opened, LOCK_EX | LOCK_NB) == 0;
            const bool wanted = !locked && errno == EWOULDBLOCK;
            struct stat status {};
            const bool gone = ::fstat(opened, &status) == 0 && status.st_nlink == 0;
            if (wanted || gone) file_.reset();  // taken for one before it was locked
        }
    }
    Scrap(const Scrap&) = delete;
    Scrap& operator=(const Scrap&) = delete;
    ~Scrap() {
        if (!kept_) ::unlink(path_.c_str());
    }
    [[nodiscard]] const Descriptor& file() const { return *file_; }
    /// False where the system refuses.
    [[nodiscard]] bool becomes(const std::filesystem::path& target) {
        kept_ = ::rename(path_.c_str(), target.c_str()) == 0;
        return kept_;
    }

  private:
    std::filesystem::path path_;
    std::optional<Descriptor> file_;
    bool kept_ = false;
};

/// Removes what writers of `target` that were killed have left beside it.
void removeLeftovers(const std::filesystem::path& target) {
    const std::string start = target.filename().string() + std::string(scrapMark);
    const std::filesystem::path folder =
        target.has_parent_path() ? target.parent_path() : std::filesystem::path(".");
    std::error_code error;
    std::vector<std::filesystem::path> found;
    for (std::filesystem::directory_iterator entry(folder, error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().filename().string().starts_with(start)) found.push_back(entry->path());
    }
    for (const std::filesystem::path& path : found) {
        const Descriptor file(::open(path.c_str(), O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
        if (file.value() >= 0 && ::flock(file.value(), LOCK_EX | LOCK_NB) == 0) {
            ::unlink(path.c_str());
        }
    }
}

/// Writes to the open `file`; `path` is for the message.
void writeAll(const Descriptor& file, std::string_view text, const std::filesystem::path& path) {
    while (!text.empty()) {
        const ssize_t count = ::write(file.value(), text.data(), text.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail("cannot write ", path);
        text.remove_prefix(static_cast<std::size_t>(count));
    }
}

}  // namespace

std::string readFile(const std::filesystem::path& path, std::uint64_t mostBytes) {
    // A pipe would be waited for until somebody writes it, and then until nobody does.
    Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (file.value() < 0) fail("cannot read ", path);
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
            fail(("larger than " + std::to_string(mostBytes) + " bytes: ").c_str(), path, EFBIG);
        }
    }
}

void writeFileAtomically(const std::filesystem::path& path, std::string_view text) {
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(path, ignored);
    if (std::filesystem::is_other(status)) {
        Descriptor device(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
        if (device.value() < 0) fail("cannot write ", path);
        writeAll(device, text, path);
        return;
    }
    const bool linked = std::filesystem::exists(status) && std::filesystem::is_symlink(path);
    const std::filesystem::path target = linked ? std::filesystem::canonical(path) : path;
    removeLeftovers(target);
    Scrap scrap(target);
    writeAll(scrap.file(), text, path);
    if (::fsync(scrap.file().value()) != 0) fail("cannot write ", path);
    if (!scrap.becomes(target)) fail("cannot write ", path);
}

}  // namespace warplens
