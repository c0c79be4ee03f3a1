#pragma once

#include "kernels/worker/request_loop.h"

namespace warplens {

/// Describes and measures on device 0, which the first request opens.
[[nodiscard]] Work measuringWork();

}  // namespace warplens
