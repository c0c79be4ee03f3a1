#pragma once

#include "core/lesson/lesson.h"
#include "core/lesson/lesson_reader.h"

/// What a lesson shows.
namespace warplens::lesson_reader {

[[nodiscard]] std::vector<PictureKind> panelsFrom(const Json& tree, const char* name);

/// `before` is the launch that is shown when the scene is set.
[[nodiscard]] Scene sceneFrom(const Json& tree, const Launches& launches, const Experiment& before);

}  // namespace warplens::lesson_reader
