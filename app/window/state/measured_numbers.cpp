#include "app/window/state/measured_numbers.h"

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

}  // namespace

Evidence evidenceOf(const Prediction* prediction, const std::optional<Result>& result) {
    if (!result) return warplens::evidenceOf(prediction, nullptr, false);
    return warplens::evidenceOf(prediction, result->measurement.get(), result->recorded);
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
        const bool any = std::ranges::any_of(row->cells, [](const Value* cell) {
            return cell != nullptr && cell->number() != nullptr;
        });
        if (any) rows.push_back(std::move(*row));
    }
    if (rows.size() == 1) rows.clear();
    return rows;
}

bool isZero(const NumberRow& row) {
    return std::ranges::all_of(row.cells, [](const Value* cell) {
        return cell == nullptr || (cell->number() != nullptr && *cell->number() == 0);
    });
}

Agreement agreementOf(const NumberRow& row) {
    std::optional<double> first;
    auto agreement = Agreement::alone;
    for (std::size_t i = 0; i < row.cells.size(); ++i) {
        const Value* cell = row.cells.at(i);
        const double* number = cell == nullptr ? nullptr : cell->number();
        if (number == nullptr) continue;
        if (i == 2 && row.leftToCount) {
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

std::string spelledOut(const NumberRow& row) {
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

std::vector<std::string> remarksOn(const std::vector<NumberRow>& rows) {
    std::vector<std::string> remarks;
    const auto remark = [&](std::string words) {
        if (std::ranges::find(remarks, words) == remarks.end()) remarks.push_back(std::move(words));
    };
    for (const NumberRow& row : rows) {
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
    for (const NumberRow& row : rows) {
        if (row.explained || agreementOf(row) != Agreement::different) continue;
        NumberRow others = row;
        others.cells[0] = nullptr;
        if (row.sampled && agreementOf(others) != Agreement::different) {
            remark("≠  Predicted from a sample of the blocks, probed and counted in all of them");
            continue;
        }
        if (row.leftToCount && row.cells[2] != nullptr) {
            remark("≠  Divergent: the marks left as branches make " +
                   compactCount(*row.leftToCount) + ", " + spelledOut(row));
            continue;
        }
        remark(row.countsBranches && row.marksKnown
                   ? "≠  Counted branches are all those of the machine code, loop ends too"
               : row.countsBranches
                   ? "≠  Counted branches are those left in the compiled code, loop ends too: the "
                     "compiler predicates short ones"
                   : "≠  " + row.name.substr(row.name.find_first_not_of(' ')) + ": " +
                         spelledOut(row));
    }
    return remarks;
}

}  // namespace warplens::window
