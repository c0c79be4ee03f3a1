#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/window/state/app_state.h"

/// What the Measured panel shows, found and worded without drawing.
namespace warplens::window {

/// The values of a prediction and of a result side by side.
struct Evidence final {
    std::vector<Value> values;  ///< predicted first
    bool recorded = false;      ///< the measured ones come from a recording

    [[nodiscard]] const Value* find(Metric metric, Source source, Variant variant,
                                    std::string_view subject) const;
    /// The most trustworthy number: timed, counted, probed, predicted; else the first reason.
    [[nodiscard]] const Value* best(Metric metric, Variant variant = Variant::none,
                                    std::string_view subject = "kernel") const;
    /// Whether any source speaks of it.
    [[nodiscard]] bool has(Metric metric, Variant variant, std::string_view subject) const;
    /// `counted`, `recorded · counted`.
    [[nodiscard]] std::string sourceText(Source source) const;
};
[[nodiscard]] Evidence evidenceOf(const Prediction* prediction,
                                  const std::optional<Result>& result);

/// One line of a table: a quantity as each source gives it.
struct FigureRow final {
    std::string name;
    std::array<const Value*, 3> cells{};  ///< predicted, probed, counted
    std::string ideal;                    ///< the best possible, for the tooltip and beside it
    std::string meaning;
};
/// The row of a quantity; nullopt when no source speaks of it. `counts` of metrics that have a
/// subject other than the kernel are asked for by name.
[[nodiscard]] std::optional<FigureRow> rowOf(const Evidence& evidence, std::string name,
                                             Metric metric, Variant variant = Variant::none,
                                             std::string_view subject = "kernel");

/// Subjects other than the kernel that speak of the metric, in order of appearance.
[[nodiscard]] std::vector<std::string> subjectsOf(const Evidence& evidence, Metric metric);

/// A number short enough for a column: `5.63 G`, `262,144`, `4.00`, `97.5 %`.
[[nodiscard]] std::string compact(const Value& value);

/// Reasons of the values that are missing, each once, with its source.
[[nodiscard]] std::vector<std::string> reasonsIn(const Evidence& evidence,
                                                 const std::vector<FigureRow>& rows);

/// One line of A against B.
struct Comparison final {
    std::string name;
    std::string a;
    std::string b;
    std::string ratio;  ///< `12.4x slower`, `same`; empty where there is none
    int verdict = 0;    ///< +1 B is better, -1 worse, 0 neither
};
[[nodiscard]] std::vector<Comparison> compare(const Result& a, const Result& b);

/// `matadd-swapped 16x16 n=512`: what tells one result from another.
[[nodiscard]] std::string shortName(const Experiment& experiment);

}  // namespace warplens::window
