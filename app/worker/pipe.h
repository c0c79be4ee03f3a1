#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace warplens {

/// Owns one file descriptor.
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
    void close();

  private:
    int value_ = -1;
};

/// Both ends are closed on exec and lie above the three standard descriptors.
struct Pipe final {
    FileDescriptor readEnd;
    FileDescriptor writeEnd;
};

/// Throws std::system_error.
[[nodiscard]] Pipe makePipe();

/// From now on reads and writes of `file` return at once. Throws std::system_error.
void setNonBlocking(const FileDescriptor& file);

/// Appends what can be read without waiting, at most `most` bytes, to `text`. False at the end of
/// the stream.
[[nodiscard]] bool readAvailable(const FileDescriptor& file, std::string& text, std::size_t most);

/// Writes what fits of `text` without waiting and returns how many bytes that were. Nothing when
/// nobody reads any more; no SIGPIPE is raised then.
[[nodiscard]] std::optional<std::size_t> writeAvailable(const FileDescriptor& file,
                                                        std::string_view text);

}  // namespace warplens
