#include "kernels/bodies/traced_kernel.h"

#include <array>
#include <string>

#include "kernels/bodies/predict.h"
#include "kernels/bodies/trace_dialect.h"

namespace warplens {
namespace bodies {

using namespace warplens::trace;

// The bodies convert as freely as CUDA C++ does, and speak to nvcc about unrolling.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunknown-pragmas"
#include "kernels/bodies/all.inl"
#include "kernels/bodies/bind.inl"
#pragma GCC diagnostic pop

}  // namespace bodies

namespace {

/// What a body's parameters are made from.
class Parameters final {
  public:
    Parameters(const Kernel& kernel, const Experiment& experiment, std::span<void* const> outputs)
        : kernel_(kernel), experiment_(experiment), outputs_(outputs) {}

    template <class T>
    [[nodiscard]] trace::TracedArray<const T> input(int array) const {
        return {static_cast<std::uint16_t>(array), length(array)};
    }
    template <class T>
    [[nodiscard]] trace::TracedArray<T> output(int array) const {
        return {static_cast<std::uint16_t>(array), length(array),
                outputs_.empty() ? nullptr : static_cast<T*>(outputs_[array])};
    }
    [[nodiscard]] int argument(const char* name) const {
        return static_cast<int>(experiment_.arguments.at(name));
    }

  private:
    [[nodiscard]] std::uint64_t length(int array) const {
        return kernel_.arrays[array].length(experiment_.arguments, experiment_.launch);
    }

    const Kernel& kernel_;
    const Experiment& experiment_;
    std::span<void* const> outputs_;
};

/// Calls `use` with a function that runs the kernel's body once, for the current thread.
template <class Use>
struct WithBody final {
    Use use;
    template <auto function, class... Parameter>
    void operator()(bodies::Body<function>, Parameter... parameter) const {
        use([&] { function(parameter...); });
    }
};
template <class Use>
WithBody(Use) -> WithBody<Use>;

std::string toText(Index3 index) {
    return '(' + std::to_string(index.x) + ',' + std::to_string(index.y) + ',' +
           std::to_string(index.z) + ')';
}

}  // namespace

TracedKernel::TracedKernel(const Experiment& experiment, std::span<void* const> outputs)
    : kernel_(kernelOf(scenarioNamed(experiment.scenario).kernel)),
      experiment_(experiment),
      outputs_(outputs.begin(), outputs.end()),
      lanes_(lanesPerWarp) {}

std::uint64_t TracedKernel::runWarp(Index3 block, WarpRank warp, trace::WarpObserver& observer) {
    const Launch& launch = experiment_.launch;
    const std::uint32_t threads = threadCountInWarp(warp, launch.block);
    trace::blockIdx = block;
    trace::blockDim = launch.block;
    trace::gridDim = launch.grid;

    std::array<std::span<const trace::Event>, lanesPerWarp> events;
    std::uint64_t accesses = 0;
    bodies::bindKernel(
        kernel_.id, Parameters(kernel_, experiment_, outputs_), WithBody{[&](auto runThread) {
            for (std::uint32_t lane = 0; lane < threads; ++lane) {
                lanes_[lane].clear();
                trace::currentLane = &lanes_[lane];
                trace::threadIdx =
                    threadIndexInBlock({firstThreadOfWarp(warp).value + lane}, launch.block);
                try {
                    runThread();
                } catch (const trace::OutOfBounds& fault) {
                    throw TraceFault(std::string(kernel_.name) + " line " +
                                     std::to_string(fault.line) + ": " +
                                     std::string(kernel_.arrays[fault.subject].name) + '[' +
                                     std::to_string(fault.index) + "] is outside its " +
                                     std::to_string(fault.length) + " elements, block " +
                                     toText(block) + " thread " + toText(trace::threadIdx));
                }
                events[lane] = lanes_[lane].events();
                accesses += events[lane].size();
            }
        }});
    trace::alignWarp(std::span(events).first(threads), observer);
    return accesses;
}

}  // namespace warplens
