#include "app/drawing/plot.h"

#include <cmath>

#include "core/text/format.h"

namespace warplens::drawing {
namespace {

struct Prefix final {
    double factor;
    const char* unit;
};

AxisUnit prefixed(double largest, std::initializer_list<Prefix> rising) {
    const Prefix* best = rising.begin();
    for (const Prefix& prefix : rising) {
        if (largest >= prefix.factor) best = &prefix;
    }
    return {best->factor, best->unit};
}

/// The shortest decimal that is the number, for round numbers.
std::string shortest(double number) {
    if (std::abs(number) >= 10000 && number == std::floor(number)) {
        return (number < 0 ? "-" : "") +
               groupedDigits(static_cast<std::uint64_t>(std::abs(number)));
    }
    return plainNumber(number);
}

/// The smallest round step that is not below `least`.
double roundStep(double least, Rounding rounding) {
    if (rounding == Rounding::binary && least > 0.5) {
        return std::exp2(std::ceil(std::log2(least) - 1e-9));
    }
    const double power = std::pow(10, std::floor(std::log10(least) + 1e-9));
    for (const double part : {1.0, 2.0, 5.0}) {
        if (part * power >= least * (1 - 1e-9)) return part * power;
    }
    return 10 * power;
}

/// Powers of the base from `first` on.
std::vector<Tick> powers(const PlotScale& scale, int most, const AxisUnit& unit, double base) {
    const double toPower = 1 / std::log(base);
    const auto lowest =
        static_cast<int>(std::ceil(std::log(scale.first / unit.factor) * toPower - 1e-9));
    const auto highest =
        static_cast<int>(std::floor(std::log(scale.last / unit.factor) * toPower + 1e-9));
    const int step = std::max(1, (highest - lowest + most) / std::max(1, most));
    std::vector<Tick> ticks;
    for (int power = lowest; power <= highest; power += step) {
        const double written = std::pow(base, power);
        ticks.push_back({written * unit.factor, shortest(written)});
    }
    return ticks;
}

}  // namespace

double PlotScale::shareOf(double number) const {
    const double inside = std::clamp(number, first, last);
    if (!logarithmic) return (inside - first) / (last - first);
    return std::log(inside / first) / std::log(last / first);
}

double PlotScale::numberAt(double share) const {
    const double inside = std::clamp(share, 0.0, 1.0);
    if (!logarithmic) return first + inside * (last - first);
    return first * std::pow(last / first, inside);
}

AxisUnit axisUnitFor(double largest, Unit unit) {
    switch (unit) {
        case Unit::percent:
            return {1, "%"};
        case Unit::bytesPerSecond:
            return prefixed(
                largest, {{1, "B/s"}, {1e3, "kB/s"}, {1e6, "MB/s"}, {1e9, "GB/s"}, {1e12, "TB/s"}});
        case Unit::seconds:
            return prefixed(largest, {{1e-9, "ns"}, {1e-6, "µs"}, {1e-3, "ms"}, {1, "s"}});
        case Unit::one:
            return {1, ""};
        default:
            break;
    }
    const std::string thing = unit == Unit::count ? "" : std::string(toString(unit));
    AxisUnit axis =
        prefixed(largest, {{1, ""}, {1e6, "million"}, {1e9, "billion"}, {1e12, "trillion"}});
    if (!thing.empty()) addWords(axis.unit, " ", thing);
    return axis;
}

std::string numberIn(const AxisUnit& unit, double number) {
    const double written = number / unit.factor;
    const double size = std::abs(written);
    if (size < 1000 && std::abs(written - std::round(written)) < 1e-9) {
        return shortest(std::round(written) + 0.0);  // never -0
    }
    return size < 0.9995 ? fixedNumber(written, 3) : significantDigits(written);
}

PlotScale scaleFromZero(double largest, int mostTicks, const AxisUnit& unit, Rounding rounding) {
    const double top = largest > 0 ? largest / unit.factor : 1;
    const double step = roundStep(top / std::max(1, mostTicks), rounding);
    return {0, std::ceil(top / step - 1e-9) * step * unit.factor, false};
}

std::vector<Tick> ticksOf(const PlotScale& scale, int most, const AxisUnit& unit,
                          Rounding rounding) {
    if (scale.logarithmic) {
        return powers(scale, most, unit, rounding == Rounding::binary ? 2 : 10);
    }
    const double first = scale.first / unit.factor;
    const double last = scale.last / unit.factor;
    const double step = roundStep((last - first) / std::max(1, most), rounding);
    std::vector<Tick> ticks;
    // Adding zero keeps the first from being written as -0.
    for (double at = std::ceil(first / step - 1e-9) + 0.0; at * step <= last + 1e-9 * step;
         at += 1) {
        ticks.push_back({at * step * unit.factor, shortest(at * step)});
    }
    return ticks;
}

namespace {

float u(const DrawArea& area, float units) {
    return units * area.textSize / 12;
}

float widest(const DrawArea& area, const std::vector<Tick>& ticks) {
    float width = 0;
    for (const Tick& tick : ticks) {
        width = std::max(width, area.textWidth(tick.words, Face::numbers, area.textSize));
    }
    return width;
}

void drawGrid(const DrawArea& area, const PlotFrame& frame, const PlotAxis& x, const PlotAxis& y,
              Items& items) {
    const float hairline = std::max(1.0F, u(area, 0.9F));
    const Rgb grid = mixed(area.colors.background, area.colors.faint, 0.3F);
    const Box& box = frame.inside;
    for (const Tick& tick : x.ticks) {
        const float at = frame.at(tick.number, 0).x;
        items.emplace_back(Line{{at, box.top}, {at, box.bottom}, grid, hairline});
    }
    for (const Tick& tick : y.ticks) {
        const float at = frame.at(0, tick.number).y;
        items.emplace_back(Line{{box.left, at}, {box.right, at}, grid, hairline});
    }
    items.emplace_back(
        Line{{box.left, box.top}, {box.left, box.bottom}, area.colors.muted, hairline});
    items.emplace_back(
        Line{{box.left, box.bottom}, {box.right, box.bottom}, area.colors.muted, hairline});
}

/// Those that stand clear of the one before.
void drawAlongX(const DrawArea& area, const PlotFrame& frame, const std::vector<Tick>& ticks,
                float top, Items& items) {
    float end = -1e9F;
    for (const Tick& tick : ticks) {
        const float width = area.textWidth(tick.words, Face::numbers, area.textSize);
        const float middle = std::clamp(frame.at(tick.number, 0).x, area.box.left + width / 2,
                                        area.box.right - width / 2);
        if (middle - width / 2 < end) continue;
        end = middle + width / 2 + u(area, 6);
        items.emplace_back(
            Text{{middle, top}, tick.words, Face::numbers, area.textSize, area.colors.muted, 0.5F});
    }
}

void drawNumbers(const DrawArea& area, const PlotFrame& frame, const PlotAxis& x, const PlotAxis& y,
                 Items& items) {
    const float size = area.textSize;
    const Box& box = frame.inside;
    float above = 1e9F;  // where the last one begins
    for (const Tick& tick : y.ticks) {
        const float top = frame.at(0, tick.number).y - size * 0.52F;
        if (top + size > above) continue;
        above = top;
        items.emplace_back(Text({box.left - u(area, 5), top}, tick.words, Face::numbers, size,
                                area.colors.muted, 1));
    }
    // Clear of the number beside the corner.
    drawAlongX(area, frame, x.ticks, box.bottom + size * 0.6F, items);
    if (x.below.empty()) return;
    drawAlongX(area, frame, x.below, box.bottom + size * 1.75F, items);
}

class CurveComposer final {
  public:
    CurveComposer(const CurvePlot& plot, const DrawArea& area) : plot_(plot), area_(area) {
        frame_ = drawFrame(area, plot.x, plot.y, plot.series, items_);
    }

