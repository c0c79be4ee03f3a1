#pragma once

#include <optional>
#include <random>
#include <unordered_map>

#include "core/trace/axis_runs.h"
#include "core/trace/block_reader.h"

namespace warplens::trace {

/// What the blocks of a launch do together, found by tracing some of each kind.
struct KindTotals final {
    LineTallies lines;  ///< of all but `readData`
    std::uint64_t kinds = 0;
    /// Blocks that read data which decides what is accessed: one tells nothing of another.
    std::vector<BlockSet> readData;
};

/// Finds the kinds of block in a launch (launch_totals.h).
class BlockKinds final {
  public:
    enum class Way : std::uint8_t {
        whole,  ///< blocks are of one kind where their addresses differ by a shift alone
        /// The same, for blocks of so many steps that their corners stand for them while kinds are
        /// looked for, and one warp at a time is traced.
        byWarps,
        /// Blocks are of one kind only where they are aligned alike, too: for shifts that are no
        /// multiple of the block's index.
        placed,
    };
    BlockKinds(const TracedLaunch& launch, BlockReader& reader, std::uint64_t costPerBlock,
               Way way);

    /// Nothing where the blocks are not of few kinds.
    [[nodiscard]] std::optional<KindTotals> find();

  private:
    using Steps = std::array<std::uint32_t, 3>;

    /// How far a site's addresses move from one block of a kind to the next along each axis.
    struct Shift final {
        RequestSite site;
        std::array<std::uint64_t, 3> bytes{};
    };
    struct Kind final {
        BlockSet blocks;
        std::vector<RequestGroups> parts{};  ///< of its first block: all of it, or warp by warp
        std::vector<Shift> shifts{};
        [[nodiscard]] bool accessesMemory() const;
        [[nodiscard]] const Shift* shiftOf(const RequestSite& site) const;
    };
    /// A further block of a kind that is traced in part: to learn from it, or to try what is
    /// believed of it.
    struct Trial final {
        Kind* kind;
        Steps steps;
        BlockPart part;
        std::size_t partOfKind = 0;
    };

    /// Looks along all three axes from that block. False where an axis has no runs, or nothing is
    /// new.
    bool look(Index3 from);
    [[nodiscard]] std::uint64_t kindOf(Index3 block);
    [[nodiscard]] std::optional<std::vector<Kind>> kinds() const;
    /// Takes the kinds whose blocks read data out of all.
    [[nodiscard]] std::vector<BlockSet> takeThoseThatReadData(std::vector<Kind>& kinds);
    [[nodiscard]] bool readsData(const Kind& kind) const;
    void traceFirsts(std::vector<Kind>& kinds);
    /// Of the first blocks one warp is traced of those that lie alike in the block and of which the
    /// lanes at the ends of rows do the same; the others' addresses are shifted as those lanes'
    /// are.
    void traceFirstsByWarps(std::vector<Kind>& kinds);
    /// Tries one of the warps of each block for which another stood; where it is not alike, all of
    /// the block are traced.
    void tryWarps(std::span<const BlockPart> lanes, std::span<const std::size_t> standsFor,
                  std::vector<RequestGroups>& all);
    /// Alike for warps whose lanes lie in the block as those of the other, shifted.
    [[nodiscard]] std::uint64_t shapeOf(WarpRank warp) const;
    /// Learns how the sites of the kinds move. False where their corners do not tell; a block that
    /// is not of its kind becomes `contradiction_`.
    bool learnShifts(std::vector<Kind>& kinds);
    bool learn(Kind& kind, const RequestGroups& first, const RequestGroups& next, std::size_t axis);
    void tryKinds(std::vector<Kind>& kinds);
    void addTrials(std::vector<Trial>& trials, Kind& kind, std::size_t atRandom);
    [[nodiscard]] static bool asBelieved(const Trial& trial, const RequestGroups& found);
    static void add(LineTallies& lines, const Kind& kind);

    const TracedLaunch& launch_;
    BlockReader& reader_;
    std::uint64_t costPerBlock_;
    bool byWarps_;
    bool placed_;
    std::uint32_t partsPerBlock_;
    std::array<std::vector<AxisRun>, 3> runs_;
    std::array<std::vector<std::uint32_t>, 3> suspects_;
    std::unordered_map<std::uint64_t, std::uint64_t> known_;  ///< kinds of blocks looked at
    std::optional<Index3> contradiction_;
    std::mt19937_64 random_{1};
};

}  // namespace warplens::trace
