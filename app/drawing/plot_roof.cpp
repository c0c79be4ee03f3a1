#include <cmath>

#include "app/drawing/plot_sweep.h"
#include "core/measurement/measurement.h"
#include "core/text/format.h"
#include "kernels/library/predict.h"

namespace warplens::drawing {
namespace {

/// The power of ten at or below, or at or above.
double decade(double number, bool below) {
    const double power = std::log10(number);
    return std::pow(10, below ? std::floor(power + 1e-9) : std::ceil(power - 1e-9));
}

struct Span final {
    double first = 0;
    double last = 0;
    void take(double number) {
        if (!(number > 0)) return;
        first = first == 0 ? number : std::min(first, number);
        last = std::max(last, number);
    }
};

std::string ratio(std::optional<double> number) {
    return number ? significantDigits(*number) : "-";
}

class RoofComposer final {
  public:
    RoofComposer(const Roofline& roofline, const DrawArea& area, std::optional<std::size_t> held,
                 std::optional<Point> pointer)
        : roofline_(roofline), area_(area), held_(held), pointer_(pointer) {
        const ColorRoles& colors = area.colors;
        std::vector<PlotSeries> legend{
            {"by bytes asked for, predicted", Mark::ring, colors.warning, {}},
            {"by DRAM bytes, counted", Mark::disc, colors.accent, {}}};
        if (roofline.ceilings) {
            legend.push_back({roofline.ceilings->device, Mark::line, colors.text, {}});
        }
        legend.push_back({roofline.textbook.device, Mark::dashes, colors.muted, {}});
        frame_ = drawFrame(area, xAxis(), yAxis(), legend, result_.items);
    }

    RoofPicture draw() {
        for (std::size_t i = 0; i < roofline_.points.size(); ++i) drawPoint(i);
        drawRoof(roofline_.textbook, false);
        if (roofline_.ceilings) drawRoof(*roofline_.ceilings, true);
        return std::move(result_);
    }

  private:
    [[nodiscard]] float u(float units) const { return units * area_.textSize / 12; }
    void add(Item item) { result_.items.push_back(std::move(item)); }

    [[nodiscard]] PlotAxis xAxis() const {
        Span span;
        for (const RoofPoint& point : roofline_.points) {
            span.take(point.flopsPerRequestedByte().value_or(0));
            span.take(point.flopsPerDramByte().value_or(0));
        }
        span.take(0.25);
        span.take(roofline_.textbook.ridge());
        if (roofline_.ceilings) span.take(roofline_.ceilings->ridge());
        const PlotScale scale{decade(span.first * 0.8, true), decade(span.last * 1.3, false), true};
        return {"FLOP for each byte (logarithmic)", scale,
                ticksOf(scale, 7, {}, Rounding::decimal)};
    }

    [[nodiscard]] PlotAxis yAxis() const {
        Span span;
        for (const RoofPoint& point : roofline_.points) span.take(point.flopRate().value_or(0));
        const double first = xAxis().scale.first;
        span.take(roofline_.textbook.at(std::max(first, 0.25)));
        span.take(roofline_.textbook.flopRate);
        if (roofline_.ceilings) span.take(roofline_.ceilings->flopRate);
        const PlotScale scale{decade(span.first * 0.8, true), decade(span.last * 1.2, false), true};
        const bool tera = span.last >= 1e12;
        const AxisUnit unit{tera ? 1e12 : 1e9, tera ? "TFLOP/s" : "GFLOP/s"};
        return {"FLOP/s against arithmetic intensity, " + unit.unit, scale,
                ticksOf(scale, 7, unit, Rounding::decimal)};
    }

    void stroke(Point from, Point to, Rgb color, bool block3d, float width) {
        if (block3d) {
            add(Line{from, to, color, u(width)});
        } else {
            drawDashes(from, to, color, u(width), u(5), result_.items);
        }
    }

