#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/launch/launch.h"
#include "core/launch/mapping.h"
#include "core/program/program_trace.h"
#include "kernels/ptx/run/access.h"
#include "kernels/ptx/run/program.h"

namespace warplens::ptx {

/// One kernel to run. `parameters` are its bytes as `<<<>>>` hands them over.
struct KernelLaunch final {
    const Function* kernel = nullptr;
    Launch launch;
    std::vector<std::byte> parameters;
    bool isCooperative = false;  ///< its blocks may meet: `cudaLaunchCooperativeKernel`
    Extents cluster{1, 1, 1};    ///< blocks of a cluster, by which those of the grid can be divided
    friend bool operator==(const KernelLaunch&, const KernelLaunch&) = default;
};

class GridRun;

/// What is told of a run beside its sums. Calls come from the thread that runs the block; of one
/// block they are in order. Where there is an observer, blocks run one after the other.
class Observer {
  public:
    virtual ~Observer() = default;
    virtual void onRequest(const Request&) {}
    /// A branch, its active lanes and those that jump.
    virtual void onBranch(const Warp&, const Step&, std::uint32_t active, std::uint32_t taken) {
        static_cast<void>(active), static_cast<void>(taken);
    }
    virtual void onSurfaceStore(std::uint64_t address, std::uint64_t bytes) {
        static_cast<void>(address), static_cast<void>(bytes);
    }
    virtual void onBarrier(const BlockRun&) {}  ///< threads of the block met there, maybe not all
    virtual void onFence(const Warp&) {}
    virtual void onWarpSync(const Warp&, std::uint32_t lanes) { static_cast<void>(lanes); }
    virtual void onLaunchBegin(const GridRun&) {}
    virtual void onBlockBegin(const BlockRun&) {}
    virtual void onBlockEnd(const BlockRun&) {}
};

/// What a kernel asks of those around it.
struct Surroundings final {
    std::function<void(std::string_view)> print;  ///< text of `printf`, as it comes
    /// Runs `task(0)` to `task(count - 1)`, maybe side by side, and returns when all are done;
    /// without it they run one after the other. `width` tasks are of use at once.
    std::function<void(std::size_t count, const std::function<void(std::size_t)>& task)> sideBySide;
    std::size_t width = 1;
    std::function<bool()> isStopped;  ///< asked about every 10 ms
    std::vector<Observer*> observers;
    /// Blocks, warps and lanes take their turns from the last to the first.
    bool isLastFirst = false;
};

/// How much is run.
struct Bounds final {
    std::uint64_t jumps = 1ull << 40;       ///< jumps back, of all warps together
    std::uint64_t stackBytes = 64 << 10;    ///< of a lane, registers included
    std::uint32_t blocksAtOnce = 1u << 12;  ///< that wait for other blocks
    std::uint64_t bytesAtOnce =
        4ull << 30;  ///< of all blocks that run or wait, shared memory and registers
};

/// What an instruction did to one array.
struct ArrayCounts final {
    std::uint32_t site = 0;  ///< index of `Program::sites`
    /// An allocation's id, or `inShared` and the array's address >> sharedArrayShift; `noArray` of
    /// branches and local memory.
    std::uint32_t array = noArray;
    LineCost counts;
    friend bool operator==(const ArrayCounts&, const ArrayCounts&) = default;
};

/// By file, line and kind.
void sortByPlace(std::vector<Finding>& findings);

/// `LaunchResult::ended` where only some blocks of a launch were to run, and they came to wait for
/// others.
inline constexpr std::string_view waitsForOthers = "blocks wait for others, which were not run";

struct LaunchResult final {
    std::vector<ArrayCounts> counts;  ///< by site, then array; those without requests left out
    std::vector<Finding> findings;    ///< each once, with how often; places as in the PTX's files
    std::string ended;                ///< why nothing more of it ran; empty where all did
    bool inOrder =
        false;  ///< blocks ran one after the other, since what one does depends on others
    std::uint64_t blocks = 0;  ///< that ran
    std::uint64_t laneAccesses = 0;
    std::vector<KernelLaunch>
        launched{};  ///< by its threads, in order: they are the caller's to run

