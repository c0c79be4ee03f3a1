#pragma once

#include <cstdint>
#include <string>

#include "core/program/block_steps.h"
#include "core/program/launch_inputs.h"
#include "core/program/program_trace.h"

/// What the runtime tells the program that started it, over a pipe.
namespace warplens::runtime {

/// What was asked for, from the environment (trace_frames.h has the names).
struct Wishes final {
    int pipe = -1;
    int process = 0;             ///< that reads this: one that it forks tells nothing
    std::string kernel;          ///< only launches of this kernel; empty: all
    std::int64_t launch = -1;    ///< only this launch; -1: all
    std::int64_t inputsOf = -1;  ///< send the inputs of this launch
    bool hasSteps = false;       ///< send the steps of a block of `launch`, and end there
    Index3 stepsOf;
    bool hasGrid = false;
    bool hasBlock = false;
    Extents grid;
    Extents block;
    double secondsPerLaunch = 1.0;  ///< of tracing, before it samples
    double secondsPerTurn = 2.0;    ///< of one thread without an end
    double secondsUntraced = 20.0;  ///< of all launches' blocks that are not traced
};
[[nodiscard]] const Wishes& wishes();

void sendLaunch(const LaunchReport& launch);
void sendFinding(const Finding& finding, const std::vector<std::uint64_t>& addresses);
void sendNote(const std::string& note);
void sendInputs(std::uint32_t launch, const LaunchInputs& inputs);
void sendSteps(const BlockSteps& steps);
void sendProgress(std::uint32_t launch, std::uint64_t done, std::uint64_t of);

}  // namespace warplens::runtime
