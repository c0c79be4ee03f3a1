// What lanes of traced programs call beside what all lanes do (lane_calls.cpp).
#include <cstdlib>
#include <ctime>

#include "kernels/trace/runtime/lane_variables.h"
#include "kernels/trace/runtime/launch_state.h"

using namespace warplens;
using namespace warplens::runtime;

extern "C" {

int wl_patience = 0;
void wl_event_full_impl();

void wl_grid_barrier_impl() {
    if (laneRunner.current() != nullptr) laneRunner.wait(LaneState::atGridBarrier);
}

void wl_lockstep_impl() {
    if (laneRunner.current() == nullptr) return;
    if (laneProgram.mode == RunMode::traced) {
        laneRunner.wait(LaneState::atLockstep);
    } else if (wl_writer >= wl_limit) {
        wl_event_full_impl();
    }
}

/// In optimised code: a lane that has asked for long gives its turn away.
void wl_turn_impl() {
    wl_patience = 4096;
    if (laneRunner.current() != nullptr) laneRunner.yield();
}

void wl_fence() {
    if (laneRunner.current() != nullptr) launchState.fenced = true;
}

/// Kernels that wait until some number of ticks is over come to an end: a lane that asks again and
/// again is told of ever longer steps.
long long wl_clock() {
    static long long ticks = 0;
    static long long step = 0;
    static std::uint64_t turn = 0;
    step = turn == laneRunner.turns() ? step + step / 8 : 1000;
    turn = laneRunner.turns();
    return ticks += step;
}

/// clock() of the host, which kernels call by the same name.
long wl_clock_here() {
    return laneRunner.current() != nullptr ? wl_clock() : std::clock();
}

void wl_trap_impl() {
    if (laneRunner.current() == nullptr) std::abort();
    failLaunch(FindingKind::failedAssertion, "__trap() was called", laneRunner.lastSite(), 719);
}

}  // extern "C"
