#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "core/course/course.h"

namespace warplens {

/// What is wrong with a course, and what was looked at.
struct CourseReport final {
    std::string course;               ///< its folder, as it was named
    std::vector<CourseFault> faults;  ///< their files with the folder
    std::vector<std::string> unmeasured;
    std::vector<std::string> asBegun;  ///< `FILE:LINE: RULE: ...` of exercises; no faults
    std::size_t scenarios = 0;
    std::size_t lessons = 0;
    std::size_t exercises = 0;
    std::size_t numbers = 0;
    std::size_t steps = 0;
};
void describe(Archive& v, CourseReport& report);
/// Faults one a line, then what was looked at.
[[nodiscard]] std::string asText(const CourseReport& report);

/// Of the course that is open, `folder` being how it was named. Throws where nothing compiles.
[[nodiscard]] CourseReport checkOpenedCourse(const std::string& folder);

/// `check` of a course's folder. Puts the kernels' PTX into the folder where that is to be kept.
[[nodiscard]] CourseReport checkCourse(const std::string& folder, bool keepsPtx);

}  // namespace warplens
