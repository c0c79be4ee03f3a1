#include "tests/gpu/probe/probed_code.h"

#include <algorithm>
#include <array>
#include <dlfcn.h>
#include <utility>

#include "kernels/device/compile.h"
#include "kernels/device/cubin.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/device/loaded_code.h"
#include "tests/gpu/probe/link.h"

namespace warplens {
namespace {

/// A function of the driver's that the product does not need.
template <class Function>
Function driverFunction(const char* name) {
    return reinterpret_cast<Function>(dlsym(dlopen("libcuda.so.1", RTLD_NOW), name));
}

/// Links PTX with the driver's own linker, which takes PTX up to its own release: where there is no
/// nvJitLink. Throws CudaError, CompileError with the linker's words.
std::string linkWithDriver(const std::string& ptx, unsigned mostRegisters) {
    const auto linkCreate = driverFunction<decltype(&cuLinkCreate_v2)>("cuLinkCreate_v2");
    const auto linkAddData = driverFunction<decltype(&cuLinkAddData_v2)>("cuLinkAddData_v2");
    const auto linkComplete = driverFunction<decltype(&cuLinkComplete)>("cuLinkComplete");
    const auto linkDestroy = driverFunction<decltype(&cuLinkDestroy)>("cuLinkDestroy");
    std::array<char, 8192> log{};
    std::array<CUjit_option, 3> options{CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES,
                                        CU_JIT_MAX_REGISTERS};
    std::array<void*, 3> values{log.data(), reinterpret_cast<void*>(log.size()),
                                reinterpret_cast<void*>(std::uintptr_t{mostRegisters})};
    CUlinkState link = nullptr;
    check(linkCreate(mostRegisters == 0 ? 2 : 3, options.data(), values.data(), &link),
          "cuLinkCreate");
    CUresult result = linkAddData(link, CU_JIT_INPUT_PTX, const_cast<char*>(ptx.c_str()),
                                  ptx.size() + 1, "program", 0, nullptr, nullptr);
    void* cubin = nullptr;
    std::size_t bytes = 0;
    if (result == CUDA_SUCCESS) result = linkComplete(link, &cubin, &bytes);
    std::string linked;
    if (result == CUDA_SUCCESS) linked.assign(static_cast<const char*>(cubin), bytes);
    linkDestroy(link);
    if (result != CUDA_SUCCESS && log[0] != '\0') throw CompileError(log.data());
    check(result, "cuLinkComplete");
    return linked;
}

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

bool haveYield(const std::vector<SassFunction>& functions) {
    return std::ranges::any_of(functions, [](const SassFunction& function) {
        return std::ranges::any_of(function.instructions, &SassInstruction::isYield);
    });
}

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
