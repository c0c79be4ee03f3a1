#pragma once

#include <string>
#include <vector>

#include "app/window/state/app_state.h"

/// Two results side by side, worded without drawing.
namespace warplens::window {

/// One line of A against B.
struct Comparison final {
    std::string name;
    std::string a;
    std::string b;
    std::string ratio;  ///< `12.4× slower`, `same`; empty where there is none
    int verdict = 0;    ///< +1 B is better, -1 worse, 0 neither
};
[[nodiscard]] std::vector<Comparison> compare(const Result& a, const Result& b);

/// `matadd-swapped  16×16  n=512`: what tells one result from another.
[[nodiscard]] std::string shortName(const Experiment& experiment);

}  // namespace warplens::window
