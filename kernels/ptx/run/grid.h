#pragma once

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <tuple>
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
    virtual void onBranch(const Warp&, const Step&, u32 active, u32 taken) {
        static_cast<void>(active), static_cast<void>(taken);
    }
    virtual void onSurfaceStore(u64 address, u64 bytes) {
        static_cast<void>(address), static_cast<void>(bytes);
    }
    virtual void onBarrier(const BlockRun&) {}  ///< threads of the block met there, maybe not all
    /// `isOfBlock`: what comes before is in order for the threads of the block alone.
    virtual void onFence(const Warp&, bool /*isOfBlock*/) {}
    /// The active lanes' `cp.async` since the last time are a group, and wait until at most
    /// `groups` of theirs are under way; of nothing, also for those of no group yet.
    virtual void onCopyGroup(const Warp&) {}
    virtual void onCopyWait(const Warp&, std::optional<u32> groups) { static_cast<void>(groups); }
    virtual void onWarpSync(const Warp&, u32 lanes) { static_cast<void>(lanes); }
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
    /// Asked where all blocks wait for what none of them writes, and they run one after the other:
    /// returns once somebody else may have written it; false where nobody will, which ends the
    /// launch. `hasMoved`: some block has done something since it was asked last.
    std::function<bool(bool hasMoved)> waitForOthers;
    u32 gridWorkspace = 0;  ///< by which the grid's blocks meet: one for each launch under way
    std::vector<Observer*> observers;
    /// Blocks, warps and lanes take their turns from the last to the first.
    bool isLastFirst = false;
};

/// How much is run.
struct Bounds final {
    u64 jumps = 1ull << 40;        ///< jumps back, of all warps together
    u64 stackBytes = 64 << 10;     ///< of a lane, registers included
    u32 blocksAtOnce = 1u << 12;   ///< that wait for other blocks
    u64 bytesAtOnce = 4ull << 30;  ///< of all blocks that run or wait, shared memory and registers
};

/// Of a loop in a launch that was stopped before any of its blocks came to its end.
inline constexpr const char* stillRuns =
    "the launch was stopped in this loop, before one of its blocks had ended: an endless loop, one "
    "that waits for another thread, or one that takes longer";

/// What an instruction did to one array.
struct ArrayCounts final {
    u32 site = 0;  ///< index of `Program::sites`
    /// An allocation's id, or `inShared` and the array's address >> sharedArrayShift; `noArray` of
    /// branches and local memory.
    u32 array = noArray;
    LineCost counts;
    bool isConstant = false;  ///< the array is in constant memory
    friend bool operator==(const ArrayCounts&, const ArrayCounts&) = default;
};

/// By file, line and kind.
inline void sortByPlace(std::vector<Finding>& findings) {
    std::ranges::stable_sort(findings, {}, [](const Finding& finding) {
        return std::tie(finding.place.file, finding.place.line, finding.kind);
    });
}

/// What was found: each kind once at each step or site, and how often.
template <class At>
class Findings final {
  public:
    /// Counts it; true at the first of its kind there. `reached`: beyond an array, at least.
    bool isNew(At at, FindingKind kind, u64 reached = 0) {
        const auto [found, isFirst] = found_.try_emplace({at, kind});
        found->second.times += isFirst ? 0 : 1;
        if (reached != 0) {
            if (!found->second.accessed) found->second.accessed.emplace();
            u64& furthest = found->second.accessed->reached;
            furthest = std::max(furthest, reached);
        }
        return isFirst;
    }
    void tell(At at, Finding finding) {
        Finding& found = found_[{at, finding.kind}];
        finding.times = found.times;
        if (found.accessed) finding.accessed->reached = found.accessed->reached;
        found = std::move(finding);
    }
    [[nodiscard]] bool empty() const { return found_.empty(); }
    /// What was told of the place; null where nothing was.
    [[nodiscard]] Finding* find(At at, FindingKind kind) {
        const auto found = found_.find({at, kind});
        return found == found_.end() ? nullptr : &found->second;
    }
    /// By file, line and kind; nothing is left.
    [[nodiscard]] std::vector<Finding> take() {
        std::vector<Finding> all;
        for (auto& entry : found_) all.push_back(std::move(entry.second));
        found_.clear();
        sortByPlace(all);
        return all;
    }

  private:
    std::map<std::pair<At, FindingKind>, Finding> found_;
};

/// `LaunchResult::ended` where only some blocks of a launch were to run, and they came to wait for
/// others.
inline constexpr std::string_view waitsForOthers = "blocks wait for others, which were not run";

struct LaunchResult final {
    std::vector<ArrayCounts> counts;  ///< by site, then array; those without requests left out
    std::vector<Finding> findings;    ///< each once, with how often; places as in the PTX's files
    std::string ended;                ///< why nothing more of it ran; empty where all did
    bool inOrder =
        false;            ///< blocks ran one after the other, since what one does depends on others
    u64 blocks = 0;       ///< that ran
    u64 wholeBlocks = 0;  ///< of them, to their end
    u64 laneAccesses = 0;
    std::vector<KernelLaunch>
        launched{};  ///< by its threads, in order: they are the caller's to run

    friend bool operator==(const LaunchResult&, const LaunchResult&) = default;
};

