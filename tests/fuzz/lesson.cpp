#include <string>

#include "core/json/json.h"
#include "core/lesson/lesson_json.h"
#include "core/lesson/resolved_lesson.h"
#include "tests/fuzz/fuzz.h"

using namespace warplens;

namespace {

/// As on a machine without a GPU and before anything was predicted.
LessonEvidence launchesAlone(const Lesson& lesson) {
    LessonEvidence evidence;
    for (const auto& [name, experiment] : lesson.launches) {
        evidence.emplace(name, LaunchEvidence{.experiment = experiment,
                                              .predicted = {},
                                              .predictedHow = "nothing was traced"});
    }
    return evidence;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    try {
        const Lesson lesson = lessonFromText("fuzz", fuzz::textOf(data, size));
        for (const auto& [name, experiment] : lesson.launches) {
            fuzz::promise(validateRun(experiment).empty(), "a lesson's launches can be run");
        }
        const ResolvedLesson resolved = tell(lesson, launchesAlone(lesson));
        fuzz::promise(resolved.figures.size() == lesson.figures.size(), "every figure is told");
        if (resolved.answer) (void)judge(resolved, resolved.answerText);
    } catch (const MalformedJson& refusal) {
        fuzz::promise(std::string_view(refusal.what()).starts_with("fuzz:"),
                      "a refusal names the file");
    }
    return 0;
}
