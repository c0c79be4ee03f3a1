#include "core/trace/json.h"

#include "core/json/archive.h"
#include "core/json/json.h"

namespace warplens {
namespace {

/// What a line of the kernel's file does; of the numbers those that its kind has.
struct LineNumbers final {
    std::uint32_t line = 0;
    trace::EventKind kind = trace::EventKind::load;
    std::string subject{};
    std::optional<std::uint64_t> branches{};
    std::optional<std::uint64_t> divergentBranches{};
    std::optional<std::uint64_t> requests{};
    std::optional<std::uint64_t> wavefronts{};
    std::optional<std::uint64_t> sectors{};
    std::optional<std::uint64_t> idealSectors{};
    std::optional<std::uint64_t> turns{};
};

void describe(Archive& v, LineNumbers& line) {
    v("line", line.line, "From 1 in the kernel's text.");
    v("kind", line.kind, "What it does.");
    v("subject", line.subject, "Name of the array or branch.");
    v("branches", line.branches, "Times a warp came to it.");
    v("divergent_branches", line.divergentBranches, "Times its lanes went different ways.");
    v("requests", line.requests, "Warp-level requests.");
    v("wavefronts", line.wavefronts, "Turns in which shared memory serves them.");
    v("sectors", line.sectors, "Distinct 32-byte sectors, summed over the requests.");
    v("ideal_sectors", line.idealSectors, "The fewest that could carry the same bytes.");
    v("turns", line.turns,
      "Of atomics: lanes at the address that most of a request share, summed over the requests.");
}

/// The array or branch that a kernel's line is about.
std::string subjectOf(const Kernel& kernel, const trace::LineTally& line) {
    if (trace::isGlobal(line.kind)) return std::string(kernel.arrays[line.subject].name);
    if (line.kind != trace::EventKind::branch) return kernel.shared[line.subject].name;
    return std::string(kernel.branches[line.subject].name);
}

LineNumbers numbersOf(const Kernel& kernel, const trace::LineTally& line) {
    LineNumbers numbers{.line = line.line, .kind = line.kind, .subject = subjectOf(kernel, line)};
    if (line.branch.executed != 0) {
        numbers.branches = line.branch.executed;
        numbers.divergentBranches = line.branch.divergent;
    } else if (line.shared.requests != 0) {
        numbers.requests = line.shared.requests;
        numbers.wavefronts = line.shared.wavefronts;
    } else if (line.atomic.requests != 0) {
        numbers.requests = line.atomic.requests;
        numbers.sectors = line.atomic.sectors;
    } else {
        numbers.requests = line.access.requests;
        numbers.sectors = line.access.sectors;
        numbers.idealSectors = line.access.idealSectors;
    }
    if (line.atomic.requests != 0) numbers.turns = line.atomic.turns;
    return numbers;
}

}  // namespace

void describe(Archive& v, Prediction& prediction) {
    describe(v, prediction.experiment);
    v("exact", prediction.exact,
      "Whether the totals are those of tracing every block; else they are of a sample.");
    v("blocks_traced", prediction.blocksTraced, "Blocks traced, wholly or in part.");
    v("blocks", prediction.blocks, "Blocks of the grid.");
    v.optional("kinds", prediction.kinds,
               "Kinds of block, one of each traced and counted as often as it occurs; absent where "
               "every block was traced, or a sample.");
    v.onlyIf(!prediction.exact, "error_percent", prediction.errorPercent,
             "Where not exact: how far off totals are at most, 95 times out of 100, by what the "
             "sample's blocks differ.",
             {.least = 0});
    v("seconds", prediction.seconds, "How long tracing took, in seconds.", {.least = 0});
    describeVersion(v);
    v("values", prediction.values, "Every number, and every one that is missing.");
    std::vector<LineNumbers> lines;
    for (const trace::LineTally& line : prediction.lines) {
        lines.push_back(numbersOf(kernelOf(prediction.experiment), line));
    }
    v.derived("lines", lines, "By line.");
}

}  // namespace warplens