    CurvePicture draw() {
        if (plot_.held) drawUpright(*plot_.held, area_.colors.accent, 1.6F);
        if (plot_.pointed && plot_.pointed != plot_.held) {
            drawUpright(*plot_.pointed, area_.colors.muted, 1);
        }
        for (const PlotSeries& series : plot_.series) {
            const bool joined = series.mark == Mark::line || series.mark == Mark::dashes;
            if (joined) {
                drawLines(series);
            } else {
                drawMarks(series);
            }
        }
        return {std::move(items_), frame_};
    }

  private:
    [[nodiscard]] float u(float units) const { return units * area_.textSize / 12; }

    void drawUpright(double x, Rgb color, float width) {
        if (!frame_.x.holds(x)) return;
        const float at = frame_.at(x, 0).x;
        items_.emplace_back(
            Line{{at, frame_.inside.top}, {at, frame_.inside.bottom}, color, u(width), 0.75F});
    }

    void drawLines(const PlotSeries& series) {
        // A lone point is no line.
        if (series.points.size() == 1) {
            PlotSeries lone = series;
            lone.mark = Mark::ring;
            drawMarks(lone);
        }
        for (std::size_t i = 1; i < series.points.size(); ++i) {
            const Point from = frame_.at(series.points[i - 1].x, series.points[i - 1].y);
            const Point to = frame_.at(series.points[i].x, series.points[i].y);
            if (series.mark == Mark::line) {
                items_.emplace_back(Line{from, to, series.color, u(1.8F)});
            } else {
                drawDashesOn(from, to, series.color);
            }
        }
    }

