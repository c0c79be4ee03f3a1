#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/launch/mapping.h"
#include "core/lesson/expression.h"
#include "core/occupancy/compute_capability.h"
#include "core/scenario/scenario.h"

/// One thing to see, to try and to conclude. Texts may hold quantities in braces, `{thread 3 5 1
/// warp}` or `{timed time @swapped / timed time|1}` with so many decimals and no unit, which are
/// filled from data (told_lesson.h).
namespace warplens {

enum class SceneView : std::uint8_t { map, solid, slots, times };
enum class SceneExtent : std::uint8_t { block, grid };
enum class SceneNumbers : std::uint8_t { warp, coordinates, rank, element };
enum class SceneBelow : std::uint8_t { memory, source };

/// What the window shows; parts left open stay as they are.
struct Scene final {
    std::optional<std::string> launch{};  ///< one of the lesson's
    std::optional<Index3> block{};        ///< whose threads are drawn
    std::optional<WarpRank> warp{};       ///< held
    std::optional<std::string> array{};   ///< whose steps are shown; `all`
    std::optional<std::uint64_t> step{};  ///< in the warp's program order, from 1
    std::optional<SceneView> view{};
    std::optional<SceneExtent> map{};
    std::optional<SceneNumbers> numbers{};
    std::optional<SceneBelow> below{};
    std::optional<ComputeCapability> capability{};  ///< of the SM whose slots are shown
    std::optional<bool> apart{};                    ///< the solid's warps
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

/// Asked before the numbers are shown. The answer is computed.
struct Question final {
    std::string ask;
    Expression answer;
    std::vector<Choice> choices{};  ///< none: a number is to be entered
    double tolerance = 0;           ///< of an entered number, relative to the answer
    int decimals = 0;               ///< with which the answer is shown
    std::string because{};
    friend bool operator==(const Question&, const Question&) = default;
};

/// A figure that a document prints.
struct DocumentFigure final {
    std::string document;
    std::string says;   ///< as printed there: `19.54x`
    std::string why{};  ///< it differs, or does not follow; may be empty
    friend bool operator==(const DocumentFigure&, const DocumentFigure&) = default;
};

struct LessonFigure final {
    std::string name;
    Expression value;
    int decimals = -1;  ///< below 0: with its unit, as everywhere
    std::optional<DocumentFigure> document{};
    friend bool operator==(const LessonFigure&, const LessonFigure&) = default;
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

/// What is drawn besides the threads.
enum class LessonDrawing : std::uint8_t {
    none,
    waves,  ///< the grid's blocks on 1, 2, 4 and all SMs
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
    std::vector<LessonFigure> figures{};
    std::vector<LessonTable> tables{};
    LessonDrawing drawing = LessonDrawing::none;
    std::optional<LessonPair> compare{};
    friend bool operator==(const Lesson&, const Lesson&) = default;

    [[nodiscard]] const Experiment& here() const { return launches.at("here"); }
};

/// `Threads into warps` for 'A'.
[[nodiscard]] std::string_view groupTitle(char group);
inline constexpr std::string_view lessonGroups = "ABCDEF";

}  // namespace warplens
