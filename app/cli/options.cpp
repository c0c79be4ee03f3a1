#include "app/cli/options.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <filesystem>

#include "app/cli/exit_code.h"
#include "app/worker/worker_client.h"
#include "core/sweep/axis.h"
#include "core/text/format.h"

namespace warplens {
namespace {

constexpr std::array<const char*, 2> themes{"dark", "light"};
constexpr std::array<const char*, 3> tabs{"measured", "sweep", "roof"};
constexpr float smallestText = 0.75F;
constexpr float largestText = 2.5F;

/// What is wrong with a deadline, or nothing. CLI11's own words differ from version to version.
std::string deadlineProblem(const std::string& text) {
    double seconds = 0;
    const char* const end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, seconds);
    if (error == std::errc() && read == end && seconds >= 0.1 && seconds <= 86400) return {};
    return "'" + text + "' is no number of seconds from 0.1 to 86400";
}

}  // namespace

void addWorkerOption(CLI::App& parser, WorkerOptions& options) {
    parser.add_option_function<std::string>(
        "--worker", [&options](const std::string& text) { options.command = text; },
        "shell command that runs warplens-measure, as in 'ssh lab-gpu warplens-measure'");
}

void addMeasuringOptions(CLI::App& parser, WorkerOptions& options) {
    addWorkerOption(parser, options);
    parser.add_flag("--no-counters", options.noCounters,
                    "leave the hardware counters alone, others may be using them");
    parser.add_flag(
        "--schedule", options.schedule,
        "also record which SM ran which block, and when; scenarios of group F always do");
    parser
        .add_option("--deadline", options.deadlineSeconds,
                    "seconds after which a measurement is given up")
        ->check(deadlineProblem)
        ->capture_default_str();
}

std::string workerCommand(const WorkerOptions& options) {
    return options.command ? *options.command : defaultWorkerCommand();
}

void addRecordingsOption(CLI::App& parser, std::optional<std::string>& directory) {
    parser.add_option_function<std::string>(
        "--recordings", [&directory](const std::string& text) { directory = text; },
        "folder of recordings to offer beside the built-in ones");
}

RecordingLibrary libraryFrom(const std::optional<std::string>& directory) {
    if (!directory) return builtInRecordings();
    std::error_code error;
    const std::filesystem::directory_iterator readable(*directory, error);
    if (error) {
        throw InvalidRequest({{"--recordings", "'" + *directory + "'",
                               "a folder that can be read (" + error.message() + ")"}});
    }
    return recordingsWith(*directory);
}

void addLookOptions(CLI::App& parser, LookOptions& options) {
    parser.add_option("--theme", options.theme, "dark or light");
    parser.add_option("--text-size", options.textScale, "1 is normal, 1.5 suits a projector")
        ->check(emptyProblem);
    parser.add_option("--view", options.view,
                      "the block's threads as 2d or 3d; sm: the blocks an SM holds; time: when and "
                      "where the blocks ran");
    parser.add_option("--tab", options.tab, "what stands at the right: measured, sweep or roof");
    parser.add_option("--over", options.over,
                      "what the sweep varies, as in stride=1..128 (`warplens sweep --help`)");
}

void validate(const LookOptions& options) {
    std::vector<Breach> breaches;
    if (!options.theme.empty() && std::ranges::find(themes, options.theme) == themes.end()) {
        breaches.push_back({"theme", "'" + options.theme + "'", "one of dark light"});
    }
    const float size = options.textScale.value_or(1);
    if (!(size >= smallestText && size <= largestText)) {
        breaches.push_back({"text size", formatNumber(size, Unit::one), "from 0.75 to 2.5"});
    }
    if (!options.view.empty() && options.view != "2d" && options.view != "3d" &&
        options.view != "sm" && options.view != "time") {
        breaches.push_back({"view", "'" + options.view + "'", "one of 2d 3d sm time"});
    }
    if (!options.tab.empty() && std::ranges::find(tabs, options.tab) == tabs.end()) {
        breaches.push_back({"tab", "'" + options.tab + "'", "one of measured sweep roof"});
    }
    if (!options.over.empty()) {
        auto axis = parseAxis("--over", options.over);
        if (auto* breach = std::get_if<Breach>(&axis)) breaches.push_back(std::move(*breach));
    }
    if (!breaches.empty()) throw InvalidRequest(std::move(breaches));
}

std::string emptyProblem(const std::string& text) {
    return text.empty() ? "'' is no number" : "";
}

void addJsonFlag(CLI::App& parser, bool& json) {
    parser.add_flag("--json", json, "print one JSON object");
}

}  // namespace warplens
