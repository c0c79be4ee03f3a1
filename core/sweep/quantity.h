#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/measurement/measurement.h"
#include "core/sweep/sweep.h"
#include "core/text/format.h"

/// What a sweep's points are plotted by.
namespace warplens {

struct Quantity final {
    Metric metric;
    Variant variant = Variant::none;
    std::string_view id;     ///< `sectors_per_load_request`, as on the command line
    std::string_view title;  ///< `Sectors per load request`
    friend bool operator==(const Quantity& a, const Quantity& b) {
        return a.metric == b.metric && a.variant == b.variant;
    }
    [[nodiscard]] Unit unit() const { return metricInfo(metric).unit; }
};

/// Every quantity there is to plot.
[[nodiscard]] std::span<const Quantity> allQuantities();
[[nodiscard]] const Quantity* findQuantity(std::string_view id);

/// One source's numbers of a quantity along a sweep.
struct Series final {
    struct Reading final {
        std::size_t point = 0;  ///< place among the sweep's points
        double number = 0;
        double low = 0;  ///< of the timed runs, where there are several; else the number
        double high = 0;
        friend bool operator==(const Reading&, const Reading&) = default;
    };
    Source source = Source::predicted;
    /// A time or a bandwidth computed from predicted sectors (modelInWords); else read as it is.
    bool model = false;
    /// `GPU-8c9fcd5b`, where the sweep was measured on several devices and this is one's; else
    /// empty.
    std::string device{};
    std::vector<Reading> readings;
    friend bool operator==(const Series&, const Series&) = default;
};

/// `timed`, `timed GPU-8c9fcd5b`, `model`.
[[nodiscard]] std::string nameOf(const Series& series);

/// The quantity's numbers, a series for each source that has any: predicted, compiled, counted,
/// timed; what devices count and time, for each device. Where the algorithm asks for each of its
/// bytes once, times and bandwidths have a model beside them: every predicted sector moves once, at
/// the measuring device's copy rate.
[[nodiscard]] std::vector<Series> seriesOf(const Sweep& sweep, const Quantity& quantity);

/// `model: every predicted sector moves once, at the copy rate of NVIDIA H200, 4.13 TB/s timed`.
[[nodiscard]] std::string modelInWords(const Sweep& sweep);

/// Quantities of which the sweep has any number, in the order of `allQuantities`.
[[nodiscard]] std::vector<Quantity> quantitiesOf(const Sweep& sweep);

/// What is worth seeing first: what the sweep changes about the accesses, then what that does to
/// bandwidth or time, as far as there are numbers. One or two; none while nothing is known.
[[nodiscard]] std::vector<Quantity> tellingQuantities(const Sweep& sweep);

// Values as a table for other programs: one row each, numbers in their unit with all their digits.

/// Columns metric, variant, subject, source, value, unit, unavailable.
[[nodiscard]] TextRows rowsOf(std::span<const Value> values);

/// The same after the columns point, from 1, and launch, `--block 16,16 --set n=512`.
[[nodiscard]] TextRows rowsOf(const Sweep& sweep);

}  // namespace warplens
