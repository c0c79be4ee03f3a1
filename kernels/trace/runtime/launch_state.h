#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/launch/launch.h"
#include "core/program/program_trace.h"
#include "kernels/trace/runtime/lane_runner.h"
#include "kernels/trace/runtime/tables.h"

/// The launch that runs, and what it has come to.
namespace warplens::runtime {

/// A parameter as the kernel's first thread had it.
struct SeenParameter final {
    std::string name;
    std::vector<std::uint8_t> bytes;
    std::uint32_t alignment = 1;
    std::uint32_t pointee = 0;  ///< bytes of what it points to; 0 for what is no pointer
};

struct LaunchState final {
    bool running = false;
    bool isTrial = false;  ///< nothing of it is told
    double began = 0;      ///< as cpuSeconds()
    bool failed = false;   ///< given up: an error that the device would stop at
    int error = 0;         ///< as the CUDA runtime numbers it
    bool fenced = false;   ///< some thread called __threadfence(): blocks may hand data on
    bool cooperative = false;
    std::uint32_t index = 0;
    std::string kernel;  ///< as in the source
    SourcePlace place;
    Launch launch;
    const KernelRow* row = nullptr;
    std::vector<SeenParameter> parameters;
    Index3 block;
    std::uint32_t blockTag = 0;  ///< another for every block
};
extern LaunchState launchState;
extern LaneProgram laneProgram;  ///< what its lanes call
extern LaneRunner laneRunner;

/// Ends the program: tracing it is not possible.
[[noreturn]] void giveUp(const std::string& words);
/// Gives up where the program calls from a thread that it has started: what is kept of the device
/// is its first thread's.
void requireFirstThread();

/// A finding of the lane that runs, or of `thread`; the launch goes on.
void addFinding(FindingKind kind, const std::string& words, std::uint32_t site,
                const Index3* thread = nullptr);
/// A finding of the lane that runs, at a place that it names itself.
void addFindingInKernel(FindingKind kind, const std::string& words, const SourcePlace& place);
void addFindingAt(FindingKind kind, const std::string& words, const SourcePlace& place);
/// Sends what was found since the last time.
void sendFindings();
/// A finding on the host, at one of these return addresses.
void addHostFinding(FindingKind kind, const std::string& words,
                    const std::vector<std::uint64_t>& addresses);
/// A finding of the lane that runs; the launch is given up with this CUDA error. Does not return
/// when called by a lane.
void failLaunch(FindingKind kind, const std::string& words, std::uint32_t site, int error,
                const Index3* thread = nullptr);

// The tables (tables.h) of the program.
[[nodiscard]] const SiteRow& siteRow(std::uint32_t site);  ///< from 1
[[nodiscard]] std::uint32_t siteCount();
[[nodiscard]] SourcePlace placeOf(std::uint32_t site);
/// `block`, `scan<true>`: without return type and parameters.
[[nodiscard]] std::string demangled(const char* symbol);
[[nodiscard]] std::string lastNameOf(const char* symbol);

/// CPU seconds of this process.
[[nodiscard]] double cpuSeconds();

}  // namespace warplens::runtime
