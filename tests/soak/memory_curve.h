#pragma once

#include <algorithm>
#include <cstdio>
#include <malloc.h>
#include <string>
#include <unistd.h>
#include <vector>

namespace warplens::window::soak {

/// Resident memory along a run. What the state holds comes and goes with what happens to it, by
/// megabytes, so that the least of many readings is compared: what is lost adds to that, too.
class MemoryCurve final {
  public:
    static constexpr double mostGrowth = 0.05;
    /// The first tenth of the run fills what is bounded; the tenth after it is compared with the
    /// last one.
    static constexpr double warmedUp = 0.1;
    static constexpr double compared = 0.1;
    static constexpr int readings = 400;  ///< of a whole run
    /// What a state holds for a moment outweighs what shorter runs could leak.
    static constexpr double judgedFromSeconds = 300;

    /// Large pieces are given back as soon as they are freed: left to itself the allocator keeps
    /// more and more of them.
    MemoryCurve() { mallopt(M_MMAP_THRESHOLD, 128 * 1024); }

    /// To be called as the run goes on; `share` of it is over. Reads at most `readings` times.
    void at(double share) {
        if (share < next_) return;
        next_ = share + 1.0 / readings;
        const double now = residentMiB();
        if (share >= warmedUp && share < warmedUp + compared) early_.push_back(now);
        if (share >= 1 - compared) late_.push_back(now);
        latest_ = now;
    }

    [[nodiscard]] bool grew() const {
        return !early_.empty() && !late_.empty() &&
               std::ranges::min(late_) > (1 + mostGrowth) * std::ranges::min(early_);
    }

    /// `412.0 MiB after the warm-up, 413.5 MiB at the end`.
    [[nodiscard]] std::string inWords() const {
        char text[96];
        if (early_.empty() || late_.empty()) {
            std::snprintf(text, sizeof text, "%.1f MiB", latest_);
        } else {
            std::snprintf(text, sizeof text, "%.1f MiB after the warm-up, %.1f MiB at the end",
                          std::ranges::min(early_), std::ranges::min(late_));
        }
        return text;
    }

  private:
    /// What the allocator keeps for later is given back first.
    static double residentMiB() {
        malloc_trim(0);
        long pages = 0;
        if (std::FILE* const file = std::fopen("/proc/self/statm", "r")) {
            if (std::fscanf(file, "%*s %ld", &pages) != 1) pages = 0;
            std::fclose(file);
        }
        return static_cast<double>(pages) * static_cast<double>(sysconf(_SC_PAGESIZE)) / (1 << 20);
    }

    std::vector<double> early_;
    std::vector<double> late_;
    double latest_ = 0;
    double next_ = 0;
};

}  // namespace warplens::window::soak
