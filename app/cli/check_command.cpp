#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "app/cli/check_course.h"
#include "app/cli/output.h"
#include "app/cli/program_options.h"
#include "app/cli/report.h"
#include "app/cli/subcommand.h"
#include "app/lessons/library.h"
#include "core/json/archive.h"
#include "core/program/cuda_tokens.h"
#include "core/program/warnings.h"
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
constexpr std::array<std::string_view, 5> checkFormats{"text", "sarif", "junit", "github", "json"};

/// Of all files.
struct CheckReport final {
    std::vector<std::string> files;
    std::vector<ProgramWarning> warnings;
    std::uint64_t known = 0;  ///< that the baseline has
    std::vector<ArrayTotal> arrays{};
};

void describe(Archive& v, CheckReport& report) {
    describeVersion(v);
    v("files", report.files, "The programs that were checked.");
    v("warnings", report.warnings, "What they break, by place.");
    v("known", report.known, "How many more the baseline has.");
    v.added("arrays", report.arrays,
            "What accesses to each array come to, for a later check to compare with.");
}

bool isError(const ProgramWarning& warning) {
    const WarningRule* rule = findRule(warning.rule);
    return rule != nullptr && rule->isError;
}

std::string asText(const CheckReport& report) {
    std::string text;
    for (const ProgramWarning& warning : report.warnings)
        text += placeText(warning.place) + (warning.place.file.empty() ? "" : ": ") +
                (isError(warning) ? "error: " : "warning: ") + warning.words + " [" + warning.rule +
                "]\n";
    const auto errors = static_cast<std::size_t>(std::ranges::count_if(report.warnings, isError));
    const std::size_t warnings = report.warnings.size() - errors;
    text += counted(report.files.size(), "program") + ": " +
            (report.warnings.empty() ? "nothing found" : "") +
            (errors == 0 ? "" : counted(errors, "error")) +
            (errors == 0 || warnings == 0 ? "" : ", ") +
            (warnings == 0 ? "" : counted(warnings, "warning"));
    if (report.known != 0) text += ", " + groupedDigits(report.known) + " more in the baseline";
    return text + '\n';
}

/// Workflow commands of GitHub Actions, which become annotations of a pull request.
std::string asGithub(const CheckReport& report) {
    constexpr std::string_view special = "%\r\n:,";  // the last two in properties
    constexpr std::array<std::string_view, 5> codes{"%25", "%0D", "%0A", "%3A", "%2C"};
    const auto escaped = [&](std::string_view text, bool isProperty) {
        std::string safe;
        for (const char c : text) {
            const std::size_t at = special.substr(0, isProperty ? 5 : 3).find(c);
            safe += at == special.npos ? std::string(1, c) : std::string(codes.at(at));
        }
        return safe;
    };
    std::string text;
    for (const ProgramWarning& warning : report.warnings) {
        text += isError(warning) ? "::error " : "::warning ";
        text += "file=" + escaped(warning.place.file, true);
        if (warning.place.line != 0) text += ",line=" + std::to_string(warning.place.line);
        if (warning.place.column != 0) text += ",col=" + std::to_string(warning.place.column);
        text +=
            ",title=" + escaped(warning.rule, true) + "::" + escaped(warning.words, false) + '\n';
    }
    return text;
}

/// A test suite for each program, with a test for each rule that it breaks, or one that passed.
std::string asJunit(const CheckReport& report) {
    std::string text =
        "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"warplens\">\n";
    for (const std::string& file : report.files) {
        const std::string begin = "    <testcase classname=\"" + escapedXml(file) + "\" name=\"";
        std::string cases;
        std::size_t failures = 0;
        for (const ProgramWarning& warning : report.warnings) {
            if (warning.program != file) continue;
            ++failures;
            const std::string place = placeText(warning.place);
            cases += begin +
                     escapedXml(
                         warning.rule + (warning.array.empty() ? "" : " of " + warning.array) +
                         (warning.kernel.empty() ? "" : " in " + warning.kernel) + " at " + place) +
                     "\" time=\"0\">\n      <failure type=\"" + escapedXml(warning.rule) +
                     "\" message=\"" + escapedXml(warning.words) + "\">" +
                     escapedXml(place + ": " + warning.words) + "</failure>\n    </testcase>\n";
        }
        if (failures == 0) cases = begin + "nothing found\" time=\"0\"/>\n";
        text += "  <testsuite name=\"" + escapedXml(file) + "\" tests=\"" +
                std::to_string(std::max<std::size_t>(1, failures)) + "\" failures=\"" +
                std::to_string(failures) + "\" errors=\"0\" skipped=\"0\" time=\"0\">\n" + cases +
                "  </testsuite>\n";
    }
    return text + "</testsuites>\n";
}

