#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

/// A model of one SM: its schedulers and resident warps, cycle by cycle, from what a block's warps
/// execute. No device is asked; what a real one does differs by what the model leaves out: the L2,
/// the memory of other SMs, how instructions are fetched, and how a scheduler chooses, which NVIDIA
/// does not say.
namespace warplens {

enum class IssueUnit : std::uint8_t {
    fp32,     ///< and what else issues once a cycle
    integer,  ///< adds, comparisons, shifts
    special,  ///< square roots, sines; divisions take several
    fp64,
    load,  ///< of global or local memory
    store,
    sharedAccess,
    atomic,  ///< on global memory
    barrier,
};

/// One instruction of the program, as it stands there.
struct ModelInstruction final {
    static constexpr std::size_t mostRegisters = 8;
    IssueUnit unit = IssueUnit::fp32;
    std::uint32_t line = 0;  ///< of the source, from 1; 0: none
    std::vector<std::uint16_t> sources{};
    std::vector<std::uint16_t> results{};
};

/// One that a warp executes.
struct ModelStep final {
    std::uint32_t instruction = 0;  ///< its index
    std::uint16_t sectors = 0;      ///< of 32 bytes that come from beyond the L1
    std::uint16_t passes = 0;       ///< of the L1 or of shared memory
};

/// What the warps of one block execute, which all blocks are taken to.
struct BlockProgram final {
    std::vector<ModelInstruction> instructions{};
    std::uint32_t registers = 0;
    std::vector<std::vector<ModelStep>> warps{};
    std::string cut{};  ///< why it is not all of it, in words; empty where it is
};

/// How often the warp that waits most has to wait for memory beyond the L1. Loads that need nothing
/// of one another wait together where the compiler brings them forward: as far back as to a jump,
/// a store, an atomic or a barrier. Cost: some 10 ns a step.
[[nodiscard]] std::uint64_t memoryWaits(const BlockProgram& program);

/// Cycles are the SM's. Where each number comes from: docs/sm-model.md.
struct SmModel final {
    std::uint32_t schedulers = 4;
    std::uint32_t globalLatency = 700;
    std::uint32_t l1Latency = 40;
    std::uint32_t sharedLatency = 29;
    std::uint32_t arithmeticLatency = 4;
    std::uint32_t loopJump = 10;  ///< until a warp that goes back in a loop issues again
    std::uint32_t multiprocessors = 132;
    double clockHertz = 1.98e9;
    double memoryBytesPerSecond = 4.8e12;
    friend bool operator==(const SmModel&, const SmModel&) = default;

    /// Cycles that a warp's instruction keeps its scheduler's unit.
    [[nodiscard]] std::uint32_t unitCycles(IssueUnit unit) const;
    /// What the memory gives one SM where all ask for the same.
    [[nodiscard]] double bytesPerCycle() const {
        return memoryBytesPerSecond / multiprocessors / clockHertz;
    }
};

/// What a warp does over a time.
enum class WarpActivity : std::uint8_t {
    issues,
    waitsForMemory,
    waitsForBarrier,
    waitsForResult,  ///< of arithmetic or shared memory
    waitsForUnit,
    notSelected,  ///< it could issue; its scheduler took another warp
};
inline constexpr std::size_t warpActivities = 6;
/// `waits for memory`.
[[nodiscard]] std::string_view inWords(WarpActivity activity);

struct WarpSpan final {
    std::uint64_t begin = 0;  ///< cycles
    std::uint64_t end = 0;
    WarpActivity activity{};
    std::uint32_t slot = 0;   ///< place of the warp on the SM; its scheduler: slot % schedulers
    std::uint64_t block = 0;  ///< how many the SM had begun before
    std::uint32_t line = 0;   ///< that is issued, or waited with
};

struct SmRun final {
    SmModel model;
    std::uint64_t cycles = 0;  ///< until the last warp has ended
    std::uint64_t issued = 0;
    std::uint64_t blocks = 0;        ///< that ran
    std::uint64_t blocksWanted = 0;  ///< more than ran where it took too long
    std::uint32_t residentBlocks = 0;
    std::uint32_t slots = 0;
    std::array<std::uint64_t, warpActivities> spent{};  ///< cycles, of all warps together
    std::vector<WarpSpan> spans{};                      ///< of the first cycles, by begin
    std::uint64_t spansEnd = 0;                         ///< cycle until which they are kept

    /// Of the whole launch, seconds.
    [[nodiscard]] double seconds() const;
    /// Shares of the cycles in which a scheduler issues, 0 .. 1.
    [[nodiscard]] double issueShare() const;
};

/// Runs so many blocks on one SM, `resident` at once, a new one where one ends; at most `most`
/// instructions of all warps. Cost: some 20 ns for each.
[[nodiscard]] SmRun runModel(const BlockProgram& program, const SmModel& model,
                             std::uint64_t blocks, std::uint32_t resident,
                             std::uint64_t most = 6'000'000);

}  // namespace warplens
