#include "core/program/trace_frames.h"

#include <algorithm>
#include <bit>

#include "core/program/byte_frame.h"
#include "core/program/launch_inputs.h"

namespace warplens {
namespace {

constexpr std::uint64_t mostFrameBytes = mostLaunchInputBytes + (1u << 20);

void write(FrameWriter& out, const SourcePlace& place) {
    out.text(place.file);
    out.number(place.line);
    out.number(place.column);
}

SourcePlace readPlace(FrameReader& in) {
    SourcePlace place;
    place.file = in.text();
    place.line = in.number<std::uint32_t>();
    place.column = in.number<std::uint32_t>();
    return place;
}

void write(FrameWriter& out, const std::optional<Index3>& index) {
    out.number<std::uint8_t>(index ? 1 : 0);
    if (index) writeExtents(out, Extents{index->x, index->y, index->z});
}

std::optional<Index3> readIndex(FrameReader& in) {
    if (!in.flag()) return std::nullopt;
    const Extents found = readExtents(in);
    return Index3{found.x, found.y, found.z};
}

void write(FrameWriter& out, const AddressFormula& formula) {
    for (const std::int64_t step : formula.thread) out.number(step);
    for (const std::int64_t step : formula.block) out.number(step);
    out.number(formula.start);
    out.number<std::uint8_t>(formula.ofLanes ? 1 : 0);
    out.number(formula.elementBytes);
    out.number(static_cast<std::uint32_t>(formula.loops.size()));
    for (const AddressFormula::Loop& loop : formula.loops) {
        out.number(loop.bytes);
        out.number(loop.passes);
    }
    out.number(static_cast<std::uint32_t>(formula.eachPass.size()));
    for (const std::int64_t step : formula.eachPass) out.number(step);
}

AddressFormula readFormula(FrameReader& in) {
    AddressFormula formula;
    for (std::int64_t& step : formula.thread) step = in.number<std::int64_t>();
    for (std::int64_t& step : formula.block) step = in.number<std::int64_t>();
    formula.start = in.number<std::int64_t>();
    formula.ofLanes = in.flag();
    formula.elementBytes = std::max(1u, in.number<std::uint32_t>());
    formula.loops.resize(in.count(12));
    for (AddressFormula::Loop& loop : formula.loops) {
        loop.bytes = in.number<std::int64_t>();
        loop.passes = in.number<std::uint32_t>();
    }
    formula.eachPass.resize(in.count(8));
    for (std::int64_t& step : formula.eachPass) step = in.number<std::int64_t>();
    return formula;
}

/// -1 for none.
void write(FrameWriter& out, const std::optional<std::uint32_t>& number) {
    out.number<std::int64_t>(number ? std::int64_t{*number} : -1);
}

std::optional<std::uint32_t> readSmall(FrameReader& in) {
    const auto number = in.number<std::int64_t>();
    if (number < 0) return std::nullopt;
    if (number > 32) throw MalformedFrame("more lanes than a warp has");
    return static_cast<std::uint32_t>(number);
}

void write(FrameWriter& out, const ProgramLine& line) {
    write(out, line.place);
    out.number(static_cast<std::uint8_t>(line.kind));
    out.text(line.array);
    out.number(static_cast<std::uint8_t>(line.source));
    for (const auto count : summedCounts) out.number(line.*count);
    out.number(line.mostSameAddress);
    out.number<std::uint8_t>(line.hasNoFormula ? 1 : 0);
    out.number<std::uint8_t>(line.address ? 1 : 0);
    if (line.address) write(out, *line.address);
    out.number<std::uint8_t>(line.lanes ? 1 : 0);
    if (line.lanes) {
        write(out, line.lanes->bit);
        write(out, line.lanes->first);
    }
    out.number<std::uint8_t>(line.inOtherOrder ? 1 : 0);
    if (!line.inOtherOrder) return;
    out.number(line.inOtherOrder->requests);
    out.number(line.inOtherOrder->units);
}

ProgramLine readLine(FrameReader& in) {
    ProgramLine line;
    line.place = readPlace(in);
    const auto kind = in.number<std::uint8_t>();
    if (kind > static_cast<std::uint8_t>(AccessKind::branch)) {
        throw MalformedFrame("unknown kind of line");
    }
    line.kind = static_cast<AccessKind>(kind);
    line.array = in.text();
    const auto source = in.number<std::uint8_t>();
    if (source >= namesOf(Source{}).size()) throw MalformedFrame("unknown source of a line");
    line.source = static_cast<Source>(source);
    for (const auto count : summedCounts) line.*count = in.number<std::uint64_t>();
    line.mostSameAddress = in.number<std::uint32_t>();
    line.hasNoFormula = in.flag();
    if (in.flag()) line.address = readFormula(in);
    if (in.flag()) {
        DivergingLanes& lanes = line.lanes.emplace();
        lanes.bit = readSmall(in);
        lanes.first = readSmall(in);
    }
    if (in.flag()) {
        CountsInOtherOrder& counts = line.inOtherOrder.emplace();
        counts.requests = in.number<std::uint64_t>();
        counts.units = in.number<std::uint64_t>();
    }
    return line;
}

}  // namespace

void write(FrameWriter& out, const LaunchReport& launch) {
    out.number(launch.index);
    out.text(launch.kernel);
    out.text(launch.instance);
    write(out, launch.place);
    writeExtents(out, launch.launch.grid);
    writeExtents(out, launch.launch.block);
    out.number(launch.launch.dynamicSharedBytes);
    out.number(static_cast<std::uint32_t>(launch.arguments.entries().size()));
    for (const auto& [name, value] : launch.arguments.entries()) {
        out.text(name);
        out.number(value);
    }
    for (const bool flag : {launch.overridden, launch.traced, launch.exact}) {
        out.number<std::uint8_t>(flag ? 1 : 0);
    }
    out.number(launch.blocksTraced);
    out.number(launch.blocks);
    out.number<std::uint32_t>(static_cast<std::uint32_t>(launch.bounds.size()));
    for (const SampleBound& bound : launch.bounds) {
        out.number(static_cast<std::uint8_t>(bound.metric));
        out.number(bound.percent);
    }
    out.number<std::uint8_t>(launch.compiled ? 1 : 0);
    if (launch.compiled) {
        out.number<std::uint8_t>(launch.compiled->exact ? 1 : 0);
        out.number(launch.compiled->blocksTraced);
        out.number(launch.compiled->seconds);
    }
    out.number(launch.laneAccesses);
    out.number(launch.seconds);
    out.number<std::uint32_t>(static_cast<std::uint32_t>(launch.lines.size()));
    for (const ProgramLine& line : launch.lines) write(out, line);
}

LaunchReport readLaunch(FrameReader& in) {
    LaunchReport launch;
    launch.index = in.number<std::uint32_t>();
    launch.kernel = in.text();
    launch.instance = in.text();
    launch.place = readPlace(in);
    launch.launch.grid = readExtents(in);
    launch.launch.block = readExtents(in);
    launch.launch.dynamicSharedBytes = in.number<std::uint32_t>();
    for (std::uint32_t left = in.count(12); left != 0; --left) {
        const std::string name = in.text();
        launch.arguments.set(name, in.number<std::int64_t>());
    }
    launch.overridden = in.flag();
    launch.traced = in.flag();
    launch.exact = in.flag();
    launch.blocksTraced = in.number<std::uint64_t>();
    launch.blocks = in.number<std::uint64_t>();
    launch.bounds.resize(in.count(9));
    for (SampleBound& bound : launch.bounds) {
        const auto metric = in.number<std::uint8_t>();
        if (metric > static_cast<std::uint8_t>(Metric::globalStoreLines)) {
            throw MalformedFrame("unknown metric");
        }
        bound.metric = static_cast<Metric>(metric);
        bound.percent = in.number<double>();
    }
    if (in.flag()) {
        CompiledCount& count = launch.compiled.emplace();
        count.exact = in.flag();
        count.blocksTraced = in.number<std::uint64_t>();
        count.seconds = in.number<double>();
    }
    launch.laneAccesses = in.number<std::uint64_t>();
    launch.seconds = in.number<double>();
    const std::uint32_t lines = in.count(113);
    for (std::uint32_t i = 0; i < lines; ++i) launch.lines.push_back(readLine(in));
    return launch;
}

void write(FrameWriter& out, const Finding& finding) {
    out.number(static_cast<std::uint8_t>(finding.kind));
    out.text(finding.words);
    write(out, finding.place);
    out.text(finding.kernel);
    out.number<std::uint8_t>(finding.launch ? 1 : 0);
    out.number(finding.launch.value_or(0));
    write(out, finding.block);
    write(out, finding.thread);
    out.number(finding.times);
}

Finding readFinding(FrameReader& in) {
    Finding finding;
    const auto kind = in.number<std::uint8_t>();
    if (kind > static_cast<std::uint8_t>(FindingKind::unsynchronisedRead)) {
        throw MalformedFrame("unknown kind of finding");
    }
    finding.kind = static_cast<FindingKind>(kind);
    finding.words = in.text();
    finding.place = readPlace(in);
    finding.kernel = in.text();
    const bool hasLaunch = in.flag();
    const auto launch = in.number<std::uint32_t>();
    if (hasLaunch) finding.launch = launch;
    finding.block = readIndex(in);
    finding.thread = readIndex(in);
    finding.times = in.number<std::uint64_t>();
    return finding;
}

void write(FrameWriter& out, const BlockSteps& steps) {
    const auto count = [&](const auto& all) { out.number(static_cast<std::uint32_t>(all.size())); };
    out.number(steps.launch);
    out.text(steps.kernel);
    writeExtents(out, steps.shape.grid);
    writeExtents(out, steps.shape.block);
    out.number(steps.shape.dynamicSharedBytes);
    writeExtents(out, {steps.block.x, steps.block.y, steps.block.z});
    count(steps.places);
    for (const SourcePlace& place : steps.places) write(out, place);
    count(steps.arrays);
    for (const StepArray& array : steps.arrays) {
        out.text(array.name);
        out.number(array.elementBytes);
        out.number(array.lead);
    }
    count(steps.shared);
    for (const StepShared& shared : steps.shared) {
        out.text(shared.name);
        out.number(shared.place.offset);
        out.number(shared.place.elementBytes);
    }
    out.number(steps.staticSharedBytes);
    count(steps.branches);
    for (const StepBranch& branch : steps.branches) out.number(branch.place);
    count(steps.warps);
    for (const WarpSteps& warp : steps.warps) {
        out.number(warp.total);
        count(warp.steps);
        for (const BlockStep& step : warp.steps) {
            out.number(static_cast<std::uint8_t>(step.kind));
            out.number(step.subject);
            for (const std::uint32_t each : {step.place, step.bytes, step.active, step.taken}) {
                out.number(each);
            }
        }
        count(warp.offsets);
        out.raw(warp.offsets.data(), warp.offsets.size() * sizeof(std::uint64_t));
    }
}

BlockSteps readSteps(FrameReader& in) {
    BlockSteps steps;
    steps.launch = in.number<std::uint32_t>();
    steps.kernel = in.text();
    steps.shape.grid = readExtents(in);
    steps.shape.block = readExtents(in);
    steps.shape.dynamicSharedBytes = in.number<std::uint32_t>();
    const Extents block = readExtents(in);
    steps.block = {block.x, block.y, block.z};
    steps.places.resize(in.count(12));
    for (SourcePlace& place : steps.places) place = readPlace(in);
    steps.arrays.resize(in.count(12));
    for (StepArray& array : steps.arrays) {
        array.name = in.text();
        array.elementBytes = std::max(1U, in.number<std::uint32_t>());
        array.lead = in.number<std::uint32_t>();
    }
    steps.shared.resize(in.count(12));
    for (StepShared& shared : steps.shared) {
        shared.name = in.text();
        shared.place.offset = in.number<std::uint32_t>();
        shared.place.elementBytes = std::max(1U, in.number<std::uint32_t>());
    }
    steps.staticSharedBytes = in.number<std::uint32_t>();
    const auto require = [](bool holds) {
        if (!holds) throw MalformedFrame("a step of nothing");
    };
    steps.branches.resize(in.count(4));
    for (StepBranch& branch : steps.branches) {
        branch.place = in.number<std::uint32_t>();
        require(branch.place < steps.places.size());
    }
    steps.warps.resize(in.count(16));
    for (WarpSteps& warp : steps.warps) {
        warp.total = in.number<std::uint64_t>();
        warp.steps.resize(in.count(19));
        std::size_t lanes = 0;
        for (BlockStep& step : warp.steps) {
            const auto kind = in.number<std::uint8_t>();
            require(kind <= static_cast<std::uint8_t>(AccessKind::branch));
            step.kind = static_cast<AccessKind>(kind);
            step.subject = in.number<std::uint16_t>();
            for (std::uint32_t* each : {&step.place, &step.bytes, &step.active, &step.taken}) {
                *each = in.number<std::uint32_t>();
            }
            const bool isBranch = step.kind == AccessKind::branch;
            require(step.subject < (isBranch              ? steps.branches.size()
                                    : isGlobal(step.kind) ? steps.arrays.size()
                                                          : steps.shared.size()));
            require(step.place < steps.places.size() && step.active != 0 && step.bytes <= 16 &&
                    (step.bytes == 0) == isBranch);
            if (!isBranch) lanes += static_cast<std::size_t>(std::popcount(step.active));
        }
        warp.offsets.resize(in.count(8));
        require(warp.offsets.size() == lanes && warp.steps.size() <= warp.total);
        for (std::uint64_t& offset : warp.offsets) offset = in.number<std::uint64_t>();
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

}  // namespace warplens
