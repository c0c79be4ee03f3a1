#pragma once

#include <vector>

#include "core/launch/limit_violation.h"
#include "core/view/view.h"

namespace CLI {
class App;
}

namespace warplens {

/// Parts of a view, as typed.
struct ViewOptions final {
    ViewChange view;
    std::vector<LimitViolation> violations{};  ///< words that are none
};

/// Declares the option of every part that has one: --view, --tab, … (core/view/view.h).
void addViewOptions(CLI::App& parser, ViewOptions& options);

}  // namespace warplens
