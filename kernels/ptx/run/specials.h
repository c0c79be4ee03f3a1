#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>

#include "kernels/ptx/run/step.h"

namespace warplens::ptx {

/// Special registers (PTX ISA, "Special Registers") that have a value of their own in a bank, in
/// the order in which they lie there.
inline constexpr std::array<std::string_view, 24> launchSpecials{"%ntid.x",
                                                                 "%ntid.y",
                                                                 "%ntid.z",
                                                                 "%nctaid.x",
                                                                 "%nctaid.y",
                                                                 "%nctaid.z",
                                                                 "%nwarpid",
                                                                 "%nsmid",
                                                                 "%dynamic_smem_size",
                                                                 "%total_smem_size",
                                                                 "%gridid",
                                                                 "%cluster_nctarank",
                                                                 "%cluster_nctaid.x",
                                                                 "%cluster_nctaid.y",
                                                                 "%cluster_nctaid.z",
                                                                 "%nclusterid.x",
                                                                 "%nclusterid.y",
                                                                 "%nclusterid.z",
                                                                 "%clock_hi",
                                                                 "%globaltimer_hi",
                                                                 "%envreg1",
                                                                 "%envreg2",
                                                                 "%is_explicit_cluster",
                                                                 "%aggr_smem_size"};
inline constexpr std::array<std::string_view, 11> warpSpecials{
    "%tid.x",       "%tid.y",       "%tid.z",       "%laneid",      "%warpid", "%lanemask_eq",
    "%lanemask_le", "%lanemask_lt", "%lanemask_ge", "%lanemask_gt", "%zero"};
inline constexpr std::array<std::string_view, 11> blockSpecials{
    "%ctaid.x",         "%ctaid.y",         "%ctaid.z",         "%smid",
    "%cluster_ctarank", "%cluster_ctaid.x", "%cluster_ctaid.y", "%cluster_ctaid.z",
    "%clusterid.x",     "%clusterid.y",     "%clusterid.z"};

/// Where the register's value is; absent for those that change while a kernel runs, and unknown
/// ones.
[[nodiscard]] inline std::optional<Slot> specialSlot(std::string_view name) {
    const auto within = [&](const auto& names, Bank bank) -> std::optional<Slot> {
        for (std::uint32_t at = 0; at < names.size(); ++at) {
            if (names[at] == name) return Slot{at * narrowBytes, static_cast<std::uint32_t>(bank)};
        }
        return std::nullopt;
    };
    if (const auto slot = within(launchSpecials, Bank::launch)) return slot;
    if (const auto slot = within(warpSpecials, Bank::warp)) return slot;
    return within(blockSpecials, Bank::block);
}

}  // namespace warplens::ptx
