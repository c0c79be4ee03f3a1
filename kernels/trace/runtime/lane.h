#pragma once

#include <cstdint>
#include <vector>

#include "core/launch/extents.h"
#include "core/program/program_trace.h"
#include "kernels/trace/runtime/tables.h"

/// Lanes as fibers: who they are, what they wait for, the events they have left.
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

struct Lane final {
    LaneState state = LaneState::unstarted;
    Fiber* fiber = nullptr;
    Event* begin = nullptr;  ///< its room
    Event* next = nullptr;   ///< not yet aligned from here on
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

/// The arguments a kernel was called with, as the calling convention has them (System V AMD64).
struct CallArguments final {
    std::uint64_t general[6];
    double floating[8];
    const std::uint64_t* stack;
    std::uint64_t stackWords;
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
    std::vector<HandedOver> objects;
};

extern LaneProgram laneProgram;
extern Lane* currentLane;               ///< null while no lane runs
extern std::uint32_t currentLaneIndex;  ///< in its warp

/// Events a lane leaves before it gives its turn away.
inline constexpr std::uint32_t roomEvents = 1024;
/// Events that room can grow to where other lanes must run first.
inline constexpr std::uint64_t mostRoomEvents = std::uint64_t{4} << 20;

/// Gives the 32 lanes of a warp their rooms.
void giveRooms(Lane* lanes, std::uint32_t count);
/// Runs the lanes of `mask` until each waits, has ended, or is full. With `grow` a full room is
/// made larger instead.
void runLanes(Lane* lanes, std::uint32_t mask, bool grow = false);
/// A lane begins the kernel and goes no further than to say what it was called with.
void showParameters();
/// Forgets all fibers that are in the middle of something.
void dropFibers();
/// Leaves the lane that runs for good, from wherever it is: the launch is given up.
[[noreturn]] void abandonLane();
/// The stack of the lane that runs.
[[nodiscard]] bool isOnLaneStack(std::uint64_t address);
[[nodiscard]] bool isBelowLaneStack(std::uint64_t address);
/// CPU seconds that the lane which runs has been running without a pause.
void noteLaneTurn();
extern volatile std::uint64_t laneTurns;

}  // namespace warplens::runtime
