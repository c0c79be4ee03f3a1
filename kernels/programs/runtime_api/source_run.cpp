#include "kernels/programs/runtime_api/source_run.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <optional>

#include "core/trace/block_sample.h"
#include "kernels/programs/runtime_api/array_names.h"
#include "kernels/programs/runtime_api/report.h"
#include "kernels/ptx/run/launch_lines.h"

namespace warplens::programs {
namespace {

constexpr std::array metrics{Metric::globalLoadRequests,  Metric::globalLoadSectors,
                             Metric::globalStoreRequests, Metric::globalStoreSectors,
                             Metric::sharedWavefronts,    Metric::branches,
                             Metric::divergentBranches};

std::array<double, metrics.size()> totalsOf(const std::vector<ProgramLine>& lines) {
    std::array<double, metrics.size()> totals{};
    const auto add = [&](std::size_t at, std::uint64_t value) {
        totals.at(at) += static_cast<double>(value);
    };
    for (const ProgramLine& line : lines) {
        const bool isLoad = line.kind == AccessKind::load;
        if (isLoad || line.kind == AccessKind::store) {
            add(isLoad ? 0 : 2, line.requests);
            add(isLoad ? 1 : 3, line.sectors);
        } else if (line.kind == AccessKind::branch) {
            add(5, line.requests);
            add(6, line.divergent);
        } else if (isShared(line.kind)) {
            add(4, line.wavefronts);
        }
    }
    return totals;
}

void addLine(std::vector<ProgramLine>& to, const ProgramLine& line) {
    const auto same = std::ranges::find_if(to, [&](const ProgramLine& other) {
        return other.place == line.place && other.kind == line.kind && other.array == line.array &&
               other.nth == line.nth;
    });
    if (same == to.end()) {
        to.push_back(line);
        return;
    }
    same->add(line);
}

void scale(ProgramLine& line, double by) {
    for (const auto count : summedCounts)
        line.*count = static_cast<std::uint64_t>(static_cast<double>(line.*count) * by + 0.5);
}

/// Blocks one by one, as many as the time allows: one of each stretch of the grid, at a place that
/// differs from stretch to stretch.
SourceRun sampled(RuntimeDevice& device, const ptx::KernelLaunch& launch, ptx::Surroundings around,
                  double seconds, const ptx::check::AddressFormulas& formulas) {
    SourceRun run;
    std::array<trace::SampledValue, metrics.size()> values;
    const std::uint64_t blocks = launch.launch.grid.count();
    const double begin = secondsNow();
    around.width = 1;
    std::uint64_t random = 0x9e3779b97f4a7c15ull;
    // Stretches differ by a block at most: else the blocks of a longer one would count for less.
    const auto beginOf = [&](std::uint64_t stretch, std::uint64_t count) {
        return blocks / count * stretch + blocks % count * stretch / count;
    };
    const auto draw = [&](std::uint64_t count) {
        for (std::uint64_t stretch = 0; stretch < count; ++stretch) {
            if (run.blocks != 0 && around.isStopped()) return;
            const std::uint64_t from = beginOf(stretch, count);
            const std::uint64_t to = beginOf(stretch + 1, count);
            random = random * 6364136223846793005ull + 1442695040888963407ull;
            const std::array<std::uint64_t, 1> chosen{from + (random >> 33) % (to - from)};
            const ptx::LaunchResult result =
                ptx::run(device.source(), launch, around, {}, std::span(chosen));
            const bool isWaiting = result.ended == ptx::waitsForOthers;
            if (run.blocks != 0 && !isWaiting && !result.ended.empty() && result.findings.empty())
                return;
            if (isWaiting && run.notes.empty())
                run.notes.emplace_back(
                    "its blocks wait for one another: those that were counted ran alone, and are "
                    "counted until they wait");
            const std::vector<ProgramLine> lines =
                linesOf(device.source(), launch, result, Source::predicted, &formulas);
            const auto totals = totalsOf(lines);
            for (std::size_t at = 0; at < values.size(); ++at) values.at(at).add(totals.at(at));
            for (const ProgramLine& line : lines) addLine(run.lines, line);
            ++run.blocks;
        }
    };
    draw(std::min<std::uint64_t>(16, blocks));
    const double spent = secondsNow() - begin;
    const double more = (seconds - spent) / (spent / static_cast<double>(run.blocks));
    if (more >= 16) draw(std::min(static_cast<std::uint64_t>(more), blocks / 2));
    const double by = static_cast<double>(blocks) / static_cast<double>(run.blocks);
    for (ProgramLine& line : run.lines) scale(line, by);
    for (std::size_t at = 0; at < values.size(); ++at) {
        const trace::SampledValue& value = values.at(at);
        if (value.mean() == 0) continue;
        const double total = static_cast<double>(blocks) * value.mean();
        const double error = value.spreadError(blocks) + value.tailError(blocks);
        run.bounds.push_back({metrics.at(at), 100 * error / total});
    }
    return run;
}

/// What lines come to where threads take their turns the other way round; memory stays as it is.
/// Nothing where that takes too long.
void countInOtherOrder(RuntimeDevice& device, const ptx::KernelLaunch& launch,
                       ptx::Surroundings around, ptx::Memory::Snapshot& before,
                       std::vector<ProgramLine>& lines) {
    device.memory().exchange(before);
    around.isLastFirst = true;
    const ptx::LaunchResult result = ptx::run(device.source(), launch, around);
    device.memory().exchange(before);
    if (!result.ended.empty() || !result.findings.empty()) return;
    const std::vector<ProgramLine> others =
        linesOf(device.source(), launch, result, Source::predicted);
    const auto unitsOf = [](const ProgramLine& line) {
        return line.kind == AccessKind::branch ? line.divergent
               : line.sectors != 0             ? line.sectors
                                               : line.wavefronts;
    };
    for (ProgramLine& line : lines) {
        const auto same = std::ranges::find_if(others, [&](const ProgramLine& other) {
            return other.place == line.place && other.kind == line.kind &&
                   other.array == line.array && other.nth == line.nth;
        });
        const ProgramLine other = same == others.end() ? ProgramLine{} : *same;
        if (other.requests != line.requests || unitsOf(other) != unitsOf(line))
            line.inOtherOrder = {other.requests, unitsOf(other)};
    }
}

}  // namespace

void forgetUnwritten(RuntimeDevice& device) {
    for (const auto& [address, array] : device.memory().allocations()) {
        if (!array.freed) device.faults().markWritten(address, array.bytes);
    }
}

double secondsNow() {
    using namespace std::chrono;
    return duration<double>(steady_clock::now().time_since_epoch()).count();
}

SourceRun runSource(RuntimeDevice& device, const ptx::KernelLaunch& launch,
                    ptx::Surroundings around, double seconds) {
    const std::uint64_t blocks = launch.launch.grid.count();
    ptx::Memory::Snapshot before;
    device.memory().save(before);
    const double latest = secondsNow() + 3 * seconds + 0.5;  // of all that follows
    const auto stopAfter = [=](double most) {
        return [end = std::min(latest, secondsNow() + most), held = mostHeld()] {
            return secondsNow() > end || isMemoryFull(held);
        };
    };
    const auto finished = [&](const ptx::LaunchResult& result) {
        return result.blocks == blocks || !result.findings.empty();
    };
    ptx::check::AddressFormulas formulas;
    const auto made = [&](ptx::LaunchResult result) {
        SourceRun run;
        run.lines = linesOf(device.source(), launch, result, Source::predicted, &formulas);
        run.findings = std::move(result.findings);
        run.blocks = result.blocks;
        run.barriers = formulas.barriers();
        run.isExact = result.ended.empty();
        run.isWhole = result.ended.empty() && run.findings.empty();
        return run;
    };
    around.isStopped = stopAfter(seconds);
    around.observers = {&device.faults(), &formulas};
    ptx::LaunchResult checked = ptx::run(device.source(), launch, around);
    around.observers.clear();
    std::vector<Finding> faults = device.faults().take();
    const bool isDone = checked.ended.empty() || finished(checked);
    if (isDone) {
        if (!checked.ended.empty()) device.faults().noteCut();
        if (checked.ended == "stopped") forgetUnwritten(device);
        const bool isInOrder = checked.inOrder;
        SourceRun run = made(std::move(checked));
        run.findings.insert(run.findings.end(), faults.begin(), faults.end());
        around.isStopped = stopAfter(seconds);
        if (isInOrder && run.isWhole) countInOtherOrder(device, launch, around, before, run.lines);
        return run;
    }
    // The last block is where a grid goes beyond what it is for.
    const std::array<std::uint64_t, 1> last{blocks - 1};
    around.isStopped = stopAfter(seconds / 2);
    around.observers.push_back(&device.faults());
    ptx::LaunchResult end = ptx::run(device.source(), launch, around, {}, std::span(last));
    around.observers.clear();
    if (!end.ended.empty()) device.faults().noteCut();
    checked.findings.insert(checked.findings.end(), end.findings.begin(), end.findings.end());
    for (Finding& finding : device.faults().take()) faults.push_back(std::move(finding));
    forgetUnwritten(device);
    std::string note = "what is wrong is found in the " + std::to_string(checked.blocks + 1) +
                       " blocks that were traced, of " + std::to_string(blocks);
    device.memory().exchange(before);
    device.memory().save(before);
    // Checks take some times as long as counts; where only a few blocks were done, all are too
    // many.
    std::optional<ptx::LaunchResult> counted;
    if (checked.blocks >= blocks / 16) {
        around.isStopped = stopAfter(seconds);
        counted = ptx::run(device.source(), launch, around);
        if (!counted->ended.empty() && !finished(*counted)) {
            counted.reset();
            device.memory().exchange(before);
        }
    }
    SourceRun run;
    if (counted) {
        run = made(std::move(*counted));
    } else {
        // A block may take longer than all that were to be drawn.
        around.isStopped = stopAfter(2 * seconds + 0.5);
        run = sampled(device, launch, around, seconds, formulas);
        const std::uint64_t drawn = run.blocks;
        note += "; at most " + std::to_string(trace::mostHeavierBlocks(drawn, blocks)) +
                " others do more than any of the " + std::to_string(drawn) +
                " that were counted, with 95 % confidence";
    }
    // What several of the runs came to is one finding.
    for (const std::vector<Finding>* found : {&checked.findings, &faults}) {
        for (const Finding& finding : *found) {
            const auto isSame = [&](const Finding& other) {
                return other.kind == finding.kind && other.place == finding.place &&
                       elementless(other.words) == elementless(finding.words);
            };
            if (std::ranges::none_of(run.findings, isSame)) run.findings.push_back(finding);
        }
    }
    run.notes.push_back(std::move(note));
    return run;
}

std::vector<ProgramLine> linesOf(ptx::Program& program, const ptx::KernelLaunch& launch,
                                 const ptx::LaunchResult& result, Source source,
                                 const ptx::check::AddressFormulas* formulas) {
    const ArrayNames names(program, launch);
    const auto nameOf = [&](std::uint32_t array) { return names.of(array); };
    if (formulas == nullptr) return ptx::linesOf(program, result, source, nameOf);
    std::map<const ProgramLine*, std::vector<std::optional<AddressFormula>>> addresses;
    return ptx::linesOf(
        program, result, source, nameOf, [&](ProgramLine& line, const ptx::ArrayCounts& entry) {
            if (line.kind == AccessKind::branch) {
                if (auto lanes = formulas->ofBranch(entry.site)) line.lanes = lanes;
                return;
            }
            if (!formulas->hasSeen(entry.site, entry.array)) return;
            line.address = formulas->of(entry.site, entry.array);
            line.hasNoFormula = !line.address;
            auto& others = addresses[&line];
            if (std::ranges::find(others, line.address) == others.end())
                others.push_back(line.address);
            line.addresses = others.size() > 1 ? static_cast<std::uint32_t>(others.size()) : 0;
            line.mostlyApart = line.address ? 0 : formulas->mostlyApart(entry.site, entry.array);
            line.isOneRun =
                !line.address && isGlobal(line.kind) && formulas->isOneRun(entry.site, entry.array);
            const ptx::Site& site = program.sites()[entry.site];
            if (!site.countsLanes)
                line.isJoined = site.isJoinable && line.mostSameAddress > 1 && line.address &&
                                line.address->thread == std::array<std::int64_t, 3>{} &&
                                line.address->eachPass.empty();
        });
}

namespace {

template <typename Number>
Number numberAt(const std::byte* bytes, std::size_t index) {
    Number number;
    std::memcpy(&number, bytes + index * sizeof number, sizeof number);
    return number;
}

/// Numbers of two arrays, piece by piece.
template <typename Number>
class Apart final {
  public:
    void add(const std::byte* a, const std::byte* b, std::size_t bytes) {
        if (bytes % sizeof(Number) != 0) apart_ = std::numeric_limits<double>::infinity();
        for (std::size_t at = 0; at < bytes / sizeof(Number); ++at) {
            const double x = numberAt<Number>(a, at);
            const double y = numberAt<Number>(b, at);
            if ((std::isnan(x) && std::isnan(y)) || x == y) continue;
            apart_ = std::max(apart_, std::abs(x - y));
            if (!std::isfinite(x - y)) apart_ = std::numeric_limits<double>::infinity();
            largest_ = std::max({largest_, std::abs(x), std::abs(y)});
        }
    }
    /// Whether they are the same to within `tolerance` of the largest that differs. Whole numbers
    /// read as fractions are tiny or huge.
    [[nodiscard]] bool areClose(double tolerance) const {
        return apart_ <= largest_ * tolerance && largest_ > 1e-20 && largest_ < 1e20;
    }

  private:
    double apart_ = 0;
    double largest_ = 0;
};

}  // namespace

std::vector<std::string> differences(const ptx::Memory& memory,
                                     const ptx::Memory::Snapshot& snapshot) {
    std::vector<std::string> words;
    for (const auto& [address, array] : memory.allocations()) {
        if (array.freed) continue;
        Apart<float> floats;
        Apart<double> doubles;
        std::optional<std::uint64_t> first;
        snapshot.forEachPiece(array, [&, &now = array](auto at, const auto* bytes, auto count) {
            const std::byte* here = now.data + at;
            if (std::memcmp(here, bytes, count) == 0) return;
            if (!first)
                first = at + static_cast<std::uint64_t>(
                                 std::mismatch(here, here + count, bytes).first - here);
            floats.add(here, bytes, count);
            doubles.add(here, bytes, count);
        });
        if (!first || floats.areClose(1e-4) || doubles.areClose(1e-9)) continue;
        words.push_back((array.name.empty() ? "array " + std::to_string(array.id) : array.name) +
                        " is another with and without optimisation, from byte " +
                        std::to_string(*first) + " on");
    }
    return words;
}

}  // namespace warplens::programs
