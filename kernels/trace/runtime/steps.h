#pragma once

#include <cstdint>

/// What the warps of one block do, step by step, where that was asked for.
namespace warplens::runtime {

extern bool stepsAreRecorded;  ///< of the block that runs

/// Whether the launch that begins is the one whose steps are wanted.
[[nodiscard]] bool wantsSteps();
/// A block begins, or goes on.
void recordStepsOfBlock();
/// Lanes of one request that are at one array, `bytes` each in pieces of `piece`.
void recordRequest(std::uint32_t site, std::uint32_t array, std::uint32_t mask,
                   const std::uint64_t* addresses, std::uint32_t bytes, std::uint32_t piece);
/// `jumps`: the lanes of `mask` that the jump is taken by.
void recordBranch(std::uint32_t site, std::uint32_t mask, std::uint32_t jumps);
void sendSteps();

}  // namespace warplens::runtime
