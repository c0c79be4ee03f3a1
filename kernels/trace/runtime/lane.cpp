#include "kernels/trace/runtime/lane.h"

#include <algorithm>
#include <bit>
#include <boost/context/detail/fcontext.hpp>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iterator>
#include <sys/mman.h>
#include <vector>

#include "kernels/trace/runtime/cuda_index.h"
#include "kernels/trace/runtime/exchange.h"
#include "kernels/trace/runtime/launch_state.h"

namespace context = boost::context::detail;

extern "C" {
WlIndex threadIdx;
WlIndex blockIdx;
WlIndex blockDim;
WlIndex gridDim;
int wl_capturing = 0;
int wl_patience = 0;
std::uint64_t* wl_writer = nullptr;
std::uint64_t* wl_limit = nullptr;
std::uint64_t* wl_enter_kernel(const warplens::runtime::CallArguments* arguments, const void* code,
                               std::uint64_t* writer);
}

namespace warplens::runtime {

struct Fiber final {
    context::fcontext_t context = nullptr;
    char* stack = nullptr;
    std::size_t shift = 0;  ///< of its stack's top
};

WARPLENS_EARLY LaneProgram laneProgram;
Lane* currentLane = nullptr;
std::uint32_t currentLaneIndex = 0;
volatile std::uint64_t laneTurns = 0;

namespace {

constexpr std::size_t stackBytes = 256 * 1024;
constexpr std::size_t guardBytes = 4096;

context::fcontext_t scheduler = nullptr;
WARPLENS_EARLY std::vector<Fiber*> idleFibers;
WARPLENS_EARLY std::vector<Fiber*> allFibers;
Lane* warpLanes = nullptr;
std::uint32_t toStart = 0;
bool growing = false;

/// Takes the lane that comes next out of the mask.
std::uint32_t takeNext(std::uint32_t& mask) {
    const auto index = static_cast<std::uint32_t>(laneProgram.inTurns ? 31 - std::countl_zero(mask)
                                                                      : std::countr_zero(mask));
    mask &= ~(1u << index);
    return index;
}

void setLimit(Lane& lane) {
    if (laneProgram.mode == RunMode::fast) return;
    wl_limit = lane.begin + (growing ? mostRoomEvents : laneProgram.inTurns ? 1 : roomEvents);
}

void beginTurn(Lane& lane, std::uint32_t index) {
    currentLane = &lane;
    currentLaneIndex = index;
    threadIdx = {lane.thread.x, lane.thread.y, lane.thread.z};
    laneTurns = laneTurns + 1;
    if (laneProgram.mode != RunMode::fast && lane.next == lane.end) {
        lane.next = lane.begin;
        lane.end = lane.begin;
    }
    setLimit(lane);
}

/// At its beginning. Stacks that all began at one set of the cache would evict one another.
void begin(Fiber& fiber);

/// Calls the kernel with objects of the lane's own.
__attribute__((noinline)) std::uint64_t* enterWithObjects(std::uint64_t* writer) {
    CallArguments own = *laneProgram.arguments;
    auto* words = static_cast<std::uint64_t*>(alloca((own.stackWords + 1) * sizeof(std::uint64_t)));
    std::memcpy(words, own.stack, own.stackWords * sizeof(std::uint64_t));
    own.stack = words;
    for (const HandedOver& object : laneProgram.objects) {
        auto copy = reinterpret_cast<std::uint64_t>(alloca(object.bytes.size() + object.alignment));
        copy = (copy + object.alignment - 1) / object.alignment * object.alignment;
        std::memcpy(reinterpret_cast<void*>(copy), object.bytes.data(), object.bytes.size());
        std::replace(std::begin(own.general), std::end(own.general), object.address, copy);
        std::replace(words, words + own.stackWords, object.address, copy);
    }
    return wl_enter_kernel(&own, laneProgram.code, writer);
}

/// One fiber runs lane after lane as long as none of them waits.
void fiberMain(context::transfer_t from) {
    scheduler = from.fctx;
    for (;;) {
        Lane* lane = currentLane;
        std::uint64_t* end =
            laneProgram.objects.empty()
                ? wl_enter_kernel(laneProgram.arguments, laneProgram.code, lane->end)
                : enterWithObjects(lane->end);
        lane = currentLane;
        lane->end = end;
        lane->state = LaneState::ended;
        if (toStart != 0) {
            Fiber* fiber = lane->fiber;
            lane->fiber = nullptr;
            const std::uint32_t index = takeNext(toStart);
            Lane& next = warpLanes[index];
            next.fiber = fiber;
            beginTurn(next, index);
            next.state = LaneState::runnable;
            continue;
        }
        const context::transfer_t back = context::jump_fcontext(scheduler, nullptr);
        scheduler = back.fctx;
    }
}

void begin(Fiber& fiber) {
    fiber.context = context::make_fcontext(fiber.stack + stackBytes + guardBytes - fiber.shift,
                                           stackBytes - fiber.shift, fiberMain);
}

Fiber* takeFiber() {
    if (idleFibers.empty()) {
        void* memory = mmap(nullptr, stackBytes + guardBytes, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) giveUp("no memory for another thread's stack");
        mprotect(memory, guardBytes, PROT_NONE);
        auto* fiber = new Fiber;
        fiber->stack = static_cast<char*>(memory);
        fiber->shift = allFibers.size() * 320 % 4096;
        begin(*fiber);
        allFibers.push_back(fiber);
        idleFibers.push_back(fiber);
    }
    Fiber* fiber = idleFibers.back();
    idleFibers.pop_back();
    return fiber;
}

void enter(Lane& lane, std::uint32_t index) {
    beginTurn(lane, index);
    if (lane.state == LaneState::unstarted) lane.fiber = takeFiber();
    lane.state = LaneState::runnable;
    wl_writer = lane.end;
    Fiber* fiber = lane.fiber;
    const context::transfer_t back = context::jump_fcontext(fiber->context, nullptr);
    fiber->context = back.fctx;
    // The fiber may have gone on with other lanes: the last of them has it now.
    Lane* last = currentLane;
    currentLane = nullptr;
    if (last->state == LaneState::ended && last->fiber != nullptr) {
        idleFibers.push_back(last->fiber);
        last->fiber = nullptr;
    }
}

}  // namespace

void giveRooms(Lane* lanes, std::uint32_t count) {
    static Event* rooms = nullptr;
    constexpr std::size_t roomBytes = (mostRoomEvents + 4096) * sizeof(Event);
    if (rooms == nullptr) {
        void* memory = mmap(nullptr, roomBytes * 32, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) giveUp("no memory for events");
        rooms = static_cast<Event*>(memory);
    }
    for (std::uint32_t i = 0; i < count; ++i) {
        // Off by a few lines each: rooms that all begin at one set of the cache would evict
        // another.
        lanes[i].begin = rooms + i * (roomBytes / sizeof(Event)) + i * 24;
        lanes[i].next = lanes[i].end = lanes[i].begin;
    }
}

void runLanes(Lane* lanes, std::uint32_t mask, bool grow) {
    warpLanes = lanes;
    growing = grow;
    toStart = 0;
    std::uint32_t resumed = 0;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const auto index = static_cast<std::uint32_t>(std::countr_zero(rest));
        if (lanes[index].state == LaneState::unstarted) toStart |= 1u << index;
        if (lanes[index].state == LaneState::runnable) resumed |= 1u << index;
    }
    while (resumed != 0) {
        const std::uint32_t index = takeNext(resumed);
        const std::uint32_t later = toStart;
        toStart = 0;  // a lane that ends does not go on with others on a stack that is deep in use
        enter(lanes[index], index);
        toStart = later;
    }
    while (toStart != 0) {
        const std::uint32_t index = takeNext(toStart);
        enter(lanes[index], index);
    }
}

