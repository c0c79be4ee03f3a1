#pragma once

#include <filesystem>
#include <functional>
#include <vector>

#include "kernels/programs/program_request.h"

namespace warplens {

/// A program that was built, and how the places that it tells become the person's own.
struct RunnableProgram final {
    std::filesystem::path binary;
    std::vector<std::filesystem::path> readable{};  ///< what it may read, beside what is asked for
    std::function<void(SourcePlace&)> correct{};    ///< a place as the program tells it
    /// The place of the first of these return addresses that is in a file of the person's.
    std::function<SourcePlace(const std::vector<std::uint64_t>&)> ofAddresses{};
};

/// Runs the program in the sandbox, within the request's limits, and puts what it tells behind what
/// was begun. What goes wrong in the program itself is told in the trace. Throws NotConfined,
/// std::system_error where it cannot be started, and MalformedFrame.
[[nodiscard]] TracedProgram tracedRun(const RunnableProgram& program, const TraceRequest& request,
                                      const TraceListener& listener, TracedProgram begun);

}  // namespace warplens
