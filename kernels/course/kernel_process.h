#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/text/file_descriptor.h"
#include "kernels/programs/child_process.h"
#include "kernels/programs/process_watch.h"

namespace warplens::course {

/// A child that runs a course's kernel, held as a person's program is (kernels/programs/sandbox.h).
class KernelProcess final {
  public:
    /// Throws std::system_error when it cannot be started, and NotConfined.
    explicit KernelProcess(const std::filesystem::path& program);

    /// Sends a line. What becomes of it is seen when the answer is read.
    void say(std::string line);
    /// Reads so many bytes. Throws std::runtime_error where the child ended, in words, or said
    /// nothing for half a minute.
    void read(void* to, std::size_t bytes);

  private:
    void fill();
    [[nodiscard]] std::string howItEnded();

    FileDescriptor toChild_;
    FileDescriptor fromChild_;
    std::optional<ChildProcess> child_;
    std::optional<ProcessWatch> watch_;
    std::string buffer_;
    std::size_t at_ = 0;
};

}  // namespace warplens::course
