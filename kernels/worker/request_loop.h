#pragma once

#include <functional>
#include <iosfwd>
#include <stop_token>
#include <variant>

#include "core/measurement/worker_protocol.h"

namespace warplens {

class Renewal;

using Answer = std::variant<Description, Measurement, ProgramMeasurement, CompiledResources>;
using ReportProgress = std::function<void(const Progress&)>;

/// Carries out one request; throws what went wrong (failure.h).
using Work = std::function<Answer(const WorkerRequest& request, const ReportProgress& report,
                                  std::stop_token stop)>;

/// Says what this worker is, then answers requests, one JSON object a line, until `in` ends
/// (worker_protocol.h). Requests run one after the other; a cancel is heard while one runs. After a
/// failure that ends the worker (failure.h) so does the loop, and the caller's process is to end
/// with it; until then `in` and `out` must live. Returns the process's exit code.
///
/// `renewal`, where there is one, starts the process anew when nobody has asked for anything for
/// its idle time, or the work needs it for a request; without one such a request fails. `greets` is
/// false for a process that goes on for another.
///
/// `rest` is called some twenty times a second while nothing is asked for, until it returns false.
int answerRequests(std::istream& in, std::ostream& out, const Work& work,
                   const std::function<bool()>& rest = {}, Renewal* renewal = nullptr,
                   bool greets = true);

}  // namespace warplens
