#include "app/cli/subcommand.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "core/text/format.h"
#include "core/text/names.h"

namespace warplens {
namespace {

/// `86400`, `0.75`, `1e12`.
std::string shortest(double number) {
    char text[32];
    const auto end = std::to_chars(text, text + sizeof text, number).ptr;
    return {text, end};
}

}  // namespace

std::string nearCommands(const CLI::App& program, std::string_view typed) {
    std::vector<std::string> names;
    for (const CLI::App* command : program.get_subcommands([](const CLI::App*) { return true; }))
        names.push_back(command->get_name());
    return "`warplens --help` lists the commands" +
           didYouMean(typed, std::vector<std::string_view>(names.begin(), names.end()));
}

void collect(std::vector<LimitViolation>& violations, const std::function<void()>& read) {
    try {
        read();
    } catch (const InvalidRequest& invalid) {
        violations.insert(violations.end(), invalid.violations().begin(),
                          invalid.violations().end());
    }
}

void requireOneOf(std::span<const std::string_view> words, const char* name,
                  const std::string& given, std::vector<LimitViolation>& violations) {
    if (given.empty() || std::ranges::find(words, given) != words.end()) return;
    std::string known;
    for (const std::string_view word : words) known += ' ' + std::string(word);
    violations.push_back({name, "'" + given + "'", "one of" + known});
}

std::string choiceOf(std::span<const std::string_view> words) {
    return joined(words, "|");
}

CLI::Option* addText(CLI::App& parser, const char* names, std::optional<std::string>& target,
                     const std::string& takes, const std::string& help) {
    return parser
        .add_option_function<std::string>(
            names, [&target](const std::string& text) { target = text; }, help)
        ->type_name(takes);
}

CLI::Option* addText(CLI::App& parser, const char* names, std::string& target,
                     const std::string& takes, const std::string& help) {
    CLI::Option* option = parser.add_option(names, target, help)->type_name(takes);
    if (!target.empty()) option->default_str(target);
    return option;
}

CLI::Option* addText(CLI::App& parser, const char* names, std::vector<std::string>& target,
                     const std::string& takes, const std::string& help) {
    return parser.add_option(names, target, help)->type_name(takes)->allow_extra_args(false);
}

std::string toString(const NumberLimits& limits) {
    std::string text = limits.whole ? "a whole number" : "a number";
    if (*limits.unit != '\0') text += std::string(" of ") + limits.unit;
    const bool bounded = limits.most < std::numeric_limits<double>::max();
    if (limits.aboveLeast) {
        text += " above " + shortest(limits.least);
        return bounded ? text + ", at most " + shortest(limits.most) : text;
    }
    text += (bounded ? " from " : ", at least ") + shortest(limits.least);
    return bounded ? text + " to " + shortest(limits.most) : text;
}

double numberFrom(const std::string& option, const std::string& text, const NumberLimits& limits) {
    double number = 0;
    const char* const end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, number);
    const bool fits = number >= limits.least && number <= limits.most &&
                      !(limits.aboveLeast && number == limits.least) &&
                      (!limits.whole || number == std::floor(number));
    if (error == std::errc() && read == end && fits) return number;
    throw InvalidRequest({{option, "'" + text + "'", toString(limits)}});
}

std::string lastOf(std::string_view names) {
    return std::string(names.substr(names.rfind(',') + 1));
}

bool isGiven(const CLI::App& parser, const std::string& name) {
    const CLI::Option* option = parser.get_option_no_throw(name);
    return option != nullptr && option->count() != 0;
}

void refuseIdle(const CLI::App& parser, const std::vector<const char*>& names,
                const std::string& only, std::vector<LimitViolation>& violations) {
    for (const char* name : names) {
        if (!isGiven(parser, name)) continue;
        const CLI::Option* option = parser.get_option(name);
        const bool flag = option->get_items_expected_max() == 0;
        violations.push_back(
            {name, flag ? "given" : "'" + option->results().front() + "'", "only " + only});
    }
}

void addTableFlags(CLI::App& parser, TableOptions& options, const char* rows) {
    CLI::Option* const json = parser.get_option("--json");
    CLI::Option* const csv = parser.add_flag("--csv", options.csv, rows);
    CLI::Option* const markdown =
        parser.add_flag("--markdown", options.markdown, "the same as a table of Markdown");
    csv->excludes(json)->excludes(markdown);
    markdown->excludes(json);
}

}  // namespace warplens
