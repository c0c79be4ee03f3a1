#include "app/drawing/warp_trace.h"

#include <exception>
#include <filesystem>
#include <regex>
#include <unordered_map>

#include "app/drawing/elements.h"
#include "core/program/branch_reasons.h"
#include "core/program/line_costs.h"
#include "core/text/format.h"
#include "kernels/library/kernel_program.h"
#include "kernels/library/traced_kernel.h"

namespace warplens {
namespace {

/// Of one thread: a lane's trace takes up to 32 bytes for each, and a warp's is held whole.
constexpr std::uint64_t stepsTraced = 1 << 17;

/// In which rounds of its loops a warp is.
class Rounds final {
  public:
    explicit Rounds(const Kernel& kernel) : marks_(loopMarks(kernel)) {}

    /// The warp comes to a line: loops that it does not lie in are over.
    void comeTo(std::uint32_t line) {
        const std::size_t over = std::erase_if(open_, [&](const Open& open) {
            return line < open.mark->line || line > open.mark->lastLine;
        });
        changed_ = changed_ || over != 0;
    }
    void begin(std::uint32_t line, std::int64_t value) {
        const auto mark = std::ranges::find(marks_, line, &LoopMark::line);
        if (mark == marks_.end()) return;
        // The loops inside it begin anew.
        std::erase_if(open_, [&](const Open& open) { return open.mark->line >= line; });
        open_.push_back({&*mark, value});
        changed_ = true;
    }
    /// A decision at a line, which may be that of a loop whose rounds are counted.
    void decide(std::uint32_t line) {
        const auto open =
            std::ranges::find(open_, line, [](const Open& other) { return other.mark->line; });
        begin(line, open == open_.end() ? 1 : open->value + 1);
    }
    /// Whether the text has changed since the last call.
    [[nodiscard]] bool changed() { return std::exchange(changed_, false); }
    [[nodiscard]] std::string text() const {
        std::string result;
        for (const Open& open : open_) {
            if (!result.empty()) result += " · ";
            result += open.mark->counted ? "round" : open.mark->name;
            result += ' ' + std::to_string(open.value);
        }
        return result;
    }

  private:
    struct Open final {
        const LoopMark* mark;
        std::int64_t value;
    };
    std::vector<LoopMark> marks_;
    std::vector<Open> open_;
    bool changed_ = false;
};

/// Whether a line adds 1, and nobody needs what was there: in shared memory one instruction for all
/// lanes of an address.
bool addsOne(const Kernel& kernel, std::uint32_t line) {
    static const std::regex one(R"((?:^|[;{)])\s*atomicAdd\(.*,\s*1u?\);)");
    const std::string_view text = sourceLine(kernel, line);
    return std::regex_search(text.begin(), text.end(), one);
}

/// Keeps the first steps, and counts them all.
class StepKeeper final : public trace::WarpObserver {
  public:
    StepKeeper(WarpTrace& trace, const Kernel& kernel)
        : trace_(trace), kernel_(kernel), rounds_(kernel) {
        trace_.byArray.resize(kernel.arrays.size() + kernel.shared.size());
    }

    void onRequest(const trace::WarpRequest& request) override {
        if (trace_.total++ >= stepsKept) return;
        WarpStep step{.kind = request.kind,
                      .subject = request.subject,
                      .line = request.line,
                      .bytes = request.bytes,
                      .active = request.activeLanes};
        if (step.isAtomic() && step.isShared()) {
            const auto [known, isNew] = addsOne_.try_emplace(step.line);
            if (isNew) known->second = addsOne(kernel_, step.line);
            step.isJoined = known->second;
        }
        const std::uint64_t start = step.isShared() ? 0 : trace::baseAddress(request.subject);
        std::size_t next = 0;
        for (std::uint32_t left = request.activeLanes; left != 0; left &= left - 1) {
            step.offsets.at(static_cast<std::size_t>(std::countr_zero(left))) =
                request.addresses[next++] - start;
        }
        const std::size_t array = request.subject + (step.isShared() ? kernel_.arrays.size() : 0);
        trace_.byArray.at(array).push_back(static_cast<std::uint32_t>(trace_.steps.size()));
        keep(step);
    }
    void onBranch(const trace::WarpBranch& branch) override {
        if (trace_.total++ >= stepsKept) return;
        rounds_.comeTo(branch.line);
        rounds_.decide(branch.line);
        const auto named =
            std::ranges::find(kernel_.branches, std::string_view(branch.name), &KernelBranch::name);
        keep({.kind = StepKind::branch,
              .subject = static_cast<std::uint16_t>(named - kernel_.branches.begin()),
              .line = branch.line,
              .active = branch.activeLanes,
              .taken = branch.takenLanes,
              .isGuard = std::string_view(branch.name) == "inside",
              .isOneWay = hasNoElse(text_, branch.line)});
    }
    void onRound(const trace::WarpRound& round) override { rounds_.begin(round.line, round.value); }

