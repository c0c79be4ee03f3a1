#pragma once

#include <filesystem>
#include <vector>

#include "core/program/trace_frames.h"

namespace warplens::programs {

/// Puts together what a program tells of its launches while it runs.
class RunCollector final {
  public:
    /// Files are called as in `files` wherever PTX names one of them by its whole path.
    explicit RunCollector(const std::vector<std::filesystem::path>& files);

    void take(const char* bytes, std::size_t size) { frames_.take(bytes, size); }
    /// Launches with their values, findings and notes so far.
    [[nodiscard]] ProgramTrace finish();

  private:
    void onFrame(TraceFrame kind, FrameReader& in);
    void name(SourcePlace& place) const;

    std::vector<std::pair<std::string, std::string>> names_;  ///< whole path, as it was given
    ProgramTrace trace_;
    FrameStream frames_{[this](TraceFrame kind, FrameReader& in) { onFrame(kind, in); }};
};

}  // namespace warplens::programs
