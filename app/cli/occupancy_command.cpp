#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/program_launch.h"
#include "app/cli/program_options.h"
#include "app/cli/report.h"
#include "app/cli/subcommand.h"
#include "app/figure/subject.h"
#include "core/json/archive.h"
#include "core/launch/launch.h"
#include "core/measurement/measurement.h"
#include "core/text/format.h"
#include "kernels/device/measure_request.h"
#include "kernels/library/prepared_launch.h"
#include "kernels/programs/cuda_compiler.h"

/// Occupancy as text for people and as JSON.
namespace warplens {
namespace {

/// A kernel's blocks, asked about on SMs of one or many compute capabilities.
struct OccupancyQuestion final {
    std::string title;  ///< the scenario with its launch; empty for a block of no kernel
    Extents block;
    StatedDemand demand;
    std::uint64_t gridBlocks = 0;  ///< 0: no grid
};

std::string amount(SmResource resource, std::uint64_t value) {
    return resource == SmResource::sharedMemory ? formatBytes(value) : groupedDigits(value);
}

/// `256 threads (8 warps), 32 registers a thread (assumed), ...`.
std::string demandInWords(const OccupancyQuestion& question) {
    const BlockDemand& block = question.demand.block;
    std::string text = question.title.empty() ? "" : question.title + '\n';
    const bool flat = question.block.x == block.threads;
    text += "Block of " + (flat ? "" : toString(question.block) + " = ") +
            counted(block.threads, "thread") + ", " + counted(block.warps(), "warp") + '\n';
    text += "  registers per thread     " + std::to_string(block.registersPerThread) + "  (" +
            question.demand.registersFrom + ")\n";
    text += "  shared memory per block  " + formatBytes(block.sharedBytes()) + "  (" +
            question.demand.sharedFrom + ")\n";
    if (block.carveoutPercent) {
        text += "  carve-out asked for      " + std::to_string(*block.carveoutPercent) + " %\n";
    }
    if (!question.demand.unknown.empty()) {
        text += "Registers are assumed: " + question.demand.unknown + '\n';
    }
    return text + '\n';
}

/// One character for each warp slot, a letter for each block, `.` for a free slot.
std::string slotsOf(const Occupancy& occupancy) {
    constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    std::string text;
    for (std::uint32_t block = 0; block < occupancy.residentBlocks; ++block) {
        text += std::string(occupancy.warpsPerBlock(), letters[block % letters.size()]);
    }
    return text + std::string(occupancy.warpSlots - occupancy.residentWarps(), '.');
}

std::string outcomeOf(const Occupancy& occupancy) {
    return formatNumber(occupancy.percent(), Unit::percent);
}

std::string resourceTable(const Occupancy& occupancy) {
    std::vector<std::vector<std::string>> rows{{"", "one block", "SM has", "room for"}};
    for (const SmResource resource : smResources) {
        const ResourceUse& use = occupancy.use(resource);
        const bool limits = occupancy.residentBlocks != 0 && occupancy.isLimitedBy(resource);
        rows.push_back({std::string(toString(resource)), amount(resource, use.perBlock),
                        amount(resource, use.available),
                        (use.blocks ? counted(*use.blocks, "block") : "any number of blocks") +
                            (limits ? "  <- limits" : "")});
    }
    return toTable(rows, "  ");
}

/// What an SM of one compute capability holds.
struct SmReport final {
    const SmLimits* limits = &allSmLimits().front();
    Occupancy occupancy;
    std::vector<LimitViolation> refused;
    bool needsOptIn = false;
    std::optional<std::uint32_t> otherBlocks{};  ///< resident if the other source is right
};

struct OccupancyReport final {
    OccupancyQuestion question;
    std::vector<SmReport> capabilities;
};

void describe(Archive& v, SmReport& report) {
    const Occupancy& occupancy = report.occupancy;
    v.derived("compute_capability", toString(report.limits->capability), "As in 9.0.",
              capabilityText);
    v.derived("resident_blocks", occupancy.residentBlocks, "Blocks at once.");
    v.derived("resident_warps", occupancy.residentWarps(), "Warps at once.");
    v.derived("warp_slots", occupancy.warpSlots, "Warps it has room for.");
    v.derived("occupancy_percent", occupancy.percent(), "Resident warps of those, in percent.",
              {.least = 0, .most = 100});
    std::vector<SmResource> limiting;
    for (const SmResource resource : smResources) {
        if (occupancy.residentBlocks != 0 && occupancy.isLimitedBy(resource)) {
            limiting.push_back(resource);
        }
    }
    v.derived("limited_by", limiting, "What keeps it from more.");
    v.object("resources", "Each resource.", [&] {
        for (const SmResource resource : smResources) {
            const std::string_view name = namesOf(resource)[static_cast<std::size_t>(resource)];
            v.object(name.data(), "One resource of an SM.", [&] {
                ResourceUse use = occupancy.use(resource);
                v("per_block", use.perBlock, "What a block takes.");
                v("available", use.available, "What the SM has.");
                v.nullable("blocks", use.blocks,
                           "Blocks that fit by this alone; null: any number.");
            });
        }
    });
    v("refused", report.refused, "Limits that such a block breaks: it cannot be launched.");
    v("needs_opt_in", report.needsOptIn, "Whether the program must ask for so much shared memory.");
    v.derived("source", std::string(report.limits->source), "Where the limits are printed.");
    v.object("unsettled", report.otherBlocks, "Where sources differ.", [&](std::uint32_t& blocks) {
        const auto& unsettled = report.limits->unsettled;
        v.derived("words", std::string(unsettled ? unsettled->words : ""), "On what.");
        v("resident_blocks", blocks, "Blocks at once if the other source is right.");
    });
}

void describe(Archive& v, OccupancyReport& report) {
    OccupancyQuestion& question = report.question;
    BlockDemand& block = question.demand.block;
    describeVersion(v);
    v("block", question.block, "Threads of the block along x, y and z.");
    std::optional<std::uint64_t> gridBlocks;
    if (question.gridBlocks != 0) gridBlocks = question.gridBlocks;
    v.nullable("grid_blocks", gridBlocks, "Blocks of the grid; null where no launch was named.");
    v("registers_per_thread", block.registersPerThread, "Registers of each thread.");
    v("registers_from", question.demand.registersFrom, "Who says so.");
    v.optional("registers_assumed_because", question.demand.unknown,
               "Why no compiler was asked, or said nothing; left out where registers are not "
               "assumed.");
    v("static_shared_bytes", block.staticSharedBytes, "Static shared memory of a block, in bytes.");
    v("dynamic_shared_bytes", block.dynamicSharedBytes,
      "Dynamic shared memory of a block, in bytes.");
    v("shared_from", question.demand.sharedFrom, "Who says so.");
    v.nullable("carveout_percent", block.carveoutPercent,
               "Share of the SM's memory asked for as shared memory, in percent; null: the "
               "driver's choice.",
               {.most = 100});
    v("capabilities", report.capabilities, "One for each compute capability asked about.");
}

OccupancyReport reportOn(const OccupancyQuestion& question, std::span<const SmLimits> asked) {
    OccupancyReport report{question, {}};
    const BlockDemand& block = question.demand.block;
    for (const SmLimits& limits : asked) {
        SmReport& sm = report.capabilities.emplace_back(
            SmReport{&limits, occupancyOf(limits, block), refusalsOf(limits, block),
                     needsOptIn(limits, block)});
        if (limits.unsettled)
            sm.otherBlocks = occupancyOf(asTheOtherSourceSays(limits), block).residentBlocks;
    }
    return report;
}

/// What would be true if the other source were right.
std::string doubtAbout(const SmReport& sm) {
    if (!sm.otherBlocks) return "";
    const UnsettledLimit& unsettled = *sm.limits->unsettled;
    const std::string text = "Unsettled: " + std::string(unsettled.words);
    if (sm.otherBlocks == sm.occupancy.residentBlocks) return text + "; same answer with either\n";
    return text + "; with " + std::to_string(unsettled.otherValue) + ": " +
           counted(*sm.otherBlocks, "block") + " would be resident\n";
}

/// The slots of the only SM, what each resource has room for, and what is unsettled about it. The
/// block must be one that can be launched there.
std::string textOfOne(const OccupancyReport& report) {
    const SmReport& sm = report.capabilities.front();
    const SmLimits& limits = *sm.limits;
    const Occupancy& occupancy = sm.occupancy;
    std::string text = demandInWords(report.question) + "One SM of compute capability " +
                       toString(limits.capability) + ": " +
                       counted(occupancy.residentBlocks, "block") + ", " +
                       std::to_string(occupancy.residentWarps()) + " of " +
                       std::to_string(occupancy.warpSlots) + " warps, " + outcomeOf(occupancy) +
                       " occupancy, limited by " + limitersOf(occupancy) + '\n';
    text += "  " + slotsOf(occupancy) + '\n' + resourceTable(occupancy);
    if (limits.sharedReservedPerBlock != 0) {
        text += "Of each block's shared memory the driver keeps " +
                formatBytes(limits.sharedReservedPerBlock) + '\n';
    }
    if (const std::uint64_t grid = report.question.gridBlocks; grid != 0) {
        text += "The whole grid, " + counted(grid, "block") + ", is resident on " +
                counted(occupancy.multiprocessorsFor(grid), "such SM") + '\n';
    }
    if (sm.needsOptIn) {
        text += "More than " + formatBytes(limits.sharedBytesPerBlock) +
                " of shared memory: the program must ask for it with cudaFuncSetAttribute\n";
    }
    return text + doubtAbout(sm) + "Source: " + std::string(limits.source) + '\n';
}

/// A heading, then a row for each of them.
TextRows rowsOf(const OccupancyReport& report) {
    TextRows rows{{"capability", "blocks", "warps", "occupancy", "limited by"}};
    for (const SmReport& sm : report.capabilities) {
        rows.push_back({toString(sm.limits->capability),
                        std::to_string(sm.occupancy.residentBlocks),
                        std::to_string(sm.occupancy.residentWarps()) + " of " +
                            std::to_string(sm.occupancy.warpSlots),
                        outcomeOf(sm.occupancy),
                        sm.refused.empty() ? limitersOf(sm.occupancy)
                                           : "cannot be launched: " + toString(sm.refused)});
    }
    return rows;
}

/// The same as text, with the block above and what is unsettled below.
std::string tableOf(const OccupancyReport& report) {
    std::string text = demandInWords(report.question) + toTable(rowsOf(report));
    for (const SmReport& sm : report.capabilities) {
        if (sm.otherBlocks && sm.otherBlocks != sm.occupancy.residentBlocks)
            text += toString(sm.limits->capability) + ": " + doubtAbout(sm);
    }
    return text;
}

constexpr Extents assumedBlock{256};

struct OccupancyOptions final {
    ExperimentOptions experiment;
    ProgramOptions program;
    std::string measured;  ///< of the program
    std::optional<std::string> recordings;
    std::optional<std::uint32_t> registers;
    std::optional<std::uint64_t> shared;
    std::optional<std::uint32_t> carveout;
    std::optional<std::string> capability;
    TableOptions table;
    bool json = false;
};

/// Whether it is of use what a kernel is compiled to.
bool asksCompiler(const OccupancyOptions& options) {
    return !options.registers || !options.shared;
}

std::string capabilityFor(const OccupancyOptions& options) {
    return options.capability.value_or(toString(assumedCapability));
}

/// Of a launch of a person's program: what it was compiled to where it was measured, else what
/// the compiler of this machine makes of it, or its trace tells.
OccupancyQuestion questionOfProgram(const OccupancyOptions& options) {
    const TraceRequest request = traceRequestFrom(options.experiment, options.program);
    const auto kept = measuredFrom(options.measured, request);
    const TracedProgram traced = tracedShowing(request);
    const ProgramTrace& trace = traced.trace;
    const LaunchReport& launch = launchSpokenOf(trace);
    const ProgramMeasurement* const measured = measurementIn(kept.get(), launch);
    const figure::Subject subject = figure::subjectOf(
        launch, trace.program, measured == nullptr ? stepsOf(request, launch) : nullptr, measured);
    const std::string compiled = measured == nullptr
                                     ? std::string()
                                     : "as compiled for " + measured->device.computeCapability +
                                           ", measured on " + measured->device.name;
    StatedDemand demand{.block = subject.demand.value(),
                        .registersFrom = compiled.empty() ? "assumed" : compiled,
                        .sharedFrom = compiled.empty() ? "what the traced block uses" : compiled};
    if (measured == nullptr && asksCompiler(options)) {
        demand.take(compiledResources(request, launch.instance, capabilityFor(options)));
    }
    return {.title = launch.kernel + ' ' + toLaunchSyntax(launch.launch),
            .block = launch.launch.block,
            .demand = std::move(demand),
            .gridBlocks = launch.launch.grid.count()};
}

/// A block of no kernel: threads alone.
OccupancyQuestion questionAbout(Extents block) {
    return {.title = "",
            .block = block,
            .demand = {.block = {.threads = block.count(), .registersPerThread = assumedRegisters},
                       .registersFrom = "assumed",
                       .sharedFrom = "none asked for"}};
}

OccupancyQuestion questionFrom(const OccupancyOptions& options, const LaunchLimits& limits,
                               std::vector<LimitViolation> violations) {
    if (isProgramPath(options.experiment.scenario)) {
        if (!violations.empty()) throw InvalidRequest(std::move(violations));
        return questionOfProgram(options);
    }
    if (!options.experiment.scenario.empty()) {
        const Experiment experiment = runnableExperimentFrom(options.experiment);
        StatedDemand demand =
            demandFrom(libraryFrom(options.recordings), experiment,
                       asksCompiler(options) ? capabilityFor(options) : std::string());
        return {.title = titleOf(experiment),
                .block = experiment.launch.block,
                .demand = std::move(demand),
                .gridBlocks = experiment.launch.grid.count()};
    }
    Extents block = assumedBlock;
    if (const auto typed = extentsFrom("block", options.experiment.block, violations)) {
        block = *typed;
        for (LimitViolation& violation : validate({.grid = {}, .block = block}, limits)) {
            violations.push_back(std::move(violation));
        }
    }
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    return questionAbout(block);
}

void applyTo(BlockDemand& block, StatedDemand& stated, const OccupancyOptions& options,
             const SmLimits* limits) {
    std::vector<LimitViolation> violations;
    if (options.registers) {
        block.registersPerThread = *options.registers;
        stated.registersFrom = "as asked";
        stated.unknown.clear();
    }
    if (options.shared) {
        block.staticSharedBytes = 0;
        block.dynamicSharedBytes = *options.shared;
        stated.sharedFrom = "as asked";
    }
    if (options.carveout) {
        block.carveoutPercent = *options.carveout;
        if (limits != nullptr && limits->sharedSizes.empty()) {
            violations.push_back(
                {"carveout", std::to_string(*options.carveout),
                 "only from compute capability 7.0 on, not on " + toString(limits->capability)});
        }
    }
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
}

/// All; of a program those that its compiler compiles for.
std::span<const SmLimits> limitsFor(const OccupancyOptions& options) {
    std::span<const SmLimits> all = allSmLimits();
    if (!isProgramPath(options.experiment.scenario)) return all;
    const auto compiler = programs::findCudaCompiler(options.program.compiler.value_or(""));
    const std::vector<int> known =
        compiler ? programs::capabilitiesOf(*compiler) : std::vector<int>();
    while (!known.empty() && all.size() > 1 &&
           std::cmp_less(10 * all.front().capability.major + all.front().capability.minor,
                         known.front()))
        all = all.subspan(1);
    return all;
}

ExitCode run(const OccupancyOptions& options, std::vector<LimitViolation> idle) {
    const SmLimits* const limits =
        options.capability ? &smLimitsNamed(*options.capability) : nullptr;
    OccupancyQuestion question = questionFrom(
        options, limits != nullptr ? launchLimitsOf(*limits) : LaunchLimits{}, std::move(idle));
    applyTo(question.demand.block, question.demand, options, limits);
    if (limits != nullptr) {
        std::vector<LimitViolation> refusals = refusalsOf(*limits, question.demand.block);
        if (!refusals.empty()) throw InvalidRequest(std::move(refusals));
    }
    const std::span<const SmLimits> asked =
        limits != nullptr ? std::span(limits, 1) : limitsFor(options);
    const OccupancyReport report = reportOn(question, asked);
    printResult(
        options.json, options.table, Document::occupancy, [&] { return report; },
        [&] { return rowsOf(report); },
        [&] { return limits != nullptr ? textOfOne(report) : tableOf(report); });
    return ExitCode::done;
}

}  // namespace

Subcommand addOccupancyCommand(CLI::App& program) {
    const auto options = std::make_shared<OccupancyOptions>();
    CLI::App* parser = program.add_subcommand(
        "occupancy", "how many blocks an SM holds at once, and what keeps it from more");
    addExperimentOptions(*parser, options->experiment);
    addRecordingsOption(*parser, options->recordings);
    addMeasuredOption(*parser, options->measured);
    addNumber(*parser, "--registers", options->registers, {.least = 0, .most = 65536},
              "registers of each thread; left out, as recorded of the scenario, or as it "
              "compiles here, or else 32 is assumed");
    addNumber(*parser, "--shared", options->shared,
              {.least = 0, .most = UINT32_MAX, .unit = "bytes"},
              "shared memory of each block, static and dynamic together; left out, the scenario's");
    addNumber(*parser, "--carveout", options->carveout,
              {.least = 0, .most = 100, .unit = "percent"},
              "share of the SM's memory to keep as shared memory, the rest being L1");
    addText(*parser, "--cc", options->capability, value::capability,
            "compute capability, as in 9.0; left out, all");
    addJsonFlag(*parser, options->json);
    addTableFlags(*parser, options->table);
    addProgramOptions(*parser, options->program);
    return {
        parser,
        [options, parser] {
            const auto answer = [&](std::vector<LimitViolation> idle) {
                if (options->experiment.scenario.empty()) {
                    refuseIdle(*parser, {"--grid", "--set", "--recordings"}, "with SCENARIO", idle);
                }
                return run(*options, std::move(idle));
            };
            return runSubject(*parser, options->experiment.scenario, options->program,
                              {.ofScenarios = {"--recordings"},
                               .scenario = [&] { return answer({}); },
                               .program = answer});
        },
        &options->program.arguments,
        {{Document::occupancy, schemaFor<OccupancyReport>}}};
}

}  // namespace warplens
