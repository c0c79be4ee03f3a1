#include "core/sweep/proposals.h"

#include <algorithm>
#include <array>

#include "core/sweep/plan.h"

namespace warplens {
namespace {

constexpr std::array named{"stride=1..128", "offset=0..32",    "tile=8,16,32",
                           "shift=0..5",    "work=1..1024:x4", "grid=66..4224:x2"};

/// Whether there is more than one point to compare: a product on tiles runs with one shape alone.
bool compares(const Experiment& experiment, const std::string& text) {
    const bool covers = !kernelOf(experiment).work.empty();
    try {
        return experimentsOf({experiment, covers, std::get<Axis>(parseAxis("over", text))}).size() >
               1;
    } catch (const InvalidRequest&) {
        return false;
    }
}

/// From a sixteenth of the size to four times it, by powers of two.
std::string sizesAround(const KernelSize& parameter) {
    std::int64_t first = 1;
    while (first < parameter.initial / 16) first *= 2;
    const std::int64_t last = std::min(parameter.maximum, std::max(first, parameter.initial) * 4);
    return std::string(parameter.name) + "=" + std::to_string(first) + ".." + std::to_string(last) +
           ":x2";
}

}  // namespace

std::vector<std::string> proposedAxes(const Experiment& experiment) {
    const Kernel& kernel = kernelOf(experiment);
    std::vector<std::string> candidates;
    for (const char* text : named) {
        // A grid that follows from the problem is seldom worth sweeping.
        const std::string_view name =
            std::string_view(text).substr(0, std::string_view(text).find('='));
        if (name == "grid" && (!kernel.work.empty() || kernel.sizes.empty())) continue;
        candidates.emplace_back(text);
    }
    // Threads along y have no meaning to a kernel on vectors.
    const bool flat =
        kernel.work.empty() ? !kernel.sizes.empty() : kernel.work(experiment.arguments).y == 1;
    if (flat) {
        candidates.emplace_back("block.x=32..1024:x2");
    } else {
        for (const char* shapes : {"block=256", "block=1024", "block=32..1024"}) {
            candidates.emplace_back(shapes);
        }
    }
    if (kernel.sizes.empty()) candidates.emplace_back("block=256:z");
    for (const KernelSize& parameter : kernel.sizes) {
        if (parameter.name == "n") candidates.push_back(sizesAround(parameter));
    }
    candidates.emplace_back("array-offset=0..32");
    std::erase_if(candidates, [&](const std::string& text) { return !compares(experiment, text); });
    return candidates;
}

}  // namespace warplens
