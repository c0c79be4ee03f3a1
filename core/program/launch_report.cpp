#include "core/program/launch_report.h"

#include <algorithm>
#include <iterator>
#include <map>

#include "core/json/archive.h"
#include "core/json/json.h"
#include "core/text/format.h"

namespace warplens {
namespace {

void describeSteps(Archive& v, std::array<std::int64_t, 3>& steps) {
    v("x", steps[0], "In bytes.");
    v("y", steps[1], "In bytes.");
    v("z", steps[2], "In bytes.");
}

double ratio(std::uint64_t part, std::uint64_t whole) {
    return static_cast<double>(part) / static_cast<double>(whole);
}

/// The sums of one subject: the launch, or an array or a branch of it.
class SubjectCosts final {
  public:
    void add(const ProgramLine& line) {
        costs_.at(static_cast<std::size_t>(line.kind)).add(line);
        hasBranches_ = hasBranches_ || line.kind == AccessKind::branch;
        hasShared_ = hasShared_ || isShared(line.kind);
    }
    void setShared() { hasShared_ = true; }
    void setBranches() { hasBranches_ = true; }

    void appendTo(std::vector<Value>& values, const std::string& subject, Source source,
                  bool cacheLines) const {
        const bool whole = subject == "kernel";
        const auto add = [&](Metric metric, double number, Variant variant = Variant::none) {
            values.push_back({metric, subject, source, variant, number});
        };
        const auto count = [&](Metric metric, std::uint64_t number) {
            add(metric, static_cast<double>(number));
        };
        const auto missing = [&](Metric metric, const char* reason,
                                 Variant variant = Variant::none) {
            values.push_back({metric, subject, source, variant, Unavailable{reason}});
        };
        // An array says nothing of loads, or stores, that it has not.
        const auto oneWay = [&](const LineCost& cost, Metric requests, Metric sectors,
                                Variant variant, Variant ideal, const char* none) {
            if (cost.requests == 0 && !whole) return;
            count(requests, cost.requests);
            count(sectors, cost.sectors);
            if (cost.requests == 0) return missing(Metric::sectorsPerRequest, none, variant);
            add(Metric::sectorsPerRequest, ratio(cost.sectors, cost.requests), variant);
            add(Metric::sectorsPerRequest, ratio(cost.idealSectors, cost.requests), ideal);
            add(Metric::usedBytesPerRequest, ratio(cost.uniqueBytes, cost.requests), variant);
        };
        const LineCost& loads = of(AccessKind::load);
        const LineCost& stores = of(AccessKind::store);
        oneWay(loads, Metric::globalLoadRequests, Metric::globalLoadSectors, Variant::load,
               Variant::loadIdeal, "no global loads");
        oneWay(stores, Metric::globalStoreRequests, Metric::globalStoreSectors, Variant::store,
               Variant::storeIdeal, "no global stores");
        LineCost both = loads;
        both.add(stores);
        if (both.sectors != 0) {
            add(Metric::coalescingEfficiency,
                100 * ratio(both.uniqueBytes, both.sectors) / bytesPerSector);
            if (both.requestedBytes != 0)
                add(Metric::requestedBytesPerSector, ratio(both.requestedBytes, both.sectors));
        } else if (whole) {
            missing(Metric::coalescingEfficiency, "no global accesses");
        }
        if (cacheLines && loads.cacheLines != 0) count(Metric::globalLoadLines, loads.cacheLines);
        if (cacheLines && stores.cacheLines != 0)
            count(Metric::globalStoreLines, stores.cacheLines);
        if (whole || hasShared_) {
            LineCost shared = of(AccessKind::sharedLoad);
            shared.add(of(AccessKind::sharedStore));
            shared.add(of(AccessKind::sharedAtomic));
            count(Metric::sharedWavefronts, shared.wavefronts);
            count(Metric::bankConflicts, shared.wavefronts - shared.idealWavefronts);
            if (shared.requests == 0)
                missing(Metric::sharedWavefrontsPerRequest, "no shared-memory requests");
            else
                add(Metric::sharedWavefrontsPerRequest, ratio(shared.wavefronts, shared.requests));
        }
        if (whole || hasBranches_) {
            const LineCost& branch = of(AccessKind::branch);
            count(Metric::branches, branch.requests);
            count(Metric::divergentBranches, branch.divergent);
            if (branch.requests == 0)
                missing(Metric::branchEfficiency, "no branches");
            else
                add(Metric::branchEfficiency,
                    100 * ratio(branch.requests - branch.divergent, branch.requests));
        }
        LineCost atomics = of(AccessKind::atomic);
        atomics.add(of(AccessKind::sharedAtomic));
        if (atomics.requests == 0) return;
        count(Metric::atomicRequests, atomics.requests);
        count(Metric::atomicTurns, atomics.sameAddress);
    }

