#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/library/kernel_file.h"
#include "core/program/program_sources.h"

/// A folder of one's own kernels and lessons, shown beside the built-in ones: `.cu` files with
/// headers, `lessons/*.json`, `recordings/*.json` (docs/courses.md).
namespace warplens {

/// What is wrong with a course, and where.
struct CourseFault final {
    std::string file;  ///< below the course's folder
    std::uint32_t line = 0;
    std::string words;
    friend bool operator==(const CourseFault&, const CourseFault&) = default;
};
/// `lessons/halo.json:12: there is no launch 'wide'`.
[[nodiscard]] std::string toString(const CourseFault& fault);

struct CourseText final {
    std::string file;  ///< below the course's folder
    std::string text;
    std::string exercise{};  ///< of the file beside it that ends in `.cu`; empty: there is none
};

struct Course final {
    std::string name;  ///< of the folder; ids begin with it: `NAME/ID`
    std::filesystem::path folder;
    std::vector<Kernel> kernels;
    std::vector<CourseText> lessons;
    std::vector<CourseFault> faults;  ///< files that could not be read
    /// Scenarios of these, and the file of each.
    std::map<std::string, std::string, std::less<>> unread;
};

/// Where all scenarios and lessons of a course stand, behind the built-in groups.
inline constexpr char courseGroup = 'K';

/// Whether ids can begin with it: letters, digits, `-` and `_`.
[[nodiscard]] bool isCourseName(std::string_view name);

/// Whether the folder holds `.cu` files.
[[nodiscard]] bool looksLikeCourse(const std::filesystem::path& folder);

/// Reads a folder. `.cu` files without an entry in a header of theirs are programs of their own,
/// and no part of the course. Throws InvalidRequest for a folder that cannot be read, holds no
/// kernel, or has a name that ids cannot begin with: letters, digits, `-` and `_`.
[[nodiscard]] Course readCourse(const std::filesystem::path& folder);

/// The same of kernels' texts alone, as a worker gets them: no lessons, no recordings. Throws
/// MalformedKernelFile.
[[nodiscard]] Course courseOfTexts(const std::string& name, std::span<const ProgramFile> kernels);

/// Makes its kernels and scenarios known. One course at most, before scenarios are asked for.
void openCourse(Course course);
/// The texts of the folder's lessons; which could not be read, and exercises of none, are faults.
[[nodiscard]] std::vector<CourseText> lessonTextsIn(const std::filesystem::path& folder,
                                                    std::vector<CourseFault>& faults);
/// Whether the file is a lesson's exercise by its place: `lessons/ID.cu` beside `lessons/ID.json`.
[[nodiscard]] bool isBesideLesson(const std::filesystem::path& file);
/// Null where none is open.
[[nodiscard]] const Course* openedCourse();

}  // namespace warplens
