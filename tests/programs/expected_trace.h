#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/program/program_trace.h"

/// What a program of this folder must come to at its lines, independent of the engine that runs it.
namespace warplens {

struct ExpectedCounts final {
    std::uint32_t line = 0;
    std::string kind;   ///< as `toString(AccessKind)` has it
    std::string array;  ///< empty for a branch
    std::map<std::string, std::uint64_t> counts;
};

/// `load a requests=32 sectors=125`; `-` stands for no array.
[[nodiscard]] ExpectedCounts expectedCounts(std::uint32_t line, const std::string& words);

/// Of all launches together; `other` are the requests in another order of threads.
[[nodiscard]] std::map<std::string, std::uint64_t> countsOf(const ProgramTrace& trace,
                                                            const ExpectedCounts& expected);

/// A row of to_come/expectations.txt.
struct Expectation final {
    std::string program;  ///< file name
    std::string name;     ///< the row's without counts: `a.cu | b[0]++ | store b`
    std::uint32_t line = 0;
    std::string finding{};    ///< a kind, or several with `/` between; empty: counts are expected
    ExpectedCounts counts{};  ///< where no finding is
};

/// All rows. Throws std::runtime_error, with the row, for one that is malformed or whose part is
/// not in exactly one line of its program.
[[nodiscard]] std::vector<Expectation> expectationsToCome(const std::string& folder);

/// What is not as expected; empty where it is.
[[nodiscard]] std::string unmet(const Expectation& expectation, const ProgramTrace& trace);

/// What was found that no expectation of the program has, a line each; empty where nothing is.
[[nodiscard]] std::string foundBeside(const std::vector<Expectation>& expectations,
                                      const ProgramTrace& trace);

}  // namespace warplens
