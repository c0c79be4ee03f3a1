#include "core/course/course.h"

#include <algorithm>

#include "core/kernel/kernel.h"
#include "core/launch/launch.h"
#include "core/text/files.h"
#include "core/text/names.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostFiles = 200;
constexpr std::uintmax_t largestFile = 1 << 20;

std::optional<Course>& theCourse() {
    static std::optional<Course> course;
    return course;
}

std::vector<fs::path> filesIn(const fs::path& folder, std::string_view extension) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        std::error_code ignored;
        if (entry.path().extension() == extension && entry.is_regular_file(ignored)) {
            files.push_back(entry.path());
        }
    }
    std::ranges::sort(files);
    return files;
}

/// Adds what went wrong; `words` may begin with the file and its line.
void addFault(Course& course, const std::string& file, std::uint32_t line, std::string words) {
    const std::string head = file + ':' + std::to_string(line) + ": ";
    if (words.starts_with(head)) words.erase(0, head.size());
    course.faults.push_back({file, line, std::move(words)});
}

/// As a header names them, though it cannot be read.
std::vector<std::string> scenariosNamedIn(std::string_view text) {
    constexpr std::string_view entry = "// scenario ";
    std::vector<std::string> ids;
    for (std::size_t at = text.find(entry); at != std::string_view::npos;
         at = text.find(entry, at + 1)) {
        const std::string_view line = text.substr(at, text.find_first_of("\r\n", at) - at);
        const std::size_t colon = line.find(": ");
        if (colon != std::string_view::npos) ids.emplace_back(line.substr(colon + 2));
    }
    return ids;
}

void readKernel(Course& course, const fs::path& path) {
    const std::string file = path.filename().string();
    std::string text;
    try {
        text = readFile(path, largestFile);
        const KernelHeader header = readHeader(file, text);
        const bool isPart = std::ranges::find(header.entries, std::string("scenario"),
                                              &HeaderEntry::key) != header.entries.end();
        if (!isPart) return;
        Kernel kernel = parseKernelFile(file, text);
        kernel.folder = course.folder.string();
        course.kernels.push_back(std::move(kernel));
    } catch (const MalformedKernelFile& malformed) {
        addFault(course, file, malformed.line, malformed.what());
        for (const auto& [line, words] : malformed.others) addFault(course, file, line, words);
        for (std::string& id : scenariosNamedIn(text)) course.unread.emplace(std::move(id), file);
    } catch (const std::exception& error) {
        addFault(course, file, 1, error.what());
    }
}

/// Ids get the course's name; what a scenario is compared with may be one of the course's.
void nameScenarios(Course& course) {
    std::map<std::string, std::string> ids;  // and where they are
    for (Kernel& kernel : course.kernels) {
        std::erase_if(kernel.scenarios, [&](const Scenario& scenario) {
            const auto [other, isNew] =
                ids.emplace(scenario.id, kernel.file + ':' + std::to_string(scenario.line));
            if (!isNew)
                addFault(course, kernel.file, scenario.line,
                         "there is a scenario " + scenario.id + " already, in " + other->second);
            return !isNew;
        });
    }
    for (Kernel& kernel : course.kernels) {
        for (Scenario& scenario : kernel.scenarios) {
            if (ids.contains(scenario.comparedWith)) {
                scenario.comparedWith = course.name + '/' + scenario.comparedWith;
            }
        }
        kernel.enterCourse(course.name);
    }
}

/// Told of each exercise beside which there is no lesson.
void tellOfStrayExercises(const fs::path& lessons, std::vector<CourseFault>& faults) {
    std::vector<std::string> missing;
    for (const fs::path& path : filesIn(lessons, ".json")) {
        const fs::path exercise = fs::path(path).replace_extension(".cu");
        std::error_code none;
        if (!fs::exists(exercise, none)) missing.push_back(exercise.filename().string());
    }
    const std::vector<std::string_view> known(missing.begin(), missing.end());
    for (const fs::path& path : filesIn(lessons, ".cu")) {
        if (isBesideLesson(path)) continue;
        const std::string name = path.filename().string();
        faults.push_back({"lessons/" + name, 1,
                          "belongs to no lesson: an exercise has its lesson's file name, with .cu" +
                              didYouMean(name, known)});
    }
}

}  // namespace

