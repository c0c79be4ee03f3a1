#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "core/program/program_trace.h"
#include "kernels/programs/compiler.h"
#include "kernels/programs/program_request.h"
#include "kernels/programs/proposed_main.h"
#include "kernels/programs/reachable_files.h"
#include "kernels/programs/sandbox.h"
#include "kernels/trace/source/program_source.h"

namespace warplens {

/// A program made ready to be traced.
struct BuiltProgram final {
    std::filesystem::path binary;
    std::vector<source::KernelSource> kernels;
    std::vector<source::LaunchSource> launches;                      ///< by place in the source
    std::map<std::string, std::vector<source::ColumnShift>> shifts;  ///< by file as reported
    std::vector<Finding> unsupported;                                ///< then there is no binary
    std::vector<std::string> notes;                                  ///< what was proposed
    std::vector<ProposedValue> proposed;                             ///< the same, one by one
    ReachableFiles reachable;                                        ///< of its text
    bool hasMain = false;                                            ///< of its own
    bool fromCache = false;
    double seconds = 0;
};

/// Rewrites, compiles, instruments and links; what was built before of the same files and options
/// is taken from the cache. Throws InvalidRequest for files that cannot be read or hold no kernel,
/// CompileFailed, NoCompiler, NotConfined and Cancelled.
[[nodiscard]] BuiltProgram buildProgram(const ProgramSource& source,
                                        const std::function<bool()>& cancelled = {});

}  // namespace warplens
