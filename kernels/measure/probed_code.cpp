#include "kernels/measure/probed_code.h"

#include <algorithm>
#include <utility>

#include "kernels/device/compile/link.h"
#include "kernels/device/compile/nvrtc_library.h"
#include "kernels/measure/code/cubin.h"
#include "kernels/measure/device/device_buffer.h"
#include "kernels/measure/device/device_choice.h"

namespace warplens {
namespace {

/// What a block of this size leaves each thread.
unsigned registersFor(const Extents& block) {
    constexpr std::uint64_t ofBlock = 65536;
    constexpr std::uint64_t mostOfThread = 255;
    const std::uint64_t each = ofBlock / std::max<std::uint64_t>(block.count(), 1) / 8 * 8;
    return each > mostOfThread ? 0 : static_cast<unsigned>(each);
}

std::string assembled(const std::string& ptx, const Extents& block) {
    try {
        return linkPtx({{"program", ptx}}, computeCapabilityNumber(), registersFor(block));
    } catch (const CompilerUnavailable&) {
        return linkWithDriver(ptx, registersFor(block));
    }
}

}  // namespace

ProbedCode::ProbedCode(const std::string& ptx, const std::string& kernel, const Extents& block,
                       const std::set<std::string>& files)
    : ProbedCode(instrument(probeCode(computeCapabilityNumber()), ptx, {kernel}, block, files),
                 block) {}

ProbedCode::ProbedCode(InstrumentedPtx instrumented, const Extents& block)
    : instrumented_(std::move(instrumented)),
      cubin_(assembled(std::exchange(instrumented_.ptx, {}), block)),
      splitsWarps_(haveYield(functionsOf(cubin_))),
      code_(std::exchange(cubin_, {})) {}

std::vector<SiteTally> ProbedCode::count(ProbeTable table,
                                         const std::function<void()>& launch) const {
    constexpr std::size_t mostRowBytes = 8u << 20;
    constexpr std::size_t mostCopies = 64;
    const std::size_t count = std::max<std::size_t>(sites().size() * table.rowsPerSite, 1);
    const std::size_t copies =
        std::clamp<std::size_t>(mostRowBytes / (count * sizeof(SiteTally)), 1, mostCopies);
    const DeviceBuffer rows(count * copies * sizeof(SiteTally));
    rows.fill(0);
    table.rows = rows.address();
    table.sites = static_cast<std::uint32_t>(sites().size());
    table.copies = static_cast<std::uint32_t>(copies);
    const LoadedCode::Variable variable = code_.variable(probeTableSymbol);
    check(Driver::open().memcpyHtoD(variable.address, &table, sizeof table), "cuMemcpyHtoD");
    launch();
    synchronize();
    std::vector<SiteTally> found(count * copies);
    rows.read(found.data(), found.size());
    std::vector<SiteTally> tallies(sites().size() * table.rowsPerSite);
    for (std::size_t copy = 0; copy < copies; ++copy) {
        for (std::size_t i = 0; i < tallies.size(); ++i) tallies[i].add(found[copy * count + i]);
    }
    return tallies;
}

}  // namespace warplens