    friend bool operator==(const LaunchResult&, const LaunchResult&) = default;
};

/// Runs the blocks of a launch, all of them or those whose ranks are given, rising. Memory changes
/// as it would on a device. The launch is one that CUDA would take (`validate`).
[[nodiscard]] LaunchResult run(Program& program, const KernelLaunch& launch,
                               const Surroundings& surroundings = {}, const Bounds& bounds = {},
                               std::optional<std::span<const std::uint64_t>> blocks = std::nullopt);

[[nodiscard]] SourcePlace sourcePlace(const Program& program, const Origin& origin);

/// What each place of the source asked for in a launch: the sums of its instructions, by file,
/// line, column, kind and array. Of a condition in parts, as of `&&`, its last branch is the
/// statement's. `nameOf` names arrays (`ArrayCounts::array`), `addTo` says more of a line, of each
/// of its instructions, the costliest last. Local memory is left out.
[[nodiscard]] std::vector<ProgramLine> linesOf(
    const Program& program, const LaunchResult& result, Source source,
    const std::function<std::string(std::uint32_t array)>& nameOf,
    const std::function<void(ProgramLine&, const ArrayCounts&)>& addTo = {});

/// A launch while it runs: what all its blocks share.
class GridRun final {
  public:
    GridRun(Program& program, const KernelLaunch& launch, const Surroundings& surroundings,
            const Bounds& bounds);

    [[nodiscard]] Program& program() const { return program_; }
    [[nodiscard]] const Code& code() const { return *code_; }
    [[nodiscard]] const Launch& launch() const { return launch_.launch; }
    [[nodiscard]] Extents cluster() const { return launch_.cluster; }
    [[nodiscard]] std::span<const std::byte> parameters() const { return launch_.parameters; }
    [[nodiscard]] const Surroundings& surroundings() const { return surroundings_; }
    [[nodiscard]] const Bounds& bounds() const { return bounds_; }
    [[nodiscard]] std::uint32_t warpsPerBlock() const { return warpsPerBlock_; }
    [[nodiscard]] std::uint32_t threadsPerBlock() const { return threadsPerBlock_; }
    /// The rank in its block of a warp's lane.
    [[nodiscard]] std::uint32_t threadOf(std::uint32_t warp, std::uint32_t lane) const {
        return chosen_.empty() ? warp * lanesPerWarp + lane : chosen_[lane];
    }
    /// Blocks that begin from now on have these threads alone, at most 32, as if they were a warp;
    /// without any, all. What was found and spent so far is forgotten.
    void beginAnew(std::span<const ThreadRank> threads = {});
    [[nodiscard]] const SharedLayout& shared() const { return shared_; }
    [[nodiscard]] bool isParallel() const { return isParallel_; }
    void setParallel(bool parallel) { isParallel_ = parallel; }
    /// Whether blocks are left out.
    [[nodiscard]] bool isPart() const { return isPart_; }
    void setPart(bool part) { isPart_ = part; }
    [[nodiscard]] std::byte* launchValues() { return launchValues_.data()->bytes; }
    [[nodiscard]] std::byte* warpValues(std::uint32_t warp) {
        return warpValues_[warp * warpLines_].bytes;
    }
    [[nodiscard]] std::uint64_t bytesPerBlock() const;

