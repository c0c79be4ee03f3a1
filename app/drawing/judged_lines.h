#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "core/program/line_judges.h"
#include "core/program/program_measurement.h"

/// What source, compiled code and hardware say of the lines of a person's file.
namespace warplens {

/// A row for each kind of a statement of `file`. `statements` says on which line each line's
/// statement begins (statementLines): compilers lay all of one to one line, so is the source's side
/// here.
[[nodiscard]] std::vector<LineJudges> judgesOfStatements(
    const ProgramLaunch& launch, const ProgramMeasurement& measured, const std::string& file,
    const std::vector<std::uint32_t>& statements);

/// Adds what is said of another launch.
void add(std::vector<LineJudges>& all, const std::vector<LineJudges>& more);

/// The number that stands beside a line: the one that the judges differ on, else what it costs.
struct JudgedLine final {
    std::array<std::optional<std::uint64_t>, lineSources.size()> numbers{};
    std::string unit{};  ///< `sectors`
    bool differs = false;
    friend bool operator==(const JudgedLine&, const JudgedLine&) = default;
};
/// By line.
[[nodiscard]] std::map<std::uint32_t, JudgedLine> judgedLines(
    const std::vector<LineJudges>& judges, const std::vector<LineDifference>& differences,
    const std::string& file);

/// `104 requests predicted, 182 compiled, 182 counted`, `416 sectors, predicted = compiled =
/// counted`; empty where all say none.
[[nodiscard]] std::string inWords(const JudgedLine& line);

}  // namespace warplens