  private:
    [[nodiscard]] const LineCost& of(AccessKind kind) const {
        return costs_.at(static_cast<std::size_t>(kind));
    }

    std::array<LineCost, namesOf(AccessKind{}).size()> costs_;
    bool hasShared_ = false;
    bool hasBranches_ = false;
};

/// A kind as documents of programs have it.
enum class WrittenKind : std::uint8_t {
    load,
    store,
    atomic,
    sharedLoad,
    sharedStore,
    branch,
    constantLoad,
    localLoad,
    localStore
};
constexpr std::array<std::string_view, 9> namesOf(WrittenKind /*kind*/) {
    return {"load",   "store",         "atomic",     "shared_load", "shared_store",
            "branch", "constant_load", "local_load", "local_store"};
}
WrittenKind writtenAs(AccessKind kind) {
    if (kind == AccessKind::sharedAtomic) return WrittenKind::atomic;
    // What is behind the atomics of shared memory has one number less.
    return static_cast<WrittenKind>(static_cast<int>(kind) - (kind > AccessKind::sharedAtomic));
}

struct LaunchArgument final {
    std::string name;
    std::int64_t value = 0;
    friend bool operator==(const LaunchArgument&, const LaunchArgument&) = default;
};
void describe(Archive& v, LaunchArgument& argument) {
    v("name", argument.name, "Of the parameter.");
    v("value", argument.value, "What it was launched with.");
}

/// What a line of a built-in kernel's file does: of the numbers those that its kind has.
void describeKernelLine(Archive& v, ProgramLine& line) {
    const bool branch = line.kind == AccessKind::branch;
    const bool shared = isShared(line.kind);
    const bool global = isGlobal(line.kind);
    v("line", line.place.line, "From 1 in the kernel's text.");
    v("kind", line.kind, "What it does.");
    v("subject", line.array, "Name of the array or branch.");
    v.onlyIf(line.source != Source::predicted, "source", line.source,
             "Left out of what is predicted: `compiled`, of the compiler's optimised code.");
    v.onlyIf(branch, "branches", line.requests, "Times a warp came to it.");
    v.onlyIf(branch, "divergent_branches", line.divergent, "Times its lanes went different ways.");
    v.onlyIf(!branch, "requests", line.requests, "Warp-level requests.");
    v.onlyIf(shared, "wavefronts", line.wavefronts,
             "Wavefronts: passes in which shared memory serves them.");
    v.onlyIf(global, "sectors", line.sectors,
             "Distinct 32-byte sectors, summed over the requests.");
    v.onlyIf(global && !isAtomic(line.kind), "ideal_sectors", line.idealSectors,
             "The fewest that could carry the same bytes.");
    v.onlyIf(isAtomic(line.kind), "turns", line.sameAddress,
             "Of atomics: lanes at the address that most of a request share, summed over the "
             "requests.");
}

}  // namespace

void describePlace(Archive& v, SourcePlace& place) {
    v("file", place.file, "The file, as it was named or included.");
    v("line", place.line, "Of it, from 1; 0 where none is known.");
    v("column", place.column, "From 1; 0 where none is known.");
}

std::string_view nameOf(AccessKind kind) {
    return toString(writtenAs(kind));
}

void describeKind(Archive& v, AccessKind& kind) {
    WrittenKind written = writtenAs(kind);
    v("kind", written, "What it does.");
    if (!v.reads()) return;
    kind = static_cast<AccessKind>(static_cast<int>(written) + (written >= WrittenKind::branch));
}

void describe(Archive& v, ProgramLine& line) {
    v.type("program_line", "What one place of the source does in all its executions.");
    describePlace(v, line.place);
    describeKind(v, line.kind);
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
    const bool branches = line.kind == AccessKind::branch;
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
    v.onlyIf(shared, "wavefronts", line.wavefronts,
             "Passes in which shared or constant memory serves them.");
    v.onlyIf(shared, "ideal_wavefronts", line.idealWavefronts, "The fewest there could be.");
    v.onlyIf(isAtomic(line.kind), "turns", line.sameAddress,
             "Of an atomic: lanes at the address that most of a request share, one after the "
             "other, summed over the requests.");
    std::uint64_t idealTurns = line.requests;
    v.onlyIf(isAtomic(line.kind), "ideal_turns", idealTurns,
             "The fewest there could be: one a request.");
    v.onlyIf(isAtomic(line.kind), "most_same_address", line.mostSameAddress,
             "Of an atomic: most lanes of one request at one address, one after the other; 1 where "
             "the machine counts lanes together.");
    v.optional("joined", line.isJoined,
               "Of an atomic of integers, at one address for all threads of a block: the "
               "assembler lets one lane of a warp do it for all; or of an atomic in shared memory "
               "that adds 1 and needs no result: lanes at one address are counted together.");
    v.optional(
        "at_once", line.atOnce,
        "Of loads from shared memory, or stores to it: how many, side by side, the assembler may "
        "make one request of 8 or 16 bytes a lane, as the compiled code shows. Such are not "
        "counted.");
    v.optional("tries_again", line.triesAgain,
               "Of an atomic in shared memory for which machine code has no instruction, as a sum "
               "of floats: it compares and swaps until no other came between.");
    v("address", line.address, "How its addresses come about; left out where they follow no rule.");
    v.optional("addresses", line.addresses,
               "Where several accesses to the array there each have addresses of their own: how "
               "many. `address` is then of the one that costs most.");
    v.optional("nth", line.nth,
               "Of a place with several branches, as of an `if` with a loop on its line, of which "
               "some diverge and some do not: the first of these, from 1 in the code's order.");
    v("diverging_lanes", line.lanes, "Of a branch that diverges: which lanes go together.");
    v.optional("guard", line.isGuard,
               "Of a branch that diverges: it only keeps threads out, at an edge or by a rank.");
    v.optional("no_else", line.hasNoElse,
               "Of a branch that diverges: lanes that do not go in have nothing to run meanwhile.");
    v.optional("reason", line.reason,
               "Where it costs more than need be: why, in the source's own words.");
    v.optional("decided_by", line.decidedBy,
               "What decides that, where it is not how the line is written.");
    if (v.reads() && line.kind == AccessKind::atomic && line.sectors == 0) {
        line.kind = AccessKind::sharedAtomic;
    }
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

void describe(Archive& v, LaunchReport& launch) {
    v("index", launch.index, "From 0, in order of launching.");
    v("kernel", launch.kernel, "Name of the kernel as in the source.");
    v("instance", launch.instance, "The same with template arguments.");
    describePlace(v, launch.place);
    v("launch", launch.launch, "The execution configuration.");
    std::vector<LaunchArgument> arguments;
    for (const auto& [name, value] : launch.arguments.entries()) arguments.push_back({name, value});
    v.optional("arguments", arguments,
               "The kernel's arguments that are whole numbers, as far as they are known.");
    if (v.reads()) {
        launch.arguments = {};
        for (const LaunchArgument& each : arguments) launch.arguments.set(each.name, each.value);
    }
    v("overridden", launch.overridden, "Whether grid and block were set from outside.");
    v.onlyIf(launch.overridden, "programs_launch", launch.own,
             "The program's own, where grid and block were set from outside.");
    v("traced", launch.traced, "Whether its lines were traced.");
    v("exact", launch.exact, "Whether every block was, by what is predicted.");
    v("blocks_traced", launch.blocksTraced, "Blocks traced.");
    v("blocks", launch.blocks, "Blocks of the grid.");
    v.optional("bounds", launch.bounds, "Of a sample: how far off each total may be.");
    v("compiled", launch.compiled,
      "The same of the compiler's optimised code, where that was run, too.");
    v.optional("barriers", launch.barriers,
               "How often all threads of a block meet, as by __syncthreads(), in the one in which "
               "they do most.");
    v("lane_accesses", launch.laneAccesses, "Accesses of single lanes that were traced.");
    v("seconds", launch.seconds, "How long that took, in seconds.", {.least = 0});
    v("values", launch.values, "Every number, and every one that is missing.");
    v("lines", launch.lines, "By place.");
}

void describe(Archive& v, Prediction& prediction) {
    LaunchReport& report = prediction.report;
    Experiment experiment = report.experiment();
    describe(v, experiment);
    v("exact", report.exact,
      "Whether the totals are those of tracing every block; else they are of a sample.");
    v("blocks_traced", report.blocksTraced, "Blocks traced, wholly or in part.");
    v("blocks", report.blocks, "Blocks of the grid.");
    v.optional("kinds", report.kinds,
               "Kinds of block, one of each traced and counted as often as it occurs; absent where "
               "every block was traced, or a sample.");
    v.onlyIf(!report.exact, "error_percent", report.errorPercent,
             "Where not exact: how far off totals are at most, 95 times out of 100, by what the "
             "sample's blocks differ.",
             {.least = 0});
    v("seconds", report.seconds, "How long tracing took, in seconds.", {.least = 0});
    v("compiled", report.compiled, "How the numbers of the compiled code were counted.");
    describeVersion(v);
    v("values", report.values, "Every number, and every one that is missing.");
    v.each("lines", report.lines, "By line.",
           [&](ProgramLine& line) { describeKernelLine(v, line); });
}

std::vector<ProgramLine> linesBy(const LaunchReport& launch, Source source) {
    std::vector<ProgramLine> lines;
    std::ranges::copy_if(launch.lines, std::back_inserter(lines),
                         [&](const ProgramLine& line) { return line.source == source; });
    return lines;
}

bool hasCompiled(const LaunchReport& launch) {
    return std::ranges::any_of(
        launch.lines, [](const ProgramLine& line) { return line.source == Source::compiled; });
}

std::string howPredicted(const LaunchReport& launch) {
    const std::string blocks = counted(launch.blocks, "block");
    const std::string traced = groupedDigits(launch.blocksTraced) + " of " + blocks + " traced";
    if (!launch.exact) {
        const std::string sample = "a sample, " + traced + ": ";
        double worst = launch.errorPercent;
        for (const SampleBound& bound : launch.bounds) worst = std::max(worst, bound.percent);
        if (worst == 0) return sample + "these do all the same";
        return sample + "within " + formatNumber(worst, Unit::percent) +
               " 95 times out of 100, where no other block does much more";
    }
    if (launch.kinds == 0) {
        return launch.blocks == 1 ? "exact: the block traced" : "exact: all " + blocks + " traced";
    }
    return "exact: " + counted(launch.kinds, "kind") + " of block, " + traced;
}

std::vector<Value> valuesOf(const std::vector<ProgramLine>& lines, const Kernel* kernel,
                            Source source) {
    struct Subjects final {
        SubjectCosts kernel;
        std::vector<std::pair<std::string, SubjectCosts>> parts;

        SubjectCosts& of(const std::string& name) {
            const auto found = std::ranges::find(
                parts, name, [](const auto& part) -> auto& { return part.first; });
            return found != parts.end() ? found->second
                                        : parts.emplace_back(name, SubjectCosts()).second;
        }
    };
    std::map<Source, Subjects> sources;
    if (lines.empty() || kernel != nullptr) {
        Subjects& subjects = sources[source];
        if (kernel != nullptr) {
            for (const KernelArray& array : kernel->arrays) subjects.of(array.name);
            for (const KernelShared& array : kernel->shared) subjects.of(array.name).setShared();
            for (const KernelBranch& branch : kernel->branches)
                subjects.of(branch.name).setBranches();
        }
    }
    for (const ProgramLine& line : lines) {
        Subjects& of = sources[line.source];
        of.kernel.add(line);
        if (!line.array.empty()) of.of(line.array).add(line);
    }
    std::vector<Value> values;
    for (auto& [from, of] : sources) {
        if (kernel == nullptr)
            std::ranges::sort(of.parts, {}, [](const auto& part) { return part.first; });
        // Documents of scenarios do not tell lines of 128 bytes.
        const bool cacheLines = kernel == nullptr;
        of.kernel.appendTo(values, "kernel", from, cacheLines);
        for (const auto& [name, costs] : of.parts) costs.appendTo(values, name, from, cacheLines);
    }
    return values;
}

void describe(Archive& v, AddressFormula& formula) {
    v.type("address_formula",
           "How the addresses of a place's accesses come about: bytes from the array's first one, "
           "as found in the accesses of the blocks at the corners of the grid.");
    v("start", formula.start, "Of thread and block (0, 0, 0) in the first pass of all loops.");
    v.object("thread", "Added for a step of threadIdx.", [&] { describeSteps(v, formula.thread); });
    v("of_lanes", formula.ofLanes,
      "True: thread.x is for a step of the lane in its warp, thread.y of the warp in its block.");
    v.object("block", "Added for a step of blockIdx.", [&] { describeSteps(v, formula.block); });
    v.each("loops", formula.loops, "What loops around it add, the innermost first.",
           [&](AddressFormula::Loop& loop) {
               v("bytes", loop.bytes, "From one pass to the next.");
               v("passes", loop.passes, "How many there are; 0 of the outermost.");
           });
    v.optional("thread_x_each_pass", formula.eachPass,
               "Only where it differs from pass to pass: thread.x in each of the first ones.");
    v.optional("ends_early", formula.endsEarly, "Passes after these follow none.");
    v.optional("clamped", formula.isClamped,
               "Accesses that would be beyond the lowest or the highest address are at that one.");
    v.optional("of_request", formula.isOfRequest,
               "Only lanes that access at once follow it, from a start that may be any.");
    v.optional("sparse", formula.isSparse,
               "What it takes too much is of what lies between its lanes, wherever they begin.");
    v("element_bytes", formula.elementBytes, "Of what a lane accesses.", {.least = 1});
}

void describe(Archive& v, DivergingLanes& lanes) {
    v.type("diverging_lanes", "Which lanes of a warp go one way where others go another one.");
    v("bit", lanes.bit, "Of the lane index: those go together that have the same one.",
      {.most = 4});
    v("first", lanes.first,
      "So many lanes, from lane 0, go together, and the others; 0 where it is not always as many.",
      {.most = 32});
    v("every", lanes.every,
      "Those whose index is a multiple of it go together, and the others; 0 where it is another "
      "power of two each time.",
      {.most = 32});
    v.optional("single", lanes.single, "Each time one lane goes another way than the others.");
    v.optional("one_way", lanes.oneWay,
               "Where they are the same lanes each time, those that go one way, bit by bit.");
    v.optional("other_way", lanes.otherWay, "And those that go the other.");
    v.optional("ways", lanes.ways,
               "Of several branches in one place, each within the one before: the lanes of each "
               "way, bit by bit.");
}

}  // namespace warplens
