#pragma once

#include <string>
#include <string_view>

#include "core/measurement/worker_protocol.h"

namespace warplens {

/// The first `most` bytes of `text`, with everything that is not plain ASCII written as \xNN.
[[nodiscard]] std::string printable(std::string_view text, std::size_t most);

/// Makes what a worker says fit to be shown, wherever it comes from: stages and messages of a
/// length that a person would read, without control characters, which a terminal would obey.
void makePresentable(WorkerEvent& event);

}  // namespace warplens
