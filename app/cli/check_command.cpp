#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>
#include <regex>
#include <set>

#include "app/cli/check_course.h"
#include "app/cli/check_report.h"
#include "app/cli/command_line.h"
#include "app/cli/output.h"
#include "app/cli/program_options.h"
#include "app/cli/report.h"
#include "app/cli/subcommand.h"
#include "app/lessons/library.h"
#include "core/json/archive.h"
#include "core/program/cuda_tokens.h"
#include "core/program/launch_shape.h"
#include "core/program/warnings.h"
#include "core/text/encoding.h"
#include "core/text/files.h"
#include "core/text/format.h"
#include "kernels/device/measure_request.h"
#include "kernels/programs/program_text.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

/// `check` of .cu files.
struct CheckOptions final {
    std::string path;  ///< as named: of the first program, or a folder
    bool listsRules = false;
    bool isJson = false;
    bool keepsPtx = false;
    std::vector<std::string> files;  ///< each a program of its own
    ProgramOptions program;
    std::string format = "text";          ///< one of checkFormats
    std::vector<std::string> rules;       ///< `no-RULE` turns it off, `RULE` on again
    std::optional<std::string> baseline;  ///< a JSON document of an earlier check
};

/// Which rules are on.
std::set<std::string> rulesFrom(const std::vector<std::string>& asked) {
    std::set<std::string> on;
    for (const WarningRule& rule : warningRules()) on.insert(rule.id);
    std::vector<LimitViolation> violations;
    for (const std::string& word : asked) {
        const bool isOff = word.starts_with("no-") && findRule(word) == nullptr;
        const std::string id = isOff ? word.substr(3) : word;
        if (findRule(id) == nullptr)
            violations.push_back(
                {"-W", '\'' + word + '\'',
                 "a rule, or no- and a rule: `warplens check --rules` names them"});
        else if (isOff)
            on.erase(id);
        else
            on.insert(id);
    }
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    return on;
}

/// Of what kept it from running: each of a compiler's `my.cu:3: error: ...`, or other words.
std::vector<ProgramWarning> failedProgram(const std::string& file, std::string words) {
    constexpr std::size_t mostErrors = 20;
    static const std::regex compilers(R"((.*?):(\d+):(?:(\d+):)? error: (.*))");
    std::vector<ProgramWarning> errors;
    std::size_t more = 0;
    for (const std::string_view each : splitLines(words)) {
        const std::string line(each);
        std::smatch parts;
        if (!std::regex_match(line, parts, compilers) || (errors.size() == mostErrors && ++more))
            continue;
        const auto number = [&](std::size_t part) {
            return wholeNumber<std::uint32_t>(parts.str(part)).value_or(0);
        };
        const SourcePlace place{fromHere(parts.str(1)).string(), number(2), number(3)};
        errors.push_back({"failed-program", place, "", "", parts.str(4)});
    }
    if (more != 0)
        errors.push_back(
            {"failed-program", {file, 0, 0}, "", "", "and " + counted(more, "more error")});
    if (!errors.empty()) return errors;
    // Of a linker: `f0.o: in function `main':`, then what is not there.
    const std::size_t line = words.find('\n');
    if (line != words.npos && words[line - 1] == ':') words.erase(0, line + 1);
    words.resize(std::min(words.find('\n'), words.size()));
    return {{"failed-program", {file, 0, 0}, "", "", words}};
}

/// `scale` of `scale<float, 4>`.
std::string templateOf(const std::string& kernel) {
    return kernel.substr(0, kernel.find('<'));
}

