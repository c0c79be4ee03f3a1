#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/measurement/measurement.h"
#include "core/program/launch_report.h"
#include "core/program/program_measurement.h"

/// What is known of one launch, from whom, and how it is worded wherever it is shown.
namespace warplens {

/// The values of a prediction and of a result side by side.
struct Evidence final {
    std::vector<Value> values;  ///< predicted first
    /// What became of the marked branches in the code that was measured; empty where unknown.
    std::vector<CompiledBranch> compiled{};
    bool recorded = false;  ///< the measured ones come from a recording
    bool sampled = false;   ///< the predicted ones come from some of the blocks

    [[nodiscard]] const Value* find(Metric metric, Source source, Variant variant,
                                    std::string_view subject) const;
    /// The most trustworthy number: timed, counted, compiled, predicted; else the first reason.
    [[nodiscard]] const Value* best(Metric metric, Variant variant = Variant::none,
                                    std::string_view subject = "kernel") const;
    /// Whether any source speaks of it.
    [[nodiscard]] bool has(Metric metric, Variant variant, std::string_view subject) const;
    /// `counted`, `recorded · counted`.
    [[nodiscard]] std::string sourceText(Source source) const;
};
/// Of a prediction and of a measurement, each null where there is none.
[[nodiscard]] Evidence evidenceOf(const LaunchReport* prediction, const Measurement* measurement,
                                  bool recorded);

/// The same of a launch of a person's program.
[[nodiscard]] Evidence evidenceOf(const LaunchReport& launch, const ProgramMeasurement* measurement,
                                  bool recorded);

/// Divergent branches that the counters should have seen: those of the marks that were still
/// branches in the compiled code. Nullopt where what became of the marks is unknown.
[[nodiscard]] std::optional<double> divergenceLeft(const Evidence& evidence);

/// What became of one marked branch in the compiled code.
struct MarkLine final {
    std::string mark;
    std::string words;
    bool diverges = false;  ///< warps part here, and the counters see it
};
/// One line for each mark, in the order of the source; none where what became of them is unknown.
[[nodiscard]] std::vector<MarkLine> compiledMarks(const Evidence& evidence);

/// What shared memory's banks cost: `no conflicts`, or `16.5-way conflict`.
struct Conflicts final {
    std::string words;
    bool any = false;
    Source source{};
};
/// The most trustworthy source's word; nullopt where none has one.
[[nodiscard]] std::optional<Conflicts> conflictsOf(const Evidence& evidence);

/// A number for a column, counts in every digit: `5,628,000,000`, `4.00`, `97.5 %`.
[[nodiscard]] std::string compact(const Value& value);

/// `1,048,576`, `0.5`.
[[nodiscard]] std::string compactCount(double value);

}  // namespace warplens
