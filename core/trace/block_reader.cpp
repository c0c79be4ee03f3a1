#include "core/trace/block_reader.h"

#include <algorithm>
#include <exception>
#include <thread>

namespace warplens::trace {
namespace {

std::vector<ThreadRank> cornersOf(Extents block) {
    std::vector<ThreadRank> corners;
    for (const std::uint32_t z : {0u, block.z - 1}) {
        for (const std::uint32_t y : {0u, block.y - 1}) {
            for (const std::uint32_t x : {0u, block.x - 1}) {
                const ThreadRank rank = threadRankInBlock({x, y, z}, block);
                if (std::ranges::find(corners, rank) == corners.end()) corners.push_back(rank);
            }
        }
    }
    return corners;
}

}  // namespace

struct BlockReader::Worker final {
    std::unique_ptr<BlockTracer> tracer;
    GroupingObserver observer;
};

BlockReader::BlockReader(const TracedLaunch& launch, const TotalsOptions& options)
    : launch_(launch),
      options_(options),
      corners_(cornersOf(launch.block)),
      workers_(std::max(1U, options.threads)) {}

BlockReader::~BlockReader() = default;

BlockReader::Worker& BlockReader::worker(std::size_t index) {
    std::unique_ptr<Worker>& worker = workers_[index];
    if (worker == nullptr) {
        worker =
            std::make_unique<Worker>(Worker{launch_.tracer(), GroupingObserver(launch_.branches)});
    }
    return *worker;
}

void BlockReader::check() const {
    if (options_.stop.stop_requested()) throw TraceStopped();
    if (cost() > mostCost_) throw TooCostly();
}

std::uint64_t BlockReader::trace(Worker& worker, const BlockPart& part) {
    std::vector<ThreadRank> threads;
    switch (part.which) {
        case BlockPart::Which::all:
            break;
        case BlockPart::Which::corners:
            threads = corners_;
            break;
        case BlockPart::Which::warp:
            for (std::uint32_t i = 0; i < threadCountInWarp(part.warp, launch_.block); ++i) {
                threads.push_back({firstThreadOfWarp(part.warp).value + i});
            }
            break;
        case BlockPart::Which::rowEndsOfWarp: {
            const std::uint32_t first = firstThreadOfWarp(part.warp).value;
            const std::uint32_t last = first + threadCountInWarp(part.warp, launch_.block) - 1;
            for (std::uint32_t rank = first; rank <= last; ++rank) {
                const std::uint32_t x = rank % launch_.block.x;
                if (rank == first || rank == last || x == 0 || x + 1 == launch_.block.x) {
                    threads.push_back({rank});
                }
            }
        }
    }
    return worker.tracer->trace(part.block, threads, worker.observer);
}

RequestGroups BlockReader::read(const BlockPart& part) {
    check();
    blocks_.insert(blockRankInGrid(part.block, launch_.grid));
    cost_ += trace(worker(0), part);
    return worker(0).observer.take();
}

template <class Work>
void BlockReader::forEach(std::uint64_t count, std::uint64_t share, Work work) {
    std::atomic<std::uint64_t> next = 0;
    std::atomic<bool> failed = false;
    std::exception_ptr failure;
    std::uint64_t done = 0;
    const auto run = [&](std::size_t index) {
        try {
            Worker& mine = worker(index);
            while (!failed) {
                const std::uint64_t begin = next.fetch_add(share);
                if (begin >= count) break;
                const std::uint64_t end = std::min(begin + share, count);
                for (std::uint64_t item = begin; item < end; ++item) {
                    check();
                    work(mine, item);
                }
                const std::lock_guard lock(mutex_);
                done += end - begin;
                if (options_.progress) {
                    options_.progress(begun_ + (aim_ - begun_) * static_cast<double>(done) /
                                                   static_cast<double>(count));
                }
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!failed.exchange(true)) failure = std::current_exception();
        }
    };
    {
        std::vector<std::jthread> helpers;
        const std::uint64_t shares = (count + share - 1) / share;
        for (std::size_t i = 1; i < std::min<std::uint64_t>(workers_.size(), shares); ++i) {
            helpers.emplace_back(run, i);
        }
        run(0);
    }
    if (failure) std::rethrow_exception(failure);
}

std::vector<RequestGroups> BlockReader::readAll(std::span<const BlockPart> parts) {
    for (const BlockPart& part : parts) blocks_.insert(blockRankInGrid(part.block, launch_.grid));
    std::vector<RequestGroups> groups(parts.size());
    forEach(parts.size(), 1, [&](Worker& worker, std::uint64_t i) {
        cost_ += trace(worker, parts[i]);
        groups[i] = worker.observer.take();
    });
    return groups;
}

std::uint64_t BlockReader::blocksTracedBeside(std::span<const BlockSet> sets) const {
    return static_cast<std::uint64_t>(std::ranges::count_if(blocks_, [&](std::uint64_t rank) {
        const Index3 block = blockIndexInGrid(rank, launch_.grid);
        return std::ranges::none_of(sets, [&](const BlockSet& set) { return set.holds(block); });
    }));
}

LineTallies BlockReader::readWhole(const BlockSet& blocks) {
    // Shares small enough to tell progress and to stop within some milliseconds.
    const std::uint64_t count = blocks.count();
    const std::uint64_t share = std::clamp<std::uint64_t>(count / (workers_.size() * 64), 1, 64);
    forEach(count, share, [&](Worker& worker, std::uint64_t rank) {
        trace(worker, {blocks.ranked(rank), BlockPart::Which::all, {}});
    });
    LineTallies lines;
    for (const auto& worker : workers_) {
        if (worker != nullptr) addTo(lines, worker->observer.take(), blocks.times);
    }
    return lines;
}

void BlockReader::nextStage(double fraction) {
    begun_ = aim_;
    aim_ = std::max(begun_, fraction);
}

}  // namespace warplens::trace
