#include "app/lessons/lesson_check.h"

#include <set>

#include "app/drawing/warp_memory.h"
#include "app/lessons/library.h"
#include "core/json/json.h"
#include "core/lesson/lesson_evidence.h"
#include "core/lesson/lesson_json.h"
#include "core/lesson/resolved_lesson.h"
#include "core/text/format.h"
#include "kernels/library/predict.h"

namespace warplens {
namespace {

class Checker final {
  public:
    Checker(const CourseText& file, const Lesson& lesson, LessonCheck& check)
        : file_(file), lesson_(lesson), check_(check), places_(placesIn(file.text)) {}

    /// Of a lesson that could be read in part, all that this part says.
    void checkAll(const RecordingLibrary& recordings) {
        const LessonEvidence evidence = evidenceOf(recordings);
        const ResolvedLesson told = tell(lesson_, evidence);
        const bool isAsked = !lesson_.question.ask.empty();
        check_.numbers =
            lesson_.figures.size() + (isAsked ? 1 : 0) + lesson_.question.mistakes.size();
        check_.steps = lesson_.steps.size();
        for (const std::string& missing : told.missing) {
            const std::string quantity = missing.substr(0, missing.find(": "));
            const bool isTold = std::ranges::any_of(unread_, [&](const std::string& launch) {
                return missing.ends_with(": no launch " + launch);
            });
            if (isTold) continue;
            if (missing.ends_with("not measured")) {
                check_.unmeasured.push_back({file_.file, lineOfQuantity(quantity), quantity});
            } else if (const CourseFault one{file_.file, lineOfQuantity(quantity), missing};
                       std::ranges::find(check_.faults, one) == check_.faults.end()) {
                check_.faults.push_back(one);
            }
        }
        if (isAsked) {
            checkQuestion(told);
            checkCover(told);
        }
        checkScenes();
        if (lesson_.goal) checkGoal();
        if (const auto& pair = lesson_.compare;
            pair && lesson_.launches.at(pair->a) == lesson_.launches.at(pair->b) &&
            !isStandIn(lesson_.launches.at(pair->a)))
            fault("/compare", "both sides are one and the same launch");
    }

  private:
    void fault(const std::string& pointer, std::string words) {
        check_.faults.push_back({file_.file, lineOf(places_, pointer), std::move(words)});
    }
    static std::string mistakeAt(std::size_t i) {
        return "/question/mistakes/" + std::to_string(i);
    }
    /// Whether all entries of the list could be read: else their places are not the file's.
    [[nodiscard]] bool isWhole(const std::string& pointer, std::size_t read) const {
        return std::ranges::find(places_, pointer + '/' + std::to_string(read),
                                 &JsonPlace::pointer) == places_.end();
    }
    [[nodiscard]] bool areMistakesWhole() const {
        return isWhole("/question/mistakes", lesson_.question.mistakes.size());
    }

    /// Of the launches that can be run.
    LessonEvidence evidenceOf(const RecordingLibrary& recordings) {
        LessonEvidence evidence;
        Lesson one = lesson_;
        for (const auto& [name, experiment] : lesson_.launches) {
            unread_.insert(name);
            if (isStandIn(experiment)) continue;
            one.launches = {{name, experiment}};
            try {
                evidence.merge(evidenceFor(one, {}, recordings));
                unread_.erase(name);
            } catch (const std::exception& error) {
                fault("/launches/" + name, error.what());
            }
        }
        return evidence;
    }

    /// Of the first value that asks for it, by itself or within a text.
    [[nodiscard]] std::uint32_t lineOfQuantity(const std::string& quantity) const {
        const auto asks = std::ranges::find_if(places_, [&](const JsonPlace& place) {
            return place.text == '"' + quantity + '"' ||
                   place.text.find('{' + quantity) != std::string_view::npos;
        });
        return asks == places_.end() ? 1 : asks->line;
    }

