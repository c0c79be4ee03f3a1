#include "kernels/library/traced_kernel.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <utility>

#include "core/launch/mapping.h"
#include "kernels/library/predict.h"
#include "kernels/library/prepared_launch.h"

namespace warplens {
namespace {

using library::Decision;
using library::KernelProgram;

/// Jumps back of a warp, on average, that somebody waits for: half a second's, or an endless loop.
constexpr std::uint64_t mostJumpsPerWarp = std::uint64_t{1} << 21;

bool isWarp(std::span<const ThreadRank> threads, Extents block) {
    const WarpRank warp = warpRankInBlock(threads.front());
    return threads.size() == threadCountInWarp(warp, block) &&
           threads.front() == firstThreadOfWarp(warp);
}

}  // namespace

/// Tells what the machine does to one that watches a kernel.
class TracedKernel::Teller final : public ptx::Observer {
  public:
    Teller(const Kernel& kernel, const library::PreparedLaunch& launch)
        : kernel_(kernel), program_(launch.kernel()), shared_(launch.shared()) {}

    void onRequest(const ptx::Request& request) override {
        steps += static_cast<std::uint64_t>(std::popcount(request.lanes));
        if (request.lanes == 0 || isLocal(request.kind)) return;
        library::refuseStoresToInputs(kernel_, program_.program(), request);
        const ptx::Site& site = program_.program().sites()[request.site];
        std::array<std::uint64_t, lanesPerWarp> own;
        std::span<const std::uint64_t> addresses = request.warp.addresses;
        if (request.lanes != ptx::allLanes) {
            std::size_t count = 0;
            ptx::forEachLane(request.lanes,
                             [&](std::uint32_t lane) { own[count++] = addresses[lane]; });
            addresses = std::span(own).first(count);
        }
        trace::WarpRequest told{.kind = request.kind,
                                .subject = 0,
                                .line = site.origin.place.line,
                                .bytes = request.bytes,
                                .activeLanes = request.lanes,
                                .addresses = addresses,
                                .pattern = request.pattern};
        std::uint64_t alignment = 0;
        if (isShared(request.kind)) {
            const std::size_t array = sharedArrayAt(addresses[0]);
            if (array == shared_.arrays.size()) return;
            const library::SharedArray& there = shared_.arrays[array];
            for (std::size_t i = 0; i < addresses.size(); ++i)
                own[i] = addresses[i] + there.place.offset - there.address;
            told.addresses = std::span(own).first(addresses.size());
            told.subject = static_cast<std::uint16_t>(array);
        } else {
            const std::size_t array = library::arrayAt(addresses[0]);
            if (array >= kernel_.arrays.size()) return;  // variables of the PTX's own
            told.subject = static_cast<std::uint16_t>(array);
            alignment = std::min<std::uint64_t>(16, byteCount(kernel_.arrays[told.subject].type));
        }
        // The first piece stands for all that -G made of one access.
        if (site.wholeBytes != 0 && site.wholeBytes <= alignment) {
            if (!site.isFirstPiece) return;
            told.bytes = site.wholeBytes;
        }
        observer->onRequest(told);
    }

    void onBranch(const ptx::Warp& warp, const ptx::Step& step, std::uint32_t active,
                  std::uint32_t taken) override {
        steps += static_cast<std::uint64_t>(std::popcount(active));
        const Decision& decision = program_.decisionAt(step.site);
        const std::uint32_t holds = decision.jumpsWhereItHolds ? taken : active & ~taken;
        if (decision.branch != nullptr) {
            observer->onBranch(
                {decision.branch->name.c_str(), decision.branch->line, active, holds});
        }
        if (!tellsRounds || decision.loop == nullptr || holds == 0) return;
        const auto lane = static_cast<std::size_t>(std::countr_zero(holds));
        const std::int64_t value = decision.isWide
                                       ? warp.value<std::int64_t>(decision.variable)[lane]
                                       : warp.value<std::int32_t>(decision.variable)[lane];
        observer->onRound({decision.loop->line, value, holds});
    }

    trace::WarpObserver* observer = nullptr;
    std::uint64_t steps = 0;
    bool tellsRounds = false;

