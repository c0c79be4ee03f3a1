#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/trace/warp_observer.h"
#include "kernels/library/run/lanes.h"
#include "kernels/trace/runtime/tables.h"

namespace warplens::library {

/// An array as the trace knows it: where it lies, and where the trace says that it lies.
struct ArrayRange final {
    std::uint64_t begin = 0;
    std::uint64_t bytes = 0;
    std::uint64_t shown = 0;    ///< address that is told for `begin`
    std::uint16_t subject = 0;  ///< which array of the kernel's; which shared one
    bool isShared = false;
};

/// A lane's access to nothing of the kernel's.
struct OutsideArrays final {
    std::uint32_t line = 0;
    std::uint64_t address = 0;
    Index3 thread{};
};

/// The lanes of a warp leave more events than anybody waits for: an endless loop, maybe.
struct TooManyEvents final {
    std::uint64_t most = 0;
};
inline constexpr std::uint64_t mostEvents = std::uint64_t{1} << 26;  ///< half a second's

/// The places of a kernel's code, with what the trace knows of each.
class PlaceTable final {
  public:
    /// `ranges` in the order of their addresses; `names` those of the branches, by line.
    PlaceTable(std::span<const runtime::SiteRow> sites, std::vector<ArrayRange> ranges,
               std::span<const std::pair<std::uint32_t, const char*>> names);

    struct Place final {
        runtime::SiteKind kind = runtime::SiteKind::load;
        trace::EventKind event = trace::EventKind::load;
        std::uint16_t subject = 0;
        std::uint32_t line = 0;
        std::uint32_t bytes = 0;
        std::uint32_t outcomes = 0;
        const char* name = nullptr;  ///< of a branch that is named
        const runtime::SiteRow* row = nullptr;
        ArrayRange range{};  ///< the last one that was found
    };
    [[nodiscard]] Place& at(std::uint32_t site) { return places_[site]; }
    [[nodiscard]] const runtime::SiteRow& row(std::uint32_t site) const {
        return *places_[site].row;
    }
    /// Makes `place.range` the one that the address lies in. False where it lies in none.
    [[nodiscard]] bool find(Place& place, std::uint64_t address) const;

  private:
    std::vector<Place> places_;  ///< by site, from 1
    std::vector<ArrayRange> ranges_;
};

/// The lanes of one warp and how they have parted: makes warp requests of the events they leave.
/// Lanes part where a branch takes them different ways, and meet again at its immediate
/// post-dominator, as compiled code has it.
class Warp final {
  public:
    Warp(LaneRunner& runner, PlaceTable& places, Lane* lanes, std::uint32_t count,
         trace::WarpObserver& observer);

    /// Runs the lanes, and tells of their events, until each waits for the block or has ended.
    void advance();
    [[nodiscard]] std::uint64_t events() const { return events_; }

  private:
    /// A call that lanes are in, and the one around it.
    struct Frame final {
        const Frame* caller = nullptr;
        std::uint32_t depth = 0;
        std::uint32_t callSite = 0;
    };
    /// Lanes that are together, within what they parted for.
    struct Group final {
        std::uint32_t mask = 0;
        std::uint32_t branch = 0;  ///< the site; 0: until the function is left; for all: the kernel
        std::uint32_t depth = 0;   ///< of the frame that the branch is in
        bool whole = false;        ///< of the kernel: never leaves
        const Frame* frame = nullptr;
    };
    /// A condition of several parts that not all of its lanes are through with.
    struct OpenCondition final {
        const char* name = nullptr;
        std::uint32_t line = 0;
        std::uint32_t active = 0;
        std::uint32_t pending = 0;
        std::uint32_t holds = 0;
    };

    [[nodiscard]] Group* nextGroup();
    void take(std::size_t group);
    void request(PlaceTable::Place& place, std::uint32_t mask, const Event* column,
                 std::uint32_t count);
    void decide(const PlaceTable::Place& place, std::uint32_t mask, std::uint32_t taken);
    [[nodiscard]] bool isOutside(const Group& group, std::uint32_t site) const;
    void part(std::size_t group, std::uint32_t first, std::uint32_t second, std::uint32_t branch);
    [[nodiscard]] const Frame* called(const Frame* caller, std::uint32_t site);
    bool releaseWaiting();
    void answerLanes(std::uint32_t mask);
    [[nodiscard]] std::uint32_t lanesIn(LaneState state) const;

    LaneRunner& runner_;
    PlaceTable& places_;
    Lane* lanes_;
    std::uint32_t count_;
    trace::WarpObserver& observer_;
    std::vector<Group> groups_;
    std::vector<std::unique_ptr<Frame>> frames_;
    std::vector<OpenCondition> open_;
    std::uint64_t events_ = 0;
    alignas(16) std::uint8_t exchanged_[2][32 * 32];
    std::uint32_t nextExchange_ = 0;
};

}  // namespace warplens::library
