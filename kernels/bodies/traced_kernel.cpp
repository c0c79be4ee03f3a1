#include "kernels/bodies/traced_kernel.h"

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>

#include "kernels/bodies/block_fibers.h"
#include "kernels/bodies/predict.h"
#include "kernels/bodies/trace_dialect.h"

// The bodies convert as freely as CUDA C++ does, and speak to nvcc about unrolling.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wunknown-pragmas"

namespace warplens {
namespace bodies {

using namespace warplens::trace;
#include "kernels/bodies/all.inl"
#include "kernels/bodies/bind.inl"

}  // namespace bodies

/// The same without the long sums, which take most of the time where they are longest and from
/// which no address and no branch follows (tests/trace).
namespace bodies_without_sums {

using namespace warplens::trace;
inline float fmaf(float value, float, float) {
    return value;
}
#include "kernels/bodies/all.inl"
#include "kernels/bodies/bind.inl"

}  // namespace bodies_without_sums
#pragma GCC diagnostic pop

namespace {

/// What a body's parameters are made from.
class Parameters final {
  public:
    Parameters(const Kernel& kernel, const Experiment& experiment, std::span<void* const> outputs)
        : kernel_(kernel), experiment_(experiment), outputs_(outputs) {}

    template <class T>
    [[nodiscard]] trace::TracedArray<const T> input(int array) const {
        return {static_cast<std::uint16_t>(array), length(array), experiment_.arrayOffset};
    }
    template <class T>
    [[nodiscard]] trace::TracedArray<T> output(int array) const {
        return {static_cast<std::uint16_t>(array), length(array),
                outputs_.empty() ? nullptr : static_cast<T*>(outputs_[array]),
                experiment_.arrayOffset};
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
    template <template <auto> class Body, auto function, class... Parameter>
    void operator()(Body<function>, Parameter... parameter) const {
        use([&] { function(parameter...); });
    }
};
template <class Use>
WithBody(Use) -> WithBody<Use>;

std::string toText(Index3 index) {
    return '(' + std::to_string(index.x) + ',' + std::to_string(index.y) + ',' +
           std::to_string(index.z) + ')';
}

std::string_view arrayName(const Kernel& kernel, std::uint16_t subject) {
    const std::size_t globals = kernel.arrays.size();
    return subject < globals ? kernel.arrays[subject].name : kernel.shared[subject - globals];
}

[[noreturn]] void report(const Kernel& kernel, const trace::OutOfBounds& fault) {
    throw TraceFault(std::string(kernel.name) + " line " + std::to_string(fault.line) + ": " +
                     std::string(arrayName(kernel, fault.subject)) + '[' +
                     std::to_string(fault.index) + "] is outside its " +
                     std::to_string(fault.length) + " elements, block " + toText(trace::blockIdx) +
                     " thread " + toText(trace::threadIdx));
}

[[noreturn]] void report(const Kernel& kernel, const BarrierMismatch& mismatch, Extents block,
                         std::span<const ThreadRank> threads) {
    const auto place = [&](std::uint32_t thread, std::uint32_t line) {
        return "thread " + toText(threadIndexInBlock(threads[thread], block)) +
               (line == BarrierMismatch::ended ? std::string(" has ended")
                                               : " waits at line " + std::to_string(line));
    };
    throw TraceFault(std::string(kernel.name) +
                     ": a barrier is not reached by all threads of block " +
                     toText(trace::blockIdx) + ": " + place(mismatch.thread, mismatch.line) +
                     " with " + std::to_string(mismatch.likewise - 1) + " others, " +
                     place(mismatch.otherThread, mismatch.otherLine));
}

/// Events that all lanes held at a time may have together: 256 MiB.
constexpr std::size_t mostEvents = std::size_t{1} << 24;

/// What belongs to one thread of a block and must follow it across barriers.
struct ThreadState {
    int openScopes = 0;
    std::uint32_t sharedCursor = 0;
};

/// Makes `thread` the one that runs on this thread of the host.
void enter(ThreadRank thread, Extents block, trace::LaneRecorder& lane, const ThreadState& state) {
    trace::threadIdx = threadIndexInBlock(thread, block);
    trace::currentLane = &lane;
    trace::openScopes = state.openScopes;
    trace::sharedCursor = state.sharedCursor;
}

}  // namespace

namespace trace {

void syncThreads(std::uint32_t line) {
    if (!BlockFibers::waitAtBarrier(line)) {
        throw std::logic_error("a kernel with __syncthreads must say usesBarriers");
    }
}

}  // namespace trace

template <class Use>
void TracedKernel::withBody(Use use) {
    const Parameters parameters(kernel_, experiment_, outputs_);
    if (outputs_.empty()) {
        bodies_without_sums::bindKernel(kernel_.id, parameters, WithBody{use});
    } else {
        bodies::bindKernel(kernel_.id, parameters, WithBody{use});
    }
}

TracedKernel::TracedKernel(const Experiment& experiment, std::span<void* const> outputs)
    : kernel_(kernelOf(scenarioNamed(experiment.scenario).kernel)),
      experiment_(experiment),
      outputs_(outputs.begin(), outputs.end()),
      lanes_(kernel_.usesBarriers ? experiment.launch.block.count() : lanesPerWarp) {
    for (std::uint32_t i = 0; i < experiment.launch.block.count(); ++i) threads_.push_back({i});
    shared_.kernel = &kernel_;
    shared_.places.resize(kernel_.shared.size());
    shared_.dynamicBytes = experiment.launch.dynamicSharedBytes;
    if (!kernel_.shared.empty()) shared_.bytes.resize(trace::mostSharedBytes);
}

std::uint64_t TracedKernel::runWarp(Index3 block, WarpRank warp, trace::WarpObserver& observer) {
    return runBlock(block, observer,
                    std::span(threads_).subspan(firstThreadOfWarp(warp).value,
                                                threadCountInWarp(warp, experiment_.launch.block)));
}

std::uint64_t TracedKernel::runBlock(Index3 block, trace::WarpObserver& observer,
                                     std::span<const ThreadRank> only) {
    trace::blockIdx = block;
    trace::blockDim = experiment_.launch.block;
    trace::gridDim = experiment_.launch.grid;
    trace::sharedMemory = &shared_;
    trace::roundsRecorded = reportsRounds_;
    const std::span<const ThreadRank> threads = only.empty() ? threads_ : only;
    try {
        if (kernel_.usesBarriers) return runWithBarriers(threads, observer);
        std::uint64_t events = 0;
        for (std::size_t first = 0; first < threads.size(); first += lanesPerWarp) {
            events += runTogether(
                threads.subspan(first, std::min<std::size_t>(lanesPerWarp, threads.size() - first)),
                observer);
        }
        return events;
    } catch (const trace::OutOfBounds& fault) {
        report(kernel_, fault);
    } catch (const trace::TooManyEvents& tooMany) {
        throw TraceFault(std::string(kernel_.name) + ": thread " + toText(trace::threadIdx) +
                         " of block " + toText(trace::blockIdx) + " takes more than " +
                         std::to_string(tooMany.most) + " steps, too many to trace");
    } catch (const BarrierMismatch& mismatch) {
        report(kernel_, mismatch, experiment_.launch.block, threads);
    }
}

std::uint32_t TracedKernel::staticSharedBytes() {
    trace::blockIdx = {};
    trace::blockDim = experiment_.launch.block;
    trace::gridDim = experiment_.launch.grid;
    trace::sharedMemory = &shared_;
    trace::LaneRecorder endsAtFirstEvent;
    endsAtFirstEvent.limit(0);
    enter({0}, experiment_.launch.block, endsAtFirstEvent, {});
    try {
        withBody([](auto runThread) { runThread(); });
    } catch (const trace::TooManyEvents&) {
    }
    return trace::sharedCursor;
}

std::uint64_t TracedKernel::runTogether(std::span<const ThreadRank> threads,
                                        trace::WarpObserver& observer) {
    const std::span<trace::LaneRecorder> lanes = std::span(lanes_).first(threads.size());
    for (trace::LaneRecorder& lane : lanes) lane.limit(mostEvents / threads.size());
    withBody([&](auto runThread) {
        for (std::size_t i = 0; i < threads.size(); ++i) {
            lanes[i].clear();
            enter(threads[i], experiment_.launch.block, lanes[i], {});
            runThread();
        }
    });
    return align(lanes, observer);
}

std::uint64_t TracedKernel::runWithBarriers(std::span<const ThreadRank> ranks,
                                            trace::WarpObserver& observer) {
    const Extents extents = experiment_.launch.block;
    const auto threads = static_cast<std::uint32_t>(ranks.size());
    for (trace::LaneRecorder& lane : lanes_) lane.limit(mostEvents / threads);
    shared_.reset();
    for (trace::LaneRecorder& lane : lanes_) lane.clear();
    std::vector<ThreadState> states(threads);
    std::uint64_t events = 0;
    withBody([&](auto runThread) {
        BlockFibers fibers(threads, [&](std::uint32_t) { runThread(); });
        for (bool running = true; running;) {
            int open = 0;
            running = fibers.advance(
                [&](std::uint32_t t) { enter(ranks[t], extents, lanes_[t], states[t]); },
                [&](std::uint32_t t) {
                    states[t] = {trace::openScopes, trace::sharedCursor};
                    open += trace::openScopes;
                });
            // Inside a marked branch the lanes' events go on across the barrier.
            if (open == 0) events += alignWarps(threads, observer);
        }
    });
    return events;
}

std::uint64_t TracedKernel::alignWarps(std::uint32_t threads, trace::WarpObserver& observer) {
    std::uint64_t events = 0;
    for (std::uint32_t begin = 0; begin < threads; begin += lanesPerWarp) {
        events += align(std::span(lanes_).subspan(
                            begin, std::min<std::uint32_t>(lanesPerWarp, threads - begin)),
                        observer);
    }
    for (trace::LaneRecorder& lane : lanes_) lane.clear();
    return events;
}

std::uint64_t TracedKernel::align(std::span<const trace::LaneRecorder> lanes,
                                  trace::WarpObserver& observer) {
    std::array<std::span<const trace::Event>, lanesPerWarp> events;
    std::uint64_t count = 0;
    for (std::size_t lane = 0; lane < lanes.size(); ++lane) {
        events[lane] = lanes[lane].events();
        count += events[lane].size();
    }
    trace::alignWarp(std::span(events).first(lanes.size()), observer);
    return count;
}

}  // namespace warplens
