#include "core/measurement/measurement.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace warplens {
namespace {

constexpr std::array<std::string_view, 2> timeOrigins{"events", "device_stamps"};

}  // namespace

std::string_view toString(TimeFrom from) {
    return timeOrigins.at(static_cast<std::size_t>(from));
}

std::optional<TimeFrom> timeFromFromString(std::string_view text) {
    const auto found = std::ranges::find(timeOrigins, text);
    if (found == timeOrigins.end()) return std::nullopt;
    return static_cast<TimeFrom>(found - timeOrigins.begin());
}

std::string_view inWords(TimeFrom from) {
    return from == TimeFrom::events ? "between CUDA events, with what a launch costs"
                                    : "by the device's own time stamps";
}

const Value* findValue(const std::vector<Value>& values, Metric metric, Source source,
                       Variant variant, std::string_view subject) {
    const auto found = std::ranges::find_if(values, [&](const Value& value) {
        return value.metric == metric && value.source == source && value.variant == variant &&
               value.subject == subject;
    });
    return found == values.end() ? nullptr : &*found;
}

}  // namespace warplens
