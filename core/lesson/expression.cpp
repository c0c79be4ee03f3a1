#include "core/lesson/expression.h"

#include <algorithm>

#include "core/occupancy/sm_limits.h"
#include "core/text/format.h"
#include "core/text/names.h"

namespace warplens {
namespace {

constexpr int deepestNesting = 8;

bool isWordStart(char c) {
    return (c >= 'a' && c <= 'z') || c == '_';
}
bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

/// Recursive descent: sums of products of terms.
class Parser final {
  public:
    Parser(std::string_view text, std::vector<Expression::Part>& parts)
        : text_(text), parts_(parts) {}

    void all() {
        sum();
        if (at_ != text_.size()) fail("a sign of arithmetic is missing");
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw MalformedExpression("'" + std::string(text_) + "', character " +
                                  std::to_string(at_ + 1) + ": " + what);
    }
    [[noreturn]] void failOf(const std::string& what, const std::string& name,
                             std::span<const std::string_view> known) const {
        const std::string meant = didYouMean(name, known);
        const auto all = [&] {
            return "; there are " +
                   joined(known, ", ", [](std::string_view each) { return std::string(each); });
        };
        throw MalformedExpression("'" + std::string(text_) + "': there is no " + what + " '" +
                                  name + '\'' + (meant.empty() ? all() : meant));
    }
    char next() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    void sum() {
        if (++depth_ > deepestNesting) fail("nested too deep");
        product();
        for (char sign = next(); sign == '+' || sign == '-'; sign = next()) {
            ++at_;
            product();
            parts_.emplace_back(sign);
        }
        --depth_;
    }
    void product() {
        term();
        for (char sign = next(); sign == '*' || sign == '/'; sign = next()) {
            ++at_;
            term();
            parts_.emplace_back(sign);
        }
    }
    void term() {
        const char first = next();
        if (first == '(') {
            ++at_;
            sum();
            if (next() != ')') fail("a closing parenthesis is missing");
            ++at_;
        } else if (isDigit(first)) {
            const std::string number = word();
            const std::optional<NumberRead> read = readNumber(number);
            if (!read || !read->rest.empty()) fail("'" + number + "' is no number");
            parts_.emplace_back(read->value);
        } else if (isWordStart(first)) {
            quantity();
        } else {
            fail("a quantity is missing");
        }
    }
    std::string word() {
        const std::size_t begin = at_;
        while (at_ < text_.size() &&
               (isWordStart(text_[at_]) || isDigit(text_[at_]) || text_[at_] == '.')) {
            ++at_;
        }
        return std::string(text_.substr(begin, at_ - begin));
    }
    void quantity() {
        std::vector<std::string> words;
        for (char c = next(); isWordStart(c) || isDigit(c); c = next()) words.push_back(word());
        LessonQuantity quantity;
        if (next() == '@') {
            ++at_;
            quantity.launch = word();
            if (quantity.launch.empty()) fail("the launch has no name");
        }
        std::optional<Source> source = fromString<Source>(words[0]);
        // `compiled registers` is a fact.
        const bool isOfMetric = words.size() > 1 && metricCalled(words[1]).has_value();
        if (source == Source::compiled && !isOfMetric) source.reset();
        if (source || words[0] == "any") {
            quantity.what = value(source, words);
        } else {
            quantity.what = fact(words);
        }
        parts_.emplace_back(std::move(quantity));
    }
    static constexpr std::string_view ofShared = "shared_";
    /// Also as an exercise's budget calls it: `wavefronts_per_request`.
    static std::optional<Metric> metricCalled(const std::string& name) {
        const auto metric = fromString<Metric>(name);
        return metric ? metric : fromString<Metric>(std::string(ofShared) + name);
    }
    ValueQuantity value(std::optional<Source> source, const std::vector<std::string>& words) const {
        if (words.size() < 2) fail("which metric?");
        const std::optional<Metric> metric = metricCalled(words[1]);
        if (!metric) {
            const auto names = namesOf(Metric{});
            std::vector<std::string_view> known(names.begin(), names.end());
            for (const std::string_view name : names)
                if (name.starts_with(ofShared)) known.push_back(name.substr(ofShared.size()));
            failOf("metric", words[1], known);
        }
        ValueQuantity quantity{.source = source, .metric = *metric};
        std::size_t used = 2;
        if (words.size() > used) {
            if (const auto variant = fromString<Variant>(words[used])) {
                quantity.variant = *variant;
                ++used;
            }
        }
        if (words.size() > used) quantity.subject = words[used++];
        if (words.size() > used) fail("'" + words[used] + "' is one word too many");
        return quantity;
    }
    FactQuantity fact(const std::vector<std::string>& words) const {
        const auto form = std::ranges::find(factForms(), words[0], &FactForm::name);
        if (form == factForms().end()) {
            std::vector<std::string_view> names;
            for (const FactForm& each : factForms()) names.push_back(each.name);
            failOf("quantity", words[0], names);
        }
        const bool hasWord = form->anyWord || !form->lastWords.empty();
        const std::size_t wanted = 1 + form->numbers + (hasWord ? 1 : 0);
        if (words.size() != wanted) {
            fail("'" + words[0] + "' takes " + std::to_string(wanted - 1) + " words after it");
        }
        for (std::size_t i = 1; i <= form->numbers; ++i) operand(words[0], words[i]);
        if (!form->lastWords.empty() &&
            std::ranges::find(form->lastWords, words.back()) == form->lastWords.end()) {
            fail("'" + words[0] + "' knows no '" + words.back() + "'" +
                 didYouMean(words.back(), form->lastWords));
        }
        return {words[0], {words.begin() + 1, words.end()}};
    }

