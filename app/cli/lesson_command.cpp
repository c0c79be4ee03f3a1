#include <algorithm>
#include <memory>

#include "app/cli/lesson_report.h"
#include "app/cli/measuring.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "app/cli/subcommand.h"
#include "app/lessons/evidence.h"

namespace warplens {
namespace {

struct LessonOptions final {
    std::string id;
    std::optional<std::string> recordings;
    WorkerOptions worker;
    bool answer = false;
    bool measure = false;
    bool table = false;
    bool json = false;
};

/// Tells lessons one after the other, measuring no launch twice.
class Teller final {
  public:
    explicit Teller(const LessonOptions& options)
        : options_(options), recordings_(libraryFrom(options.recordings)) {}

    ResolvedLesson tell(const Lesson& lesson) {
        if (options_.measure) measure(lesson);
        return warplens::tell(lesson, evidenceFor(lesson, fresh_, recordings_));
    }

  private:
    void measure(const Lesson& lesson) {
        for (const auto& [name, experiment] : lesson.launches) {
            const bool known =
                std::ranges::find(fresh_, experiment, &Measurement::experiment) != fresh_.end();
            if (known) continue;
            fresh_.push_back(measureNow(experiment, options_.worker));
            endIfInterrupted();
        }
    }

    const LessonOptions& options_;
    RecordingLibrary recordings_;
    std::vector<Measurement> fresh_;
};

/// Throws InvalidRequest with the options that change nothing beside the others.
void refuseIdle(const CLI::App& parser, const LessonOptions& options) {
    std::vector<LimitViolation> idle;
    if (options.table) {
        refuseIdle(parser, {"--answer", "--json", "ID"}, "without --table", idle);
    } else if (options.id.empty()) {
        refuseIdle(parser, {"--measure", "--recordings"}, "with an ID or --table", idle);
        refuseIdle(parser, {"--answer"}, "with an ID", idle);
    }
    if (!options.measure) {
        refuseMeasuringOptions(parser, "with --measure", idle);
    }
    if (!idle.empty()) throw InvalidRequest(std::move(idle));
}

ExitCode run(const LessonOptions& options) {
    const LessonLibrary& library = builtInLessons();
    for (const std::string& problem : library.problems) complain(problem);
    if (options.id.empty() && !options.table) {
        if (options.json) {
            printJson(library);
        } else {
            print(listOf(library));
        }
        return ExitCode::done;
    }
    // Before the recordings are read.
    if (!options.table) (void)lessonNamed(options.id);
    const InterruptNoted noted;
    Teller teller(options);
    if (options.table) {
        std::vector<ResolvedLesson> lessons;
        {
            ProgressLine line("telling");
            for (const Lesson& lesson : library.lessons) {
                line.show(static_cast<double>(lessons.size()) /
                              static_cast<double>(library.lessons.size()),
                          "telling " + lesson.id);
                lessons.push_back(teller.tell(lesson));
            }
        }
        print(tableOf(lessons));
        return ExitCode::done;
    }
    const Lesson& lesson = lessonNamed(options.id);
    const ResolvedLesson resolved = [&] {
        const ProgressLine line("telling " + lesson.id);
        return teller.tell(lesson);
    }();
    if (options.json) {
        printDocument(Document::lesson, resolved);
    } else {
        print(reportOf(resolved, options.answer));
    }
    return ExitCode::done;
}

}  // namespace

Subcommand addLessonCommand(CLI::App& program) {
    const auto options = std::make_shared<LessonOptions>();
    CLI::App* parser = program.add_subcommand(
        "lesson", "what to look at, what to try and what to conclude, with the numbers behind it");
    addText(*parser, "ID", options->id, value::lesson, "which one; left out, lists them");
    parser->add_flag("--answer", options->answer, "with the answer to its question");
    parser->add_flag("--table", options->table,
                     "the figures of all lessons beside those of their documents, in Markdown");
    parser->add_flag("--measure", options->measure, "measure its launches instead of reading them");
    addMeasuringOptions(*parser, options->worker);
    addScheduleOption(*parser, options->worker);
    addRecordingsOption(*parser, options->recordings);
    addJsonFlag(*parser, options->json);
    return {parser, [options, parser] {
                refuseIdle(*parser, *options);
                return run(*options);
            }};
}

}  // namespace warplens
