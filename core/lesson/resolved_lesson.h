#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/lesson/lesson.h"
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

// A lesson with its numbers, as the window and the command line tell it.

struct ResolvedNumber final {
    struct Line final {
        std::string value;
        std::string sources;  ///< `predicted; recorded on NVIDIA H200, 2026-11-21: counted`
        FoundNumber number;
        friend bool operator==(const Line&, const Line&) = default;
    };
    std::string name;
    std::vector<Line> lines;  ///< sources that say the same share one
    std::string missing;      ///< why there is none
    std::optional<DocumentFigure> document{};
    friend bool operator==(const ResolvedNumber&, const ResolvedNumber&) = default;
};

/// A likely wrong answer with its number.
struct ResolvedMistake final {
    std::optional<double> guess{};  ///< none where it is a choice, or not known
    std::size_t mistake = 0;        ///< its place in the question
    friend bool operator==(const ResolvedMistake&, const ResolvedMistake&) = default;
};

struct ResolvedLesson final {
    Lesson lesson;  ///< its texts filled
    std::optional<FoundNumber> answer{};
    std::string answerText;               ///< or why there is none
    std::optional<std::size_t> choice{};  ///< the right one
    std::vector<ResolvedMistake> mistakes{};
    std::vector<ResolvedNumber> figures;
    /// `timed time: not measured`: quantities that the texts, the answer or all sources of a figure
    /// lack.
    std::vector<std::string> missing;
    friend bool operator==(const ResolvedLesson&, const ResolvedLesson&) = default;
};

[[nodiscard]] ResolvedLesson tell(const Lesson& lesson, const LessonEvidence& evidence);

/// `How are 2D and 3D … (Peter Chng), section Explanation`.
[[nodiscard]] std::string toText(const LessonOrigin& origin);

/// Why nothing can be right: the answer cannot be computed, or none of the choices holds it; empty
/// where one can be.
[[nodiscard]] std::string whyUnanswerable(const ResolvedLesson& resolved);

/// What a guess is worth.
enum class Verdict : std::uint8_t { unreadable, wrong, right };
/// A number as entered, with a comma or blanks for thousands and the question's word for it behind
/// it if one likes.
[[nodiscard]] Verdict judge(const ResolvedLesson& resolved, std::string_view guess);
/// The same of one of the choices.
[[nodiscard]] Verdict judge(const ResolvedLesson& resolved, std::size_t choice);
/// What a wrong guess confuses, as far as the lesson foresees it; null otherwise.
[[nodiscard]] const Mistake* mistakeOf(const ResolvedLesson& resolved, std::string_view guess);
[[nodiscard]] const Mistake* mistakeOf(const ResolvedLesson& resolved, std::size_t choice);

}  // namespace warplens
