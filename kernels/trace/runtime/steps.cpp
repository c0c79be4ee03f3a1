#include "kernels/trace/runtime/steps.h"

#include <algorithm>
#include <bit>
#include <map>
#include <vector>

#include "core/program/block_steps.h"
#include "kernels/trace/runtime/launch_state.h"
#include "kernels/trace/runtime/memory.h"
#include "kernels/trace/runtime/report.h"
#include "kernels/trace/runtime/tally.h"
#include "kernels/trace/runtime/warp.h"

namespace warplens::runtime {

bool stepsAreRecorded = false;

namespace {

/// A step with the runtime's own numbers: sites for places, ids for arrays.
struct SeenStep final {
    std::uint32_t site = 0;
    std::uint32_t array = noArray;  ///< of a request
    std::uint32_t bytes = 0;
    std::uint32_t active = 0;
    std::uint32_t taken = 0;
};
struct SeenWarp final {
    std::vector<SeenStep> steps;
    std::vector<std::uint64_t> addresses;
    std::uint64_t total = 0;
};
WARPLENS_EARLY std::vector<SeenWarp> seen;

/// The warp whose events are looked at, where there is room for a step of it.
SeenWarp* roomForStep() {
    SeenWarp& warp = seen[warpNow().index];
    return warp.total++ < mostStepsOfBlock / seen.size() ? &warp : nullptr;
}

std::uint32_t alignedTo16(std::uint32_t bytes) {
    return (bytes + 15) / 16 * 16;
}

/// Gives places, arrays and branches their numbers in BlockSteps.
class Numbering final {
  public:
    explicit Numbering(BlockSteps& result) : result_(result) {
        // Parameters first, so that an array has one number for all blocks.
        for (const SeenParameter& parameter : launchState.parameters) {
            if (parameter.pointee == 0 || parameter.bytes.size() < 8) continue;
            std::uint64_t address = 0;
            std::copy_n(parameter.bytes.begin(), 8, reinterpret_cast<std::uint8_t*>(&address));
            const std::uint32_t id = arrayAt(address);
            if (id != noArray && arrayOf(id).isGlobal()) (void)global(id);
        }
        std::vector<std::uint32_t> ids;
        for (const SeenWarp& warp : seen) {
            for (const SeenStep& step : warp.steps) {
                if (step.array != noArray) ids.push_back(step.array);
            }
            std::sort(ids.begin(), ids.end());
            ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
        }
        std::uint32_t offset = 0;
        for (const std::uint32_t id : ids) {
            const Array& array = arrayOf(id);
            if (array.isGlobal()) {
                (void)global(id);
                continue;
            }
            shared_[id] = static_cast<std::uint16_t>(result_.shared.size());
            result_.shared.push_back(
                {array.name, {.offset = offset, .elementBytes = std::max(1U, array.elementBytes)}});
            offset = alignedTo16(offset + static_cast<std::uint32_t>(array.bytes));
            if (array.space != Space::shared) continue;
            const std::uint32_t unit = std::max(1U, array.elementBytes);
            std::uint32_t& taken = result_.staticSharedBytes;
            taken = (taken + unit - 1) / unit * unit + static_cast<std::uint32_t>(array.bytes);
        }
    }

    [[nodiscard]] BlockStep step(const SeenStep& from) {
        BlockStep to{.place = place(from.site),
                     .bytes = from.bytes,
                     .active = from.active,
                     .taken = from.taken};
        if (from.array == noArray) {
            to.kind = AccessKind::branch;
            to.subject = branch(from.site, to.place);
            return to;
        }
        const bool isShared = !arrayOf(from.array).isGlobal();
        to.subject = isShared ? shared_.at(from.array) : global(from.array);
        switch (placeOfSite(from.site).kind) {
            case SiteKind::load:
                to.kind = isShared ? AccessKind::sharedLoad : AccessKind::load;
                break;
            case SiteKind::store:
                to.kind = isShared ? AccessKind::sharedStore : AccessKind::store;
                break;
            default:
                to.kind = isShared ? AccessKind::sharedAtomic : AccessKind::atomic;
        }
        return to;
    }
    /// What is added to an address within the array.
    [[nodiscard]] std::uint64_t shift(std::uint32_t id) const {
        const Array& array = arrayOf(id);
        if (array.isGlobal()) return array.at % 32 - array.at;
        return result_.shared[shared_.at(id)].place.offset - array.at;
    }

