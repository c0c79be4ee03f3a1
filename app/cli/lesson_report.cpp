#include "app/cli/lesson_report.h"

#include <algorithm>

#include "app/cli/documentation/wrapped.h"
#include "app/cli/options.h"
#include "app/cli/output.h"
#include "app/cli/text_table.h"
#include "core/measurement/json_trees.h"
#include "core/measurement/value_text.h"

namespace warplens {
namespace {

using json_reader::Json;
using json_reader::treeOf;

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

Json figureOf(const ResolvedNumber& figure) {
    Json object{{"name", figure.name}, {"numbers", Json::array()}};
    for (const ResolvedNumber::Line& line : figure.lines) {
        Json number{{"value", line.number.value}, {"text", line.value}};
        number["sources"] = line.sources;
        object["numbers"].push_back(std::move(number));
    }
    if (!figure.missing.empty()) object["unavailable"] = figure.missing;
    if (figure.document) {
        object["document"] = {{"document", figure.document->document},
                              {"says", figure.document->says},
                              {"why", figure.document->why}};
    }
    return object;
}

}  // namespace

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

std::string listAsJson(const LessonLibrary& library) {
    Json object{{"lessons", Json::array()}};
    for (const Lesson& lesson : library.lessons) {
        object["lessons"].push_back({{"id", lesson.id},
                                     {"group", std::string(1, lesson.group)},
                                     {"group_title", groupTitle(lesson.group)},
                                     {"title", lesson.title}});
    }
    return objectText(object);
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
    std::string text;
    for (const ResolvedNumber::Line& line : figure.lines) {
        text += (text.empty() ? "" : "<br>") + line.value + " (" + line.sources + ")";
    }
    return text.empty() ? "- (" + figure.missing + ")" : text;
}

/// Those that a document prints, too; where there is none, the first.
std::vector<const ResolvedNumber*> tellingFigures(const ResolvedLesson& resolved) {
    std::vector<const ResolvedNumber*> figures;
    for (const ResolvedNumber& figure : resolved.figures) {
        if (figure.document) figures.push_back(&figure);
    }
    if (figures.empty() && !resolved.figures.empty()) figures.push_back(resolved.figures.data());
    return figures;
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
                    "\n\n| lesson | measured by | figure | here | in the document |\n"
                    "|---|---|---|---|---|\n";
        }
        std::string id = "`" + lesson.id + "`";
        std::string command =
            "`warplens measure " + lesson.here().scenario + ' ' + toOptions(lesson.here()) + "`";
        for (const ResolvedNumber* figure : tellingFigures(resolved)) {
            text += rowOf({std::exchange(id, ""), std::exchange(command, ""), figure->name,
                           linesOf(*figure), figure->document ? figure->document->says : ""});
        }
    }
    text += "\n## Where they differ\n\n";
    for (const ResolvedLesson& resolved : lessons) {
        for (const ResolvedNumber& figure : resolved.figures) {
            if (!figure.document || figure.document->why.empty()) continue;
            text += "- `" + resolved.lesson.id + "`, " + figure.name + ": " + figure.document->why +
                    '\n';
        }
    }
    text += "\n## What is asked, and what is said to likely mistakes\n\n";
    for (const ResolvedLesson& resolved : lessons) text += mistakesOf(resolved);
    return text;
}

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
                            (resolved.choice ? lesson.question.choices[*resolved.choice].say +
                                                   " (" + resolved.answerText + ")"
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
    for (const LessonOrigin& origin : lesson.from) text += wrapped(toText(origin), 2, "From ");
    return text;
}

std::string toJson(const ResolvedLesson& resolved) {
    const Lesson& lesson = resolved.lesson;
    Json object{{"id", lesson.id},
                {"group", std::string(1, lesson.group)},
                {"title", lesson.title},
                {"launch", treeOf(lesson.here())},
                {"look", lesson.look},
                {"steps", Json::array()},
                {"question",
                 {{"ask", lesson.question.ask},
                  {"choices", Json::array()},
                  {"answer", resolved.answer ? Json(resolved.answer->value) : Json()},
                  {"answer_text", resolved.answerText},
                  {"because", lesson.question.because}}},
                {"figures", Json::array()},
                {"conclude", lesson.conclude},
                {"from", Json::array()},
                {"missing", resolved.missing}};
    for (const LessonStep& step : lesson.steps) {
        object["steps"].push_back({{"say", step.say}, {"see", step.see}});
    }
    for (const Choice& choice : lesson.question.choices) {
        object["question"]["choices"].push_back(choice.say);
    }
    object["question"]["hints"] = lesson.question.hints;
    object["question"]["mistakes"] = Json::array();
    for (const ResolvedMistake& known : resolved.mistakes) {
        const Mistake& mistake = lesson.question.mistakes.at(known.mistake);
        Json one{{"say", mistake.say}};
        if (known.guess) one["guess"] = *known.guess;
        if (mistake.choice) one["choice"] = *mistake.choice;
        object["question"]["mistakes"].push_back(std::move(one));
    }
    for (const ResolvedNumber& figure : resolved.figures)
        object["figures"].push_back(figureOf(figure));
    if (lesson.compare) {
        object["compare"] = {treeOf(lesson.launches.at(lesson.compare->a)),
                             treeOf(lesson.launches.at(lesson.compare->b))};
    }
    for (const LessonOrigin& origin : lesson.from) {
        object["from"].push_back({{"document", origin.document}, {"section", origin.section}});
    }
    return objectText(object);
}

}  // namespace warplens
