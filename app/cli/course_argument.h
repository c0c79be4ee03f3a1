#pragma once

#include <string>
#include <vector>

namespace warplens {

/// Opens the course that the command line speaks of: a folder with .cu files, where a scenario or a
/// lesson may stand (`docs/course`, which becomes the first of its lessons or scenarios), or
/// something below such a folder (`docs/course/brighten`, which becomes `course/brighten`). Words
/// of `check` stay. Throws InvalidRequest for a folder that is none of a course.
void openCourseNamedIn(std::vector<std::string>& words);

}  // namespace warplens
