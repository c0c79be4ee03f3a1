#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

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

/// Traces one launch with its inputs. `sources` are the program's as read before. How it is to be
/// measured is left as it is by default. Throws as traceProgram, and NotMeasurable: the program
/// does not come to the launch, its inputs take too much, or a file was changed meanwhile.
[[nodiscard]] MeasureProgramRequest measureRequestFor(const TraceRequest& request,
                                                      const ProgramSources& sources,
                                                      std::uint32_t launch,
                                                      const TraceListener& listener = {});

/// To ask what a kernel of the program is compiled to. `sources` are the program's, as traced.
[[nodiscard]] CompileRequest compileRequestFor(const TraceRequest& request, bool hasMain,
                                               const ProgramSources& sources,
                                               const std::string& instance,
                                               const std::string& computeCapability);

}  // namespace warplens
