#include "tests/gpu/probe/probed_scenario.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "kernels/library/prepared_launch.h"
#include "tests/gpu/probe/probed_code.h"

namespace warplens {
namespace {

/// Whether a symbol is that of the array of this name: `tiles`, or within a function `_ZZ…E4tile`.
bool isSymbolOf(const std::string& symbol, const std::string& name) {
    return symbol == name || symbol.ends_with('E' + std::to_string(name.size()) + name);
}

ProbeTable probeTable(const ScenarioLaunch& launch, const ProbedCode& probed) {
    const std::vector<DeviceBuffer>& arrays = launch.arrays();
    const Kernel& kernel = launch.kernel();
    ProbeTable table;
    const auto place = [](std::size_t count, std::size_t most) {
        if (count > most) throw std::logic_error("more arrays than the probe has places for");
        return static_cast<std::uint32_t>(count);
    };
    table.arrayCount = place(arrays.size(), table.arrays.size());
    for (std::size_t i = 0; i < arrays.size(); ++i) {
        table.arrays[i] = {arrays[i].address(), arrays[i].address() + arrays[i].bytes()};
    }
    const library::SharedLayout layout = library::sharedLayoutOf(launch.experiment());
    table.partCount = place(kernel.shared.size(), table.parts.size());
    const std::vector<std::string>& symbols = probed.sharedSymbols();
    for (std::size_t i = 0; i < kernel.shared.size(); ++i) {
        const KernelShared& shared = kernel.shared[i];
        const std::string& name = shared.of.empty() ? shared.name : shared.of;
        const auto symbol = std::ranges::find_if(
            symbols, [&](const std::string& each) { return isSymbolOf(each, name); });
        // What the compiler has done away with nobody accesses.
        if (symbol == symbols.end()) continue;
        const auto from =
            static_cast<std::uint32_t>(layout.arrays[i].isStatic ? 0 : layout.arrays[i].from);
        table.parts[i] = {
            place(static_cast<std::size_t>(symbol - symbols.begin()), mostSharedSymbols - 1), from,
            from + static_cast<std::uint32_t>(layout.arrays[i].bytes)};
    }
    table.rowsPerSite = 1 + std::max(table.arrayCount, table.partCount);
    return table;
}

}  // namespace

ProbedScenario probeScenario(const ScenarioLaunch& launch) {
    const Kernel& kernel = launch.kernel();
    const LoadedKernel& loaded = launch.loaded();
    // One copy for blocks of any size: the bound holds the product of the three extents.
    static std::map<const LoadedKernel*, ProbedCode> kept;
    const ProbedCode& probed = kept.try_emplace(&loaded, loaded.compiled().ptx, loaded.symbol(),
                                                Extents{1024}, std::set{kernel.file})
                                   .first->second;
    const CUfunction function = probed.code().kernel(loaded.symbol());
    allowSharedMemory(function, launch.launch());
    const ProbeTable table = probeTable(launch, probed);
    const std::vector<SiteTally> rows = probed.count(table, [&] { launch.run(function); });
    const std::vector<KernelBranch>& branches = kernel.branches;
    ProbedScenario result{.lines = {},
                          .hasBranch = std::vector<bool>(branches.size()),
                          .splitsWarps = probed.splitsWarps()};
    for (std::size_t i = 0; i < probed.sites().size(); ++i) {
        const Site& site = probed.sites()[i];
        const SiteTally* const ofSite = &rows[i * table.rowsPerSite];
        const auto add = [&](AccessKind kind, const std::string& array, const LineCost& cost) {
            ProgramLine& line = result.lines.emplace_back(ProgramLine{cost});
            line.place = {site.file, site.line, site.column};
            line.kind = kind;
            line.array = array;
            line.source = Source::compiled;
        };
        if (site.kind == SiteKind::branch) {
            const auto named = std::ranges::find(branches, site.line, &KernelBranch::line);
            const LineCost cost{.requests = ofSite->requests, .divergent = ofSite->divergent};
            if (named == branches.end()) {
                result.unnamed.emplace_back(site, cost);
                continue;
            }
            result.hasBranch[static_cast<std::size_t>(named - branches.begin())] = true;
            add(AccessKind::branch, named->name, cost);
            continue;
        }
        for (std::size_t array = 0; array < kernel.arrays.size(); ++array) {
            const SiteTally& row = ofSite[1 + array];
            if (row.requests == 0) continue;
            add(accessKindOf(site.kind, false), kernel.arrays[array].name,
                {.requests = row.requests,
                 .activeLanes = row.lanes,
                 .sectors = row.sectors,
                 .idealSectors = row.uniqueSectors,
                 .uniqueBytes = row.uniqueBytes,
                 .requestedBytes = row.lanes * site.bytes,
                 .sameAddress = row.turns});
        }
        for (std::size_t array = 0; array < kernel.shared.size(); ++array) {
            const SiteTally& row = ofSite[1 + array];
            if (row.sharedRequests == 0) continue;
            add(accessKindOf(site.kind, true), kernel.shared[array].name,
                {.requests = row.sharedRequests,
                 .activeLanes = row.sharedLanes,
                 .wavefronts = row.wavefronts,
                 .idealWavefronts = row.idealWavefronts,
                 .sameAddress = row.turns});
        }
    }
    return result;
}

std::vector<Value> ProbedScenario::values(const Kernel& kernel) const {
    std::vector<Value> values = valuesOf(lines, &kernel, Source::compiled);
    for (Value& value : values) {
        const auto branch = std::ranges::find(kernel.branches, value.subject, &KernelBranch::name);
        if (branch != kernel.branches.end() &&
            !hasBranch[static_cast<std::size_t>(branch - kernel.branches.begin())]) {
            value.content = Unavailable{"the compiled code (PTX) has no branch there"};
        }
    }
    return values;
}

}  // namespace warplens
