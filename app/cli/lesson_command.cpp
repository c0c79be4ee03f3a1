#include <CLI/CLI.hpp>
#include <memory>

#include "app/cli/lesson_report.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/subcommand.h"
#include "app/lessons/evidence.h"

namespace warplens {
namespace {

struct LessonOptions final {
    std::string id;
    std::optional<std::string> recordings;
    bool answer = false;
    bool json = false;
};

ExitCode run(const LessonOptions& options) {
    const LessonLibrary& library = builtInLessons();
    for (const std::string& problem : library.problems) complain(problem);
    if (options.id.empty()) {
        print(options.json ? listAsJson(library) : listOf(library));
        return ExitCode::done;
    }
    const Lesson& lesson = lessonNamed(options.id);
    const ToldLesson told = tell(lesson, evidenceFor(lesson, {}, libraryFrom(options.recordings)));
    print(options.json ? toJson(told) : reportOf(told, options.answer));
    return ExitCode::done;
}

}  // namespace

Subcommand addLessonCommand(CLI::App& program) {
    const auto options = std::make_shared<LessonOptions>();
    CLI::App* parser = program.add_subcommand(
        "lesson", "what to look at, what to try and what to conclude, with the numbers behind it");
    parser->add_option("ID", options->id, "which one; left out: lists them");
    parser->add_flag("--answer", options->answer, "with the answer to its question");
    addRecordingsOption(*parser, options->recordings);
    addJsonFlag(*parser, options->json);
    return {parser, [options] { return run(*options); }};
}

}  // namespace warplens