  private:
    [[nodiscard]] std::size_t sharedArrayAt(std::uint64_t address) const {
        const auto found =
            std::ranges::find_if(shared_.arrays, [&](const library::SharedArray& array) {
                return address >= array.address && address - array.address < array.bytes;
            });
        return static_cast<std::size_t>(found - shared_.arrays.begin());
    }

    const Kernel& kernel_;
    KernelProgram& program_;
    const library::SharedLayout& shared_;
};

class TracedKernel::Run final {
  public:
    Run(const Experiment& experiment, std::shared_ptr<const library::ArrayMemory> memory,
        std::string_view ptx, bool computes)
        : prepared(experiment, std::move(memory), ptx, computes),
          teller(kernelOf(experiment), prepared),
          grid_(prepared.program(), prepared.launch(), surroundings_,
                {.jumps = mostJumpsPerWarp * warpCountPerBlock(experiment.launch.block)}),
          worker_(grid_) {
        surroundings_.observers = {&teller};
        worker_.prepareLaunch();
    }

    /// What went wrong, if anything did.
    std::optional<Finding> block(Index3 index, std::span<const ThreadRank> only) {
        grid_.beginAnew(only);
        std::optional<std::uint64_t> rank = blockRankInGrid(index, launch().grid);
        worker_.run([&] { return std::exchange(rank, std::nullopt); });
        if (!grid_.hasFindings() && !grid_.hasEnded()) return std::nullopt;
        std::vector<Finding> found = grid_.takeFindings();
        // Threads of several warps, or a part of one, need not come to an intrinsic together.
        if (!only.empty() && !isWarp(only, launch().block)) {
            std::erase_if(found, [](const Finding& finding) {
                return finding.kind == FindingKind::barrierMismatch;
            });
            if (found.empty() && !grid_.hasEnded()) return std::nullopt;
        }
        if (found.empty()) found.emplace_back().words = grid_.whyEnded();
        return std::move(found.front());
    }
    [[nodiscard]] const Launch& launch() const { return prepared.launch().launch; }

    library::PreparedLaunch prepared;
    Teller teller;

  private:
    ptx::Surroundings surroundings_;
    ptx::GridRun grid_;
    ptx::Worker worker_;
};

TracedKernel::TracedKernel(const Experiment& experiment,
                           std::shared_ptr<const library::ArrayMemory> memory, std::string_view ptx,
                           bool computes)
    : kernel_(kernelOf(experiment)) {
    if (memory == nullptr) memory = std::make_shared<library::ArrayMemory>(experiment, false);
    run_ = std::make_unique<Run>(experiment, std::move(memory), ptx, computes);
    for (const library::SharedArray& array : run_->prepared.shared().arrays)
        places_.push_back(array.place);
}

TracedKernel::~TracedKernel() = default;

bool TracedKernel::decides(const KernelBranch& branch) const {
    return run_->prepared.kernel().decides(branch);
}

void TracedKernel::reportRounds() {
    run_->teller.tellsRounds = true;
}

void TracedKernel::report(const Finding& finding) const {
    if (finding.kind == FindingKind::endlessLoop) {
        throw TraceFault(kernel_.name + ": the threads of block " +
                         toString(finding.block.value_or(Index3{})) +
                         " go round their loops more than " + std::to_string(mostJumpsPerWarp) +
                         " times, too many to trace");
    }
    throw TraceFault(kernel_.name + " line " + std::to_string(finding.place.line) + ": " +
                     finding.words + ", block " + toString(finding.block.value_or(Index3{})) +
                     " thread " + toString(finding.thread.value_or(Index3{})));
}

std::uint64_t TracedKernel::runWarp(Index3 block, WarpRank warp, trace::WarpObserver& observer) {
    std::array<ThreadRank, lanesPerWarp> threads;
    const std::uint32_t count = threadCountInWarp(warp, run_->launch().block);
    for (std::uint32_t i = 0; i < count; ++i) threads[i] = {firstThreadOfWarp(warp).value + i};
    return runBlock(block, observer, std::span(threads).first(count));
}

std::uint64_t TracedKernel::runBlock(Index3 block, trace::WarpObserver& observer,
                                     std::span<const ThreadRank> only) {
    run_->teller.observer = &observer;
    run_->teller.steps = 0;
    if (const std::optional<Finding> finding = run_->block(block, only)) report(*finding);
    return run_->teller.steps;
}

}  // namespace warplens
