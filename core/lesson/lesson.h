#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/launch/mapping.h"
#include "core/lesson/expression.h"
#include "core/scenario/scenario.h"
#include "core/view/picture.h"
#include "core/view/view.h"

/// Until a question is answered the aspects that its answer follows from are covered, wherever they
/// would be shown.
namespace warplens {

struct Lesson;

inline constexpr std::size_t aspectCount = 11;

/// `requests`, as lessons write it.
[[nodiscard]] std::string_view toString(Aspect aspect);
[[nodiscard]] std::optional<Aspect> aspectFromString(std::string_view word);

/// What a quantity tells; nothing for what the launch itself says, such as its block and sizes.
[[nodiscard]] std::optional<Aspect> aspectOf(const LessonQuantity& quantity);

/// What is not to be seen: aspects of launches.
class Cover final {
  public:
    struct Part final {
        Aspect aspect{};
        Experiment experiment;
        friend bool operator==(const Part&, const Part&) = default;
    };

    void add(Aspect aspect, const Experiment& experiment);
    [[nodiscard]] bool hides(Aspect aspect, const Experiment& experiment) const;
    /// Whether any of several is covered.
    [[nodiscard]] bool hidesAny(std::span<const Aspect> aspects,
                                const Experiment& experiment) const;
    [[nodiscard]] const std::vector<Part>& parts() const { return parts_; }

