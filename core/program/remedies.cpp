#include "core/program/remedies.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "core/json/archive.h"
#include "core/program/reasons.h"
#include "core/program/remedy_edits.h"
#include "core/program/warnings.h"
#include "core/text/format.h"

namespace warplens {
namespace {

constexpr std::array<RemedyKind, 26> kindsOfRemedies{{
    {"exchange-x-and-y",
     "Exchange threadIdx.x and threadIdx.y, in the kernel and its launch: "
     "threads that differ in x are neighbours in a warp.",
     "matadd-swapped"},
    {"block-shape", "Another shape of the block, so that the lanes of a warp stand in one row.",
     "warp-grouping"},
    {"pad-shared-array",
     "One element more in each row of the shared array: its columns lie in "
     "different banks then.",
     "shared-banks"},
    {"stride-by-block",
     "Let a loop step by all threads in place of giving each thread a stretch: "
     "neighbouring lanes read neighbouring elements.",
     "access-stride"},
    {"vector-load", "Load the four neighbours of a lane as one float4.", "access-aligned"},
    {"tile-in-shared-memory",
     "Bring a tile into shared memory along its rows, and take it out "
     "along its columns.",
     "shared-banks"},
    {"branch-by-warp",
     "Decide by the warp in place of the lane, so that all lanes of a warp go "
     "one way.",
     "branch-by-warp"},
    {"aggregate-atomics",
     "Add up what lanes have for the same address first, and let one of them "
     "do the atomic.",
     "histogram-aggregated"},
    {"cover-the-problem", "Round the number of blocks up, so that the grid covers the problem.",
     "matmul-1000"},
    {"guard-the-tail", "Let threads beyond the end do nothing.", "picture-76x62"},
    {"add-barrier", "A barrier between the threads that write and those that read.",
     "matmul-tiled"},
    {"use-atomic", "Change what several threads share with an atomic operation.",
     "histogram-global"},
    {"initialise", "Give the memory a value before it is read.", ""},
    {"copy-to-device", "Copy the values to the device before the kernel reads them.", ""},
    {"byte-count", "Copy as many bytes as the array has: the count is in bytes, not elements.", ""},
    {"copy-direction", "Name the direction that the copy has.", ""},
    {"free-memory", "Free what was allocated, with cudaFree.", ""},
    {"smaller-block", "A block that a device can run: at most 1,024 threads.", "warp-grouping"},
    {"read-errors",
     "Check cudaGetLastError() after the launch: it was refused, and the program "
     "went on without its results.",
     ""},
    {"barrier-for-all",
     "Take the barrier out of the branch: all threads of the block must come "
     "to it.",
     "reduce-shuffle"},
    {"structure-of-arrays", "An array for each member in place of an array of structures.",
     "points-structures"},
    {"warp-for-each-row", "Let the lanes of a warp walk along one row, and add up what they have.",
     "sparse-warp"},
    {"sequential-addressing",
     "Let neighbouring threads add neighbours that lie half of the rest "
     "apart.",
     "reduce-sequential"},
    {"other-index", "Let neighbouring lanes access neighbouring elements.", "access-stride"},
    {"fewer-conflicts", "Pad or swizzle the shared array, so that lanes meet different banks.",
     "shared-banks"},
    {"whole-warps", "Let whole warps go one way.", "branch-by-warp"},
}};

CostMetric metricOf(const ProgramLine& line) {
    if (line.kind == AccessKind::branch) return CostMetric::divergent;
    if (isAtomic(line.kind)) return CostMetric::atomics;
    return line.sectors != 0 ? CostMetric::sectors : CostMetric::wavefronts;
}

std::uint64_t excessOf(const ProgramLine& line) {
    return line.kind == AccessKind::branch ? line.divergent
           : line.sectors != 0             ? line.sectors - line.idealSectors
                                           : line.wavefronts - line.idealWavefronts;
}

/// What has one cure is one cause: all that is never freed, all races of a kernel.
void addFindings(const ProgramTrace& trace, const ProgramSources& sources,
                 std::vector<RemedyCause>& to) {
    std::map<std::tuple<FindingKind, std::string>, std::vector<const Finding*>> ofOneKind;
    for (const Finding& finding : trace.findings)
        ofOneKind[{finding.kind, finding.kernel}].push_back(&finding);
    for (const auto& [key, findings] : ofOneKind) {
        RemedyCause cause;
        cause.rule = ruleOf(std::get<FindingKind>(key)).id;
        cause.finding = std::get<FindingKind>(key);
        cause.kernel = std::get<std::string>(key);
        for (const Finding* finding : findings) cause.places.push_back(finding->place);
        findEdits(trace, sources, findings, cause);
        to.push_back(std::move(cause));
    }
}

}  // namespace

std::span<const RemedyKind> remedyKinds() {
    return kindsOfRemedies;
}

RemedyKind remedyNamed(std::string_view id) {
    const auto* const found = std::ranges::find(kindsOfRemedies, id, &RemedyKind::id);
    return found == kindsOfRemedies.end() ? RemedyKind{} : *found;
}

std::uint64_t costOf(const ProgramTrace& trace, CostMetric metric) {
    std::uint64_t sum = 0;
    for (const LaunchReport& launch : trace.launches) {
        for (const ProgramLine& line : launch.lines) {
            if (line.source != Source::predicted) continue;
            if (metric == CostMetric::divergent) sum += line.divergent;
            if (metric == CostMetric::sectors) sum += line.sectors;
            // Each lane's is done by itself.
            if (metric == CostMetric::atomics && isAtomic(line.kind)) sum += line.activeLanes;
            if (metric == CostMetric::wavefronts && !isAtomic(line.kind)) sum += line.wavefronts;
        }
    }
    return sum;
}

std::vector<RemedyCause> causesOf(const ProgramTrace& trace, const ProgramSources& sources) {
    std::vector<RemedyCause> causes;
    addFindings(trace, sources, causes);
    struct Costly final {
        const ProgramLine* line;
        const LaunchReport* launch;
    };
    std::vector<Costly> costly;
    for (const LaunchReport& launch : trace.launches) {
        for (const ProgramLine& line : launch.lines) {
            const auto isSame = [&](const Costly& other) {
                return other.line->place == line.place && other.line->kind == line.kind &&
                       other.line->array == line.array && other.launch->kernel == launch.kernel;
            };
            if (line.source != Source::predicted || line.place.line == 0 ||
                !breaksCostRule(line, launch) || std::ranges::any_of(costly, isSame))
                continue;
            costly.push_back({&line, &launch});
        }
    }
    std::ranges::stable_sort(costly, std::greater<>(),
                             [](const Costly& each) { return excessOf(*each.line); });
    for (const Costly& each : costly) {
        RemedyCause cause;
        cause.rule = costRule(each.line->kind).id;
        cause.places = {each.line->place};
        cause.kernel = each.launch->kernel;
        cause.metric = metricOf(*each.line);
        if (!isAtomic(each.line->kind)) cause.excess = excessOf(*each.line);
        findEdits(*each.line, *each.launch, sources, cause);
        causes.push_back(std::move(cause));
    }
    for (RemedyCause& cause : causes) {
        if (cause.edits.size() > mostEdits) cause.edits.resize(mostEdits);
    }
    return causes;
}

void describe(Archive& v, TriedRemedy& tried) {
    v("remedy", tried.remedy, "What to do: a row of the table in docs/check.md.");
    v("rule", tried.rule, "Which rule is broken without it.");
    v.derived("words", std::string(remedyNamed(tried.remedy).words), "The same in a sentence.");
    v.derived("lesson", std::string(remedyNamed(tried.remedy).lesson),
              "The lesson that teaches it; may be empty.");
    v.each("places", tried.places, "What it is for.", [&](SourcePlace& place) {
        v("file", place.file, "The file.");
        v("line", place.line, "Of it, from 1; 0 where none is known.");
    });
    v("file", tried.file, "Which file it changes; empty where it can only be told.");
    v("diff", tried.diff, "The change, as diff -u writes it; it was compiled and run.");
    v("unit", tried.unit, "Of the numbers.");
    v("before", tried.before, "Of the program as it is, all launches together.");
    v("after", tried.after, "Of the changed one; at best, where it can only be told.");
    v("results", tried.results, "What the program's results are then, beside those of before.");
}

std::string gainInWords(const TriedRemedy& tried) {
    const std::string gain =
        groupedDigits(tried.before) + " -> " + groupedDigits(tried.after) + ' ' + tried.unit;
    if (!tried.diff.empty()) return gain + ", results: " + tried.results;
    return "No edit was found that does it by itself" +
           (tried.after < tried.before ? "; at best " + gain : std::string()) + '.';
}

}  // namespace warplens
