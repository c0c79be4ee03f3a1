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
#pragma GCC diagnostic pop

}  // namespace bodies

namespace {

/// What a body's parameters are made from.
class Parameters final {
  public:
    Parameters(const Kernel& kernel, const Experiment& experiment, std::span<void* const> outputs)
        : kernel_(kernel), experiment_(experiment), outputs_(outputs) {}

    template <class T>
    [[nodiscard]] trace::TracedArray<const T> input(std::uint16_t array) const {
        return {array, length(array)};
    }
    template <class T>
    [[nodiscard]] trace::TracedArray<T> output(std::uint16_t array) const {
        return {array, length(array),
                outputs_.empty() ? nullptr : static_cast<T*>(outputs_[array])};
    }
    [[nodiscard]] int argument(const char* name) const {
        return static_cast<int>(experiment_.arguments.at(name));
    }

  private:
    [[nodiscard]] std::uint64_t length(std::uint16_t array) const {
        return kernel_.arrays[array].length(experiment_.arguments, experiment_.launch);
    }

    const Kernel& kernel_;
    const Experiment& experiment_;
    std::span<void* const> outputs_;
};

/// Calls `run` for a body with its parameters bound, once for each thread wanted.
template <class Run>
void bind(KernelId id, const Parameters& p, Run run) {
    using namespace bodies;
    const auto matrixAdd = [&](auto body) {
        const auto a = p.input<float>(0);
        const auto b = p.input<float>(1);
        const auto c = p.output<float>(2);
        const int n = p.argument("n");
        run([&] { body(a, b, c, n); });
    };
    const auto matrixMultiply = [&](auto body) {
        const auto left = p.input<float>(0);
        const auto right = p.input<float>(1);
        const auto out = p.output<float>(2);
        const int rows = p.argument("rows");
        const int inner = p.argument("inner");
        const int cols = p.argument("cols");
        run([&] { body(left, right, out, rows, inner, cols); });
    };
    const auto shortBranch = [&](auto body) {
        const auto c = p.output<float>(0);
        const int n = p.argument("n");
        run([&] { body(c, n); });
    };
    const auto copy = [&](auto body, const char* distance) {
        const auto in = p.input<float>(0);
        const auto out = p.output<float>(1);
        const int n = p.argument("n");
        const int away = p.argument(distance);
        run([&] { body(in, out, n, away); });
    };
    switch (id) {
        case KernelId::writeWarpRank: {
            const auto warps = p.output<int>(0);
            return run([&] { writeWarpRank(warps); });
        }
        case KernelId::matrixAddCoalesced:
            return matrixAdd([](auto&... x) { matrixAddCoalesced(x...); });
        case KernelId::matrixAddSwapped:
            return matrixAdd([](auto&... x) { matrixAddSwapped(x...); });
        case KernelId::matrixMultiplyCoalesced:
            return matrixMultiply([](auto&... x) { matrixMultiplyCoalesced(x...); });
        case KernelId::matrixMultiplySwapped:
            return matrixMultiply([](auto&... x) { matrixMultiplySwapped(x...); });
        case KernelId::branchOddEven:
            return shortBranch([](auto&... x) { branchOddEven(x...); });
        case KernelId::branchByWarp:
            return shortBranch([](auto&... x) { branchByWarp(x...); });
        case KernelId::branchLongArms: {
            const auto in = p.input<float>(0);
            const auto out = p.output<float>(1);
            const int n = p.argument("n");
            const int shift = p.argument("shift");
            const int repeats = p.argument("repeats");
            return run([&] { branchLongArms(in, out, n, shift, repeats); });
        }
        case KernelId::copyStrided:
            return copy([](auto&... x) { copyStrided(x...); }, "stride");
        case KernelId::copyOffset:
            return copy([](auto&... x) { copyOffset(x...); }, "offset");
    }
}

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
    bind(kernel_.id, Parameters(kernel_, experiment_, outputs_), [&](auto runThread) {
        for (std::uint32_t lane = 0; lane < threads; ++lane) {
            lanes_[lane].clear();
            trace::currentLane = &lanes_[lane];
            trace::threadIdx =
                threadIndexInBlock({firstThreadOfWarp(warp).value + lane}, launch.block);
            try {
                runThread();
            } catch (const trace::OutOfBounds& fault) {
                throw TraceFault(std::string(kernel_.name) + " line " + std::to_string(fault.line) +
                                 ": " + std::string(kernel_.arrays[fault.subject].name) + '[' +
                                 std::to_string(fault.index) + "] is outside its " +
                                 std::to_string(fault.length) + " elements, block " +
                                 toText(block) + " thread " + toText(trace::threadIdx));
            }
            events[lane] = lanes_[lane].events();
            accesses += events[lane].size();
        }
    });
    trace::alignWarp(std::span(events).first(threads), observer);
    return accesses;
}

}  // namespace warplens
