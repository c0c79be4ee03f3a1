#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/program/program_sources.h"
#include "kernels/programs/program_request.h"

namespace warplens::source {

/// Before the name and the value of what a person said, in the place of an error that the compiler
/// finds there: `warplens: array x = 'n*'`.
inline constexpr std::string_view wishMark = "warplens: ";
/// What the main returns where an array cannot be made; the last line that it prints says why,
/// after the mark.
inline constexpr int wishRefused = 124;

/// A main for a file that has none.
struct ProposedMain final {
    std::string text;                ///< to stand behind the file's; empty: nothing can be launched
    std::vector<std::string> notes;  ///< a sentence for each kernel: with what, or why not
    std::vector<ProposedValue> values;  ///< the same, one by one, of those that are launched
};

/// Numbers among a kernel's parameters become its sizes, pointers arrays that they are enough for;
/// the block's axes are those that the kernel asks for, the grid covers the largest number.
/// `text` is that of `file`, `kernel` the name of the only one to launch, or empty.
[[nodiscard]] ProposedMain proposedMain(std::string_view file, std::string_view text,
                                        const std::vector<KernelSource>& kernels,
                                        const LaunchWishes& wishes, std::string_view kernel);

/// Throws InvalidRequest where something is said of a name that none of these kernels' parameters
/// has.
void refuseUnknown(const LaunchWishes& wishes, const std::vector<KernelSource>& kernels);

/// Throws InvalidRequest where a compiler's words, in the form `file:line: error: …`, are about
/// what was said of the launch.
void refuseWish(std::string_view words);
/// Throws InvalidRequest where the main has ended since an array cannot be made.
void refuseWish(const TracedProgram& result);

}  // namespace warplens::source
