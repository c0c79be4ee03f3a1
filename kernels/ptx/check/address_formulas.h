#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "core/program/launch_report.h"
#include "kernels/ptx/run/grid.h"

namespace warplens::ptx::check {

/// Addresses as a formula of lanes and blocks: equations, solved exactly, modulo a prime.
class LinearFit final {
  public:
    static constexpr std::size_t unknowns = 7;  ///< 1, three of the thread, three of the block
    using Row = std::array<s64, unknowns>;

    /// One access: `known` . the unknowns = `value`. False from the first on that
    /// contradicts those before.
    bool add(const Row& known, s64 value);
    /// The unknowns, those that nothing says as 0; nothing where there was a contradiction, or they
    /// are no whole numbers.
    [[nodiscard]] std::optional<Row> solution() const;
    /// Whether something is said of the unknown.
    [[nodiscard]] bool says(std::size_t unknown) const { return rows_[unknown].has_value(); }

  private:
    using Equation = std::array<u64, unknowns + 1>;
    std::array<std::optional<Equation>, unknowns> rows_{};  ///< by the first unknown in it
    bool isContradicted_ = false;
    u32 seen_ = 0;    ///< bit i: the unknown is in an equation
    u32 pivots_ = 0;  ///< and in rows_
    /// What further accesses have to fit where each unknown that was seen has its row: a product of
    /// vectors instead of an elimination.
    std::optional<Row> solved_{};
};

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

    /// Of what a site did to an array (`ArrayCounts`); nothing where its addresses follow none, or
    /// it was not in the blocks that were looked at.
    [[nodiscard]] std::optional<AddressFormula> of(u32 site, u32 array) const;
    /// Whether it was in these blocks.
    [[nodiscard]] bool hasSeen(u32 site, u32 array) const;
    /// Of a branch that diverged in these blocks.
    [[nodiscard]] std::optional<DivergingLanes> ofBranch(u32 site) const;

  private:
    struct Place;
    struct Branch final {
        u32 bits = 0x1f;  ///< of the lane index that may decide
        std::optional<u32> first{};
        bool isFirst = true;
        std::optional<u32> every{};
        bool isEvery = true;
    };
    [[nodiscard]] std::optional<std::size_t> chosen(const BlockRun& block) const;

    const GridRun* grid_ = nullptr;
    std::vector<std::pair<const BlockRun*, std::size_t>> running_;  ///< chosen ones, by their slots
    std::map<std::pair<u32, u32>, std::unique_ptr<Place>> places_;
    std::map<u32, Branch> branches_;
};

}  // namespace warplens::ptx::check
