#include "core/sweep/axis.h"

#include <algorithm>
#include <array>
#include <optional>

#include "core/sweep/sweep.h"
#include "core/text/encoding.h"
#include "core/text/format.h"

namespace warplens {
namespace {

constexpr std::uint32_t mostThreads = LaunchLimits{}.threadsPerBlock;
constexpr std::size_t mostQuoted = 120;  // bytes of what was read, in a refusal

constexpr const char* shapeOfAxis =
    "name=first..last[:step] as in stride=1..128, or block=256 for its shapes";
constexpr const char* shapeOfBlocks = "block=256, block=256:z or block=32..1024";

/// What stands before and behind the first `mark`; all of it before where there is none.
struct Halves final {
    std::string_view before;
    std::optional<std::string_view> behind;
};
Halves splitAt(std::string_view text, std::string_view mark) {
    const std::size_t at = text.find(mark);
    if (at == std::string_view::npos) return {text, std::nullopt};
    return {text.substr(0, at), text.substr(at + mark.size())};
}

struct Step final {
    std::int64_t size = 1;
    bool multiplies = false;
};
/// The next value, none beyond `last`.
std::optional<std::int64_t> next(std::int64_t value, Step step, std::int64_t last) {
    if (step.multiplies) {
        return value > last / step.size ? std::nullopt : std::optional(value * step.size);
    }
    // Both sides without overflow: last >= value.
    const auto left = static_cast<std::uint64_t>(last) - static_cast<std::uint64_t>(value);
    if (left < static_cast<std::uint64_t>(step.size)) return std::nullopt;
    return value + step.size;
}

class AxisReader final {
  public:
    AxisReader(std::string_view name, std::string_view text) : name_(name), text_(text) {}

    std::variant<Axis, LimitViolation> read() const {
        const Halves axis = splitAt(text_, "=");
        if (axis.before.empty() || !axis.behind) return refuse(shapeOfAxis);
        if (axis.before == "block") return blocks(*axis.behind);
        return arguments(std::string(axis.before), *axis.behind);
    }

  private:
    [[nodiscard]] LimitViolation refuse(std::string limit) const {
        return {std::string(name_), "'" + sanitized(text_, mostQuoted) + "'", std::move(limit)};
    }

    [[nodiscard]] std::variant<Axis, LimitViolation> blocks(std::string_view text) const {
        const Halves depth = splitAt(text, ":");
        if (depth.behind && *depth.behind != "z") return refuse(shapeOfBlocks);
        const Halves range = splitAt(depth.before, "..");
        const auto fewest = wholeNumber<std::uint32_t>(range.before);
        const auto most = range.behind ? wholeNumber<std::uint32_t>(*range.behind) : fewest;
        if (!fewest || !most) return refuse(shapeOfBlocks);
        for (const std::uint32_t threads : {*fewest, *most}) {
            if (threads >= 1 && threads <= mostThreads) continue;
            return LimitViolation{"threads of a block", std::to_string(threads),
                                  "from 1 to " + std::to_string(mostThreads)};
        }
        if (*fewest > *most) return refuse("the first number of threads at most the last");
        if (range.behind && depth.behind) return refuse("one number of threads for :z");
        const BlockAxis axis{*fewest, *most, depth.behind.has_value()};
        if (shapesOf(axis).empty()) return refuse("a range that holds a power of two");
        return Axis(axis);
    }

    [[nodiscard]] std::variant<Axis, LimitViolation> arguments(std::string name,
                                                               std::string_view text) const {
        return text.find("..") == std::string_view::npos ? list(std::move(name), text)
                                                         : range(std::move(name), text);
    }

    [[nodiscard]] std::variant<Axis, LimitViolation> list(std::string name,
                                                          std::string_view text) const {
        ArgumentAxis axis{std::move(name), {}};
        for (std::optional<std::string_view> rest = text; rest;) {
            const Halves values = splitAt(*rest, ",");
            const auto value = wholeNumber<std::int64_t>(values.before);
            if (!value) return refuse(shapeOfAxis);
            if (!axis.values.empty() && *value <= axis.values.back()) {
                return refuse("values that rise, each once");
            }
            axis.values.push_back(*value);
            if (axis.values.size() > mostSweepPoints) return refuse(tooMany());
            rest = values.behind;
        }
        return Axis(std::move(axis));
    }

    [[nodiscard]] std::variant<Axis, LimitViolation> range(std::string name,
                                                           std::string_view text) const {
        const Halves stepped = splitAt(text, ":");
        const Halves ends = splitAt(stepped.before, "..");
        if (!ends.behind) return refuse(shapeOfAxis);  // the dots stand in the step
        const auto first = wholeNumber<std::int64_t>(ends.before);
        const auto last = wholeNumber<std::int64_t>(*ends.behind);
        if (!first || !last) return refuse(shapeOfAxis);
        if (*first > *last) return refuse("a first value of at most the last");
        Step step;
        if (stepped.behind) {
            step.multiplies = stepped.behind->starts_with('x');
            const auto size = wholeNumber<std::int64_t>(stepped.behind->substr(step.multiplies));
            if (!size) return refuse("a step as in :2, or a factor as in :x2");
            step.size = *size;
            if (!step.multiplies && step.size < 1) return refuse("a step of at least 1");
            if (step.multiplies && step.size < 2) return refuse("a factor of at least 2");
            if (step.multiplies && *first < 1) return refuse("a first value of at least 1 for :x");
        }
        ArgumentAxis axis{std::move(name), {}};
        for (std::optional<std::int64_t> value = first; value; value = next(*value, step, *last)) {
            axis.values.push_back(*value);
            if (axis.values.size() > mostSweepPoints) return refuse(tooMany());
        }
        return Axis(std::move(axis));
    }

