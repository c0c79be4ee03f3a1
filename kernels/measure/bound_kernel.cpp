#include "kernels/measure/bound_kernel.h"

#include <algorithm>

#include "kernels/library/array_memory.h"
#include "kernels/library/prepared_launch.h"
#include "kernels/measure/device/device_kernels.h"
#include "kernels/measure/device/launched_kernel.h"
#include "kernels/measure/device/memory_limit.h"

namespace warplens {
namespace {

/// Whether a symbol is that of the array of this name: `tiles`, or within a function `_ZZ…E4tile`.
bool isSymbolOf(const std::string& symbol, const std::string& name) {
    return symbol == name || symbol.ends_with('E' + std::to_string(name.size()) + name);
}

}  // namespace

BoundKernel::BoundKernel(const Experiment& experiment, const Device& device)
    : experiment_(experiment),
      kernel_(kernelOf(experiment)),
      loaded_(loadedKernel(kernel_, experiment.arguments)) {
    allowSharedMemory(loaded_.plain(), experiment.launch);
    std::size_t free = 0;
    std::size_t total = 0;
    check(Driver::open().memGetInfo(&free, &total), "cuMemGetInfo");
    requireMemory(experiment, free, device.name);
    for (std::size_t i = 0; i < kernel_.arrays.size(); ++i) {
        const KernelArray& array = kernel_.arrays[i];
        const std::uint64_t elementBytes = byteCount(array.type);
        arrays_.emplace_back(length(i) * elementBytes, experiment.arrayOffset * elementBytes);
        if (!kernel_.arrays[i].filled.empty()) {
            const library::ArrayMemory values(experiment, false);
            arrays_[i].write(reinterpret_cast<const std::byte*>(values.arrays()[i].begin),
                             arrays_[i].bytes());
        } else if (array.role == ArrayRole::input) {
            launchKernel(deviceKernel("fillInput"), {.grid = {1024}, .block = {256}},
                         arrays_[i].address(), arrays_[i].bytes() / sizeof(float),
                         static_cast<std::uint32_t>(i));
        }
    }
    poisonOutputs();
}

void BoundKernel::poisonOutputs() {
    for (std::size_t i = 0; i < kernel_.arrays.size(); ++i) {
        if (kernel_.arrays[i].role == ArrayRole::output) {
            arrays_[i].fill(loaded_.addsToMemory() ? 0 : 0xff);
        }
    }
}

std::size_t BoundKernel::outputArray() const {
    const auto found = std::ranges::find(kernel_.arrays, ArrayRole::output, &KernelArray::role);
    return static_cast<std::size_t>(found - kernel_.arrays.begin());
}

std::uint64_t BoundKernel::length(std::size_t array) const {
    return kernel_.arrays[array].length(experiment_.arguments, experiment_.launch);
}

void BoundKernel::launch(CUfunction function, const std::vector<std::byte>& before) const {
    std::vector<std::byte> parameters = before;
    for (const CallParameter& parameter : kernel_.parameters) {
        if (parameter.isArray) {
            appendParameter(parameters, arrays_[parameter.which].address());
        } else {
            const std::uint64_t bits =
                bitsOf(parameter.type, experiment_.arguments.at(parameter.name));
            if (byteCount(parameter.type) == sizeof bits) {
                appendParameter(parameters, bits);
            } else {
                appendParameter(parameters, static_cast<std::uint32_t>(bits));
            }
        }
    }
    launchWith(function, experiment_.launch, parameters);
}

ProbeTable BoundKernel::probeTable() const {
    const ProbedCode& probed = loaded_.probed();
    ProbeTable table;
    const auto place = [](std::size_t count, std::size_t most) {
        if (count > most) throw std::logic_error("more arrays than the probe has places for");
        return static_cast<std::uint32_t>(count);
    };
    table.arrayCount = place(arrays_.size(), table.arrays.size());
    for (std::size_t i = 0; i < arrays_.size(); ++i) {
        table.arrays[i] = {arrays_[i].address(), arrays_[i].address() + arrays_[i].bytes()};
    }
    const library::SharedLayout layout = library::sharedLayoutOf(experiment_);
    table.partCount = place(kernel_.shared.size(), table.parts.size());
    const std::vector<std::string>& symbols = probed.sharedSymbols();
    for (std::size_t i = 0; i < kernel_.shared.size(); ++i) {
        const KernelShared& shared = kernel_.shared[i];
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

ProbedKernel BoundKernel::probe() const {
    const ProbedCode& probed = loaded_.probed();
    const CUfunction function = probed.code().kernel(loaded_.symbol());
    allowSharedMemory(function, experiment_.launch);
    const ProbeTable table = probeTable();
    const std::vector<SiteTally> rows = probed.count(table, [&] { launch(function, {}); });
    const std::vector<KernelBranch>& branches = kernel_.branches;
    ProbedKernel result{.lines = {},
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
            line.source = Source::probed;
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
        for (std::size_t array = 0; array < kernel_.arrays.size(); ++array) {
            const SiteTally& row = ofSite[1 + array];
            if (row.requests == 0) continue;
            add(accessKindOf(site.kind, false), kernel_.arrays[array].name,
                {.requests = row.requests,
                 .activeLanes = row.lanes,
                 .sectors = row.sectors,
                 .idealSectors = row.uniqueSectors,
                 .uniqueBytes = row.uniqueBytes,
                 .requestedBytes = row.lanes * site.bytes,
                 .sameAddress = row.turns});
        }
        for (std::size_t array = 0; array < kernel_.shared.size(); ++array) {
            const SiteTally& row = ofSite[1 + array];
            if (row.sharedRequests == 0) continue;
            add(accessKindOf(site.kind, true), kernel_.shared[array].name,
                {.requests = row.sharedRequests,
                 .activeLanes = row.sharedLanes,
                 .wavefronts = row.wavefronts,
                 .idealWavefronts = row.idealWavefronts,
                 .sameAddress = row.turns});
        }
    }
    return result;
}

}  // namespace warplens
