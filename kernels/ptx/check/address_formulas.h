#pragma once

#include <map>
#include <memory>
#include <optional>
#include <tuple>

#include "core/program/launch_report.h"
#include "kernels/ptx/run/grid.h"

namespace warplens::ptx::check {

/// Learns from a launch's accesses, in the blocks at the corners of the grid, how their addresses
/// come about, and at its branches which lanes go together. Cost: a microsecond for a request of
/// these blocks in the first passes of its loops.
class AddressFormulas final : public Observer {
  public:
    AddressFormulas();
    ~AddressFormulas() override;
    void onLaunchBegin(const GridRun& grid) override;
    void onBlockBegin(const BlockRun& block) override;
    void onBlockEnd(const BlockRun& block) override;
    void onRequest(const Request& request) override;
    void onBranch(const Warp& warp, const Step& step, u32 active, u32 taken) override;

    /// Of what a site did to an array (`ArrayCounts`), of a function's in the call of it that costs
    /// most; nothing where its addresses follow none, or it was not in the blocks that were looked
    /// at.
    [[nodiscard]] std::optional<AddressFormula> of(u32 site, u32 array) const;
    /// Bytes that most neighbouring lanes are apart there: `ProgramLine::mostlyApart`.
    [[nodiscard]] s64 mostlyApart(u32 site, u32 array) const;
    /// Whether it was in these blocks.
    [[nodiscard]] bool hasSeen(u32 site, u32 array) const;
    /// Of a branch that diverged in these blocks.
    [[nodiscard]] std::optional<DivergingLanes> ofBranch(u32 site) const;

  private:
    /// A site, an array, and the calls that the site was reached by: two of one function are two
    /// accesses, no passes of a loop.
    using At = std::tuple<u32, u32, u32>;
    struct Place;
    /// The call of the site that costs most; null where there was none.
    [[nodiscard]] const Place* costliest(u32 site, u32 array) const;
    [[nodiscard]] u32 callsOf(const Warp& warp, u32 lanes);

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
    std::map<const BlockRun*, std::size_t> running_;  ///< chosen ones, with their slots
    std::map<At, std::unique_ptr<Place>> places_;
    /// Steps that calls return to, each behind the number of its caller's; 0: of a kernel.
    std::map<std::tuple<u32, const Code*, u32>, u32> calls_;
    std::map<u32, Branch> branches_;
};

}  // namespace warplens::ptx::check
