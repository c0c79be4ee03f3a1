#include "core/sweep/value_rows.h"

#include <array>
#include <charconv>

#include "core/scenario/scenario.h"

namespace warplens {
namespace {

constexpr std::array<const char*, 7> columns{"metric", "variant", "subject",    "source",
                                             "value",  "unit",    "unavailable"};

std::string digits(double number) {
    std::array<char, 32> text{};
    const auto end = std::to_chars(text.data(), text.data() + text.size(), number);
    return {text.data(), end.ptr};
}

std::vector<std::string> rowOf(const Value& value) {
    const MetricInfo& metric = metricInfo(value.metric);
    const auto* const missing = std::get_if<Unavailable>(&value.content);
    return {std::string(metric.id),
            std::string(toString(value.variant)),
            value.subject,
            std::string(toString(value.source)),
            value.number() != nullptr ? digits(*value.number()) : "",
            std::string(toString(metric.unit)),
            missing != nullptr ? missing->reason : ""};
}

void add(TextRows& rows, const std::vector<std::string>& begin, std::span<const Value> values) {
    for (const Value& value : values) {
        std::vector<std::string> row = begin;
        for (std::string& field : rowOf(value)) row.push_back(std::move(field));
        rows.push_back(std::move(row));
    }
}

}  // namespace

TextRows rowsOf(std::span<const Value> values) {
    TextRows rows{{columns.begin(), columns.end()}};
    add(rows, {}, values);
    return rows;
}

TextRows rowsOf(const Sweep& sweep) {
    TextRows rows{{"point", "launch"}};
    rows.front().insert(rows.front().end(), columns.begin(), columns.end());
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        const SweepPoint& point = sweep.points[i];
        const std::vector<std::string> begin{std::to_string(i + 1), toOptions(point.experiment)};
        if (const PredictedPoint* predicted = point.prediction()) {
            add(rows, begin, predicted->values);
        }
        if (const Measurement* measured = point.measurement()) {
            std::vector<Value> values = measured->values;
            if (point.prediction() != nullptr) {
                std::erase_if(values,
                              [](const Value& value) { return value.source == Source::predicted; });
            }
            add(rows, begin, values);
        }
    }
    return rows;
}

}  // namespace warplens
