#include "app/worker/open_requests.h"

#include <algorithm>

namespace warplens {
namespace {

auto withId(auto& requests, std::uint64_t id) {
    return std::find_if(requests.begin(), requests.end(),
                        [&](const OpenRequest& open) { return open.request.id == id; });
}

}  // namespace

OpenRequest* OpenRequests::find(std::uint64_t id) {
    const auto found = withId(requests_, id);
    return found == requests_.end() ? nullptr : &*found;
}

void OpenRequests::remove(std::uint64_t id) {
    const auto found = withId(requests_, id);
    if (found != requests_.end()) requests_.erase(found);
}

std::string mismatch(const OpenRequest& open, const WorkerEvent& event) {
    const auto* asked = std::get_if<MeasureRequest>(&open.request.body);
    const auto* program = std::get_if<MeasureProgramRequest>(&open.request.body);
    if (std::holds_alternative<Description>(event.body) && (asked || program)) {
        return "the worker described itself when it was asked to measure";
    }
    if (const auto* measurement = std::get_if<ProgramMeasurement>(&event.body)) {
        if (!program) return "the worker measured a program that it was not asked to";
        if (measurement->kernel != program->inputs.kernel ||
            measurement->launch != program->inputs.launch) {
            return "the worker measured something else than it was asked to: " +
                   measurement->kernel + toLaunchSyntax(measurement->launch);
        }
    }
    if (const auto* measurement = std::get_if<Measurement>(&event.body)) {
        if (program) return "the worker measured a scenario when it was asked for a program";
        if (!asked) return "the worker measured when it was asked to describe itself";
        if (measurement->experiment != asked->experiment) {
            return "the worker measured something else than it was asked to: " +
                   measurement->experiment.scenario + ' ' +
                   toLaunchSyntax(measurement->experiment.launch) + ' ' +
                   sizesOf(measurement->experiment);
        }
        if (!asked->kernelDigest.empty() && measurement->kernelDigest != asked->kernelDigest) {
            return "the worker measured another source of " + measurement->experiment.scenario +
                   "'s kernel than this program has";
        }
    }
    return {};
}

}  // namespace warplens
