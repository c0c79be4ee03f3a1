#include "core/program/program_trace.h"

#include <map>

#include "core/access/tally.h"
#include "core/json/archive.h"
#include "core/json/json.h"

namespace warplens {
namespace {

/// Sums of one subject's lines.
struct LineTotals final {
    AccessTally loads;
    AccessTally stores;
    SharedTally shared;
    BranchTally branches;
    std::uint64_t loadLines = 0;  ///< of 128 bytes; 0 where nobody counted them
    std::uint64_t storeLines = 0;

    void add(const ProgramLine& line) {
        switch (line.kind) {
            case LineKind::load:
            case LineKind::store:
                (line.kind == LineKind::load ? loadLines : storeLines) += line.cacheLines;
                (line.kind == LineKind::load ? loads : stores)
                    .add(AccessTally{line.requests, line.sectors, line.idealSectors,
                                     line.uniqueBytes, 0});
                break;
            case LineKind::atomic:
                // On shared memory they are wavefronts of their own; on global memory the L2's
                // work.
                if (line.sectors != 0) break;
                [[fallthrough]];
            case LineKind::sharedLoad:
            case LineKind::sharedStore:
                shared.add({line.requests, line.wavefronts, line.idealWavefronts});
                break;
            case LineKind::branch:
                branches.add({line.requests, line.divergent, 0, 0});
                break;
        }
    }
};

}  // namespace

namespace {

void describePlace(Archive& v, SourcePlace& place) {
    v("file", place.file, "The file, as it was named or included.");
    v("line", place.line, "Of it, from 1; 0 where none is known.");
    v("column", place.column, "From 1; 0 where none is known.");
}

}  // namespace

void describe(Archive& v, ProgramLine& line) {
    v.type("program_line", "What one place of the source does in all its executions.");
    describePlace(v, line.place);
    v("kind", line.kind, "What it does.");
    v("array", line.array, "What is accessed, or on what the branch decides.");
    describeSource(v, line.source);
    v("requests", line.requests, "Warp-level executions with at least one active lane.");
    v.added("active_lanes", line.activeLanes, "Lanes active in them, summed.");
    v.object("in_other_order", line.inOtherOrder,
             "Only where the numbers depend on the order in which threads run: what they are where "
             "the last thread comes first and threads take turns.",
             [&](CountsInOtherOrder& other) {
                 v("requests", other.requests,
                   "Warp-level executions with at least one active lane.");
                 v("units", other.units,
                   "Sectors, wavefronts or divergent executions, as the line's kind has.");
             });
    const bool branches = line.kind == LineKind::branch;
    const bool global = !branches && line.sectors != 0;
    const bool shared = !branches && line.wavefronts != 0;
    v.onlyIf(branches, "divergent", line.divergent,
             "Of a branch: executions in which lanes went different ways.");
    v.onlyIf(global, "sectors", line.sectors,
             "Distinct 32-byte sectors, summed over the requests.");
    v.onlyIf(global, "ideal_sectors", line.idealSectors,
             "The fewest that could carry the same bytes.");
    v.onlyIf(global && line.cacheLines != 0, "cache_lines", line.cacheLines,
             "Distinct lines of 128 bytes, summed over the requests.");
    v.onlyIf(global, "unique_bytes", line.uniqueBytes, "Distinct bytes, summed over the requests.");
    v.onlyIf(shared, "wavefronts", line.wavefronts, "Turns in which shared memory serves them.");
    v.onlyIf(shared, "ideal_wavefronts", line.idealWavefronts, "The fewest there could be.");
    v.onlyIf(line.kind == LineKind::atomic, "most_same_address", line.mostSameAddress,
             "Of an atomic: most lanes of one request at one address.");
    v("address", line.address, "How its addresses come about; left out where they follow no rule.");
    v("diverging_lanes", line.lanes, "Of a branch that diverges: which lanes go together.");
    v.optional("reason", line.reason,
               "Where it costs more than need be: why, in the source's own words.");
}

void describe(Archive& v, SampleBound& bound) {
    v("metric", bound.metric, "Id of the metric.");
    v("percent", bound.percent, "In percent.", {.least = 0});
}

void describe(Archive& v, CompiledCount& count) {
    v.type("compiled_count", "How the lines of the source `compiled` were counted.");
    v("compiler", count.compiler, "What compiled the program: nvcc.");
    v("version", count.version, "Its version: 13.0; empty where it does not say.");
    v("compute_capability", count.computeCapability, "That it compiled for.", capabilityText);
    v("exact", count.exact, "Whether every block was run to its end.");
    v("blocks_traced", count.blocksTraced, "Blocks run.");
    v("seconds", count.seconds, "How long that took, in seconds.", {.least = 0});
}

void describe(Archive& v, LaunchArgument& argument) {
    v("name", argument.name, "Of the parameter.");
    v("value", argument.value, "What it was launched with.");
}

void describe(Archive& v, ProgramLaunch& launch) {
    v("index", launch.index, "From 0, in order of launching.");
    v("kernel", launch.kernel, "Name of the kernel as in the source.");
    v("instance", launch.instance, "The same with template arguments.");
    describePlace(v, launch.place);
    v("launch", launch.launch, "The execution configuration.");
    v.optional("arguments", launch.arguments,
               "The kernel's arguments that are whole numbers, as far as they are known.");
    v("overridden", launch.overridden, "Whether grid and block were set from outside.");
    v("traced", launch.traced, "Whether its lines were traced.");
    v("exact", launch.exact, "Whether every block was, by what is predicted.");
    v("blocks_traced", launch.blocksTraced, "Blocks traced.");
    v("blocks", launch.blocks, "Blocks of the grid.");
    v.optional("bounds", launch.bounds, "Of a sample: how far off each total may be.");
    v("compiled", launch.compiled,
      "The same of the compiler's optimised code, where that was run, too.");
    v("lane_accesses", launch.laneAccesses, "Accesses of single lanes that were traced.");
    v("seconds", launch.seconds, "How long that took, in seconds.", {.least = 0});
    v("values", launch.values, "Every number, and every one that is missing.");
    v("lines", launch.lines, "By place.");
}

void describe(Archive& v, Finding& finding) {
    v("kind", finding.kind, "What.");
    v("words", finding.words, "The same in words.");
    describePlace(v, finding.place);
    v("kernel", finding.kernel, "In which kernel; empty on the host.");
    v("launch", finding.launch, "In which launch.");
    v("block", finding.block, "In which block.");
    v("thread", finding.thread, "In which thread.");
    v("times", finding.times, "How often.", {.least = 1});
}

void describe(Archive& v, ProgramExit& exit) {
    v.nullable("status", exit.status, "Its exit status; null where a signal or a limit ended it.");
    v("signal", exit.signal, "The signal that ended it; empty for none.");
    v("stopped", exit.stopped, "The limit that ended it; empty for none.");
    v("output", exit.output, "What it printed.");
    v("output_cut", exit.outputCut, "Whether it printed more.");
}

void describe(Archive& v, ProgramTrace& trace) {
    v("program", trace.program, "The file.");
    describeVersion(v);
    v("launches", trace.launches, "In order of launching.");
    v("findings", trace.findings, "What it does wrong.");
    v("notes", trace.notes, "What a reader must know to read the numbers.");
    v("exit", trace.exit, "How the program ended.");
    v("compile_seconds", trace.compileSeconds, "How long compiling took, in seconds.",
      {.least = 0});
    v("seconds", trace.seconds, "How long it ran, in seconds.", {.least = 0});
}

bool hasCompiled(const ProgramLaunch& launch) {
    return std::ranges::any_of(
        launch.lines, [](const ProgramLine& line) { return line.source == Source::compiled; });
}

std::vector<Value> valuesOf(const std::vector<ProgramLine>& lines) {
    struct Subjects final {
        LineTotals kernel;
        std::map<std::string, LineTotals> arrays;
    };
    std::map<Source, Subjects> sources;
    if (lines.empty()) sources[Source::predicted];
    for (const ProgramLine& line : lines) {
        Subjects& of = sources[line.source];
        of.kernel.add(line);
        if (line.kind != LineKind::branch && !line.array.empty()) of.arrays[line.array].add(line);
    }
    std::vector<Value> values;
    const auto addLines = [&](const std::string& subject, Source source, const LineTotals& of) {
        const auto add = [&](Metric metric, std::uint64_t count) {
            if (count == 0) return;
            values.push_back({metric, subject, source, Variant::none, static_cast<double>(count)});
        };
        add(Metric::globalLoadLines, of.loadLines);
        add(Metric::globalStoreLines, of.storeLines);
    };
    for (const auto& [source, of] : sources) {
        SubjectValues whole(values, "kernel", source);
        whole.addAccesses(of.kernel.loads, of.kernel.stores);
        addLines("kernel", source, of.kernel);
        whole.addShared(of.kernel.shared);
        whole.addBranches(of.kernel.branches);
        for (const auto& [name, totals] : of.arrays) {
            SubjectValues array(values, name, source);
            array.addAccesses(totals.loads, totals.stores);
            addLines(name, source, totals);
            if (totals.shared.requests != 0) array.addShared(totals.shared);
        }
    }
    return values;
}

}  // namespace warplens
