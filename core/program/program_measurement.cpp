#include "core/program/program_measurement.h"

#include <algorithm>
#include <array>

namespace warplens {
namespace {

constexpr std::array<std::string_view, 12> causeNames{
    "none",        "unrolling",    "merged_accesses", "removed_accesses",
    "moved_lines", "predication",  "speculation",     "copied_code",
    "schedule",    "library_code", "probe",           "unexplained"};

}  // namespace

std::string_view toString(DifferenceCause cause) {
    return causeNames.at(static_cast<std::size_t>(cause));
}

std::optional<DifferenceCause> differenceCauseFromString(std::string_view text) {
    const auto* const found = std::ranges::find(causeNames, text);
    if (found == causeNames.end()) return std::nullopt;
    return static_cast<DifferenceCause>(found - causeNames.begin());
}

}  // namespace warplens
