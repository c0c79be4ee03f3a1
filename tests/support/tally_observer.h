#pragma once

#include <algorithm>
#include <bit>
#include <utility>

#include "core/access/tally.h"
#include "core/trace/line_tally.h"
#include "core/trace/warp_observer.h"

namespace warplens {

/// What was counted: by array and mark, and by line of the body.
struct TraceTally final {
    TraceTally() = default;
    explicit TraceTally(const Kernel& kernel) : launch(kernel) {}
    void add(const TraceTally& other, std::uint64_t times = 1) {
        launch.add(other.launch, times);
        lines.add(other.lines, times);
    }

    LaunchTally launch;
    trace::LineTallies lines;
};

/// Counts what a warp does, each request by itself: slow, and plainly right.
class TallyObserver final : public trace::WarpObserver {
  public:
    explicit TallyObserver(const Kernel& kernel) : kernel_(kernel), tally_(kernel) {}

    void onRequest(const trace::WarpRequest& request) override {
        trace::LineTally& line = tally_.lines.at(request.line, request.kind, request.subject);
        switch (request.kind) {
            case trace::EventKind::load:
            case trace::EventKind::store: {
                const AccessCost cost = costOf(request.addresses, request.bytes);
                const bool loads = request.kind == trace::EventKind::load;
                (loads ? tally_.launch.loads : tally_.launch.stores)[request.subject].add(cost);
                line.access.add(cost);
                break;
            }
            case trace::EventKind::atomic: {
                const AtomicTally once{1, mostAtOneAddress(request.addresses),
                                       costOf(request.addresses, request.bytes).sectors};
                tally_.launch.atomics[request.subject].add(once);
                line.atomic.add(once);
                break;
            }
            default: {
                const bool atomic = request.kind == trace::EventKind::sharedAtomic;
                const SharedCost cost = sharedCostOf(request.addresses, request.bytes, atomic);
                tally_.launch.shared[request.subject].add(cost);
                line.shared.add(cost);
                if (!atomic) break;
                const AtomicTally once{1, mostAtOneAddress(request.addresses), 0};
                tally_.launch.sharedAtomics[request.subject].add(once);
                line.atomic.add(once);
            }
        }
    }
    void onBranch(const trace::WarpBranch& branch) override {
        const auto named =
            std::ranges::find(kernel_.branches, std::string_view(branch.name), &KernelBranch::name);
        const auto active = static_cast<std::uint64_t>(std::popcount(branch.activeLanes));
        const auto taken = static_cast<std::uint64_t>(std::popcount(branch.takenLanes));
        const auto subject = static_cast<std::uint16_t>(named - kernel_.branches.begin());
        const BranchTally once{1, taken != 0 && taken != active, active, taken};
        tally_.launch.branches.at(subject).add(once);
        tally_.lines.at(branch.line, trace::EventKind::branch, subject).branch.add(once);
    }
    /// What was counted since the last call.
    [[nodiscard]] TraceTally take() { return std::exchange(tally_, TraceTally(kernel_)); }

  private:
    const Kernel& kernel_;
    TraceTally tally_;
};

}  // namespace warplens
