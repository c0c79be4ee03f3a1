#include "app/window/state/in_words.h"

#include <map>

#include "app/lessons/library.h"
#include "app/window/state/learn_page.h"
#include "core/program/line_costs.h"
#include "core/program/reasons.h"
#include "core/program/warnings.h"

namespace warplens::window {
namespace {

/// The file's lines with what they cost in the launch.
std::string linesInWords(const LaunchReport& launch, const ProgramVersion& version,
                         const std::string& file) {
    std::map<std::uint32_t, std::string> costs;  // by line
    for (const ProgramLine& line : launch.lines) {
        if (line.source != Source::predicted || !sameFile(line.place.file, file)) continue;
        std::string& words = costs[line.place.line];
        words += (words.empty() ? "" : "; ") + std::string(nameOf(line.kind)) +
                 (line.array.empty() ? "" : " " + line.array) + ": " + costInWords(line);
        if (!line.reason.empty()) words += ", " + line.reason;
    }
    std::string text;
    for (const auto& [line, words] : costs) {
        if (line == 0 || line > version.lines.size()) continue;
        const std::string& code = version.lines[line - 1];
        text += "Line " + std::to_string(line) + ", " +
                code.substr(std::min(code.find_first_not_of(" \t"), code.size())) + ": " + words +
                ".\n";
    }
    return text;
}

}  // namespace

std::string lessonInWords(const AppState& state) {
    if (!tellsLesson(state)) return {};
    std::string text;
    if (shownLesson(state) == nullptr) {
        for (const Lesson& lesson : builtInLessons().lessons) text += lesson.title + '\n';
        return "Lessons\n" + text;
    }
    const auto say = [&](const std::string& words) { text += words.empty() ? "" : words + '\n'; };
    const LearnPage page = learnPage(state);
    say(page.title);
    say("Page " + std::to_string(page.page + 1) + " of " + std::to_string(page.pages) + "; " +
        page.pictureTitle);
    say(page.told);
    for (const std::string& words : page.words) say(words);
    if (page.kind == PageKind::question) {
        const LearnQuestion& question = page.question;
        say("Predict first: " + question.ask);
        for (const LearnChoice& choice : question.choices) say("- " + choice.say);
        for (const std::string& hint : question.hints) say("Hint: " + hint);
        say(question.verdictWords);
        say(question.answer);
        say(question.feedback);
    }
    for (const GoalStanding& goal : page.goal)
        say((goal.holds ? "Reached: " : "To be reached: ") + goal.say + ", now " + goal.now);
    std::erase(text, '`');  // around code
    return text;
}

std::string programInWords(const AppState& state) {
    if (!showsProgram(state)) return {};
    const ProgramState& program = state.program;
    std::string text = program.path + '\n';
    if (!program.now) return text + program.stage + '\n';
    const ProgramVersion& version = *program.now;
    if (!version.failure.empty()) text += version.failure + '\n';
    for (const Finding& finding : version.trace.findings) {
        text += "Found" +
                (finding.place.line == 0 ? "" : " at line " + std::to_string(finding.place.line)) +
                ", " + std::string(ruleOf(finding.kind).id) + ": " + finding.words + ".\n";
    }
    for (const LaunchReport& launch : version.trace.launches) {
        const bool chosen = launch.index == program.launch;
        text += "Launch " + launch.kernel + launchText(launch.launch) + (chosen ? ", shown" : "") +
                ".\n";
        if (chosen) text += linesInWords(launch, version, program.path);
    }
    return text;
}

}  // namespace warplens::window
