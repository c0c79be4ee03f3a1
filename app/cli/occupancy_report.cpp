#include "app/cli/occupancy_report.h"

#include <array>
#include <nlohmann/json.hpp>
#include <vector>

#include "app/cli/output.h"
#include "app/cli/text_table.h"
#include "core/measurement/value_text.h"
#include "core/text/format.h"

namespace warplens {
namespace {

using Json = nlohmann::ordered_json;

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

Json treeOf(const Occupancy& occupancy) {
    Json object{{"resident_blocks", occupancy.residentBlocks},
                {"resident_warps", occupancy.residentWarps()},
                {"warp_slots", occupancy.warpSlots},
                {"occupancy_percent", occupancy.percent()}};
    object["limited_by"] = Json::array();
    constexpr std::array<const char*, smResources.size()> names{"blocks", "warps", "registers",
                                                                "shared_bytes"};
    for (const SmResource resource : smResources) {
        const ResourceUse& use = occupancy.use(resource);
        const char* name = names[static_cast<std::size_t>(resource)];
        if (occupancy.residentBlocks != 0 && occupancy.isLimitedBy(resource)) {
            object["limited_by"].push_back(name);
        }
        object["resources"][name] = {{"per_block", use.perBlock},
                                     {"available", use.available},
                                     {"blocks", use.blocks ? Json(*use.blocks) : Json()}};
    }
    return object;
}

Json treeOf(const SmLimits& limits, const BlockDemand& block) {
    Json object{{"compute_capability", toString(limits.capability)}};
    object.update(treeOf(occupancyOf(limits, block)));
    object["refused"] = Json::array();
    for (const LimitViolation& refusal : refusalsOf(limits, block)) {
        object["refused"].push_back(
            {{"name", refusal.name}, {"value", refusal.value}, {"limit", refusal.limit}});
    }
    object["needs_opt_in"] = needsOptIn(limits, block);
    object["source"] = limits.source;
    if (limits.unsettled) {
        object["unsettled"] = {
            {"words", limits.unsettled->words},
            {"resident_blocks", occupancyOf(asTheOtherSourceSays(limits), block).residentBlocks}};
    }
    return object;
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

std::string toJson(const OccupancyQuestion& question, std::span<const SmLimits> limits) {
    const StatedDemand& demand = question.demand;
    Json object;
    object["block"] = {question.block.x, question.block.y, question.block.z};
    object["grid_blocks"] = question.gridBlocks != 0 ? Json(question.gridBlocks) : Json();
    object["registers_per_thread"] = demand.block.registersPerThread;
    object["registers_from"] = demand.registersFrom;
    if (!demand.unknown.empty()) object["registers_assumed_because"] = demand.unknown;
    object["static_shared_bytes"] = demand.block.staticSharedBytes;
    object["dynamic_shared_bytes"] = demand.block.dynamicSharedBytes;
    object["shared_from"] = demand.sharedFrom;
    object["carveout_percent"] =
        demand.block.carveoutPercent ? Json(*demand.block.carveoutPercent) : Json();
    object["capabilities"] = Json::array();
    for (const SmLimits& row : limits) object["capabilities"].push_back(treeOf(row, demand.block));
    return objectText(object);
}

}  // namespace warplens
