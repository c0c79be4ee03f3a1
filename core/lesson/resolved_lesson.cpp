#include "core/lesson/resolved_lesson.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "core/measurement/measurement.h"
#include "core/text/format.h"

namespace warplens {

std::vector<Placeholder> placeholdersOf(std::string_view text) {
    std::vector<Placeholder> found;
    for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at)) {
        const std::size_t close = text.find('}', at);
        if (close == std::string_view::npos) {
            throw MalformedExpression("a brace is not closed in '" + std::string(text) + "'");
        }
        std::string_view inside = text.substr(at + 1, close - at - 1);
        int decimals = -1;
        if (const std::size_t bar = inside.find('|'); bar != std::string_view::npos) {
            const std::string_view digits = inside.substr(bar + 1);
            if (digits.size() != 1 || digits[0] < '0' || digits[0] > '6') {
                throw MalformedExpression("'" + std::string(inside) + "': 0 to 6 decimals");
            }
            decimals = digits[0] - '0';
            inside = inside.substr(0, bar);
        }
        found.push_back({at, close + 1, Expression(inside), decimals});
        if (found.back().expression.asksAnySource()) {
            throw MalformedExpression("'" + std::string(inside) + "': a text names its source");
        }
        at = close + 1;
    }
    return found;
}

std::string formatFound(const FoundNumber& number, int decimals) {
    const double value = number.value;
    if (decimals < 0) return formatNumber(value, number.unit);
    if (decimals == 0 && value >= 0 && value < 1.8e19) {
        return groupedDigits(static_cast<std::uint64_t>(std::round(value)));
    }
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

std::string filled(std::string_view text, const LessonEvidence& evidence,
                   std::vector<std::string>& missing) {
    std::string result;
    std::size_t at = 0;
    for (const Placeholder& place : placeholdersOf(text)) {
        result += text.substr(at, place.begin - at);
        at = place.end;
        const Evaluation finding = evaluate(place.expression, evidence);
        if (const auto* number = std::get_if<FoundNumber>(&finding)) {
            result += formatFound(*number, place.decimals);
        } else {
            const std::string& reason = std::get<Unavailable>(finding).reason;
            result += '(' + reason + ')';
            missing.push_back(place.expression.text() + ": " + reason);
        }
    }
    return result += text.substr(at);
}

namespace {

void append(std::string& list, const std::string& word) {
    list += (list.empty() ? "" : ", ") + word;
}

bool isMeasured(const std::string& source) {
    return source != toString(Source::predicted) && source != "by rule";
}

/// `predicted; recorded on NVIDIA H200, 2026-11-21: compiled, counted`.
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
void addLine(ResolvedNumber& figure, const FoundNumber& number, int decimals) {
    std::string value = formatFound(number, decimals);
    const auto same = std::ranges::find(figure.lines, value, &ResolvedNumber::Line::value);
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

ResolvedNumber resolvedNumber(const LessonNumber& figure, const LessonEvidence& evidence) {
    ResolvedNumber resolved{
        .name = figure.name, .lines = {}, .missing = {}, .document = figure.document};
    const auto ask = [&](std::optional<Source> source) {
        const Evaluation finding = evaluate(figure.value, evidence, source);
        if (const auto* number = std::get_if<FoundNumber>(&finding)) {
            addLine(resolved, *number, figure.decimals);
        } else if (resolved.missing.empty()) {
            resolved.missing = std::get<Unavailable>(finding).reason;
        }
    };
    if (figure.value.asksAnySource()) {
        for (const Source source :
             {Source::predicted, Source::compiled, Source::counted, Source::timed}) {
            ask(source);
        }
    } else {
        ask({});
    }
    for (ResolvedNumber::Line& line : resolved.lines) line.sources = sourcesOf(line.number);
    if (!resolved.lines.empty()) resolved.missing.clear();
    return resolved;
}

bool holds(const Choice& choice, double value) {
    return value >= choice.from && value <= choice.to;
}

}  // namespace

ResolvedLesson tell(const Lesson& lesson, const LessonEvidence& evidence) {
    ResolvedLesson resolved{.lesson = lesson, .answerText = {}, .figures = {}, .missing = {}};
    const auto fill = [&](std::string& text) { text = filled(text, evidence, resolved.missing); };
    for (std::string& text : resolved.lesson.look) fill(text);
    for (LessonStep& step : resolved.lesson.steps) {
        fill(step.say);
        fill(step.see);
    }
    for (LessonTable& table : resolved.lesson.tables) {
        for (std::vector<std::string>& row : table.rows) std::ranges::for_each(row, fill);
    }
    Question& question = resolved.lesson.question;
    fill(question.ask);
    fill(question.because);
    for (std::string& text : question.hints) fill(text);
    for (std::size_t i = 0; i < question.mistakes.size(); ++i) {
        Mistake& mistake = question.mistakes[i];
        fill(mistake.say);
        ResolvedMistake known{.mistake = i};
        if (mistake.guess) {
            const Evaluation finding = evaluate(*mistake.guess, evidence);
            if (const auto* number = std::get_if<FoundNumber>(&finding)) {
                known.guess = number->value;
            } else {
                resolved.missing.push_back(mistake.guess->text() + ": " +
                                           std::get<Unavailable>(finding).reason);
            }
        }
        resolved.mistakes.push_back(known);
    }
    for (std::string& text : resolved.lesson.conclude) fill(text);
    for (LessonNumber& figure : resolved.lesson.figures) {
        if (figure.document) fill(figure.document->why);
        resolved.figures.push_back(resolvedNumber(figure, evidence));
        if (resolved.figures.back().lines.empty()) {
            resolved.missing.push_back(figure.value.text() + ": " +
                                       resolved.figures.back().missing);
        }
    }
    const Evaluation answer = evaluate(question.answer, evidence);
    if (const auto* number = std::get_if<FoundNumber>(&answer)) {
        resolved.answer = *number;
        resolved.answerText = formatFound(*number, question.decimals);
        const auto right = std::ranges::find_if(
            question.choices, [&](const Choice& choice) { return holds(choice, number->value); });
        if (right != question.choices.end()) {
            resolved.choice = static_cast<std::size_t>(right - question.choices.begin());
        }
    } else {
        resolved.answerText = std::get<Unavailable>(answer).reason;
        resolved.missing.push_back(question.answer.text() + ": " + resolved.answerText);
    }
    return resolved;
}

std::string toText(const LessonOrigin& origin) {
    const SourceDocument* document = findDocument(origin.document);
    if (document == nullptr) return origin.section;
    std::string text(document->title);
    if (!document->author.empty()) text += " (" + std::string(document->author) + ')';
    return text + ", " + origin.section;
}

namespace {

/// Whether the question has all of these words, or they begin words of it: `lane` where it asks
/// for lanes.
bool hasWords(std::string_view ask, std::string_view words) {
    while (!(words = words.substr(std::min(words.find_first_not_of(' '), words.size()))).empty()) {
        const std::string word = ' ' + std::string(words.substr(0, words.find(' ')));
        if (ask.find(word) == std::string_view::npos) return false;
        words.remove_prefix(word.size() - 1);
    }
    return true;
}

/// As entered, with commas or blanks for thousands if one likes: a single comma that other than
/// three digits follow is where the fraction begins, as many a country has it. What is asked for
/// may stand behind it: `8 sectors`.
std::optional<double> numberIn(std::string_view guess, std::string_view ask) {
    const std::size_t last = guess.find_last_of("0123456789");
    const std::size_t blank = guess.find(' ', last == std::string_view::npos ? 0 : last);
    if (blank != std::string_view::npos && hasWords(ask, guess.substr(blank)))
        guess = guess.substr(0, blank);
    const std::size_t comma = guess.find(',');
    const std::size_t digitsAfter =
        comma == std::string_view::npos
            ? 3
            : std::min(guess.find_first_not_of("0123456789", comma + 1), guess.size()) - comma - 1;
    const bool isDecimal =
        digitsAfter != 3 && guess.find_first_of(",.", comma + 1) == std::string_view::npos;
    std::string digits;
    for (const char c : guess) {
        if (c == ',' && isDecimal) digits += '.';
        if (c != ',' && c != ' ') digits += c;
    }
    const std::optional<NumberRead> read = readNumber(digits);
    if (!read || !(read->rest.empty() || read->rest == "x" || read->rest == "%")) {
        return std::nullopt;
    }
    return read->value;
}

bool isClose(double value, double expected, double tolerance) {
    return std::abs(value - expected) <= std::abs(expected) * tolerance + 1e-9;
}

}  // namespace

std::string whyUnanswerable(const ResolvedLesson& resolved) {
    if (!resolved.answer) return "the question has no answer: " + resolved.answerText;
    const bool fits = resolved.lesson.question.choices.empty() || resolved.choice;
    return fits ? "" : "none of the choices holds the answer";
}

Verdict judge(const ResolvedLesson& resolved, std::string_view guess) {
    const std::optional<double> value = numberIn(guess, resolved.lesson.question.ask);
    if (!value) return Verdict::unreadable;
    if (!resolved.answer) return Verdict::wrong;
    return isClose(*value, resolved.answer->value, resolved.lesson.question.tolerance)
               ? Verdict::right
               : Verdict::wrong;
}

Verdict judge(const ResolvedLesson& resolved, std::size_t choice) {
    return resolved.choice == choice ? Verdict::right : Verdict::wrong;
}

const Mistake* mistakeOf(const ResolvedLesson& resolved, std::string_view guess) {
    const std::optional<double> value = numberIn(guess, resolved.lesson.question.ask);
    if (!value) return nullptr;
    const auto found = std::ranges::find_if(resolved.mistakes, [&](const ResolvedMistake& mistake) {
        return mistake.guess && isClose(*value, *mistake.guess, resolved.lesson.question.tolerance);
    });
    if (found == resolved.mistakes.end()) return nullptr;
    return &resolved.lesson.question.mistakes.at(found->mistake);
}

const Mistake* mistakeOf(const ResolvedLesson& resolved, std::size_t choice) {
    const auto found =
        std::ranges::find(resolved.lesson.question.mistakes, choice, &Mistake::choice);
    return found == resolved.lesson.question.mistakes.end() ? nullptr : &*found;
}

}  // namespace warplens