    /// Dashes whose rhythm runs on from piece to piece of a line.
    void drawDashesOn(Point from, Point to, Rgb color) {
        const float dash = u(5);
        const float gap = u(4);
        const float length = std::hypot(to.x - from.x, to.y - from.y);
        for (float at = 0; at < length;) {
            const float phase = std::fmod(along_, dash + gap);
            const bool drawn = phase < dash;
            const float left = (drawn ? dash : dash + gap) - phase;
            const float end = std::min(length, at + std::max(left, 0.01F));
            if (drawn) {
                const auto point = [&](float where) {
                    return Point{from.x + (to.x - from.x) * where / length,
                                 from.y + (to.y - from.y) * where / length};
                };
                items_.emplace_back(Line{point(at), point(end), color, u(1.8F)});
            }
            along_ += end - at;
            at = end;
        }
    }

    /// Small enough for neighbours to stay apart, as far as marks can be.
    [[nodiscard]] float radiusOf(const PlotSeries& series) const {
        const float each = frame_.inside.width() /
                           static_cast<float>(std::max<std::size_t>(1, series.points.size()));
        return std::clamp(each * 0.45F, u(2.2F), u(4.2F));
    }

    void drawMarks(const PlotSeries& series) {
        const float radius = radiusOf(series);
        for (const PlotPoint& point : series.points) {
            const Point at = frame_.at(point.x, point.y);
            const float low = frame_.at(point.x, point.low).y;
            const float high = frame_.at(point.x, point.high).y;
            if (low - high > 2 * radius) {
                items_.emplace_back(
                    Line{{at.x, high}, {at.x, low}, series.color, std::max(1.0F, u(0.9F)), 0.6F});
            }
            drawMark(series, at, radius, items_);
        }
    }

