#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/warnings.h"

namespace warplens {

/// What `check` says of all its .cu files.
struct CheckReport final {
    std::vector<std::string> files;
    std::vector<ProgramWarning> warnings;
    std::uint64_t known = 0;        ///< that the baseline has
    std::uint64_t knownErrors = 0;  ///< of them
    std::uint64_t grown = 0;        ///< of them: cost more, no further from what would do
    std::uint64_t unseen = 0;       ///< of it, of programs that failed
    std::uint64_t gone = 0;         ///< that the baseline has and nothing breaks any more
    std::vector<ArrayTotal> arrays{};
    std::vector<std::string> notes{};  ///< what costs and breaks no rule; in text alone
};

void describe(Archive& v, CheckReport& report);

inline constexpr std::array<std::string_view, 5> checkFormats{"text", "sarif", "junit", "github",
                                                              "json"};
/// In a format of checkFormats but JSON.
[[nodiscard]] std::string textOf(const CheckReport& report, std::string_view format);

/// What an earlier check said.
struct Baseline final {
    /// By fingerprint, in their order.
    std::multimap<std::string, ProgramWarning> warnings;
    std::vector<ArrayTotal> arrays;
};

/// Of a file with a report in JSON; empty where none is named. Throws InvalidRequest where it is
/// none.
[[nodiscard]] Baseline readBaseline(const std::optional<std::string>& baseline);

/// Of each array whose accesses are further from what would do than in the baseline, by as much.
[[nodiscard]] std::vector<ProgramWarning> grownArrays(const std::vector<ArrayTotal>& now,
                                                      const std::vector<ArrayTotal>& before);

/// Adds of a program's `warnings` those that the baseline does not have or has for less, and of
/// `grown` arrays those of which no warning tells yet. Takes from the baseline what was found
/// again.
void addNew(CheckReport& to, Baseline& baseline, std::vector<ProgramWarning> warnings,
            std::vector<ProgramWarning> grown);

}  // namespace warplens
