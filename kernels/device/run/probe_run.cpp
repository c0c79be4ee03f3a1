#include "kernels/device/run/probe_run.h"

#include <algorithm>

#include "kernels/device/compile/link.h"
#include "kernels/device/compile/nvrtc_library.h"
#include "kernels/device/instrument/instrument.h"
#include "kernels/device/instrument/probe.h"
#include "kernels/device/run/program_kernel.h"

namespace warplens {
namespace {

/// Owns the device's rows of one probing.
class ProbeRows final {
  public:
    explicit ProbeRows(std::size_t count)
        : bytes_(std::max<std::size_t>(count, 1) * sizeof(SiteTally)) {
        check(Driver::open().memAlloc(&address_, bytes_), "cuMemAlloc");
        check(Driver::open().memsetD8(address_, 0, bytes_), "cuMemsetD8");
    }
    ProbeRows(const ProbeRows&) = delete;
    ProbeRows& operator=(const ProbeRows&) = delete;
    ~ProbeRows() { Driver::open().memFree(address_); }

    [[nodiscard]] CUdeviceptr address() const { return address_; }
    [[nodiscard]] std::vector<SiteTally> read(std::size_t count) const {
        std::vector<SiteTally> rows(count);
        if (count == 0) return rows;
        check(Driver::open().memcpyDtoH(rows.data(), address_, count * sizeof(SiteTally)),
              "cuMemcpyDtoH");
        return rows;
    }

  private:
    CUdeviceptr address_ = 0;
    std::size_t bytes_;
};

std::string linked(const std::string& ptx, int computeCapability) {
    const std::string& probe = probePtx(computeCapability);
    try {
        return linkPtx({{"program", ptx}, {"probe", probe}}, computeCapability);
    } catch (const CompilerUnavailable&) {
        return linkWithDriver(ptx, probe);
    }
}

}  // namespace

ProbedSites probeProgram(const ProgramCode& code, const LaunchInputs& inputs, ProgramMemory& memory,
                         int computeCapability, const std::set<std::string>& files) {
    InstrumentedPtx instrumented =
        instrument(code.compiled->ptx, {code.kernel}, inputs.launch.block, files);
    const LoadedCode loaded(linked(instrumented.ptx, computeCapability));
    memory.bind(loaded, code.symbols);
    const ProbeRows rows(instrumented.sites.size());
    const LoadedCode::Variable variable = loaded.variable(probeRowsSymbol);
    const CUdeviceptr address = rows.address();
    check(Driver::open().memcpyHtoD(variable.address, &address, sizeof address), "cuMemcpyHtoD");
    const ProgramKernel kernel(loaded, code.kernel, inputs, memory);
    kernel.launch();
    check(Driver::open().ctxSynchronize(), "cuCtxSynchronize");
    std::vector<SiteTally> tallies = rows.read(instrumented.sites.size());
    return {.sites = std::move(instrumented.sites),
            .tallies = std::move(tallies),
            .notes = std::move(instrumented.notes)};
}

}  // namespace warplens