    static std::string tooMany() {
        return "at most " + std::to_string(mostSweepPoints) + " points";
    }

    std::string_view name_;
    std::string_view text_;
};

/// The step that leads from each value to the next, if it is the same everywhere.
std::optional<Step> stepOf(const std::vector<std::int64_t>& values) {
    for (const bool multiplies : {false, true}) {
        const std::int64_t a = values[0];
        const std::int64_t b = values[1];
        if (multiplies && (a < 1 || b % a != 0 || b / a < 2)) continue;
        const Step step{multiplies ? b / a : b - a, multiplies};
        const auto broken = [&](std::int64_t from, std::int64_t to) {
            return next(from, step, values.back()) != to;
        };
        if (std::ranges::adjacent_find(values, broken) == values.end()) return step;
    }
    return std::nullopt;
}

std::string inWords(const ArgumentAxis& axis) {
    std::string text = axis.name + '=' + std::to_string(axis.values.front());
    const std::optional<Step> step =
        axis.values.size() > 2 ? stepOf(axis.values) : std::optional<Step>();
    if (!step) {
        for (std::size_t i = 1; i < axis.values.size(); ++i) {
            text += ',' + std::to_string(axis.values[i]);
        }
        return text;
    }
    text += ".." + std::to_string(axis.values.back());
    if (step->multiplies) return text + ":x" + std::to_string(step->size);
    return step->size == 1 ? text : text + ':' + std::to_string(step->size);
}

void addShapes(std::uint32_t threads, bool deep, std::vector<Extents>& shapes) {
    for (std::uint32_t z = 1; z <= (deep ? threads : 1); ++z) {
        if (threads % z != 0) continue;
        const std::uint32_t plane = threads / z;
        for (std::uint32_t x = 1; x <= plane; ++x) {
            if (plane % x == 0) shapes.push_back({x, plane / x, z});
        }
    }
}

constexpr std::array named{"stride=1..128", "offset=0..32",    "tile=8,16,32",
                           "shift=0..5",    "work=1..1024:x4", "grid=66..4224:x2"};

/// Whether there is more than one point to compare: a product on tiles runs with one shape alone.
bool compares(const Experiment& experiment, const std::string& text) {
    const bool covers = !kernelOf(experiment).work.empty();
    try {
        return experimentsOf({experiment, covers, std::get<Axis>(parseAxis("over", text))}).size() >
               1;
    } catch (const InvalidRequest&) {
        return false;
    }
}

/// From a sixteenth of the size to four times it, by powers of two.
std::string sizesAround(const KernelSize& parameter) {
    std::int64_t first = 1;
    while (first < parameter.initial / 16) first *= 2;
    const std::int64_t last = std::min(parameter.maximum, std::max(first, parameter.initial) * 4);
    return std::string(parameter.name) + "=" + std::to_string(first) + ".." + std::to_string(last) +
           ":x2";
}

}  // namespace

std::variant<Axis, LimitViolation> parseAxis(std::string_view name, std::string_view text) {
    return AxisReader(name, text).read();
}

std::string toString(const Axis& axis) {
    if (const auto* arguments = std::get_if<ArgumentAxis>(&axis)) return inWords(*arguments);
    const auto& blocks = std::get<BlockAxis>(axis);
    std::string text = "block=" + std::to_string(blocks.fewest);
    if (blocks.most != blocks.fewest) text += ".." + std::to_string(blocks.most);
    return blocks.deep ? text + ":z" : text;
}

std::string nameOf(const Axis& axis) {
    const auto* arguments = std::get_if<ArgumentAxis>(&axis);
    return arguments == nullptr ? "block" : arguments->name;
}

std::vector<Extents> shapesOf(const BlockAxis& axis) {
    std::vector<Extents> shapes;
    if (axis.fewest == axis.most) {
        addShapes(axis.fewest, axis.deep, shapes);
        return shapes;
    }
    for (std::uint32_t threads = 1; threads <= axis.most; threads *= 2) {
        if (threads >= axis.fewest) addShapes(threads, false, shapes);
    }
    return shapes;
}

std::vector<std::string> proposedAxes(const Experiment& experiment) {
    const Kernel& kernel = kernelOf(experiment);
    std::vector<std::string> candidates;
    for (const char* text : named) {
        // A grid that follows from the problem is seldom worth sweeping.
        const std::string_view name =
            std::string_view(text).substr(0, std::string_view(text).find('='));
        if (name == "grid" && (!kernel.work.empty() || kernel.sizes.empty())) continue;
        candidates.emplace_back(text);
    }
    // Threads along y have no meaning to a kernel on vectors.
    const bool flat =
        kernel.work.empty() ? !kernel.sizes.empty() : kernel.work(experiment.arguments).y == 1;
    if (flat) {
        candidates.emplace_back("block.x=32..1024:x2");
    } else {
        for (const char* shapes : {"block=256", "block=1024", "block=32..1024"}) {
            candidates.emplace_back(shapes);
        }
    }
    if (kernel.sizes.empty()) candidates.emplace_back("block=256:z");
    for (const KernelSize& parameter : kernel.sizes) {
        if (parameter.name == "n") candidates.push_back(sizesAround(parameter));
    }
    candidates.emplace_back("array-offset=0..32");
    std::erase_if(candidates, [&](const std::string& text) { return !compares(experiment, text); });
    return candidates;
}

}  // namespace warplens
