#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "core/scenario/scenario.h"
#include "core/trace/warp_observer.h"

namespace warplens::library {

/// Runs the blocks of one launch of a kernel whose code is not part of this program. What it throws
/// for the kernel's own faults is a TraceFault (predict.h).
class RemoteTracer {
  public:
    virtual ~RemoteTracer() = default;
    [[nodiscard]] virtual const std::vector<trace::SharedPlace>& sharedPlaces() const = 0;
    [[nodiscard]] virtual std::uint32_t staticSharedBytes() const = 0;
    /// As TracedKernel::runBlock; with `rounds` those of loops are told, too, and with `computes`
    /// all is computed.
    virtual std::uint64_t runBlock(Index3 block, trace::WarpObserver& observer,
                                   std::span<const ThreadRank> only, bool rounds,
                                   bool computes) = 0;
};

using MakeRemoteTracer =
    std::function<std::unique_ptr<RemoteTracer>(const Kernel&, const Experiment&)>;
/// Who makes them; before the first is needed.
void setRemoteTracers(MakeRemoteTracer make);
/// Throws TraceFault where nobody does.
[[nodiscard]] std::unique_ptr<RemoteTracer> makeRemoteTracer(const Kernel& kernel,
                                                             const Experiment& experiment);

}  // namespace warplens::library
