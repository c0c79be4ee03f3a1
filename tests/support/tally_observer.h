#pragma once

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/trace/warp_observer.h"
#include "kernels/library/predict.h"

namespace warplens {

/// What was counted, by line of the body.
struct TraceTally final {
    void add(const TraceTally& other, std::uint64_t times = 1) { lines.add(other.lines, times); }
    [[nodiscard]] std::vector<Value> values(const Kernel& kernel) const {
        return valuesOf(linesOf(kernel, lines, Source::predicted), &kernel);
    }

    trace::LineTallies lines;
};

/// Counts what a warp does, each request by itself: slow, and plainly right.
class TallyObserver final : public trace::WarpObserver {
  public:
    explicit TallyObserver(const Kernel& kernel) : kernel_(kernel) {}

    void onRequest(const trace::WarpRequest& request) override {
        tally_.lines.at(request.line, request.kind, request.subject)
            .add(costOf(request.kind, request.addresses, request.bytes));
    }
    void onBranch(const trace::WarpBranch& branch) override {
        const auto named =
            std::ranges::find(kernel_.branches, std::string_view(branch.name), &KernelBranch::name);
        const auto subject = static_cast<std::uint16_t>(named - kernel_.branches.begin());
        tally_.lines.at(branch.line, AccessKind::branch, subject)
            .add(costOfBranch(branch.activeLanes, branch.takenLanes));
    }
    /// What was counted since the last call.
    [[nodiscard]] TraceTally take() { return std::exchange(tally_, {}); }

  private:
    const Kernel& kernel_;
    TraceTally tally_;
};

}  // namespace warplens
