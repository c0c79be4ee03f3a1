#pragma once

#include <iosfwd>

namespace warplens {

/// Answers requests, one JSON object a line, until `in` ends (worker_protocol.h). Requests run one
/// after the other; a cancel is heard while one runs. After a fault that poisons the CUDA context
/// the loop ends, so that the caller's process ends with it and the next one starts afresh. Returns
/// the process's exit code.
int answerRequests(std::istream& in, std::ostream& out);

}  // namespace warplens
