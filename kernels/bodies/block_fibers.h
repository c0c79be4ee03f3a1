#pragma once

#include <boost/context/fiber.hpp>
#include <cstdint>
#include <exception>
#include <functional>
#include <vector>

#include "kernels/bodies/sanitized_fiber.h"

namespace warplens {

/// A barrier that some threads of a block reach and others do not: on a GPU undefined, often a
/// hang.
struct BarrierMismatch final {
    static constexpr std::uint32_t ended = 0;

    std::uint32_t thread = 0;    ///< one thread, and
    std::uint32_t line = ended;  ///< the line of the barrier where it waits, or `ended`
    std::uint32_t likewise = 0;  ///< threads in the same state, itself included
    std::uint32_t otherThread = 0;
    std::uint32_t otherLine = ended;
};

/// The threads of one block as fibers, so that each can wait at a barrier in the middle of its
/// body.
class BlockFibers final {
  public:
    /// `body(thread)` runs one thread.
    BlockFibers(std::uint32_t threads, std::function<void(std::uint32_t)> body);

    /// Lets every thread run, in order, to its next barrier or to its end; `before` and `after` are
    /// called around each. True when all wait at one barrier, false when all have ended. Throws
    /// what a body throws, and BarrierMismatch when they are not all in the same place.
    bool advance(const std::function<void(std::uint32_t)>& before,
                 const std::function<void(std::uint32_t)>& after);

    /// Called by the running thread: waits here. False when no thread of a block runs on this
    /// thread of the host.
    static bool waitAtBarrier(std::uint32_t line);

  private:
    struct Thread final {
        Thread() = default;
        Thread(const Thread&) = delete;
        Thread& operator=(const Thread&) = delete;
        /// One that still waits unwinds its stack.
        ~Thread() {
            sanitized.run([this] { fiber = {}; });
        }
        SanitizedFiber sanitized;
        boost::context::fiber fiber;
        boost::context::fiber scheduler;
        std::uint32_t barrierLine = BarrierMismatch::ended;
        std::exception_ptr failure;
    };

    void resume(Thread& thread);

    std::function<void(std::uint32_t)> body_;
    std::vector<Thread> threads_;
};

}  // namespace warplens
