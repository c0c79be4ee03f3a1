#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/trace/warp_observer.h"
#include "kernels/trace/runtime/tables.h"
#include "kernels/trace/runtime/warp_lanes.h"

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
    [[nodiscard]] const runtime::SiteRow* rows() const { return sites_.data(); }
    /// Makes `place.range` the one that the address lies in. False where it lies in none.
    [[nodiscard]] bool find(Place& place, std::uint64_t address) const;

  private:
    std::span<const runtime::SiteRow> sites_;
    std::vector<Place> places_;  ///< by site, from 1
    std::vector<ArrayRange> ranges_;
};

/// A lane of a warp waits at an intrinsic for one that never comes to it.
struct MissingLane final {
    std::uint32_t line = 0;
    Index3 waits{};
    Index3 missing{};
};

/// A warp of a built-in kernel: makes warp requests of the events that its lanes leave. May throw
/// OutsideArrays, TooManyEvents and MissingLane.
class Warp final : public runtime::WarpLanes {
  public:
    Warp(runtime::LaneRunner& runner, PlaceTable& places, runtime::Lane* lanes, std::uint32_t count,
         trace::WarpObserver& observer);

    /// Runs the lanes, and tells of their events, until each waits for the block or has ended.
    void advance();
    [[nodiscard]] std::uint64_t events() const { return passed_; }

  private:
    /// A condition of several parts that not all of its lanes are through with.
    struct OpenCondition final {
        const char* name = nullptr;
        std::uint32_t line = 0;
        std::uint32_t active = 0;
        std::uint32_t pending = 0;
        std::uint32_t holds = 0;
    };

    void take(std::size_t group);
    void request(PlaceTable::Place& place, std::uint32_t mask, const runtime::Event* column,
                 std::uint32_t count);
    void decide(const PlaceTable::Place& place, std::uint32_t mask, std::uint32_t taken);
    void onMissing(std::uint32_t waiter, std::uint32_t missing) override;

    PlaceTable& places_;
    trace::WarpObserver& observer_;
    std::vector<OpenCondition> open_;
};

}  // namespace warplens::library
