#pragma once

#include <string>

namespace warplens {

/// PTX of the probe for a compute capability (10 x major + minor), for linking with instrumented
/// code. Compiled once for each. Throws CompileError, CompilerUnavailable.
[[nodiscard]] const std::string& probePtx(int computeCapability);

/// The device variable that holds the address of the rows, one SiteTally for each site.
inline constexpr const char* probeRowsSymbol = "warplens_rows";

}  // namespace warplens