/// Of a program; takes the files that are a part of it from those to come.
std::vector<ProgramWarning> warningsIn(const std::string& file, const CheckOptions& options,
                                       std::set<std::string>& parts,
                                       std::vector<ArrayTotal>& arrays,
                                       std::vector<std::string>& notes) {
    ExperimentOptions launch;
    launch.scenario = file;
    TraceRequest request = traceRequestFrom(launch, options.program);
    request.source.named.assign(options.files.begin(), options.files.end());
    ProgramSources sources;
    std::vector<ProgramWarning> found;
    std::map<std::string, std::set<std::string>> instances;  // of a template, of those launched
    arrays.clear();
    try {
        sources = sourcesOf(request);
        TracedProgram traced = tracedShowing(request);
        sources = std::move(traced.sources);
        const ProgramTrace& trace = traced.trace;
        for (const LaunchReport& each : trace.launches)
            instances[templateOf(each.kernel)].insert(each.kernel);
        if (!traced.proposed.empty()) {
            for (const std::string& note : trace.notes) notes.push_back(file + ": " + note);
        }
        std::ranges::move(lanesWithoutThread(trace.launches), std::back_inserter(notes));
        if (!isRunWhole(trace) && trace.exit.status.value_or(0) != 0)
            notes.push_back(file + ": " + endInWords(trace.exit) +
                            "; that means nothing, as not all blocks were run in the time for "
                            "them (--time-limit gives them more)");
        arrays = arrayTotals(trace, sources);
        for (ArrayTotal& total : arrays) total.program = file;
        const Lesson* const lesson = lessonOfExercise(sources);
        const std::string_view named =
            sources.units.empty() ? "" : exerciseNamedIn(sources.units.front().text);
        if (lesson == nullptr && !named.empty())
            notes.push_back(file + ": says that it is the exercise of " + std::string(named) +
                            ", which is not here: whether its results are still compared as they "
                            "were is not known");
        found = lesson == nullptr ? warningsOf(trace, sources) : leftToDo(*lesson, trace, sources);
        // A usage message, say.
        if (trace.launches.empty() && found.empty())
            found.push_back({"nothing-launched",
                             {file, 0, 0},
                             "",
                             "",
                             "no kernel was launched, so that nothing was looked at; what it is to "
                             "be called with goes after --"});
    } catch (const CommandFailed& failed) {
        if (failed.code() == ExitCode::impossible) throw;
        found = failedProgram(file, failed.what());
    }
    for (const ProgramFile& unit : sources.units)
        parts.insert(fs::path(unit.path).lexically_normal().string());
    // Of two instances of one template, or of two kernels at one place, each by its name.
    const auto what = [](const ProgramWarning& warning) {
        return placeText(warning.place) + ' ' + warning.rule + ' ' + warning.array;
    };
    std::map<std::string, std::set<std::string>> kernels;
    for (const ProgramWarning& warning : found) kernels[what(warning)].insert(warning.kernel);
    for (ProgramWarning& warning : found) {
        const bool isOneOf =
            kernels[what(warning)].size() > 1 || instances[templateOf(warning.kernel)].size() > 1;
        const bool isInHeader = std::ranges::find(sources.headers, warning.place.file,
                                                  &ProgramFile::path) != sources.headers.end();
        const bool namesIt = warning.words.find(file + ':') != std::string::npos;
        if ((isOneOf || isInHeader) && !warning.kernel.empty())
            warning.words = warning.kernel + (isInHeader && !namesIt ? " in " + file : "") + ": " +
                            warning.words;
        warning.program = file;
        warning.fingerprint = fingerprintOf(warning, sources);
    }
    return found;
}

/// Rows of a table in Markdown: `| uncoalesced-load | A load takes ... | warning |`.
std::string rulesText() {
    std::string text;
    for (const WarningRule& rule : warningRules())
        text += "| `" + rule.id + "` | " + std::string(rule.about) + " | " +
                (rule.isError  ? "error"
                 : rule.isNote ? "note"
                               : "warning") +
                " |\n";
    return text;
}

/// Prints what they break; `failed` where that is more than the baseline had.
ExitCode checkPrograms(const CheckOptions& options) {
    std::vector<LimitViolation> violations;
    requireOneOf(checkFormats, "--format", options.format, violations);
    std::error_code unread;
    for (const std::string& file : options.files) {
        if (!fs::exists(file, unread))
            violations.push_back({"file", '\'' + file + '\'', "No such file or directory"});
    }
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    const std::set<std::string> on = rulesFrom(options.rules);
    Baseline baseline = readBaseline(options.baseline);
    CheckReport report;
    // A file without a main may be a part of another one's program.
    std::vector<std::string> files = options.files;
    for (std::string& file : files) {
        openCourseOfExercise(file);
        file = fromHere(file).string();
    }
    std::ranges::stable_partition(files, [](const std::string& file) {
        std::error_code error;
        return fs::is_regular_file(file, error) && definesMain(source::maskedText(readFile(file)));
    });
    // Others hold functions for whatever calls them.
    const auto launchesNothing = [](const std::string& file) {
        std::error_code error;
        if (!fs::is_regular_file(file, error)) return false;
        const std::string text = source::maskedText(readFile(file));
        return !definesMain(text) && source::kernelsIn(text).empty() &&
               source::launchersIn(text).empty();
    };
    if (!std::ranges::all_of(files, launchesNothing)) std::erase_if(files, launchesNothing);
    std::set<std::string> parts;
    std::vector<std::string> failed;
    for (const std::string& file : files) {
        if (!parts.insert(fs::path(file).lexically_normal().string()).second) continue;
        report.files.push_back(file);
        std::vector<ArrayTotal> arrays;
        std::vector<ProgramWarning> warnings =
            warningsIn(file, options, parts, arrays, report.notes);
        const auto isOff = [&](const ProgramWarning& warning) {
            return !on.contains(warning.rule);
        };
        if (std::ranges::find(warnings, "failed-program", &ProgramWarning::rule) != warnings.end())
            failed.push_back(file);
        std::erase_if(warnings, isOff);
        std::vector<ProgramWarning> grown = grownArrays(arrays, baseline.arrays);
        std::erase_if(grown, isOff);
        addNew(report, baseline, std::move(warnings), std::move(grown));
        std::ranges::move(arrays, std::back_inserter(report.arrays));
    }
    for (const auto& [fingerprint, old] : baseline.warnings) {
        const auto isIn = [&](const std::vector<std::string>& programs) {
            return std::ranges::any_of(programs, [&](const std::string& file) {
                return fs::path(file).filename() == fs::path(old.program).filename();
            });
        };
        if (isIn(report.files) && on.contains(old.rule))
            ++(isIn(failed) ? report.unseen : report.gone);
    }
    if (options.format == "json") {
        printDocument(Document::check, report);
    } else {
        print(textOf(report, options.format));
    }
    const bool isRight = std::ranges::all_of(report.warnings, [](const ProgramWarning& warning) {
        return findRule(warning.rule)->isNote;
    });
    return isRight ? ExitCode::done : ExitCode::failed;
}

