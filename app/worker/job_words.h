#pragma once

#include <string>
#include <string_view>

namespace warplens {

/// What srun told about its job.
struct JobUpdate final {
    enum class Kind { none, queued, started, ended };
    Kind kind = Kind::none;
    std::string job;  ///< its number; empty where the line has none
    std::string why;  ///< of one that ended: in words; may be empty
};

/// Reads one line that srun wrote to its standard error (Slurm 20 and newer):
/// `srun: job 4711 queued and waiting for resources`.
[[nodiscard]] JobUpdate jobUpdateIn(std::string_view line);

}  // namespace warplens
