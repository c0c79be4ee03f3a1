#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "kernels/programs/program_request.h"

namespace warplens {

/// Return addresses in the program's code, from the inside out.
using CallAddresses = std::vector<std::uint64_t>;

/// A program that was built, and how what it tells becomes the person's own.
struct RunnableProgram final {
    std::filesystem::path binary;
    std::string registers{};                        ///< `name:56,` of its kernels
    std::vector<std::filesystem::path> readable{};  ///< what it may read, beside what is asked for
    std::function<void(SourcePlace&)> correct{};    ///< a place as the program tells it
    /// Of each of these calls the place of the first address that is in a file of the person's.
    std::function<std::vector<SourcePlace>(const std::vector<CallAddresses>&)> ofAddresses{};
    /// What an array is called that is made at such a place; empty where that says nothing.
    std::function<std::string(const SourcePlace&)> nameOfArrayAt{};
};

/// Runs the program in the sandbox, within the request's limits, and puts what it tells behind what
/// was begun. What goes wrong in the program itself is told in the trace. Throws NotConfined,
/// std::system_error where it cannot be started, and MalformedFrame.
[[nodiscard]] TracedProgram tracedRun(const RunnableProgram& program, const TraceRequest& request,
                                      const TraceListener& listener, TracedProgram begun);

}  // namespace warplens
