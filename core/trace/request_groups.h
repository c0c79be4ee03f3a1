#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <unordered_map>
#include <vector>

#include "core/kernel/kernel.h"
#include "core/trace/warp_observer.h"

namespace warplens::trace {

/// Addresses of one request relative to the first lane's. With the place of that lane within its
/// sector they say what the request costs; of shared memory they say it alone, for banks that all
/// shift alike conflict alike.
class RequestPattern final {
  public:
    RequestPattern(std::span<const std::uint64_t> addresses, std::uint32_t bytes,
                   std::uint64_t hash);
    /// Whether these addresses are of this pattern.
    [[nodiscard]] bool fits(std::span<const std::uint64_t> addresses, std::uint32_t bytes) const;
    [[nodiscard]] std::uint64_t hash() const { return hash_; }
    /// Of the request whose first lane lies `place` bytes (0 .. 31) into a sector.
    [[nodiscard]] LineCost costAt(AccessKind kind, std::uint32_t place) const;

  private:
    std::array<std::uint64_t, lanesPerWarp> relative_{};
    std::uint32_t lanes_;
    std::uint32_t bytes_;
    std::uint64_t hash_;
};

/// Where in a body requests come from.
struct RequestSite final {
    std::uint32_t line = 0;
    AccessKind kind = AccessKind::load;
    std::uint16_t subject = 0;
    std::uint8_t bytes = 0;  ///< for each lane; 0 for a branch
    friend bool operator==(const RequestSite&, const RequestSite&) = default;
};

/// Counts of requests by the place of their first lane within a sector, or of blocks by how far
/// their addresses are shifted: all that matters is the remainder modulo 32 bytes.
using PlaceCounts = std::array<std::uint64_t, bytesPerSector>;

/// All requests of one site, grouped by what they cost.
struct SiteRequests final {
    struct Group final {
        std::shared_ptr<const RequestPattern> pattern;
        PlaceCounts places{};  ///< of shared memory: all at 0
    };

    RequestSite site;
    std::uint64_t anchor = 0;  ///< address of the first lane of the first request
    std::vector<Group> groups;
    LineCost branch;
    std::uint64_t branchHash = 0;  ///< of which lanes came to it and which took it
    /// Requests beyond the number of patterns that are kept, as they were.
    LineCost irregular;
    std::uint64_t irregularHash = 0;  ///< of their addresses within sectors

    /// As if all addresses were so many bytes further on.
    void shift(std::uint64_t bytes);
    [[nodiscard]] bool accessesMemory() const { return isGlobal(site.kind); }
};

/// What some warps did: enough to tell whether others do the same, and what they cost when all
/// their addresses are shifted.
struct RequestGroups final {
    std::vector<SiteRequests> sites;  ///< in the order in which they came up

    [[nodiscard]] const SiteRequests* find(const RequestSite& site) const;
    /// Whether any of these arrays was accessed.
    [[nodiscard]] bool touch(std::span<const std::uint16_t> arrays) const;
    /// Alike for two blocks whose requests differ only in that all addresses of a site are shifted
    /// by the same number of bytes.
    [[nodiscard]] std::uint64_t kind() const;
    /// Alike only where, besides, every site begins at the same place within a sector.
    [[nodiscard]] std::uint64_t placedKind() const;
    /// Alike for two blocks that make the same requests and decisions, wherever the addresses lie.
    [[nodiscard]] std::uint64_t control() const;
};

/// Adds what the site's requests cost in `shifts[s]` blocks with addresses shifted by s bytes, for
/// each s.
void addTo(LineTallies& lines, const SiteRequests& requests, const PlaceCounts& shifts);
/// Adds all as they are, `times` times.
void addTo(LineTallies& lines, const RequestGroups& groups, std::uint64_t times = 1);

/// Groups what warps do.
class GroupingObserver final : public WarpObserver {
  public:
    /// `branches` gives branches their number, by name.
    explicit GroupingObserver(std::span<const KernelBranch> branches) : branches_(branches) {}

    void onRequest(const WarpRequest& request) override;
    void onBranch(const WarpBranch& branch) override;
    /// What was seen since the last call.
    [[nodiscard]] RequestGroups take();

  private:
    struct SiteState final {
        std::size_t follower = 0;  ///< the site that came after this one the last time
        std::size_t group = 0;     ///< the group of the last request whose pattern was new
        /// Groups of patterns by their numbers, which follow one another along a program.
        struct Known final {
            std::uint64_t pattern = 0;
            std::size_t group = 0;
        };
        std::array<Known, 8> known{};
        std::unordered_map<const RequestPattern*, std::size_t> groups{};
    };

    [[nodiscard]] std::size_t indexOf(const RequestSite& site);
    void addIrregular(SiteRequests& requests, const WarpRequest& request, std::uint64_t hash);

    std::span<const KernelBranch> branches_;
    std::unordered_multimap<std::uint64_t, std::shared_ptr<const RequestPattern>> patterns_;
    RequestGroups seen_;
    std::vector<SiteState> states_;
    std::size_t last_ = 0;
};

}  // namespace warplens::trace
