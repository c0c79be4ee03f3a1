#pragma once

#include "core/measurement/timing.h"

namespace CLI {
class App;
}  // namespace CLI

namespace warplens {

/// --cache and --runs, as every command that measures has them, straight into the request.
void addTimingOptions(CLI::App& parser, TimingRequest& timing);

}  // namespace warplens
