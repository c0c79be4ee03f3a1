#include "core/program/program_measurement.h"

#include <array>

#include "core/measurement/value_text.h"
#include "core/text/enum_names.h"
#include "core/text/format.h"

namespace warplens {
namespace {

constexpr std::array<std::string_view, 12> causeNames{
    "none",        "unrolling",    "merged_accesses", "removed_accesses",
    "moved_lines", "predication",  "speculation",     "copied_code",
    "schedule",    "library_code", "probe",           "unexplained"};

}  // namespace

std::string inWords(const ArrayCheck& check) {
    const std::uint64_t all = check.equal + check.within + check.different;
    std::string words = check.array + ": " + groupedDigits(check.equal) + " of " +
                        groupedDigits(all) + " elements equal the host's";
    if (check.within != 0) {
        words += ", " + groupedDigits(check.within) + " within " +
                 formatNumber(check.tolerance, Unit::one) + " of the largest";
    }
    if (check.different != 0) {
        words += ", " + groupedDigits(check.different) + " differ, first at " +
                 groupedDigits(check.firstDifferent);
        if (check.reordered) words += " (the same values in another order)";
    }
    return words;
}

std::string_view toString(DifferenceCause cause) {
    return causeNames.at(static_cast<std::size_t>(cause));
}

std::optional<DifferenceCause> differenceCauseFromString(std::string_view text) {
    return enumeratorNamed<DifferenceCause>(causeNames, text);
}

}  // namespace warplens
