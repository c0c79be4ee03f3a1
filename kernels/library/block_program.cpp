#include <algorithm>
#include <optional>
#include <set>
#include <unordered_set>
#include <utility>

#include "core/launch/mapping.h"
#include "kernels/library/predict.h"
#include "kernels/library/prepared_launch.h"
#include "kernels/library/traced_kernel.h"
#include "kernels/ptx/read/flow.h"

namespace warplens {
namespace {

using ptx::Instruction;

constexpr std::size_t mostSteps = std::size_t{4} << 20;
constexpr std::uint64_t mostJumps = std::uint64_t{1} << 24;
constexpr std::uint64_t sectorSize = 32;
constexpr std::uint64_t lineSize = 128;

bool isOneOf(std::string_view word, std::initializer_list<std::string_view> words) {
    return std::ranges::find(words, word) != words.end();
}

bool isBranch(const Instruction& instruction) {
    return instruction.words[0] == "bra";
}
bool endsWarp(const Instruction& instruction) {
    return isOneOf(instruction.words[0], {"ret", "exit", "trap"});
}

/// Nothing where the compiler makes no instruction of it.
std::optional<IssueUnit> unitOf(const Instruction& instruction) {
    const std::string_view name = instruction.words[0];
    if (isOneOf(name, {"ld", "ldu", "st"})) {
        if (instruction.has("param") || instruction.has("const")) return std::nullopt;
        if (instruction.has("shared")) return IssueUnit::sharedAccess;
        return name == "st" ? IssueUnit::store : IssueUnit::load;
    }
    if (isOneOf(name, {"atom", "red"})) {
        return instruction.has("shared") ? IssueUnit::sharedAccess : IssueUnit::atomic;
    }
    if (isOneOf(name, {"bar", "barrier"})) return IssueUnit::barrier;
    if (isOneOf(name, {"mov", "cvta"})) return std::nullopt;
    if (instruction.has("f64")) return IssueUnit::fp64;
    if (isOneOf(name, {"sqrt", "rsqrt", "rcp", "sin", "cos", "lg2", "ex2", "tanh", "div", "rem"})) {
        return IssueUnit::special;
    }
    const bool isReal =
        instruction.has("f32") || instruction.has("f16") || instruction.has("f16x2");
    if ((isReal && name != "setp") ||
        isOneOf(name, {"bra", "ret", "exit", "call", "shfl", "vote"})) {
        return IssueUnit::fp32;
    }
    return IssueUnit::integer;
}

std::vector<std::uint16_t> registersIn(const std::vector<std::int32_t>& registers) {
    std::vector<std::uint16_t> all;
    for (const std::int32_t reg : registers) {
        if (reg >= 0) all.push_back(static_cast<std::uint16_t>(reg));
    }
    return all;
}

/// Puts together what each warp executes from what is told of it: what lies between two accesses
/// or branches is what the program has there.
class Recorder final : public ptx::Observer {
  public:
    explicit Recorder(const ptx::Function& kernel) : kernel_(kernel) {
        for (const Instruction& instruction : kernel.instructions) {
            const std::optional<IssueUnit> unit = unitOf(instruction);
            issued_.push_back(unit.has_value());
            const ptx::RegisterUse use = ptx::registersOf(instruction);
            program.instructions.push_back({.unit = unit.value_or(IssueUnit::fp32),
                                            .line = instruction.place.line,
                                            .sources = registersIn(use.reads),
                                            .results = registersIn(use.writes)});
        }
        program.registers = static_cast<std::uint32_t>(kernel.registers.size());
        for (const auto& [name, at] : kernel.labels) targets_.insert(at);
    }

    void onBlockBegin(const ptx::BlockRun& block) override {
        program.warps.resize(block.warps.size());
        places_.resize(block.warps.size());
    }
    void onBlockEnd(const ptx::BlockRun&) override {
        for (std::uint32_t warp = 0; warp < program.warps.size(); ++warp) goOn(warp, none);
    }
    void onRequest(const ptx::Request& request) override {
        const std::uint32_t at = indexOf(request.step);
        if (at == none) return;
        goOn(request.warp.rank, at);
        ModelStep step{.instruction = at};
        count(request, step);
        add(request.warp.rank, step);
        places_[request.warp.rank] = at + 1;
    }
    void onBranch(const ptx::Warp& warp, const ptx::Step& step, std::uint32_t active,
                  std::uint32_t taken) override {
        const std::uint32_t at = indexOf(step);
        if (at == none || !isBranch(kernel_.instructions[at])) return;
        goOn(warp.rank, at);
        add(warp.rank, {.instruction = at});
        places_[warp.rank] = taken == active ? targetOf(at) : taken == 0 ? at + 1 : none;
    }

