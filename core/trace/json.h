#pragma once

#include <string>

#include "core/trace/prediction.h"

namespace warplens {

/// One object: `scenario`, `launch`, `arguments`, `exact`, `blocks_traced`, `blocks`, `kinds` where
/// one block of each kind was traced, `error_percent` where not exact, `seconds`, `version`,
/// `values`, and `lines`: what each line of the body file does ({`line`, `kind`, `subject`,
/// `requests`, `sectors`, `ideal_sectors`}, with `wavefronts` for shared memory, `branches`,
/// `divergent_branches` at marks).
[[nodiscard]] std::string toJson(const Prediction& prediction);

}  // namespace warplens
