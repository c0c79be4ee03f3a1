#pragma once

#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "core/program/launch_report.h"
#include "kernels/ptx/run/grid.h"

namespace warplens::ptx::check {

/// Learns from a launch's accesses how their addresses come about, and at its branches which lanes
/// go together: of each in up to six of the blocks that come there. Cost: a microsecond for a
/// request of these blocks in the first passes of its loops.
class AddressFormulas final : public Observer {
  public:
    AddressFormulas();
    ~AddressFormulas() override;
    void onLaunchBegin(const GridRun& grid) override;
    void onRequest(const Request& request) override;
    void onBranch(const Warp& warp, const Step& step, u32 active, u32 taken) override;
    void onBlockEnd(const BlockRun& block) override;
    [[nodiscard]] u32 barriers() const { return barriers_; }  ///< `LaunchReport::barriers`

    /// Of what a site did to an array (`ArrayCounts`), of a function's in the call of it that costs
    /// most; nothing where its addresses follow none.
    [[nodiscard]] std::optional<AddressFormula> of(u32 site, u32 array) const;
    /// Bytes that most neighbouring lanes are apart there: `ProgramLine::mostlyApart`.
    [[nodiscard]] s64 mostlyApart(u32 site, u32 array) const;
    /// Whether the bytes of each request of those looked at lie side by side in global memory.
    [[nodiscard]] bool isOneRun(u32 site, u32 array) const;
    /// Whether it was looked at.
    [[nodiscard]] bool hasSeen(u32 site, u32 array) const;
    /// Of a branch that diverged.
    [[nodiscard]] std::optional<DivergingLanes> ofBranch(u32 site) const;

  private:
    /// A site, an array, and the calls that the site was reached by: two of one function are two
    /// accesses, no passes of a loop.
    using At = std::tuple<u32, u32, u32>;
    struct Place;
    /// The call of the site that costs most; null where there was none.
    [[nodiscard]] const Place* costliest(u32 site, u32 array) const;
    [[nodiscard]] u32 callsOf(const Warp& warp, u32 lanes);

    /// Blocks in which a site is looked at: the first that comes there, those that differ from the
    /// others along one more axis, one of the second half of the grid, and the last.
    struct Blocks final {
        static constexpr std::size_t most = 6;
        std::array<u64, most> ranks{};
        u32 count = 0;
        std::array<Index3, 4> apart{};  ///< first the first one's index
        u32 axes = 0;                   ///< of them
        bool isBeyondHalf = false;
    };
    /// Which of the site's blocks it is; nothing where it is none.
    [[nodiscard]] std::optional<std::size_t> slotOf(u32 site, const BlockRun& block);

    struct Branch final {
        u32 bits = 0x1f;  ///< of the lane index that may decide
        std::optional<u32> first{};
        bool isFirst = true;
        std::optional<u32> every{};
        bool isEvery = true;
        bool isSingle = true;
        u32 taking = 0;   ///< lanes that ever went there
        u32 staying = 0;  ///< and that ever did not
        u64 times = 0;
    };
    const GridRun* grid_ = nullptr;
    u32 barriers_ = 0;
    std::vector<Blocks> blocks_;  ///< by site
    std::map<At, std::unique_ptr<Place>> places_;
    /// Steps that calls return to, each behind the number of its caller's; 0: of a kernel.
    std::map<std::tuple<u32, const Code*, u32>, u32> calls_;
    std::map<u32, Branch> branches_;
};

}  // namespace warplens::ptx::check
