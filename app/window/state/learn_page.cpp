#include "app/window/state/learn_page.h"

#include <regex>

#include "app/lessons/library.h"
#include "core/course/course.h"
#include "core/text/names.h"

namespace warplens::window {
namespace {

/// Whether a lesson up to this one, in their order, has told what a sector is.
bool sectorsAreTold(const Lesson& lesson) {
    for (const Lesson& each : builtInLessons().lessons) {
        if (std::ranges::find(each.words, "sector") != each.words.end()) return true;
        if (each.id == lesson.id) return lesson.group == courseGroup;
    }
    return true;
}

LearnQuestion questionOf(const AppState& state, const Lesson& lesson,
                         const ResolvedLesson* resolved) {
    const LessonProgress& progress = progressOf(state);
    const Question& asked = lesson.question;
    LearnQuestion question{.ask = asked.ask, .guess = progress.guess};
    question.open = progress.answered == Answered::open;
    for (std::size_t i = 0; i < asked.choices.size(); ++i) {
        LearnChoice choice{asked.choices[i].say};
        const bool right = resolved != nullptr && resolved->choice == i;
        if (progress.choice == i && progress.judged && !right) choice.mark = Mark::wrong;
        question.choices.push_back(std::move(choice));
    }
    for (std::size_t i = 0; i < std::min<std::size_t>(progress.hints, asked.hints.size()); ++i) {
        question.hints.push_back(asked.hints[i]);
    }
    question.moreHints = question.open && progress.hints < asked.hints.size();
    if (resolved == nullptr) return question;
    if (const std::string why = whyUnanswerable(*resolved); !why.empty()) {
        question.unanswerable = "Nobody can be right here: " + why + ".";
    }
    if (question.open) {
        question.unreadable = asked.choices.empty() && !progress.guess.empty() &&
                              judge(*resolved, progress.guess) == Verdict::unreadable;
        if (!progress.judged) return question;
        const Mistake* const mistake = asked.choices.empty() ? mistakeOf(*resolved, progress.guess)
                                       : progress.choice ? mistakeOf(*resolved, *progress.choice)
                                                         : nullptr;
        question.verdict = Mark::wrong;
        question.verdictWords =
            asked.choices.empty() ? progress.guess + " is not it." : "Not what happens.";
        question.feedback = mistake != nullptr   ? mistake->say
                            : question.moreHints ? "Try again, or take a hint."
                                                 : "Try again, or let yourself be shown.";
        return question;
    }
    question.verdict = progress.answered == Answered::right ? Mark::right : Mark::open;
    question.verdictWords = progress.answered == Answered::right ? "Right." : "The answer:";
    question.answer =
        resolved->choice ? asked.choices[*resolved->choice].say : resolved->answerText;
    question.feedback = asked.because;
    return question;
}

std::vector<PictureKind> panelsOf(const AppState& state, const Lesson& lesson) {
    const LessonProgress& progress = progressOf(state);
    if (const auto& panels = state.lesson.mistakePanels; panels && !panels->empty()) return *panels;
    if (progress.answered == Answered::open) {
        // The pictures that follow have their place already, covered.
        std::vector<PictureKind> panels = lesson.before;
        for (const PictureKind panel : lesson.after) {
            const bool twice = std::ranges::find(panels, panel) != panels.end();
            if (!twice && panels.size() < 2) panels.push_back(panel);
        }
        return panels;
    }
    const bool isAnswers = progress.page == 0 || (progress.page > lesson.steps.size() &&
                                                  !isGoalPage(lesson, progress.page));
    if (isAnswers && !lesson.question.shown.panels.empty()) return lesson.question.shown.panels;
    if (progress.page >= 1 && progress.page <= lesson.steps.size()) {
        const std::vector<PictureKind>& own = lesson.steps[progress.page - 1].scene.panels;
        if (!own.empty()) return own;
    }
    return lesson.after;
}

/// The launch whose picture is promised where nothing of the shown one is covered.
bool coversElsewhere(const AppState& state, const Lesson& lesson, PictureKind panel) {
    if (std::ranges::find(lesson.before, panel) != lesson.before.end()) return false;
    return std::ranges::any_of(coverNow(state).parts(), [&](const Cover::Part& part) {
        const std::span<const Aspect> aspects = rowOf(panel).tells;
        return std::ranges::find(aspects, part.aspect) != aspects.end();
    });
}

/// The text without what it asks a reader at a keyboard to do: `Warp 0, its load` of `Select warp 0
/// and look at its load`. Of what is done by hand alone what stands behind its colon.
std::string forAHall(const std::string& text) {
    static const std::regex byHand(
        "^(?:Step through|Point at|A click|Click|Press|Drag|Explore has) .*?(?:: |$)");
    static const std::regex alsoByHand(" and (?:step through|point at)[^:]*");
    static const std::regex asked("^(?:Select|Look at|See|Read|Step on to) ");
    static const std::regex alsoAsked(",? and (?:look at|see) ");
    static const std::regex key(" with [<>]$");
    std::string told;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find(". ", at), text.size());
        const std::string sentence = text.substr(at, end - at);
        at = end + 2;
        std::string said = std::regex_replace(sentence, byHand, "");
        for (const std::regex* const hand : {&alsoByHand, &asked, &key})
            said = std::regex_replace(said, *hand, "");
        said = std::regex_replace(said, alsoAsked, ", ");
        // One word alone is a name.
        if (said != sentence && said.find(' ') != said.npos && said[0] >= 'a' && said[0] <= 'z')
            said[0] = static_cast<char>(said[0] - 'a' + 'A');
        if (!said.empty()) addWords(told, ". ", said);
    }
    return told + (text.ends_with('.') && !told.ends_with('.') && !told.empty() ? "." : "");
}

}  // namespace

