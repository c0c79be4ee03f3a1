#include "app/cli/check_course.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <regex>
#include <set>
#include <utility>

#include "app/cli/output.h"
#include "app/cli/program_options.h"
#include "app/cli/progress.h"
#include "app/cli/report.h"
#include "app/lessons/lesson_check.h"
#include "app/lessons/library.h"
#include "core/course/course.h"
#include "core/json/archive.h"
#include "core/json/json.h"
#include "core/program/called_functions.h"
#include "core/program/cuda_tokens.h"
#include "core/program/line_costs.h"
#include "core/text/encoding.h"
#include "core/text/format.h"
#include "kernels/course/course_ptx.h"
#include "kernels/device/measure_request.h"
#include "kernels/library/predict.h"
#include "kernels/programs/compiler.h"
#include "kernels/programs/sandbox.h"

namespace warplens {
namespace {

/// Of a program's part from a line on the lines that allocate what nothing there frees. A program
/// that returns before its end is not asked for that.
std::map<std::uint32_t, std::string> leaksOf(std::string_view part, std::uint32_t first) {
    static const std::regex made(R"(\bcudaMalloc\w*\s*\([^&;]*&\s*(\w+)\s*,)");
    static const std::regex freed(R"(\bcuda(?:Free\w*\s*\(\s*(\w*)|DeviceReset))");
    const std::string code = source::maskedText(part);
    std::map<std::uint32_t, std::string> leaks;
    std::set<std::string> names;
    for (std::sregex_iterator at(code.begin(), code.end(), made), end; at != end; ++at) {
        names.insert(at->str(1));
        const auto line = std::count(code.begin(), code.begin() + at->position(1), '\n');
        leaks[first + static_cast<std::uint32_t>(line)] = at->str(1) + " is never freed";
    }
    for (std::sregex_iterator at(code.begin(), code.end(), freed), end; at != end; ++at) {
        if (!names.contains(at->str(1))) return {};  // by another name
        std::erase_if(leaks,
                      [&](const auto& leak) { return leak.second.starts_with(at->str(1) + ' '); });
    }
    return leaks;
}

/// The line of a `main` that returns 0 whatever its results are: no other number that it returns,
/// and no call of `exit` or its like, is about more than whether CUDA failed. 0 where one is.
std::uint32_t alwaysRight(const ProgramSources& sources) {
    static const std::regex fails(
        R"(\breturn\b(?!\s*(?:0|EXIT_SUCCESS)?\s*;)|\b(?:_|quick_)?[eE]xit\s*\(\s*(?!0\s*\)|EXIT_SUCCESS)|\b(?:abort|assert|throw|terminate)\b)");
    static const std::regex ofCuda(R"(\bcuda[A-Z])");
    const auto isOfCuda = [](std::string_view code) {
        return std::regex_search(code.begin(), code.end(), ofCuda);
    };
    std::uint32_t line = 0;
    for (const auto* files : {&sources.units, &sources.headers}) {
        for (const ProgramFile& file : *files) {
            const source::SourceEdit text(file.text);
            source::TextSpan body;
            for (const source::FunctionText& function : source::functionsIn(text))
                if (function.name == "main") body = function.body;
            if (body.size() != 0) line = source::placeAt(file.text, body.begin).line;
            const std::string& code = text.masked();
            for (std::sregex_iterator at(code.begin(), code.end(), fails), last; at != last; ++at) {
                const auto begin = static_cast<std::size_t>(at->position());
                if (at->str() == "return" && !body.holds(begin)) continue;
                const auto macro = std::ranges::find_if(text.tokens(), [&](const auto& token) {
                    return token.kind == CudaTokenKind::directive && token.begin <= begin &&
                           begin < token.end;
                });
                const auto asksCuda = [&](const source::Statement& each) {
                    return isOfCuda(text.textOf(each.condition));
                };
                if (macro != text.tokens().end()
                        ? !isOfCuda(macro->text)
                        : std::ranges::none_of(text.statementsAround(begin), asksCuda))
                    return 0;
            }
        }
    }
    return line;
}

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
            checkFile(file);
        }
    }

    [[nodiscard]] CourseReport report(const std::string& folder) && {
        report_.course = folder;
        report_.faults = std::move(faults_);
        report_.unmeasured.assign(unmeasured_.begin(), unmeasured_.end());
        std::ranges::stable_sort(report_.faults, {}, [](const CourseFault& fault) {
            return std::pair(fault.file, fault.line);
        });
        for (CourseFault& fault : report_.faults) {
            fault.file = (course_.folder / fault.file).string();
        }
        return std::move(report_);
    }

  private:
    void checkScenario(const Kernel& kernel, const Scenario& scenario) {
        ++report_.scenarios;
        const auto fault = [&](std::uint32_t line, const std::string& words) {
            const CourseFault one{kernel.file, line, words};
            if (std::ranges::find(faults_, one) == faults_.end()) faults_.push_back(one);
        };
        const std::string& id = scenario.id;  // with the course's name
        if (!scenario.comparedWith.empty() && findScenario(scenario.comparedWith) == nullptr) {
            const auto unread = course_.unread.find(scenario.comparedWith);
            fault(scenario.line, "there is no scenario '" + scenario.comparedWith +
                                     "' to compare " + id + " with" +
                                     (unread == course_.unread.end()
                                          ? scenariosMeant(scenario.comparedWith)
                                          : ": its file " + unread->second + " cannot be read"));
        }
        if (const auto [other, isNew] =
                scenarioPlaces_.emplace(std::pair(scenario.group, scenario.order), id);
            !isNew) {
            fault(scenario.line, "its place is that of the scenario " + other->second);
        }
        try {
            const Experiment experiment = initialExperiment(scenarioNamed(id));
            if (const auto violations = validateRun(experiment); !violations.empty()) {
                return fault(scenario.line, id + ": " + toString(violations));
            }
            const LaunchReport predicted = predict(experiment);
            if (const auto line = lineThatComputingChanges(experiment)) {
                fault(*line,
                      "another access or branch where a loop marked 'only computes' is run than "
                      "where it is passed by");
            }
            if (const auto wrong = course::wrongElement(experiment)) {
                fault(wrong->line, wrong->words);
            }
            if (const auto wrong = course::wrongMoves(experiment, predicted))
                fault(wrong->line, wrong->words);
            const auto told = [&](std::vector<Finding> findings, const std::string& where) {
                for (Finding& finding : findings) {
                    const std::uint32_t line = finding.place.line;
                    finding.place = {};
                    fault(line == 0 ? scenario.line : line, findingText(finding) + where);
                }
                return findings.empty();
            };
            if (!told(course::findingsIn(experiment), "")) return;
            bool isSound = true;
            // At sizes that whole blocks do not cover: a bound that is one too high, or none.
            for (const auto& [name, value] : experiment.arguments.entries()) {
                const auto uneven = oneLess(id, name, value);
                if (uneven)
                    isSound &=
                        told(course::findingsIn(*uneven), " (with " + sizesOf(*uneven) + ')');
            }
            if (isSound) sound_.insert(id);
        } catch (const NoCompiler&) {
            throw;  // no fault of the course
        } catch (const NotConfined&) {
            throw;
        } catch (const Cancelled&) {
            throw;
        } catch (const CompileFailed& failed) {
            notCompiled_.insert(failed.what());
            // At the first error's own line.
            const std::string_view words = failed.what();
            const std::uint32_t line = lineOfFault(kernel, failed.what(), scenario.line);
            const std::string place = kernel.file + ':' + std::to_string(line) + ": ";
            const std::size_t at = words.find(place);
            fault(line,
                  std::string(trimmed(words.substr(at == words.npos ? 0 : at + place.size()))));
        } catch (const TraceFault& words) {
            untraced_.insert(id);
            fault(lineOfFault(kernel, words.what(), scenario.line), words.what());
        } catch (const std::exception& error) {
            fault(scenario.line, id + ": " + error.what());
        }
    }

    /// What the lesson's launches do wrong that their scenarios do not as they are; whether any
    /// does.
    bool checkLaunches(const Lesson& lesson, const std::string& file) {
        bool isAny = false;
        for (const auto& [name, experiment] : lesson.launches) {
            if (!sound_.contains(experiment.scenario) ||
                experiment == initialExperiment(scenarioNamed(experiment.scenario)))
                continue;
            try {
                for (Finding& finding : course::findingsIn(experiment)) {
                    isAny = true;
                    const std::uint32_t line = std::max(1U, finding.place.line);
                    finding.place = {};
                    std::string where = '@' + name + " of " + file;
                    addWords(where, ", ", sizesOf(experiment));
                    faults_.push_back({kernelOf(experiment).file, line,
                                       findingText(finding) + " (" + where + ')'});
                }
            } catch (const TraceFault&) {
                continue;  // its numbers are told to be missing
            }
        }
        return isAny;
    }

    /// The scenario with one size less by one; nothing where that is no launch.
    static std::optional<Experiment> oneLess(const std::string& id, const std::string& size,
                                             std::int64_t value) {
        try {
            return complete({.scenario = id, .set = {{size, value - 1}}});
        } catch (const InvalidRequest&) {
            return std::nullopt;
        }
    }

    /// `file.cu:12: error` as the compiler says it; 0 where no line is named.
    static std::uint32_t lineNamed(const std::string& file, const std::string& words) {
        const std::string compilers = file + ':';
        for (std::size_t at = words.find(compilers); at != std::string::npos;
             at = words.find(compilers, at + 1)) {
            const int line = std::atoi(words.c_str() + at + compilers.size());
            if (line > 0) return static_cast<std::uint32_t>(line);
        }
        return 0;
    }

    /// `kernel line 12: ...` as the trace says it, `file.cu:12: error` as the compiler does.
    static std::uint32_t lineOfFault(const Kernel& kernel, const std::string& words,
                                     std::uint32_t otherwise) {
        if (const std::uint32_t line = lineNamed(kernel.file, words); line > 0) return line;
        const std::size_t at = words.find(" line ");
        const int line = at == std::string::npos ? 0 : std::atoi(words.c_str() + at + 6);
        return line > 0 ? static_cast<std::uint32_t>(line) : otherwise;
    }

    void checkFile(const CourseText& file) {
        ++report_.lessons;
        LessonCheck check = checkLesson(file, course_.name, recordings_);
        report_.numbers += check.numbers;
        report_.steps += check.steps;
        // What its kernel's own fault keeps from being predicted is no fault of the lesson.
        const auto isUntraced = [&](const auto& launch) {
            return untraced_.contains(launch.second.scenario);
        };
        if (check.lesson && (checkLaunches(*check.lesson, file.file) ||
                             std::ranges::any_of(check.lesson->launches, isUntraced)))
            std::erase_if(check.faults, [](const CourseFault& fault) {
                return fault.words.starts_with("its warp cannot be traced: ") ||
                       (fault.words.find(": no ") != std::string::npos &&
                        fault.words.ends_with(" predicted"));
            });
        for (CourseFault& fault : check.faults) {
            if (notCompiled_.contains(fault.words)) {
                fault.words = "nothing of this launch was worked out: its kernel does not compile";
            }
            faults_.push_back(std::move(fault));
        }
        for (const CourseFault& one : check.unmeasured) unmeasured_.insert(toString(one));
        const auto again = [&](const char* pointer, const std::string& words) {
            faults_.push_back({file.file, lineOf(placesIn(file.text), pointer), words});
        };
        if (check.id.size() > course_.name.size() + 1) {
            const auto [other, isNew] = ids_.emplace(check.id, file.file);
            if (!isNew)
                again("/id", "there is a lesson " + check.id + " already, in " + other->second);
        }
        if (check.place % 100 != 0) {
            const auto [other, isNew] = places_.emplace(check.place, check.id);
            if (!isNew)
                again("/place", "its place in its group is that of the lesson " + other->second);
        }
        if (!check.lesson || file.exercise.empty()) return;
        check.lesson->exercise = file.exercise;
        checkExercise(*check.lesson, file.file);
    }

    /// An exercise can be run, its comments read, and it is not done as it stands.
    void checkExercise(const Lesson& lesson, const std::string& lessonFile) {
        ++report_.exercises;
        const std::string file =
            std::filesystem::path(lessonFile).replace_extension(".cu").string();
        TraceRequest request;
        request.source.files = {(course_.folder / file).string()};
        try {
            const ProgramTrace trace = tracedShowing(request).trace;
            const ProgramSources sources = sourcesOf(request);
            auto left = leftToDo(lesson, trace, sources);
            const std::string_view kept = keptPart(lesson);
            const auto first = static_cast<std::uint32_t>(
                1 + std::count(lesson.exercise.data(), kept.data(), '\n'));
            std::map<std::uint32_t, std::string> lasting = leaksOf(kept, first);
            std::erase_if(left, [&](const ProgramWarning& each) {
                // What stands above can bring about the others.
                constexpr std::array<std::string_view, 6> ofAll{
                    "unwritten-memory", "not-reached",       "launch-refused", "crash",
                    "failed-program",   "unreadable-comment"};
                const bool lasts = each.place.line >= first && !kept.empty() &&
                                   sameFile(each.place.file, request.source.files.front()) &&
                                   std::ranges::count(ofAll, each.rule) == 0;
                if (lasts) lasting[each.place.line] = each.words;
                return lasts;
            });
            for (const auto& [line, words] : lasting)
                faults_.push_back({file, line,
                                   words + ", in the part that may not be changed: no solution "
                                           "is right"});
            if (taskOf(lesson).empty())
                faults_.push_back({file, 1, "no comment at its head says what is to be done"});
            if (kept.empty())
                faults_.push_back({file, 1,
                                   "no line begins with `// From here on`: what compares the "
                                   "results may be changed"});
            if (left.empty())
                faults_.push_back({file, 1, "nothing is left to be done in this exercise"});
            if (const std::uint32_t line = alwaysRight(sources); line != 0)
                faults_.push_back({file, line,
                                   "main returns 0 whatever the results are: they are never "
                                   "wrong"});
            constexpr std::array<std::string_view, 3> ofExercises{"unreadable-comment", "budget",
                                                                  "failed-program"};
            for (const ProgramWarning& each : left) {
                if (each.rule == "unreadable-comment")
                    faults_.push_back({file, each.place.line, each.words});
                // To be found by the student, or the teacher's own: nothing in the file says which.
                const WarningRule* const rule = findRule(each.rule);
                if (rule != nullptr && rule->isError && !std::ranges::count(ofExercises, each.rule))
                    report_.asBegun.push_back(
                        toString(CourseFault{(course_.folder / file).string(), each.place.line,
                                             each.rule + ": " + each.words}));
                // Who keeps what the comment asks for is not done.
                const bool exceeds = std::ranges::any_of(left, [&](const ProgramWarning& other) {
                    return other.rule == "budget" && other.place.line == each.place.line &&
                           other.array == each.array;
                });
                const std::optional<double> budget = budgetBeside(each, sources);
                if (budget && !exceeds)
                    faults_.push_back({file, each.place.line,
                                       "this line keeps its budget of " + plainNumber(*budget) +
                                           " but breaks " + each.rule +
                                           ", so it is never right: lower the budget, or write "
                                           "allow(" +
                                           each.rule + ") and why"});
            }
        } catch (const CommandFailed& failed) {
            if (failed.code() == ExitCode::impossible) throw;
            faults_.push_back({file, std::max(1U, lineNamed(file, failed.what())), failed.what()});
        }
    }

    const Course& course_;
    std::vector<CourseFault> faults_;
    CourseReport report_;
    std::set<std::string> unmeasured_;
    std::set<std::string> untraced_;          ///< scenarios
    std::set<std::string> sound_;             ///< scenarios in whose own launches nothing was found
    std::set<std::string> notCompiled_;       ///< what the compiler said
    std::map<std::string, std::string> ids_;  ///< of lessons, with their files
    std::map<int, std::string> places_;       ///< of lessons, with their groups
    std::map<std::pair<char, std::uint32_t>, std::string> scenarioPlaces_;
    RecordingLibrary recordings_;
};

}  // namespace