    void checkQuestion(const ResolvedLesson& told) {
        const Question& question = told.lesson.question;
        const std::string answer = "/question/answer";
        const std::string own = '{' + question.answer.text();
        for (std::size_t i = 0; i < lesson_.look.size(); ++i) {
            const std::string& words = lesson_.look[i];
            if (words.find(own + '}') != words.npos || words.find(own + '|') != words.npos)
                fault("/look/" + std::to_string(i),
                      own + "} is the answer, told before the question");
        }
        // What its number lacks is told already.
        const bool isTold = std::ranges::any_of(told.missing, [&](const std::string& missing) {
            return !missing.ends_with("not measured") &&
                   missing.starts_with(question.answer.text() + ": ");
        });
        if (const std::string why = whyUnanswerable(told); !why.empty() && !isTold) {
            fault(answer, why);
        }
        const bool hasDecimals = std::ranges::any_of(
            places_, [](const JsonPlace& place) { return place.pointer == "/question/decimals"; });
        if (!question.choices.empty() && hasDecimals)
            fault("/question/decimals", "needless: beside choices no number is shown");
        if (!told.answer) return;
        if (question.choices.empty() && judge(told, told.answerText) != Verdict::right) {
            fault(answer,
                  "'" + told.answerText + "', as the answer is shown, is not taken as right");
        }
        if (!areMistakesWhole()) return;
        for (const ResolvedMistake& known : told.mistakes) {
            const Mistake& mistake = question.mistakes.at(known.mistake);
            const std::string at = mistakeAt(known.mistake);
            if (mistake.choice) {
                if (judge(told, *mistake.choice) == Verdict::right) {
                    fault(at + "/choice", "a mistake that is right");
                }
                continue;
            }
            if (!known.guess) continue;  // told among what is missing
            const std::string guess = std::to_string(*known.guess);
            const std::string shown = plainNumber(*known.guess);
            if (judge(told, guess) == Verdict::right) {
                fault(at + "/guess", "a mistake that is right: " + shown);
            } else if (mistakeOf(told, guess) != &mistake) {
                fault(at + "/guess", "another mistake has the same number, " + shown);
            }
        }
    }

    /// Something is covered until the question is answered, and no mistake shows that alone.
    void checkCover(const ResolvedLesson& told) {
        const Cover cover = coverOf(lesson_);
        if (lesson_.question.answer.launches().empty()) checkGiven(told);
        if (cover.parts().empty() && isWhole("/covers", lesson_.covers.size())) {
            fault("/question",
                  "nothing is covered until the question is answered: name a quantity that the "
                  "pictures show in \"answer\", or give the lesson \"covers\": "
                  "[{\"aspect\": \"requests\"}]");
        }
        if (!areMistakesWhole()) return;
        for (std::size_t i = 0; i < lesson_.question.mistakes.size(); ++i) {
            if (!lesson_.question.mistakes[i].scene) continue;
            const Scene& scene = *lesson_.question.mistakes[i].scene;
            const Experiment& shown =
                scene.view.experiment ? *scene.view.experiment : lesson_.here();
            const bool isCovered =
                !scene.panels.empty() && std::ranges::all_of(scene.panels, [&](PictureKind panel) {
                    return !rowOf(panel).bare && cover.hidesAny(rowOf(panel).tells, shown);
                });
            if (isCovered) {
                fault(mistakeAt(i) + "/show",
                      "its picture would tell the answer and stays covered until then: show "
                      "another launch, or other panels");
            }
        }
    }

    /// An answer that asks nothing of a launch is one of the numbers that the lesson counts.
    void checkGiven(const ResolvedLesson& told) {
        if (!told.answer) return;
        std::string counted;
        for (const ResolvedNumber& figure : told.figures) {
            for (const ResolvedNumber::Line& line : figure.lines) {
                if (judge(told, std::to_string(line.number.value)) == Verdict::right) return;
                addWords(counted, ", ", line.value + " ('" + figure.name + "')");
            }
        }
        fault("/question/answer", "the answer is " + told.answerText +
                                      " as it is written, which nothing counts" +
                                      (counted.empty() ? "" : "; counted is " + counted));
    }

