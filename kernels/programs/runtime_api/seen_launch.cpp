#include "kernels/programs/runtime_api/seen_launch.h"

#include <array>
#include <bit>
#include <cstring>
#include <utility>

namespace warplens::programs {
namespace {

/// Of the bytes of arrays that the host may write without a call. Cost: one pass over them.
std::uint64_t digestOf(const ptx::Memory& memory, const std::set<std::uint32_t>& arrays) {
    constexpr std::uint64_t factor = 0x9e3779b97f4a7c15ull;
    std::array<std::uint64_t, 4> sums{1, 2, 3, 4};
    const auto mix = [&](std::size_t lane, std::uint64_t word) {
        sums[lane] = std::rotl((sums[lane] ^ word) * factor, 23);
    };
    for (const auto& [address, array] : memory.allocations()) {
        if (array.freed || !arrays.contains(array.id)) continue;
        std::uint64_t at = 0;
        for (; at + 32 <= array.bytes; at += 32) {
            std::array<std::uint64_t, 4> words;
            std::memcpy(words.data(), array.data + at, sizeof words);
            for (std::size_t lane = 0; lane < 4; ++lane) mix(lane, words[lane]);
        }
        for (; at < array.bytes; ++at) mix(at % 4, static_cast<std::uint64_t>(array.data[at]));
    }
    for (std::size_t lane = 1; lane < 4; ++lane) mix(0, sums[lane]);
    return sums[0];
}

}  // namespace

void SeenLaunch::learn(const LaunchReport& report, const ptx::LaunchResult& result,
                       bool hasEffect) {
    RuntimeDevice& device = RuntimeDevice::instance();
    changesNothing_ = !hasEffect && result.ended.empty() && result.launched.empty();
    if (!changesNothing_) return;
    changes_ = device.changes();
    std::set<std::uint32_t> used;
    for (const ptx::ArrayCounts& entry : result.counts) used.insert(entry.array);
    for (const auto& [address, array] : device.memory().allocations()) {
        const bool isShared = array.kind == ptx::Allocation::Kind::managed ||
                              array.kind == ptx::Allocation::Kind::pinned;
        if (isShared && used.contains(array.id)) shared_.insert(array.id);
    }
    digest_ = digestOf(device.memory(), shared_);
    told = report;
}

bool SeenLaunch::changesNothing() const {
    RuntimeDevice& device = RuntimeDevice::instance();
    return changesNothing_ && changes_ == device.changes() &&
           digest_ == digestOf(device.memory(), shared_);
}

std::string likeOf(const ptx::KernelLaunch& launch, const ptx::Memory& memory) {
    std::string like = std::string(launch.kernel->name) + toLaunchSyntax(launch.launch);
    std::vector<std::uint64_t> words(launch.parameters.size() / 8 + 1);
    std::memcpy(words.data(), launch.parameters.data(), launch.parameters.size());
    for (const std::uint64_t word : words) {
        const ptx::Allocation* array = memory.find(word);
        like += array == nullptr ? ' ' + std::to_string(word)
                                 : ' ' + std::to_string(array->bytes) + '+' +
                                       std::to_string(word - array->address);
    }
    return like;
}

bool hasChanged(const ptx::Memory& memory, const ptx::Memory::Snapshot& before) {
    bool changed = false;
    for (const auto& [address, array] : memory.allocations()) {
        changed |= before.has(array) == array.freed;  // made or freed since
        before.forEachPiece(array, [&, &now = array](auto at, const auto* bytes, auto count) {
            changed |= !now.freed && !changed && std::memcmp(bytes, now.data + at, count) != 0;
        });
    }
    return changed;
}

WaitingLaunch::WaitingLaunch(LaunchReport report, ptx::KernelLaunch what, cuda::Stream in,
                             ptx::Surroundings around)
    : told(std::move(report)), launch(std::move(what)), stream(in), around_(std::move(around)) {
    around_.isStopped = [this] { return secondsNow() > latest_; };
    around_.waitForOthers = [this](bool hasMoved) {
        hasMoved_ = hasMoved;
        yield();
        return !isLast_ || secondsNow() > latest_;
    };
    thread_ = std::thread([this] {
        std::unique_lock lock(mutex_);
        turn_.wait(lock, [this] { return isRunning_; });
        lock.unlock();
        result_ = ptx::run(RuntimeDevice::instance().compiled(), launch, around_);
        isDone_ = hasMoved_ = true;
        lock.lock();
        isRunning_ = false;
        turn_.notify_all();
    });
}

bool WaitingLaunch::resume(double seconds, bool isLast) {
    latest_ = secondsNow() + seconds;
    isLast_ = isLast;
    std::unique_lock lock(mutex_);
    isRunning_ = true;
    turn_.notify_all();
    turn_.wait(lock, [this] { return !isRunning_; });
    return hasMoved_;
}

void WaitingLaunch::yield() {
    std::unique_lock lock(mutex_);
    isRunning_ = false;
    turn_.notify_all();
    turn_.wait(lock, [this] { return isRunning_; });
}

}  // namespace warplens::programs
