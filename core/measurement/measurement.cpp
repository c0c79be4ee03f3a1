#include "core/measurement/measurement.h"

#include <algorithm>

namespace warplens {

void withdrawFormerIdeals(std::vector<Value>& values) {
    for (Value& value : values) {
        if (value.variant != Variant::loadIdeal && value.variant != Variant::storeIdeal) continue;
        value.content = Unavailable{
            "by version 0.1.0, which counted lanes that share an address apart; measure it anew"};
    }
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
