#pragma once

#include <string>

#include "core/text/format.h"
#include "kernels/library/predict.h"
#include "kernels/library/traced_kernel.h"
#include "tests/support/tally_observer.h"

namespace warplens {

/// Every block traced one after the other, every request counted by itself.
inline TraceTally tracedWhole(const Experiment& e) {
    TracedKernel kernel(e);
    TallyObserver observer(kernel.kernel());
    for (std::uint64_t block = 0; block < e.launch.grid.count(); ++block) {
        kernel.runBlock(blockIndexInGrid(block, e.launch.grid), observer);
    }
    return observer.take();
}

/// What the prediction says otherwise than the launch traced whole; empty where nothing.
inline std::string differences(const LaunchReport& prediction) {
    const Experiment& e = prediction.experiment();
    const Kernel& kernel = kernelOf(e);
    const TraceTally whole = tracedWhole(e);
    std::string found;
    const std::vector<Value> values = whole.values(kernel);
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (prediction.values.at(i) == values[i]) continue;
        const auto numberOf = [](const Value& value) {
            return value.number() == nullptr ? std::string("nothing")
                                             : std::to_string(*value.number());
        };
        found += "\n  " + values[i].subject + ' ' + std::string(metricInfo(values[i].metric).id) +
                 ": predicted " + numberOf(prediction.values[i]) + ", traced " +
                 numberOf(values[i]);
    }
    auto lines = linesOf(kernel, whole.lines, Source::predicted);
    auto predicted = prediction.lines;
    const auto byPlace = [](const ProgramLine& line) {
        return std::tuple(line.place.line, line.kind, line.array);
    };
    // Of lines that nothing came to a whole trace knows nothing.
    std::erase_if(predicted, [](const ProgramLine& line) { return line.requests == 0; });
    std::ranges::sort(lines, {}, byPlace);
    std::ranges::sort(predicted, {}, byPlace);
    for (std::size_t i = 0; i < std::max(lines.size(), predicted.size()); ++i) {
        if (i >= lines.size() || i >= predicted.size()) {
            found += "\n  a line less";
            break;
        }
        for (std::size_t count = 0; count < summedCounts.size(); ++count) {
            const auto member = summedCounts[count];
            if (lines[i].*member == predicted[i].*member) continue;
            found += "\n  line " + std::to_string(lines[i].place.line) + ", sum " +
                     std::to_string(count) + ": predicted " + std::to_string(predicted[i].*member) +
                     ", traced " + std::to_string(lines[i].*member);
        }
        if (lines[i] != predicted[i]) found += "\n  line " + std::to_string(lines[i].place.line);
    }
    if (!found.empty()) {
        found = e.scenario + ' ' + toLaunchSyntax(e.launch) + ' ' + sizesOf(e) + found;
    }
    return found;
}

}  // namespace warplens
