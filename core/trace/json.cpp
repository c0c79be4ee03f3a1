#include "core/trace/json.h"

#include "core/json/archive.h"
#include "core/json/json.h"

namespace warplens {
namespace {

/// The array or branch that a kernel's line is about.
std::string subjectOf(const Kernel& kernel, const trace::LineTally& line) {
    if (trace::isGlobal(line.kind)) return std::string(kernel.arrays[line.subject].name);
    if (line.kind != trace::EventKind::branch) return kernel.shared[line.subject].name;
    return std::string(kernel.branches[line.subject].name);
}

/// What a line of the kernel's file does: of the numbers those that its kind has.
struct KernelLine final {
    trace::LineTally tally;
    std::string subject;
};

void describe(Archive& v, KernelLine& line) {
    trace::LineTally& tally = line.tally;
    const bool branch = tally.branch.executed != 0;
    const bool shared = !branch && tally.shared.requests != 0;
    const bool atomic = !branch && !shared && tally.atomic.requests != 0;
    const bool global = !branch && !shared && !atomic;
    std::uint64_t requests = tally.access.requests;
    if (shared) requests = tally.shared.requests;
    if (atomic) requests = tally.atomic.requests;
    std::uint64_t sectors = atomic ? tally.atomic.sectors : tally.access.sectors;
    v("line", tally.line, "From 1 in the kernel's text.");
    v("kind", tally.kind, "What it does.");
    v("subject", line.subject, "Name of the array or branch.");
    v.onlyIf(branch, "branches", tally.branch.executed, "Times a warp came to it.");
    v.onlyIf(branch, "divergent_branches", tally.branch.divergent,
             "Times its lanes went different ways.");
    v.onlyIf(!branch, "requests", requests, "Warp-level requests.");
    v.onlyIf(shared, "wavefronts", tally.shared.wavefronts,
             "Turns in which shared memory serves them.");
    v.onlyIf(atomic || global, "sectors", sectors,
             "Distinct 32-byte sectors, summed over the requests.");
    v.onlyIf(global, "ideal_sectors", tally.access.idealSectors,
             "The fewest that could carry the same bytes.");
    v.onlyIf(tally.atomic.requests != 0, "turns", tally.atomic.turns,
             "Of atomics: lanes at the address that most of a request share, summed over the "
             "requests.");
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
    std::vector<KernelLine> lines;
    for (const trace::LineTally& line : prediction.lines) {
        lines.push_back({line, subjectOf(kernelOf(prediction.experiment), line)});
    }
    v.derived("lines", lines, "By line.");
}

}  // namespace warplens