Come comeOf(const LessonProgress* progress, const Lesson& lesson) {
    if (progress == nullptr) return Come::untouched;
    if (progress->known) return Come::answered;
    if (progress->answered == Answered::open) {
        return progress->tries > 0 || !progress->guess.empty() ? Come::begun : Come::untouched;
    }
    if (progress->furthest < concludingPage(lesson)) return Come::begun;
    return progress->answered == Answered::right ? Come::answered : Come::seen;
}

std::string pageReached(const LessonProgress* progress, const Lesson& lesson) {
    if (comeOf(progress, lesson) == Come::untouched || progress->exercise ||
        progress->furthest >= concludingPage(lesson))
        return {};
    return " – page " + std::to_string(std::max(progress->page + 1, progress->furthest)) + " of " +
           std::to_string(pageCount(lesson));
}

std::vector<LearnPicture> picturesOf(const AppState& state, const Lesson& lesson) {
    std::vector<LearnPicture> pictures;
    const Cover& cover = coverNow(state);
    const auto& own = state.lesson.mistakePanels;
    const bool ofMistake = own && !own->empty();
    for (const PictureKind panel : panelsOf(state, lesson)) {
        LearnPicture picture{panel};
        const bool hidden = cover.hidesAny(rowOf(panel).tells, state.view.experiment) ||
                            (!ofMistake && coversElsewhere(state, lesson, panel));
        // Before the answer code is to be read, not its costs.
        const bool early = questionIsOpen(state) || !sectorsAreTold(lesson);
        picture.bare = rowOf(panel).bare && (hidden || (panel == PictureKind::source && early));
        picture.covered = hidden && !picture.bare;
        pictures.push_back(picture);
    }
    if (state.lesson.own)
        pictures.push_back({PictureKind::request, questionIsOpen(state), false, true});
    return pictures;
}

std::string launchInWords(const AppState& state) {
    const Experiment& shown = state.view.experiment;
    const auto sizes = [](Extents e) {
        std::string words = groupedDigits(e.x);
        if (e.y > 1 || e.z > 1) words += " x " + groupedDigits(e.y);
        if (e.z > 1) words += " x " + groupedDigits(e.z);
        return words;
    };
    const bool covered = coverNow(state).hides(Aspect::coverage, shown);
    const std::uint32_t shared = shown.launch.dynamicSharedBytes;
    const bool told = shared > 0 && !coverNow(state).hides(Aspect::compiled, shown);
    std::string words = covered                          ? "blocks of "
                        : shown.launch.grid.count() == 1 ? "1 block of "
                                                         : sizes(shown.launch.grid) + " blocks of ";
    words += sizes(shown.launch.block);
    if (told) words += ", " + groupedDigits(shared) + " bytes of shared memory";
    const std::string arguments = toString(shown.arguments);
    return arguments.empty() ? words : words + ", " + arguments;
}