    void drawRoof(const Ceilings& ceilings, bool own) {
        const Rgb color = own ? area_.colors.text : area_.colors.muted;
        // Up along the bandwidth from where it enters the frame, then along the peak.
        const double begin = std::max(frame_.x.first, frame_.y.first / ceilings.bandwidth);
        const Point from = frame_.at(begin, ceilings.at(begin));
        const Point corner = frame_.at(ceilings.ridge(), ceilings.flopRate);
        const Point end = frame_.at(frame_.x.last, ceilings.flopRate);
        stroke(from, corner, color, own, own ? 2.2F : 1.6F);
        stroke(corner, end, color, own, own ? 2.2F : 1.6F);
        const std::string peak = formatNumber(ceilings.flopRate, Unit::flopsPerSecond);
        const std::string copy = formatNumber(ceilings.bandwidth, Unit::bytesPerSecond);
        const float size = area_.textSize;
        note(peak, {{end.x - u(4), end.y - size - u(3)}, {end.x - u(4), end.y + u(4)}}, 1, color);
        std::vector<Point> places;
        for (const float along : {0.5F, 0.65F, 0.8F, 0.9F, 0.35F, 0.2F}) {
            const Point on{from.x + (corner.x - from.x) * along,
                           from.y + (corner.y - from.y) * along};
            places.push_back({on.x - u(8), on.y - size - u(2)});
        }
        note(copy, places, 1, color);
    }

    /// Words that keep out of the way of others, and numbers of the lines between marks, too; left
    /// out where no place is free.
    void note(const std::string& words, const std::vector<Point>& places, float align, Rgb color,
              Face face = Face::numbers) {
        const float size = area_.textSize;
        const float width = area_.textWidth(words, face, size);
        const Box& inside = frame_.inside;
        for (const Point at : places) {
            const float left = at.x - align * width;
            const Box box{left, at.y, left + width, at.y + size};
            if (box.left < inside.left || box.right > inside.right || box.top < inside.top ||
                box.bottom > inside.bottom || meets(texts_, box) ||
                (face == Face::numbers && meets(lines_, box))) {
                continue;
            }
            texts_.push_back(box);
            add(Text{at, words, face, size, color, align});
            return;
        }
    }

    [[nodiscard]] static bool meets(const std::vector<Box>& others, const Box& box) {
        return std::ranges::any_of(others, [&](const Box& other) {
            return box.left < other.right && other.left < box.right && box.top < other.bottom &&
                   other.top < box.bottom;
        });
    }

    void drawPoint(std::size_t index) {
        const RoofPoint& point = roofline_.points[index];
        const auto asked = point.flopsPerRequestedByte();
        const auto moved = point.flopsPerDramByte();
        const bool timed = point.flopRate().has_value();
        const Ceilings& roof = roofline_.ceilings ? *roofline_.ceilings : roofline_.textbook;
        const double rate = timed ? *point.flopRate() : asked ? roof.at(*asked) : 0;
        if (!asked && !moved) return;
        const float radius = u(5);
        if (asked && moved && timed) {
            const Point from = frame_.at(*asked, rate);
            const Point to = frame_.at(*moved, rate);
            add(Line{from, to, area_.colors.muted, std::max(1.0F, u(0.9F)), 0.8F});
            lines_.push_back({from.x, from.y - u(1), to.x, from.y + u(1)});
        }
        std::optional<Point> last;
        const PlotSeries ring{{}, Mark::ring, area_.colors.warning, {}};
        const PlotSeries disc{{}, Mark::disc, area_.colors.accent, {}};
        if (asked) {
            last = frame_.at(*asked, rate);
            if (timed) {
                drawMark(ring, *last, radius, result_.items);
            } else {
                add(Line({last->x, last->y - radius}, {last->x, last->y + radius},
                         area_.colors.warning, u(2)));
            }
            place(index, *last);
        }
        if (moved && timed) {
            last = frame_.at(*moved, rate);
            drawMark(disc, *last, radius, result_.items);
            place(index, *last);
        }
        const std::string number = std::to_string(index + 1);
        // Right of the mark, or above, below and left of it where something is there already.
        const float size = area_.textSize;
        const float width = area_.textWidth(number, Face::strong, size);
        note(number,
             {{last->x + radius + u(3), last->y - size * 0.52F},
              {last->x - width / 2, last->y - radius - size - u(1)},
              {last->x - width / 2, last->y + radius + u(1)},
              {last->x - radius - u(3) - width, last->y - size * 0.52F}},
             0, held_ == index ? area_.colors.accent : area_.colors.text, Face::strong);
    }

