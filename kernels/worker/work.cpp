#include "kernels/worker/work.h"

#include <memory>

#include "core/text/format.h"
#include "kernels/bodies/body_text.h"
#include "kernels/measure/device/device_query.h"
#include "kernels/measure/measuring.h"
#include "kernels/worker/failure.h"

namespace warplens {
namespace {

void requireSameSource(const MeasureRequest& request) {
    const std::string& scenario = request.experiment.scenario;
    const std::string here = kernelDigest(kernelOf(scenarioNamed(scenario).kernel));
    if (!request.kernelDigest.empty() && request.kernelDigest != here) {
        throw OtherKernelSource(scenario);
    }
}

}  // namespace

Work measuringWork() {
    const auto kept = std::make_shared<std::unique_ptr<Measuring>>();
    const auto measuring = [kept]() -> Measuring& {
        if (!*kept) *kept = std::make_unique<Measuring>();
        return **kept;
    };
    return [measuring](const WorkerRequest& request, const ReportProgress& report,
                       std::stop_token stop) -> Answer {
        if (const auto* measure = std::get_if<MeasureRequest>(&request.body)) {
            requireSameSource(*measure);
            return measuring().measure(*measure, report, std::move(stop));
        }
        try {
            return measuring().describe();
        } catch (const NoDevice& error) {
            return Description{.device = {},
                               .deviceReason = error.what(),
                               .countersAvailable = false,
                               .countersReason = "no device",
                               .version = version()};
        }
    };
}

}  // namespace warplens
