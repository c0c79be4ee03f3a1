#pragma once

#include <string_view>

#include "core/lesson/lesson.h"

namespace warplens {

inline constexpr std::size_t largestLesson = 32u << 10;

/// Reads a lesson's file. Throws MalformedJson, starting with `name`, with one message: what is
/// wrong and where. A lesson can name launches, what to show of them, texts and quantities; nothing
/// else is read, and everything is bounded. A lesson of a course may name the course's scenarios
/// without its name; its own id, and its group, are the course's.
[[nodiscard]] Lesson lessonFromText(std::string_view name, std::string_view text,
                                    const std::string& course = {});

}  // namespace warplens
