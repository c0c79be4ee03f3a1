#include "core/schedule/sm_model.h"

#include <algorithm>
#include <limits>

namespace warplens {
namespace {

constexpr std::uint64_t never = std::numeric_limits<std::uint64_t>::max();
/// Cycles of which spans are kept.
constexpr std::uint64_t keptCycles = 40'000;
constexpr std::uint32_t bytesOfSector = 32;

/// When a register's value is there, and what it is waited for with.
struct Pending final {
    std::uint64_t at = 0;
    WarpActivity activity = WarpActivity::waitsForResult;
};

struct ResidentWarp final {
    const std::vector<ModelStep>* steps = nullptr;  ///< null: the slot is empty
    std::size_t next = 0;
    std::uint64_t block = 0;
    std::uint64_t issuedAt = 0;
    std::uint64_t ready = 0;  ///< when it can issue its next step; never at a barrier
    WarpActivity waits = WarpActivity::waitsForResult;
    std::vector<Pending> registers{};
};

/// The SM while it runs.
class Sm final {
  public:
    Sm(const BlockProgram& program, SmRun& run, std::uint64_t most)
        : program_(program),
          run_(run),
          most_(most),
          slots_(run.slots),
          blockWarps_(program.warps.size()),
          units_(run.model.schedulers),
          last_(run.model.schedulers, run.slots) {
        for (std::uint32_t place = 0; place < run.residentBlocks; ++place) begin(place, 0);
    }

    void runAll() {
        while (left_ != 0 && run_.issued < most_) {
            std::uint64_t next = never;
            for (std::uint32_t scheduler = 0; scheduler < run_.model.schedulers; ++scheduler) {
                next = std::min(next, issueOne(scheduler));
            }
            if (next == never) break;  // warps that wait at different barriers for ever
            now_ = std::max(now_ + 1, next);
        }
        run_.cycles = std::max(end_, now_);
        run_.spansEnd = std::min(run_.cycles, keptCycles);
        std::ranges::stable_sort(run_.spans, {}, &WarpSpan::begin);
    }

  private:
    void begin(std::uint32_t place, std::uint64_t at) {
        if (run_.blocks == run_.blocksWanted) return;
        const std::uint64_t block = run_.blocks++;
        for (std::size_t warp = 0; warp < blockWarps_; ++warp) {
            ResidentWarp& resident = slots_[place * blockWarps_ + warp];
            resident = {.steps = &program_.warps[warp],
                        .block = block,
                        .issuedAt = at,
                        .ready = at + 1,
                        .registers = std::vector<Pending>(program_.registers)};
            ++left_;
        }
        arrived_.resize(run_.residentBlocks);
        live_.resize(run_.residentBlocks);
        arrived_[place] = 0;
        live_[place] = static_cast<std::uint32_t>(blockWarps_);
    }

    /// Lets a scheduler issue; returns the next cycle at which it might, if it knows of one.
    std::uint64_t issueOne(std::uint32_t scheduler) {
        std::uint64_t soonest = never;
        std::uint32_t chosen = run_.slots;
        for (std::uint32_t slot = scheduler; slot < run_.slots; slot += run_.model.schedulers) {
            const ResidentWarp& warp = slots_[slot];
            if (warp.steps == nullptr || warp.ready == never) continue;
            const std::uint64_t at = std::max(warp.ready, units_[scheduler][unitOf(warp)]);
            if (at > now_) {
                soonest = std::min(soonest, at);
                continue;
            }
            // The one that issued last as long as it can, else the one that waited longest.
            const bool isLast = slot == last_[scheduler];
            if (chosen == run_.slots || isLast ||
                (chosen != last_[scheduler] && warp.issuedAt < slots_[chosen].issuedAt)) {
                chosen = slot;
            }
        }
        if (chosen == run_.slots) return soonest;
        last_[scheduler] = chosen;
        issue(scheduler, chosen);
        return now_ + 1;
    }

    [[nodiscard]] const ModelInstruction& instructionOf(const ResidentWarp& warp) const {
        return program_.instructions[(*warp.steps)[warp.next].instruction];
    }
    [[nodiscard]] std::size_t unitOf(const ResidentWarp& warp) const {
        return static_cast<std::size_t>(instructionOf(warp).unit);
    }

