#include "app/drawing/warp_trace.h"

#include <bit>
#include <exception>

#include "core/text/format.h"
#include "core/trace/traced_array.h"
#include "kernels/bodies/traced_kernel.h"

namespace warplens {
namespace {

/// Of one thread: a lane's trace takes up to 32 bytes for each, and a warp's is held whole.
constexpr std::uint64_t stepsTraced = 1 << 17;

/// Keeps the first requests to each array in global memory, and counts them all.
class RequestKeeper final : public trace::WarpObserver {
  public:
    explicit RequestKeeper(std::vector<ArrayTrace>& arrays) : arrays_(arrays) {}

    void onRequest(const trace::WarpRequest& request) override {
        const bool store = request.kind == trace::EventKind::store;
        if (!store && request.kind != trace::EventKind::load) return;
        ArrayTrace& array = arrays_.at(request.subject);
        if (array.total++ >= requestsKept) return;
        LaneBytes lanes{.store = store, .bytes = request.bytes, .active = request.activeLanes};
        std::size_t next = 0;
        for (std::uint32_t left = request.activeLanes; left != 0; left &= left - 1) {
            lanes.offsets.at(static_cast<std::size_t>(std::countr_zero(left))) =
                request.addresses[next++] - trace::baseAddress(request.subject);
        }
        array.requests.push_back(lanes);
    }
    void onBranch(const trace::WarpBranch&) override {}

  private:
    std::vector<ArrayTrace>& arrays_;
};

}  // namespace

WarpTrace traceWarp(const WarpPlace& place) {
    WarpTrace result{place, {}, {}};
    try {
        const std::vector<Breach> breaches = validateRun(place.experiment);
        if (!breaches.empty()) {
            result.failure = toString(breaches);
            return result;
        }
        const Kernel& facts = kernelOf(scenarioNamed(place.experiment.scenario).kernel);
        if (facts.stepsPerElement != nullptr &&
            facts.stepsPerElement(place.experiment.arguments, place.experiment.launch) >
                stepsTraced) {
            result.failure = "more than " + groupedDigits(stepsTraced) + " steps a thread";
            return result;
        }
        TracedKernel kernel(place.experiment);
        std::vector<ArrayTrace> arrays(kernel.kernel().arrays.size());
        RequestKeeper keeper(arrays);
        kernel.runBlock(place.block, keeper, place.warp);
        result.arrays = std::move(arrays);
    } catch (const std::exception& error) {
        result.failure = error.what();
    }
    return result;
}

}  // namespace warplens
