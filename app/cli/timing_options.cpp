#include "app/cli/timing_options.h"

#include <CLI/CLI.hpp>
#include <array>
#include <string>
#include <string_view>

#include "app/cli/declare.h"

namespace warplens {
namespace {

constexpr std::array<std::string_view, 2> caches{"warm", "cold"};
constexpr NumberLimits runLimits{.least = fewestTimedRuns, .most = mostTimedRuns};

}  // namespace

void addTimingOptions(CLI::App& parser, TimingRequest& timing) {
    parser
        .add_option_function<std::string>(
            "--cache",
            [&timing](const std::string& text) {
                const auto cache = fromString<CacheBefore>(text);
                if (!cache)
                    throw InvalidRequest({{"--cache", "'" + text + "'", "one of warm cold"}});
                timing.cache = *cache;
            },
            "what a timed run finds in the L2: what the run before left, or other data, read "
            "between the runs and outside of their time")
        ->type_name(choiceOf(caches))
        ->default_str("warm");
    addNumber(parser, "--runs", timing.runs, runLimits,
              "timed runs; left out, 200, fewer of a kernel that takes over 0.1 ms");
}

}  // namespace warplens
