#pragma once

#include <cstdint>
#include <vector>

#include "core/program/program_trace.h"
#include "kernels/trace/build/program_build.h"

namespace warplens {

/// Places in the rewritten text as places in the person's own.
class SourcePlaces final {
  public:
    explicit SourcePlaces(const BuiltProgram& program) : program_(program) {}

    void correct(SourcePlace& place) const;
    /// The first of these addresses of the program's code that is in a file of the person's.
    [[nodiscard]] SourcePlace ofAddresses(const std::vector<std::uint64_t>& addresses) const;

  private:
    const BuiltProgram& program_;
};

}  // namespace warplens
