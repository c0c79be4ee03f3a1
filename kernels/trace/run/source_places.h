#pragma once

#include <cstdint>
#include <vector>

#include "core/program/program_trace.h"
#include "kernels/programs/call_places.h"
#include "kernels/trace/build/program_build.h"

namespace warplens {

/// Places in the rewritten text as places in the person's own.
class SourcePlaces final {
  public:
    explicit SourcePlaces(const BuiltProgram& program) : program_(program) {}

    void correct(SourcePlace& place) const;
    /// As RunnableProgram::ofAddresses.
    [[nodiscard]] std::vector<SourcePlace> ofAddresses(
        const std::vector<CallAddresses>& calls) const;

  private:
    const BuiltProgram& program_;
};

}  // namespace warplens