/// SARIF 2.1.0 (OASIS), as code hosts read it.
std::string asSarif(const CheckReport& report) {
    using Json = nlohmann::ordered_json;
    Json rules = Json::array();
    for (const WarningRule& rule : warningRules()) {
        Json& one = rules.emplace_back();
        one["id"] = rule.id;
        one["shortDescription"]["text"] = rule.about;
        if (!rule.lesson.empty())
            one["help"]["text"] = "The lesson on it: warplens lesson " + std::string(rule.lesson);
    }
    Json results = Json::array();
    for (const ProgramWarning& warning : report.warnings) {
        Json& one = results.emplace_back();
        one["ruleId"] = warning.rule;
        one["level"] = isError(warning) ? "error" : "warning";
        one["message"]["text"] = warning.words;
        const auto& [file, line, column] = warning.place;
        if (!file.empty()) {
            Json& place = one["locations"].emplace_back()["physicalLocation"];
            place["artifactLocation"]["uri"] = file;
            if (line != 0) place["region"]["startLine"] = line;
            if (line != 0 && column != 0) place["region"]["startColumn"] = column;
        }
        one["partialFingerprints"]["warplens/v1"] = warning.fingerprint;
    }
    Json sarif;
    sarif["$schema"] =
        "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
        "sarif-schema-2.1.0.json";
    sarif["version"] = "2.1.0";
    Json& run = sarif["runs"].emplace_back();
    run["tool"]["driver"] = {{"name", "warplens"}, {"version", version()}, {"rules", rules}};
    run["results"] = results;
    return sarif.dump(2, ' ', false, Json::error_handler_t::replace) + '\n';
}

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

struct Baseline final {
    /// By fingerprint, in their order: what they cost.
    std::multimap<std::string, std::optional<std::uint64_t>> warnings;
    std::vector<ArrayTotal> arrays;
};

Baseline readBaseline(const std::optional<std::string>& baseline) {
    Baseline all;
    if (!baseline) return all;
    try {
        auto report = fromJson<CheckReport>(readFile(*baseline, largestJson));
        for (const ProgramWarning& warning : report.warnings)
            all.warnings.emplace(warning.fingerprint, warning.cost);
        all.arrays = std::move(report.arrays);
    } catch (const std::runtime_error& error) {
        throw InvalidRequest(
            {{"--baseline", '\'' + *baseline + '\'',
              std::string("not a report of `check`; `warplens check FILES --format json >FILE` "
                          "makes one (") +
                  error.what() + ')'}});
    }
    return all;
}

/// By more than a twentieth: samples differ by chance.
bool isDearer(const ProgramWarning& warning, const std::optional<std::uint64_t>& before) {
    return warning.cost && before && 20 * *warning.cost > 21 * *before;
}

/// Of each array whose accesses are further from what would do than in the baseline, by as much.
std::vector<ProgramWarning> grownArrays(const std::vector<ArrayTotal>& now,
                                        const std::vector<ArrayTotal>& before) {
    const auto timesBest = [](const ArrayTotal& total) {
        return static_cast<double>(total.cost) / static_cast<double>(total.best);
    };
    const auto key = [](const ArrayTotal& t) {
        return std::tuple(fs::path(t.program).filename(), t.rule, t.kernel, t.array);
    };
    std::vector<ProgramWarning> grown;
    for (const ArrayTotal& total : now) {
        const auto old = std::ranges::find(before, key(total), key);
        if (old == before.end() || timesBest(total) <= 1.05 * timesBest(*old)) continue;
        grown.push_back({.rule = "more-than-baseline",
                         .place = total.place,
                         .kernel = total.kernel,
                         .array = total.array,
                         .words = total.array + ": " + groupedDigits(total.cost) +
                                  (total.rule == "bank-conflict" ? " wavefronts" : " sectors") +
                                  " where " + groupedDigits(total.best) +
                                  " would do, in the baseline " + groupedDigits(old->cost) +
                                  " where " + groupedDigits(old->best) + " would",
                         .program = total.program});
    }
    return grown;
}