    /// Fails for what is no number, or no generation of GPUs where one is asked for.
    void operand(const std::string& fact, const std::string& word) const {
        if (fact == "sm") {
            const auto capability = parseComputeCapability(word);
            if (!capability || findSmLimits(*capability) == nullptr) {
                fail("'" + word + "' is no compute capability that is known");
            }
            return;
        }
        if (!wholeNumber<std::uint32_t>(word))
            fail("'" + word + "' is no number from 0 to 4294967295");
    }

    std::string_view text_;
    std::vector<Expression::Part>& parts_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

}  // namespace

const std::vector<FactForm>& factForms() {
    static const std::vector<FactForm> forms{
        {"blocks"},
        {"threads"},
        {"threads_per_block"},
        {"warps_per_block"},
        {"idle_lanes"},
        {"last_warp_lanes"},
        {"elements"},
        {"spare_threads"},
        {"grid", 0, {"x", "y", "z"}},
        {"block", 0, {"x", "y", "z"}},
        {"blocks_that_lie", 0, {"inside", "columns_out", "rows_out", "both_out"}},
        {"thread", 3, {"rank", "warp", "lane"}},                       // x y z
        {"writes", 4, {"row", "column", "element"}},                   // block x y, thread x y
        {"argument", 0, {}, true},                                     // a size of the kernel
        {"lane_loads"},                                                // values that the lanes load
        {"sm", 1, {"blocks", "warps", "threads", "slots", "needed"}},  // compute capability
        {"compiled", 0, {"registers", "local_bytes", "shared_bytes"}},
        {"device", 0, {"sms", "copy_rate", "peak", "l2_bytes"}},
        {"working_set"},
    };
    return forms;
}

Expression::Expression(std::string_view text) : text_(text) {
    if (text.size() > longestExpression) {
        throw MalformedExpression("an expression of " + std::to_string(text.size()) +
                                  " characters: at most " + std::to_string(longestExpression));
    }
    Parser(text_, parts_).all();
}

bool Expression::asksAnySource() const {
    return std::ranges::any_of(parts_, [](const Part& part) {
        const auto* quantity = std::get_if<LessonQuantity>(&part);
        const auto* value =
            quantity == nullptr ? nullptr : std::get_if<ValueQuantity>(&quantity->what);
        return value != nullptr && !value->source;
    });
}

std::vector<std::string> Expression::launches() const {
    std::vector<std::string> names;
    for (const Part& part : parts_) {
        const auto* quantity = std::get_if<LessonQuantity>(&part);
        if (quantity != nullptr && std::ranges::find(names, quantity->launch) == names.end()) {
            names.push_back(quantity->launch);
        }
    }
    return names;
}

}  // namespace warplens