LearnPage learnPage(const AppState& state) {
    const ResolvedLesson* const resolved = shownResolved(state);
    const Lesson& lesson = *shownLesson(state);
    const LessonProgress& progress = progressOf(state);
    LearnPage page{.group = std::string(groupTitle(lesson.group)),
                   .title = lesson.title,
                   .question = questionOf(state, lesson, resolved)};
    for (const Lesson& each : builtInLessons().lessons) {
        if (each.group != lesson.group) continue;
        if (each.id == lesson.id) page.place = page.lessons.size();
        const auto found = state.lesson.progress.find(each.id);
        page.lessons.push_back(
            comeOf(found == state.lesson.progress.end() ? nullptr : &found->second, each));
    }
    page.page = std::min(progress.page, pageCount(lesson) - 1);
    page.pages = pageCount(lesson);
    page.steps = lesson.steps.size();
    page.terms = lesson.words;
    if (page.page <= lesson.steps.size()) {
        const ViewChange& scene =
            page.page == 0 ? lesson.question.shown.view : lesson.steps[page.page - 1].scene.view;
        page.asksMemory = scene.array || scene.step;
    }
    page.pictures = picturesOf(state, lesson);
    page.pictureTitle = launchInWords(state);
    const Experiment asked = lesson.opening.view.experiment.value_or(lesson.here());
    if (state.lesson.mistakePanels && state.view.experiment != asked) {
        const std::string& scenario = state.view.experiment.scenario;
        page.elsewhere = (scenario == asked.scenario ? "" : scenarioNamed(scenario).title + ": ") +
                         page.pictureTitle;
    }
    page.moves = std::ranges::any_of(page.pictures, [&](const LearnPicture& picture) {
        return !picture.covered && !picture.bare && rowOf(picture.panel).moves;
    });
    page.mayGoBack = page.page > 0;
    page.mayGoOn = !page.question.open && page.page + 1 < pagesShown(state);
    if (lesson.slider && state.view.experiment.scenario == lesson.here().scenario &&
        page.kind != PageKind::goal) {
        const LessonSlider& slider = *lesson.slider;
        page.slider = LearnSlider{slider.argument,
                                  state.view.experiment.arguments.at(slider.argument), slider.from,
                                  slider.to, page.question.open ? slider.untilAnswer : slider.to};
    }
    if (resolved == nullptr) return page;  // its numbers come within milliseconds
    if (page.page == 0) {
        page.words = lesson.look;
    } else if (page.page <= lesson.steps.size()) {
        page.kind = PageKind::step;
        page.told = lesson.steps[page.page - 1].say;
        page.words = {lesson.steps[page.page - 1].see};
        if (state.present.lesson) {
            page.told = forAHall(page.told);
            page.words = {forAHall(page.words.front())};
        }
    } else if (page.page == concludingPage(lesson)) {
        page.kind = PageKind::conclusion;
        page.words = lesson.conclude;
        page.figures = true;
        page.compares = lesson.compare.has_value();
    } else if (!isGoalPage(lesson, page.page)) {
        page.kind = PageKind::exercise;
        page.words = {taskOf(lesson)};
        page.slider.reset();
        page.exerciseDone = progress.exercise;
    } else {
        page.kind = PageKind::goal;
        page.words = {lesson.goal->say};
        page.slider.reset();
        page.goal = goalStanding(state);
        page.goalReached = isReached(page.goal);
    }
    return page;
}

std::vector<LessonStanding> standingsOf(const LessonsProgress& progress, bool ofCourse) {
    std::vector<LessonStanding> standings;
    for (const Lesson& lesson : builtInLessons().lessons) {
        if (ofCourse && lesson.group != courseGroup) continue;
        LessonStanding one{.lesson = lesson.id,
                           .title = lesson.title,
                           .answered = "not begun",
                           .pages = pageCount(lesson)};
        if (const auto found = progress.find(lesson.id);
            found != progress.end() &&
            (found->second.hints > 0 || comeOf(&found->second, lesson) != Come::untouched)) {
            const LessonProgress& come = found->second;
            one.answered = warplens::toString(come.known ? Answered::right : come.answered);
            one.tries = come.tries + (come.answered == Answered::right ? 1 : 0);
            one.hints = come.hints;
            one.goal = come.goal;
            one.exercise = come.exercise;
            // Answering unlocks a page that is not seen yet.
            one.page = std::min(std::max(come.page + 1, come.furthest), one.pages);
        }
        standings.push_back(std::move(one));
    }
    return standings;
}

TextRows rowsOf(const std::string& name, const std::vector<LessonStanding>& lessons) {
    TextRows rows{{"name", "lesson", "title", "answered", "tries", "hints", "goal", "exercise",
                   "page", "pages"}};
    for (const LessonStanding& one : lessons) {
        rows.push_back({name, one.lesson, one.title, one.answered, std::to_string(one.tries),
                        std::to_string(one.hints), one.goal ? "1" : "0", one.exercise ? "1" : "0",
                        std::to_string(one.page), std::to_string(one.pages)});
    }
    return rows;
}

}  // namespace warplens::window
