#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "core/launch/launch.h"
#include "kernels/device/cubin.h"
#include "kernels/measure/device/loaded_code.h"
#include "tests/gpu/probe/instrument.h"
#include "tests/gpu/probe/probe.h"

namespace warplens {

/// Whether lanes may come apart in any of the functions.
[[nodiscard]] bool haveYield(const std::vector<SassFunction>& functions);

/// A kernel's PTX, instrumented, linked with the probe and loaded for this thread's device.
class ProbedCode final {
  public:
    /// As `instrument`. Throws UnknownPtx, CompileError, CudaError. Cost: some 20 ms.
    ProbedCode(const std::string& ptx, const std::string& kernel, const Extents& block,
               const std::set<std::string>& files);

    [[nodiscard]] const LoadedCode& code() const { return code_; }
    [[nodiscard]] const std::vector<Site>& sites() const { return instrumented_.sites; }
    [[nodiscard]] const std::vector<std::string>& notes() const { return instrumented_.notes; }
    /// Whether the assembler lets lanes of a warp come apart in the probe itself: it would then
    /// take one request for several.
    [[nodiscard]] bool splitsWarps() const { return splitsWarps_; }
    [[nodiscard]] const std::vector<std::string>& sharedSymbols() const {
        return instrumented_.sharedSymbols;
    }

    /// What `launch`, which queues the instrumented kernel once, counts: the rows of each site,
    /// `table.rowsPerSite` of them, one site after the other. Throws CudaError.
    [[nodiscard]] std::vector<SiteTally> count(ProbeTable table,
                                               const std::function<void()>& launch) const;

  private:
    ProbedCode(InstrumentedPtx instrumented, const Extents& block);

    InstrumentedPtx instrumented_;
    std::string cubin_;  ///< empty once it is loaded
    bool splitsWarps_;
    LoadedCode code_;
};

}  // namespace warplens
