#include "kernels/library/traced_kernel.h"

#include <algorithm>
#include <array>
#include <bit>

#include "core/launch/mapping.h"
#include "kernels/library/predict.h"
#include "kernels/library/run/kernel_variables.h"
#include "kernels/trace/runtime/sanitized_fiber.h"

namespace warplens {
namespace {

using library::ArrayMemory;
using library::ArrayRange;
using library::OutsideArrays;
using library::PlaceTable;
using library::Warp;
using runtime::Lane;
using runtime::LaneState;

constexpr runtime::LaneMemory laneMemory{.stackBytes = sanitizedStackFactor * 32 * 1024};

std::string toText(Index3 index) {
    return '(' + std::to_string(index.x) + ',' + std::to_string(index.y) + ',' +
           std::to_string(index.z) + ')';
}

}  // namespace

TracedKernel::TracedKernel(const Experiment& experiment, std::shared_ptr<const ArrayMemory> memory)
    : kernel_(kernelOf(experiment)),
      unit_(library::unitOf(kernel_)),
      experiment_(experiment),
      memory_(std::move(memory)),
      runner_(program_, laneMemory) {
    if (unit_ == nullptr) {
        remote_ = library::makeRemoteTracer(kernel_, experiment);
        places_ = remote_->sharedPlaces();
        computes_ = memory_ != nullptr && memory_->hasValues();
        return;
    }
    if (memory_ == nullptr) memory_ = std::make_shared<ArrayMemory>(experiment, false);
    passArguments();
    program_.arguments = &arguments_;
    program_.code = library::codeOf(*unit_, kernel_, experiment.arguments).traced;
    computes_ = memory_->hasValues();
    for (const KernelBranch& branch : kernel_.branches) {
        names_.emplace_back(branch.line, branch.name.c_str());
    }
    shared_ = library::sharedLayoutOf(experiment);
    for (const library::SharedArray& array : shared_.arrays) places_.push_back(array.place);
    lanes_.resize(kernel_.usesBarriers ? experiment.launch.block.count() : lanesPerWarp);
}

void TracedKernel::passArguments() {
    std::size_t general = 0;
    std::size_t floating = 0;
    for (const CallParameter& parameter : kernel_.parameters) {
        const std::uint64_t bits =
            parameter.isArray ? memory_->arrays()[parameter.which].begin
                              : bitsOf(parameter.type, experiment_.arguments.at(parameter.name));
        const bool isFloating = !parameter.isArray && infoOf(parameter.type).isFloating;
        if (isFloating && floating < std::size(arguments_.floating)) {
            arguments_.floating[floating++] = std::bit_cast<double>(bits);
        } else if (!isFloating && general < std::size(arguments_.general)) {
            arguments_.general[general++] = bits;
        } else {
            stack_.push_back(bits);
        }
    }
    arguments_.stack = stack_.data();
    arguments_.stackWords = stack_.size();
}

std::vector<ArrayRange> TracedKernel::rangesHere() const {
    std::vector<ArrayRange> ranges;
    for (std::size_t i = 0; i < kernel_.arrays.size(); ++i) {
        const ArrayMemory::Array& array = memory_->arrays()[i];
        const auto subject = static_cast<std::uint16_t>(i);
        ranges.push_back({array.begin, array.bytes,
                          trace::baseAddress(subject) +
                              experiment_.arrayOffset * byteCount(kernel_.arrays[i].type),
                          subject, false});
    }
    for (std::size_t i = 0; i < shared_.arrays.size(); ++i) {
        const library::SharedArray& array = shared_.arrays[i];
        const std::uint64_t base =
            array.isStatic ? library::threadPointer() : library::dynamicSharedAddress();
        ranges.push_back({base + array.from, array.bytes, array.place.offset,
                          static_cast<std::uint16_t>(i), true});
    }
    std::ranges::sort(ranges, {}, &ArrayRange::begin);
    return ranges;
}

void TracedKernel::moveHere() {
    if (here_ == library::threadPointer()) return;
    here_ = library::threadPointer();
    runner_.drop();
    table_ = std::make_unique<PlaceTable>(std::span(unit_->sites, unit_->sitesEnd), rangesHere(),
                                          names_);
}

void TracedKernel::report(const OutsideArrays& outside, Index3 block) const {
    std::string what = "an address of none of its arrays";
    std::uint64_t nearest = UINT64_MAX;
    for (const ArrayRange& range : rangesHere()) {
        const bool before = outside.address < range.begin;
        const std::uint64_t distance =
            before ? range.begin - outside.address : outside.address - range.begin;
        if (distance >= nearest) continue;
        nearest = distance;
        const std::string& name = range.isShared ? kernel_.shared[range.subject].name
                                                 : kernel_.arrays[range.subject].name;
        const std::uint64_t element = range.isShared
                                          ? kernel_.shared[range.subject].elementBytes
                                          : byteCount(kernel_.arrays[range.subject].type);
        const auto index = static_cast<std::int64_t>(outside.address - range.begin) /
                           static_cast<std::int64_t>(element);
        what = name + '[' + std::to_string(index) + "] is outside its " +
               std::to_string(range.bytes / element) + " elements";
    }
    throw TraceFault(kernel_.name + " line " + std::to_string(outside.line) + ": " + what +
                     ", block " + toText(block) + " thread " + toText(outside.thread));
}

std::uint64_t TracedKernel::runWarp(Index3 block, WarpRank warp, trace::WarpObserver& observer) {
    std::array<ThreadRank, lanesPerWarp> threads;
    const std::uint32_t count = threadCountInWarp(warp, experiment_.launch.block);
    for (std::uint32_t i = 0; i < count; ++i) threads[i] = {firstThreadOfWarp(warp).value + i};
    return runBlock(block, observer, std::span(threads).first(count));
}

std::uint64_t TracedKernel::runBlock(Index3 block, trace::WarpObserver& observer,
                                     std::span<const ThreadRank> only) {
    if (remote_ != nullptr) return remote_->runBlock(block, observer, only, rounds_, computes_);
    moveHere();
    library::setKernelVariables(experiment_.launch, block, rounds_, computes_);
    const Extents extents = experiment_.launch.block;
    const auto threads = static_cast<std::uint32_t>(only.empty() ? extents.count() : only.size());
    const auto begin = [&](Lane& lane, std::uint32_t i) {
        lane = {};
        lane.thread = threadIndexInBlock(only.empty() ? ThreadRank{i} : only[i], extents);
    };
    std::uint64_t events = 0;
    try {
        if (!kernel_.usesBarriers) {
            for (std::uint32_t first = 0; first < threads; first += lanesPerWarp) {
                const std::uint32_t count = std::min(lanesPerWarp, threads - first);
                for (std::uint32_t i = 0; i < count; ++i) begin(lanes_[i], first + i);
                Warp warp(runner_, *table_, lanes_.data(), count, observer);
                warp.advance();
                events += warp.events();
            }
            return events;
        }
        std::vector<std::unique_ptr<Warp>> warps;
        for (std::uint32_t i = 0; i < threads; ++i) begin(lanes_[i], i);
        for (std::uint32_t first = 0; first < threads; first += lanesPerWarp) {
            warps.push_back(std::make_unique<Warp>(runner_, *table_, &lanes_[first],
                                                   std::min(lanesPerWarp, threads - first),
                                                   observer));
        }
        const std::span<Lane> all = std::span(lanes_).first(threads);
        for (;;) {
            for (const auto& warp : warps) warp->advance();
            const auto waits = [](const Lane& lane) { return lane.state == LaneState::atBarrier; };
            if (std::ranges::none_of(all, waits)) break;
            passBarrier(all, block);
        }
        for (const auto& warp : warps) events += warp->events();
        return events;
    } catch (const OutsideArrays& outside) {
        runner_.drop();
        report(outside, block);
    } catch (const library::MissingLane& lane) {
        runner_.drop();
        throw TraceFault(
            kernel_.name + " line " + std::to_string(lane.line) +
            ": a warp intrinsic is not reached by all threads that it names, in block " +
            toText(block) + ": thread " + toText(lane.waits) + " waits there for thread " +
            toText(lane.missing));
    } catch (const library::TooManyEvents& tooMany) {
        runner_.drop();
        throw TraceFault(kernel_.name + ": the threads of a warp of block " + toText(block) +
                         " take more than " + std::to_string(tooMany.most) +
                         " steps, too many to trace");
    } catch (...) {
        runner_.drop();
        throw;
    }
}

void TracedKernel::passBarrier(std::span<Lane> lanes, Index3 block) {
    const auto waits = [](const Lane& lane) { return lane.state == LaneState::atBarrier; };
    const auto line = [&](const Lane& lane) { return table_->row(lane.waitSite).line; };
    const Lane& first = *std::ranges::find_if(lanes, waits);
    for (const Lane& lane : lanes) {
        if (waits(lane) && line(lane) == line(first)) continue;
        throw TraceFault(kernel_.name + " line " + std::to_string(line(first)) +
                         ": a barrier is not reached by all threads of block " + toText(block) +
                         ": thread " + toText(first.thread) + " waits there, thread " +
                         toText(lane.thread) +
                         (waits(lane) ? " at line " + std::to_string(line(lane))
                                      : std::string(" does not come to it")));
    }
    runtime::passBlockBarrier(lanes);
}

}  // namespace warplens