bool isCourseName(std::string_view name) {
    return !name.empty() && std::ranges::all_of(name, [](char c) {
        return c == '-' || c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
               (c >= 'A' && c <= 'Z');
    });
}

std::string toString(const CourseFault& fault) {
    return fault.file + ':' + std::to_string(fault.line) + ": " + fault.words;
}

std::vector<CourseText> lessonTextsIn(const fs::path& folder, std::vector<CourseFault>& faults) {
    std::vector<CourseText> texts;
    for (const fs::path& path : filesIn(folder / "lessons", ".json")) {
        const std::string file = "lessons/" + path.filename().string();
        try {
            texts.push_back({file, readFile(path, largestFile)});
            const fs::path exercise = fs::path(path).replace_extension(".cu");
            if (std::error_code none; fs::exists(exercise, none)) {
                texts.back().exercise = readFile(exercise, largestFile);
            }
        } catch (const std::exception& unreadable) {
            faults.push_back({file, 1, unreadable.what()});
        }
    }
    tellOfStrayExercises(folder / "lessons", faults);
    return texts;
}

bool isBesideLesson(const fs::path& file) {
    std::error_code error;
    const fs::path whole = fs::absolute(file, error);
    return whole.parent_path().filename() == "lessons" && whole.extension() == ".cu" &&
           fs::exists(fs::path(whole).replace_extension(".json"), error);
}

bool looksLikeCourse(const fs::path& folder) {
    std::error_code error;
    return fs::is_directory(folder, error) && !filesIn(folder, ".cu").empty();
}

Course readCourse(const fs::path& folder) {
    std::error_code error;
    Course course;
    course.folder = fs::absolute(folder, error).lexically_normal();
    if (course.folder.filename().empty()) course.folder = course.folder.parent_path();
    course.name = course.folder.filename().string();
    const std::string given = '\'' + folder.string() + '\'';
    if (!fs::is_directory(course.folder, error)) {
        throw InvalidRequest({{"folder", given, "must be a folder with .cu files"}});
    }
    if (!isCourseName(course.name)) {
        throw InvalidRequest(
            {{"folder", given, "must have a name of letters, digits, - and _: ids begin with it"}});
    }
    std::vector<fs::path> kernels = filesIn(course.folder, ".cu");
    std::vector<fs::path> lessons = filesIn(course.folder / "lessons", ".json");
    if (kernels.size() + lessons.size() > mostFiles) {
        throw InvalidRequest({{"folder", std::to_string(kernels.size() + lessons.size()) + " files",
                               "at most " + std::to_string(mostFiles)}});
    }
    for (const fs::path& path : kernels) readKernel(course, path);
    nameScenarios(course);
    course.lessons = lessonTextsIn(course.folder, course.faults);
    if (course.kernels.empty() && course.faults.empty()) {
        throw InvalidRequest(
            {{"folder", given,
              "has no .cu file: neither a program, nor one of a course with a header "
              "(`// scenario A1: ...`)"}});
    }
    return course;
}

Course courseOfTexts(const std::string& name, std::span<const ProgramFile> kernels) {
    Course course;
    course.name = name;
    for (const ProgramFile& kernel : kernels) {
        course.kernels.push_back(parseKernelFile(kernel.path, kernel.text));
    }
    nameScenarios(course);
    return course;
}

void openCourse(Course course) {
    addKernels(course.kernels);
    theCourse() = std::move(course);
}

const Course* openedCourse() {
    return theCourse() ? &*theCourse() : nullptr;
}

}  // namespace warplens
