#include "app/drawing/plot_curve.h"

#include <algorithm>
#include <cmath>

namespace warplens::drawing {
namespace {

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