/// Runs the blocks of a launch, all of them or those whose ranks are given, rising. Memory changes
/// as it would on a device. The launch is one that CUDA would take (`validate`).
[[nodiscard]] LaunchResult run(Program& program, const KernelLaunch& launch,
                               const Surroundings& surroundings = {}, const Bounds& bounds = {},
                               std::optional<std::span<const u64>> blocks = std::nullopt);

[[nodiscard]] SourcePlace sourcePlace(const Program& program, const Origin& origin);

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
    [[nodiscard]] u32 warpsPerBlock() const { return warpsPerBlock_; }
    [[nodiscard]] u32 threadsPerBlock() const { return threadsPerBlock_; }
    /// The rank in its block of a warp's lane.
    [[nodiscard]] u32 threadOf(u32 warp, u32 lane) const {
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
    [[nodiscard]] std::byte* warpValues(u32 warp) { return warpValues_[warp * warpLines_].bytes; }
    [[nodiscard]] u64 bytesPerBlock() const;

    /// Ends the launch; the first reason counts.
    void end(std::string why);
    [[nodiscard]] bool hasEnded() const { return hasEnded_.load(std::memory_order_relaxed); }
    [[nodiscard]] std::string whyEnded() const;
    /// Takes jumps off what may be run; asks whether the run is to stop. False where it is over.
    bool spend(u64 jumps);
    [[nodiscard]] bool isSpent() const {
        return spent_.load(std::memory_order_relaxed) > bounds_.jumps;
    }
    /// Whether nothing of the kind was found at the step before; counts it.
    bool isNew(const Step* step, FindingKind kind, u64 reached);
    void report(const Step* step, Finding finding);
    [[nodiscard]] bool hasFindings() const { return !findings_.empty(); }
    [[nodiscard]] std::vector<Finding> takeFindings() { return findings_.take(); }
    void print(std::string_view text);
    /// A launch that a thread prepares: its parameters come to the address.
    void prepareLaunch(u64 address, KernelLaunch launch);
    /// It is made; false where none is prepared there.
    bool makeLaunch(u64 address);
    [[nodiscard]] std::vector<KernelLaunch> takeLaunches() { return std::move(launched_); }
    /// Calls the function of all observers.
    template <class... Parameters, class... Arguments>
    void tell(void (Observer::*of)(Parameters...), Arguments&&... arguments) const {
        for (Observer* observer : surroundings_.observers) (observer->*of)(arguments...);
    }

  private:
    void setThread(u32 warp, u32 lane);

    Program& program_;
    const KernelLaunch& launch_;
    const Surroundings& surroundings_;
    Bounds bounds_;
    const Code* code_;
    SharedLayout shared_;
    u32 warpsPerBlock_ = 0;
    u32 threadsPerBlock_ = 0;
    std::vector<u32> chosen_;  ///< ranks of threads; none: all
    std::size_t warpLines_ = 0;
    bool isParallel_ = false;
    bool isPart_ = false;
    std::vector<CacheLine> launchValues_;
    std::vector<CacheLine> warpValues_;
    std::atomic<bool> hasEnded_ = false;
    alignas(128) std::atomic<u64> spent_ = 0;  // on a line that nobody else reads
    alignas(128) mutable std::mutex mutex_;
    std::string why_;
    Findings<const Step*> findings_;
    std::map<u64, KernelLaunch> prepared_;
    std::vector<KernelLaunch> launched_;
};

/// One thread's part of a launch: its sums, and the blocks that it runs.
class Worker final {
  public:
    explicit Worker(GridRun& grid);
    ~Worker();
    /// Runs blocks by rank, one after the other; where one waits for a later one, that begins
    /// first.
    void run(const std::function<std::optional<u64>()>& nextBlock);
    /// Steps that are done once, into the launch's bank.
    void prepareLaunch();

    [[nodiscard]] GridRun& grid() const { return grid_; }
    [[nodiscard]] std::vector<SiteState>& sites() { return sites_; }
    /// Puts a site's sums to those of its array: the next are of another one.
    void putAside(u32 site);
    using Sums = std::map<std::pair<u32, u32>, LineCost>;
    [[nodiscard]] const Sums& sums();
    [[nodiscard]] u64 blocks() const { return blocks_; }
    [[nodiscard]] u64 wholeBlocks() const { return wholeBlocks_; }
    std::array<std::byte*, lanesPerWarp> places{};  ///< of the lanes of a request
    /// Tells the memory, once of each piece, before these bytes of an array are written.
    void willWrite(const Allocation& array, u64 first, u64 bytes);

  private:
    enum class Progress : u8 { waits, polls, ended };
    std::unique_ptr<BlockRun> begin(u64 rank);
    void finish(std::unique_ptr<BlockRun> block);
    Progress advance(BlockRun& block);
    bool runWarp(Warp& warp);
    void tellLoop(BlockRun& block, const char* words);
    /// Does the steps once, for all lanes.
    void runOnce(const std::vector<Step>& steps, BlockRun& block);

    GridRun& grid_;
    std::vector<SiteState> sites_;
    std::vector<std::vector<bool>> written_;  ///< pieces of arrays by id
    Sums sums_;                               ///< by site and array
    std::vector<std::unique_ptr<BlockRun>> spare_;
    std::shared_ptr<Cluster> cluster_;  ///< whose blocks begin
    u64 blocks_ = 0;
    u64 wholeBlocks_ = 0;
};

inline GridRun& gridOf(const Warp& warp) {
    return warp.block->worker->grid();
}

}  // namespace warplens::ptx
