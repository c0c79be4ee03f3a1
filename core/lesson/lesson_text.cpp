#include "core/lesson/lesson_text.h"

#include <array>
#include <cmath>
#include <cstdio>

#include "core/measurement/value_text.h"
#include "core/text/format.h"

namespace warplens {

std::vector<Placeholder> placeholdersOf(std::string_view text) {
    std::vector<Placeholder> found;
    for (std::size_t at = text.find('{'); at != std::string_view::npos; at = text.find('{', at)) {
        const std::size_t close = text.find('}', at);
        if (close == std::string_view::npos) {
            throw MalformedExpression("a brace is not closed in '" + std::string(text) + "'");
        }
        std::string_view inside = text.substr(at + 1, close - at - 1);
        int decimals = -1;
        if (const std::size_t bar = inside.find('|'); bar != std::string_view::npos) {
            const std::string_view digits = inside.substr(bar + 1);
            if (digits.size() != 1 || digits[0] < '0' || digits[0] > '6') {
                throw MalformedExpression("'" + std::string(inside) + "': 0 to 6 decimals");
            }
            decimals = digits[0] - '0';
            inside = inside.substr(0, bar);
        }
        found.push_back({at, close + 1, Expression(inside), decimals});
        if (found.back().expression.asksAnySource()) {
            throw MalformedExpression("'" + std::string(inside) + "': a text names its source");
        }
        at = close + 1;
    }
    return found;
}

std::string formatFound(const FoundNumber& number, int decimals) {
    const double value = number.value;
    if (decimals < 0) return formatNumber(value, number.unit);
    if (decimals == 0 && value >= 0 && value < 1.8e19) {
        return groupedDigits(static_cast<std::uint64_t>(std::round(value)));
    }
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", decimals, value);
    return text.data();
}

std::string filled(std::string_view text, const LessonEvidence& evidence,
                   std::vector<std::string>& missing) {
    std::string result;
    std::size_t at = 0;
    for (const Placeholder& place : placeholdersOf(text)) {
        result += text.substr(at, place.begin - at);
        at = place.end;
        const Evaluation finding = evaluate(place.expression, evidence);
        if (const auto* number = std::get_if<FoundNumber>(&finding)) {
            result += formatFound(*number, place.decimals);
        } else {
            const std::string& reason = std::get<Unavailable>(finding).reason;
            result += '(' + reason + ')';
            missing.push_back(place.expression.text() + ": " + reason);
        }
    }
    return result += text.substr(at);
}

}  // namespace warplens
