#pragma once

#include <array>
#include <stdexcept>
#include <string>

namespace warplens {

/// What the program tells the shell; after a signal, 128 and its number (interrupt.h).
enum class ExitCode {
    done = 0,
    failed = 1,
    invalid = 2,     ///< the request is wrong
    impossible = 3,  ///< not possible on this machine
};

struct ExitCodeRow final {
    ExitCode code;
    const char* words;
};
inline constexpr std::array<ExitCodeRow, 4> exitCodes{
    {{ExitCode::done, "done"},
     {ExitCode::failed, "failed"},
     {ExitCode::invalid, "the request is wrong"},
     {ExitCode::impossible, "not possible on this machine"}}};

/// Ends a command; the message, one or more lines, says why.
class CommandFailed final : public std::runtime_error {
  public:
    CommandFailed(ExitCode code, const std::string& message)
        : std::runtime_error(message), code_(code) {}
    [[nodiscard]] ExitCode code() const { return code_; }

  private:
    ExitCode code_;
};

}  // namespace warplens
