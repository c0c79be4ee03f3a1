#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/drawing/evidence.h"
#include "app/window/state/app_state.h"
#include "core/measurement/recording.h"

/// Two results side by side, worded without drawing; and short names of launches, for buttons.
namespace warplens::window {

[[nodiscard]] Evidence evidenceOf(const LaunchReport* prediction,
                                  const std::optional<Result>& result);

/// One line of A against B.
struct Comparison final {
    std::string name;
    std::string a;
    std::string b;
    std::string ratio;  ///< `12.4× slower`, `same`; empty where there is none
    int verdict = 0;    ///< +1 B is better, -1 worse, 0 neither
};
[[nodiscard]] std::vector<Comparison> compare(const Result& a, const Result& b);

/// The predicted totals of the own launch that is shown against those of the one pinned as A, or of
/// the pinned scenario's launch. Nothing where none is pinned.
struct ProgramComparison final {
    std::string a;
    std::string b;
    std::vector<Comparison> lines;
};
[[nodiscard]] std::optional<ProgramComparison> programComparison(const AppState& state);

/// `matadd-swapped  16×16  n=512`: what tells one result from another.
[[nodiscard]] std::string shortName(const Experiment& experiment);
/// The same, and `(recorded)` where it is.
[[nodiscard]] std::string shortName(const Result& result);

/// `1024`, `32×8`, `5×7×3`.
[[nodiscard]] std::string timesText(Extents extents);

/// One label for each recording of a scenario: block, the sizes in which they differ, and the
/// device: `32×8 · H200`, `256 · stride 4 · H200`.
[[nodiscard]] std::vector<std::string> labelsOf(const std::vector<const Recording*>& recordings);

}  // namespace warplens::window