  private:
    void keep(WarpStep step) {
        rounds_.comeTo(step.line);
        if (rounds_.changed()) {
            std::string text = rounds_.text();
            if (text != trace_.rounds.back()) trace_.rounds.push_back(std::move(text));
        }
        step.rounds = static_cast<std::uint32_t>(trace_.rounds.size() - 1);
        trace_.steps.push_back(step);
    }

    WarpTrace& trace_;
    const Kernel& kernel_;
    source::SourceEdit text_{kernel_.text};
    Rounds rounds_;
    std::unordered_map<std::uint32_t, bool> addsOne_{};  ///< by line
};

/// `if (i < n)  line 12`: a line may have several branches.
StepSubjects subjectsOf(const BlockSteps& program) {
    StepSubjects subjects;
    for (const StepArray& array : program.arrays) {
        subjects.arrays.push_back({array.name, array.elementBytes, 0, array.lead});
    }
    subjects.shared = program.shared;
    for (const StepBranch& branch : program.branches) {
        const SourcePlace& place = program.places[branch.place];
        std::string line = "line " + std::to_string(place.line);
        if (!sameFile(place.file, program.file)) line += " of " + place.file;
        subjects.branches.push_back({branch.statement.empty() ? line : branch.statement, line});
    }
    return subjects;
}

/// How often the warp has done a step, `iteration 3 of 512`: a program's loops have no names.
/// Nothing where it does it once.
class TimesDone final {
  public:
    explicit TimesDone(const WarpSteps& warp) : isWhole_(warp.steps.size() == warp.total) {
        for (const BlockStep& step : warp.steps) ++all_[keyOf(step)];
    }
    std::string next(const BlockStep& step) {
        const std::uint32_t all = all_.at(keyOf(step));
        if (all < 2) return {};
        std::string text = "iteration " + groupedDigits(++seen_[keyOf(step)]);
        if (isWhole_) text += " of " + groupedDigits(all);
        return text;
    }

  private:
    /// A statement may load, store and decide.
    static std::uint64_t keyOf(const BlockStep& step) {
        return std::uint64_t{step.place} << 32 | std::uint64_t{step.subject} << 8 |
               static_cast<std::uint64_t>(step.kind);
    }

