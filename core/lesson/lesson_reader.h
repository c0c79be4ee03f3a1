#pragma once

#include <algorithm>
#include <initializer_list>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json_tree.h"
#include "core/lesson/expression.h"
#include "core/lesson/lesson.h"
#include "core/lesson/lesson_evidence.h"
#include "core/lesson/lesson_json.h"

/// For the .cpp files that read lessons: members with the bounds that a lesson's have. All throw
/// MalformedValue.
namespace warplens::lesson_reader {

inline constexpr std::size_t longestLine = 170;  ///< bytes, as of the others
inline constexpr std::size_t longestParagraph = 620;
inline constexpr std::size_t mostEntries = 8;

[[noreturn]] void fail(const Json& value, const std::string& what);

/// What is wrong with a part follows from a launch that could not be read.
class MalformedOfLaunch final : public MalformedValue {
  public:
    using MalformedValue::MalformedValue;
};
/// Has what goes wrong thrown as MalformedOfLaunch where another stands in for the launch.
template <class Read>
void ofLaunch(const Experiment& launch, const Read& read) {
    try {
        read();
    } catch (const MalformedValue& error) {
        if (isStandIn(launch)) throw MalformedOfLaunch(error.what(), *error.value);
        throw;
    }
}

/// What is wrong with an object's members: those that are neither needed nor optional, each at its
/// place, then all that are missing together.
[[nodiscard]] std::vector<MalformedValue> wrongMembers(
    const Json& tree, const std::string& where, std::initializer_list<std::string_view> needed,
    std::initializer_list<std::string_view> optional = {});

/// An object that has those members, some of `optional`, and no other. All that is wrong with them
/// is told at once, at the first.
void expectMembers(const Json& tree, const std::string& where,
                   std::initializer_list<std::string_view> needed,
                   std::initializer_list<std::string_view> optional = {});

/// Of a value that is words.
[[nodiscard]] std::string wordsOf(const Json& value, const char* name, std::size_t longest);
[[nodiscard]] std::string words(const Json& tree, const char* name, std::size_t longest);
[[nodiscard]] std::string wordsOrNone(const Json& tree, const char* name, std::size_t longest);

/// A member that is a list, not an empty one.
[[nodiscard]] const Json& fewIn(const Json& tree, const char* name, std::size_t most);
/// The same of words.
[[nodiscard]] std::vector<std::string> wordsIn(const Json& tree, const char* name, std::size_t most,
                                               std::size_t longest);

[[nodiscard]] double realNumber(const Json& tree, const char* name);

/// By the name that it has in the lesson.
using Launches = std::map<std::string, Experiment>;

/// Of a member that names a launch of the lesson.
[[nodiscard]] std::string launchName(const Json& tree, const char* name, const Launches& launches);
/// An expression that speaks of launches of the lesson, or of the one that is tried.
[[nodiscard]] Expression expression(const Json& tree, const char* name, const Launches& launches);
/// Every quantity in every text below can be asked for.
void checkTexts(const Json& tree, const Launches& launches);

/// A scenario that is there.
void expectScenario(const Json& value, const std::string& id);
/// A launch that can be run.
[[nodiscard]] Experiment experimentFrom(const Json& tree);

/// The place of a word among those allowed.
template <class Enum>
Enum oneOf(const Json& tree, const char* name, const std::vector<std::string_view>& allowed) {
    const std::string word = json_reader::text(tree, name);
    const auto found = std::ranges::find(allowed, word);
    if (found == allowed.end()) {
        std::string known;
        for (const std::string_view each : allowed) known += ' ' + std::string(each);
        fail(tree.at(name), '"' + std::string(name) + "\" is '" + word + "': one of" + known);
    }
    return static_cast<Enum>(found - allowed.begin());
}

// What a lesson asks a person to answer or to reach, and what it keeps from them until then.

/// All but its mistakes.
[[nodiscard]] Question questionFrom(const Json& tree, const Launches& launches);
/// One of a question; the rest of it is known by now, and the lesson's launches, as of the others.
[[nodiscard]] Mistake mistakeFrom(const Json& entry, const Lesson& lesson);
/// What is seen with the answer: the launch that it follows from as the lesson opens, unless the
/// question's "show" says otherwise.
[[nodiscard]] Scene shownWithAnswer(const Json& question, const Lesson& lesson);
[[nodiscard]] LessonSlider sliderFrom(const Json& tree, const Experiment& here);
[[nodiscard]] CoveredPart coveredFrom(const Json& tree, const Lesson& lesson);
[[nodiscard]] LessonGoal goalFrom(const Json& tree, const Lesson& lesson);

// What a lesson shows.

[[nodiscard]] std::vector<PictureKind> panelsFrom(const Json& tree, const char* name);

/// `before` is the launch that is shown when the scene is set.
[[nodiscard]] Scene sceneFrom(const Json& tree, const Launches& launches, const Experiment& before);

}  // namespace warplens::lesson_reader