    /// Every step that is shown must be there.
    void checkScenes() {
        Experiment shown = lesson_.here();
        const auto isUnread = [&](const Experiment& launch) {
            return std::ranges::any_of(unread_, [&](const std::string& name) {
                return lesson_.launches.at(name) == launch;
            });
        };
        const auto check = [&](const Scene& scene, const std::string& at) {
            const ViewChange& view = scene.view;
            if (view.experiment) shown = *view.experiment;
            if (isUnread(shown)) return;
            const std::optional<std::uint64_t> index = view.step.value_or(noStep);
            if (!index) return;
            const std::optional<WarpRank> warp = view.warp.value_or(noWarp);
            const WarpTrace trace =
                traceWarp({shown, view.block.value_or(Index3{}), warp.value_or(WarpRank{0})});
            const std::string step = "step " + std::to_string(*index + 1) + ": ";
            if (!trace.failure.empty()) {
                fault(at, "its warp cannot be traced: " + trace.failure);
            } else if (*index >= trace.total) {
                fault(at + "/step", step + "the warp takes " + std::to_string(trace.total));
            } else if (const auto array = view.array.value_or(std::nullopt);
                       array && *index < trace.steps.size() && !isOfArray(trace, *array, *index)) {
                fault(at + "/step", step + drawing::titleOf(trace, trace.steps[*index]) +
                                        ", which is no step of '" +
                                        trace.subjects.arrayNames().at(*array) + '\'');
            }
        };
        check(lesson_.opening, "/opening");
        for (std::size_t i = 0; areMistakesWhole() && i < lesson_.question.mistakes.size(); ++i) {
            shown = lesson_.here();
            const auto& scene = lesson_.question.mistakes[i].scene;
            if (scene) check(*scene, mistakeAt(i) + "/show");
        }
        shown = lesson_.here();
        if (!isWhole("/steps", lesson_.steps.size())) return;
        for (std::size_t i = 0; i < lesson_.steps.size(); ++i) {
            check(lesson_.steps[i].scene, "/steps/" + std::to_string(i) + "/show");
        }
    }

    static bool isOfArray(const WarpTrace& trace, std::size_t array, std::uint64_t step) {
        return std::ranges::find(trace.byArray.at(array), step) != trace.byArray.at(array).end();
    }

    void checkGoal() {
        const LessonGoal& goal = *lesson_.goal;
        if (unread_.contains(goal.launch)) return;
        const auto reached = [&](const Experiment& experiment) {
            const auto evidenceOf = [](const Experiment& of) {
                return LaunchEvidence{
                    .experiment = of, .predicted = predict(of).values, .predictedHow = {}};
            };
            LessonEvidence evidence;
            evidence.emplace("here", evidenceOf(lesson_.launches.at(goal.launch)));
            evidence.emplace(goalLaunch, evidenceOf(experiment));
            return isReached(standingOf(goal, evidence));
        };
        try {
            if (reached(lesson_.launches.at(goal.launch))) {
                fault("/goal", "the goal is reached where it begins");
            }
            for (std::size_t i = 0; i < goal.solutions.size(); ++i) {
                if (reached(goal.solutions[i])) continue;
                fault("/goal/solutions/" + std::to_string(i),
                      "the goal is not reached by " + toOptions(goal.solutions[i]));
            }
        } catch (const std::exception& error) {
            fault("/goal", error.what());
        }
    }

    const CourseText& file_;
    const Lesson& lesson_;
    LessonCheck& check_;
    std::vector<JsonPlace> places_;
    std::set<std::string> unread_{};  ///< launches of which it is told what is wrong
};

}  // namespace

LessonCheck checkLesson(const CourseText& file, const std::string& course,
                        const RecordingLibrary& recordings) {
    LessonCheck check;
    try {
        check.lesson = lessonFromText(file.file, file.text, course);
        check.id = check.lesson->id;
        check.place = check.lesson->place;
        Checker(file, *check.lesson, check).checkAll(recordings);
    } catch (const MalformedLesson& malformed) {
        check.id = malformed.id;
        check.place = malformed.place;
        check.faults.push_back({file.file, malformed.line, malformed.words});
        for (const auto& [line, words] : malformed.others) {
            check.faults.push_back({file.file, line, words});
        }
        check.lesson = malformed.partly;
        if (check.lesson) Checker(file, *check.lesson, check).checkAll(recordings);
    }
    return check;
}

}  // namespace warplens
