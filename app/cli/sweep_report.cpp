#include "app/cli/sweep_report.h"

#include <algorithm>

#include "app/cli/text_table.h"
#include "app/drawing/plot_sweep.h"
#include "core/measurement/value_text.h"

namespace warplens {
namespace {

using Row = std::vector<std::string>;

/// `5`, or `16,16` of a block.
std::string valueOf(const Axis& axis, const Experiment& experiment) {
    if (const auto* argument = std::get_if<ArgumentAxis>(&axis)) {
        return std::to_string(valueOn(*argument, experiment));
    }
    return toString(experiment.launch.block);
}

std::string tableOf(const Sweep& sweep, const Quantity& quantity) {
    const std::vector<Series> all = seriesOf(sweep, quantity);
    std::vector<Row> rows{{nameOf(sweep.plan.axis)}};
    for (const Series& series : all) rows.front().push_back(nameOf(series));
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        Row row{valueOf(sweep.plan.axis, sweep.points[i].experiment)};
        for (const Series& series : all) {
            const auto reading = std::ranges::find(series.readings, i, &Series::Reading::point);
            row.push_back(reading == series.readings.end()
                              ? "-"
                              : formatNumber(reading->number, quantity.unit()));
        }
        rows.push_back(std::move(row));
    }
    return std::string(quantity.title) + '\n' + toTable(rows, "  ");
}

}  // namespace

std::string reportOf(const Sweep& sweep, const std::vector<Quantity>& quantities, bool recorded) {
    std::string text = sweep.plan.base.scenario + "  over " + toString(sweep.plan.axis) + "  (" +
                       std::to_string(sweep.points.size()) + " points)\n";
    bool modelled = false;
    for (const Quantity& quantity : quantities) {
        text += '\n' + tableOf(sweep, quantity);
        modelled = modelled || std::ranges::any_of(seriesOf(sweep, quantity), &Series::model);
    }
    text += '\n';
    for (const std::string& line : drawing::provenanceOf(sweep, recorded)) text += line + '\n';
    if (modelled) text += modelInWords(sweep) + '\n';
    return text;
}

}  // namespace warplens
