#include "app/window/panels/lesson_panel.h"

#include <array>
#include <cstring>

#include "app/lessons/library.h"
#include "app/window/panels/launch_names.h"
#include "app/window/panels/lesson_parts.h"

namespace warplens::window {
namespace {

/// Back to the list, one lesson back, one on, and away with the drawer.
void bar(const Pen& pen, const AppState& state, Commands& commands) {
    const bool opened = !state.lesson.id.empty();
    ImGui::PushFont(pen.look.fonts.small);
    if (plainButton(pen, "All lessons", opened)) commands.emplace_back(OpenLesson{});
    pen.mark("lesson.list");
    for (const int step : {-1, 1}) {
        const Lesson* const beside = lessonBeside(state.lesson.id, step);
        ImGui::SameLine(0, pen.look.px(4));
        if (plainButton(pen, step < 0 ? "<##lesson" : ">##lesson", beside != nullptr)) {
            commands.emplace_back(OpenLesson{beside->id});
        }
        pen.mark(step < 0 ? "lesson.before" : "lesson.after");
        if (beside != nullptr) tooltip(pen, beside->title);
    }
    const float width =
        measured(pen.look.fonts.small, "Close").x + 2 * ImGui::GetStyle().FramePadding.x;
    ImGui::SameLine(0, 0);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x - width);
    if (plainButton(pen, "Close##lessons")) commands.emplace_back(ToggleLessons{});
    pen.mark("lesson.close");
    tooltip(pen, "Lessons  L");
    ImGui::PopFont();
    space(pen, 6);
}

void list(const Pen& pen, const AppState& state, Commands& commands) {
    const Look& look = pen.look;
    text(look.fonts.title, look.colors.text, "Lessons");
    char group = 0;
    for (const Lesson& lesson : builtInLessons().lessons) {
        if (lesson.group != group) {
            group = lesson.group;
            space(pen, 10);
            text(look.fonts.small, look.colors.muted,
                 std::string(1, group) + "  " + std::string(groupTitle(group)));
        }
        const bool shown = lesson.id == state.shown.scenario;
        if (wideButton(pen, ("##" + lesson.id).c_str(), {}, lesson.title, shown)) {
            commands.emplace_back(OpenLesson{lesson.id});
        }
        pen.mark("lesson.open." + lesson.id);
    }
    for (const std::string& problem : builtInLessons().problems) {
        wrapped(look.fonts.small, look.colors.bad, problem);
    }
}

/// A field for the guess; true when Enter is pressed in it.
bool number(const Pen& pen, const AppState& state, Commands& commands) {
    std::array<char, longestGuess + 1> buffer{};
    std::memcpy(buffer.data(), state.lesson.guess.data(), state.lesson.guess.size());
    ImGui::SetNextItemWidth(pen.look.px(120));
    const bool entered =
        ImGui::InputText("##guess", buffer.data(), buffer.size(),
                         ImGuiInputTextFlags_CharsNoBlank | ImGuiInputTextFlags_EnterReturnsTrue);
    if (state.lesson.guess != buffer.data()) commands.emplace_back(GuessAnswer{buffer.data()});
    pen.mark("lesson.guess");
    ImGui::SameLine();
    return entered;
}

void verdict(const Pen& pen, const AppState& state, const ToldLesson& told) {
    const Colors& c = pen.look.colors;
    const bool chose = !told.lesson.question.choices.empty();
    if (chose ? !state.lesson.choice.has_value() : state.lesson.guess.empty()) return;
    const Verdict verdict = !chose                               ? judge(told, state.lesson.guess)
                            : state.lesson.choice == told.choice ? Verdict::right
                                                                 : Verdict::wrong;
    switch (verdict) {
        case Verdict::right:
            text(pen.look.fonts.strong, c.good, "Right");
            break;
        case Verdict::wrong:
            text(pen.look.fonts.strong, c.warning,
                 chose ? "Not what you predicted"
                       : "You predicted " + state.lesson.guess + ". It is");
            break;
        case Verdict::unreadable:
            text(pen.look.fonts.strong, c.warning, "'" + state.lesson.guess + "' is not a number");
    }
}

void question(const Pen& pen, const AppState& state, const Lesson& lesson, Commands& commands) {
    const Colors& c = pen.look.colors;
    const bool revealed = state.lesson.revealed;
    heading(pen, "Predict first");
    prose(pen, c.text, lesson.question.ask);
    space(pen, 8);
    const ToldLesson* const told = shownTold(state);
    for (std::size_t i = 0; i < lesson.question.choices.size(); ++i) {
        const bool chosen = state.lesson.choice == i;
        const std::string name = "##choice" + std::to_string(i);
        const bool right = revealed && told != nullptr && told->choice == i;
        if (wideButton(pen, name.c_str(),
                       right    ? "="
                       : chosen ? ">"
                                : " ",
                       lesson.question.choices[i].say, chosen || right) &&
            !revealed) {
            commands.emplace_back(ChooseAnswer{i});
        }
        pen.mark("lesson.choice." + std::to_string(i));
    }
    if (!revealed) {
        const bool asksNumber = lesson.question.choices.empty();
        const bool entered = asksNumber && number(pen, state, commands);
        const bool readable = !asksNumber || state.lesson.guess.empty() || told == nullptr ||
                              judge(*told, state.lesson.guess) != Verdict::unreadable;
        const bool pressed = primaryButton(pen, "Show the answer", told != nullptr && readable);
        pen.mark("lesson.reveal");
        if ((pressed || entered) && told != nullptr && readable) {
            commands.emplace_back(RevealAnswer{});
        }
        if (!readable) {
            text(pen.look.fonts.body, c.warning,
                 "'" + state.lesson.guess + "' is not a number: enter one, or nothing");
        }
        space(pen, 12);
        return;
    }
    if (told == nullptr) return;
    verdict(pen, state, *told);
    if (lesson.question.choices.empty() || !told->answer) {
        text(pen.look.fonts.largeNumber, c.text, told->answerText);
    }
    prose(pen, c.text, lesson.question.because);
    space(pen, 12);
}

void steps(const Pen& pen, const AppState& state, const Lesson& lesson, Commands& commands) {
    heading(pen, "Try");
    for (std::size_t i = 0; i < lesson.steps.size(); ++i) {
        const std::string place = std::to_string(i + 1);
        const bool taken = (state.lesson.taken >> i & 1u) != 0;
        if (wideButton(pen, ("##step" + place).c_str(), place, lesson.steps[i].say, taken)) {
            commands.emplace_back(TakeLessonStep{i});
        }
        pen.mark("lesson.step." + place);
        if (!taken) continue;
        prose(pen, pen.look.colors.text, lesson.steps[i].see);
        space(pen, 6);
    }
    space(pen, 8);
}

void pair(const Pen& pen, const AppState& state, const Lesson& lesson, Commands& commands) {
    if (!lesson.compare) return;
    heading(pen, "Compare");
    const Experiment& a = lesson.launches.at(lesson.compare->a);
    const Experiment& b = lesson.launches.at(lesson.compare->b);
    const auto launch = [&](const char* name, const char* letter, const Experiment& experiment) {
        const std::string sizes = sizesOf(experiment);
        const std::string words = experiment.scenario + "  " + timesText(experiment.launch.block) +
                                  (sizes.empty() ? "" : "  " + sizes);
        if (wideButton(pen, name, letter, words, experiment == state.shown)) {
            commands.emplace_back(SetExperiment{experiment});
        }
        pen.mark(std::string("lesson.") + letter);
    };
    launch("##a", "A", a);
    launch("##b", "B", b);
    const char* const words = state.canMeasure ? "Measure A, then B" : "A against B, as recorded";
    if (primaryButton(pen, words, running(state) == nullptr)) {
        commands.emplace_back(CompareLaunches{});
    }
    pen.mark("lesson.compare");
    space(pen, 12);
}

void opened(const Pen& pen, const AppState& state, const Lesson& lesson, Commands& commands) {
    const Look& look = pen.look;
    const Colors& c = look.colors;
    text(look.fonts.small, c.muted,
         std::string(1, lesson.group) + "  " + std::string(groupTitle(lesson.group)));
    ImGui::PushTextWrapPos(0);
    text(look.fonts.title, c.text, lesson.title);
    ImGui::PopTextWrapPos();
    space(pen, 6);
    // Their numbers come within milliseconds; until then there are none to be read.
    if (shownTold(state) == nullptr) {
        text(look.fonts.body, c.muted, "looking up its numbers …");
        return;
    }
    for (const std::string& words : lesson.look) {
        prose(pen, c.text, words);
        space(pen, 10);
    }
    drawLessonPicture(pen, lesson);
    // The first tells, what follows it is what the question may ask for.
    if (!lesson.tables.empty()) drawLessonTable(pen, lesson.tables[0]);
    question(pen, state, lesson, commands);
    steps(pen, state, lesson, commands);
    pair(pen, state, lesson, commands);
    if (state.lesson.revealed) {
        for (std::size_t i = 1; i < lesson.tables.size(); ++i)
            drawLessonTable(pen, lesson.tables[i]);
        heading(pen, "Numbers");
        drawLessonFigures(pen, *shownTold(state));
        heading(pen, "Conclude");
        for (const std::string& words : lesson.conclude) {
            prose(pen, c.text, words);
            space(pen, 10);
        }
    }
    for (const LessonOrigin& origin : lesson.from) {
        wrapped(look.fonts.small, c.muted, "From " + toText(origin));
    }
    if (const Lesson* const next = lessonBeside(lesson.id, 1)) {
        space(pen, 10);
        if (wideButton(pen, "##next", ">", next->title, false)) {
            commands.emplace_back(OpenLesson{next->id});
        }
        pen.mark("lesson.next");
    }
}

}  // namespace

Commands drawLessonPanel(const Pen& pen, const AppState& state, LessonScroll& scroll) {
    Commands commands;
    bar(pen, state, commands);
    ImGui::PushStyleVar(ImGuiStyleVar_WindowPadding, ImVec2(0, 0));
    ImGui::BeginChild("lesson text", {0, 0}, false, ImGuiWindowFlags_NoBackground);
    ImGui::PopStyleVar();
    if (scroll.id != state.lesson.id) {
        scroll.id = state.lesson.id;
        ImGui::SetScrollY(0);
    }
    // Nothing stands under the scroll bar.
    ImGui::PushTextWrapPos(0);
    if (const Lesson* lesson = shownLesson(state)) {
        opened(pen, state, *lesson, commands);
    } else {
        list(pen, state, commands);
    }
    ImGui::PopTextWrapPos();
    ImGui::EndChild();
    return commands;
}

}  // namespace warplens::window