/// Of what kept it from running: a compiler's `my.cu:3: error: ...`, or other words.
ProgramWarning failedProgram(const std::string& file, std::string words) {
    static const std::regex compilers(R"((.*?):(\d+): error: (.*))");
    // Of a linker: `f0.o: in function `main':`, then what is not there.
    const std::size_t line = words.find('\n');
    if (line != words.npos && words[line - 1] == ':') words.erase(0, line + 1);
    words.resize(std::min(words.find('\n'), words.size()));
    std::smatch parts;
    if (!std::regex_match(words, parts, compilers))
        return {"failed-program", {file, 0, 0}, "", "", words};
    const auto number = wholeNumber<std::uint32_t>(parts.str(2)).value_or(0);
    return {"failed-program", {parts.str(1), number, 0}, "", "", parts.str(3)};
}

/// Of a program; takes the files that are a part of it from those to come.
std::vector<ProgramWarning> warningsIn(const std::string& file, const CheckOptions& options,
                                       std::set<std::string>& parts,
                                       std::vector<ArrayTotal>& arrays) {
    ExperimentOptions launch;
    launch.scenario = file;
    const TraceRequest request = traceRequestFrom(launch, options.program);
    ProgramSources sources;
    std::vector<ProgramWarning> found;
    arrays.clear();
    try {
        sources = sourcesOf(request);
        TracedProgram traced = tracedShowing(request);
        sources = std::move(traced.sources);
        const ProgramTrace& trace = traced.trace;
        arrays = arrayTotals(trace, sources);
        for (ArrayTotal& total : arrays) total.program = file;
        const Lesson* const lesson = lessonOfExercise(sources);
        found = lesson == nullptr ? warningsOf(trace, sources) : leftToDo(*lesson, trace, sources);
    } catch (const CommandFailed& failed) {
        if (failed.code() == ExitCode::impossible) throw;
        found.push_back(failedProgram(file, failed.what()));
    }
    for (const ProgramFile& unit : sources.units)
        parts.insert(fs::path(unit.path).lexically_normal().string());
    // Of two instances of one template each by its name.
    const auto what = [](const ProgramWarning& warning) {
        return placeText(warning.place) + ' ' + warning.rule + ' ' + warning.array;
    };
    std::multiset<std::string> told;
    for (const ProgramWarning& warning : found) told.insert(what(warning));
    for (ProgramWarning& warning : found) {
        if (told.count(what(warning)) > 1 && !warning.kernel.empty())
            warning.words = warning.kernel + ": " + warning.words;
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
                (rule.isError ? "error" : "warning") + " |\n";
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
    for (const std::string& file : files) {
        if (!parts.insert(fs::path(file).lexically_normal().string()).second) continue;
        report.files.push_back(file);
        const std::size_t first = report.warnings.size();
        std::vector<ArrayTotal> arrays;
        auto& known = baseline.warnings;
        for (ProgramWarning& warning : warningsIn(file, options, parts, arrays)) {
            if (!on.contains(warning.rule)) continue;
            const auto old = known.lower_bound(warning.fingerprint);
            const bool isOld = old != known.end() && old->first == warning.fingerprint;
            const bool isMore = isOld && isDearer(warning, old->second);
            if (isMore)
                warning.words += (warning.rule == "budget" ? std::string()
                                                           : "; in all launches it costs " +
                                                                 groupedDigits(*warning.cost)) +
                                 ", in the baseline " + groupedDigits(*old->second);
            if (isOld) known.erase(old);
            if (isOld && !isMore)
                ++report.known;
            else
                report.warnings.push_back(std::move(warning));
        }
        for (ProgramWarning& warning : grownArrays(arrays, baseline.arrays)) {
            // What is told of already is not told twice.
            const bool isTold =
                std::any_of(report.warnings.begin() + static_cast<std::ptrdiff_t>(first),
                            report.warnings.end(), [&](const ProgramWarning& told) {
                                return told.kernel == warning.kernel &&
                                       told.array == warning.array && told.cost;
                            });
            if (!isTold && on.contains(warning.rule)) report.warnings.push_back(std::move(warning));
        }
        std::ranges::move(arrays, std::back_inserter(report.arrays));
    }
    if (options.format == "json") {
        printDocument(Document::check, report);
    } else {
        print(options.format == "text"     ? asText(report)
              : options.format == "github" ? asGithub(report)
              : options.format == "sarif"  ? asSarif(report)
                                           : asJunit(report));
    }
    return report.warnings.empty() ? ExitCode::done : ExitCode::failed;
}

/// The .cu file, or those of a folder that holds no lessons; none where it is a course.
std::vector<std::string> programsIn(const std::string& path) {
    std::error_code error;
    if (path.ends_with(".cu")) return {path};
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
    addText(*parser, "PATH", options->path, value::file,
            "of a course, its folder; a .cu file, more of which may follow, or a folder of such");
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