void showParameters() {
    Lane lane;
    giveRooms(&lane, 1);
    wl_capturing = 1;
    runLanes(&lane, 1);
    wl_capturing = 0;
    dropFibers();
}

void dropFibers() {
    idleFibers.clear();
    for (Fiber* fiber : allFibers) {
        begin(*fiber);
        idleFibers.push_back(fiber);
    }
}

void abandonLane() {
    toStart = 0;
    // Its fiber stays out of use until dropFibers.
    currentLane->fiber = nullptr;
    currentLane->state = LaneState::ended;
    context::jump_fcontext(scheduler, nullptr);
    __builtin_unreachable();
}

bool isOnLaneStack(std::uint64_t address) {
    for (const Fiber* fiber : allFibers) {
        const auto low = reinterpret_cast<std::uint64_t>(fiber->stack);
        if (address - low < stackBytes + guardBytes) return true;
    }
    return false;
}

bool isBelowLaneStack(std::uint64_t address) {
    for (const Fiber* fiber : allFibers) {
        const auto low = reinterpret_cast<std::uint64_t>(fiber->stack);
        if (address - low < guardBytes) return true;
    }
    return false;
}

namespace {

/// Leaves the lane for now.
void yieldLane() {
    Lane* lane = currentLane;
    lane->end = wl_writer;
    const context::transfer_t back = context::jump_fcontext(scheduler, nullptr);
    scheduler = back.fctx;
    wl_writer = currentLane->end;
}

std::uint32_t lastSite() {
    if (laneProgram.mode != RunMode::traced) return 0;
    return static_cast<std::uint32_t>(wl_writer[-1] >> siteShift);
}

void wait(LaneState state) {
    if (currentLane == nullptr) return;
    currentLane->waitSite = lastSite();
    currentLane->state = state;
    yieldLane();
}

void exchange(std::uint32_t mask, const void* value, std::uint32_t bytes) {
    Lane* lane = currentLane;
    lane->waitMask = mask;
    lane->valueBytes = bytes < 32 ? bytes : 32;
    std::memcpy(lane->value, value, lane->valueBytes);
    wait(LaneState::atWarp);
}

}  // namespace
}  // namespace warplens::runtime

