#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <unistd.h>
#include <utility>

namespace warplens {

/// Owns one file descriptor and closes it.
class FileDescriptor final {
  public:
    FileDescriptor() = default;
    explicit FileDescriptor(int value) : value_(value) {}
    FileDescriptor(FileDescriptor&& other) noexcept : value_(std::exchange(other.value_, -1)) {}
    FileDescriptor& operator=(FileDescriptor&& other) noexcept {
        std::swap(value_, other.value_);
        return *this;
    }
    ~FileDescriptor() { close(); }

    [[nodiscard]] int value() const { return value_; }
    [[nodiscard]] bool isOpen() const { return value_ >= 0; }
    void close() {
        if (isOpen()) ::close(std::exchange(value_, -1));
    }

  private:
    int value_ = -1;
};

/// Of several that would write one file again and again, the one that may: while it lives, an empty
/// file `path.lock` lies beside it, locked. What a killed process leaves of it keeps nobody off.
/// Where no such file can be made or locked, in a folder that is not writable or on a file system
/// without locks, everybody may.
class FileLock final {
  public:
    /// Nothing where another process, or another lock of this one, holds it. Links to one file are
    /// one file.
    [[nodiscard]] static std::optional<FileLock> of(const std::filesystem::path& path);

    FileLock(FileLock&&) = default;
    FileLock& operator=(FileLock&&) = delete;
    ~FileLock();

  private:
    FileLock(std::string path, FileDescriptor file)
        : path_(std::move(path)), file_(std::move(file)) {}

    std::string path_;
    FileDescriptor file_;
};

/// The whole file. Throws std::system_error with the path when it cannot be read, is a pipe or
/// device, or holds more than `mostBytes`.
[[nodiscard]] std::string readFile(const std::filesystem::path& path,
                                   std::uint64_t mostBytes = 16u << 20);

/// Writes a file so that at every moment `path` holds either its old content or all of the new one:
/// written beside it, flushed to disk, renamed over it. Throws std::system_error with the path;
/// then the old content stands and nothing is left beside it. A process killed meanwhile leaves
/// `path.writing-…` behind, which a write of `path` removes an hour later; one that is asked to end
/// does so after the write. Several threads and processes may write the same path at a time: it
/// then holds what one of them wrote.
///
/// Owner and mode stay. A link stays one, and what it leads to is written; a device or pipe is
/// written to, never replaced. A file of several names (hard links), one in a folder that takes no
/// new file and one that a link leads to before it is there are written in place, once there is
/// room for all of it: a process killed at that moment leaves them with a part. A file that may not
/// be written is refused, whatever its folder would allow.
void writeFileAtomically(const std::filesystem::path& path, std::string_view text);

/// `folder`/`name`, a `/` in the name as `-`, or with the first number from 2 on that makes it new,
/// `name-2`: with none of the endings is there anything of that name yet.
[[nodiscard]] std::filesystem::path newStem(const std::filesystem::path& folder, std::string name,
                                            std::initializer_list<const char*> endings);

/// The file of the program that runs, found by where its code is mapped: /proc/self/exe names the
/// dynamic loader where that was started with the program as its argument, as the portable folder
/// does on systems with an older C library. Empty where /proc is not there.
[[nodiscard]] std::filesystem::path programPath();

}  // namespace warplens
