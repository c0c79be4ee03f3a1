#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/program/program_measurement.h"

/// What compilers made of the lines of a program's files. `files` are the user's own, as they name
/// them.
namespace warplens {

/// PTX of the accesses and branches of each line, and, unless `cubin` is empty, its machine code
/// where nvdisasm is found (beside nvcc, or on PATH); `notes` says where not. Of one kernel
/// by its symbol or, of PTX, its name, and all functions.
[[nodiscard]] std::vector<CompiledLine> codeByLine(const std::vector<std::string>& ptx,
                                                   const std::string& cubin,
                                                   const std::string& kernel,
                                                   const std::set<std::string>& files,
                                                   std::vector<std::string>& notes);

/// A file and a line of it.
using SourceLine = std::pair<std::string, std::uint32_t>;
/// Of lines in other files than `files`, whose accesses of a kind were inlined for one line of
/// these alone: that line. `kernel` is a symbol: other kernels, which may call the same, are passed
/// over.
using InlinedLines = std::map<std::pair<SourceLine, AccessKind>, SourceLine>;
[[nodiscard]] InlinedLines inlinedLines(const std::string& ptx, const std::string& kernel,
                                        const std::set<std::string>& files);

}  // namespace warplens
