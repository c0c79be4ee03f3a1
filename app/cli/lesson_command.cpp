#include <algorithm>
#include <memory>
#include <string>

#include "app/cli/documentation/command_table.h"
#include "app/cli/measuring.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/progress.h"
#include "app/cli/subcommand.h"
#include "app/lessons/library.h"
#include "core/json/archive.h"
#include "core/lesson/resolved_lesson.h"
#include "core/measurement/measurement.h"
#include "core/text/format.h"

/// Lessons as text and as JSON.
namespace warplens {

namespace {

std::string numbersOf(const ResolvedLesson& resolved) {
    std::vector<std::vector<std::string>> rows;
    for (const ResolvedNumber& figure : resolved.figures) {
        std::string name = figure.name;
        if (figure.lines.empty()) rows.push_back({name, "-", figure.missing});
        for (const ResolvedNumber::Line& line : figure.lines) {
            rows.push_back({std::exchange(name, ""), line.value, line.sources});
        }
        if (figure.document) rows.push_back({"", figure.document->says, "the document"});
    }
    std::string text = toTable(rows, "  ");
    for (const ResolvedNumber& figure : resolved.figures) {
        if (figure.document && !figure.document->why.empty()) {
            text += wrapped(figure.name + ": " + figure.document->why, 2);
        }
    }
    return text;
}

void describeNumber(Archive& v, ResolvedNumber& figure) {
    v("name", figure.name, "What.");
    v.each("numbers", figure.lines, "What the sources say.", [&](ResolvedNumber::Line& line) {
        v("value", line.number.value, "Itself, unrounded.");
        v("text", line.value, "As it is shown, with its unit.");
        v("sources", line.sources, "Who says so.");
    });
    v.optional("unavailable", figure.missing, "Why there is no number.");
    v.object("document", figure.document, "The number that the lecture prints.",
             [&](DocumentFigure& document) {
                 v("document", document.document, "Which document.");
                 v("says", document.says, "The number.");
                 v("why", document.why, "Why it differs; empty where it does not.");
             });
}

struct ListedLesson final {
    std::string id;
    std::string group;
    std::string groupTitle;
    std::string title;
};

struct LessonList final {
    std::vector<ListedLesson> lessons;
};

void describe(Archive& v, LessonList& list) {
    describeVersion(v);
    v.each("lessons", list.lessons, "In their order.", [&](ListedLesson& lesson) {
        v("id", lesson.id, "Its id.", {.notEmpty = true});
        v("group", lesson.group, "Letter of its group.", {.pattern = "^[A-Z]$"});
        v("group_title", lesson.groupTitle, "The group in words.");
        v("title", lesson.title, "In words.");
    });
}

}  // namespace

/// Every lesson's id and title, under its group.
std::string listOf(const LessonLibrary& library) {
    std::vector<std::vector<std::string>> rows;
    char group = 0;
    for (const Lesson& lesson : library.lessons) {
        if (lesson.group != group) {
            group = lesson.group;
            rows.push_back({groupHeading(group)});
        }
        rows.push_back({"   " + lesson.id, lesson.title});
    }
    return toTable(rows) + "\n`warplens lesson ID` prints one, `warplens --lesson ID` opens it.\n";
}

/// The same as a Document::lessons.
void printJson(const LessonLibrary& library) {
    LessonList list;
    for (const Lesson& lesson : library.lessons) {
        list.lessons.push_back({lesson.id, std::string(1, lesson.group),
                                std::string(groupTitle(lesson.group)), lesson.title});
    }
    printDocument(Document::lessons, list);
}

namespace {

/// One row of the table; bars would end its cells.
std::string rowOf(std::initializer_list<std::string> cells) {
    std::string row = "|";
    for (std::string cell : cells) {
        std::ranges::replace(cell, '|', '/');
        row += ' ' + cell + " |";
    }
    return row + '\n';
}

std::string linesOf(const ResolvedNumber& figure) {
    const std::string text = joined(figure.lines, "<br>", [](const ResolvedNumber::Line& line) {
        return line.value + " (" + line.sources + ")";
    });
    return text.empty() ? "- (" + figure.missing + ")" : text;
}

/// The wrong answer that the mistake is about.
std::string guessOf(const ResolvedLesson& resolved, const Mistake& mistake) {
    const Question& question = resolved.lesson.question;
    if (mistake.choice) return question.choices.at(*mistake.choice).say;
    for (const ResolvedMistake& known : resolved.mistakes) {
        if (&question.mistakes.at(known.mistake) != &mistake || !known.guess) continue;
        return formatNumber(*known.guess, Unit::count);
    }
    return "?";
}

/// The question, its answer, and what is said to each wrong answer that is likely.
std::string mistakesOf(const ResolvedLesson& resolved) {
    const Question& question = resolved.lesson.question;
    const std::string right =
        resolved.choice ? question.choices.at(*resolved.choice).say : resolved.answerText;
    std::string text = "- `" + resolved.lesson.id + "`: " + question.ask + " **" + right + "**\n";
    for (const Mistake& mistake : question.mistakes) {
        text += "  - *" + guessOf(resolved, mistake) + "*: " + mistake.say + '\n';
    }
    return text;
}

}  // namespace

/// Markdown: for each lesson the command that opens it, the command that measures it, and its
/// figures beside those that its documents print.
std::string tableOf(const std::vector<ResolvedLesson>& lessons) {
    std::string text =
        "# The lessons and their figures\n\nWritten by `warplens lesson --table`, which looks "
        "every "
        "number up in the recordings; with `--measure` it measures each launch instead. `warplens "
        "ID` opens a lesson.\n";
    char group = 0;
    for (const ResolvedLesson& resolved : lessons) {
        const Lesson& lesson = resolved.lesson;
        if (lesson.group != group) {
            group = lesson.group;
            text += "\n## " + std::string(1, group) + ". " + std::string(groupTitle(group)) +
                    "\n\n| lesson | measured by | figure | here |\n|---|---|---|---|\n";
        }
        std::string id = "`" + lesson.id + "`";
        std::string command =
            "`warplens measure " + lesson.here().scenario + ' ' + toOptions(lesson.here()) + "`";
        for (const ResolvedNumber& figure : resolved.figures) {
            text += rowOf(
                {std::exchange(id, ""), std::exchange(command, ""), figure.name, linesOf(figure)});
        }
    }
    text += "\n## What is asked, and what is said to likely mistakes\n\n";
    for (const ResolvedLesson& resolved : lessons) text += mistakesOf(resolved);
    return text;
}

/// Text, steps, question and numbers; the answer only where it is asked for.
std::string reportOf(const ResolvedLesson& resolved, bool withAnswer) {
    const Lesson& lesson = resolved.lesson;
    std::string text = lesson.title + "\n" + groupHeading(lesson.group) + "; warplens " +
                       lesson.here().scenario + " " + toOptions(lesson.here()) + "\n\n";
    for (const std::string& words : lesson.look) text += wrapped(words, 0) + '\n';
    text += wrapped(lesson.question.ask, 0, "Predict first: ");
    for (const Choice& choice : lesson.question.choices) text += "  - " + choice.say + '\n';
    if (withAnswer) {
        text += wrapped(lesson.question.because, 0,
                        "Answer: " +
                            (resolved.choice ? lesson.question.choices[*resolved.choice].say
                                             : resolved.answerText) +
                            ". ");
    } else {
        for (const std::string& hint : lesson.question.hints) {
            text += wrapped(hint, 8, "  Hint: ");
        }
        return text + "\n`--answer` shows it, with the steps, the numbers and what follows.\n";
    }
    for (const Mistake& mistake : lesson.question.mistakes) {
        text += wrapped(mistake.say, 4, "  - " + guessOf(resolved, mistake) + ": ");
    }
    text += '\n';
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        text += wrapped(lesson.steps[i].say, 3, std::to_string(i + 1) + ". ");
        text += wrapped(lesson.steps[i].see, 3);
    }
    for (const LessonTable& table : lesson.tables) {
        text += '\n' + table.title + '\n' + toTable(table.rows, "  ");
    }
    text += '\n' + numbersOf(resolved) + '\n';
    for (const std::string& words : lesson.conclude) text += wrapped(words, 0) + '\n';
    if (!lesson.exercise.empty()) {
        text += '\n' + wrapped(taskOf(lesson), 0, "Exercise: ") + "`warplens lesson " + lesson.id +
                " --exercise > mine.cu` is where to begin, `warplens check mine.cu` says what is "
                "left.\n";
    }
    for (const LessonOrigin& origin : lesson.from) text += wrapped(toText(origin), 2, "From ");
    return text;
}

