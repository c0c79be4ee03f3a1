#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "app/drawing/evidence.h"
#include "app/window/state/app_state.h"

/// What the Measured panel shows, found and worded without drawing.
namespace warplens::window {

[[nodiscard]] Evidence evidenceOf(const Prediction* prediction,
                                  const std::optional<Result>& result);

/// One line of a table: a quantity as each source gives it.
struct NumberRow final {
    std::string name;
    std::array<const Value*, 3> cells{};  ///< predicted, probed, counted
    std::string ideal;  ///< the fewest that hold the bytes asked for: shown beside it
    std::string meaning;
    bool sampled = false;         ///< the predicted number comes from some of the blocks
    bool countsBranches = false;  ///< the hardware counts others than those marked in the source
    bool explained = false;       ///< why the sources differ is said elsewhere
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

enum class Agreement : std::uint8_t { alone, equal, different };
/// `alone` where fewer than two sources have a number.
[[nodiscard]] Agreement agreementOf(const NumberRow& row);

/// `counted 0, predicted and probed 4`: which sources say what.
[[nodiscard]] std::string spelledOut(const NumberRow& row);

/// What must be said below a table: why numbers are missing (`n/a counted: no branches`) and where
/// the sources differ, each once.
[[nodiscard]] std::vector<std::string> remarksOn(const std::vector<NumberRow>& rows);

}  // namespace warplens::window
