#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json/json.h"
#include "core/lesson/lesson.h"

namespace warplens {

inline constexpr std::size_t largestLesson = 32u << 10;

/// What is wrong with a lesson's file; what() is `name:line: words`.
class MalformedLesson final : public MalformedJson {
  public:
    MalformedLesson(const std::string& name, std::uint32_t at, const std::string& about)
        : MalformedJson(name + ':' + std::to_string(at) + ": " + about), line(at), words(about) {}
    std::uint32_t line;  ///< from 1, of the value that is spoken of
    std::string words;
    /// What else is wrong: lines and words.
    std::vector<std::pair<std::uint32_t, std::string>> others{};
    std::string id{};  ///< as the lesson has it, as far as it could be read
    int place = 0;
    std::optional<Lesson> partly{};  ///< what could be read, where it has launches
};

/// Whether it stands in `partly` for a launch that could not be read: a grid of no blocks.
[[nodiscard]] bool isStandIn(const Experiment& launch);

/// Reads a lesson's file. Throws MalformedLesson. A lesson can name launches, what to show of them,
/// texts and quantities; nothing else is read, and everything is bounded. A lesson of a course may
/// name the course's scenarios without its name; its own id, and its group, are the course's.
[[nodiscard]] Lesson lessonFromText(std::string_view name, std::string_view text,
                                    const std::string& course = {});

}  // namespace warplens