using namespace warplens;
using namespace warplens::runtime;

extern "C" {

void wl_event_full_impl() {
    if (laneProgram.mode == RunMode::discarded) {
        wl_writer = currentLane->begin;
        // Others get a turn now and then: it may wait for a lock that one of them holds.
        static std::uint32_t fullRooms = 0;
        if (++fullRooms % 256 != 0) return;
    }
    yieldLane();
}

void wl_block_barrier_impl() {
    wait(LaneState::atBarrier);
}

int wl_block_vote_impl(int what, int predicate) {
    if (currentLane == nullptr) return predicate;
    currentLane->vote = what << 1 | (predicate != 0 ? 1 : 0);
    wait(LaneState::atBarrier);
    return static_cast<int>(currentLane->answer);
}

void wl_grid_barrier_impl() {
    wait(LaneState::atGridBarrier);
}

void wl_warp_barrier_impl(unsigned mask) {
    if (currentLane == nullptr) return;
    exchange(mask, "", 0);
}

unsigned wl_ballot_impl(unsigned mask, int predicate) {
    if (currentLane == nullptr) return predicate != 0 ? 1 : 0;
    exchange(mask, &predicate, sizeof predicate);
    const Lane& lane = *currentLane;
    return lanesThatHold(lane.exchanged, lane.answer & mask);
}

unsigned wl_match_impl(unsigned mask, const void* value, unsigned bytes) {
    if (currentLane == nullptr) return 1;
    exchange(mask, value, bytes);
    const Lane& lane = *currentLane;
    return lanesWith(lane.exchanged, lane.answer & mask, lane.value, lane.valueBytes);
}

const void* wl_exchange_impl(unsigned mask, const void* value, unsigned bytes) {
    if (currentLane == nullptr) return value;
    exchange(mask, value, bytes);
    // Packed, as the caller takes them: lane after lane.
    static std::uint8_t packed[32 * 32];
    const Lane& lane = *currentLane;
    for (int index = 0; index < 32; ++index) {
        std::memcpy(packed + index * lane.valueBytes, lane.exchanged + index * 32, lane.valueBytes);
    }
    return packed;
}

unsigned wl_shuffle_impl(unsigned mask, const void* value, unsigned bytes, unsigned from,
                         void* result) {
    if (currentLane == nullptr) return 0;
    exchange(mask, value, bytes);
    const Lane& lane = *currentLane;
    if ((lane.answer >> (from & 31) & 1) == 0) return 0;
    std::memcpy(result, lane.exchanged + (from & 31) * 32, lane.valueBytes);
    return 1;
}

unsigned wl_active_impl() {
    if (currentLane == nullptr) return 1;
    wait(LaneState::atActive);
    return currentLane->answer;
}

void wl_lockstep_impl() {
    if (laneProgram.mode == RunMode::traced) {
        wait(LaneState::atLockstep);
    } else if (wl_writer >= wl_limit) {
        wl_event_full_impl();
    }
}

/// In optimised code: a lane that has asked for long gives its turn away.
void wl_turn_impl() {
    wl_patience = 4096;
    if (currentLane != nullptr) yieldLane();
}

unsigned wl_lane() {
    return currentLaneIndex;
}

void wl_fence() {
    if (currentLane != nullptr) launchState.fenced = true;
}

/// Kernels that wait until some number of ticks is over come to an end: a lane that asks again and
/// again is told of ever longer steps.
long long wl_clock() {
    static long long ticks = 0;
    static long long step = 0;
    static std::uint64_t turn = 0;
    step = turn == laneTurns ? step + step / 8 : 1000;
    turn = laneTurns;
    return ticks += step;
}

/// clock() of the host, which kernels call by the same name.
long wl_clock_here() {
    return currentLane != nullptr ? wl_clock() : std::clock();
}

void wl_trap_impl() {
    if (currentLane == nullptr) std::abort();
    failLaunch(FindingKind::failedAssertion, "__trap() was called", lastSite(), 719);
}

}  // extern "C"
