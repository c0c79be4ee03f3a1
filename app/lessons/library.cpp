#include "app/lessons/library.h"

#include <algorithm>
#include <atomic>
#include <iterator>
#include <mutex>
#include <tuple>

#include "core/course/course.h"
#include "core/json/json.h"
#include "core/launch/launch.h"
#include "core/lesson/lesson_json.h"
#include "core/text/encoding.h"
#include "core/text/names.h"
#include "kernels/library/predict.h"

#include "embedded/warplens_lessons.h"

namespace warplens {
namespace {

class Shelf final {
  public:
    Shelf() {
        read(openedCourse() == nullptr ? std::vector<CourseText>() : openedCourse()->lessons);
    }

    void read(const std::vector<CourseText>& ofCourse) {
        auto library = std::make_unique<LessonLibrary>();
        std::map<std::string_view, std::string_view> exercises;
        for (const auto& file : built_in_lessons::embeddedFiles()) {
            if (file.name.ends_with(".cu"))
                exercises.emplace(file.name.substr(0, file.name.size() - 3), file.bytes);
        }
        for (const auto& [name, text] : built_in_lessons::embeddedFiles()) {
            if (!name.ends_with(".json")) continue;
            const auto exercise = exercises.find(name.substr(0, name.size() - 5));
            add(*library, name, text, exercise == exercises.end() ? "" : exercise->second, {});
        }
        const std::scoped_lock lock(mutex_);
        for (const CourseText& file : ofCourse) {
            add(*library, file.file, file.text, file.exercise, openedCourse()->name);
        }
        std::ranges::sort(library->lessons, {}, [](const Lesson& lesson) {
            return std::tie(lesson.group, lesson.place, lesson.id);
        });
        now_ = library.get();
        editions_.push_back(std::move(library));
    }
    [[nodiscard]] const LessonLibrary& now() const { return *now_; }

  private:
    void add(LessonLibrary& library, std::string_view file, std::string_view text,
             std::string_view exercise, const std::string& course) {
        try {
            library.lessons.push_back(lessonFromText(file, text, course));
            library.lessons.back().exercise = exercise;
            if (!course.empty())
                lastRead_.insert_or_assign(std::string(file), library.lessons.back());
        } catch (const MalformedJson& error) {
            library.problems.emplace_back(error.what());
            const auto before = lastRead_.find(std::string(file));
            if (before != lastRead_.end()) library.lessons.push_back(before->second);
        }
    }

