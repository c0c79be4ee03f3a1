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
    /// What became of the marked branches in the code that was measured; empty where unknown.
    std::vector<CompiledBranch> compiled{};
    bool recorded = false;  ///< the measured ones come from a recording
    bool sampled = false;   ///< the predicted ones come from some of the blocks

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
struct NumberRow final {
    std::string name;
    std::array<const Value*, 3> cells{};  ///< predicted, probed, counted
    std::string ideal;  ///< of a request with the same width and active lanes: shown beside it
    std::string meaning;
    bool sampled = false;         ///< the predicted number comes from some of the blocks
    bool countsBranches = false;  ///< the hardware counts others than those marked in the source
    bool marksKnown = false;      ///< what became of the marked branches is said elsewhere
    /// What the counters should have seen, where that is not what was predicted of the source.
    std::optional<double> leftToCount{};
};
/// The row of a quantity; nullopt when no source speaks of it. `counts` of metrics that have a
/// subject other than the kernel are asked for by name.
[[nodiscard]] std::optional<NumberRow> rowOf(const Evidence& evidence, std::string name,
                                             Metric metric, Variant variant = Variant::none,
                                             std::string_view subject = "kernel");

/// The rows of the arrays or branches that speak of the quantity, `  left / load`; none where there
/// is only one of them, whose row would repeat the kernel's.
[[nodiscard]] std::vector<NumberRow> partsOf(const Evidence& evidence, std::string_view suffix,
                                             Metric metric, Variant variant = Variant::none);

/// Whether every number of the row is 0.
[[nodiscard]] bool isZero(const NumberRow& row);

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

enum class Agreement : std::uint8_t { alone, equal, different };
/// `alone` where fewer than two sources have a number.
[[nodiscard]] Agreement agreementOf(const NumberRow& row);

/// `counted 0, predicted and probed 4`: which sources say what.
[[nodiscard]] std::string spelledOut(const NumberRow& row);

/// A number for a column, counts in every digit: `5,628,000,000`, `4.00`, `97.5 %`.
[[nodiscard]] std::string compact(const Value& value);

/// What must be said below a table: why numbers are missing (`n/a counted: no branches`) and where
/// the sources differ, each once.
[[nodiscard]] std::vector<std::string> remarksOn(const std::vector<NumberRow>& rows);

}  // namespace warplens::window
