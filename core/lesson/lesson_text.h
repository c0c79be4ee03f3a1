#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/lesson_evidence.h"

/// Numbers in a lesson's text: in braces, `{predicted sectors_per_request load}` with its unit,
/// `{timed time @swapped / timed time|1}` with one decimal and without.
namespace warplens {

struct Placeholder final {
    std::size_t begin = 0;  ///< in the text, of the opening brace
    std::size_t end = 0;    ///< behind the closing one
    Expression expression;
    int decimals = -1;  ///< below 0: with its unit
};

/// Throws MalformedExpression.
[[nodiscard]] std::vector<Placeholder> placeholdersOf(std::string_view text);

/// `1,048,576`, `2.62`; below 0 decimals as `formatNumber` has it.
[[nodiscard]] std::string formatFound(const FoundNumber& number, int decimals);

/// The text with its numbers. What is not known reads `(reason)` and is added to `missing`.
[[nodiscard]] std::string filled(std::string_view text, const LessonEvidence& evidence,
                                 std::vector<std::string>& missing);

}  // namespace warplens
