#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/launch/launch.h"
#include "kernels/library/run/sanitized_fiber.h"

/// The threads of one block of a built-in kernel, run on the thread of the host that calls: each is
/// a fiber where it waits, and leaves events (kernels/trace/assembly/event_text.h) in a room of its
/// own.
namespace warplens::library {

using Event = std::uint64_t;
inline constexpr int siteShift = 48;
inline constexpr std::uint64_t addressMask = (std::uint64_t{1} << siteShift) - 1;
/// The site of an event that tells a round of a loop: line in bits 32 to 47, value in bits 0 to 31.
inline constexpr std::uint32_t roundSite = 0xffff;

enum class LaneState : std::uint8_t {
    unstarted,
    runnable,
    atBarrier,
    atWarp,    ///< at a warp intrinsic, until all that it names are
    atActive,  ///< asks which lanes are beside it
    ended,
};

struct Fiber;

struct Lane final {
    LaneState state = LaneState::unstarted;
    Fiber* fiber = nullptr;
    Event* next = nullptr;  ///< not yet read from here on
    Event* end = nullptr;
    Index3 thread;
    std::uint32_t waitSite = 0;
    std::uint32_t waitMask = 0;
    std::uint32_t answer = 0;  ///< active lanes, or a block's vote
    int vote = 0;
    alignas(16) std::uint8_t value[32] = {};
    const std::uint8_t* exchanged = nullptr;  ///< 32 values of 32 bytes, of the lanes of `answer`

    [[nodiscard]] bool canRun() const {
        return state == LaneState::unstarted || state == LaneState::runnable;
    }
};

/// The arguments of a kernel, as the calling convention has them (System V AMD64); laid out as
/// kernels/trace/runtime/lane_entry.S reads it.
struct CallArguments final {
    std::uint64_t general[6] = {};
    double floating[8] = {};
    const std::uint64_t* stack = nullptr;
    std::uint64_t stackWords = 0;
};

/// What lanes run.
struct LaneCode final {
    CallArguments arguments;
    std::vector<std::uint64_t> stack{};
    const void* code = nullptr;
    Launch launch{};
    bool rounds = false;    ///< tell rounds of loops
    bool computes = false;  ///< run loops that only compute
};

/// Events a lane leaves before it gives its turn away.
inline constexpr std::uint32_t roomEvents = 1024;

/// Runs lanes, up to 32 at a time. One for each thread of the host; not to be moved to another.
class LaneRunner final {
  public:
    LaneRunner();
    LaneRunner(const LaneRunner&) = delete;
    LaneRunner& operator=(const LaneRunner&) = delete;
    ~LaneRunner();

    /// For the blocks that follow. `code` must live on.
    void beginBlock(const LaneCode& code, Index3 block);
    /// Runs those of the 32 lanes that are in `mask` until each waits, has ended, or its room is
    /// full. A room is emptied where all of it was read.
    void run(Lane* lanes, std::uint32_t mask);
    /// Forgets what is in the middle of something.
    void drop();

    /// Whether a lane's own variables may lie there.
    [[nodiscard]] bool isOnStack(std::uint64_t address) const;

    // For the functions that lanes call.
    [[nodiscard]] Lane* current() { return current_; }
    [[nodiscard]] std::uint32_t currentIndex() const { return currentIndex_; }
    void yield();

  private:
    struct Rooms;
    friend struct FiberEntry;

    void beginTurn(Lane& lane, std::uint32_t index);
    void enter(Lane& lane, std::uint32_t index);
    [[nodiscard]] Fiber* takeFiber();

    Rooms* rooms_;
    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::vector<Fiber*> idle_;
    const LaneCode* code_ = nullptr;
    Lane* lanes_ = nullptr;
    Lane* current_ = nullptr;
    std::uint32_t currentIndex_ = 0;
    std::uint32_t toStart_ = 0;
    void* scheduler_ = nullptr;
};

/// Bytes of `extern __shared__` arrays that a built-in kernel may have.
inline constexpr std::uint32_t mostDynamicSharedBytes = 48 * 1024;
/// Of the thread of the host that asks.
[[nodiscard]] std::uint64_t dynamicSharedAddress();
/// What `@tpoff` counts from.
[[nodiscard]] std::uint64_t threadPointer();

}  // namespace warplens::library
