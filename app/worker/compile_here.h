#pragma once

#include <functional>

#include "core/measurement/worker_protocol.h"

namespace warplens {

/// What the compiler of this machine makes of a kernel, by a worker of its own that ends then: no
/// GPU is needed, and no place that measures is asked. `cancelled` is asked now and then.
/// Cost: half a second.
[[nodiscard]] CompileAnswer compileHere(CompileRequest request,
                                        const std::function<bool()>& cancelled = {});

}  // namespace warplens
