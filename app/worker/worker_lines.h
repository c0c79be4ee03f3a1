#pragma once

#include <string>
#include <string_view>

#include "core/measurement/worker_protocol.h"

namespace warplens {

/// The first `most` bytes of `text`, with everything that is not plain ASCII written as \xNN.
[[nodiscard]] std::string printable(std::string_view text, std::size_t most);

/// Cuts what a worker says about its progress and its failures to what a person would read.
void sanitize(WorkerEvent& event);

}  // namespace warplens
