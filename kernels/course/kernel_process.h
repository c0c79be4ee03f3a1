#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <sys/types.h>

namespace warplens::course {

/// A child that runs a course's kernel, held as a person's program is
/// (kernels/trace/run/sandbox.h).
class KernelProcess final {
  public:
    /// Throws std::system_error when it cannot be started.
    explicit KernelProcess(const std::filesystem::path& program);
    KernelProcess(const KernelProcess&) = delete;
    KernelProcess& operator=(const KernelProcess&) = delete;
    ~KernelProcess();

    /// Sends a line. What becomes of it is seen when the answer is read.
    void say(std::string line);
    /// Reads so many bytes. Throws std::runtime_error where the child ended, in words, or said
    /// nothing for half a minute.
    void read(void* to, std::size_t bytes);

  private:
    void fill();
    [[nodiscard]] std::string howItEnded();

    pid_t child_ = -1;
    int toChild_ = -1;
    int fromChild_ = -1;
    std::string buffer_;
    std::size_t at_ = 0;
};

}  // namespace warplens::course
