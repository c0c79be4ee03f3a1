#pragma once

#include <string>
#include <vector>

#include "app/cli/exit_code.h"
#include "app/cli/options.h"
#include "app/worker/worker_client.h"

namespace warplens {

/// One thing a machine can do, or what keeps it from that and what to do about it.
struct MachineFinding final {
    std::string name;
    bool ok = false;
    std::string detail;
    std::string remedy;
};

/// What the worker that the options name can do, a row for each GPU there and its counters, or what
/// is wrong on the way to it and the command that helps. That nothing can be measured here is an
/// answer, and `done`; a worker that was named and does not answer is not.
ExitCode examineMeasuring(const WorkerOptions& options, std::vector<MachineFinding>& findings);

/// What to do about a worker that did not answer: its command failed with these words.
[[nodiscard]] std::string remedyFor(const std::string& place, const Failure& failure);

}  // namespace warplens