    /// Ends the launch; the first reason counts.
    void end(std::string why);
    [[nodiscard]] bool hasEnded() const { return hasEnded_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::string whyEnded() const;
    /// Takes jumps off what may be run; asks whether the run is to stop. False where it is over.
    bool spend(std::uint64_t jumps);
    [[nodiscard]] bool isSpent() const {
        return spent_.load(std::memory_order_relaxed) > bounds_.jumps;
    }
    /// Whether nothing of the kind was found at the step before; counts it.
    bool isNew(const Step* step, FindingKind kind);
    void report(const Step* step, Finding finding);
    [[nodiscard]] bool hasFindings() const { return !findings_.empty(); }
    [[nodiscard]] std::vector<Finding> takeFindings();
    void print(std::string_view text);
    /// A launch that a thread prepares: its parameters come to the address.
    void prepareLaunch(std::uint64_t address, KernelLaunch launch);
    /// It is made; false where none is prepared there.
    bool makeLaunch(std::uint64_t address);
    [[nodiscard]] std::vector<KernelLaunch> takeLaunches() { return std::move(launched_); }
    /// Calls the function of all observers.
    template <class... Parameters, class... Arguments>
    void tell(void (Observer::*of)(Parameters...), Arguments&&... arguments) const {
        for (Observer* observer : surroundings_.observers) (observer->*of)(arguments...);
    }

  private:
    void setThread(std::uint32_t warp, std::uint32_t lane);

    Program& program_;
    const KernelLaunch& launch_;
    const Surroundings& surroundings_;
    Bounds bounds_;
    const Code* code_;
    SharedLayout shared_;
    std::uint32_t warpsPerBlock_ = 0;
    std::uint32_t threadsPerBlock_ = 0;
    std::vector<std::uint32_t> chosen_;  ///< ranks of threads; none: all
    std::size_t warpLines_ = 0;
    bool isParallel_ = false;
    bool isPart_ = false;
    std::vector<CacheLine> launchValues_;
    std::vector<CacheLine> warpValues_;
    std::atomic<bool> hasEnded_ = false;
    alignas(128) std::atomic<std::uint64_t> spent_ = 0;  // on a line that nobody else reads
    alignas(128) mutable std::mutex mutex_;
    std::string why_;
    struct Found final {
        std::uint64_t times = 0;
        Finding finding;
    };
    std::map<std::pair<const Step*, FindingKind>, Found> findings_;
    std::map<std::uint64_t, KernelLaunch> prepared_;
    std::vector<KernelLaunch> launched_;
};

/// One thread's part of a launch: its sums, and the blocks that it runs.
class Worker final {
  public:
    explicit Worker(GridRun& grid);
    ~Worker();
    /// Runs blocks by rank, one after the other; where one waits for a later one, that begins
    /// first.
    void run(const std::function<std::optional<std::uint64_t>()>& nextBlock);
    /// Steps that are done once, into the launch's bank.
    void prepareLaunch();

    [[nodiscard]] GridRun& grid() const { return grid_; }
    [[nodiscard]] std::vector<SiteState>& sites() { return sites_; }
    /// Puts a site's sums to those of its array: the next are of another one.
    void putAside(std::uint32_t site);
    using Sums = std::map<std::pair<std::uint32_t, std::uint32_t>, LineCost>;
    [[nodiscard]] const Sums& sums();
    [[nodiscard]] std::uint64_t blocks() const { return blocks_; }
    std::array<std::byte*, lanesPerWarp> places{};  ///< of the lanes of a request
    /// Tells the memory, once of each piece, before these bytes of an array are written.
    void willWrite(const Allocation& array, std::uint64_t first, std::uint64_t bytes);

  private:
    enum class Progress : std::uint8_t { waits, polls, ended };
    std::unique_ptr<BlockRun> begin(std::uint64_t rank);
    void finish(std::unique_ptr<BlockRun> block);
    Progress advance(BlockRun& block);
    bool runWarp(Warp& warp);
    /// Does the steps once, for all lanes.
    void runOnce(const std::vector<Step>& steps, BlockRun& block);

    GridRun& grid_;
    std::vector<SiteState> sites_;
    std::vector<std::vector<bool>> written_;  ///< pieces of arrays by id
    Sums sums_;                               ///< by site and array
    std::vector<std::unique_ptr<BlockRun>> spare_;
    std::shared_ptr<Cluster> cluster_;  ///< whose blocks begin
    std::uint64_t blocks_ = 0;
};

}  // namespace warplens::ptx
