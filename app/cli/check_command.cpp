#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <set>

#include "app/cli/declare.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "app/cli/subcommand.h"
#include "app/drawing/warp_trace.h"
#include "app/lessons/evidence.h"
#include "core/course/course.h"
#include "core/lesson/aspect.h"
#include "core/lesson/goal.h"
#include "core/lesson/lesson_json.h"
#include "core/lesson/resolved_lesson.h"
#include "core/measurement/json.h"
#include "core/text/format.h"
#include "kernels/course/remote_kernel.h"
#include "kernels/library/computing_loops.h"
#include "kernels/library/predict.h"
#include "kernels/trace/build/program_build.h"

namespace warplens {
namespace {

/// Goes through an opened course, and notes what is wrong.
class Checker final {
  public:
    explicit Checker(const Course& course) : course_(course), faults_(course.faults) {}

    void checkAll() {
        for (const Kernel& kernel : course_.kernels) {
            for (const Scenario& scenario : kernel.scenarios) {
                const ProgressLine line("checking " + scenario.id);
                checkScenario(kernel, scenario);
            }
        }
        recordings_ = builtInRecordings();
        for (const std::string& problem : recordings_.problems) {
            const std::size_t colon = std::min(problem.find(": "), problem.size());
            faults_.push_back({"recordings/" + problem.substr(0, colon), 1,
                               problem.substr(std::min(colon + 2, problem.size()))});
        }
        for (const CourseText& file : course_.lessons) {
            const ProgressLine line("checking " + file.file);
            checkLesson(file);
        }
    }

    /// Faults one a line, then what was looked at.
    [[nodiscard]] std::string report() const {
        std::string text;
        for (const CourseFault& fault : faults_) {
            text += (course_.folder / toString(fault)).string() + '\n';
        }
        text += counted(scenarios_, "scenario") + ", " + counted(lessons_, "lesson") + ", " +
                counted(numbers_, "number") + ", " + counted(steps_, "step") + ": " +
                (faults_.empty() ? "nothing wrong" : counted(faults_.size(), "fault")) + '\n';
        if (!unmeasured_.empty()) {
            text += counted(unmeasured_.size(), "number") +
                    " that only a measurement gives, of which there is no recording:\n";
            for (const std::string& one : unmeasured_) text += "  " + one + '\n';
        }
        return text;
    }
    [[nodiscard]] bool isSound() const { return faults_.empty(); }

  private:
    void checkScenario(const Kernel& kernel, const Scenario& scenario) {
        ++scenarios_;
        const auto fault = [&](std::uint32_t line, const std::string& words) {
            faults_.push_back({kernel.file, line, words});
        };
        const std::string& id = scenario.id;  // with the course's name
        if (!scenario.comparedWith.empty() && findScenario(scenario.comparedWith) == nullptr) {
            fault(scenario.line, "there is no scenario '" + scenario.comparedWith +
                                     "' to compare " + scenario.id + " with");
        }
        try {
            const Experiment experiment = initialExperiment(scenarioNamed(id));
            if (const auto violations = validateRun(experiment); !violations.empty()) {
                return fault(scenario.line, scenario.id + ": " + toString(violations));
            }
            (void)predict(experiment);
            if (const auto line = lineThatComputingChanges(experiment)) {
                fault(*line,
                      "another access or branch where a loop marked 'only computes' is run than "
                      "where it is passed by");
            }
        } catch (const NoCompiler&) {
            throw;  // no fault of the course
        } catch (const TraceFault& words) {
            fault(lineOfFault(kernel, words.what(), scenario.line), words.what());
        } catch (const std::exception& error) {
            fault(scenario.line, scenario.id + ": " + error.what());
        }
    }

    /// `kernel line 12: ...` as the trace says it, `file.cu:12:5: error` as the compiler does.
    static std::uint32_t lineOfFault(const Kernel& kernel, const std::string& words,
                                     std::uint32_t otherwise) {
        const std::string compilers = kernel.file + ':';
        if (const std::size_t at = words.find(compilers); at != std::string::npos) {
            const int line = std::atoi(words.c_str() + at + compilers.size());
            if (line > 0) return static_cast<std::uint32_t>(line);
        }
        if (words.find(" line ") == std::string::npos) return otherwise;
        return lineSpokenOf(kernel.text, words);
    }

    void checkLesson(const CourseText& file) {
        ++lessons_;
        const auto fault = [&](const std::string& words, const std::string& near) {
            faults_.push_back({file.file, lineSpokenOf(file.text, near), words});
        };
        if (const auto line = brokenJsonLine(file.text)) {
            faults_.push_back({file.file, *line, "not JSON, or cut off"});
            return;
        }
        std::optional<Lesson> read;
        try {
            read = lessonFromText(file.file, file.text, course_.name);
        } catch (const MalformedJson& malformed) {
            std::string words = malformed.what();
            if (words.starts_with(file.file + ": ")) words.erase(0, file.file.size() + 2);
            return fault(words, words);
        }
        const Lesson& lesson = *read;
        const auto nearText = [](const std::string& text) { return '`' + text + '`'; };
        if (!ids_.insert(lesson.id).second)
            fault("there is a lesson " + lesson.id + " already", "'\"id\"'");
        LessonEvidence evidence;
        try {
            evidence = evidenceFor(lesson, {}, recordings_);
        } catch (const std::exception& error) {
            return fault(error.what(), "'\"launches\"'");
        }
        const ResolvedLesson told = tell(lesson, evidence);
        numbers_ += lesson.figures.size() + 1 + lesson.question.mistakes.size();
        for (const std::string& missing : told.missing) {
            const std::string quantity = missing.substr(0, missing.find(": "));
            if (missing.ends_with("not measured")) {
                unmeasured_.insert(file.file + ':' +
                                   std::to_string(lineSpokenOf(file.text, nearText(quantity))) +
                                   ": " + quantity);
            } else {
                fault(missing, nearText(quantity));
            }
        }
        checkQuestion(told, [&](const std::string& words, const std::string& text) {
            fault(words, nearText(text));
        });
        if (coverOf(lesson).parts().empty()) {
            fault(
                "nothing is covered until the question is answered: name a quantity that the "
                "pictures show in \"answer\", or \"covers\"",
                "'\"question\"'");
        }
        checkScenes(lesson, [&](const std::string& words, const std::string& text) {
            fault(words, nearText(text));
        });
        if (lesson.goal) {
            checkGoal(lesson, [&](const std::string& words) { fault(words, "'\"goal\"'"); });
        }
    }

