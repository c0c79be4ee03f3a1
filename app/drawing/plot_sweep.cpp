#include "app/drawing/plot_sweep.h"

#include <cmath>
#include <map>

#include "core/measurement/measurement.h"
#include "core/occupancy/occupancy.h"
#include "core/text/format.h"

namespace warplens::drawing {
namespace {

constexpr int mostTicks = 6;

Rounding roundingOf(const Quantity& quantity) {
    return quantity.unit() == Unit::one ? Rounding::binary : Rounding::decimal;
}

std::string titleOf(const Quantity& quantity, const AxisUnit& unit) {
    return std::string(quantity.title) + (unit.unit.empty() ? "" : ", " + unit.unit);
}

double largestOf(const std::vector<Series>& all) {
    double largest = 0;
    for (const Series& series : all) {
        for (const Series::Reading& reading : series.readings) {
            largest = std::max(largest, reading.number);
        }
    }
    return largest;
}

// --- over an argument ----------------------------------------------------------------------------

/// `device` is its place among those of its source.
PlotSeries plotted(const Series& series, std::size_t device, const ArgumentAxis& axis,
                   const Sweep& sweep, const ColorRoles& colors) {
    PlotSeries plot;
    plot.name = nameOf(series);
    plot.mark = series.model                         ? Mark::dashes
                : series.source == Source::predicted ? Mark::line
                : series.source == Source::compiled  ? Mark::ring
                                                     : Mark::disc;
    plot.color = series.source == Source::predicted  ? colors.muted
                 : series.source == Source::compiled ? colors.warning
                                                     : colors.accent;
    // Several devices: the further one of them, the nearer to the colour of text.
    if (device > 0) {
        plot.color =
            mixed(colors.accent, colors.text, 0.5F + 0.5F * static_cast<float>(device % 2));
        plot.mark = device % 2 == 1 ? Mark::ring : Mark::disc;
    }
    for (const Series::Reading& reading : series.readings) {
        const Experiment& experiment = sweep.points[reading.point].experiment;
        plot.points.push_back({static_cast<double>(valueOn(axis, experiment)), reading.number,
                               reading.low, reading.high});
    }
    return plot;
}

/// Powers of two where the values reach over several of them.
PlotAxis axisOf(const ArgumentAxis& axis) {
    const auto first = static_cast<double>(axis.values.front());
    const auto last = static_cast<double>(axis.values.back());
    PlotAxis plot;
    plot.scale = {first, last, first >= 1 && last >= 16 * first};
    // A lone value lies in the middle.
    if (axis.values.size() == 1) plot.scale = {first - 1, first + 1, false};
    constexpr std::size_t fewValues = 10;
    if (axis.values.size() <= fewValues) {
        for (const std::int64_t value : axis.values) {
            plot.ticks.push_back({static_cast<double>(value), std::to_string(value)});
        }
    } else {
        plot.ticks = ticksOf(plot.scale, 9, {}, Rounding::binary);
    }
    const bool offset = axis.name == "offset" || axis.name == "array-offset";
    const bool elements = offset || axis.name == "stride";
    plot.title = axis.name + (elements                 ? ", elements"
                              : axis.name == "grid"    ? ", blocks"
                              : axis.name == "block.x" ? ", threads"
                                                       : "");
    if (plot.scale.logarithmic) plot.title += " (logarithmic)";
    return plot;
}

/// The warps that an SM holds at once under so many blocks, where the device is known.
void addResidentWarps(const Sweep& sweep, PlotAxis& axis) {
    const Measurement* const measured = sweep.firstMeasurement();
    if (measured == nullptr || measured->device.multiprocessors <= 0) return;
    const SmLimits* const limits = smLimitsOf(measured->device);
    if (limits == nullptr) return;
    const std::optional<BlockDemand> demand = demandOf(*measured);
    if (!demand) return;
    const Occupancy occupancy = occupancyOf(*limits, *demand);
    for (const Tick& tick : axis.ticks) {
        const double blocks = tick.number / measured->device.multiprocessors;
        const double resident = std::min(blocks, static_cast<double>(occupancy.residentBlocks));
        axis.below.push_back({tick.number, numberIn({}, resident * occupancy.warpsPerBlock())});
    }
    axis.belowTitle = "warps per SM of " + measured->device.name;
}

SweepPicture prepareOverArgument(const Sweep& sweep, const ArgumentAxis& axis,
                                 const Quantity& quantity, const DrawArea& area,
                                 const SweepMarks& marks) {
    const std::vector<Series> all = seriesOf(sweep, quantity);
    CurvePlot plot;
    plot.x = axisOf(axis);
    if (axis.name == "grid") addResidentWarps(sweep, plot.x);
    const double largest = largestOf(all);
    const AxisUnit unit = axisUnitFor(largest, quantity.unit());
    plot.y = {
        titleOf(quantity, unit), scaleFromZero(largest, mostTicks, unit, roundingOf(quantity)), {}};
    plot.y.ticks = ticksOf(plot.y.scale, mostTicks, unit, roundingOf(quantity));
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::size_t device = 0;
        while (device < i && !all[i].device.empty() &&
               all[i - device - 1].source == all[i].source) {
            ++device;
        }
        plot.series.push_back(plotted(all[i], device, axis, sweep, area.colors));
    }
    const auto numberOf = [&](std::size_t point) {
        return static_cast<double>(valueOn(axis, sweep.points[point].experiment));
    };
    if (marks.held) plot.held = numberOf(*marks.held);
    SweepPicture result;
    if (marks.pointer) {
        std::vector<double> numbers;
        for (std::size_t i = 0; i < sweep.points.size(); ++i) numbers.push_back(numberOf(i));
        Items unused;
        const PlotFrame frame = drawFrame(area, plot.x, plot.y, plot.series, unused);
        result.pointed = nearestAlongX(frame, numbers, *marks.pointer);
        if (result.pointed) plot.pointed = numbers[*result.pointed];
    }
    result.items = prepareCurve(plot, area).items;
    return result;
}

// --- over the shapes of blocks -------------------------------------------------------------------

/// Each point's number of the most trustworthy source that has it.
std::map<std::size_t, std::pair<double, Source>> shownNumbers(const std::vector<Series>& all) {
    std::map<std::size_t, std::pair<double, Source>> numbers;
    for (const Source source :
         {Source::timed, Source::counted, Source::compiled, Source::predicted}) {
        for (const Series& series : all) {
            if (series.source != source || series.model) continue;
            for (const Series::Reading& reading : series.readings) {
                numbers.try_emplace(reading.point, reading.number, source);
            }
        }
    }
    return numbers;
}

bool lessIsBetter(const Quantity& quantity) {
    return metricInfo(quantity.metric).better == Better::less;
}

/// Cells are narrow: below one, two decimals.
std::string cellNumber(const AxisUnit& unit, double number) {
    std::string text = numberIn(unit, number);
    const bool belowOne = text.starts_with("0.") && text.size() > 4;
    return belowOne ? numberIn({1, {}}, std::round(number / unit.factor * 100) / 100).substr(0, 4)
                    : text;
}

HeatPlot heatOf(const Sweep& sweep, const BlockAxis& axis, const Quantity& quantity) {
    const auto numbers = shownNumbers(seriesOf(sweep, quantity));
    std::set<std::uint32_t> columns;
    std::set<std::uint32_t> rows;
    for (const SweepPoint& point : sweep.points) {
        columns.insert(point.experiment.launch.block.x);
        rows.insert(point.experiment.launch.block.y);
    }
    HeatPlot plot;
    plot.xTitle = "blockDim.x, threads";
    plot.yTitle = "blockDim.y, threads";
    for (const std::uint32_t x : columns) plot.columns.push_back(std::to_string(x));
    for (const std::uint32_t y : rows) plot.rows.push_back(std::to_string(y));
    if (!axis.deep && columns.size() > 4) {
        plot.beyond = "more than " + std::to_string(axis.most) + " threads";
        plot.below = axis.fewest > 1 ? "fewer than " + std::to_string(axis.fewest) : "";
    }
    double largest = 0;
    std::set<Source> sources;
    for (const auto& [point, number] : numbers) {
        largest = std::max(largest, number.first);
        sources.insert(number.second);
    }
    const AxisUnit unit = axisUnitFor(largest, quantity.unit());
    const PlotScale scale = scaleFromZero(largest, 4, unit, roundingOf(quantity));
    plot.title = titleOf(quantity, unit);
    if (!sources.empty()) plot.title += "  (" + joined(sources, ", ", toString<Source>) + ")";
    double best = 0;
    if (!numbers.empty()) {
        const auto [low, high] =
            std::ranges::minmax_element(numbers, {}, [](const auto& n) { return n.second.first; });
        best = lessIsBetter(quantity) ? low->second.first : high->second.first;
        const bool differ = high->second.first - low->second.first > 0.005 * best;
        plot.bestWords = !differ                           ? ""
                         : quantity.metric == Metric::time ? "fastest"
                         : lessIsBetter(quantity)          ? "least"
                                                           : "most";
    }
    for (std::size_t i = 0; i < sweep.points.size(); ++i) {
        const Extents block = sweep.points[i].experiment.launch.block;
        HeatPlot::Cell cell;
        cell.column =
            static_cast<std::size_t>(std::distance(columns.begin(), columns.find(block.x)));
        cell.row = static_cast<std::size_t>(std::distance(rows.begin(), rows.find(block.y)));
        if (axis.deep) cell.remark = "z " + std::to_string(block.z);
        if (const auto found = numbers.find(i); found != numbers.end()) {
            const auto& [number, source] = found->second;
            cell.heat = scale.shareOf(number);
            cell.number = cellNumber(unit, number);
            cell.best = !plot.bestWords.empty() && number == best;
            // Where some cells were measured, those that were not say so.
            if (source == Source::predicted && sources.size() > 1) cell.remark = "pred.";
        }
        plot.cells.push_back(std::move(cell));
    }
    // A best that many share singles nothing out.
    const auto shared = std::ranges::count_if(plot.cells, &HeatPlot::Cell::best);
    if (static_cast<std::size_t>(shared) * 4 > plot.cells.size()) {
        for (HeatPlot::Cell& cell : plot.cells) cell.best = false;
    }
    for (const Tick& tick : ticksOf(scale, 4, unit, roundingOf(quantity))) {
        plot.legend.push_back({scale.shareOf(tick.number), tick.words});
    }
    return plot;
}

SweepPicture prepareOverShapes(const Sweep& sweep, const BlockAxis& axis, const Quantity& quantity,
                               const DrawArea& area, const SweepMarks& marks) {
    HeatPlot plot = heatOf(sweep, axis, quantity);
    if (marks.held) plot.cells.at(*marks.held).held = true;
    HeatPicture picture = prepareHeat(plot, area);
    SweepPicture result{std::move(picture.items), {}};
    for (std::size_t i = 0; i < picture.cells.size() && marks.pointer; ++i) {
        const Box& box = picture.cells[i];
        if (!box.contains(*marks.pointer)) continue;
        result.pointed = i;
        result.items.emplace_back(Frame{box, area.colors.muted, area.textSize / 8});
    }
    return result;
}

}  // namespace

