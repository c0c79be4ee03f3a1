#include "app/cli/course_argument.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/cli/output.h"
#include "app/lessons/library.h"
#include "core/course/course.h"
#include "core/scenario/scenario.h"
#include "kernels/course/remote_kernel.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

void open(const fs::path& folder) {
    Course course = readCourse(folder);
    for (const CourseFault& fault : course.faults) complain(toString(fault));
    course::runKernelsInChildren();
    openCourse(std::move(course));
}

/// What is opened with a course: its first lesson, which a scenario may share its id with, or else
/// its first scenario.
std::string firstOf(const Course& course, bool takesLesson) {
    for (const Lesson& lesson : builtInLessons().lessons) {
        if (lesson.group == courseGroup) return (takesLesson ? "--lesson=" : "") + lesson.id;
    }
    for (const Scenario& scenario : allScenarios()) {
        if (scenario.group == courseGroup) return std::string(scenario.id);
    }
    return course.name;
}

/// Options whose word is a path of its own.
bool isValueOf(const std::string& option) {
    constexpr std::array flags{"--json", "--csv", "--markdown", "--answer", "--unconfined"};
    return option.starts_with('-') && std::ranges::find(flags, option) == flags.end();
}

/// After `--lesson` the course's are called without its name, or with the folder's path.
void nameLessonIn(std::vector<std::string>& words) {
    if (openedCourse() == nullptr) return;
    for (std::size_t i = 1; i < words.size(); ++i) {
        if (words[i - 1] != "--lesson" || findLesson(words[i]) != nullptr) continue;
        const std::string full =
            openedCourse()->name + '/' + fs::path(words[i]).filename().string();
        if (findLesson(full) != nullptr) words[i] = full;
    }
}

void openFirstCourseNamedIn(std::vector<std::string>& words) {
    if (words.size() > 1 && words[1] == "check") return;
    for (std::size_t i = 1; i < words.size(); ++i) {
        std::string& word = words[i];
        const bool isLesson = words[i - 1] == "--lesson";
        if (word.starts_with('-') || (i > 1 && isValueOf(words[i - 1]) && !isLesson)) continue;
        std::error_code error;
        if (!isLesson && fs::is_directory(word, error)) {
            const bool isArgument = i == 1 || words[1] == "screenshot" || words[1] == "list" ||
                                    words[1] == "lesson" || word.find('/') != std::string::npos;
            if (!isArgument || !looksLikeCourse(word)) continue;
            open(word);
            const bool isNamed = std::ranges::any_of(
                words, [](const std::string& each) { return each.starts_with("--lesson"); });
            if (isNamed || words[1] == "list" || (words[1] == "lesson" && i == 2)) {
                words.erase(words.begin() + static_cast<std::ptrdiff_t>(i));
            } else {
                word = firstOf(*openedCourse(), i == 1 || words[1] == "screenshot");
            }
            return;
        }
        const fs::path path(word);
        if (!path.has_parent_path() || path.extension() == ".cu" || fs::exists(path, error)) {
            continue;
        }
        if (!looksLikeCourse(path.parent_path())) continue;
        open(path.parent_path());
        word = openedCourse()->name + '/' + path.filename().string();
        return;
    }
}

}  // namespace

void openCourseNamedIn(std::vector<std::string>& words) {
    openFirstCourseNamedIn(words);
    nameLessonIn(words);
}

}  // namespace warplens