    std::mutex mutex_;
    std::map<std::string, Lesson> lastRead_;  ///< of the course, by file
    std::vector<std::unique_ptr<const LessonLibrary>> editions_;
    std::atomic<const LessonLibrary*> now_ = nullptr;
};

Shelf& shelf() {
    static Shelf all;
    return all;
}

void addMeasurement(LaunchEvidence& launch, const std::vector<Measurement>& fresh,
                    const RecordingLibrary& recordings) {
    const auto newest = std::ranges::find(fresh.rbegin(), fresh.rend(), launch.experiment,
                                          &Measurement::experiment);
    if (newest != fresh.rend()) {
        launch.measured = *newest;
    } else if (const Recording* recording =
                   findRecording(recordings.recordings, launch.experiment)) {
        launch.measured = recording->measurement;
        launch.recorded = true;
    }
}

/// What a recording predicts is what tracing predicts: tests/trace holds them together.
void addPrediction(LaunchEvidence& launch, const RecordingLibrary& recordings,
                   std::stop_token stop) {
    if (const Recording* recording = findRecording(recordings.recordings, launch.experiment)) {
        std::ranges::copy_if(recording->measurement.values, std::back_inserter(launch.predicted),
                             [](const Value& value) { return value.source == Source::predicted; });
        if (!launch.predicted.empty()) return;
    }
    PredictOptions options;
    options.stop = std::move(stop);
    try {
        LaunchReport prediction = predict(launch.experiment, options);
        if (!prediction.exact) launch.predictedHow = howPredicted(prediction);
        launch.predicted = std::move(prediction.values);
    } catch (const TraceFault& fault) {
        launch.predictedHow = fault.what();
    }
}

constexpr std::string_view head = "// Exercise of the lesson ";
/// What follows compares the results.
constexpr std::string_view below = "// From here on";

/// What a text's comments say to `check`: `sectors_per_request <= 4`.
std::vector<std::string_view> heldTo(std::string_view text) {
    constexpr std::string_view mark = "warplens:";
    std::vector<std::string_view> all;
    for (const std::string_view line : splitLines(text)) {
        const std::size_t comment = std::min(line.find("//"), line.size());
        const std::size_t at = line.find(mark, comment);
        if (at != line.npos && trimmed(line.substr(comment, at - comment)) == "//")
            all.push_back(trimmed(line.substr(at + mark.size())));
    }
    return all;
}

}  // namespace

const LessonLibrary& builtInLessons() {
    return shelf().now();
}

void readLessonsAgain() {
    if (openedCourse() == nullptr) return;
    std::vector<CourseFault> faults;
    shelf().read(lessonTextsIn(openedCourse()->folder, faults));
}

bool isLesson(std::string_view id) {
    if (openedCourse() != nullptr) return findLesson(id) != nullptr;
    return std::ranges::any_of(built_in_lessons::embeddedFiles(), [&](const auto& file) {
        return file.name.size() == id.size() + 5 && file.name.starts_with(id) &&
               file.name.ends_with(".json");
    });
}

const Lesson* findLesson(std::string_view id) {
    const std::vector<Lesson>& lessons = builtInLessons().lessons;
    const auto found = std::ranges::find(lessons, id, &Lesson::id);
    return found == lessons.end() ? nullptr : &*found;
}

const Lesson& lessonNamed(std::string_view id) {
    if (const Lesson* lesson = findLesson(id)) return *lesson;
    std::vector<std::string_view> known;
    for (const Lesson& lesson : builtInLessons().lessons) known.emplace_back(lesson.id);
    throw InvalidRequest({{"lesson", "'" + std::string(id) + "'",
                           "one of those that `warplens lesson` lists" + didYouMean(id, known)}});
}

const Lesson* lessonBeside(std::string_view id, int step) {
    const Lesson* const now = findLesson(id);
    if (now == nullptr) return nullptr;
    const std::vector<Lesson>& lessons = builtInLessons().lessons;
    const auto place = now - lessons.data() + step;
    const bool inside = place >= 0 && place < static_cast<std::ptrdiff_t>(lessons.size());
    return inside ? &lessons[static_cast<std::size_t>(place)] : nullptr;
}

LessonEvidence evidenceFor(const Lesson& lesson, const std::vector<Measurement>& fresh,
                           const RecordingLibrary& recordings, std::stop_token stop) {
    LessonEvidence evidence;
    for (const auto& [name, experiment] : lesson.launches) {
        LaunchEvidence launch{.experiment = experiment, .predicted = {}, .predictedHow = {}};
        addMeasurement(launch, fresh, recordings);
        addPrediction(launch, recordings, stop);
        evidence.emplace(name, std::move(launch));
    }
    return evidence;
}

std::string taskOf(const Lesson& lesson) {
    std::string words;
    for (const std::string_view line : splitLines(lesson.exercise)) {
        if (!line.starts_with("//")) break;
        words += (words.empty() ? "" : " ") + std::string(trimmed(line.substr(2)));
    }
    return words;
}

std::string exerciseFile(const Lesson& lesson) {
    return std::string(head) + lesson.id + "\n//\n" + lesson.exercise;
}

std::string_view exerciseNamedIn(std::string_view text) {
    const std::string_view first = lineOf(text, 1);
    return first.starts_with(head) ? trimmed(first.substr(head.size())) : std::string_view();
}

const Lesson* lessonOfExercise(const ProgramSources& sources) {
    if (sources.units.empty()) return nullptr;
    const Lesson* const lesson = findLesson(exerciseNamedIn(sources.units.front().text));
    return lesson == nullptr || lesson->exercise.empty() ? nullptr : lesson;
}

std::string_view keptPart(const Lesson& lesson) {
    const std::string_view all = lesson.exercise;
    return all.substr(std::min(all.find(below), all.size()));
}

std::vector<ProgramWarning> leftToDo(const Lesson& lesson, const ProgramTrace& trace,
                                     const ProgramSources& sources) {
    std::vector<ProgramWarning> left = warningsOf(trace, sources);
    std::erase_if(left, [](const ProgramWarning& one) { return one.rule == "unused-allowance"; });
    const ProgramFile& file = sources.units.front();
    const auto tell = [&](std::string words) {
        left.push_back({"failed-program", {file.path, 0, 0}, "", "", std::move(words)});
    };
    // As it is begun it may be wrong.
    if (file.text == exerciseFile(lesson)) {
        for (ProgramWarning& one : left)
            if (one.rule == "failed-program" && one.words.starts_with("the program returned"))
                one.words = "its results are wrong on purpose, that is the exercise: " + one.words;
    }
    if (!file.text.ends_with(keptPart(lesson)))
        tell("the part that compares the results is not as it was");
    // It sets what it is held to, and what it allows.
    const auto tellOf = [&](std::string_view from, std::string_view in, bool allows,
                            const std::string& words) {
        const std::vector<std::string_view> there = heldTo(in);
        for (const std::string_view each : heldTo(from)) {
            if (each.starts_with("allow(") == allows &&
                std::ranges::find(there, each) == there.end())
                tell("the comment `// warplens: " + std::string(each) + "` " + words);
        }
    };
    tellOf(lesson.exercise, file.text, false, "is gone, which the exercise is held to");
    tellOf(file.text, lesson.exercise, true, "is none of the exercise's");
    return left;
}

}  // namespace warplens
