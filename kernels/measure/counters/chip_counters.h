#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/program_trace.h"
#include "kernels/measure/counters/cupti_library.h"

namespace warplens {

/// One raw quantity read from the hardware. All values are sums over the whole GPU, but for
/// `achievedOccupancy`, which is a percentage.
enum class Counter : std::uint8_t {
    loadRequests,
    storeRequests,
    loadSectors,
    storeSectors,
    loadBytesUsed,  ///< a byte that lanes of a request share once
    storeBytesUsed,
    branchTargets,
    divergentBranches,
    instructions,
    threadInstructions,
    threadInstructionsPredicatedOn,
    sharedLoadRequests,
    sharedStoreRequests,
    sharedAtomicRequests,
    sharedWavefronts,
    l2Bytes,
    dramBytes,
    achievedOccupancy,
    l1Hits,
    l1Misses,
};

struct CounterRow final {
    Counter counter;
    /// CUPTI's names for it, best first; the first that a chip knows is used.
    std::span<const std::string_view> names;
    std::string_view missing;  ///< what to say where a chip knows none
};

inline constexpr std::size_t counterCount = 20;

/// In the order of Counter. Names hold for compute capability 7.5 to 12.x; a test asks CUPTI for
/// each of them on every chip.
[[nodiscard]] std::span<const CounterRow, counterCount> counterTable();

/// What one kind of chip can count: which of the table's counters it knows, and the configuration
/// that reads them. Needs no GPU; about 5 ms to make, and some 125 MB of memory for the first.
class ChipCounters final {
  public:
    /// `chip` as CUPTI names it (`GH100`); `availability` is the image of the device at hand, empty
    /// to ask about any device of the kind. Throws CountersUnavailable.
    ChipCounters(const CuptiLibrary& cupti, std::string chip,
                 std::vector<std::uint8_t> availability = {});
    [[nodiscard]] const std::string& chip() const { return chip_; }
    /// Metric names asked for, in CUPTI's words.
    [[nodiscard]] std::span<const char* const> metricNames() const { return names_; }
    /// Which counter each of `metricNames` answers.
    [[nodiscard]] std::span<const Counter> counters() const { return counters_; }
    [[nodiscard]] std::span<const std::uint8_t> configImage() const { return config_; }
    /// Times a kernel must be replayed to read them all.
    [[nodiscard]] int passes() const { return passes_; }

    /// Values of `metricNames` in range `index` of a counter data image.
    [[nodiscard]] std::vector<double> evaluate(std::span<const std::uint8_t> image,
                                               std::size_t index) const;

  private:
    [[nodiscard]] bool knows(const char* metric) const;
    void configure();

    const CuptiLibrary& cupti_;
    std::string chip_;
    std::vector<std::uint8_t> availability_;
    std::shared_ptr<CUpti_Profiler_Host_Object> host_;
    std::vector<const char*> names_;
    std::vector<Counter> counters_;
    std::vector<std::uint8_t> config_;
    int passes_ = 0;
};

/// What the hardware executed, line by line: CUPTI's SASS metrics, which patch the machine code
/// that is loaded and count exactly. They need no rights to the counters and work while another
/// process holds them.
///
/// One in a process: CUPTI takes their configuration once. CUPTI 13.0 also measures only once in a
/// process; 13.5 repeats (what lies between was not tried and counts as the former).
class LineCounters final {
  public:
    /// The process's own, configured by the first call for the current device. Throws
    /// CountersUnavailable, also where this CUPTI has measured once and can no more.
    static LineCounters& open(const CuptiLibrary& cupti);

    /// Launches once and tells what each line of `cubin` did, with Source::counted. `launch` must
    /// launch one kernel of it and nothing else. File names are as CUPTI has them. Throws
    /// CountersUnavailable, or what `launch` throws.
    [[nodiscard]] std::vector<ProgramLine> read(const std::string& cubin,
                                                const std::function<void()>& launch);

  private:
    explicit LineCounters(const CuptiLibrary& cupti);

    const CuptiLibrary& cupti_;
    std::vector<std::uint64_t> metrics_;  ///< ids, in the order of the table
    bool spent_ = false;
};

}  // namespace warplens
