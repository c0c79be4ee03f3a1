#include "core/scenario/scenario.h"
#include "tests/fuzz/fuzz.h"

using namespace warplens;

namespace {

/// The text up to the next line end, which is taken off.
std::string_view takeLine(std::string_view& text) {
    const std::size_t end = text.find('\n');
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    return line;
}

}  // namespace

/// Lines: scenario, grid, block, then one problem size each.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string_view text = fuzz::textOf(data, size);
    ExperimentRequest request{.scenario = std::string(takeLine(text))};
    for (auto* extents : {&request.grid, &request.block}) {
        const std::string_view line = takeLine(text);
        if (line.empty()) continue;
        const auto parsed = parseExtents("extents", line);
        if (const auto* found = std::get_if<Extents>(&parsed)) {
            const auto again = parseExtents("extents", toString(*found));
            fuzz::promise(
                std::holds_alternative<Extents>(again) && std::get<Extents>(again) == *found,
                "extents read back as they are written");
            *extents = *found;
        }
    }
    try {
        const Experiment experiment = complete(request);
        fuzz::promise(validate(experiment).empty(), "what is completed is valid");
        (void)validateRun(experiment);
        (void)coveringGrid(experiment);
    } catch (const InvalidRequest& invalid) {
        fuzz::promise(!invalid.violations().empty(), "a refusal says why");
    }
    return 0;
}
