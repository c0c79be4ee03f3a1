#pragma once

#include <boost/context/fiber.hpp>
#include <boost/context/pooled_fixedsize_stack.hpp>
#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

namespace warplens {

/// The threads of one block as fibers, so that each can wait at a barrier in the middle of its
/// body.
class BlockFibers final {
  public:
    static constexpr std::uint32_t notWaiting = 0;

    /// `body(thread)` runs one thread.
    BlockFibers(std::uint32_t threads, std::function<void(std::uint32_t)> body);

    /// Lets the thread run to its next barrier or to its end. Rethrows what its body threw.
    void resume(std::uint32_t thread);
    [[nodiscard]] bool ended(std::uint32_t thread) const { return !threads_[thread].fiber; }
    /// Line of the barrier at which the thread waits.
    [[nodiscard]] std::uint32_t waitsAt(std::uint32_t thread) const {
        return threads_[thread].barrierLine;
    }

    /// Called by the running thread: waits here. False when no thread of a block runs on this
    /// thread of the host.
    static bool waitAtBarrier(std::uint32_t line);

  private:
    struct Thread {
        boost::context::fiber fiber;
        boost::context::fiber scheduler;
        std::uint32_t barrierLine = notWaiting;
        std::exception_ptr failure;
    };

    std::function<void(std::uint32_t)> body_;
    std::vector<Thread> threads_;
};

}  // namespace warplens
