#pragma once

#include <algorithm>

#include "kernels/programs/runtime_api/report.h"
#include "kernels/programs/runtime_api/source_run.h"

namespace warplens::programs {

/// The time that the program's launches may take, all together: the host's own work needs the rest.
class LaunchBudget final {
  public:
    /// None is left where it is used up; kernels that were not run yet get a little even then.
    [[nodiscard]] double left() const {
        const double all = options().secondsOfAll;
        return std::min(all * 0.55 - spent_, all * 0.85 - (secondsNow() - begin));
    }
    /// Of running a launch as it was compiled. Once one was cut short nothing that follows is what
    /// a device would give, and launches like one before are left out.
    [[nodiscard]] double ofLaunch() const { return std::max(0.2, left() * (wasCut_ ? 0.1 : 0.5)); }
    /// Of running it as it is written: what is left of a share, and a little for a kernel that was
    /// not seen before.
    [[nodiscard]] double ofSource(bool isNew) const {
        const double most = options().secondsPerLaunch;
        const double share = std::min(options().secondsOfAll * 0.3 - spentOnSource_, left());
        if (share > 0) return std::min(most, std::max(0.05, share * 0.25));
        return isNew ? std::min(most, 0.3) : 0;
    }
    void spend(double seconds) { spent_ += seconds; }
    void spendOnSource(double seconds) { spentOnSource_ += seconds; }
    void cut() {
        wasCut_ = true;
        doubtFindings();
    }
    [[nodiscard]] bool wasCut() const { return wasCut_; }

  private:
    inline static const double begin = secondsNow();  // of the program
    double spent_ = 0;
    double spentOnSource_ = 0;
    bool wasCut_ = false;
};

}  // namespace warplens::programs