    const CurvePlot& plot_;
    const DrawArea& area_;
    Items items_;
    PlotFrame frame_;
    float along_ = 0;
};

}  // namespace

Point PlotFrame::at(double xNumber, double yNumber) const {
    return {inside.left + static_cast<float>(x.shareOf(xNumber)) * inside.width(),
            inside.bottom - static_cast<float>(y.shareOf(yNumber)) * inside.height()};
}

PlotFrame drawFrame(const DrawArea& area, const PlotAxis& x, const PlotAxis& y,
                    const std::vector<PlotSeries>& legend, Items& items) {
    const float size = area.textSize;
    const Box& box = area.box;
    float top = box.top;
    // Rather smaller than cut.
    const float natural = area.textWidth(y.title, Face::strong, size * 1.1F);
    const float titled = size * std::clamp(1.1F * box.width() / natural, 0.8F, 1.1F);
    items.emplace_back(Text({box.left, top},
                            cutTo(area, y.title, Face::strong, titled, box.width()), Face::strong,
                            titled, area.colors.text));
    const float named = natural + u(area, 20);
    float whole = 0;
    for (const PlotSeries& series : legend) {
        whole += area.textWidth(series.name, Face::words, size) + u(area, 40);
    }
    // Beside the title where there is room, else below it.
    if (named + whole <= box.width()) {
        (void)drawLegend(area, legend, {box.right - whole + u(area, 14), top}, whole, items);
        top += size * 1.1F + u(area, 8);
    } else {
        top += size * 1.1F + u(area, 4);
        top += drawLegend(area, legend, {box.left, top}, box.width(), items) + u(area, 6);
    }
    const float second = x.below.empty() ? 0 : size * 1.15F;
    const float below = size * 1.75F + second + size * 1.1F;
    PlotFrame frame{{box.left + widest(area, y.ticks) + u(area, 7), top + size * 0.4F,
                     box.right - u(area, 8), box.bottom - below},
                    x.scale,
                    y.scale};
    frame.inside.right = std::max(frame.inside.right, frame.inside.left + 1);
    frame.inside.bottom = std::max(frame.inside.bottom, frame.inside.top + 1);
    drawGrid(area, frame, x, y, items);
    drawNumbers(area, frame, x, y, items);
    items.emplace_back(
        Text({(frame.inside.left + frame.inside.right) / 2, box.bottom - size * 1.05F},
             cutTo(area, x.title + (x.below.empty() ? "" : "; below: " + x.belowTitle), Face::words,
                   size, frame.inside.width()),
             Face::words, size, area.colors.text, 0.5F));
    return frame;
}

float drawLegend(const DrawArea& area, const std::vector<PlotSeries>& series, Point at, float width,
                 Items& items) {
    const float size = area.textSize;
    const float sample = u(area, 20);
    const float right = at.x + width;
    const float left = at.x;
    const float begin = at.y;
    for (const PlotSeries& one : series) {
        const float room = right - left - sample - u(area, 6);
        const std::string name = cutTo(area, one.name, Face::words, size, room);
        const float needed = sample + u(area, 6) + area.textWidth(name, Face::words, size);
        if (at.x > left && at.x + needed > right) at = {left, at.y + size * 1.25F};
        const float middle = at.y + size * 0.52F;
        if (one.mark == Mark::line) {
            items.emplace_back(
                Line{{at.x, middle}, {at.x + sample, middle}, one.color, u(area, 1.8F)});
        } else if (one.mark == Mark::dashes) {
            drawDashes({at.x, middle}, {at.x + sample, middle}, one.color, u(area, 1.8F),
                       u(area, 5), items);
        } else {
            drawMark(one, {at.x + sample / 2, middle}, u(area, 4), items);
        }
        items.emplace_back(
            Text{{at.x + sample + u(area, 6), at.y}, name, Face::words, size, area.colors.text});
        at.x += needed + u(area, 14);
    }
    return series.empty() ? 0 : at.y - begin + size;
}

void drawMark(const PlotSeries& series, Point at, float radius, Items& items) {
    if (series.mark == Mark::disc) {
        items.emplace_back(Disc{at, radius * 0.72F, series.color});
    } else {
        items.emplace_back(Disc{at, radius, series.color, std::max(1.0F, radius * 0.36F)});
    }
}

void drawDashes(Point from, Point to, Rgb color, float width, float dash, Items& items) {
    const float dx = to.x - from.x;
    const float dy = to.y - from.y;
    const float length = std::hypot(dx, dy);
    for (float at = 0; at < length; at += 1.8F * dash) {
        const float end = std::min(at + dash, length);
        items.emplace_back(Line({from.x + dx * at / length, from.y + dy * at / length},
                                {from.x + dx * end / length, from.y + dy * end / length}, color,
                                width));
    }
}

std::string cutTo(const DrawArea& area, std::string words, Face face, float size, float width) {
    if (area.textWidth(words, face, size) <= width) return words;
    while (!words.empty() && area.textWidth(words + "…", face, size) > width) {
        while (!words.empty() && (static_cast<unsigned char>(words.back()) & 0xc0) == 0x80) {
            words.pop_back();
        }
        if (!words.empty()) words.pop_back();
    }
    return words.empty() ? words : words + "…";
}

CurvePicture prepareCurve(const CurvePlot& plot, const DrawArea& area) {
    return CurveComposer(plot, area).draw();
}

std::optional<std::size_t> nearestAlongX(const PlotFrame& frame, const std::vector<double>& numbers,
                                         Point pointer) {
    const Box& box = frame.inside;
    const float margin = 0.03F * box.width();
    if (numbers.empty() || pointer.x < box.left - margin || pointer.x > box.right + margin ||
        pointer.y < box.top || pointer.y > box.bottom) {
        return std::nullopt;
    }
    const auto distance = [&](double number) {
        return std::abs(frame.at(number, frame.y.first).x - pointer.x);
    };
    return static_cast<std::size_t>(std::ranges::min_element(numbers, {}, distance) -
                                    numbers.begin());
}

}  // namespace warplens::drawing
