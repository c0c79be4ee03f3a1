#include "app/cli/check_programs.h"

#include <algorithm>
#include <cstdlib>
#include <set>

#include "app/cli/output.h"
#include "app/cli/report.h"
#include "app/lessons/library.h"
#include "core/json/archive.h"
#include "core/program/warnings.h"
#include "core/text/files.h"
#include "core/text/format.h"
#include "kernels/programs/measure_request.h"

namespace warplens {
namespace {

struct CheckedWarning final {
    std::string program;
    ProgramWarning warning;
    std::string fingerprint;
};

void describe(Archive& v, CheckedWarning& checked) {
    v("program", checked.program, "The program that was run.");
    describe(v, checked.warning);
    v("fingerprint", checked.fingerprint,
      "The same for the same warning after lines were added or removed elsewhere.");
}

/// Of all files.
struct CheckReport final {
    std::vector<std::string> files;
    std::vector<CheckedWarning> warnings;
    std::uint64_t known = 0;  ///< that the baseline has
};

void describe(Archive& v, CheckReport& report) {
    describeVersion(v);
    v("files", report.files, "The programs that were checked.");
    v("warnings", report.warnings, "What they break, by place.");
    v("known", report.known, "How many more the baseline has.");
}

bool isError(const ProgramWarning& warning) {
    const WarningRule* rule = findRule(warning.rule);
    return rule != nullptr && rule->isError;
}

std::string asText(const CheckReport& report) {
    std::string text;
    std::uint64_t errors = 0;
    for (const auto& [program, warning, fingerprint] : report.warnings) {
        errors += isError(warning) ? 1 : 0;
        text += placeText(warning.place) + (warning.place.file.empty() ? "" : ": ") +
                (isError(warning) ? "error: " : "warning: ") + warning.words + " [" + warning.rule +
                "]\n";
    }
    const std::uint64_t warnings = report.warnings.size() - errors;
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
    for (const auto& [program, warning, fingerprint] : report.warnings) {
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
        std::string cases;
        std::size_t failures = 0;
        for (const auto& [program, warning, fingerprint] : report.warnings) {
            if (program != file) continue;
            ++failures;
            const std::string place = placeText(warning.place);
            cases += "    <testcase classname=\"" + escapedXml(file) + "\" name=\"" +
                     escapedXml(warning.rule + " at " + place) +
                     "\" time=\"0\">\n      <failure type=\"" + escapedXml(warning.rule) +
                     "\" message=\"" + escapedXml(warning.words) + "\">" +
                     escapedXml(place + ": " + warning.words) + "</failure>\n    </testcase>\n";
        }
        if (failures == 0) {
            cases = "    <testcase classname=\"" + escapedXml(file) +
                    "\" name=\"nothing found\" time=\"0\"/>\n";
        }
        text += "  <testsuite name=\"" + escapedXml(file) + "\" tests=\"" +
                std::to_string(std::max<std::size_t>(1, failures)) + "\" failures=\"" +
                std::to_string(failures) + "\" errors=\"0\" skipped=\"0\" time=\"0\">\n" + cases +
                "  </testsuite>\n";
    }
    return text + "</testsuites>\n";
}

/// SARIF 2.1.0 (OASIS), as code hosts read it.
struct Sarif final {
    const CheckReport& report;
};

void describeResult(Archive& v, const CheckedWarning& checked) {
    const ProgramWarning& warning = checked.warning;
    v.derived("ruleId", warning.rule, "");
    v.derived("level", std::string(isError(warning) ? "error" : "warning"), "");
    v.object("message", "", [&] { v.derived("text", warning.words, ""); });
    if (!warning.place.file.empty()) {
        std::vector<const ProgramWarning*> one{&warning};
        v.each("locations", one, "", [&](const ProgramWarning*& each) {
            v.object("physicalLocation", "", [&] {
                v.object("artifactLocation", "", [&] { v.derived("uri", each->place.file, ""); });
                if (each->place.line == 0) return;
                v.object("region", "", [&] {
                    v.derived("startLine", each->place.line, "");
                    if (each->place.column != 0) v.derived("startColumn", each->place.column, "");
                });
            });
        });
    }
    v.object("partialFingerprints", "", [&] { v.derived("warplens/v1", checked.fingerprint, ""); });
}

void describe(Archive& v, Sarif& sarif) {
    v.constant("$schema",
               "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/"
               "sarif-schema-2.1.0.json",
               "");
    v.constant("version", "2.1.0", "");
    std::vector<const CheckReport*> runs{&sarif.report};
    v.each("runs", runs, "", [&](const CheckReport*& run) {
        v.object("tool", "", [&] {
            v.object("driver", "", [&] {
                v.constant("name", "warplens", "");
                v.derived("version", version(), "");
                std::vector<WarningRule> rules(warningRules().begin(), warningRules().end());
                v.each("rules", rules, "", [&](WarningRule& rule) {
                    v.derived("id", rule.id, "");
                    v.object("shortDescription", "",
                             [&] { v.derived("text", std::string(rule.about), ""); });
                    if (rule.lesson.empty()) return;
                    v.object("help", "", [&] {
                        v.derived("text",
                                  "The lesson on it: warplens lesson " + std::string(rule.lesson),
                                  "");
                    });
                });
            });
        });
        std::vector<CheckedWarning> results = run->warnings;
        v.each("results", results, "", [&](CheckedWarning& each) { describeResult(v, each); });
    });
}

/// Which rules are on.
std::set<std::string> rulesFrom(const std::vector<std::string>& asked) {
    std::set<std::string> on;
    for (const WarningRule& rule : warningRules()) on.insert(rule.id);
    std::vector<LimitViolation> violations;
    for (const std::string& word : asked) {
        const bool isOff = word.starts_with("no-") && findRule(word) == nullptr;
        const std::string id = isOff ? word.substr(3) : word;
        if (findRule(id) == nullptr) {
            violations.push_back(
                {"-W", '\'' + word + '\'',
                 "a rule, or no- and a rule: `warplens check --rules` names them"});
        } else if (isOff) {
            on.erase(id);
        } else {
            on.insert(id);
        }
    }
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    return on;
}

std::multiset<std::string> fingerprintsIn(const std::optional<std::string>& baseline) {
    std::multiset<std::string> all;
    if (!baseline) return all;
    try {
        const auto report = fromJson<CheckReport>(readFile(*baseline, largestJson));
        for (const CheckedWarning& warning : report.warnings) all.insert(warning.fingerprint);
    } catch (const std::runtime_error& error) {
        throw InvalidRequest({{"--baseline", '\'' + *baseline + '\'', error.what()}});
    }
    return all;
}

/// Of what kept it from running: a compiler's `my.cu:3: error: ...`, or other words.
ProgramWarning failedProgram(const std::string& file, std::string words) {
    words.resize(std::min(words.find('\n'), words.size()));
    SourcePlace place{file, 0, 0};
    const std::string mark = ": error: ";
    const std::size_t error = words.find(mark);
    const std::size_t colon = error == words.npos ? words.npos : words.rfind(':', error - 1);
    if (colon != words.npos) {
        place = {words.substr(0, colon),
                 static_cast<std::uint32_t>(std::atoi(words.c_str() + colon + 1)), 0};
        words.erase(0, error + mark.size());
    }
    return {"failed-program", place, "", "", std::move(words)};
}

std::vector<CheckedWarning> warningsIn(const std::string& file, const CheckOptions& options) {
    ExperimentOptions launch;
    launch.scenario = file;
    const TraceRequest request = traceRequestFrom(launch, options.program);
    ProgramSources sources;
    std::vector<ProgramWarning> found;
    try {
        sources = sourcesOf(request);
        const ProgramTrace trace = tracedShowing(request).trace;
        const Lesson* const lesson = lessonOfExercise(sources);
        found = lesson == nullptr ? warningsOf(trace, sources) : leftToDo(*lesson, trace, sources);
    } catch (const CommandFailed& failed) {
        if (failed.code() == ExitCode::impossible) throw;
        found.push_back(failedProgram(file, failed.what()));
    }
    std::vector<CheckedWarning> all;
    for (ProgramWarning& warning : found) {
        std::string fingerprint = fingerprintOf(warning, sources);
        all.push_back({file, std::move(warning), std::move(fingerprint)});
    }
    return all;
}

}  // namespace

std::string rulesText() {
    std::string text;
    for (const WarningRule& rule : warningRules())
        text += "| `" + rule.id + "` | " + std::string(rule.about) + " | " +
                (rule.isError ? "error" : "warning") + " |\n";
    return text;
}

ExitCode checkPrograms(const CheckOptions& options) {
    std::vector<LimitViolation> violations;
    requireOneOf(checkFormats, "--format", options.format, violations);
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    const std::set<std::string> on = rulesFrom(options.rules);
    std::multiset<std::string> known = fingerprintsIn(options.baseline);
    CheckReport report;
    for (const std::string& file : options.files) {
        if (std::ranges::find(report.files, file) != report.files.end()) continue;
        report.files.push_back(file);
        for (CheckedWarning& checked : warningsIn(file, options)) {
            if (!on.contains(checked.warning.rule)) continue;
            const auto old = known.find(checked.fingerprint);
            if (old != known.end()) {
                known.erase(old);
                ++report.known;
                continue;
            }
            report.warnings.push_back(std::move(checked));
        }
    }
    if (options.format == "json") {
        printDocument(Document::check, report);
    } else if (options.format == "sarif") {
        print(toJson(Sarif{report}) + '\n');
    } else {
        print(options.format == "text"     ? asText(report)
              : options.format == "github" ? asGithub(report)
                                           : asJunit(report));
    }
    return report.warnings.empty() ? ExitCode::done : ExitCode::failed;
}

std::string checkSchema(Document document) {
    return schemaFor<CheckReport>(document);
}

}  // namespace warplens