/// The file, or the .cu files of a folder that holds no lessons; none where it is a course.
std::vector<std::string> programsIn(const std::string& path) {
    std::error_code error;
    if (isSourceFile(path)) return {path};
    const fs::path folder(path);
    std::vector<std::string> files;
    if (fs::exists(folder / "lessons", error)) return files;
    bool hasScenario = false;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        if (entry.path().extension() != ".cu") continue;
        files.push_back(entry.path().lexically_normal().string());
        hasScenario |= readFile(files.back()).find("// scenario") != std::string::npos;
    }
    std::ranges::sort(files);
    return hasScenario ? std::vector<std::string>() : files;
}

}  // namespace

Subcommand addCheckCommand(CLI::App& program) {
    const auto options = std::make_shared<CheckOptions>();
    CLI::App* parser = program.add_subcommand(
        "check",
        "what is wrong with a course, every number, step and link of its lessons, or with .cu "
        "files: what costs more than need be, and why, without a GPU");
    parser->footer(
        "In a .cu file, at the end of a line or in a line of its own before it:\n"
        "  // warplens: allow(RULE) REASON      leaves the rule out there\n"
        "  // warplens: sectors <= 4096         a budget of a line, launch or __global__\n"
        "  // warplens: kernel(NAME) sectors <= 4096\n"
        "Of sectors, wavefronts, requests, divergent, local_sectors, sectors_per_request or\n"
        "wavefronts_per_request. More: docs/check.md");
    addText(
        *parser, "PATH", options->path, value::file,
        "of a course, its folder; a .cu file, more of which, or .cpp, may follow, or a folder of "
        "such");
    parser->add_flag("--rules", options->listsRules, "prints the rules, and checks nothing");
    addJsonFlag(*parser, options->isJson);
    parser->add_flag("--keep-ptx", options->keepsPtx,
                     "of a course: puts the kernels' PTX into the folder's ptx, for machines "
                     "without a compiler");
    addProgramOptions(*parser, options->program);
    addText(*parser, "--format", options->format, choiceOf(checkFormats), "of .cu files: text");
    addText(*parser, "-W", options->rules, "RULE",
            "of .cu files: a rule to be left out, as in -Wno-divergent-branch, or taken "
            "in again; may be repeated");
    addText(
        *parser, "--baseline", options->baseline, value::file,
        "of .cu files: what an earlier check said with --format json; only what is new is told");
    return {parser,
            [options, parser] {
                if (options->listsRules) {
                    print(rulesText());
                    return ExitCode::done;
                }
                const std::vector<std::string> programs = programsIn(options->path);
                if (programs.empty()) {
                    std::vector<LimitViolation> idle;
                    refuseIdle(*parser, {"--format", "-W", "--baseline"}, "with .cu files", idle);
                    if (!idle.empty()) throw InvalidRequest(std::move(idle));
                    const CourseReport report = checkCourse(options->path, options->keepsPtx);
                    if (options->isJson) {
                        printDocument(Document::courseCheck, report);
                    } else {
                        print(asText(report));
                    }
                    return report.faults.empty() ? ExitCode::done : ExitCode::failed;
                }
                if (options->keepsPtx)
                    throw InvalidRequest({{"--keep-ptx", "", "is for a course"}});
                if (options->isJson) options->format = "json";
                options->files = programs;
                options->files.insert(options->files.end(), options->program.files.begin(),
                                      options->program.files.end());
                options->program.files.clear();
                return checkPrograms(*options);
            },
            &options->program.arguments,
            {{Document::check, schemaFor<CheckReport>},
             {Document::courseCheck, schemaFor<CourseReport>}}};
}

}  // namespace warplens
