#include <charconv>
#include <cstdint>

#include "app/cli/declare.h"
#include "app/cli/options.h"
#include "app/lessons/library.h"
#include "core/launch/mapping.h"

namespace warplens {
namespace {

/// Reads `n=512` into `arguments`.
void readSetting(const std::string& text, Arguments& arguments,
                 std::vector<LimitViolation>& violations) {
    const std::size_t equals = text.find('=');
    if (equals == std::string::npos || equals == 0) {
        violations.push_back({"--set", "'" + text + "'", "name=value as in n=512"});
        return;
    }
    const std::string name = text.substr(0, equals);
    const std::string number = text.substr(equals + 1);
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), value);
    if (error == std::errc::result_out_of_range) {
        violations.push_back(
            {name, "'" + number + "'", "a whole number of at most " + std::to_string(INT64_MAX)});
    } else if (error != std::errc{} || end != number.data() + number.size()) {
        violations.push_back({name, "'" + number + "'", "a whole number as in " + name + "=512"});
    } else if (arguments.contains(name)) {
        violations.push_back({"--set", "'" + text + "'", "each problem size once"});
    } else {
        arguments.set(name, value);
    }
}

/// A lesson's id stands for the launch that it is about: what is typed beside it is set over that.
Arguments settingsOf(const Experiment& launch, const Arguments& typed) {
    Arguments settings = launch.arguments;
    for (const auto& [name, value] : typed.entries()) settings.set(name, value);
    return settings;
}

/// What is typed, set over the launch of the lesson.
void setOver(const Experiment& launch, ExperimentRequest& request) {
    const bool sameProblem = !request.block && request.set.entries().empty();
    request.scenario = launch.scenario;
    request.set = settingsOf(launch, request.set);
    if (!request.grid && (sameProblem || coveringGrid(launch) != launch.launch.grid)) {
        request.grid = launch.launch.grid;
    }
    if (!request.block) request.block = launch.launch.block;
    if (request.arrayOffset == 0) request.arrayOffset = launch.arrayOffset;
}

}  // namespace

CLI::Option* addExperimentOptions(CLI::App& parser, ExperimentOptions& options) {
    CLI::Option* scenario =
        addText(parser, "SCENARIO", options.scenario, value::scenario,
                "which one, `warplens list` shows them; or a lesson, for the launch it is about");
    addText(
        parser, "--grid", options.grid, value::extents,
        "blocks along x, y and z, as in 32,32 or 32x32; up to 2147483647,65535,65535; left out, "
        "as many as cover the problem");
    addText(
        parser, "--block", options.block, value::extents,
        "threads of a block along x, y and z, as in 16,16 or 16x16; up to 1024,1024,64 and 1024 "
        "in all; left out, the scenario's own");
    parser
        .add_option("--set", options.set,
                    "a problem size, a whole number, as in n=512; `warplens list --json` gives the "
                    "names and limits; may be repeated")
        ->type_name(value::setting)
        ->allow_extra_args(false);
    return scenario;
}

void addArrayOffsetOption(CLI::App& parser, ExperimentOptions& options) {
    addNumber(parser, "--array-offset", options.arrayOffset,
              {.least = 0, .most = mostArrayOffset, .unit = "elements"},
              "by how much the arrays start after a multiple of 256 bytes");
}

std::optional<Extents> extentsFrom(const char* name, const std::optional<std::string>& text,
                                   std::vector<LimitViolation>& violations) {
    if (!text) return std::nullopt;
    auto parsed = parseExtents(name, *text);
    if (const Extents* extents = std::get_if<Extents>(&parsed)) return *extents;
    violations.push_back(std::get<LimitViolation>(std::move(parsed)));
    return std::nullopt;
}

Axis axisFrom(const std::string& text) {
    auto axis = parseAxis("--over", text);
    if (auto* violation = std::get_if<LimitViolation>(&axis)) {
        throw InvalidRequest({std::move(*violation)});
    }
    return std::get<Axis>(std::move(axis));
}

void requireWarp(const std::optional<std::uint32_t>& warp, Extents block,
                 std::vector<LimitViolation>& violations) {
    const std::uint32_t count = warpCountPerBlock(block);
    if (!warp || *warp < count) return;
    violations.push_back({"--warp", std::to_string(*warp),
                          "at most " + std::to_string(count - 1) + ", the block's last"});
}

Experiment experimentFrom(const ExperimentOptions& options) {
    std::vector<LimitViolation> violations;
    ExperimentRequest request{.scenario = options.scenario, .grid = {}, .block = {}, .set = {}};
    request.grid = extentsFrom("grid", options.grid, violations);
    request.block = extentsFrom("block", options.block, violations);
    for (const std::string& setting : options.set) readSetting(setting, request.set, violations);
    request.arrayOffset = options.arrayOffset.value_or(0);
    const Lesson* const lesson =
        findScenario(options.scenario) == nullptr ? findLesson(options.scenario) : nullptr;
    if (lesson != nullptr) setOver(lesson->here(), request);
    Experiment experiment;
    collect(violations, [&] { experiment = complete(request); });
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    return experiment;
}

Experiment runnableExperimentFrom(const ExperimentOptions& options) {
    Experiment experiment = experimentFrom(options);
    std::vector<LimitViolation> violations = validateRun(experiment);
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
    return experiment;
}

}  // namespace warplens
