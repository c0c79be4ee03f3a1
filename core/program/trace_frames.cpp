#include "core/program/trace_frames.h"

#include <algorithm>
#include <bit>

#include "core/program/launch_inputs.h"

namespace warplens {
namespace {

constexpr std::uint64_t mostFrameBytes = mostLaunchInputBytes + (1u << 20);

void require(bool holds, const char* what) {
    if (!holds) throw MalformedFrame(what);
}

}  // namespace

void frame(auto& f, SourcePlace& place) {
    f(place.file, place.line, place.column);
}

void frame(auto& f, AddressFormula::Loop& loop) {
    f(loop.bytes, loop.passes);
}

void frame(auto& f, AddressFormula& formula) {
    f(formula.thread, formula.block, formula.start, formula.ofLanes, formula.elementBytes,
      formula.loops, formula.eachPass, formula.endsEarly, formula.isClamped, formula.isOfRequest,
      formula.isSparse, formula.lanesApart);
    formula.elementBytes = std::max(1u, formula.elementBytes);
}

void frame(auto& f, DivergingLanes& lanes) {
    f(lanes.bit, lanes.first, lanes.every, lanes.single, lanes.oneWay, lanes.otherWay, lanes.ways);
    require(lanes.bit.value_or(0) <= 32 && lanes.first.value_or(0) <= 32 &&
                lanes.every.value_or(0) <= 32,
            "more lanes than a warp has");
}

void frame(auto& f, CountsInOtherOrder& counts) {
    f(counts.requests, counts.units);
}

void frame(auto& f, ProgramLine& line) {
    f(line.place, line.kind, line.array, line.source);
    for (const auto count : summedCounts) f(line.*count);
    f(line.mostSameAddress, line.hasNoFormula, line.mostlyApart, line.isOneRun, line.address,
      line.addresses, line.lanes, line.isJoined, line.inOtherOrder, line.nth, line.atOnce,
      line.triesAgain);
}

void frame(auto& f, Arguments::Entry& argument) {
    f(argument.first, argument.second);
}

void frame(auto& f, Arguments& arguments) {
    std::vector<Arguments::Entry> entries = arguments.entries();
    f(entries);
    if constexpr (std::is_same_v<decltype(f), FrameReader&>) {
        for (const auto& [name, value] : entries) arguments.set(name, value);
    }
}

void frame(auto& f, SampleBound& bound) {
    auto metric = static_cast<std::uint8_t>(bound.metric);
    f(metric, bound.percent);
    require(metric <= static_cast<std::uint8_t>(Metric::globalStoreLines), "unknown metric");
    bound.metric = static_cast<Metric>(metric);
}

void frame(auto& f, CompiledCount& count) {
    f(count.exact, count.blocksTraced, count.seconds);
}

void frame(auto& f, LaunchReport& launch) {
    f(launch.index, launch.kernel, launch.instance, launch.place, launch.launch, launch.arguments,
      launch.overridden, launch.own, launch.traced, launch.exact, launch.blocksTraced,
      launch.blocks, launch.bounds, launch.compiled, launch.barriers, launch.laneAccesses,
      launch.seconds, launch.lines);
}

void frame(auto& f, AccessedBytes& accessed) {
    f(accessed.offset, accessed.bytes, accessed.ofArray, accessed.stretch, accessed.kind,
      accessed.array, accessed.element, accessed.elements, accessed.reached, accessed.isOfLaunch);
    constexpr std::int64_t most = std::int64_t{1} << 60;
    require(-most < accessed.offset && accessed.offset < most && 0 < accessed.bytes &&
                accessed.bytes < most,
            "an access to nothing");
}

void frame(auto& f, Finding& finding) {
    f(finding.kind, finding.words, finding.place, finding.kernel, finding.launch, finding.block,
      finding.thread, finding.times, finding.otherLine, finding.accessed, finding.isWrittenLater,
      finding.isOfMask, finding.isWithinWarp, finding.isUnawaited, finding.leftOut);
}

void frame(auto& f, StepArray& array) {
    f(array.name, array.elementBytes, array.lead);
    array.elementBytes = std::max(1u, array.elementBytes);
}

void frame(auto& f, StepShared& shared) {
    f(shared.name, shared.place.offset, shared.place.elementBytes);
    shared.place.elementBytes =
        std::max(decltype(shared.place.elementBytes){1}, shared.place.elementBytes);
}

void frame(auto& f, StepBranch& branch) {
    f(branch.place);
}

void frame(auto& f, BlockStep& step) {
    f(step.kind, step.subject, step.place, step.bytes, step.active, step.taken, step.refused,
      step.isJoined, step.isGuard, step.isOneWay);
}

void frame(auto& f, WarpSteps& warp) {
    f(warp.total, warp.steps, warp.offsets);
}

void frame(auto& f, BlockSteps& steps) {
    f(steps.launch, steps.kernel, steps.shape, steps.block, steps.places, steps.arrays,
      steps.shared, steps.staticSharedBytes, steps.branches, steps.warps);
}

void write(FrameWriter& out, const LaunchReport& launch) {
    out.whole(launch);
}

LaunchReport readLaunch(FrameReader& in) {
    LaunchReport launch;
    in(launch);
    return launch;
}

void write(FrameWriter& out, const Finding& finding) {
    out.whole(finding);
}

Finding readFinding(FrameReader& in) {
    Finding finding;
    in(finding);
    return finding;
}

void write(FrameWriter& out, const BlockSteps& steps) {
    out.whole(steps);
}

BlockSteps readSteps(FrameReader& in) {
    BlockSteps steps;
    in(steps);
    const auto isThere = [](bool holds) { require(holds, "a step of nothing"); };
    for (const StepBranch& branch : steps.branches) isThere(branch.place < steps.places.size());
    for (const WarpSteps& warp : steps.warps) {
        std::size_t lanes = 0;
        for (const BlockStep& step : warp.steps) {
            const bool isBranch = step.kind == AccessKind::branch;
            isThere(step.subject < (isBranch              ? steps.branches.size()
                                    : isShared(step.kind) ? steps.shared.size()
                                                          : steps.arrays.size()));
            isThere(step.place < steps.places.size() && (step.active | step.refused) != 0 &&
                    (step.active & step.refused) == 0 && step.bytes <= 16 &&
                    (step.bytes == 0) == isBranch);
            if (!isBranch)
                lanes += static_cast<std::size_t>(std::popcount(step.active | step.refused));
        }
        isThere(warp.offsets.size() == lanes && warp.steps.size() <= warp.total);
    }
    return steps;
}

void FrameStream::take(const char* bytes, std::size_t size) {
    if (broken_) return;
    const auto* first = reinterpret_cast<const std::byte*>(bytes);
    pending_.insert(pending_.end(), first, first + size);
    std::size_t at = 0;
    constexpr std::size_t headBytes = 12;
    while (pending_.size() - at >= headBytes) {
        FrameReader head(std::span<const std::byte>(pending_).subspan(at, headBytes));
        const auto kind = head.number<std::uint32_t>();
        const auto length = head.number<std::uint64_t>();
        if (length > mostFrameBytes) {
            broken_ = true;  // the program wrote to our pipe itself
            return;
        }
        if (pending_.size() - at - headBytes < length) break;
        FrameReader body(std::span<const std::byte>(pending_).subspan(at + headBytes, length));
        try {
            onFrame_(static_cast<TraceFrame>(kind), body);
        } catch (const std::runtime_error&) {
            broken_ = true;
            return;
        }
        at += headBytes + length;
    }
    pending_.erase(pending_.begin(), pending_.begin() + static_cast<std::ptrdiff_t>(at));
}

std::string unnamedArray(std::uint32_t id) {
    return "array " + std::to_string(id);
}
std::string placesOfArray(std::uint32_t id) {
    return "{array " + std::to_string(id) + '}';
}
std::string placeOfLaunch(std::uint32_t index) {
    return "{launch " + std::to_string(index) + '}';
}

}  // namespace warplens
