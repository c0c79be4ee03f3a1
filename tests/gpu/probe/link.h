#pragma once

#include <string>
#include <vector>

namespace warplens {

struct PtxPart final {
    std::string name;  ///< in messages
    std::string ptx;
};

/// Assembles and links PTX into machine code of a compute capability (10 x major + minor) with
/// nvJitLink, which takes the PTX of its own release whatever the driver's is. Throws CompileError
/// with the linker's words, CompilerUnavailable where there is no nvJitLink (nvrtc_library.h).
/// `mostRegisters` of a thread, 0: as many as a kernel's own bound on its block allows.
[[nodiscard]] std::string linkPtx(const std::vector<PtxPart>& parts, int computeCapability,
                                  unsigned mostRegisters = 0);

}  // namespace warplens
