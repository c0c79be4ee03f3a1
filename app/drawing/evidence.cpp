#include "app/drawing/evidence.h"

#include <cmath>
#include <cstdio>
#include <ranges>

#include "core/scenario/scenario.h"
#include "core/text/format.h"

namespace warplens {
namespace {

std::string printed(const char* format, double value) {
    std::array<char, 48> buffer{};
    std::snprintf(buffer.data(), buffer.size(), format, value);
    return buffer.data();
}

/// Times a warp parts at the mark of the source, null where nobody says.
const double* divergenceOf(const Evidence& evidence, std::string_view mark) {
    for (const Source source : {Source::predicted, Source::compiled}) {
        const Value* value = evidence.find(Metric::divergentBranches, source, Variant::none, mark);
        if (value != nullptr && value->number() != nullptr) return value->number();
    }
    return nullptr;
}

/// Where the code that was measured was counted, it is told and no other compiler's.
void addMeasured(Evidence& evidence, const std::vector<Value>& measured) {
    if (std::ranges::find(measured, Source::compiled, &Value::source) != measured.end()) {
        std::erase_if(evidence.values,
                      [](const Value& value) { return value.source == Source::compiled; });
    }
    evidence.values.insert(evidence.values.end(), measured.begin(), measured.end());
}

}  // namespace

const Value* Evidence::find(Metric metric, Source source, Variant variant,
                            std::string_view subject) const {
    return findValue(values, metric, source, variant, subject);
}

const Value* Evidence::best(Metric metric, Variant variant, std::string_view subject) const {
    const Value* reason = nullptr;
    for (const Source source :
         {Source::timed, Source::counted, Source::compiled, Source::predicted}) {
        const Value* value = find(metric, source, variant, subject);
        if (value != nullptr && value->number() != nullptr) return value;
        if (reason == nullptr) reason = value;
    }
    return reason;
}

bool Evidence::has(Metric metric, Variant variant, std::string_view subject) const {
    return best(metric, variant, subject) != nullptr;
}

std::string Evidence::sourceText(Source source) const {
    const std::string name(toString(source));
    return recorded && source != Source::predicted ? "recorded · " + name : name;
}

Evidence evidenceOf(const LaunchReport* prediction, const Measurement* measurement, bool recorded) {
    Evidence evidence;
    if (prediction != nullptr) {
        evidence.values = prediction->values;
        evidence.sampled = !prediction->exact;
    }
    if (measurement != nullptr) {
        evidence.recorded = recorded;
        evidence.compiled = measurement->compiledBranches;
        addMeasured(evidence, measurement->values);
    }
    return evidence;
}

Evidence evidenceOf(const LaunchReport& launch, const ProgramMeasurement* measurement,
                    bool recorded) {
    Evidence evidence{.values = launch.values, .recorded = recorded, .sampled = !launch.exact};
    if (measurement != nullptr) {
        addMeasured(evidence, measurement->values);
    }
    return evidence;
}

std::optional<Value> atomicsIn(bool shared, Metric metric, const std::vector<Value>& values,
                               Source source) {
    const Value* const all = findValue(values, metric, source);
    if (all == nullptr || all->number() == nullptr) return std::nullopt;
    double inShared = 0;
    for (const Value& value : values) {
        if (value.metric != metric || value.source != source || value.subject == "kernel" ||
            value.number() == nullptr)
            continue;
        if (findValue(values, Metric::sharedWavefronts, source, Variant::none, value.subject))
            inShared += *value.number();
    }
    Value result = *all;
    result.content = shared ? inShared : *all->number() - inShared;
    return result;
}

AtomicsIn atomicsIn(bool shared, const std::vector<Value>& values, Source source) {
    const auto number = [&](Metric metric) {
        const auto value = atomicsIn(shared, metric, values, source);
        return value ? *value->number() : 0;
    };
    return {number(Metric::atomicRequests), number(Metric::atomicTurns)};
}

std::optional<double> divergenceLeft(const Evidence& evidence) {
    if (evidence.compiled.empty()) return std::nullopt;
    double divergent = 0;
    for (const CompiledBranch& mark : evidence.compiled) {
        if (mark.form != BranchForm::branch) continue;
        const double* number = divergenceOf(evidence, mark.branch);
        if (number == nullptr) return std::nullopt;
        divergent += *number;
    }
    return divergent;
}

std::vector<MarkLine> compiledMarks(const Evidence& evidence) {
    std::vector<MarkLine> lines;
    for (const CompiledBranch& mark : evidence.compiled) {
        const double* divergent = divergenceOf(evidence, mark.branch);
        const bool parts = divergent != nullptr && *divergent > 0;
        MarkLine line{.mark = mark.branch, .words = "", .diverges = false};
        switch (mark.form) {
            case BranchForm::branch:
                line.diverges = parts;
                line.words = parts                  ? "a branch, warps diverge here"
                             : divergent == nullptr ? "a branch, warps can diverge here"
                                                    : "a branch, no warp diverges here";
                break;
            case BranchForm::exit:
                line.words = "threads outside leave by a predicated EXIT, no branch";
                break;
            case BranchForm::predicated:
                line.words = "predicated, no branch in the machine code";
                break;
        }
        if (parts && !line.diverges) {
            line.words += ", so its " + compactCount(*divergent) +
                          (*divergent == 1 ? " divergence is" : " divergences are") +
                          " not counted";
        }
        lines.push_back(std::move(line));
    }
    return lines;
}

std::optional<Conflicts> conflictsOf(const Evidence& evidence) {
    const Value* conflicts = evidence.best(Metric::bankConflicts);
    if (conflicts == nullptr || conflicts->number() == nullptr) return std::nullopt;
    const Value* wavefronts = evidence.find(Metric::sharedWavefronts, conflicts->source,
                                            Variant::none, conflicts->subject);
    if (wavefronts == nullptr || wavefronts->number() == nullptr) return std::nullopt;
    const double fewest = *wavefronts->number() - *conflicts->number();
    if (fewest <= 0) return std::nullopt;
    if (*conflicts->number() == 0) return Conflicts{"no conflicts", false, conflicts->source};
    const double ways = *wavefronts->number() / fewest;
    return Conflicts{printed(ways == std::floor(ways) ? "%.0f" : "%.1f", ways) + "-way conflict",
                     true, conflicts->source};
}

std::string compact(const Value& value) {
    const double* number = value.number();
    if (number == nullptr) return "n/a";
    switch (metricInfo(value.metric).unit) {
        case Unit::one:
            return printed("%.2f", *number);
        case Unit::bytes:
            return printed("%.1f", *number);
        case Unit::count:
        case Unit::requests:
        case Unit::sectors:
        case Unit::lines:
        case Unit::threads:
            return compactCount(*number);
        default:
            return formatNumber(*number, metricInfo(value.metric).unit);
    }
}

std::string compactCount(double value) {
    return value == std::floor(value) ? groupedDigits(static_cast<std::uint64_t>(value))
                                      : printed("%.1f", value);
}

std::optional<std::pair<std::uint64_t, std::uint64_t>> unequalWork(const Experiment& a,
                                                                   const Experiment& b) {
    if (kernelOf(a).work.empty() || kernelOf(b).work.empty()) return std::nullopt;
    const auto bytesOf = [](const Experiment& shown) {
        return static_cast<std::uint64_t>(
            kernelOf(shown).algorithmBytes(shown.arguments, shown.launch));
    };
    const std::pair both{bytesOf(a), bytesOf(b)};
    const auto [least, most] = std::minmax({both.first, both.second});
    return least * 2 <= most ? std::optional(both) : std::nullopt;
}

namespace {

void addOnce(std::vector<std::string>& lines, std::string line) {
    if (std::ranges::find(lines, line) == lines.end()) lines.push_back(std::move(line));
}

void tellIdeals(NumberRow& row) {
    std::string each;
    for (const Value* const ideal : row.ideals) {
        if (ideal == nullptr) continue;
        const std::string number = compact(*ideal);
        if (row.ideal.empty()) row.ideal = number;
        row.idealsDiffer = row.idealsDiffer || number != row.ideal;
        addWords(each, ", ", number + ' ' + std::string(toString(ideal->source)));
    }
    if (row.idealsDiffer) row.ideal = each;
}

}  // namespace

bool NumberRow::hasNumber() const {
    return std::ranges::any_of(
        cells, [](const Value* cell) { return cell != nullptr && cell->number() != nullptr; });
}

std::optional<NumberRow> rowOf(const Evidence& evidence, std::string name, Metric metric,
                               Variant variant, std::string_view subject) {
    NumberRow row;
    row.name = std::move(name);
    row.meaning = metricInfo(metric).meaning;
    row.sampled = evidence.sampled;
    row.marksKnown = !evidence.compiled.empty();
    row.countsBranches = metric == Metric::branches || metric == Metric::divergentBranches ||
                         metric == Metric::branchEfficiency;
    if (metric == Metric::divergentBranches && subject == "kernel") {
        row.leftToCount = divergenceLeft(evidence);
    }
    for (const Source source : measuredSources) {
        row.cell(source) = evidence.find(metric, source, variant, subject);
    }
    if (std::ranges::all_of(row.cells, [](const Value* cell) { return cell == nullptr; })) {
        return std::nullopt;
    }
    if (metric == Metric::sectorsPerRequest) {
        const Variant ideal = variant == Variant::load ? Variant::loadIdeal : Variant::storeIdeal;
        for (std::size_t i = 0; i < measuredSources.size(); ++i) {
            const Value* const fewest =
                evidence.find(metric, measuredSources.at(i), ideal, subject);
            if (fewest != nullptr && fewest->number() != nullptr) row.ideals.at(i) = fewest;
        }
        tellIdeals(row);
    }
    return row;
}

std::vector<NumberRow> partsOf(const Evidence& evidence, std::string_view suffix, Metric metric,
                               Variant variant) {
    std::vector<std::string_view> subjects;
    for (const Value& value : evidence.values) {
        if (value.metric == metric && value.variant == variant && value.subject != "kernel" &&
            std::ranges::find(subjects, value.subject) == subjects.end()) {
            subjects.push_back(value.subject);
        }
    }
    std::vector<NumberRow> rows;
    for (const std::string_view subject : subjects) {
        std::string name = "   " + std::string(subject) + std::string(suffix);
        auto row = rowOf(evidence, std::move(name), metric, variant, subject);
        if (row->hasNumber()) rows.push_back(std::move(*row));
    }
    if (rows.size() == 1) rows.clear();
    return rows;
}

std::vector<NumberGroup> groupsOf(const Evidence& evidence) {
    std::vector<NumberGroup> groups;
    const auto rowsOf = [&](MetricGroup group) -> std::vector<NumberRow>& {
        const auto known = std::ranges::find(groups, group, &NumberGroup::group);
        return known != groups.end() ? known->rows : groups.emplace_back(group).rows;
    };
    for (const MetricInfo& metric : allMetrics()) {
        std::vector<const Value*> first;  // of each quantity, in the order they are spoken of
        for (const Value& value : evidence.values) {
            if (value.metric != metric.metric || value.variant == Variant::loadIdeal ||
                value.variant == Variant::storeIdeal ||
                std::ranges::any_of(first, [&](const Value* known) {
                    return known->variant == value.variant && known->subject == value.subject;
                })) {
                continue;
            }
            first.push_back(&value);
            std::string name = titleOf(value.metric, value.variant);
            if (value.subject != "kernel") name += ": " + value.subject;
            rowsOf(metric.group)
                .push_back(
                    *rowOf(evidence, std::move(name), value.metric, value.variant, value.subject));
        }
    }
    std::ranges::stable_sort(groups, {}, &NumberGroup::group);
    return groups;
}

bool isZero(const NumberRow& row) {
    return std::ranges::all_of(row.cells, [](const Value* cell) {
        return cell == nullptr || (cell->number() != nullptr && *cell->number() == 0);
    });
}

Agreement agreementOf(const NumberRow& row) {
    std::optional<double> first;
    auto agreement = Agreement::alone;
    for (const Source source : measuredSources) {
        const Value* cell = row.cell(source);
        const double* number = cell == nullptr ? nullptr : cell->number();
        if (number == nullptr) continue;
        if (source == Source::counted && row.leftToCount) {
            if (*number != *row.leftToCount) return Agreement::different;
            agreement = Agreement::equal;
            continue;
        }
        if (!first) {
            first = *number;
            continue;
        }
        // Counts agree exactly; quotients of equal counts may differ in their last bits.
        if (std::abs(*number - *first) > 1e-9 * std::abs(*first)) return Agreement::different;
        agreement = Agreement::equal;
    }
    return agreement;
}

std::vector<Statement> statementsOf(const NumberRow& row) {
    std::vector<Statement> statements;
    for (const Source source : measuredSources) {
        const Value* const cell = row.cell(source);
        if (cell == nullptr || cell->number() == nullptr) continue;
        std::string number = compact(*cell);
        const auto same = std::ranges::find(statements, number, &Statement::number);
        if (same == statements.end()) {
            statements.push_back({std::move(number), {cell->source}});
        } else {
            same->sources.push_back(cell->source);
        }
    }
    return statements;
}

std::string spelledOut(const NumberRow& row) {
    const std::vector<Statement> statements = statementsOf(row);
    return joined(statements | std::views::reverse, ", ", [](const Statement& statement) {
        return joined(statement.sources | std::views::reverse, " and ", toString<Source>) + " " +
               statement.number;
    });
}

std::vector<MissingNumber> missingFrom(const std::vector<NumberRow>& rows) {
    std::vector<MissingNumber> missing;
    for (const NumberRow& row : rows) {
        const std::size_t before = missing.size();
        std::size_t asked = 0;
        for (const Value* cell : row.cells) {
            if (cell == nullptr) continue;
            ++asked;
            if (cell->number() != nullptr) continue;
            const std::string& reason = std::get<Unavailable>(cell->content).reason;
            const std::string source(toString(cell->source));
            if (missing.size() > before && missing.back().reason == reason) {
                missing.back().sources += ", " + source;
            } else {
                missing.push_back(
                    {.name = row.name, .sources = source, .ofAll = false, .reason = reason});
            }
        }
        if (missing.size() == before + 1) missing.back().ofAll = asked > 1 && !row.hasNumber();
    }
    return missing;
}

std::vector<std::string> differencesIn(const std::vector<NumberRow>& rows) {
    std::vector<std::string> differences;
    const auto remark = [&](std::string words) { addOnce(differences, "≠  " + std::move(words)); };
    for (const NumberRow& row : rows) {
        if (row.explained || agreementOf(row) != Agreement::different) continue;
        NumberRow others = row;
        others.cell(Source::predicted) = nullptr;
        if (row.sampled && agreementOf(others) != Agreement::different) {
            remark("Predicted from a sample of the blocks, compiled and counted in all of them");
            continue;
        }
        if (row.leftToCount && row.cell(Source::counted) != nullptr) {
            remark(row.name + ": the marks left as branches make " +
                   compactCount(*row.leftToCount) + ", " + spelledOut(row));
            continue;
        }
        remark(row.countsBranches && row.marksKnown
                   ? "Counted branches are all those of the machine code, loop ends too"
               : row.countsBranches
                   ? "Counted branches are those left in the compiled code, loop ends too: the "
                     "compiler predicates short ones"
                   : row.name.substr(row.name.find_first_not_of(' ')) + ": " + spelledOut(row));
    }
    return differences;
}

std::vector<std::string> remarksOn(const std::vector<NumberRow>& rows) {
    std::vector<std::string> remarks;
    for (const MissingNumber& missing : missingFrom(rows)) {
        addOnce(remarks,
                (missing.ofAll ? "n/a" : "n/a " + missing.sources) + ": " + missing.reason);
    }
    for (std::string& difference : differencesIn(rows)) addOnce(remarks, std::move(difference));
    return remarks;
}

}  // namespace warplens