SweepPicture prepareSweep(const Sweep& sweep, const Quantity& quantity, const DrawArea& area,
                          const SweepMarks& marks) {
    if (const auto* argument = std::get_if<ArgumentAxis>(&sweep.plan.axis)) {
        return prepareOverArgument(sweep, *argument, quantity, area, marks);
    }
    return prepareOverShapes(sweep, std::get<BlockAxis>(sweep.plan.axis), quantity, area, marks);
}

std::string pointInWords(const Sweep& sweep, std::size_t point, const Quantity& quantity) {
    std::vector<std::pair<std::string, std::string>> numbers;  // number, its sources
    for (const Series& series : seriesOf(sweep, quantity)) {
        const auto reading = std::ranges::find(series.readings, point, &Series::Reading::point);
        if (reading == series.readings.end()) continue;
        const std::string number = formatNumber(reading->number, quantity.unit());
        const std::string source = nameOf(series);
        const auto same =
            std::ranges::find(numbers, number, &std::pair<std::string, std::string>::first);
        if (same == numbers.end()) {
            numbers.emplace_back(number, source);
        } else {
            same->second += ", " + source;
        }
    }
    const std::string words = joined(
        numbers, "; ", [](const auto& number) { return number.first + " " + number.second; });
    return std::string(quantity.title) + ": " + (words.empty() ? "no number" : words);
}