/// As a Document::lesson; written only.
void describe(Archive& v, ResolvedLesson& resolved) {
    Lesson& lesson = resolved.lesson;
    Question& question = lesson.question;
    describeVersion(v);
    v("id", lesson.id, "Its id.", {.notEmpty = true});
    v.derived("group", std::string(1, lesson.group), "Letter of its group.",
              {.pattern = "^[A-Z]$"});
    v("title", lesson.title, "In words.");
    v("launch", lesson.launches.at("here"), "The launch that it is about.");
    v("look", lesson.look, "What to look at.");
    v.each("steps", lesson.steps, "What to try.", [&](LessonStep& step) {
        v("say", step.say, "What to do.");
        v("see", step.see, "What to see then.");
    });
    v.object("question", "What to predict first.", [&] {
        std::vector<std::string> choices;
        for (const Choice& choice : question.choices) choices.push_back(choice.say);
        std::optional<double> answer;
        if (resolved.answer) answer = resolved.answer->value;
        v("ask", question.ask, "The question.");
        v("choices", choices, "Answers to choose from; empty where a number is asked for.");
        v.nullable("answer", answer, "The answer; null where it is not known here.");
        v("answer_text", resolved.answerText, "The same as text.");
        v("because", question.because, "Why.");
        v("hints", question.hints, "One after the other.");
        v.each("mistakes", resolved.mistakes, "Likely wrong answers.", [&](ResolvedMistake& known) {
            Mistake mistake = v.writes() ? question.mistakes.at(known.mistake) : Mistake{};
            v("say", mistake.say, "What it confuses.");
            v("guess", known.guess, "The number.");
            v("choice", mistake.choice, "Place of the choice, from 0.");
        });
    });
    v.each("figures", resolved.figures, "Its numbers.",
           [&](ResolvedNumber& figure) { describeNumber(v, figure); });
    v("conclude", lesson.conclude, "What follows.");
    v.each("from", lesson.from, "The documents it comes from.", [&](LessonOrigin& origin) {
        v("document", origin.document, "Which.");
        v("section", origin.section, "Where in it.");
    });
    v("missing", resolved.missing, "What could not be looked up, and why.");
    std::vector<Experiment> compared;
    if (lesson.compare) {
        compared = {lesson.launches.at(lesson.compare->a), lesson.launches.at(lesson.compare->b)};
    }
    v.optional("compare", compared, "Two launches set beside one another.");
}

