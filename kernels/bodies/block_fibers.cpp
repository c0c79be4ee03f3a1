#include "kernels/bodies/block_fibers.h"

#include <boost/context/pooled_fixedsize_stack.hpp>
#include <utility>

namespace warplens {
namespace {

// Bodies are shallow: locals and one exception.
constexpr std::size_t stackBytes = sanitizedStackFactor * 32 * 1024;

/// Stacks are kept for the next block, on each thread of the host its own.
boost::context::pooled_fixedsize_stack& stacks() {
    thread_local boost::context::pooled_fixedsize_stack pool(stackBytes);
    return pool;
}

/// What `waitAtBarrier` suspends.
constinit thread_local void* runningThread = nullptr;

}  // namespace

BlockFibers::BlockFibers(std::uint32_t threads, std::function<void(std::uint32_t)> body)
    : body_(std::move(body)), threads_(threads) {
    for (std::uint32_t i = 0; i < threads; ++i) {
        auto runThread = [this, i](boost::context::fiber&& scheduler) {
            Thread& thread = threads_[i];
            thread.scheduler = std::move(scheduler);
            try {
                body_(i);
            } catch (const boost::context::detail::forced_unwind&) {
                throw;
            } catch (...) {
                thread.failure = std::current_exception();
            }
            return std::move(thread.scheduler);
        };
        // Boost enters a fiber once while it makes it.
        threads_[i].sanitized.run([&] {
            threads_[i].fiber =
                boost::context::fiber(std::allocator_arg, stacks(), std::move(runThread));
        });
    }
}

void BlockFibers::resume(Thread& thread) {
    thread.barrierLine = BarrierMismatch::ended;
    runningThread = &thread;
    thread.sanitized.run([&] { thread.fiber = std::move(thread.fiber).resume(); });
    runningThread = nullptr;
    if (thread.failure) std::rethrow_exception(std::exchange(thread.failure, nullptr));
}

bool BlockFibers::advance(const std::function<void(std::uint32_t)>& before,
                          const std::function<void(std::uint32_t)>& after) {
    const auto count = static_cast<std::uint32_t>(threads_.size());
    for (std::uint32_t i = 0; i < count; ++i) {
        before(i);
        resume(threads_[i]);
        after(i);
    }
    BarrierMismatch places{.line = threads_[0].barrierLine};
    for (std::uint32_t i = 0; i < count; ++i) {
        if (threads_[i].barrierLine == places.line) {
            ++places.likewise;
        } else {
            places.otherThread = i;
            places.otherLine = threads_[i].barrierLine;
        }
    }
    if (places.likewise != count) throw places;
    return places.line != BarrierMismatch::ended;
}

bool BlockFibers::waitAtBarrier(std::uint32_t line) {
    auto* const thread = static_cast<Thread*>(runningThread);
    if (thread == nullptr) return false;
    thread->barrierLine = line;
    thread->scheduler = std::move(thread->scheduler).resume();
    return true;
}

}  // namespace warplens
