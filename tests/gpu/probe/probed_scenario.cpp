#include "tests/gpu/probe/probed_scenario.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "kernels/library/shared_layout.h"
#include "tests/gpu/probe/probed_code.h"

namespace warplens {
namespace {

/// Whether a symbol is that of the array of this name: `tiles`, or within a function `_ZZ…E4tile`.
bool isSymbolOf(const std::string& symbol, const std::string& name) {
    return symbol == name || symbol.ends_with('E' + std::to_string(name.size()) + name);
}

/// Adds a site's row to that of its array.
void addAccess(AccessTally& to, const Site& site, const SiteTally& row) {
    to.requests += row.requests;
    to.sectors += row.sectors;
    to.idealSectors += row.uniqueSectors;
    to.uniqueBytes += row.uniqueBytes;
    to.requestedBytes += row.lanes * site.bytes;
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
    ProbedScenario result{.tally = LaunchTally(kernel),
                          .hasBranch = std::vector<bool>(branches.size()),
                          .splitsWarps = probed.splitsWarps()};
    for (std::size_t i = 0; i < probed.sites().size(); ++i) {
        const Site& site = probed.sites()[i];
        const SiteTally* const ofSite = &rows[i * table.rowsPerSite];
        if (site.kind == SiteKind::branch) {
            const auto named = std::ranges::find(branches, site.line, &KernelBranch::line);
            const BranchTally tally{ofSite->requests, ofSite->divergent};
            if (named == branches.end()) {
                result.unnamed.emplace_back(site, tally);
                continue;
            }
            const auto which = static_cast<std::size_t>(named - branches.begin());
            result.hasBranch[which] = true;
            result.tally.branches[which].add(tally);
            continue;
        }
        const bool atomic = site.kind == SiteKind::atomic;
        auto& ways = site.kind == SiteKind::load ? result.tally.loads : result.tally.stores;
        for (std::size_t array = 0; array < ways.size(); ++array) {
            const SiteTally& row = ofSite[1 + array];
            if (atomic) {
                result.tally.atomics[array].add(
                    AtomicTally{row.requests, row.requests == 0 ? 0 : row.turns, row.sectors});
            } else {
                addAccess(ways[array], site, row);
            }
        }
        for (std::size_t array = 0; array < result.tally.shared.size(); ++array) {
            const SiteTally& row = ofSite[1 + array];
            result.tally.shared[array].add(
                SharedTally{row.sharedRequests, row.wavefronts, row.idealWavefronts});
            if (atomic && row.sharedRequests != 0) {
                result.tally.sharedAtomics[array].add(
                    AtomicTally{row.sharedRequests, row.turns, 0});
            }
        }
    }
    return result;
}

std::vector<Value> ProbedScenario::values(const Kernel& kernel) const {
    std::vector<Value> values = valuesOf(tally, kernel, Source::compiled);
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
