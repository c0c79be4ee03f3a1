#include "kernels/ptx/run/grid.h"

#include <algorithm>
#include <deque>
#include <set>

#include "core/launch/mapping.h"

namespace warplens::ptx {
namespace {

constexpr u32 mostQuietTurns = 64;    // before other blocks get one
constexpr u32 multiprocessors = 132;  // that `%smid` tells of
constexpr std::size_t warpSpecialLines = warpSpecials.size() * narrowBytes / sizeof(CacheLine);

std::size_t linesFor(u64 bytes) {
    return bytes / sizeof(CacheLine) + 1 + spareLines;
}

/// Puts values of special registers into their bank, in the order of their names; behind the last
/// all are zero.
void setSpecials(std::byte* bank, std::initializer_list<Extents> extents,
                 std::initializer_list<u32> values) {
    auto* to = reinterpret_cast<u32*>(bank);
    const auto add = [&](u32 value) { to = std::fill_n(to, lanesPerWarp, value); };
    for (const Extents& each : extents) add(each.x), add(each.y), add(each.z);
    for (const u32 value : values) add(value);
}
Extents quotient(Extents a, Extents b) {
    return {a.x / b.x, a.y / b.y, a.z / b.z};
}

/// Zeroed memory by which the blocks of a cooperative launch meet, one for each that is under way;
/// 0 where there is none left.
u64 gridWorkspace(Memory& memory, u32 number) {
    std::string name = "the grid's workspace";
    if (number != 0) name += ' ' + std::to_string(number);
    constexpr u64 bytes = 64;
    const Allocation* workspace = memory.variable(name);
    if (workspace == nullptr)
        workspace = memory.allocate(bytes, Allocation::Kind::variable, std::move(name));
    if (workspace == nullptr) return 0;
    std::fill_n(workspace->data, bytes, std::byte{0});
    return workspace->address;
}

}  // namespace

std::optional<Slot> specialSlot(std::string_view name) {
    const auto within = [&](const auto& names, Bank bank) -> std::optional<Slot> {
        const auto at = u32(std::ranges::find(names, name) - names.begin());
        if (at == names.size()) return std::nullopt;
        return Slot{at * narrowBytes, u32(bank)};
    };
    if (const auto slot = within(launchSpecials, Bank::launch)) return slot;
    if (const auto slot = within(warpSpecials, Bank::warp)) return slot;
    return within(blockSpecials, Bank::block);
}

GridRun::GridRun(Program& program, const KernelLaunch& launch, const Surroundings& surroundings,
                 const Bounds& bounds)
    : program_(program),
      launch_(launch),
      surroundings_(surroundings),
      bounds_(bounds),
      code_(&program.code(*launch.kernel)) {
    shared_ = program.sharedLayout(*launch.kernel, launch.launch.dynamicSharedBytes);
    const Extents grid = launch.launch.grid;
    const Extents block = launch.launch.block;
    threadsPerBlock_ = u32(block.count());
    warpsPerBlock_ = (threadsPerBlock_ + lanesPerWarp - 1) / lanesPerWarp;
    launchValues_.resize(linesFor(code_->launchBytes));
    const Extents cluster = launch.cluster;
    const u64 workspace =
        launch.isCooperative ? gridWorkspace(program.memory(), surroundings.gridWorkspace) : 0;
    const u64 reserved = shared_.arrays[reservedShared].bytes;
    setSpecials(launchValues(), {block, grid, cluster, quotient(grid, cluster)},
                {warpsPerBlock_, multiprocessors, u32(cluster.count()),
                 cluster.count() > 1 ? 1u : 0u, u32(workspace >> 32), u32(workspace),
                 u32(shared_.bytes - reserved), launch.launch.dynamicSharedBytes});
    warpLines_ = warpSpecialLines;
    warpValues_.resize(warpLines_ * warpsPerBlock_ + spareLines);
    for (u32 warp = 0; warp < warpsPerBlock_; ++warp) {
        for (u32 lane = 0; lane < lanesPerWarp; ++lane) setThread(warp, lane);
    }
}

void GridRun::setThread(u32 warp, u32 lane) {
    const Extents block = launch_.launch.block;
    auto* values = reinterpret_cast<u32*>(warpValues(warp));
    const u32 thread = threadOf(warp, lane);
    const u32 bit = 1u << lane;
    const u32 row[] = {thread % block.x,
                       thread / block.x % block.y,
                       thread / block.x / block.y,
                       lane,
                       thread / lanesPerWarp,
                       bit,
                       bit | (bit - 1),
                       bit - 1,
                       ~(bit - 1),
                       ~(bit | (bit - 1)),
                       0};
    static_assert(std::size(row) == warpSpecials.size());
    for (std::size_t at = 0; at < std::size(row); ++at) values[at * lanesPerWarp + lane] = row[at];
}

void GridRun::beginAnew(std::span<const ThreadRank> threads) {
    hasEnded_ = false;
    spent_ = 0;
    why_.clear();
    findings_ = {};
    if (chosen_.empty() && threads.empty()) return;
    chosen_.clear();
    for (const ThreadRank thread : threads) chosen_.push_back(thread.value);
    const auto all = u32(launch_.launch.block.count());
    threadsPerBlock_ = threads.empty() ? all : u32(threads.size());
    warpsPerBlock_ = (threadsPerBlock_ + lanesPerWarp - 1) / lanesPerWarp;
    const u32 lanes = threads.empty() ? lanesPerWarp : threadsPerBlock_;
    for (u32 lane = 0; lane < lanes; ++lane) setThread(0, lane);
}

u64 GridRun::bytesPerBlock() const {
    return shared_.bytes + code_->blockBytes +
           u64{warpsPerBlock_} * (code_->frameBytes + sizeof(Warp));
}

void GridRun::end(std::string why) {
    const std::lock_guard lock(mutex_);
    if (why_.empty()) why_ = std::move(why);
    hasEnded_ = true;
}

std::string GridRun::whyEnded() const {
    const std::lock_guard lock(mutex_);
    return why_;
}

bool GridRun::spend(u64 jumps) {
    if (spent_.fetch_add(jumps) + jumps > bounds_.jumps)
        end("it did not end within " + std::to_string(bounds_.jumps) + " rounds of its loops");
    if (surroundings_.isStopped && surroundings_.isStopped()) end("stopped");
    return !hasEnded();
}

bool GridRun::isNew(const Step* step, FindingKind kind, u64 reached) {
    const std::lock_guard lock(mutex_);
    return findings_.isNew(step, kind, reached);
}

void GridRun::report(const Step* step, Finding finding) {
    const std::lock_guard lock(mutex_);
    findings_.tell(step, std::move(finding));
}

void GridRun::print(std::string_view text) {
    const std::lock_guard lock(mutex_);
    if (surroundings_.print) surroundings_.print(text);
}

void GridRun::prepareLaunch(u64 address, KernelLaunch launch) {
    const std::lock_guard lock(mutex_);
    prepared_[address] = std::move(launch);
}

bool GridRun::makeLaunch(u64 address) {
    const std::lock_guard lock(mutex_);
    const auto found = prepared_.find(address);
    const Allocation* array = program_.memory().find(address);
    if (found == prepared_.end() || array == nullptr) return false;
    KernelLaunch& launch = launched_.emplace_back(std::move(found->second));
    prepared_.erase(found);
    launch.parameters.resize(launch.kernel->parameterBytes());
    std::copy_n(array->data, std::min<std::size_t>(launch.parameters.size(), array->bytes),
                launch.parameters.data());
    return program_.memory().release(address);
}

Worker::Worker(GridRun& grid) : grid_(grid), sites_(grid.program().sites().size()) {}
Worker::~Worker() = default;

void Worker::willWrite(const Allocation& array, u64 first, u64 bytes) {
    if (array.id >= written_.size()) written_.resize(array.id + 1);
    std::vector<bool>& pieces = written_[array.id];
    if (pieces.empty()) pieces.resize(array.bytes / Memory::pieceBytes + 1);
    const u64 last = (first + bytes - 1) / Memory::pieceBytes;
    for (u64 at = first / Memory::pieceBytes; at <= last; ++at) {
        if (pieces[at]) continue;
        grid_.program().memory().willWrite(array, at);
        pieces[at] = true;
    }
}

void Worker::putAside(u32 site) {
    SiteState& state = sites_[site];
    state.settle();
    if (state.counts.requests != 0) sums_[{site, state.array}].add(state.counts);
    state.counts = {};
}

const Worker::Sums& Worker::sums() {
    for (u32 site = 0; site < sites_.size(); ++site) putAside(site);
    return sums_;
}

void Worker::runOnce(const std::vector<Step>& steps, BlockRun& block) {
    if (steps.empty()) return;
    Warp warp;
    warp.block = &block;
    warp.code = &grid_.code();
    warp.sites = sites_.data();
    warp.active = warp.alive = allLanes;
    warp.banks = {nullptr, const_cast<std::byte*>(grid_.code().constants.data()->bytes),
                  grid_.launchValues(), grid_.warpValues(0),
                  block.values.empty() ? nullptr : block.values.data()->bytes};
    for (const Step* step = steps.data(); step != nullptr;) step = step->run(warp, step);
}

void Worker::prepareLaunch() {
    BlockRun block;
    block.worker = this;
    runOnce(grid_.code().launchSteps, block);
}

std::unique_ptr<BlockRun> Worker::begin(u64 rank) {
    std::unique_ptr<BlockRun> block;
    const Code& code = grid_.code();
    const u32 threads = grid_.threadsPerBlock();
    if (spare_.empty()) {
        block = std::make_unique<BlockRun>();
        block->worker = this;
        block->shared.resize(linesFor(grid_.shared().bytes));
        block->values.resize(linesFor(code.blockBytes));
        // A block alone is a cluster of its own.
        block->cluster = std::make_shared<Cluster>();
        block->cluster->blocks = {block.get()};
    } else {
        block = std::move(spare_.back());
        spare_.pop_back();
    }
    if (block->warps.size() < grid_.warpsPerBlock()) block->warps.resize(grid_.warpsPerBlock());
    block->rank = rank;
    block->index = blockIndexInGrid(rank, grid_.launch().grid);
    block->threads = threads;
    block->phase = 0;
    block->quietTurns = 0;
    block->barriers = {};
    const SharedArray& reserved = grid_.shared().arrays[reservedShared];
    std::fill_n(block->shared.data()->bytes + reserved.offset, reserved.bytes, std::byte{0});
    std::byte* values = block->values.data()->bytes;
    const Extents cluster = grid_.cluster();
    block->rankInCluster =
        block->index.x % cluster.x +
        cluster.x * (block->index.y % cluster.y + cluster.y * (block->index.z % cluster.z));
    if (cluster.count() > 1) {
        if (!cluster_) {
            cluster_ = std::make_shared<Cluster>();
            cluster_->blocks.resize(cluster.count());
        }
        cluster_->blocks[block->rankInCluster] = block.get();
        block->cluster = cluster_;
    } else {
        block->cluster->arrived = block->cluster->phase = 0;
    }
    const Extents at{block->index.x, block->index.y, block->index.z};
    const Extents inCluster{at.x % cluster.x, at.y % cluster.y, at.z % cluster.z};
    setSpecials(values, {at, inCluster, quotient(at, cluster)},
                {u32(rank % multiprocessors), block->rankInCluster});
    runOnce(code.blockSteps, *block);
    for (u32 rankInBlock = 0; rankInBlock < block->warps.size(); ++rankInBlock) {
        Warp& warp = block->warps[rankInBlock];
        warp.block = block.get();
        warp.rank = rankInBlock;
        warp.sites = sites_.data();
        warp.isObserved = !grid_.surroundings().observers.empty();
        warp.shared = block->shared.data()->bytes;
        if (rankInBlock >= grid_.warpsPerBlock()) {  // of a block with more threads
            warp.alive = warp.active = 0;
            warp.state = Warp::State::ended;
            warp.waiting.clear();
            continue;
        }
        const u32 rest = threads - rankInBlock * lanesPerWarp;
        warp.active = warp.alive = rest >= lanesPerWarp ? allLanes : (1u << rest) - 1;
        warp.reconverge = noStep;
        warp.paths.clear();
        warp.waiting.clear();
        warp.state = Warp::State::ready;
        warp.budget = jumpsPerTurn;
        warp.polls = 0;
        warp.isSpinning = warp.isForced = warp.hasPolled = warp.hasChanged = false;
        warp.awaitsPhase = false;
        warp.polled = nullptr;
        if (warp.stack.size() < linesFor(code.frameBytes))
            warp.stack.resize(linesFor(code.frameBytes));
        warp.banks[static_cast<std::size_t>(Bank::launch)] = grid_.launchValues();
        warp.banks[static_cast<std::size_t>(Bank::warp)] = grid_.warpValues(rankInBlock);
        warp.banks[static_cast<std::size_t>(Bank::block)] = values;
        warp.setFrame(0, code.frameBytes, code);
        warp.next = code.steps.data();
    }
    grid_.tell(&Observer::onBlockBegin, *block);
    return block;
}

void Worker::finish(std::unique_ptr<BlockRun> block) {
    grid_.tell(&Observer::onBlockEnd, *block);
    if (grid_.cluster().count() > 1) block->cluster->blocks[block->rankInCluster] = nullptr;
    ++blocks_;
    wholeBlocks_ += grid_.hasEnded() ? 0 : 1;
    spare_.push_back(std::move(block));
}

bool Worker::runWarp(Warp& warp) {
    const Step* step = warp.next != nullptr ? std::exchange(warp.next, nullptr) : resume(warp);
    while (step != nullptr) step = step->run(warp, step);
    return !warp.isSpinning;
}

Worker::Progress Worker::advance(BlockRun& block) {
    for (bool hasEverMoved = false;;) {
        bool isReady = false;
        bool hasMoved = false;
        bool isAlive = false;
        const std::size_t count = block.warps.size();
        for (std::size_t at = 0; at < count; ++at) {
            Warp& warp = block.warps[grid_.surroundings().isLastFirst ? count - 1 - at : at];
            if (warp.state == Warp::State::ready && !grid_.hasEnded()) {
                isReady = true;
                hasMoved |= runWarp(warp);
            }
            isAlive |= warp.state != Warp::State::ended;
        }
        if (grid_.hasEnded() || !isAlive) return Progress::ended;
        if (!isReady && !breakDeadlock(block)) return Progress::ended;
        hasEverMoved |= hasMoved;
        if (isReady && !hasMoved) return hasEverMoved ? Progress::polls : Progress::waits;
        // It may look at plain memory, in a loop, for what another block writes.
        if (block.quietTurns >= mostQuietTurns) {
            block.quietTurns = mostQuietTurns - 1;
            return Progress::polls;
        }
    }
}

/// Of the first warp: in its loop, not wherever lanes were that it went to in turn.
void Worker::tellLoop(BlockRun& block, const char* words) {
    Warp& warp = block.warps.front();
    const std::span<const Step> steps = warp.code->steps;
    const bool isHere = warp.polled >= steps.data() && warp.polled < &*steps.end();
    report(warp,
           isHere                 ? warp.polled
           : warp.next != nullptr ? warp.next
                                  : steps.data(),
           FindingKind::endlessLoop, 0, words);
}

void Worker::run(const std::function<std::optional<u64>()>& nextBlock) {
    // Blocks that wait for what others write, in order.
    std::deque<std::unique_ptr<BlockRun>> waiting;
    const u64 most =
        std::clamp<u64>(grid_.bounds().bytesAtOnce / std::max<u64>(1, grid_.bytesPerBlock()), 1,
                        grid_.bounds().blocksAtOnce);
    u64 idleRounds = 0;
    u64 mostIdle = 1000;
    bool hasMovedSince = false;
    u64 rounds = 0;
    while (!grid_.hasEnded()) {
        bool hasMoved = false;
        if (waiting.size() < most) {
            if (const std::optional<u64> rank = nextBlock()) {
                std::unique_ptr<BlockRun> block = begin(*rank);
                hasMoved = true;
                if (grid_.cluster().count() > 1) {  // its blocks begin together
                    waiting.push_back(std::move(block));
                    while (waiting.back()->rankInCluster + 1 <
                           waiting.back()->cluster->blocks.size())
                        waiting.push_back(begin(*nextBlock()));
                    cluster_.reset();
                } else if (advance(*block) == Progress::ended)
                    finish(std::move(block));
                else
                    waiting.push_back(std::move(block));
            }
        }
        if (waiting.empty() && !hasMoved) break;
        for (std::size_t count = waiting.size(); count-- > 0;) {
            std::unique_ptr<BlockRun> block = std::move(waiting.front());
            waiting.pop_front();
            const Progress progress = advance(*block);
            hasMoved |= progress != Progress::waits;
            if (progress == Progress::ended)
                finish(std::move(block));
            else
                waiting.push_back(std::move(block));
        }
        idleRounds = hasMoved ? 0 : idleRounds + 1;
        hasMovedSince |= hasMoved;
        // What all workers share is not touched for each of many small blocks.
        if ((!hasMoved || ++rounds % 16 == 0) && !grid_.spend(hasMoved ? 16 * 64 : 64)) {
            if (!grid_.isSpent() && !waiting.empty()) tellLoop(*waiting.front(), stillRuns);
            break;
        }
        if (idleRounds <= mostIdle || grid_.hasEnded()) continue;
        const auto& others = grid_.surroundings().waitForOthers;
        if (grid_.isPart()) {
            grid_.end(std::string(waitsForOthers));
        } else if (others && !grid_.isParallel() && others(std::exchange(hasMovedSince, false))) {
            idleRounds = 0;
            mostIdle = 16;
        } else {
            constexpr const char* why = "all blocks wait for what none of them writes";
            tellLoop(*waiting.front(), why);
            grid_.end(why);
        }
    }
}

namespace {

/// Ranks of blocks, those of a cluster one after the other, of all clusters or those that have one
/// of the blocks that are given; none where there are no clusters.
std::vector<u64> blocksOfClusters(const KernelLaunch& launch,
                                  std::optional<std::span<const u64>> wanted) {
    std::vector<u64> ranks;
    const Extents cluster = launch.cluster;
    const Extents grid = launch.launch.grid;
    std::set<u64> known;  // ranks of clusters' first blocks
    const u64 count = cluster.count() <= 1 ? 0 : wanted ? wanted->size() : grid.count();
    for (u64 at = 0; at < count; ++at) {
        const Index3 block = blockIndexInGrid(wanted ? (*wanted)[at] : at, grid);
        const auto rankOf = [&](u64 x, u64 y, u64 z) { return x + grid.x * (y + grid.y * z); };
        const u64 first = rankOf(block.x / cluster.x * cluster.x, block.y / cluster.y * cluster.y,
                                 block.z / cluster.z * cluster.z);
        if (!known.insert(first).second) continue;
        for (u64 rank = 0; rank < cluster.count(); ++rank)
            ranks.push_back(first + rankOf(rank % cluster.x, rank / cluster.x % cluster.y,
                                           rank / cluster.x / cluster.y));
    }
    return ranks;
}

}  // namespace

LaunchResult run(Program& program, const KernelLaunch& launch, const Surroundings& surroundings,
                 const Bounds& bounds, std::optional<std::span<const u64>> blocks) {
    GridRun grid(program, launch, surroundings, bounds);
    grid.tell(&Observer::onLaunchBegin, grid);
    LaunchResult result;
    for (const Code* code : program.codesOf(*launch.kernel)) result.inOrder |= code->usesOrder;
    const auto tooMuch = [&](std::string what, u64 bytes, u64 limit) {
        result.ended = std::move(what) + " take " + std::to_string(bytes) + " bytes, of " +
                       std::to_string(limit) + " that may be used";
        return result;
    };
    const u64 frame = grid.code().frameBytes / lanesPerWarp;
    if (frame > bounds.stackBytes)
        return tooMuch("a thread's registers and local memory", frame, bounds.stackBytes);
    if (grid.bytesPerBlock() > bounds.bytesAtOnce)
        return tooMuch("a block's shared memory and registers", grid.bytesPerBlock(),
                       bounds.bytesAtOnce);
    const std::vector<u64> ofClusters = blocksOfClusters(launch, blocks);
    if (!ofClusters.empty()) blocks = ofClusters;
    const u64 count = blocks ? blocks->size() : launch.launch.grid.count();
    const bool alone = result.inOrder || launch.cluster.count() > 1 ||
                       !surroundings.observers.empty() || !surroundings.sideBySide;
    const std::size_t width =
        alone ? 1 : static_cast<std::size_t>(std::clamp<u64>(surroundings.width, 1, count));
    grid.setParallel(width > 1);
    grid.setPart(count < launch.launch.grid.count());
    // Workers take several blocks at a time, one after the other in memory.
    alignas(128) std::atomic<u64> next = 0;
    const u64 atOnce = std::clamp<u64>(count / (width * 32), 1, 64);
    const auto blocksOf = [&](Worker& worker) {
        u64 at = 0;
        u64 end = 0;
        worker.run([&]() -> std::optional<u64> {
            if (at == end) {
                at = next.fetch_add(atOnce, std::memory_order_relaxed);
                end = std::min(at + atOnce, count);
                if (at >= count) return at = end = count, std::nullopt;
            }
            const u64 rank = surroundings.isLastFirst ? count - 1 - at : at;
            ++at;
            return blocks ? (*blocks)[rank] : rank;
        });
    };
    std::vector<std::unique_ptr<Worker>> workers;
    for (std::size_t at = 0; at < width; ++at) workers.push_back(std::make_unique<Worker>(grid));
    workers.front()->prepareLaunch();
    if (width == 1)
        blocksOf(*workers.front());
    else
        surroundings.sideBySide(width, [&](std::size_t at) { blocksOf(*workers[at]); });
    Worker::Sums sums;
    for (const auto& worker : workers) {
        for (const auto& [of, counts] : worker->sums()) sums[of].add(counts);
        result.blocks += worker->blocks();
        result.wholeBlocks += worker->wholeBlocks();
    }
    std::set<u32> constants;
    for (const auto& [address, array] : program.memory().allocations()) {
        if (array.kind == Allocation::Kind::constant) constants.insert(array.id);
    }
    for (const auto& [of, counts] : sums) {
        result.counts.push_back({of.first, of.second, counts, constants.contains(of.second)});
        if (program.sites()[of.first].kind != AccessKind::branch)
            result.laneAccesses += counts.activeLanes;
    }
    result.findings = grid.takeFindings();
    if (result.wholeBlocks != 0 || grid.isPart())
        std::erase_if(result.findings,
                      [](const Finding& finding) { return finding.words == stillRuns; });
    result.launched = grid.takeLaunches();
    result.ended = grid.whyEnded();
    return result;
}

SourcePlace sourcePlace(const Program& program, const Origin& origin) {
    const auto& files = program.moduleOf(*origin.function).files;
    const auto file = files.find(origin.place.file);
    return {file == files.end() ? std::string() : file->second, origin.place.line,
            origin.place.column};
}

}  // namespace warplens::ptx
