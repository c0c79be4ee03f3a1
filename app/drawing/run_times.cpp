#include <cmath>

#include "app/drawing/plot.h"
#include "app/drawing/schedule_chart.h"
#include "core/measurement/measurement.h"
#include "core/text/format.h"

namespace warplens::drawing {
namespace {

constexpr std::size_t mostBars = 48;
constexpr float narrowestBar = 4;  // in tenths of the text's size

std::string secondsText(double seconds) {
    return formatNumber(seconds, Unit::seconds);
}

/// Whether all that are other nanoseconds read differently.
bool areApart(const std::vector<double>& seconds, const std::vector<std::string>& words) {
    for (std::size_t i = 1; i < seconds.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            const bool differ = std::round(seconds[i] * 1e9) != std::round(seconds[j] * 1e9);
            if (differ && words[i] == words[j]) return false;
        }
    }
    return true;
}

}  // namespace

std::vector<std::string> timesApart(const std::vector<double>& seconds) {
    std::vector<std::string> words(seconds.size());
    std::ranges::transform(seconds, words.begin(), secondsText);
    const AxisUnit unit = axisUnitFor(std::ranges::max(seconds), Unit::seconds);
    const int nanosecond = static_cast<int>(std::lround(std::log10(unit.factor * 1e9)));
    for (int decimals = 1; decimals <= nanosecond && !areApart(seconds, words); ++decimals) {
        std::ranges::transform(seconds, words.begin(), [&](double time) {
            return fixedNumber(time / unit.factor, decimals) + ' ' + unit.unit;
        });
    }
    return words;
}

Items prepareRunTimes(const Timing& timing, const DrawArea& area) {
    const Box box = area.box;
    const float size = area.textSize;
    const float band = std::max(3.0F, 0.34F * size);
    const Box bars{box.left, box.top, box.right, box.bottom - 1.35F * size - 2 * band};
    const auto fits = static_cast<std::size_t>(bars.width() / (narrowestBar * size / 10));
    if (bars.height() < size || fits < 4) return {};
    const std::optional<Histogram> histogram = histogramOf(timing, std::min(mostBars, fits));
    const std::optional<Quartiles> quartiles = quartilesOf(timing);
    if (!histogram || !quartiles) return {};

    Items items;
    const auto count = static_cast<float>(histogram->counts.size());
    // A few bars are no wider than a word, or one bar would be the whole width.
    const float pitch = std::min(bars.width() / count, 4 * size);
    const float width = pitch * count;
    const auto x = [&](double seconds) {
        const double share =
            (seconds - histogram->from) / std::max(histogram->to() - histogram->from, 1e-18);
        return bars.left + width * static_cast<float>(std::clamp(share, 0.0, 1.0));
    };
    const auto most = static_cast<float>(histogram->highest());
    for (std::size_t i = 0; i < histogram->counts.size(); ++i) {
        if (histogram->counts[i] == 0) continue;
        // A single run is still to be seen.
        const float height =
            std::max(1.0F, bars.height() * static_cast<float>(histogram->counts[i]) / most);
        const float left = bars.left + pitch * static_cast<float>(i);
        const float gap = std::min(1.0F, 0.15F * pitch);
        items.emplace_back(Fill{{left, bars.bottom - height, left + pitch - gap, bars.bottom},
                                area.colors.accent});
    }
    items.emplace_back(
        Line{{bars.left, bars.bottom}, {bars.left + width, bars.bottom}, area.colors.faint, 1});

    const float top = bars.bottom + 0.6F * band;
    items.emplace_back(Fill{{x(quartiles->lower), top,
                             std::max(x(quartiles->upper), x(quartiles->lower) + 2), top + band},
                            area.colors.muted});
    const float median = x(timing.medianSeconds);
    items.emplace_back(
        Fill{{median - 1, bars.bottom, median + 1, top + 1.6F * band}, area.colors.text});

    const float line = box.bottom - size;
    const auto write = [&](Point at, std::string words, Rgb color, float align) {
        items.emplace_back(Text{at, std::move(words), Face::words, size, color, align});
    };
    const auto wide = [&](const std::string& words) {
        return area.textWidth(words, Face::words, size);
    };
    const std::vector<std::string> times =
        timesApart({timing.minimumSeconds, timing.medianSeconds,
                    histogram->slower == 0 ? timing.maximumSeconds : histogram->to()});
    const std::string& least = times[0];
    const std::string& middle = times[1];
    const std::string last = times[2] == least ? "" : times[2];
    const float both = wide(least) + wide(last);
    const float apart = std::clamp(bars.width() - both, 0.3F * size, size);
    const float end = std::max(bars.left + width, bars.left + both + apart);
    write({bars.left, line}, least, area.colors.faint, 0);
    write({end, line}, last, area.colors.faint, 1);
    const float half = wide(middle) / 2 + 0.4F * size;
    if (middle != least && middle != last && median - half > bars.left + wide(least) &&
        median + half < end - wide(last)) {
        write({median, line}, middle, area.colors.text, 0.5F);
    }
    if (histogram->slower > 0) {
        const std::string words = "+" + std::to_string(histogram->slower) + " slower, up to " +
                                  secondsText(timing.maximumSeconds);
        const float left = bars.left + width + 0.8F * size;
        if (left + wide(words) <= box.right) {
            write({left, bars.bottom - size}, words, area.colors.muted, 0);
        } else if (wide(words) <= bars.width()) {
            write({box.right, bars.top}, words, area.colors.muted, 1);
        }
    }
    return items;
}

std::string middleInWords(const Timing& timing) {
    const std::optional<Quartiles> quartiles = quartilesOf(timing);
    if (!quartiles) return {};
    const std::vector<std::string> times = timesApart({quartiles->lower, quartiles->upper});
    const std::string& lower = times[0];
    const std::string& upper = times[1];
    const std::string runs =
        " of " + groupedDigits(static_cast<std::uint64_t>(timing.runs)) + " runs ";
    if (lower == upper) return "half" + runs + "at " + lower;
    return "half" + runs + "within " + lower + " and " + upper;
}

}  // namespace warplens::drawing
