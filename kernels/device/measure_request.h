#pragma once

#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/measurement/worker_protocol.h"
#include "core/program/program_sources.h"
#include "kernels/programs/trace_program.h"

/// From a program on the host to what a worker needs to measure one of its launches.
namespace warplens {

/// Reads the program's own files. Throws as readProgramSources.
[[nodiscard]] ProgramSources sourcesOf(const TraceRequest& request);

/// Of the text of the program's files, and of all that it is compiled and launched with: numbers
/// belong to what has this digest, wherever the files lie.
[[nodiscard]] std::string programDigest(const TraceRequest& request, const ProgramSources& sources);

/// The launch cannot be measured; what() says why.
class NotMeasurable final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// Traces one launch with its inputs, as it is compiled for the device, and assembles its code.
/// `sources` are the program's as read before, `computeCapability` is the device's, as 9.0. How it
/// is to be measured is left as it is by default. Throws as traceProgram, and NotMeasurable: the
/// program does not come to the launch, its inputs take too much, its code cannot be assembled, or
/// a file was changed meanwhile. Cost: a run of the program, and four more where the compiled code
/// asks for something else than the source.
[[nodiscard]] MeasureProgramRequest measureRequestFor(const TraceRequest& request,
                                                      const ProgramSources& sources,
                                                      std::uint32_t launch,
                                                      const std::string& computeCapability,
                                                      const TraceListener& listener = {});

/// What a kernel of the program takes of an SM, `instance` as LaunchReport has it. Needs no device.
/// A Failure where it does not compile. Cost: the assembler's, where the program was compiled
/// before.
[[nodiscard]] CompileAnswer compiledResources(const TraceRequest& request,
                                              const std::string& instance,
                                              const std::string& computeCapability,
                                              const std::function<bool()>& cancelled = {});

/// PTX of the optimised code in a program that was built; without the debug code beside it.
[[nodiscard]] std::vector<std::string> compiledPtx(const std::string& program);

}  // namespace warplens