    BlockProgram program;

  private:
    static constexpr std::uint32_t none = 0xffffffffu;

    [[nodiscard]] std::uint32_t indexOf(const ptx::Step& step) const {
        const auto at = step.instruction - kernel_.instructions.data();
        const bool isInside = at >= 0 && at < std::ssize(kernel_.instructions);
        return isInside ? static_cast<std::uint32_t>(at) : none;
    }
    [[nodiscard]] std::uint32_t targetOf(std::uint32_t branch) const {
        const auto& operands = kernel_.instructions[branch].operands;
        if (operands.empty()) return none;
        const auto found = kernel_.labels.find(operands.back().symbol);
        return found == kernel_.labels.end() ? none : found->second;
    }

    /// From where the warp is to the instruction, or to its end.
    void goOn(std::uint32_t warp, std::uint32_t to) {
        std::vector<std::uint32_t> way;
        std::uint32_t at = places_[warp];
        while (at != to && at < kernel_.instructions.size() &&
               way.size() <= kernel_.instructions.size()) {
            const Instruction& instruction = kernel_.instructions[at];
            way.push_back(at);
            if (isBranch(instruction)) {
                at = instruction.guard < 0 ? targetOf(at) : none;
            } else if (endsWarp(instruction) && instruction.guard < 0) {
                at = none;
            } else {
                ++at;
            }
        }
        if (at != to) {
            // Lanes that parted go on somewhere else: from where that begins.
            way.clear();
            if (to == none) return;
            std::uint32_t begin = to;
            while (begin > 0 && !targets_.contains(begin) &&
                   !isBranch(kernel_.instructions[begin - 1])) {
                --begin;
            }
            for (; begin < to; ++begin) way.push_back(begin);
        }
        for (const std::uint32_t one : way) add(warp, {.instruction = one, .passes = 1});
    }

    void add(std::uint32_t warp, const ModelStep& step) {
        if (!issued_[step.instruction] || !program.cut.empty()) return;
        program.warps[warp].push_back(step);
        if (++steps_ == mostSteps) program.cut = "the first 4 million instructions of a block";
    }

    void count(const ptx::Request& request, ModelStep& step) {
        if (isShared(request.kind)) {
            step.passes = static_cast<std::uint16_t>(std::clamp<std::uint64_t>(
                request.warp.sites[request.site].shape->cost.wavefronts, 1, lanesPerWarp));
            return;
        }
        std::set<std::uint64_t> lines;
        std::set<std::uint64_t> sectors;
        ptx::forEachLane(request.lanes, [&](std::uint32_t lane) {
            const std::uint64_t first = request.warp.addresses[lane];
            for (std::uint64_t sector = first / sectorSize;
                 sector <= (first + request.bytes - 1) / sectorSize; ++sector) {
                sectors.insert(sector);
                lines.insert(sector * sectorSize / lineSize);
            }
        });
        step.passes = static_cast<std::uint16_t>(std::max<std::size_t>(1, lines.size()));
        const bool isLoad = request.kind == AccessKind::load;
        for (const std::uint64_t sector : sectors) {
            if (!isLoad || read_.insert(sector).second) ++step.sectors;
        }
    }

    const ptx::Function& kernel_;
    std::vector<bool> issued_;
    std::unordered_set<std::uint32_t> targets_;
    std::vector<std::uint32_t> places_;  ///< of each warp: what it executes next
    std::unordered_set<std::uint64_t> read_;
    std::size_t steps_ = 0;
};

}  // namespace

BlockProgram blockProgramOf(const Experiment& experiment, Index3 block,
                            const std::stop_token& stop) {
    const library::PreparedLaunch prepared(
        experiment, std::make_shared<library::ArrayMemory>(experiment, false),
        library::ptxOf(kernelOf(experiment), library::PtxKind::optimized), true);
    Recorder recorder(*prepared.launch().kernel);
    ptx::Surroundings surroundings;
    surroundings.observers = {&recorder};
    surroundings.isStopped = [&] { return stop.stop_requested(); };
    ptx::GridRun grid(prepared.program(), prepared.launch(), surroundings, {.jumps = mostJumps});
    ptx::Worker worker(grid);
    worker.prepareLaunch();
    grid.beginAnew();
    std::optional<std::uint64_t> rank = blockRankInGrid(block, prepared.launch().launch.grid);
    worker.run([&] { return std::exchange(rank, std::nullopt); });
    if (grid.hasEnded()) throw TraceFault(kernelOf(experiment).name + ": " + grid.whyEnded());
    return std::move(recorder.program);
}

}  // namespace warplens