    void issue(std::uint32_t scheduler, std::uint32_t slot) {
        ResidentWarp& warp = slots_[slot];
        const ModelStep step = (*warp.steps)[warp.next];
        const ModelInstruction& instruction = program_.instructions[step.instruction];
        const std::uint64_t unitFree = units_[scheduler][unitOf(warp)];
        note(slot, warp, unitFree, instruction.line);
        units_[scheduler][unitOf(warp)] = now_ + run_.model.unitCycles(instruction.unit);
        const Pending result = resultOf(instruction, step);
        for (const std::uint16_t reg : instruction.results) warp.registers[reg] = result;
        end_ = std::max(end_, result.at);
        ++run_.issued;
        ++warp.next;
        warp.issuedAt = now_;
        const std::uint32_t place = slot / static_cast<std::uint32_t>(blockWarps_);
        if (warp.next == warp.steps->size()) {
            warp.steps = nullptr;
            --left_;
            --live_[place];
            if (live_[place] == 0) {
                begin(place, now_);
            } else {
                releaseWhereAllCame(place);
            }
            return;
        }
        if (instruction.unit == IssueUnit::barrier) {
            ++arrived_[place];
            warp.ready = never;
            warp.waits = WarpActivity::waitsForBarrier;
            releaseWhereAllCame(place);
            return;
        }
        const bool goesBack = (*warp.steps)[warp.next].instruction <= step.instruction;
        prepare(warp, now_ + (goesBack ? run_.model.loopJump : 1));
    }

    /// When the warp's next step has all that it needs.
    void prepare(ResidentWarp& warp, std::uint64_t earliest) const {
        const ModelInstruction& next = instructionOf(warp);
        warp.ready = earliest;
        warp.waits = WarpActivity::waitsForResult;
        const auto await = [&](std::uint16_t reg) {
            const Pending& pending = warp.registers[reg];
            if (pending.at <= warp.ready) return;
            warp.ready = pending.at;
            warp.waits = pending.activity;
        };
        for (const std::uint16_t reg : next.sources) await(reg);
        for (const std::uint16_t reg : next.results) await(reg);
    }

    void releaseWhereAllCame(std::uint32_t place) {
        if (arrived_[place] == 0 || arrived_[place] < live_[place]) return;
        arrived_[place] = 0;
        for (std::size_t warp = 0; warp < blockWarps_; ++warp) {
            ResidentWarp& resident = slots_[place * blockWarps_ + warp];
            if (resident.steps == nullptr || resident.ready != never) continue;
            prepare(resident, now_ + 1);
            resident.waits = WarpActivity::waitsForBarrier;
        }
    }

    Pending resultOf(const ModelInstruction& instruction, const ModelStep& step) {
        const SmModel& model = run_.model;
        const auto passes = [&](double& freeAt) {
            freeAt = std::max(freeAt, static_cast<double>(now_)) + step.passes;
            return static_cast<std::uint64_t>(freeAt);
        };
        switch (instruction.unit) {
            case IssueUnit::load:
            case IssueUnit::store:
            case IssueUnit::atomic: {
                const std::uint64_t through = passes(l1Free_);
                const double bytes = static_cast<double>(step.sectors) * bytesOfSector;
                if (bytes == 0) return {through + model.l1Latency, WarpActivity::waitsForMemory};
                memoryFree_ = std::max(memoryFree_, static_cast<double>(through)) +
                              bytes / model.bytesPerCycle();
                return {static_cast<std::uint64_t>(memoryFree_) + model.globalLatency,
                        WarpActivity::waitsForMemory};
            }
            case IssueUnit::sharedAccess:
                return {passes(l1Free_) + model.sharedLatency, WarpActivity::waitsForResult};
            case IssueUnit::barrier:
                return {now_ + 1, WarpActivity::waitsForBarrier};
            default:
                return {now_ + model.arithmeticLatency + model.unitCycles(instruction.unit) - 1,
                        WarpActivity::waitsForResult};
        }
    }

