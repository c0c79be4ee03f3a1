#pragma once

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

}  // namespace warplens
