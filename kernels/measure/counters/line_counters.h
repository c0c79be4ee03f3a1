#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/program/program_trace.h"
#include "kernels/measure/counters/cupti_library.h"

namespace warplens {

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