  private:
    std::vector<Part> parts_;
};

/// What the answer to the lesson's question follows from: the quantities of its expression but for
/// those that the question itself tells, and what the lesson says besides.
[[nodiscard]] Cover coverOf(const Lesson& lesson);

/// A text that lessons start from.
struct SourceDocument final {
    std::string_view id;  ///< as lessons name it
    std::string_view author;
    std::string_view title;
};

/// Null when there is no such document.
[[nodiscard]] const SourceDocument* findDocument(std::string_view id);

/// A word of the field, explained where a reader meets it.
struct Term final {
    std::string_view word;
    std::string_view meaning;  ///< one sentence that stands for itself
};

/// In the order in which one builds on the other.
[[nodiscard]] std::span<const Term> glossary();

/// The term that a word stands for, in singular or plural, whatever its case; null where there is
/// none.
[[nodiscard]] const Term* findTerm(std::string_view word);

// One thing to see, to try and to conclude. Texts may hold quantities in braces, `{thread 3 5 1
// warp}` or `{timed time @swapped / timed time|1}` with so many decimals and no unit, which are
// filled from data (resolved_lesson.h).

/// What the window shows; parts left open stay as they are.
struct Scene final {
    ViewChange view{};                  ///< its launch is one of the lesson's
    std::optional<bool> apart{};        ///< the cubes' warps
    std::vector<PictureKind> panels{};  ///< none: the lesson's own
    friend bool operator==(const Scene&, const Scene&) = default;
};

struct LessonStep final {
    std::string say;  ///< what a click on it does
    std::string see;  ///< what is there to be seen then
    Scene scene;
    friend bool operator==(const LessonStep&, const LessonStep&) = default;
};

/// One of several answers: right where the computed one lies from `from` to `to`.
struct Choice final {
    std::string say;
    double from = 0;
    double to = 0;
    friend bool operator==(const Choice&, const Choice&) = default;
};

/// A likely wrong answer: what it confuses, and a picture that shows so; without one the
/// question's own stays.
struct Mistake final {
    std::optional<Expression> guess{};    ///< of an entered number
    std::optional<std::size_t> choice{};  ///< of several answers
    std::string say{};
    std::optional<Scene> scene{};
    friend bool operator==(const Mistake&, const Mistake&) = default;
};

/// Asked before the numbers are shown. The answer is computed.
struct Question final {
    std::string ask;
    Expression answer;
    std::vector<Choice> choices{};  ///< none: a number is to be entered
    double tolerance = 0;           ///< of an entered number, relative to the answer
    int decimals = 0;               ///< with which the answer is shown
    std::string because{};
    Scene shown{};  ///< with the answer; its launch is named
    std::vector<Mistake> mistakes{};
    std::vector<std::string> hints{};  ///< one after the other
    friend bool operator==(const Question&, const Question&) = default;
};

/// A figure that a document prints.
struct DocumentFigure final {
    std::string document;
    std::string says;   ///< as printed there: `19.54x`
    std::string why{};  ///< it differs, or does not follow; may be empty
    friend bool operator==(const DocumentFigure&, const DocumentFigure&) = default;
};

struct LessonNumber final {
    std::string name;
    Expression value;
    int decimals = -1;  ///< below 0: with its unit, as everywhere
    std::optional<DocumentFigure> document{};
    friend bool operator==(const LessonNumber&, const LessonNumber&) = default;
};

/// Two launches to hold against each other.
struct LessonPair final {
    std::string a;
    std::string b;
    friend bool operator==(const LessonPair&, const LessonPair&) = default;
};

/// Words in rows and columns; the first row heads them.
struct LessonTable final {
    std::string title;
    std::vector<std::vector<std::string>> rows;
    friend bool operator==(const LessonTable&, const LessonTable&) = default;
};

/// A size of the kernel that is moved within the lesson.
struct LessonSlider final {
    std::string argument;
    std::int64_t from = 0;
    std::int64_t to = 0;
    std::int64_t untilAnswer = 0;  ///< the last that is free before
    friend bool operator==(const LessonSlider&, const LessonSlider&) = default;
};

/// An aspect of a launch to be covered besides those that follow from the answer.
struct CoveredPart final {
    Aspect aspect{};
    std::string launch = "here";
    friend bool operator==(const CoveredPart&, const CoveredPart&) = default;
};

enum class GoalSign : std::uint8_t { atMost, equal, atLeast };
/// One condition over quantities; `@now` is the launch that is tried.
struct GoalCheck final {
    std::string say;
    Expression left;
    GoalSign sign = GoalSign::equal;
    Expression right;
    friend bool operator==(const GoalCheck&, const GoalCheck&) = default;
};
/// Something to bring about.
struct LessonGoal final {
    std::string say;
    std::string launch = "here";      ///< to start from
    std::vector<std::string> change;  ///< `block`, a kernel's size, or `scenario NAME`
    std::vector<GoalCheck> checks;
    std::vector<Experiment> solutions;  ///< some of them: at least two
    friend bool operator==(const LessonGoal&, const LessonGoal&) = default;
};

struct LessonOrigin final {
    std::string document;
    std::string section;
    friend bool operator==(const LessonOrigin&, const LessonOrigin&) = default;
};

struct Lesson final {
    std::string id{};
    char group = 'A';
    int place = 0;  ///< in its group, from 1
    std::string title{};
    std::vector<LessonOrigin> from{};
    std::map<std::string, Experiment> launches{};  ///< `here` is the one that it opens with
    Scene opening{};
    std::vector<std::string> look{};
    std::vector<LessonStep> steps{};
    Question question;
    std::vector<std::string> conclude{};
    std::vector<LessonNumber> figures{};
    std::vector<LessonTable> tables{};
    std::optional<LessonPair> compare{};
    std::vector<std::string> words{};   ///< of the glossary, that stand here for the first time
    std::vector<PictureKind> before{};  ///< what is shown with the question
    std::vector<PictureKind> after{};   ///< and with the steps that name none
    std::vector<CoveredPart> covers{};  ///< until the answer, besides what follows from it
    std::optional<LessonSlider> slider{};
    std::optional<LessonGoal> goal{};
    std::string exercise{};  ///< a program to be put right; empty: none
    friend bool operator==(const Lesson&, const Lesson&) = default;

    [[nodiscard]] const Experiment& here() const { return launches.at("here"); }
};

/// `Threads into warps` for 'A'.
[[nodiscard]] std::string_view groupTitle(char group);
/// `A  Threads into warps`; of a course its name alone.
[[nodiscard]] std::string groupHeading(char group);
inline constexpr std::string_view lessonGroups = "ABCDEF";
/// With the course's, where one is open.
[[nodiscard]] std::string_view shownLessonGroups();

}  // namespace warplens
