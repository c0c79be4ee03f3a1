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

/// The files of a program.
struct SourceFiles final {
    std::vector<SourceFile> files;   ///< its own, main files first
    bool hasMain = false;            ///< of its own: else one is proposed, at the first file's end
    std::vector<std::string> notes;  ///< what was proposed, or why nothing was
    std::vector<ProposedValue> proposed;

    /// Whether some launch is one whose threads may all wait for one another.
    [[nodiscard]] bool isCooperative() const;
};

/// All files of a program that are its own. Includes name the rewritten copies. Throws
/// InvalidRequest for a file that cannot be read, holds a NUL, or is larger than 4 MiB, and where
/// there is no main and none can be proposed.
[[nodiscard]] SourceFiles sourceFilesOf(const ProgramSource& source);

}  // namespace warplens
