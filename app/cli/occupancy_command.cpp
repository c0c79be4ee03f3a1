#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>

#include "app/cli/occupancy_report.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/subcommand.h"
#include "app/cli/value_report.h"

namespace warplens {
namespace {

constexpr Extents assumedBlock{256};

struct OccupancyOptions final {
    ExperimentOptions experiment;
    std::optional<std::string> recordings;
    std::optional<std::string> registers;
    std::optional<std::string> shared;
    std::optional<std::string> carveout;
    std::optional<std::string> capability;
    bool json = false;
};

/// A whole number up to `most`, or a breach. Limits of the device are `refusalsOf`'s to name.
std::optional<std::uint64_t> readNumber(const char* name, const std::optional<std::string>& text,
                                        std::uint64_t most, std::vector<Breach>& breaches) {
    if (!text) return std::nullopt;
    std::uint64_t value = 0;
    const char* const end = text->data() + text->size();
    const auto [next, error] = std::from_chars(text->data(), end, value);
    if (error == std::errc{} && next == end && value <= most) return value;
    breaches.push_back(
        {name, "'" + *text + "'", "a whole number from 0 to " + std::to_string(most)});
    return std::nullopt;
}

/// A block of no kernel: threads alone.
OccupancyQuestion questionAbout(Extents block) {
    return {.title = "",
            .block = block,
            .demand = {.block = {.threads = block.count(), .registersPerThread = assumedRegisters},
                       .registersFrom = "assumed",
                       .sharedFrom = "none asked for"}};
}

OccupancyQuestion questionFrom(const OccupancyOptions& options, const LaunchLimits& limits) {
    if (!options.experiment.scenario.empty()) {
        const Experiment experiment = runnableExperimentFrom(options.experiment);
        const RecordingLibrary library = libraryFrom(options.recordings);
        std::vector<const Measurement*> measurements;
        for (const Recording& recording : library.recordings) {
            measurements.push_back(&recording.measurement);
        }
        return {.title = titleOf(experiment),
                .block = experiment.launch.block,
                .demand = demandOf(experiment, tellingResources(experiment, measurements)),
                .gridBlocks = experiment.launch.grid.count()};
    }
    std::vector<Breach> breaches;
    if (options.experiment.grid || !options.experiment.set.empty()) {
        breaches.push_back({"SCENARIO", "none", "needed with --grid and --set"});
    }
    Extents block = assumedBlock;
    if (options.experiment.block) {
        auto parsed = parseExtents("block", *options.experiment.block);
        if (const Extents* extents = std::get_if<Extents>(&parsed)) {
            block = *extents;
            for (Breach& breach : validate({.grid = {}, .block = block}, limits)) {
                breaches.push_back(std::move(breach));
            }
        } else {
            breaches.push_back(std::get<Breach>(std::move(parsed)));
        }
    }
    if (!breaches.empty()) throw InvalidRequest(std::move(breaches));
    return questionAbout(block);
}

void applyTo(BlockDemand& block, StatedDemand& stated, const OccupancyOptions& options,
             const SmLimits* limits) {
    std::vector<Breach> breaches;
    if (const auto registers = readNumber("registers", options.registers, 65536, breaches)) {
        block.registersPerThread = static_cast<std::uint32_t>(*registers);
        stated.registersFrom = "as asked";
    }
    if (const auto shared = readNumber("shared", options.shared, UINT32_MAX, breaches)) {
        block.staticSharedBytes = 0;
        block.dynamicSharedBytes = *shared;
        stated.sharedFrom = "as asked";
    }
    if (const auto percent = readNumber("carveout", options.carveout, 100, breaches)) {
        block.carveoutPercent = static_cast<std::uint32_t>(*percent);
        if (limits != nullptr && limits->sharedSizes.empty()) {
            breaches.push_back(
                {"carveout", *options.carveout,
                 "only from compute capability 7.0 on, not on " + toString(limits->capability)});
        }
    }
    if (!breaches.empty()) throw InvalidRequest(std::move(breaches));
}

ExitCode run(const OccupancyOptions& options) {
    const SmLimits* const limits =
        options.capability ? &smLimitsNamed(*options.capability) : nullptr;
    OccupancyQuestion question =
        questionFrom(options, limits != nullptr ? launchLimitsOf(*limits) : LaunchLimits{});
    applyTo(question.demand.block, question.demand, options, limits);
    if (limits != nullptr) {
        std::vector<Breach> refusals = refusalsOf(*limits, question.demand.block);
        if (!refusals.empty()) throw InvalidRequest(std::move(refusals));
    }
    const std::span<const SmLimits> asked =
        limits != nullptr ? std::span(limits, 1) : allSmLimits();
    if (options.json) {
        printDocument(Document::occupancy, toJson(question, asked));
    } else {
        print(limits != nullptr ? reportOf(question, *limits) : tableOf(question, asked));
    }
    return ExitCode::done;
}

}  // namespace

Subcommand addOccupancyCommand(CLI::App& program) {
    const auto options = std::make_shared<OccupancyOptions>();
    CLI::App* parser = program.add_subcommand(
        "occupancy", "how many blocks an SM holds at once, and what keeps it from more");
    addExperimentOptions(*parser, options->experiment);
    addRecordingsOption(*parser, options->recordings);
    const auto into = [](std::optional<std::string>& target) {
        return [&target](const std::string& text) { target = text; };
    };
    parser->add_option_function<std::string>(
        "--registers", into(options->registers),
        "registers of each thread; left out: as recorded of the "
        "scenario, or else 32 is assumed");
    parser->add_option_function<std::string>(
        "--shared", into(options->shared),
        "bytes of shared memory of each block, static and dynamic together");
    parser->add_option_function<std::string>(
        "--carveout", into(options->carveout),
        "percent of the SM's shared memory to keep as such, the rest being L1");
    parser->add_option_function<std::string>("--cc", into(options->capability),
                                             "compute capability, as in 9.0; left out: all");
    addJsonFlag(*parser, options->json);
    return {parser, [options] { return run(*options); }};
}

}  // namespace warplens
