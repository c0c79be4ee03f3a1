#include "core/measurement/measurement.h"

#include <algorithm>

namespace warplens {
const Value* findValue(const std::vector<Value>& values, Metric metric, Source source,
                       Variant variant, std::string_view subject) {
    const auto found = std::ranges::find_if(values, [&](const Value& value) {
        return value.metric == metric && value.source == source && value.variant == variant &&
               value.subject == subject;
    });
    return found == values.end() ? nullptr : &*found;
}

}  // namespace warplens
