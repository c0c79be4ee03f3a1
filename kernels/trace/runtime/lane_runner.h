#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/launch/extents.h"

/// Lanes as fibers: who they are, what they wait for, the events they have left
/// (kernels/trace/assembly/event_text.h).
namespace warplens::runtime {

using Event = std::uint64_t;
inline constexpr int siteShift = 48;
inline constexpr std::uint64_t addressMask = (std::uint64_t{1} << siteShift) - 1;

enum class LaneState : std::uint8_t {
    unstarted,
    runnable,
    atBarrier,
    atGridBarrier,
    atWarp,      ///< at a warp intrinsic, until all that it names are
    atLockstep,  ///< after a volatile access, until the lanes beside it are there
    atActive,    ///< asks which lanes are beside it
    ended,
};

struct Fiber;

/// What every event asks for is in the first line of the cache.
struct alignas(64) Lane final {
    LaneState state = LaneState::unstarted;
    Fiber* fiber = nullptr;
    Event* begin = nullptr;  ///< its room
    Event* next = nullptr;   ///< not yet read from here on
    Event* end = nullptr;
    Index3 thread;
    std::uint32_t waitSite = 0;
    std::uint32_t waitMask = 0;
    std::uint32_t answer = 0;  ///< active lanes, or a block's vote
    int vote = 0;
    std::uint32_t valueBytes = 0;
    const std::uint8_t* exchanged = nullptr;  ///< 32 values of 32 bytes, of the lanes of `answer`
    alignas(16) std::uint8_t value[32] = {};

    [[nodiscard]] bool canRun() const {
        return state == LaneState::unstarted || state == LaneState::runnable;
    }
};

/// The arguments a kernel is called with, as the calling convention has them (System V AMD64); laid
/// out as lane_entry.S reads it.
struct CallArguments final {
    std::uint64_t general[6] = {};
    double floating[8] = {};
    const std::uint64_t* stack = nullptr;
    std::uint64_t stackWords = 0;
};

/// An object that the host hands over by its address, as the calling convention has it for those
/// that do something when they are copied: every lane gets its bytes.
struct HandedOver final {
    std::uint64_t address = 0;
    std::vector<std::uint8_t> bytes;
    std::uint32_t alignment = 1;
};

/// How lanes run: with their events kept, thrown away, or in code that leaves none.
enum class RunMode : std::uint8_t { traced, discarded, fast };

/// What lanes of a launch call.
struct LaneProgram final {
    const CallArguments* arguments = nullptr;
    const void* code = nullptr;
    RunMode mode = RunMode::traced;
    bool inTurns = false;  ///< the last lane first, and each for one event at a time
    std::vector<HandedOver> objects{};
};

/// Events a lane leaves before it gives its turn away.
inline constexpr std::uint32_t roomEvents = 1024;

/// What lanes get of memory, which is kept for the next runner.
struct LaneMemory final {
    std::size_t stackBytes = 0;  ///< of each lane
    std::size_t guardBytes = 0;  ///< below it, that may not be touched
    /// That a room can grow to where other lanes must run first: `roomEvents` where none can.
    std::uint64_t mostEvents = roomEvents;
};

/// Runs lanes, up to 32 at a time, on the thread of the host that calls: not to be moved to another
/// while a lane is in the middle of something. What needs memory throws std::bad_alloc.
class LaneRunner final {
  public:
    /// `program` must live on.
    LaneRunner(const LaneProgram& program, const LaneMemory& memory);
    LaneRunner(const LaneRunner&) = delete;
    LaneRunner& operator=(const LaneRunner&) = delete;
    ~LaneRunner();

    [[nodiscard]] const LaneProgram& program() const { return program_; }
    [[nodiscard]] const LaneMemory& memory() const { return memory_; }
    [[nodiscard]] bool roomsGrow() const { return memory_.mostEvents > roomEvents; }
    /// Gives the lanes of a warp, at most 32, their rooms.
    void giveRooms(Lane* lanes, std::uint32_t count);
    /// Runs those of the 32 lanes that are in `mask` until each waits, has ended, or is full. With
    /// `grow` a full room is made larger instead. A room is emptied where all of it was read.
    void run(Lane* lanes, std::uint32_t mask, bool grow = false);
    /// Forgets all lanes that are in the middle of something.
    void drop();
    /// Whether the address is on the stack of a lane; or just below one, where none may be.
    [[nodiscard]] bool isOnStack(std::uint64_t address) const;
    [[nodiscard]] bool isBelowStack(std::uint64_t address) const;

    /// The lane that runs; null while none does.
    [[nodiscard]] Lane* current() const { return current_; }
    [[nodiscard]] std::uint32_t currentIndex() const { return currentIndex_; }  ///< in its warp
    /// Whether one of those that ran last was abandoned: all of them are to be dropped.
    [[nodiscard]] bool abandoned() const { return abandoned_; }
    /// Counts up whenever another lane begins to run.
    [[nodiscard]] std::uint64_t turns() const { return turns_; }

    /// Where the 32 values of 32 bytes of an exchange go. Those of some of a warp's lanes stay
    /// readable until 256 later ones of some; those of all until the next of all.
    [[nodiscard]] std::uint8_t* roomForExchange(bool ofAll);

    // For the functions that lanes call (lane_calls.cpp).
    /// Gives the turn away.
    void yield();
    /// Returns when the lane may go on.
    Lane& wait(LaneState state);
    /// Hands a value, of at most 32 bytes, to the lanes that `mask` names.
    Lane& exchange(std::uint32_t mask, const void* value, std::uint32_t bytes);
    /// The site of the lane's last event; 0 where it keeps none.
    [[nodiscard]] std::uint32_t lastSite() const;
    /// Leaves the lane for good, from wherever it is. Its fiber is out of use until `drop`.
    [[noreturn]] void abandon();

  private:
    friend struct Fiber;

    std::uint32_t takeNext(std::uint32_t& mask) const;
    void beginTurn(Lane& lane, std::uint32_t index);
    void enter(std::uint32_t& mask);
    void leave(Fiber& fiber);
    [[nodiscard]] Fiber* takeFiber();

    const LaneProgram& program_;
    const LaneMemory memory_;
    Event* rooms_ = nullptr;
    std::vector<std::unique_ptr<Fiber>> fibers_;
    std::vector<Fiber*> idle_;
    Lane* lanes_ = nullptr;
    Lane* current_ = nullptr;
    std::uint32_t currentIndex_ = 0;
    std::uint32_t toStart_ = 0;   ///< lanes that have yet to run, of those that `run` was given
    std::uint32_t toResume_ = 0;  ///< the same, in the middle of something
    std::uint64_t limit_ = 0;     ///< events that fill a room; 0 where none are kept
    bool abandoned_ = false;
    volatile std::uint64_t turns_ = 0;  ///< a signal's handler reads it
    void* scheduler_ = nullptr;         ///< the stack's pointer of who called `run`
    std::unique_ptr<std::uint8_t[]> exchanged_;
    std::size_t exchanges_ = 0;
};

/// Lanes that wait for their block go on, each with what it asked for.
void passBlockBarrier(std::span<Lane> lanes);

}  // namespace warplens::runtime
