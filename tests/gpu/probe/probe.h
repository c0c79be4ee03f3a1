#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace warplens {

/// What instrumented code does at a site, as PTX to be put there.
class ProbeCode final {
  public:
    /// Of the text of probe.cu, compiled. Throws UnknownPtx (instrument.h) for other text.
    explicit ProbeCode(const std::string& ptx);

    /// The variables that it needs, at module scope.
    [[nodiscard]] const std::string& declarations() const { return declarations_; }
    /// A block that does what the function of that name does, with these registers or numbers for
    /// its parameters. `label` tells its labels from those of other blocks.
    [[nodiscard]] std::string block(const std::string& function,
                                    const std::vector<std::string>& arguments,
                                    const std::string& label) const;

  private:
    std::string declarations_;
    std::map<std::string, std::string> bodies_;
};

/// The probe for a compute capability (10 x major + minor). Compiled once for each. Throws
/// CompileError, CompilerUnavailable.
[[nodiscard]] const ProbeCode& probeCode(int computeCapability);

/// What the launch's arrays are to the probe: it counts what a site does to each of them apart, in
/// the rows that follow the site's own. Mirrored in probe.cu.
struct ProbeTable final {
    struct Range final {
        std::uint64_t begin = 0;  ///< addresses
        std::uint64_t end = 0;
    };
    /// A part of an array in shared memory, in bytes from where that begins.
    struct Part final {
        std::uint32_t symbol = 0;  ///< which of InstrumentedPtx::sharedSymbols
        std::uint32_t begin = 0;
        std::uint32_t end = 0;
    };
    std::uint64_t rows = 0;         ///< address of the rows: SiteTally
    std::uint32_t rowsPerSite = 1;  ///< the first is for what belongs to none
    std::uint32_t sites = 0;
    std::uint32_t copies =
        1;  ///< of all rows, taken by SMs in turn: they get out of one another's way
    std::uint32_t arrayCount = 0;
    std::uint32_t partCount = 0;
    std::array<Range, 8> arrays{};
    std::array<Part, 8> parts{};
};

inline constexpr const char* probeTableSymbol = "warplens_table";           ///< a ProbeTable
inline constexpr const char* probeSharedSymbol = "warplens_shared_begins";  ///< 32 bits each
inline constexpr std::size_t mostSharedSymbols = 8;

}  // namespace warplens