    bool isWhole_;
    std::unordered_map<std::uint64_t, std::uint32_t> all_;
    std::unordered_map<std::uint64_t, std::uint32_t> seen_;
};

WarpTrace traceOfProgram(const WarpPlace& place) {
    const BlockSteps& program = *place.program;
    WarpTrace trace{place, {}, 0};
    trace.subjects = subjectsOf(program);
    trace.byArray.resize(program.arrays.size() + program.shared.size());
    if (place.warp.value >= program.warps.size()) {
        trace.failure = "the block did not begin it";
        return trace;
    }
    const WarpSteps& warp = program.warps[place.warp.value];
    trace.total = warp.total;
    TimesDone times(warp);
    std::size_t next = 0;
    for (const BlockStep& from : warp.steps) {
        const SourcePlace& at = program.places[from.place];
        WarpStep step{.kind = from.kind,
                      .subject = from.subject,
                      .line = sameFile(at.file, program.file) ? at.line : 0,
                      .bytes = from.bytes,
                      .active = from.active,
                      .taken = from.taken,
                      .refused = from.refused,
                      .isJoined = from.isJoined,
                      .isGuard = from.isGuard,
                      .isOneWay = from.isOneWay};
        if (from.kind != StepKind::branch) {
            for (std::uint32_t left = from.active | from.refused; left != 0; left &= left - 1) {
                step.offsets.at(static_cast<std::size_t>(std::countr_zero(left))) =
                    warp.offsets[next++];
            }
            const std::size_t array = from.subject + (step.isShared() ? program.arrays.size() : 0);
            trace.byArray[array].push_back(static_cast<std::uint32_t>(trace.steps.size()));
        }
        std::string text = times.next(from);
        // Of a line that is not in view: which one.
        if (step.line == 0 && at.line != 0) {
            std::string where =
                std::filesystem::path(at.file).filename().string() + ':' + std::to_string(at.line);
            if (!text.empty()) addWords(where, " · ", text);
            text = std::move(where);
        }
        if (text != trace.rounds.back()) trace.rounds.push_back(std::move(text));
        step.rounds = static_cast<std::uint32_t>(trace.rounds.size() - 1);
        trace.steps.push_back(step);
    }
    return trace;
}

}  // namespace

std::vector<std::string> StepSubjects::arrayNames() const {
    std::vector<std::string> names;
    for (const Array& array : arrays) names.push_back(array.name);
    for (const StepShared& array : shared) names.push_back(array.name);
    return names;
}

StepSubjects subjectsOf(const WarpPlace& place) {
    if (place.program != nullptr) return subjectsOf(*place.program);
    const Kernel& kernel = kernelOf(place.experiment);
    StepSubjects subjects;
    for (const KernelArray& array : kernel.arrays) {
        subjects.arrays.push_back(
            {array.name, byteCount(array.type), columnsOf(array, place.experiment.arguments), 0});
    }
    for (const KernelShared& shared : kernel.shared) subjects.shared.push_back({shared.name, {}});
    for (const KernelBranch& branch : kernel.branches) {
        subjects.branches.push_back({std::string(branch.name), std::string(branch.meaning)});
    }
    return subjects;
}

ActiveOffsets::ActiveOffsets(const WarpStep& step) {
    for (std::uint32_t left = step.active; left != 0; left &= left - 1) {
        packed_.at(count_++) = step.offsets.at(static_cast<std::size_t>(std::countr_zero(left)));
    }
}

LineCost costOf(const WarpStep& step) {
    if (step.active == 0) return {};
    if (step.isConstant()) {
        const ActiveOffsets lanes(step);
        return {.requests = 1,
                .activeLanes = lanes.all().size(),
                .wavefronts = distinctAddresses(lanes.all()),
                .idealWavefronts = 1};
    }
    const ActiveOffsets lanes(step);
    LineCost cost = costOf(step.kind, lanes.all(), step.bytes, step.active);
    if (step.isJoined && step.isShared())
        cost.wavefronts =
            costOf(kindOfBanks(step), lanes.all(), step.bytes, step.active).wavefronts;
    return cost;
}

WarpTrace traceWarp(const WarpPlace& place) {
    if (place.program != nullptr) return traceOfProgram(place);
    WarpTrace result{place, {}, 0};
    try {
        const std::vector<LimitViolation> violations = validateRun(place.experiment);
        if (!violations.empty()) {
            result.failure = toString(violations);
            return result;
        }
        const Kernel& facts = kernelOf(place.experiment);
        if (!facts.stepsPerElement.empty() &&
            facts.stepsPerElement(place.experiment.arguments, place.experiment.launch) >
                stepsTraced) {
            result.failure = "more than " + groupedDigits(stepsTraced) + " steps a thread";
            return result;
        }
        TracedKernel kernel(place.experiment);
        WarpTrace traced{place, {}, 0};
        StepKeeper keeper(traced, kernel.kernel());
        kernel.reportRounds();
        kernel.runWarp(place.block, place.warp, keeper);
        traced.subjects = subjectsOf(place);
        for (std::size_t i = 0; i < traced.subjects.shared.size(); ++i) {
            traced.subjects.shared[i].place = kernel.sharedPlaces().at(i);
        }
        result = std::move(traced);
    } catch (const std::exception& error) {
        result.failure = error.what();
    }
    return result;
}

WarpTrace outputOfWarp(const WarpPlace& place) {
    const auto& [experiment, block, warp, program] = place;
    const Kernel& kernel = kernelOf(experiment);
    const std::size_t output = outputIndex(kernel);
    const std::uint64_t bytes = byteCount(kernel.arrays[output].type);
    WarpStep store{.kind = StepKind::store,
                   .subject = static_cast<std::uint16_t>(output),
                   .bytes = static_cast<std::uint32_t>(bytes)};
    const std::uint32_t threads = threadCountInWarp(warp, experiment.launch.block);
    for (std::uint32_t lane = 0; lane < threads; ++lane) {
        const Index3 thread =
            threadIndexInBlock({firstThreadOfWarp(warp).value + lane}, experiment.launch.block);
        if (const auto element =
                kernel.element(experiment.arguments, experiment.launch, block, thread)) {
            store.active |= 1u << lane;
            store.offsets.at(lane) = *element * bytes;
        }
    }
    WarpTrace result{place, {}, 0};
    result.subjects = subjectsOf(place);
    result.byArray.resize(kernel.arrays.size() + kernel.shared.size());
    if (store.active == 0) return result;
    result.total = 1;
    result.steps.push_back(store);
    result.byArray.at(output).push_back(0);
    return result;
}

}  // namespace warplens
