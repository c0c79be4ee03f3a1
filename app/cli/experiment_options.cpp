#include <CLI/CLI.hpp>
#include <charconv>
#include <cstdint>

#include "app/cli/options.h"

namespace warplens {
namespace {

/// Reads `text` as extents into `target`, or adds what is wrong with it to `breaches`.
void readExtents(const char* name, const std::optional<std::string>& text,
                 std::optional<Extents>& target, std::vector<Breach>& breaches) {
    if (!text) return;
    auto parsed = parseExtents(name, *text);
    if (const Extents* extents = std::get_if<Extents>(&parsed)) {
        target = *extents;
    } else {
        breaches.push_back(std::get<Breach>(std::move(parsed)));
    }
}

/// Reads `n=512` into `arguments`.
void readSetting(const std::string& text, Arguments& arguments, std::vector<Breach>& breaches) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
        breaches.push_back({"--set", "'" + text + "'", "name=value as in n=512"});
        return;
    }
    const std::string name = text.substr(0, equals);
    const std::string number = text.substr(equals + 1);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error == std::errc::result_out_of_range) {
        breaches.push_back(
            {name, "'" + number + "'", "a whole number of at most " + std::to_string(INT64_MAX)});
    } else if (error != std::errc{} || end != number.data() + number.size()) {
        breaches.push_back({name, "'" + number + "'", "a whole number as in " + name + "=512"});
    } else if (arguments.contains(name)) {
        breaches.push_back({"--set", "'" + text + "'", "each problem size once"});
    } else {
        arguments.set(name, value);
    }
}

std::uint32_t arrayOffsetFrom(const std::string& text, std::vector<Breach>& breaches) {
    std::uint32_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error == std::errc{} && end == text.data() + text.size()) return value;
    breaches.push_back({"--array-offset", "'" + text + "'",
                        "a whole number from 0 to " + std::to_string(mostArrayOffset)});
    return 0;
}

}  // namespace

CLI::Option* addExperimentOptions(CLI::App& parser, ExperimentOptions& options) {
    const auto into = [](std::optional<std::string>& target) {
        return [&target](const std::string& text) { target = text; };
    };
    CLI::Option* scenario =
        parser.add_option("SCENARIO", options.scenario, "which one; `warplens list` shows them");
    parser.add_option_function<std::string>("--grid", into(options.grid),
                                            "blocks in x,y,z, as in 32,32 or 32x32; left out: "
                                            "as many as cover the problem");
    parser.add_option_function<std::string>("--block", into(options.block),
                                            "threads in x,y,z, as in 16,16 or 16x16");
    parser.add_option("--set", options.set, "a problem size, as in n=512; may be repeated")
        ->allow_extra_args(false);
    parser
        .add_option("--array-offset", options.arrayOffset,
                    "elements by which the arrays start after a multiple of 256 bytes")
        ->check(emptyProblem);
    return scenario;
}

Experiment experimentFrom(const ExperimentOptions& options) {
    std::vector<Breach> breaches;
    ExperimentRequest request{.scenario = options.scenario, .grid = {}, .block = {}, .set = {}};
    readExtents("grid", options.grid, request.grid, breaches);
    readExtents("block", options.block, request.block, breaches);
    for (const std::string& setting : options.set) readSetting(setting, request.set, breaches);
    if (!options.arrayOffset.empty()) {
        request.arrayOffset = arrayOffsetFrom(options.arrayOffset, breaches);
    }
    try {
        Experiment experiment = complete(request);
        if (breaches.empty()) return experiment;
    } catch (const InvalidRequest& invalid) {
        breaches.insert(breaches.end(), invalid.breaches().begin(), invalid.breaches().end());
    }
    throw InvalidRequest(std::move(breaches));
}

Experiment runnableExperimentFrom(const ExperimentOptions& options) {
    Experiment experiment = experimentFrom(options);
    std::vector<Breach> breaches = validateRun(experiment);
    if (!breaches.empty()) throw InvalidRequest(std::move(breaches));
    return experiment;
}

std::string toOptions(const Experiment& experiment) {
    std::string text = "--grid " + toString(experiment.launch.grid) + " --block " +
                       toString(experiment.launch.block);
    for (const auto& [name, value] : experiment.arguments.entries()) {
        text += " --set " + name + '=' + std::to_string(value);
    }
    if (experiment.arrayOffset != 0) {
        text += " --array-offset " + std::to_string(experiment.arrayOffset);
    }
    return text;
}

}  // namespace warplens