void describe(Archive& v, CourseFault& fault) {
    v("file", fault.file, "The file, with its folder.");
    v("line", fault.line, "Of it, from 1.");
    v("message", fault.words, "What is wrong, as the text has it.");
}

void describe(Archive& v, CourseReport& report) {
    describeVersion(v);
    v("course", report.course, "The folder.");
    v("faults", report.faults, "What is wrong, file by file.");
    v("unmeasured", report.unmeasured, "Numbers that only a GPU gives, and nothing recorded.");
    v("as_begun", report.asBegun,
      "What is wrong in exercises as they are begun: the student's to find, or not meant.");
    v("scenarios", report.scenarios, "How many were looked at.");
    v("lessons", report.lessons, "How many were looked at.");
    v("exercises", report.exercises, "How many were looked at.");
    v("numbers", report.numbers, "Of the lessons.");
    v("steps", report.steps, "Of the lessons.");
}

std::string asText(const CourseReport& report) {
    std::string text;
    for (const CourseFault& fault : report.faults) text += toString(fault) + '\n';
    text += counted(report.scenarios, "scenario") + ", " + counted(report.lessons, "lesson") +
            ", " + counted(report.exercises, "exercise") + ", " +
            counted(report.numbers, "number") + ", " + counted(report.steps, "step") + ": " +
            (report.faults.empty() ? "nothing wrong" : counted(report.faults.size(), "fault")) +
            '\n';
    if (!report.unmeasured.empty()) {
        text += counted(report.unmeasured.size(), "number") +
                " that only a measurement gives, of which there is no recording:\n";
        for (const std::string& one : report.unmeasured) text += "  " + one + '\n';
    }
    if (!report.asBegun.empty())
        text +=
            "wrong in an exercise as it is begun, which its comment should ask the student to "
            "mend:\n";
    for (const std::string& one : report.asBegun) text += "  " + one + '\n';
    return text;
}

CourseReport checkOpenedCourse(const std::string& folder) {
    Checker checker(*openedCourse());
    checker.checkAll();
    return std::move(checker).report(folder);
}

CourseReport checkCourse(const std::string& folder, bool keepsPtx) {
    if (folder.empty()) {
        throw InvalidRequest({{"PATH", "missing", "a .cu file, a folder of such, or a course's"}});
    }
    openCourse(readCourse(folder));
    course::providePtx();
    if (keepsPtx) {
        for (const Kernel& kernel : openedCourse()->kernels) course::keepPtxBeside(kernel);
    }
    return checkOpenedCourse(folder);
}

}  // namespace warplens
