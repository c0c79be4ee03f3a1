#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/measurement/measurement.h"
#include "core/measurement/metric.h"
#include "core/program/launch_report.h"
#include "core/program/program_measurement.h"

/// What is known of one launch, from whom, and how it is worded in every table, report and figure.
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

/// Requests, or turns, of atomics in shared memory, or in all other, as the source says; an array
/// is a shared one where wavefronts are told of it. Nullopt where it has no number.
[[nodiscard]] std::optional<Value> atomicsIn(bool shared, Metric metric,
                                             const std::vector<Value>& values, Source source);

/// What a memory's atomics come to.
struct AtomicsIn final {
    double requests = 0;
    double turns = 0;  ///< one for each request, and more where lanes of it meet at one address

    /// Whether lanes wait for others at their address.
    [[nodiscard]] bool meet() const { return turns > requests; }
};
[[nodiscard]] AtomicsIn atomicsIn(bool shared, const std::vector<Value>& values, Source source);

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

/// One line of a table: a quantity as each source gives it. Points into the evidence it is made of.
struct NumberRow final {
    std::string name;
    std::array<const Value*, 4> cells{};  ///< predicted, compiled, counted, timed
    /// The fewest that hold the bytes asked for, `1.97`, shown beside it; where the sources ask for
    /// others, of each: `1.97 predicted, 3.91 compiled`.
    std::string ideal{};
    std::array<const Value*, 4> ideals{};  ///< as the cells; null where a source does not say
    bool idealsDiffer = false;
    std::string meaning{};
    bool sampled = false;         ///< the predicted number comes from some of the blocks
    bool countsBranches = false;  ///< the hardware counts others than those marked in the source
    bool explained = false;       ///< why the sources differ is said elsewhere
    bool marksKnown = false;      ///< what became of the marked branches is said elsewhere
    /// What the counters should have seen, where that is not what was predicted of the source.
    std::optional<double> leftToCount{};

    [[nodiscard]] const Value*& cell(Source source) { return cells.at(placeOf(source)); }
    [[nodiscard]] const Value* cell(Source source) const { return cells.at(placeOf(source)); }
    /// Whether any source has a number, not only a reason why there is none.
    [[nodiscard]] bool hasNumber() const;

  private:
    [[nodiscard]] static std::size_t placeOf(Source source) {
        return static_cast<std::size_t>(std::ranges::find(measuredSources, source) -
                                        measuredSources.begin());
    }
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

/// All that the sources say, in the order of the metrics' table: a row for each quantity under its
/// title, one of an array or branch as `Divergent branches: even`. Groups without rows are left
/// out.
struct NumberGroup final {
    MetricGroup group;
    std::vector<NumberRow> rows;
};
[[nodiscard]] std::vector<NumberGroup> groupsOf(const Evidence& evidence);

/// Whether every number of the row is 0.
[[nodiscard]] bool isZero(const NumberRow& row);

enum class Agreement : std::uint8_t { alone, equal, different };
/// `alone` where fewer than two sources have a number.
[[nodiscard]] Agreement agreementOf(const NumberRow& row);

/// A number as it is shown, and all the sources that give it, in the order of the cells.
struct Statement final {
    std::string number;
    std::vector<Source> sources;
};
[[nodiscard]] std::vector<Statement> statementsOf(const NumberRow& row);

/// `counted 0, compiled and predicted 4`: which sources say what.
[[nodiscard]] std::string spelledOut(const NumberRow& row);

/// Why a row lacks numbers.
struct MissingNumber final {
    std::string name;     ///< the row's
    std::string sources;  ///< `compiled, counted`: those that give this reason
    bool ofAll = false;   ///< of several sources none has a number, all for this reason
    std::string reason;
};
[[nodiscard]] std::vector<MissingNumber> missingFrom(const std::vector<NumberRow>& rows);

/// Where the sources differ, each difference once.
[[nodiscard]] std::vector<std::string> differencesIn(const std::vector<NumberRow>& rows);

/// What must be said below a table: why numbers are missing (`n/a counted: no branches`) and where
/// the sources differ, each once.
[[nodiscard]] std::vector<std::string> remarksOn(const std::vector<NumberRow>& rows);

/// The bytes that the kernels of two scenarios must move, where one has twice the other's or more:
/// that is not the same work, and neither times nor counts are compared. Nothing where the grid is
/// what is tried.
[[nodiscard]] std::optional<std::pair<std::uint64_t, std::uint64_t>> unequalWork(
    const Experiment& a, const Experiment& b);

}  // namespace warplens
