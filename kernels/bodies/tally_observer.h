#pragma once

#include <algorithm>
#include <bit>
#include <utility>

#include "core/access/tally.h"
#include "core/trace/warp_alignment.h"

namespace warplens {

/// Counts what a warp does.
class TallyObserver final : public trace::WarpObserver {
  public:
    explicit TallyObserver(const Kernel& kernel) : kernel_(kernel), tally_(kernel) {}

    void onRequest(const trace::WarpRequest& request) override {
        switch (request.kind) {
            case trace::EventKind::load:
                tally_.loads[request.subject].add(costOf(request.addresses, request.bytes));
                break;
            case trace::EventKind::store:
                tally_.stores[request.subject].add(costOf(request.addresses, request.bytes));
                break;
            default:
                tally_.shared[request.subject].add(sharedCostOf(request.addresses, request.bytes));
        }
    }
    void onBranch(const trace::WarpBranch& branch) override {
        const auto named =
            std::ranges::find(kernel_.branches, std::string_view(branch.name), &KernelBranch::name);
        const auto active = static_cast<std::uint64_t>(std::popcount(branch.activeLanes));
        const auto taken = static_cast<std::uint64_t>(std::popcount(branch.takenLanes));
        tally_.branches.at(static_cast<std::size_t>(named - kernel_.branches.begin()))
            .add({1, taken != 0 && taken != active, active, taken});
    }
    /// What was counted since the last call.
    [[nodiscard]] LaunchTally take() { return std::exchange(tally_, LaunchTally(kernel_)); }

  private:
    const Kernel& kernel_;
    LaunchTally tally_;
};

}  // namespace warplens
