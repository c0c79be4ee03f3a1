// What lanes call, and wait in: each of these stands behind an entry of lane_entry.S. Called by the
// host, they do what one thread alone would.
#include <cstring>

#include "kernels/trace/runtime/exchange.h"
#include "kernels/trace/runtime/lane_runner.h"
#include "kernels/trace/runtime/lane_variables.h"

using namespace warplens::runtime;

extern "C" {

void wl_event_full_impl() {
    if (runningLanes->program().mode == RunMode::discarded) {
        wl_writer = runningLanes->current()->begin;
        // Others get a turn now and then: it may wait for a lock that one of them holds.
        static std::uint32_t fullRooms = 0;
        if (++fullRooms % 256 != 0) return;
    }
    runningLanes->yield();
}

void wl_block_barrier_impl() {
    if (runningLanes != nullptr) runningLanes->wait(LaneState::atBarrier);
}

int wl_block_vote_impl(int what, int predicate) {
    if (runningLanes == nullptr) return predicate;
    runningLanes->current()->vote = what << 1 | (predicate != 0 ? 1 : 0);
    return static_cast<int>(runningLanes->wait(LaneState::atBarrier).answer);
}

void wl_warp_barrier_impl(unsigned mask) {
    if (runningLanes != nullptr) runningLanes->exchange(mask, "", 0);
}

unsigned wl_ballot_impl(unsigned mask, int predicate) {
    if (runningLanes == nullptr) return predicate != 0 ? 1 : 0;
    const Lane& lane = runningLanes->exchange(mask, &predicate, sizeof predicate);
    return lanesThatHold(lane.exchanged, lane.answer & mask);
}

unsigned wl_match_impl(unsigned mask, const void* value, unsigned bytes) {
    if (runningLanes == nullptr) return 1;
    const Lane& lane = runningLanes->exchange(mask, value, bytes);
    return lanesWith(lane.exchanged, lane.answer & mask, lane.value, lane.valueBytes);
}

const void* wl_exchange_impl(unsigned mask, const void* value, unsigned bytes) {
    if (runningLanes == nullptr) return value;
    const Lane& lane = runningLanes->exchange(mask, value, bytes);
    // Packed, as the caller takes them: lane after lane.
    static std::uint8_t packed[32 * exchangeStride];
    for (std::uint32_t index = 0; index < 32; ++index) {
        std::memcpy(packed + index * lane.valueBytes, lane.exchanged + index * exchangeStride,
                    lane.valueBytes);
    }
    return packed;
}

unsigned wl_shuffle_impl(unsigned mask, const void* value, unsigned bytes, unsigned from,
                         void* result) {
    if (runningLanes == nullptr) return 0;
    const Lane& lane = runningLanes->exchange(mask, value, bytes);
    if ((lane.answer >> (from & 31) & 1) == 0) return 0;
    std::memcpy(result, lane.exchanged + (from & 31) * exchangeStride, lane.valueBytes);
    return 1;
}

unsigned wl_active_impl() {
    return runningLanes == nullptr ? 1 : runningLanes->wait(LaneState::atActive).answer;
}

unsigned wl_lane() {
    return runningLanes == nullptr ? 0 : runningLanes->currentIndex();
}

}  // extern "C"
