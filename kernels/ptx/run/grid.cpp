#include "kernels/ptx/run/grid.h"

#include <algorithm>
#include <deque>
#include <set>

#include "core/launch/mapping.h"

namespace warplens::ptx {
namespace {

constexpr std::uint32_t mostQuietTurns = 64;    // before other blocks get one
constexpr std::uint32_t multiprocessors = 132;  // that `%smid` tells of
constexpr std::size_t warpSpecialLines = warpSpecials.size() * narrowBytes / sizeof(CacheLine);

std::size_t linesFor(std::uint64_t bytes) {
    return bytes / sizeof(CacheLine) + 1 + spareLines;
}

void setSpecials(std::span<const std::string_view> names, std::byte* bank,
                 std::initializer_list<std::pair<std::string_view, std::uint32_t>> values) {
    for (const auto& [name, value] : values) {
        const auto at = static_cast<std::size_t>(std::ranges::find(names, name) - names.begin());
        auto* to = reinterpret_cast<std::uint32_t*>(bank + at * narrowBytes);
        std::fill(to, to + lanesPerWarp, value);
    }
}

/// Zeroed memory by which the blocks of a cooperative launch meet; 0 where there is none left.
std::uint64_t gridWorkspace(Memory& memory) {
    constexpr std::string_view name = "the grid's workspace";
    constexpr std::uint64_t bytes = 64;
    const Allocation* workspace = memory.variable(name);
    if (workspace == nullptr)
        workspace = memory.allocate(bytes, Allocation::Kind::variable, std::string(name));
    if (workspace == nullptr) return 0;
    std::fill_n(workspace->data, bytes, std::byte{0});
    return workspace->address;
}

}  // namespace

std::optional<Slot> specialSlot(std::string_view name) {
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

void sortByPlace(std::vector<Finding>& findings) {
    std::ranges::stable_sort(findings, {}, [](const Finding& finding) {
        return std::tie(finding.place.file, finding.place.line, finding.kind);
    });
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
    threadsPerBlock_ = static_cast<std::uint32_t>(block.count());
    warpsPerBlock_ = (threadsPerBlock_ + lanesPerWarp - 1) / lanesPerWarp;
    launchValues_.resize(linesFor(code_->launchBytes));
    setSpecials(launchSpecials, launchValues(),
                {{"%ntid.x", block.x},
                 {"%ntid.y", block.y},
                 {"%ntid.z", block.z},
                 {"%nctaid.x", grid.x},
                 {"%nctaid.y", grid.y},
                 {"%nctaid.z", grid.z},
                 {"%nwarpid", warpsPerBlock_},
                 {"%nsmid", multiprocessors},
                 {"%dynamic_smem_size", launch.launch.dynamicSharedBytes},
                 {"%total_smem_size",
                  static_cast<std::uint32_t>(shared_.bytes - shared_.arrays[reservedShared].bytes)},
                 {"%cluster_nctarank", static_cast<std::uint32_t>(launch.cluster.count())},
                 {"%cluster_nctaid.x", launch.cluster.x},
                 {"%cluster_nctaid.y", launch.cluster.y},
                 {"%cluster_nctaid.z", launch.cluster.z},
                 {"%nclusterid.x", grid.x / launch.cluster.x},
                 {"%nclusterid.y", grid.y / launch.cluster.y},
                 {"%nclusterid.z", grid.z / launch.cluster.z},
                 {"%is_explicit_cluster", launch.cluster.count() > 1 ? 1u : 0u}});
    if (launch.isCooperative) {
        const std::uint64_t workspace = gridWorkspace(program.memory());
        setSpecials(launchSpecials, launchValues(),
                    {{"%envreg1", static_cast<std::uint32_t>(workspace >> 32)},
                     {"%envreg2", static_cast<std::uint32_t>(workspace)}});
    }
    warpLines_ = warpSpecialLines;
    warpValues_.resize(warpLines_ * warpsPerBlock_ + spareLines);
    for (std::uint32_t warp = 0; warp < warpsPerBlock_; ++warp) {
        for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) setThread(warp, lane);
    }
}

void GridRun::setThread(std::uint32_t warp, std::uint32_t lane) {
    const Extents block = launch_.launch.block;
    auto* values = reinterpret_cast<std::uint32_t*>(warpValues(warp));
    const std::uint32_t thread = threadOf(warp, lane);
    const std::uint32_t bit = 1u << lane;
    const std::uint32_t row[] = {thread % block.x,
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
    findings_.clear();
    if (chosen_.empty() && threads.empty()) return;
    chosen_.clear();
    for (const ThreadRank thread : threads) chosen_.push_back(thread.value);
    const auto all = static_cast<std::uint32_t>(launch_.launch.block.count());
    threadsPerBlock_ = threads.empty() ? all : static_cast<std::uint32_t>(threads.size());
    warpsPerBlock_ = (threadsPerBlock_ + lanesPerWarp - 1) / lanesPerWarp;
    const std::uint32_t lanes = threads.empty() ? lanesPerWarp : threadsPerBlock_;
    for (std::uint32_t lane = 0; lane < lanes; ++lane) setThread(0, lane);
}

std::uint64_t GridRun::bytesPerBlock() const {
    return shared_.bytes + code_->blockBytes +
           std::uint64_t{warpsPerBlock_} * (code_->frameBytes + sizeof(Warp));
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

bool GridRun::spend(std::uint64_t jumps) {
    if (spent_.fetch_add(jumps) + jumps > bounds_.jumps)
        end("it did not end within " + std::to_string(bounds_.jumps) + " rounds of its loops");
    if (surroundings_.isStopped && surroundings_.isStopped()) end("stopped");
    return !hasEnded();
}

bool GridRun::isNew(const Step* step, FindingKind kind) {
    const std::lock_guard lock(mutex_);
    return findings_[{step, kind}].times++ == 0;
}

void GridRun::report(const Step* step, Finding finding) {
    const std::lock_guard lock(mutex_);
    findings_[{step, finding.kind}].finding = std::move(finding);
}

std::vector<Finding> GridRun::takeFindings() {
    std::vector<Finding> findings;
    for (auto& [key, found] : findings_) {
        found.finding.times = found.times;
        findings.push_back(std::move(found.finding));
    }
    sortByPlace(findings);
    return findings;
}

void GridRun::print(std::string_view text) {
    const std::lock_guard lock(mutex_);
    if (surroundings_.print) surroundings_.print(text);
}

void GridRun::prepareLaunch(std::uint64_t address, KernelLaunch launch) {
    const std::lock_guard lock(mutex_);
    prepared_[address] = std::move(launch);
}

bool GridRun::makeLaunch(std::uint64_t address) {
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

void Worker::willWrite(const Allocation& array, std::uint64_t first, std::uint64_t bytes) {
    if (array.id >= written_.size()) written_.resize(array.id + 1);
    std::vector<bool>& pieces = written_[array.id];
    if (pieces.empty()) pieces.resize(array.bytes / Memory::pieceBytes + 1);
    const std::uint64_t last = (first + bytes - 1) / Memory::pieceBytes;
    for (std::uint64_t at = first / Memory::pieceBytes; at <= last; ++at) {
        if (pieces[at]) continue;
        grid_.program().memory().willWrite(array, at);
        pieces[at] = true;
    }
}

void Worker::putAside(std::uint32_t site) {
    SiteState& state = sites_[site];
    state.settle();
    if (state.counts.requests != 0) sums_[{site, state.array}].add(state.counts);
    state.counts = {};
}

const Worker::Sums& Worker::sums() {
    for (std::uint32_t site = 0; site < sites_.size(); ++site) putAside(site);
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

std::unique_ptr<BlockRun> Worker::begin(std::uint64_t rank) {
    std::unique_ptr<BlockRun> block;
    const Code& code = grid_.code();
    const std::uint32_t threads = grid_.threadsPerBlock();
    if (spare_.empty()) {
        block = std::make_unique<BlockRun>();
        block->worker = this;
        block->shared.resize(linesFor(grid_.shared().bytes));
        block->values.resize(linesFor(code.blockBytes));
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
    }
    setSpecials(blockSpecials, values,
                {{"%ctaid.x", block->index.x},
                 {"%ctaid.y", block->index.y},
                 {"%ctaid.z", block->index.z},
                 {"%smid", static_cast<std::uint32_t>(rank % multiprocessors)},
                 {"%cluster_ctaid.x", block->index.x % cluster.x},
                 {"%cluster_ctaid.y", block->index.y % cluster.y},
                 {"%cluster_ctaid.z", block->index.z % cluster.z},
                 {"%cluster_ctarank", block->rankInCluster},
                 {"%clusterid.x", block->index.x / cluster.x},
                 {"%clusterid.y", block->index.y / cluster.y},
                 {"%clusterid.z", block->index.z / cluster.z}});
    runOnce(code.blockSteps, *block);
    for (std::uint32_t rankInBlock = 0; rankInBlock < block->warps.size(); ++rankInBlock) {
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
        const std::uint32_t rest = threads - rankInBlock * lanesPerWarp;
        warp.active = warp.alive = rest >= lanesPerWarp ? allLanes : (1u << rest) - 1;
        warp.reconverge = noStep;
        warp.paths.clear();
        warp.waiting.clear();
        warp.state = Warp::State::ready;
        warp.budget = jumpsPerTurn;
        warp.polls = 0;
        warp.isSpinning = warp.isForced = warp.hasPolled = warp.hasChanged = false;
        warp.awaitsPhase = false;
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
    if (block->cluster) {
        block->cluster->blocks[block->rankInCluster] = nullptr;
        block->cluster.reset();
    }
    ++blocks_;
    spare_.push_back(std::move(block));
}

bool Worker::runWarp(Warp& warp) {
    const Step* step = warp.next != nullptr ? std::exchange(warp.next, nullptr) : resume(warp);
    while (step != nullptr) step = step->run(warp, step);
    return !warp.isSpinning;
}

Worker::Progress Worker::advance(BlockRun& block) {
    for (;;) {
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
        if (isReady && !hasMoved) return Progress::waits;
        // It may look at plain memory, in a loop, for what another block writes.
        if (block.quietTurns >= mostQuietTurns) {
            block.quietTurns = mostQuietTurns - 1;
            return Progress::polls;
        }
    }
}

void Worker::run(const std::function<std::optional<std::uint64_t>()>& nextBlock) {
    // Blocks that wait for what others write, in order.
    std::deque<std::unique_ptr<BlockRun>> waiting;
    const std::uint64_t most = std::clamp<std::uint64_t>(
        grid_.bounds().bytesAtOnce / std::max<std::uint64_t>(1, grid_.bytesPerBlock()), 1,
        grid_.bounds().blocksAtOnce);
    std::uint64_t idleRounds = 0;
    std::uint64_t rounds = 0;
    while (!grid_.hasEnded()) {
        bool hasMoved = false;
        if (waiting.size() < most) {
            if (const std::optional<std::uint64_t> rank = nextBlock()) {
                std::unique_ptr<BlockRun> block = begin(*rank);
                hasMoved = true;
                if (block->cluster) {  // its blocks begin together
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
        // What all workers share is not touched for each of many small blocks.
        if ((!hasMoved || ++rounds % 16 == 0) && !grid_.spend(hasMoved ? 16 * 64 : 64)) break;
        if (idleRounds > 1000 && grid_.isPart()) grid_.end(std::string(waitsForOthers));
        if (idleRounds > 1000 && !grid_.isPart()) {
            Warp& warp = waiting.front()->warps.front();
            report(warp, warp.next != nullptr ? warp.next : warp.code->steps.data(),
                   FindingKind::endlessLoop, 0, "all blocks wait for what none of them writes");
            grid_.end("all blocks wait for what none of them writes");
        }
    }
}

namespace {

/// Ranks of blocks, those of a cluster one after the other, of all clusters or those that have one
/// of the blocks that are given; none where there are no clusters.
std::vector<std::uint64_t> blocksOfClusters(const KernelLaunch& launch,
                                            std::optional<std::span<const std::uint64_t>> wanted) {
    std::vector<std::uint64_t> ranks;
    const Extents cluster = launch.cluster;
    if (cluster.count() <= 1) return ranks;
    const Extents grid = launch.launch.grid;
    const auto add = [&](std::uint64_t x, std::uint64_t y, std::uint64_t z) {
        for (std::uint64_t rank = 0; rank < cluster.count(); ++rank) {
            const std::uint64_t bx = x * cluster.x + rank % cluster.x;
            const std::uint64_t by = y * cluster.y + rank / cluster.x % cluster.y;
            const std::uint64_t bz = z * cluster.z + rank / cluster.x / cluster.y;
            ranks.push_back(bx + grid.x * (by + std::uint64_t{grid.y} * bz));
        }
    };
    std::set<std::uint64_t> known;
    const std::uint64_t count = wanted ? wanted->size() : grid.count();
    for (std::uint64_t at = 0; at < count; ++at) {
        const Index3 block = blockIndexInGrid(wanted ? (*wanted)[at] : at, grid);
        const std::uint64_t x = block.x / cluster.x;
        const std::uint64_t y = block.y / cluster.y;
        const std::uint64_t z = block.z / cluster.z;
        if (known.insert(x + grid.x * (y + std::uint64_t{grid.y} * z)).second) add(x, y, z);
    }
    return ranks;
}

}  // namespace

LaunchResult run(Program& program, const KernelLaunch& launch, const Surroundings& surroundings,
                 const Bounds& bounds, std::optional<std::span<const std::uint64_t>> blocks) {
    GridRun grid(program, launch, surroundings, bounds);
    grid.tell(&Observer::onLaunchBegin, grid);
    LaunchResult result;
    for (const Code* code : program.codesOf(*launch.kernel)) result.inOrder |= code->usesOrder;
    const auto tooMuch = [&](std::string what, std::uint64_t bytes, std::uint64_t limit) {
        result.ended = std::move(what) + " take " + std::to_string(bytes) + " bytes, of " +
                       std::to_string(limit) + " that may be used";
        return result;
    };
    const std::uint64_t frame = grid.code().frameBytes / lanesPerWarp;
    if (frame > bounds.stackBytes)
        return tooMuch("a thread's registers and local memory", frame, bounds.stackBytes);
    if (grid.bytesPerBlock() > bounds.bytesAtOnce)
        return tooMuch("a block's shared memory and registers", grid.bytesPerBlock(),
                       bounds.bytesAtOnce);
    const std::vector<std::uint64_t> ofClusters = blocksOfClusters(launch, blocks);
    if (!ofClusters.empty()) blocks = ofClusters;
    const std::uint64_t count = blocks ? blocks->size() : launch.launch.grid.count();
    const bool alone = result.inOrder || launch.cluster.count() > 1 ||
                       !surroundings.observers.empty() || !surroundings.sideBySide;
    const std::size_t width =
        alone ? 1
              : static_cast<std::size_t>(std::clamp<std::uint64_t>(surroundings.width, 1, count));
    grid.setParallel(width > 1);
    grid.setPart(count < launch.launch.grid.count());
    // Workers take several blocks at a time, one after the other in memory.
    alignas(128) std::atomic<std::uint64_t> next = 0;
    const std::uint64_t atOnce = std::clamp<std::uint64_t>(count / (width * 32), 1, 64);
    const auto blocksOf = [&](Worker& worker) {
        std::uint64_t at = 0;
        std::uint64_t end = 0;
        worker.run([&]() -> std::optional<std::uint64_t> {
            if (at == end) {
                at = next.fetch_add(atOnce, std::memory_order_relaxed);
                end = std::min(at + atOnce, count);
                if (at >= count) return at = end = count, std::nullopt;
            }
            const std::uint64_t rank = surroundings.isLastFirst ? count - 1 - at : at;
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
    }
    for (const auto& [of, counts] : sums) {
        result.counts.push_back({of.first, of.second, counts});
        if (program.sites()[of.first].kind != AccessKind::branch)
            result.laneAccesses += counts.activeLanes;
    }
    result.findings = grid.takeFindings();
    result.launched = grid.takeLaunches();
    result.ended = grid.whyEnded();
    return result;
}

}  // namespace warplens::ptx
