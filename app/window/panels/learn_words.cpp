#include <cstring>
#include <filesystem>

#include "app/lessons/library.h"
#include "app/window/panels/learn_parts.h"
#include "app/window/panels/measured_parts.h"
#include "app/window/program_tracer.h"
#include "app/window/state/palette.h"
#include "core/lesson/lesson.h"

namespace warplens::window {
namespace {

void explainTerms(const UiContext& ui, const LearnPage& page) {
    for (const std::string& word : page.terms) {
        const Term* const term = findTerm(word);
        if (term == nullptr) continue;
        text(ui.fonts.strong, ui.colors.accent, term->word);
        wrapped(ui.fonts.small, ui.colors.muted, term->meaning);
        space(ui, 6);
    }
}

void drawLessonSlider(const UiContext& ui, const LearnSlider& slider) {
    text(ui.fonts.body, ui.colors.muted, slider.name);
    ImGui::SameLine();
    // Beside its name: below the slider a low window would have to be scrolled for it.
    const bool locked = slider.last < slider.to;
    if (locked) {
        const std::string until =
            "from " + std::to_string(slider.last + 1) + " on: after your answer";
        const ImVec2 at = ImGui::GetCursorScreenPos();
        textAt(*ImGui::GetWindowDrawList(), ui.fonts.small, ui.colors.muted,
               {at.x + ui.px(8), at.y + ui.fonts.body->FontSize - ui.fonts.small->FontSize},
               fitted(ui.fonts.small, until, ImGui::GetContentRegionAvail().x - ui.px(50)));
    }
    const std::string value = std::to_string(slider.value);
    ImGui::SetCursorPosX(ImGui::GetCursorPosX() + ImGui::GetContentRegionAvail().x -
                         measured(ui.fonts.strong, value).x);
    text(ui.fonts.strong, ui.colors.text, value);
    int chosen = static_cast<int>(slider.value);
    ImGui::SetNextItemWidth(-1);
    const bool moved = ImGui::SliderInt("##slide", &chosen, static_cast<int>(slider.from),
                                        static_cast<int>(slider.to), "");
    ui.mark("lesson.slider");
    if (locked) {
        const ImVec2 from = ImGui::GetItemRectMin();
        const ImVec2 to = ImGui::GetItemRectMax();
        const float share = static_cast<float>(slider.last - slider.from + 1) /
                            static_cast<float>(slider.to - slider.from + 1);
        ImGui::GetWindowDrawList()->AddRectFilled({from.x + (to.x - from.x) * share, from.y}, to,
                                                  packed(ui.colors.panel, 0.72F), ui.px(4));
    }
    const auto wanted = std::min<std::int64_t>(chosen, slider.last);
    // The launch that is asked about may lie beyond what the hand may choose: it stays.
    if (moved && wanted != slider.value) ui.issue(SlideLesson{wanted});
    space(ui, 10);
}

void drawLessonPair(const UiContext& ui, const Lesson& lesson) {
    heading(ui, "Compare");
    const auto launch = [&](const char* name, const char* letter, const std::string& which,
                            PinSlot slot) {
        const Experiment& experiment = lesson.launches.at(which);
        const std::string sizes = sizesOf(experiment);
        const std::string words = experiment.scenario + "  " + timesText(experiment.launch.block) +
                                  (sizes.empty() ? "" : "  " + sizes);
        if (wideButton(ui, name, letter, words, experiment == ui.state.view.experiment)) {
            ui.issue(CompareLaunches{slot});
        }
        ui.mark(std::string("lesson.") + letter);
    };
    launch("##a", "A", lesson.compare->a, PinSlot::a);
    launch("##b", "B", lesson.compare->b, PinSlot::b);
    if (!canCompare(ui.state)) {
        wrapped(ui.fonts.small, ui.colors.muted,
                "Not both were measured: each shows what is predicted.");
        space(ui, 12);
        return;
    }
    const bool idle = running(ui.state) == nullptr;
    const bool recorded = pairIsRecorded(ui.state);
    commandButton(ui, recorded ? "A against B, as recorded" : "Measure A, then B", "lesson.compare",
                  CompareLaunches{}, "", {.enabled = idle, .primary = true});
    if (recorded && ui.state.canMeasure) {
        ImGui::SameLine();
        commandButton(ui, "Measure both", "lesson.measure", CompareLaunches{.measures = true}, "",
                      {.enabled = idle});
    }
    if (const auto pair = comparedByLesson(ui.state)) {
        space(ui, 8);
        const auto& [a, b] = *pair;
        comparisonTable(ui, shortName(a), shortName(b), compare(a, b));
        ui.mark("lesson.compared");
    }
    space(ui, 12);
}

/// A field for the guess; true when Enter is pressed in it.
bool guessField(const UiContext& ui, const LearnQuestion& question, bool arrives) {
    std::array<char, longestGuess + 1> buffer{};
    std::memcpy(buffer.data(), question.guess.data(),
                std::min(question.guess.size(), longestGuess));
    ImGui::SetNextItemWidth(ui.px(120));
    ImGui::PushStyleVar(ImGuiStyleVar_FrameBorderSize, ui.snap(1));
    if (arrives) ImGui::SetKeyboardFocusHere();
    // A wrong answer is typed over; behind a hint one types on.
    const bool over = question.verdict == Mark::wrong;
    // A letter that no digit stands before is a key's.
    bool begun = !question.guess.empty() && !over;
    const auto takes = [](ImGuiInputTextCallbackData* data) {
        bool& hasBegun = *static_cast<bool*>(data->UserData);
        hasBegun |= data->EventChar >= '0' && data->EventChar <= '9';
        return hasBegun || data->EventChar < 'A' ? 0 : 1;
    };
    const bool entered = ImGui::InputText("##guess", buffer.data(), buffer.size(),
                                          ImGuiInputTextFlags_EnterReturnsTrue |
                                              ImGuiInputTextFlags_CallbackCharFilter |
                                              (over ? ImGuiInputTextFlags_AutoSelectAll : 0),
                                          takes, &begun);
    if (entered) ImGui::SetKeyboardFocusHere(-1);
    ImGui::PopStyleVar();
    if (question.guess != buffer.data()) ui.issue(GuessAnswer{buffer.data()});
    ui.mark("lesson.guess");
    return entered;
}

Rgb colorOfMark(const Colors& c, Mark mark) {
    return mark == Mark::right ? c.good : mark == Mark::wrong ? c.bad : c.accent;
}

/// One of several answers, with its sign where it has been judged.
bool choiceButton(const UiContext& ui, std::size_t place, const LearnChoice& choice) {
    const std::string name = "##choice" + std::to_string(place);
    const bool pressed =
        wideButton(ui, name.c_str(), choice.mark == Mark::open ? "" : " ", choice.say, false);
    if (choice.mark == Mark::open) return pressed;
    const ImVec2 from = ImGui::GetItemRectMin();
    const ImVec2 to = ImGui::GetItemRectMax();
    ImGui::GetWindowDrawList()->AddRect(from, to, packed(colorOfMark(ui.colors, choice.mark)),
                                        ui.px(6), 0, ui.px(2));
    drawSign(ui, {from.x + ui.px(9), from.y + ui.px(8)}, ui.px(14), choice.mark);
    return pressed;
}

void drawAnswerVerdict(const UiContext& ui, const LearnQuestion& question) {
    if (question.verdictWords.empty()) return;
    const Rgb color = colorOfMark(ui.colors, question.verdict);
    const ImVec2 at = ImGui::GetCursorScreenPos();
    const float size = ui.fonts.strong->FontSize;
    if (question.verdict != Mark::open) {
        drawSign(ui, {at.x, at.y + size * 0.1F}, size * 0.8F, question.verdict);
        ImGui::Dummy({size * 0.8F, size});
        ImGui::SameLine();
    }
    text(ui.fonts.strong, color, question.verdictWords);
    if (!question.answer.empty()) {
        ImGui::SameLine();
        wrapped(ui.fonts.strong, ui.colors.text, question.answer);
    }
    prose(ui, ui.colors.text, question.feedback);
    space(ui, 6);
}

/// How far one has come: a check mark, a ring with or without a dot.
void drawCome(const UiContext& ui, ImVec2 middle, Come come) {
    const float size = ui.px(14);
    if (come == Come::answered) {
        drawSign(ui, {middle.x - size / 2, middle.y - size / 2}, size, Mark::right);
        return;
    }
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const Rgb color = come == Come::untouched ? ui.colors.faint : ui.colors.accent;
    list.AddCircle(middle, size / 2.4F, packed(color), 0, ui.px(2));
    if (come != Come::untouched) list.AddCircleFilled(middle, size / 5, packed(color));
}

/// From here to the program that is to be put right.
void drawLearnExercise(const UiContext& ui, const Lesson& lesson, const LearnPage& page) {
    if (page.exerciseDone) {
        text(ui.fonts.strong, ui.colors.good, "Done.");
        space(ui, 6);
    }
    if (!mayCompilePrograms()) {
        wrapped(ui.fonts.small, ui.colors.muted,
                "It is written where there is a compiler. Copy the program, save it as mine.cu, "
                "and open that with the desktop program, which says what is left to be done:");
        space(ui, 4);
        wrapped(ui.fonts.smallNumber, ui.colors.text, "warplens mine.cu");
        space(ui, 6);
        commandButton(ui, "Copy the program", "lesson.exercise", CopyText{CopiedText::exercise}, "",
                      {.primary = true});
        return;
    }
    std::error_code error;
    commandButton(ui, "Write it here", "lesson.exercise", BeginExercise{lesson.id},
                  "In " + std::filesystem::current_path(error).string(), {.primary = true});
    space(ui, 8);
    wrapped(ui.fonts.small, ui.colors.muted,
            "A program that runs, and is not right yet, is put into the folder that Warplens "
            "was started in, and opened beside its numbers. Saving it compiles and runs it, and "
            "says what is left to be done; " +
                keysOf(actionOf(Act::lessons)) +
                " leads back here. It needs NVIDIA's compiler: without one the window says what "
                "brings it.");
}

}  // namespace

void drawSign(const UiContext& ui, ImVec2 at, float size, Mark mark) {
    ImDrawList& list = *ImGui::GetWindowDrawList();
    const ImU32 color = packed(colorOfMark(ui.colors, mark));
    const float width = std::max(1.5F, size * 0.16F);
    const auto on = [&](float x, float y) { return ImVec2(at.x + x * size, at.y + y * size); };
    if (mark == Mark::right) {
        list.AddLine(on(0.05F, 0.55F), on(0.38F, 0.9F), color, width);
        list.AddLine(on(0.38F, 0.9F), on(0.98F, 0.12F), color, width);
    } else if (mark == Mark::wrong) {
        list.AddLine(on(0.1F, 0.1F), on(0.9F, 0.9F), color, width);
        list.AddLine(on(0.9F, 0.1F), on(0.1F, 0.9F), color, width);
    }
}

void drawLearnWords(const UiContext& ui, const LearnPage& page) {
    const Colors& c = ui.colors;
    const Lesson& lesson = *shownLesson(ui.state);
    // In a low window the one at the top has to do: what is explained comes first.
    const bool titled = ImGui::GetWindowHeight() >= 9 * ui.fonts.body->FontSize;
    if (page.page == 0 && titled) {
        wrapped(ui.fonts.title, c.text, page.title);
        space(ui, 8);
    }
    if (shownResolved(ui.state) == nullptr) {
        const std::string failure = failureOfShown(ui.state);
        if (failure.empty()) {
            text(ui.fonts.body, c.muted, "looking up its numbers …");
        } else {
            wrapped(ui.fonts.body, c.bad, "Its numbers cannot be looked up: " + failure);
        }
        return;
    }
    if (!page.told.empty()) {
        wrapped(ui.fonts.strong, c.accent, page.told);
        space(ui, 6);
    }
    if (page.kind == PageKind::conclusion) heading(ui, "What follows");
    if (page.kind == PageKind::goal) heading(ui, "A goal");
    if (page.kind == PageKind::exercise) heading(ui, "Write it");
    for (const std::string& words : page.words) {
        prose(ui, c.text, words);
        space(ui, 10);
    }
    if (page.slider) drawLessonSlider(ui, *page.slider);
    if (page.page == 0) explainTerms(ui, page);
    if (page.kind == PageKind::goal) drawLearnGoal(ui, page);
    if (page.kind == PageKind::exercise) drawLearnExercise(ui, lesson, page);
    if (page.compares) drawLessonPair(ui, lesson);
    if (page.figures) {
        heading(ui, "Numbers");
        drawLessonNumbers(ui, *shownResolved(ui.state));
        for (std::size_t i = 0; i < lesson.tables.size(); ++i) {
            drawLessonTable(ui, lesson.tables[i]);
        }
        for (const LessonOrigin& origin : lesson.from) {
            wrapped(ui.fonts.small, c.muted, "From " + toText(origin));
        }
    }
}

void drawLearnQuestion(const UiContext& ui, const LearnPage& page, bool arrives) {
    const Colors& c = ui.colors;
    const LearnQuestion& question = page.question;
    const bool resolved = shownResolved(ui.state) != nullptr;
    if (!resolved) return;
    if (page.page > 0) {
        // Always in view, in few words.
        text(ui.fonts.small, c.muted, "You were asked:");
        prose(ui, c.text, question.ask, true);
        const float size = ui.fonts.small->FontSize;
        const ImVec2 at = ImGui::GetCursorScreenPos();
        if (question.verdict == Mark::right) {
            drawSign(ui, at, size * 0.8F, Mark::right);
            ImGui::Dummy({size, size});
            ImGui::SameLine();
        }
        wrapped(ui.fonts.strong, question.verdict == Mark::right ? c.good : c.accent,
                question.answer);
        return;
    }
    text(ui.fonts.strong, c.accent, question.open ? "Predict first:" : "You were asked:");
    prose(ui, c.text, question.ask);
    space(ui, 8);
    if (!question.unanswerable.empty()) wrapped(ui.fonts.body, c.bad, question.unanswerable);
    drawAnswerVerdict(ui, question);
    if (!page.elsewhere.empty()) {
        wrapped(ui.fonts.body, c.text,
                "The picture beside is of another launch: " + page.elsewhere + '.');
        commandButton(ui, "The question's picture", "lesson.picture",
                      OpenLesson{ui.state.view.lesson}, "What is asked about");
    }
    for (std::size_t i = 0; i < question.hints.size(); ++i) {
        prose(ui, c.muted, "Hint: " + question.hints[i]);
    }
    if (!question.open) {
        commandButton(ui, "Try again", "lesson.restart", RestartLesson{ui.state.view.lesson},
                      "Starts this lesson over");
        return;
    }
    // What is typed and pressed stands last: the box grows upwards, and it stays where it is.
    const bool isAsked = question.unanswerable.empty();
    for (std::size_t i = 0; isAsked && i < question.choices.size(); ++i) {
        if (choiceButton(ui, i, question.choices[i])) ui.issue(ChooseAnswer{i});
        ui.mark("lesson.choice." + std::to_string(i));
    }
    if (isAsked && question.choices.empty()) {
        if (question.unreadable) {
            wrapped(ui.fonts.body, c.warning,
                    "'" + question.guess + "' is not a number: enter one in digits");
        }
        const bool entered = guessField(ui, question, arrives);
        ImGui::SameLine();
        const bool ready = !question.guess.empty() && !question.unreadable;
        const bool pressed = primaryButton(ui, "Answer", ready);
        ui.mark("lesson.answer");
        if ((pressed || entered) && ready) ui.issue(HandIn{});
    }
    commandButton(ui, "A hint", "lesson.hint", TakeHint{}, "", {.enabled = question.moreHints});
    ImGui::SameLine();
    commandButton(ui, "Show answer", "lesson.reveal", RevealAnswer{},
                  "Shows the answer; you can be asked again");
}

void drawLearnGoal(const UiContext& ui, const LearnPage& page) {
    const Colors& c = ui.colors;
    const LessonGoal& goal = *shownLesson(ui.state)->goal;
    for (const std::string& what : goal.change) {
        if (what == "block") {
            const Extents block = ui.state.view.experiment.launch.block;
            text(ui.fonts.body, c.muted, "block");
            ImGui::SameLine();
            text(ui.fonts.number, c.text, timesText(block));
            const auto change = [&](const char* label, const char* mark, Extents next) {
                commandButton(ui, label, mark, SetBlock{next}, "", {.enabled = next.count() > 0});
            };
            change("x / 2", "goal.x.less", {block.x / 2, block.y, block.z});
            ImGui::SameLine();
            change("x * 2", "goal.x.more", {block.x * 2, block.y, block.z});
            ImGui::SameLine(0, ui.px(18));
            change("y / 2", "goal.y.less", {block.x, block.y / 2, block.z});
            ImGui::SameLine();
            change("y * 2", "goal.y.more", {block.x, block.y * 2, block.z});
            continue;
        }
        if (what.starts_with("scenario ")) {
            const std::string id = what.substr(9);
            if (wideButton(ui, ("##" + id).c_str(), "", scenarioNamed(id).title,
                           ui.state.view.experiment.scenario == id)) {
                ui.issue(ChooseScenario{id});
            }
            ui.mark("goal." + id);
            continue;
        }
        if (!ui.state.view.experiment.arguments.contains(what)) continue;
        const std::int64_t value = ui.state.view.experiment.arguments.at(what);
        text(ui.fonts.body, c.muted, what);
        ImGui::SameLine();
        text(ui.fonts.number, c.text, std::to_string(value));
        ImGui::SameLine(0, ui.px(18));
        const auto change = [&](const char* label, std::int64_t next) {
            commandButton(ui, label + ("##" + what),
                          "goal." + what + (next < value ? ".less" : ".more"),
                          EnterNumber{what, std::to_string(next)}, "", {.enabled = next > 0});
        };
        change("/ 2", value / 2);
        ImGui::SameLine();
        change("* 2", value * 2);
    }
    commandButton(ui, "As at the start", "goal.reset",
                  Show{.experiment = shownLesson(ui.state)->launches.at(goal.launch)});
    space(ui, 10);
    for (const GoalStanding& one : page.goal) {
        const ImVec2 at = ImGui::GetCursorScreenPos();
        const float size = ui.fonts.body->FontSize;
        if (one.known) {
            drawSign(ui, {at.x, at.y + size * 0.1F}, size * 0.8F,
                     one.holds ? Mark::right : Mark::wrong);
        }
        ImGui::Dummy({size, size});
        ImGui::SameLine();
        wrapped(ui.fonts.body, c.text, one.say);
        ImGui::Dummy({size, size});
        ImGui::SameLine();
        wrapped(ui.fonts.small, c.muted, one.known ? "now " + one.now : one.now);
    }
    for (const LimitViolation& violation : violationsOf(ui.state)) {
        wrapped(ui.fonts.small, c.bad, toString(violation));
    }
    if (!page.goalReached) return;
    space(ui, 8);
    text(ui.fonts.strong, c.good, "Reached. There is more than one way.");
}

void drawLessonList(const UiContext& ui, LearnKeeping& keeping) {
    keeping.asked.clear();  // whoever comes back to a question is at its field
    const float width = ImGui::GetContentRegionAvail().x;
    const int columns = std::max(1, static_cast<int>(width / ui.px(360)));
    const float gap = ui.px(20);
    const float column =
        (width - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    const bool entered =
        filterField(ui, keeping.find, "lesson.find", "find a lesson", std::min(width, ui.px(360)));
    space(ui, 12);
    const std::vector<const Lesson*> found = lessonsFound(keeping.find);
    if (found.empty()) text(ui.fonts.body, ui.colors.muted, "no lesson is called so");
    if (entered && !found.empty()) ui.issue(OpenLesson{found.front()->id});
    const float again = ui.px(62);  // kept where there is nothing to start again: no row moves
    std::vector<float> ends(static_cast<std::size_t>(columns), ImGui::GetCursorPosY());
    // Not by their heights, which change with how far somebody has come: groups keep their columns.
    std::vector<std::ptrdiff_t> rows(ends.size(), 0);
    const float left = ImGui::GetCursorPosX();
    std::string groups(shownLessonGroups());
    // Where something is looked for, that of the best first.
    if (!keeping.find.empty())
        std::ranges::stable_sort(groups, {}, [&](char group) {
            return std::ranges::find(found, group, &Lesson::group) - found.begin();
        });
    for (const char group : groups) {
        const auto isOfGroup = [&](const Lesson* lesson) { return lesson->group == group; };
        if (std::ranges::none_of(found, isOfGroup)) continue;
        const auto fewest = std::ranges::min_element(rows);
        const auto place = fewest - rows.begin();
        *fewest += 2 + std::ranges::count_if(found, isOfGroup);
        float& end = ends[static_cast<std::size_t>(place)];
        ImGui::SetCursorPos({left + static_cast<float>(place) * (column + gap), end});
        ImGui::BeginGroup();
        ImGui::PushID(group);
        text(ui.fonts.strong, ui.colors.text, groupHeading(group));
        space(ui, 6);
        for (const Lesson* const one : found) {
            if (!isOfGroup(one)) continue;
            const Lesson& lesson = *one;
            const auto known = ui.state.lesson.progress.find(lesson.id);
            const LessonProgress* const progress =
                known == ui.state.lesson.progress.end() ? nullptr : &known->second;
            const Come come = comeOf(progress, lesson);
            const bool isWritten = progress != nullptr && progress->exercise;
            // What one has come to stands behind the title where no other row is moved by it.
            const std::string reached =
                (isWritten ? " – exercise done" : "") + pageReached(progress, lesson);
            const auto heightOf = [&](const std::string& title) {
                return heightInLines(ui.fonts.body, title, column - again - ui.px(42));
            };
            const float words = heightOf(lesson.title);
            const std::string title =
                heightOf(lesson.title + reached) > words ? lesson.title : lesson.title + reached;
            beginPanel(("##row" + lesson.id).c_str(), {column - again, words + ui.px(14)},
                       ImGuiWindowFlags_NoBackground | ImGuiWindowFlags_NoScrollbar);
            const bool opened = wideButton(ui, ("##" + lesson.id).c_str(), " ", title,
                                           lesson.id == ui.state.view.lesson);
            ui.mark("lesson.open." + lesson.id);
            const ImVec2 at = ImGui::GetItemRectMin();
            const float middle = (at.y + ImGui::GetItemRectMax().y) / 2;
            drawCome(ui, {at.x + ui.px(16), middle}, come);
            tooltip(
                ui,
                lesson.title + reached +
                    (lesson.exercise.empty() || isWritten ? "" : ": it has an exercise, Write it"));
            ImGui::EndChild();
            if (opened) ui.issue(OpenLesson{lesson.id});
            if (progress == nullptr) continue;
            ImGui::SameLine(0, ui.px(6));
            ImGui::PushFont(ui.fonts.small);
            commandButton(ui, "again##" + lesson.id, "lesson.restart." + lesson.id,
                          RestartLesson{lesson.id}, "Starts this lesson over");
            ImGui::PopFont();
        }
        ImGui::PopID();
        ImGui::EndGroup();
        end = ImGui::GetCursorPosY() + ui.px(14);
    }
    for (const std::string& problem : builtInLessons().problems) {
        wrapped(ui.fonts.small, ui.colors.bad, problem);
    }
}

}  // namespace warplens::window
