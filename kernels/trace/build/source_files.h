#pragma once

#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernels/trace/build/program_build.h"
#include "kernels/trace/source/program_source.h"

namespace warplens {

/// One file of a program, rewritten: a .cu file, or what it includes with quotes.
struct SourceFile final {
    std::filesystem::path path;
    std::string reported;  ///< as it is named to the person
    std::string copyName;  ///< of the rewritten text, in the build's folder
    source::RewrittenFile rewritten;
};

/// All files of a program that are its own, main files first. Includes name the rewritten copies.
/// Throws InvalidRequest for a file that cannot be read, holds a NUL, or is larger than 4 MiB.
[[nodiscard]] std::vector<SourceFile> sourceFilesOf(const ProgramSource& source);

}  // namespace warplens
