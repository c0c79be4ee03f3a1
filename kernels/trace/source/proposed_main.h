#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/launch/extents.h"
#include "core/program/proposed_value.h"
#include "kernels/trace/source/program_source.h"

namespace warplens::source {

/// How an array that a kernel gets is made.
struct ArrayWish final {
    std::string elements;  ///< how many, in terms of the kernel's numbers: `n*n`; empty: proposed
    std::string fill;      ///< `random`, `ramp`, a number, or `@FILE` with the bytes; empty: random
};

/// What is said about the launch of a kernel that no program launches; the rest is proposed.
struct LaunchWishes final {
    std::optional<Extents> grid{};
    std::optional<Extents> block{};
    std::map<std::string, std::string> values{};  ///< of parameters that are numbers
    std::map<std::string, ArrayWish> arrays{};    ///< of parameters that are pointers
};

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

}  // namespace warplens::source
