#pragma once

#include <climits>
#include <cstddef>
#include <utility>
#include <vector>

#ifndef __has_feature
#define __has_feature(feature) 0
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define WARPLENS_TSAN_FIBERS 1
#include <sanitizer/tsan_interface.h>
#else
#define WARPLENS_TSAN_FIBERS 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define WARPLENS_ROOMY_STACKS 1
#include <sanitizer/asan_interface.h>
#else
#define ASAN_UNPOISON_MEMORY_REGION(address, bytes) ((void)(address), (void)(bytes))
#define WARPLENS_ROOMY_STACKS WARPLENS_TSAN_FIBERS
#endif

namespace warplens {

/// How much larger the stacks of fibers must be than without a sanitizer.
inline constexpr std::size_t sanitizedStackFactor = WARPLENS_ROOMY_STACKS != 0 ? 8 : 1;

/// Threads of the host that may run a block of 1024 fibers each: the thread sanitizer ends a
/// program with more than 8128 threads and fibers.
inline constexpr unsigned mostSanitizedThreads = WARPLENS_TSAN_FIBERS != 0 ? 7 : UINT_MAX;

/// The stack of a fiber begins anew: the address sanitizer forgets the frames of functions that
/// never returned. Costs nothing in builds without it.
inline void forgetFrames(const char* stack, std::size_t bytes) {
    ASAN_UNPOISON_MEMORY_REGION(stack, bytes);
}

/// Whether fibers may switch to one another, not by way of `SanitizedFiber::run`.
inline constexpr bool lanesSwitchAlone = WARPLENS_TSAN_FIBERS == 0;

/// What the thread sanitizer is to know of one fiber: it follows calls and returns, and would lose
/// count where the stack changes. Costs nothing in builds without it.
class SanitizedFiber final {
  public:
#if WARPLENS_TSAN_FIBERS
    SanitizedFiber() : known_(Idle::take()) {}
    ~SanitizedFiber() {
        Idle::giveBack(known_);
    }

    /// Calls `run`, which switches to the fiber and comes back from it.
    template <class Run>
    void run(Run&& run) {
        void* const here = __tsan_get_current_fiber();
        __tsan_switch_to_fiber(known_.fiber, 0);
        try {
            std::forward<Run>(run)();
        } catch (...) {
            __tsan_switch_to_fiber(here, 0);
            throw;
        }
        __tsan_switch_to_fiber(here, 0);
    }
#else
    SanitizedFiber() = default;
    ~SanitizedFiber() = default;

    template <class Run>
    void run(Run&& run) {
        std::forward<Run>(run)();
    }
#endif
    SanitizedFiber(const SanitizedFiber&) = delete;
    SanitizedFiber& operator=(const SanitizedFiber&) = delete;

  private:
#if WARPLENS_TSAN_FIBERS
    /// A fiber as the sanitizer knows it, to be used for one fiber after another: making one takes
    /// far longer than a block of the smaller kernels.
    struct Known final {
        void* fiber = nullptr;
        int uses = 0;
    };

    /// Those that no fiber uses now, on each thread of the host its own.
    class Idle final {
      public:
        static Known take() {
            std::vector<Known>& idle = instance().fibers_;
            if (idle.empty()) return {__tsan_create_fiber(0), 0};
            const Known known = idle.back();
            idle.pop_back();
            return known;
        }
        static void giveBack(Known known) {
            // Functions that never return leave a few calls behind; 65536 are the limit.
            constexpr int mostUses = 4096;
            if (++known.uses < mostUses) return instance().fibers_.push_back(known);
            __tsan_destroy_fiber(known.fiber);
        }
        ~Idle() {
            for (const Known& known : fibers_) __tsan_destroy_fiber(known.fiber);
        }

      private:
        static Idle& instance() {
            thread_local Idle idle;
            return idle;
        }
        std::vector<Known> fibers_;
    };

    Known known_;
#endif
};

}  // namespace warplens
