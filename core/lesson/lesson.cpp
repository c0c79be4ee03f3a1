#include "core/lesson/lesson.h"

#include "core/course/course.h"

namespace warplens {
std::string_view shownLessonGroups() {
    constexpr std::string_view all = "ABCDEFK";
    static_assert(all.ends_with(courseGroup) && all.starts_with(lessonGroups));
    return openedCourse() == nullptr ? lessonGroups : all;
}

std::string_view groupTitle(char group) {
    switch (group) {
        case 'A':
            return "Threads into warps";
        case 'B':
            return "Threads on data";
        case 'C':
            return "Coalescing";
        case 'D':
            return "Divergence";
        case 'E':
            return "Memory hierarchy";
        case 'F':
            return "Scheduling";
        case courseGroup:
            return openedCourse() == nullptr ? "More" : std::string_view(openedCourse()->name);
        default:
            return "More";
    }
}

std::string groupHeading(char group) {
    const std::string title(groupTitle(group));
    return group == courseGroup ? title : std::string(1, group) + "  " + title;
}

}  // namespace warplens
