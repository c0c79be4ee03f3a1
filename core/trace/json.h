#pragma once

#include "core/trace/prediction.h"

namespace warplens {

/// Written only. `lines` have what each line of the kernel's file does: of the numbers those that
/// its kind has.
void describe(Archive& v, Prediction& prediction);

}  // namespace warplens