    /// What the warp did since it issued last.
    void note(std::uint32_t slot, const ResidentWarp& warp, std::uint64_t unitFree,
              std::uint32_t line) {
        const auto add = [&](std::uint64_t begin, std::uint64_t end, WarpActivity activity) {
            if (begin >= end) return;
            run_.spent[static_cast<std::size_t>(activity)] += end - begin;
            if (begin >= keptCycles) return;
            run_.spans.push_back({begin, end, activity, slot, warp.block, line});
        };
        const std::uint64_t first = warp.issuedAt + 1;
        const std::uint64_t ready = std::clamp(warp.ready, first, std::max(first, now_));
        const std::uint64_t unit = std::clamp(unitFree, ready, std::max(ready, now_));
        add(first, ready, warp.waits);
        add(ready, unit, WarpActivity::waitsForUnit);
        add(unit, now_, WarpActivity::notSelected);
        add(now_, now_ + 1, WarpActivity::issues);
    }

    const BlockProgram& program_;
    SmRun& run_;
    std::uint64_t most_;
    std::vector<ResidentWarp> slots_;
    std::size_t blockWarps_;
    std::vector<std::array<std::uint64_t, 9>> units_;  ///< of each scheduler: free from then on
    std::vector<std::uint32_t> last_;                  ///< slot that it took last
    std::vector<std::uint32_t> arrived_;               ///< at the barrier, by place of the block
    std::vector<std::uint32_t> live_;                  ///< warps that have not ended
    std::uint64_t left_ = 0;
    std::uint64_t now_ = 1;
    std::uint64_t end_ = 0;
    double l1Free_ = 0;
    double memoryFree_ = 0;
};

}  // namespace

std::uint64_t memoryWaits(const BlockProgram& program) {
    std::uint64_t most = 0;
    for (const std::vector<ModelStep>& steps : program.warps) {
        std::vector<std::uint64_t> known(program.registers);  // by register: after so many waits
        std::uint64_t waited = 0;
        std::uint64_t begin = 0;  // of what loads are brought forward in
        bool isEnd = false;
        for (const ModelStep& step : steps) {
            const ModelInstruction& instruction = program.instructions[step.instruction];
            if (isEnd) begin = waited;
            std::uint64_t needed = begin;
            for (const std::uint16_t source : instruction.sources)
                needed = std::max(needed, known[source]);
            waited = std::max(waited, needed);
            const IssueUnit unit = instruction.unit;
            const bool loads = unit == IssueUnit::load || unit == IssueUnit::atomic;
            for (const std::uint16_t result : instruction.results)
                known[result] = needed + (loads && step.sectors > 0 ? 1 : 0);
            const bool jumps = unit == IssueUnit::fp32 && instruction.results.empty();
            isEnd = jumps || unit == IssueUnit::store || unit == IssueUnit::atomic ||
                    unit == IssueUnit::barrier;
        }
        most = std::max(most, waited);
    }
    return most;
}

std::uint32_t SmModel::unitCycles(IssueUnit unit) const {
    switch (unit) {
        case IssueUnit::integer:
            return 2;  // 64 results a cycle and SM
        case IssueUnit::special:
            return 8;  // 16
        default:
            return 1;
    }
}

std::string_view inWords(WarpActivity activity) {
    constexpr std::array<std::string_view, warpActivities> words{
        "issues",           "waits for memory", "waits for a barrier", "waits for a result",
        "waits for a unit", "could issue"};
    return words.at(static_cast<std::size_t>(activity));
}

double SmRun::seconds() const {
    const double share =
        blocks == 0 ? 1 : static_cast<double>(blocksWanted) / static_cast<double>(blocks);
    return static_cast<double>(cycles) * std::max(share, 1.0) / model.clockHertz;
}

double SmRun::issueShare() const {
    return cycles == 0
               ? 0
               : static_cast<double>(issued) / static_cast<double>(cycles * model.schedulers);
}

SmRun runModel(const BlockProgram& program, const SmModel& model, std::uint64_t blocks,
               std::uint32_t resident, std::uint64_t most) {
    SmRun run{.model = model, .blocksWanted = blocks};
    if (program.warps.empty() || blocks == 0 || resident == 0) return run;
    for (const std::vector<ModelStep>& steps : program.warps) {
        if (steps.empty()) return run;
    }
    run.residentBlocks = static_cast<std::uint32_t>(std::min<std::uint64_t>(resident, blocks));
    run.slots = run.residentBlocks * static_cast<std::uint32_t>(program.warps.size());
    Sm(program, run, most).runAll();
    return run;
}

}  // namespace warplens