std::vector<std::string> provenanceOf(const Sweep& sweep, bool recorded,
                                      const std::vector<Quantity>& shown) {
    std::vector<std::string> lines;
    const std::size_t measured = sweep.measuredCount();
    const std::size_t points = sweep.points.size();
    const auto ofAll = [&](std::size_t some) {
        return some == points ? "all " + std::to_string(points) + " points"
                              : std::to_string(some) + " of " + std::to_string(points) + " points";
    };
    std::size_t exact = 0;
    std::size_t predicted = 0;
    for (const SweepPoint& point : sweep.points) {
        if (point.prediction() == nullptr) continue;
        ++predicted;
        exact += point.prediction()->exact ? 1 : 0;
    }
    if (measured != 0) {
        std::string first;
        std::string last;
        std::set<std::string> sources;
        for (const SweepPoint& point : sweep.points) {
            if (point.measurement() == nullptr) continue;
            const std::string day = dayOf(point.measurement()->takenAt);
            if (first.empty() || day < first) first = day;
            last = std::max(last, day);
            for (const Value& value : point.measurement()->values) {
                if (value.number() != nullptr && value.source != Source::predicted) {
                    sources.insert(std::string(toString(value.source)));
                }
            }
        }
        lines.push_back(joined(sources, ", ") + ": " +
                        (recorded ? "recorded on " : "measured on ") +
                        sweep.firstMeasurement()->device.name + ", " + first +
                        (last == first ? "" : " to " + last) + ", " + ofAll(measured));
    } else if (predicted != 0) {
        lines.emplace_back("predicted only: nothing here was measured");
    }
    if (predicted != 0) {
        lines.push_back("predicted: " + ofAll(predicted) + ", " +
                        (exact == predicted ? "from every block" : "from samples of blocks"));
    }
    const bool modelled = std::ranges::any_of(shown, [&](const Quantity& quantity) {
        return std::ranges::any_of(seriesOf(sweep, quantity), &Series::model);
    });
    if (modelled) lines.push_back(modelInWords(sweep));
    return lines;
}

}  // namespace warplens::drawing
