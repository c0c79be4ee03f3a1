#include "app/cli/check_report.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <tuple>

#include "app/cli/output.h"
#include "app/cli/report.h"
#include "core/json/archive.h"
#include "core/text/files.h"
#include "core/text/format.h"

namespace warplens {
namespace {

bool isError(const ProgramWarning& warning) {
    const WarningRule* rule = findRule(warning.rule);
    return rule != nullptr && rule->isError;
}
/// Whether it fails no check.
bool isNote(const ProgramWarning& warning) {
    const WarningRule* rule = findRule(warning.rule);
    return rule != nullptr && rule->isNote;
}

std::string levelOf(const ProgramWarning& warning) {
    return isError(warning) ? "error" : isNote(warning) ? "note" : "warning";
}

std::string asText(const CheckReport& report) {
    std::string text;
    for (const ProgramWarning& warning : report.warnings)
        text += placeText(warning.place) + ": " + levelOf(warning) + ": " + warning.words + " [" +
                warning.rule + "]\n";
    for (const std::string& note : report.notes) text += "note: " + note + '\n';
    text += counted(report.files.size(), "program") + ": ";
    std::string counts;
    for (const char* const level : {"error", "warning", "note"}) {
        const auto count = std::ranges::count(report.warnings, level, levelOf);
        if (count != 0)
            counts +=
                (counts.empty() ? "" : ", ") + counted(static_cast<std::uint64_t>(count), level);
    }
    text += counts.empty() ? "nothing found" : counts;
    if (report.known != 0) text += ", " + groupedDigits(report.known) + " more in the baseline";
    if (report.knownErrors != 0)
        text += ", " + counted(report.knownErrors, "error") + " among them";
    if (report.grown != 0)
        text +=
            ", " + groupedDigits(report.grown) + " of them grown, no further from what would do";
    if (report.unseen != 0)
        text += "; " + groupedDigits(report.unseen) +
                " of the baseline not looked at, as their program failed";
    if (report.gone != 0)
        text += "; " + groupedDigits(report.gone) + " of the baseline found no more: make it anew";
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
        text += isNote(warning) ? "::notice " : "::" + levelOf(warning) + ' ';
        text += "file=" + escaped(warning.place.file, true) +
                ",line=" + std::to_string(std::max(warning.place.line, 1u));
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
            if (warning.program != file || isNote(warning)) continue;
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

/// RFC 3986: of a path, which may be relative.
std::string uriOf(const std::string& path) {
    constexpr std::string_view plain = "-._~/!$&'()*+,;=@";
    constexpr std::string_view digits = "0123456789ABCDEF";
    std::string uri = path.starts_with('/') ? "file://" : "";
    for (const char c : path) {
        const bool isPlain = std::isalnum(static_cast<unsigned char>(c)) != 0;
        if (isPlain || plain.find(c) != plain.npos)
            uri += c;
        else
            uri += {'%', digits[static_cast<unsigned char>(c) / 16],
                    digits[static_cast<unsigned char>(c) % 16]};
    }
    return uri;
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
        one["level"] = levelOf(warning);
        one["message"]["text"] = warning.words;
        const auto& [file, line, column] = warning.place;
        Json& place = one["locations"].emplace_back()["physicalLocation"];
        place["artifactLocation"]["uri"] = uriOf(file);
        if (!file.starts_with('/')) place["artifactLocation"]["uriBaseId"] = "%SRCROOT%";
        place["region"]["startLine"] = std::max(line, 1u);
        if (line != 0 && column != 0) place["region"]["startColumn"] = column;
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

/// By more than a twentieth: samples differ by chance.
bool isMore(double now, double before) {
    return 20 * now > 21 * before;
}

bool costsMore(const ProgramWarning& now, const ProgramWarning& before) {
    return now.cost && before.cost &&
           isMore(static_cast<double>(*now.cost), static_cast<double>(*before.cost));
}

/// By what would do, where both say so: a larger problem has more of both.
bool isDearer(const ProgramWarning& now, const ProgramWarning& before) {
    if (!now.cost || !before.cost || now.best == 0 || before.best == 0)
        return costsMore(now, before);
    const auto timesBest = [](const ProgramWarning& each) {
        return static_cast<double>(*each.cost) / static_cast<double>(each.best);
    };
    return isMore(timesBest(now), timesBest(before));
}

}  // namespace

void describe(Archive& v, CheckReport& report) {
    describeVersion(v);
    v("files", report.files, "The programs that were checked.");
    v("warnings", report.warnings, "What they break, by place.");
    v("known", report.known, "How many more the baseline has.");
    v.added("known_errors", report.knownErrors, "How many of them are errors.");
    v.optional("grown", report.grown,
               "How many of them cost more, and are no further from what would do.");
    v.optional("unseen", report.unseen,
               "How many of the baseline were not looked at, as their program failed.");
    v.optional("gone", report.gone, "How many of the baseline were found no more.");
    v.added("arrays", report.arrays,
            "What accesses to each array come to, for a later check to compare with.");
}

std::string textOf(const CheckReport& report, std::string_view format) {
    return format == "text"     ? asText(report)
           : format == "github" ? asGithub(report)
           : format == "sarif"  ? asSarif(report)
                                : asJunit(report);
}

Baseline readBaseline(const std::optional<std::string>& baseline) {
    Baseline all;
    if (!baseline) return all;
    try {
        auto report = fromJson<CheckReport>(readFile(*baseline, largestJson));
        for (const ProgramWarning& warning : report.warnings)
            all.warnings.emplace(warning.fingerprint, warning);
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

std::vector<ProgramWarning> grownArrays(const std::vector<ArrayTotal>& now,
                                        const std::vector<ArrayTotal>& before) {
    const auto timesBest = [](const ArrayTotal& total) {
        return static_cast<double>(total.cost) / static_cast<double>(total.best);
    };
    const auto key = [](const ArrayTotal& t) {
        return std::tuple(std::filesystem::path(t.program).filename(), t.rule, t.kernel, t.array);
    };
    const auto unit = [](const ArrayTotal& total) {
        const std::string_view rule = total.rule;
        const bool hasTurns = rule == "constant-divergence" || rule == "atomic-contention";
        return rule == "bank-conflict" ? " wavefronts" : hasTurns ? " turns" : " sectors";
    };
    std::vector<ProgramWarning> grown;
    for (const ArrayTotal& total : now) {
        const auto old = std::ranges::find(before, key(total), key);
        // Local memory that was not there; another array may have a new name only.
        const bool isNew =
            old == before.end() && total.array == "local memory" &&
            std::ranges::any_of(before, [&](const ArrayTotal& other) {
                return other.kernel == total.kernel && other.threads == total.threads;
            });
        const bool isWorse = old != before.end() &&
                             (timesBest(total) > 1.05 * timesBest(*old) ||
                              (total.threads == old->threads && 20 * total.cost > 21 * old->cost));
        if (!isNew && !isWorse) continue;
        std::string words = total.array + (total.kernel.empty() ? "" : " in " + total.kernel) +
                            ": " + groupedDigits(total.cost) + unit(total);
        if (isNew)
            words += "; in the baseline none";
        else if (timesBest(total) > 1.05 * timesBest(*old))
            words += " where " + groupedDigits(total.best) + " would do; in the baseline " +
                     (old->cost == old->best ? groupedDigits(old->cost) + ", as few as would do"
                                             : groupedDigits(old->cost) + " where " +
                                                   groupedDigits(old->best) + " would do");
        else
            words += "; in the baseline " + groupedDigits(old->cost) + " for as many threads";
        if (!total.reason.empty()) words += "; " + total.reason;
        grown.push_back({.rule = "more-than-baseline",
                         .place = total.place,
                         .kernel = total.kernel,
                         .array = total.array,
                         .words = std::move(words),
                         .program = total.program});
        grown.back().fingerprint = fingerprintOf(grown.back(), {});
    }
    return grown;
}

namespace {

/// Takes from the baseline what each warning was there; nothing: it is new. By the fingerprint, and
/// what is left then by rule, kernel and counts, the nearest line first: of a name that is another
/// now.
std::vector<std::optional<ProgramWarning>> takeOld(
    std::multimap<std::string, ProgramWarning>& known,
    const std::vector<ProgramWarning>& warnings) {
    std::vector<std::optional<ProgramWarning>> old(warnings.size());
    const auto take = [&](std::size_t at, auto found) {
        if (found == known.end()) return;
        old[at] = std::move(found->second);
        known.erase(found);
    };
    for (std::size_t at = 0; at < warnings.size(); ++at)
        take(at, known.find(warnings[at].fingerprint));
    const auto structureOf = [](const ProgramWarning& warning) {
        return std::tuple(warning.rule, warning.kernel, warning.cost, warning.best,
                          std::filesystem::path(warning.program).filename(),
                          std::filesystem::path(warning.place.file).filename());
    };
    for (std::size_t at = 0; at < warnings.size(); ++at) {
        if (old[at] || !warnings[at].cost) continue;
        auto nearest = known.end();
        const auto distance = [&](const auto& each) {
            return std::abs(std::int64_t{each->second.place.line} - warnings[at].place.line);
        };
        for (auto each = known.begin(); each != known.end(); ++each) {
            if (structureOf(each->second) == structureOf(warnings[at]) &&
                (nearest == known.end() || distance(each) < distance(nearest)))
                nearest = each;
        }
        take(at, nearest);
    }
    return old;
}

}  // namespace

void addNew(CheckReport& to, Baseline& baseline, std::vector<ProgramWarning> warnings,
            std::vector<ProgramWarning> grown) {
    const std::size_t first = to.warnings.size();
    const auto before = takeOld(baseline.warnings, warnings);
    for (std::size_t at = 0; at < warnings.size(); ++at) {
        ProgramWarning& warning = warnings[at];
        const std::optional<ProgramWarning>& old = before[at];
        const bool isKnown = old && !isDearer(warning, *old);
        if (isKnown && costsMore(warning, *old)) ++to.grown;
        if (old && !isKnown) {
            warning.costBefore = old->cost;
            warning.words += (warning.rule == "budget"
                                  ? std::string()
                                  : "; in all launches it costs " + groupedDigits(*warning.cost)) +
                             ", in the baseline " + groupedDigits(*warning.costBefore);
            if (warning.best != old->best && old->best != 0)
                warning.words += " where " + groupedDigits(old->best) + " would do";
        }
        if (isKnown) {
            ++to.known;
            if (isError(warning)) ++to.knownErrors;
        } else {
            to.warnings.push_back(std::move(warning));
        }
    }
    for (ProgramWarning& warning : grown) {
        const bool isTold = std::any_of(to.warnings.begin() + static_cast<std::ptrdiff_t>(first),
                                        to.warnings.end(), [&](const ProgramWarning& told) {
                                            return told.kernel == warning.kernel &&
                                                   told.array == warning.array && told.cost;
                                        });
        if (!isTold) to.warnings.push_back(std::move(warning));
    }
}

}  // namespace warplens
