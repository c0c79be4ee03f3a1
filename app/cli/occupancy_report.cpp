#include "app/cli/occupancy_report.h"

#include <optional>
#include <vector>

#include "app/cli/documentation/schemas.h"
#include "app/cli/output.h"
#include "core/json/archive.h"
#include "core/measurement/value_text.h"
#include "core/text/format.h"

namespace warplens {
namespace {

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

std::string refusalsInWords(const std::vector<LimitViolation>& refusals) {
    return "cannot be launched: " + toString(refusals);
}

/// What would be true if the other source were right.
std::string doubtAbout(const SmLimits& limits, const BlockDemand& block) {
    if (!limits.unsettled) return "";
    std::string text = "Unsettled: " + std::string(limits.unsettled->words);
    const Occupancy ours = occupancyOf(limits, block);
    const Occupancy theirs = occupancyOf(asTheOtherSourceSays(limits), block);
    if (ours.residentBlocks == theirs.residentBlocks) return text + "; same answer with either\n";
    return text + "; with " + std::to_string(limits.unsettled->otherValue) + ": " +
           counted(theirs.residentBlocks, "block") + " would be resident\n";
}

/// What an SM of one compute capability holds.
struct SmReport final {
    ComputeCapability capability;
    Occupancy occupancy;
    std::vector<LimitViolation> refused;
    bool needsOptIn = false;
    std::string source;
    std::optional<std::string> unsettled{};
    std::uint32_t unsettledBlocks = 0;  ///< resident if the other source is right
};

struct OccupancyReport final {
    OccupancyQuestion question;
    std::vector<SmReport> capabilities;
};

void describe(Archive& v, SmReport& report) {
    const Occupancy& occupancy = report.occupancy;
    v.derived("compute_capability", toString(report.capability), "As in 9.0.", capabilityText);
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
    v("source", report.source, "Where the limits are printed.");
    v.object("unsettled", report.unsettled, "Where sources differ.", [&](std::string& words) {
        v("words", words, "On what.");
        v("resident_blocks", report.unsettledBlocks,
          "Blocks at once if the other source is right.");
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

SmReport reportOn(const SmLimits& limits, const BlockDemand& block) {
    SmReport report{.capability = limits.capability,
                    .occupancy = occupancyOf(limits, block),
                    .refused = refusalsOf(limits, block),
                    .needsOptIn = needsOptIn(limits, block),
                    .source = std::string(limits.source)};
    if (limits.unsettled) {
        report.unsettled = limits.unsettled->words;
        report.unsettledBlocks = occupancyOf(asTheOtherSourceSays(limits), block).residentBlocks;
    }
    return report;
}

}  // namespace

std::string reportOf(const OccupancyQuestion& question, const SmLimits& limits) {
    const BlockDemand& block = question.demand.block;
    const Occupancy occupancy = occupancyOf(limits, block);
    std::string text = demandInWords(question) + "One SM of compute capability " +
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
    if (question.gridBlocks != 0) {
        text += "The whole grid, " + counted(question.gridBlocks, "block") + ", is resident on " +
                counted(occupancy.multiprocessorsFor(question.gridBlocks), "such SM") + '\n';
    }
    if (needsOptIn(limits, block)) {
        text += "More than " + formatBytes(limits.sharedBytesPerBlock) +
                " of shared memory: the program must ask for it with cudaFuncSetAttribute\n";
    }
    return text + doubtAbout(limits, block) + "Source: " + std::string(limits.source) + '\n';
}

TextRows rowsOf(const OccupancyQuestion& question, std::span<const SmLimits> limits) {
    TextRows rows{{"capability", "blocks", "warps", "occupancy", "limited by"}};
    for (const SmLimits& row : limits) {
        const Occupancy occupancy = occupancyOf(row, question.demand.block);
        const std::vector<LimitViolation> refusals = refusalsOf(row, question.demand.block);
        rows.push_back({toString(row.capability), std::to_string(occupancy.residentBlocks),
                        std::to_string(occupancy.residentWarps()) + " of " +
                            std::to_string(occupancy.warpSlots),
                        outcomeOf(occupancy),
                        refusals.empty() ? limitersOf(occupancy) : refusalsInWords(refusals)});
    }
    return rows;
}

std::string tableOf(const OccupancyQuestion& question, std::span<const SmLimits> limits) {
    const BlockDemand& block = question.demand.block;
    std::string doubts;
    for (const SmLimits& row : limits) {
        if (row.unsettled && occupancyOf(asTheOtherSourceSays(row), block).residentBlocks !=
                                 occupancyOf(row, block).residentBlocks) {
            doubts += toString(row.capability) + ": " + doubtAbout(row, block);
        }
    }
    return demandInWords(question) + toTable(rowsOf(question, limits)) + doubts;
}

void printJson(const OccupancyQuestion& question, std::span<const SmLimits> limits) {
    OccupancyReport report{question, {}};
    for (const SmLimits& row : limits) {
        report.capabilities.push_back(reportOn(row, question.demand.block));
    }
    printDocument(Document::occupancy, report);
}

std::string occupancySchema() {
    return schemaFor<OccupancyReport>(Document::occupancy);
}

}  // namespace warplens