namespace {

struct LessonOptions final {
    std::string id;
    std::optional<std::string> recordings;
    WorkerOptions worker;
    bool answer = false;
    bool exercise = false;
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
        refuseIdle(parser, {"--answer", "--exercise", "--json", "ID"}, "without --table", idle);
    } else if (options.id.empty()) {
        refuseIdle(parser, {"--measure", "--recordings"}, "with an ID or --table", idle);
        refuseIdle(parser, {"--answer", "--exercise"}, "with an ID", idle);
    } else if (options.exercise) {
        refuseIdle(parser, {"--answer", "--json", "--measure", "--recordings"},
                   "without --exercise", idle);
    }
    if (!options.measure) {
        refuseMeasuringOptions(parser, "with --measure", idle);
    }
    if (!idle.empty()) throw InvalidRequest(std::move(idle));
}

std::string lessonsToWrite() {
    std::string ids;
    for (const Lesson& lesson : builtInLessons().lessons) {
        if (!lesson.exercise.empty()) addWords(ids, ", ", lesson.id);
    }
    return ids;
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
    if (options.exercise) {
        const Lesson& lesson = lessonNamed(options.id);
        if (lesson.exercise.empty()) {
            throw InvalidRequest({{"--exercise", "'" + options.id + "'",
                                   "one of the lessons that have one: " + lessonsToWrite()}});
        }
        print(exerciseFile(lesson));
        return ExitCode::done;
    }
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
    parser->add_flag(
        "--exercise", options->exercise,
        "the program that is to be put right in it; `warplens check` says what is left");
    parser->add_flag("--table", options->table,
                     "the figures of all lessons beside those of their documents, in Markdown");
    parser->add_flag("--measure", options->measure, "measure its launches instead of reading them");
    addMeasuringOptions(*parser, options->worker);
    addScheduleOption(*parser, options->worker);
    addRecordingsOption(*parser, options->recordings);
    addJsonFlag(*parser, options->json);
    const auto schemaOfOne = [](Document document) {
        ResolvedLesson any{.lesson = {.launches = {{"here", {}}},
                                      .question = {.ask = {}, .answer = Expression("0")}},
                           .answerText = {},
                           .figures = {},
                           .missing = {}};
        return schemaText(document, membersOf(any));
    };
    return {
        .parser = parser,
        .run =
            [options, parser] {
                refuseIdle(*parser, *options);
                return run(*options);
            },
        .schemas = {{Document::lessons, schemaFor<LessonList>}, {Document::lesson, schemaOfOne}}};
}

}  // namespace warplens
