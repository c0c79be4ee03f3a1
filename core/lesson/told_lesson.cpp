#include "core/lesson/told_lesson.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/lesson/document.h"
#include "core/lesson/lesson_text.h"

namespace warplens {
namespace {

void append(std::string& list, const std::string& word) {
    list += (list.empty() ? "" : ", ") + word;
}

bool isMeasured(const std::string& source) {
    return source != toString(Source::predicted) && source != "by rule";
}

/// `predicted; recorded on NVIDIA H200, 2026-11-21: probed, counted`.
std::string sourcesOf(const FoundNumber& number) {
    std::string here;
    std::string there;
    for (const std::string& source : number.sources) {
        append(isMeasured(source) ? there : here, source);
    }
    if (there.empty()) return here;
    return here + (here.empty() ? "" : "; ") + (number.recorded ? "recorded on " : "measured on ") +
           number.device + ": " + there;
}

/// Sources that say the same share a line.
void addLine(ToldFigure& figure, const FoundNumber& number, int decimals) {
    std::string value = formatFound(number, decimals);
    const auto same = std::ranges::find(figure.lines, value, &ToldFigure::Line::value);
    if (same == figure.lines.end()) {
        figure.lines.push_back({std::move(value), {}, number});
        return;
    }
    std::ranges::copy(number.sources, std::back_inserter(same->number.sources));
    if (same->number.device.empty()) {
        same->number.device = number.device;
        same->number.recorded = number.recorded;
    }
}

ToldFigure toldFigure(const LessonFigure& figure, const LessonEvidence& evidence) {
    ToldFigure told{.name = figure.name, .lines = {}, .missing = {}, .document = figure.document};
    const auto ask = [&](std::optional<Source> source) {
        const Evaluation finding = evaluate(figure.value, evidence, source);
        if (const auto* number = std::get_if<FoundNumber>(&finding)) {
            addLine(told, *number, figure.decimals);
        } else if (told.missing.empty()) {
            told.missing = std::get<Unavailable>(finding).reason;
        }
    };
    if (figure.value.asksAnySource()) {
        for (const Source source :
             {Source::predicted, Source::probed, Source::counted, Source::timed}) {
            ask(source);
        }
    } else {
        ask({});
    }
    for (ToldFigure::Line& line : told.lines) line.sources = sourcesOf(line.number);
    if (!told.lines.empty()) told.missing.clear();
    return told;
}

bool holds(const Choice& choice, double value) {
    return value >= choice.from && value <= choice.to;
}

}  // namespace

ToldLesson tell(const Lesson& lesson, const LessonEvidence& evidence) {
    ToldLesson told{.lesson = lesson, .answerText = {}, .figures = {}, .missing = {}};
    const auto fill = [&](std::string& text) { text = filled(text, evidence, told.missing); };
    for (std::string& text : told.lesson.look) fill(text);
    for (LessonStep& step : told.lesson.steps) {
        fill(step.say);
        fill(step.see);
    }
    for (LessonTable& table : told.lesson.tables) {
        for (std::vector<std::string>& row : table.rows) std::ranges::for_each(row, fill);
    }
    Question& question = told.lesson.question;
    fill(question.ask);
    fill(question.because);
    for (std::string& text : question.hints) fill(text);
    for (std::size_t i = 0; i < question.mistakes.size(); ++i) {
        Mistake& mistake = question.mistakes[i];
        fill(mistake.say);
        ToldMistake known{.mistake = i};
        if (mistake.guess) {
            const Evaluation finding = evaluate(*mistake.guess, evidence);
            if (const auto* number = std::get_if<FoundNumber>(&finding)) {
                known.guess = number->value;
            } else {
                told.missing.push_back(mistake.guess->text() + ": " +
                                       std::get<Unavailable>(finding).reason);
            }
        }
        told.mistakes.push_back(known);
    }
    for (std::string& text : told.lesson.conclude) fill(text);
    for (LessonFigure& figure : told.lesson.figures) {
        if (figure.document) fill(figure.document->why);
        told.figures.push_back(toldFigure(figure, evidence));
        if (told.figures.back().lines.empty()) {
            told.missing.push_back(figure.value.text() + ": " + told.figures.back().missing);
        }
    }
    const Evaluation answer = evaluate(question.answer, evidence);
    if (const auto* number = std::get_if<FoundNumber>(&answer)) {
        told.answer = *number;
        told.answerText = formatFound(*number, question.decimals);
        const auto right = std::ranges::find_if(
            question.choices, [&](const Choice& choice) { return holds(choice, number->value); });
        if (right != question.choices.end()) {
            told.choice = static_cast<std::size_t>(right - question.choices.begin());
        }
    } else {
        told.answerText = std::get<Unavailable>(answer).reason;
        told.missing.push_back(question.answer.text() + ": " + told.answerText);
    }
    return told;
}

std::string toText(const LessonOrigin& origin) {
    const SourceDocument* document = findDocument(origin.document);
    if (document == nullptr) return origin.section;
    return std::string(document->title) + " (" + std::string(document->author) + "), " +
           origin.section;
}

namespace {

/// As entered, with a comma or blanks for thousands if one likes.
std::optional<double> numberIn(std::string_view guess) {
    std::string digits;
    std::ranges::copy_if(guess, std::back_inserter(digits),
                         [](char c) { return c != ',' && c != ' '; });
    double value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    const std::string_view rest(end, digits.data() + digits.size());
    if (digits.empty() || error != std::errc{} || !(rest.empty() || rest == "x" || rest == "%")) {
        return std::nullopt;
    }
    return value;
}

bool isClose(double value, double expected, double tolerance) {
    return std::abs(value - expected) <= std::abs(expected) * tolerance + 1e-9;
}

}  // namespace

Verdict judge(const ToldLesson& told, std::string_view guess) {
    const std::optional<double> value = numberIn(guess);
    if (!value) return Verdict::unreadable;
    if (!told.answer) return Verdict::wrong;
    return isClose(*value, told.answer->value, told.lesson.question.tolerance) ? Verdict::right
                                                                               : Verdict::wrong;
}

Verdict judge(const ToldLesson& told, std::size_t choice) {
    return told.choice == choice ? Verdict::right : Verdict::wrong;
}

const Mistake* mistakeOf(const ToldLesson& told, std::string_view guess) {
    const std::optional<double> value = numberIn(guess);
    if (!value) return nullptr;
    const auto found = std::ranges::find_if(told.mistakes, [&](const ToldMistake& mistake) {
        return mistake.guess && isClose(*value, *mistake.guess, told.lesson.question.tolerance);
    });
    if (found == told.mistakes.end()) return nullptr;
    return &told.lesson.question.mistakes.at(found->mistake);
}

const Mistake* mistakeOf(const ToldLesson& told, std::size_t choice) {
    const auto found = std::ranges::find(told.lesson.question.mistakes, choice, &Mistake::choice);
    return found == told.lesson.question.mistakes.end() ? nullptr : &*found;
}

}  // namespace warplens
