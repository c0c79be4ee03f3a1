#pragma once

#include <map>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "core/launch/launch.h"
#include "tests/gpu/probe/probe.h"
#include "tests/gpu/probe/site.h"

namespace warplens {

/// PTX that is not written as NVIDIA's compilers write it.
class UnknownPtx final : public std::runtime_error {
  public:
    using std::runtime_error::runtime_error;
};

/// PTX with the probe's code before each instruction that is counted.
struct InstrumentedPtx final {
    std::string ptx;
    std::vector<Site> sites;
    std::vector<std::string> notes;  ///< instructions that touch memory and are not counted
    /// Arrays in shared memory; the probe is told where the first of them begin (probe.h).
    std::vector<std::string> sharedSymbols;
};

/// Puts the probe's code before ld/st of global, shared and generic addresses, atom/red and
/// conditional branches of the kernels whose symbols are given and of every function beside them.
/// Other kernels stay as they are. A kernel without a bound on its block gets `block`, so that the
/// probe's registers cannot keep it from starting. What lies in other files than `files` belongs to
/// the place that it was inlined at, where the PTX names one; no files: any. Throws UnknownPtx.
[[nodiscard]] InstrumentedPtx instrument(const ProbeCode& probe, const std::string& ptx,
                                         const std::set<std::string>& kernels, const Extents& block,
                                         const std::set<std::string>& files = {});

/// The sites without the probe, in the order of the code: for looking at what was compiled.
[[nodiscard]] std::vector<Site> sitesOf(const std::string& ptx,
                                        const std::set<std::string>& kernels,
                                        const std::set<std::string>& files = {});

}  // namespace warplens