  private:
    std::uint16_t global(std::uint32_t id) {
        const auto [known, isNew] =
            global_.emplace(id, static_cast<std::uint16_t>(result_.arrays.size()));
        if (isNew) {
            const Array& array = arrayOf(id);
            result_.arrays.push_back({array.name, std::max(1U, array.elementBytes),
                                      static_cast<std::uint32_t>(array.at % 32)});
        }
        return known->second;
    }
    std::uint32_t place(std::uint32_t site) {
        const auto [known, isNew] =
            places_.emplace(site, static_cast<std::uint32_t>(result_.places.size()));
        if (isNew) result_.places.push_back(placeOf(site));
        return known->second;
    }
    std::uint16_t branch(std::uint32_t site, std::uint32_t place) {
        const auto [known, isNew] =
            branches_.emplace(site, static_cast<std::uint16_t>(result_.branches.size()));
        if (isNew) {
            result_.branches.push_back({place, (siteRow(site).outcomes & jumpIsAhead) != 0});
        }
        return known->second;
    }

    BlockSteps& result_;
    std::map<std::uint32_t, std::uint16_t> global_;
    std::map<std::uint32_t, std::uint16_t> shared_;
    std::map<std::uint32_t, std::uint32_t> places_;    ///< by site
    std::map<std::uint32_t, std::uint16_t> branches_;  ///< by site
};

}  // namespace

bool wantsSteps() {
    return wishes().hasSteps && wishes().launch == launchState.index;
}

void recordStepsOfBlock() {
    stepsAreRecorded = wantsSteps() && launchState.block == wishes().stepsOf &&
                       laneProgram.mode == RunMode::traced;
    if (stepsAreRecorded && seen.empty()) {
        seen.resize((launchState.launch.block.count() + 31) / 32);
    }
}

void recordRequest(std::uint32_t site, std::uint32_t array, std::uint32_t mask,
                   const std::uint64_t* addresses, std::uint32_t bytes, std::uint32_t piece) {
    const std::uint64_t begin = arrayOf(array).at;
    std::uint64_t places[32];
    std::uint32_t inside = 0;
    std::uint32_t count = 0;
    std::uint64_t low = piece;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1, ++addresses) {
        // One before the array's beginning is told as a finding: it has no place there.
        if (*addresses < begin) continue;
        inside |= rest & ~(rest - 1);
        low |= *addresses;
        places[count++] = *addresses;
    }
    // Machine code has no access at an address that is no multiple of its size.
    piece = std::min(16U, 1U << std::countr_zero(low));
    for (std::uint32_t from = 0; count != 0 && from < bytes; from += piece) {
        SeenWarp* const warp = roomForStep();
        if (warp == nullptr) continue;
        warp->steps.push_back({.site = site, .array = array, .bytes = piece, .active = inside});
        for (std::uint32_t i = 0; i < count; ++i) warp->addresses.push_back(places[i] + from);
    }
}

void recordBranch(std::uint32_t site, std::uint32_t mask, std::uint32_t jumps) {
    if ((siteRow(site).flags & siteOfLibrary) != 0) return;  // no line of the program
    SeenWarp* const warp = roomForStep();
    if (warp == nullptr) return;
    const bool jumpsHold = static_cast<Outcome>(siteRow(site).outcomes >> 2 & 3) == Outcome::yes;
    warp->steps.push_back(
        {.site = site, .active = mask, .taken = jumpsHold ? jumps : mask & ~jumps});
}

void sendSteps() {
    BlockSteps result;
    result.launch = launchState.index;
    result.kernel = launchState.kernel;
    result.shape = launchState.launch;
    result.block = wishes().stepsOf;
    Numbering numbering(result);
    for (SeenWarp& warp : seen) {
        WarpSteps& steps = result.warps.emplace_back();
        steps.total = warp.total;
        steps.offsets = std::move(warp.addresses);
        std::size_t next = 0;
        for (const SeenStep& step : warp.steps) {
            steps.steps.push_back(numbering.step(step));
            if (step.array == noArray) continue;
            const std::uint64_t shift = numbering.shift(step.array);
            for (int lanes = std::popcount(step.active); lanes > 0; --lanes) {
                steps.offsets[next++] += shift;
            }
        }
    }
    sendSteps(result);
}

}  // namespace warplens::runtime