    /// Keeps words away from the mark, and finds it under the pointer.
    void place(std::size_t index, Point at) {
        texts_.push_back({at.x - u(5), at.y - u(5), at.x + u(5), at.y + u(5)});
        if (!pointer_ || std::hypot(pointer_->x - at.x, pointer_->y - at.y) > u(9)) return;
        result_.pointed = index;
    }

    const Roofline& roofline_;
    const DrawArea& area_;
    std::optional<std::size_t> held_;
    std::optional<Point> pointer_;
    RoofPicture result_;
    PlotFrame frame_;
    std::vector<Box> texts_;
    std::vector<Box> lines_;  ///< between the two marks of a point
};

const Measurement* measurementOf(const Experiment& experiment, const std::string& device,
                                 std::span<const Measurement* const> measured) {
    const auto found = std::ranges::find_if(measured, [&](const Measurement* one) {
        return one->experiment == experiment && one->device.name == device;
    });
    return found == measured.end() ? nullptr : *found;
}

}  // namespace

RoofPicture prepareRoof(const Roofline& roofline, const DrawArea& area,
                        std::optional<std::size_t> held, std::optional<Point> pointer) {
    return RoofComposer(roofline, area, held, pointer).draw();
}

std::vector<RoofRow> rowsOf(const Roofline& roofline) {
    std::vector<RoofRow> rows;
    for (const RoofPoint& point : roofline.points) {
        const auto rate = point.flopRate();
        rows.push_back({nameOf(point), sizesOf(point.experiment), ratio(point.flopsPerAccess()),
                        point.cached ? "in L2" : ratio(point.flopsPerDramByte()),
                        rate ? formatNumber(*rate, Unit::flopsPerSecond) : "-"});
    }
    return rows;
}

std::vector<std::string> provenanceOf(const Roofline& roofline) {
    std::vector<std::string> lines;
    if (roofline.ceilings) {
        const Ceilings& c = *roofline.ceilings;
        lines.push_back(std::string(roofline.recorded ? "recorded on " : "measured on ") +
                        c.device + ", " + dayOf(roofline.takenAt) + ": copy rate " +
                        formatNumber(c.bandwidth, Unit::bytesPerSecond) + ", multiply-adds " +
                        formatNumber(c.flopRate, Unit::flopsPerSecond) + ", both timed");
    } else {
        lines.emplace_back("predicted only: no device was measured");
    }
    const Ceilings& textbook = roofline.textbook;
    lines.push_back(textbook.device + ": " +
                    formatNumber(textbook.bandwidth, Unit::bytesPerSecond) + " is " +
                    formatNumber(textbook.at(0.25), Unit::flopsPerSecond) +
                    " at one FLOP for each access of 4 bytes, of " +
                    formatNumber(textbook.flopRate, Unit::flopsPerSecond));
    return lines;
}

Roofline rooflineOf(const std::vector<Experiment>& experiments,
                    std::span<const Measurement* const> measured, std::stop_token stop) {
    Roofline roofline;
    // Those of the first that was measured, as in the window.
    for (const Experiment& experiment : experiments) {
        for (const Measurement* one : measured) {
            if (roofline.ceilings || one->experiment != experiment) continue;
            roofline.ceilings = ceilingsOf(one->device);
        }
    }
    const std::string device = roofline.ceilings ? roofline.ceilings->device : "";
    for (const Experiment& experiment : experiments) {
        if (!hasRoofPoint(experiment) || !validateRun(experiment).empty()) continue;
        const Measurement* const found = measurementOf(experiment, device, measured);
        if (found != nullptr) roofline.takenAt = std::max(roofline.takenAt, found->takenAt);
        try {
            const LaunchReport prediction = predict(experiment, {.stop = stop});
            roofline.points.push_back(
                roofPointOf(experiment, &prediction.values, prediction.exact, found));
        } catch (const TraceFault&) {
            roofline.points.push_back(roofPointOf(experiment, nullptr, false, found));
        }
    }
    return roofline;
}

}  // namespace warplens::drawing