    template <class Fault>
    void checkQuestion(const ResolvedLesson& told, Fault fault) const {
        const Question& question = told.lesson.question;
        if (!told.answer) {
            fault("the question has no answer: " + told.answerText, question.answer.text());
            return;
        }
        if (question.choices.empty()) {
            if (judge(told, told.answerText) != Verdict::right) {
                fault("'" + told.answerText + "', as the answer is shown, is not taken as right",
                      question.answer.text());
            }
        } else if (!told.choice) {
            fault("none of the choices holds the answer", question.answer.text());
        }
        for (const ResolvedMistake& known : told.mistakes) {
            const Mistake& mistake = question.mistakes.at(known.mistake);
            if (mistake.choice) {
                if (judge(told, *mistake.choice) == Verdict::right) {
                    fault("a mistake that is right", mistake.say);
                }
                continue;
            }
            if (!known.guess) continue;  // told among what is missing
            const std::string guess = std::to_string(*known.guess);
            if (judge(told, guess) == Verdict::right) {
                fault("a mistake that is right: " + guess, mistake.guess->text());
            } else if (mistakeOf(told, guess) != &mistake) {
                fault("another mistake has the same number, " + guess, mistake.guess->text());
            }
        }
    }

    /// Every step that is shown must be there.
    template <class Fault>
    void checkScenes(const Lesson& lesson, Fault fault) {
        const Experiment* shown = &lesson.here();
        const auto check = [&](const Scene& scene, const std::string& text) {
            if (scene.launch) shown = &lesson.launches.at(*scene.launch);
            ++steps_;
            if (!scene.step) return;
            const WarpTrace trace = traceWarp(
                {*shown, scene.block.value_or(Index3{}), scene.warp.value_or(WarpRank{0})});
            if (!trace.failure.empty()) {
                fault("its warp cannot be traced: " + trace.failure, text);
            } else if (*scene.step > trace.total) {
                fault("step " + std::to_string(*scene.step) + ": the warp takes " +
                          std::to_string(trace.total),
                      text);
            }
        };
        check(lesson.opening, lesson.title);
        for (const Mistake& mistake : lesson.question.mistakes) check(mistake.scene, mistake.say);
        shown = &lesson.launches.at(lesson.opening.launch.value_or("here"));
        for (const LessonStep& step : lesson.steps) check(step.scene, step.say);
    }

    template <class Fault>
    static void checkGoal(const Lesson& lesson, Fault fault) {
        const auto reached = [&](const Experiment& experiment) {
            const auto evidenceOf = [](const Experiment& of) {
                return LaunchEvidence{
                    .experiment = of, .predicted = predict(of).values, .predictedHow = {}};
            };
            LessonEvidence evidence;
            evidence.emplace("here", evidenceOf(lesson.launches.at(lesson.goal->launch)));
            evidence.emplace(goalLaunch, evidenceOf(experiment));
            return isReached(standingOf(*lesson.goal, evidence));
        };
        try {
            if (reached(lesson.launches.at(lesson.goal->launch))) {
                fault("the goal is reached where it begins");
            }
            for (const Experiment& solution : lesson.goal->solutions) {
                if (!reached(solution)) {
                    fault("the goal is not reached by " + toOptions(solution));
                }
            }
        } catch (const std::exception& error) {
            fault(error.what());
        }
    }

    const Course& course_;
    std::vector<CourseFault> faults_;
    std::set<std::string> unmeasured_;
    std::set<std::string> ids_;
    RecordingLibrary recordings_;
    std::size_t scenarios_ = 0;
    std::size_t lessons_ = 0;
    std::size_t numbers_ = 0;
    std::size_t steps_ = 0;
};

ExitCode run(const std::string& folder) {
    if (folder.empty()) {
        throw InvalidRequest({{"FOLDER", "missing", "a folder with .cu files and lessons"}});
    }
    openCourse(readCourse(folder));
    course::runKernelsInChildren();
    Checker checker(*openedCourse());
    checker.checkAll();
    print(checker.report());
    return checker.isSound() ? ExitCode::done : ExitCode::failed;
}

}  // namespace

Subcommand addCheckCommand(CLI::App& program) {
    const auto folder = std::make_shared<std::string>();
    CLI::App* parser = program.add_subcommand(
        "check", "what is wrong with a course: every number, step and link of its lessons");
    addText(*parser, "FOLDER", *folder, value::folder,
            "of the course: .cu files and lessons/*.json");
    return {parser, [folder] { return run(*folder); }};
}

}  // namespace warplens
