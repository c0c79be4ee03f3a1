#include "app/window/panels/figures.h"

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "core/text/format.h"

namespace warplens::window {
namespace {

std::string printed(const char* format, double value) {
    std::array<char, 48> buffer{};
    std::snprintf(buffer.data(), buffer.size(), format, value);
    return buffer.data();
}

std::string count(double value) {
    return value == std::floor(value) ? groupedDigits(static_cast<std::uint64_t>(value))
                                      : printed("%.1f", value);
}

}  // namespace

const Value* Evidence::find(Metric metric, Source source, Variant variant,
                            std::string_view subject) const {
    return findValue(values, metric, source, variant, subject);
}

const Value* Evidence::best(Metric metric, Variant variant, std::string_view subject) const {
    const Value* reason = nullptr;
    for (const Source source :
         {Source::timed, Source::counted, Source::probed, Source::predicted}) {
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

Evidence evidenceOf(const Prediction* prediction, const std::optional<Result>& result) {
    Evidence evidence;
    if (prediction != nullptr) {
        evidence.values = prediction->values;
        evidence.sampled = !prediction->exact;
    }
    if (result) {
        evidence.recorded = result->recorded;
        const auto& measured = result->measurement.values;
        evidence.values.insert(evidence.values.end(), measured.begin(), measured.end());
    }
    return evidence;
}

std::optional<FigureRow> rowOf(const Evidence& evidence, std::string name, Metric metric,
                               Variant variant, std::string_view subject) {
    FigureRow row;
    row.name = std::move(name);
    row.meaning = metricInfo(metric).meaning;
    row.sampled = evidence.sampled;
    row.countsBranches = metric == Metric::branches || metric == Metric::divergentBranches ||
                         metric == Metric::branchEfficiency;
    row.cells = {evidence.find(metric, Source::predicted, variant, subject),
                 evidence.find(metric, Source::probed, variant, subject),
                 evidence.find(metric, Source::counted, variant, subject)};
    if (std::ranges::all_of(row.cells, [](const Value* cell) { return cell == nullptr; })) {
        return std::nullopt;
    }
    if (metric == Metric::sectorsPerRequest) {
        const Variant ideal = variant == Variant::load ? Variant::loadIdeal : Variant::storeIdeal;
        const Value* fewest = evidence.best(metric, ideal, subject);
        if (fewest != nullptr && fewest->number() != nullptr) {
            row.ideal = printed("%.2f", *fewest->number());
        }
    }
    return row;
}

std::vector<FigureRow> partsOf(const Evidence& evidence, std::string_view suffix, Metric metric,
                               Variant variant) {
    std::vector<std::string_view> subjects;
    for (const Value& value : evidence.values) {
        if (value.metric == metric && value.variant == variant && value.subject != "kernel" &&
            std::ranges::find(subjects, value.subject) == subjects.end()) {
            subjects.push_back(value.subject);
        }
    }
    std::vector<FigureRow> rows;
    for (const std::string_view subject : subjects) {
        std::string name = "   " + std::string(subject) + std::string(suffix);
        auto row = rowOf(evidence, std::move(name), metric, variant, subject);
        const bool any = std::ranges::any_of(row->cells, [](const Value* cell) {
            return cell != nullptr && cell->number() != nullptr;
        });
        if (any) rows.push_back(std::move(*row));
    }
    if (rows.size() == 1) rows.clear();
    return rows;
}

bool isZero(const FigureRow& row) {
    return std::ranges::all_of(row.cells, [](const Value* cell) {
        return cell == nullptr || (cell->number() != nullptr && *cell->number() == 0);
    });
}

Agreement agreementOf(const FigureRow& row) {
    std::optional<double> first;
    auto agreement = Agreement::alone;
    for (const Value* cell : row.cells) {
        const double* number = cell == nullptr ? nullptr : cell->number();
        if (number == nullptr) continue;
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

std::string spelledOut(const FigureRow& row) {
    std::vector<std::pair<std::string, std::string>> groups;  // number, sources
    for (const Value* cell : {row.cells[2], row.cells[1], row.cells[0]}) {
        if (cell == nullptr || cell->number() == nullptr) continue;
        const std::string number = compact(*cell);
        const std::string source(toString(cell->source));
        const auto same =
            std::ranges::find(groups, number, &std::pair<std::string, std::string>::first);
        if (same == groups.end()) {
            groups.emplace_back(number, source);
        } else {
            same->second += " and " + source;
        }
    }
    std::string words;
    for (const auto& [number, sources] : groups) {
        words += (words.empty() ? "" : ", ") + sources + " " + number;
    }
    return words;
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
        case Unit::threads:
            return count(*number);
        default:
            return formatNumber(*number, metricInfo(value.metric).unit);
    }
}

std::vector<std::string> remarksOn(const std::vector<FigureRow>& rows) {
    std::vector<std::string> remarks;
    const auto remark = [&](std::string words) {
        if (std::ranges::find(remarks, words) == remarks.end()) remarks.push_back(std::move(words));
    };
    for (const FigureRow& row : rows) {
        std::vector<std::pair<std::string, std::string>> missing;  // reason, sources
        std::size_t asked = 0;
        for (const Value* cell : row.cells) {
            if (cell == nullptr) continue;
            ++asked;
            if (cell->number() != nullptr) continue;
            const std::string& reason = std::get<Unavailable>(cell->content).reason;
            const std::string source(toString(cell->source));
            if (!missing.empty() && missing.back().first == reason) {
                missing.back().second += ", " + source;
            } else {
                missing.emplace_back(reason, source);
            }
        }
        const bool nobody =
            missing.size() == 1 && std::ranges::none_of(row.cells, [](const Value* cell) {
                return cell != nullptr && cell->number() != nullptr;
            });
        for (const auto& [reason, sources] : missing) {
            remark((nobody && asked > 1 ? "n/a" : "n/a " + sources) + ": " + reason);
        }
    }
    for (const FigureRow& row : rows) {
        if (agreementOf(row) != Agreement::different) continue;
        FigureRow others = row;
        others.cells[0] = nullptr;
        if (row.sampled && agreementOf(others) != Agreement::different) {
            remark("≠  Predicted from a sample of the blocks, probed and counted in all of them");
            continue;
        }
        remark(row.countsBranches
                   ? "≠  Counted branches are those left in the compiled code, loop ends too: the "
                     "compiler predicates short ones"
                   : "≠  " + row.name.substr(row.name.find_first_not_of(' ')) + ": " +
                         spelledOut(row));
    }
    return remarks;
}

}  // namespace warplens::window
