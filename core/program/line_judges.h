#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/program/program_trace.h"

namespace warplens {

/// What one judge says of a line.
struct JudgedCounts final {
    std::uint64_t requests = 0;
    std::uint64_t units = 0;  ///< sectors, wavefronts or divergent warps (`unitOf`)
    friend bool operator==(const JudgedCounts&, const JudgedCounts&) = default;
};

/// What all judges say of one line and kind, summed over its columns and arrays.
struct LineJudges final {
    std::string file;
    std::uint32_t line = 0;
    LineKind kind = LineKind::load;
    /// Predicted, compiled, counted; nothing of a judge who has not looked at the launch at all.
    std::array<std::optional<JudgedCounts>, 3> counts{};
    friend bool operator==(const LineJudges&, const LineJudges&) = default;
};

inline constexpr std::array lineSources{Source::predicted, Source::compiled, Source::counted};

/// `sectors`, `wavefronts` or `divergent`: what a line of this kind costs beside its requests.
[[nodiscard]] std::string_view unitOf(LineKind kind);

/// By file, line and kind. A judge who speaks of some line of the launch says 0 of all others.
[[nodiscard]] std::vector<LineJudges> judgesOf(const std::vector<ProgramLine>& predicted,
                                               const std::vector<ProgramLine>& measured);

}  // namespace warplens
