#include "kernels/library/run/lanes.h"

#include <algorithm>
#include <bit>
#include <boost/context/detail/fcontext.hpp>
#include <cstring>
#include <mutex>
#include <new>
#include <sys/mman.h>

#include "kernels/trace/runtime/exchange.h"

namespace context = boost::context::detail;

extern "C" {

/// threadIdx and its like, as kernels see them.
struct WlThreadIndex {
    std::uint32_t x, y, z;
};
constinit thread_local WlThreadIndex threadIdx{};
constinit thread_local WlThreadIndex blockIdx{};
constinit thread_local WlThreadIndex blockDim{};
constinit thread_local WlThreadIndex gridDim{};
constinit thread_local int wl_rounds = 0;
constinit thread_local int wl_computes = 0;
constinit thread_local std::uint64_t* wl_writer = nullptr;
constinit thread_local std::uint64_t* wl_limit = nullptr;
alignas(128) constinit thread_local unsigned char wl_dynamic_shared
    [warplens::library::mostDynamicSharedBytes] = {};
std::uint64_t* wl_enter_kernel(const warplens::library::CallArguments* arguments, const void* code,
                               std::uint64_t* writer);

}  // extern "C"

namespace warplens::library {

struct Fiber final {
    SanitizedFiber sanitized;
    context::fcontext_t context = nullptr;
    char* stack = nullptr;
};

namespace {

constexpr std::size_t stackBytes = sanitizedStackFactor * 32 * 1024;
/// What a lane writes after its room is full and before it looks.
constexpr std::size_t roomSlack = 64;

constinit thread_local LaneRunner* running = nullptr;

/// Memory of one size, kept for whoever needs it next, on whatever thread of the host: pages that
/// were touched stay.
template <std::size_t bytes>
class KeptMemory final {
  public:
    static void* take() {
        {
            const std::lock_guard lock(mutex());
            if (!kept().empty()) {
                void* const memory = kept().back();
                kept().pop_back();
                return memory;
            }
        }
        void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        return memory;
    }
    static void giveBack(void* memory) {
        const std::lock_guard lock(mutex());
        kept().push_back(memory);
    }

  private:
    static std::mutex& mutex() {
        static std::mutex all;
        return all;
    }
    static std::vector<void*>& kept() {
        static std::vector<void*> all;
        return all;
    }
};

}  // namespace

/// One for each of 32 lanes. Off by some lines each: rooms that all began at one set of the cache
/// would evict one another.
struct LaneRunner::Rooms final {
    Event events[32][roomEvents + roomSlack];
};

namespace {

using Stacks = KeptMemory<stackBytes>;

}  // namespace

/// Where a fiber begins.
struct FiberEntry final {
    /// One fiber runs lane after lane as long as none of them waits.
    static void main(context::transfer_t from) {
        LaneRunner& runner = *static_cast<LaneRunner*>(from.data);
        runner.scheduler_ = from.fctx;
        for (;;) {
            Lane* lane = runner.current_;
            Event* const end =
                wl_enter_kernel(&runner.code_->arguments, runner.code_->code, lane->end);
            lane = runner.current_;
            lane->end = end;
            lane->state = LaneState::ended;
            if (runner.toStart_ != 0) {
                const auto index = static_cast<std::uint32_t>(std::countr_zero(runner.toStart_));
                runner.toStart_ &= runner.toStart_ - 1;
                Lane& next = runner.lanes_[index];
                next.fiber = lane->fiber;
                lane->fiber = nullptr;
                runner.beginTurn(next, index);
                next.state = LaneState::runnable;
                continue;
            }
            const context::transfer_t back = context::jump_fcontext(
                static_cast<context::fcontext_t>(runner.scheduler_), nullptr);
            runner.scheduler_ = back.fctx;
        }
    }
};

LaneRunner::LaneRunner() : rooms_(static_cast<Rooms*>(KeptMemory<sizeof(Rooms)>::take())) {}

LaneRunner::~LaneRunner() {
    for (const auto& fiber : fibers_) Stacks::giveBack(fiber->stack);
    KeptMemory<sizeof(Rooms)>::giveBack(rooms_);
}

void LaneRunner::beginBlock(const LaneCode& code, Index3 block) {
    code_ = &code;
    const auto& [grid, extents, shared] = code.launch;
    blockIdx = {block.x, block.y, block.z};
    blockDim = {extents.x, extents.y, extents.z};
    gridDim = {grid.x, grid.y, grid.z};
    wl_rounds = code.rounds ? 1 : 0;
    wl_computes = code.computes ? 1 : 0;
}

void LaneRunner::beginTurn(Lane& lane, std::uint32_t index) {
    current_ = &lane;
    currentIndex_ = index;
    threadIdx = {lane.thread.x, lane.thread.y, lane.thread.z};
    Event* const room = rooms_->events[index];
    if (lane.next == lane.end) lane.next = lane.end = room;
    wl_limit = room + roomEvents;
}

Fiber* LaneRunner::takeFiber() {
    if (idle_.empty()) {
        auto& fiber = fibers_.emplace_back(std::make_unique<Fiber>());
        fiber->stack = static_cast<char*>(Stacks::take());
        fiber->context =
            context::make_fcontext(fiber->stack + stackBytes, stackBytes, FiberEntry::main);
        idle_.push_back(fiber.get());
    }
    Fiber* const fiber = idle_.back();
    idle_.pop_back();
    return fiber;
}

void LaneRunner::enter(Lane& lane, std::uint32_t index) {
    beginTurn(lane, index);
    if (lane.state == LaneState::unstarted) lane.fiber = takeFiber();
    lane.state = LaneState::runnable;
    wl_writer = lane.end;
    Fiber* const fiber = lane.fiber;
    fiber->sanitized.run([&] {
        const context::transfer_t back = context::jump_fcontext(fiber->context, this);
        fiber->context = back.fctx;
    });
    // The fiber may have gone on with other lanes: the last of them has it now.
    Lane* const last = current_;
    current_ = nullptr;
    if (last->state == LaneState::ended) {
        idle_.push_back(last->fiber);
        last->fiber = nullptr;
    }
}

void LaneRunner::run(Lane* lanes, std::uint32_t mask) {
    running = this;
    lanes_ = lanes;
    std::uint32_t unstarted = 0;
    toStart_ = 0;  // a lane that ends does not go on with others on a stack that is deep in use
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const auto index = static_cast<std::uint32_t>(std::countr_zero(rest));
        if (lanes[index].state == LaneState::unstarted) {
            unstarted |= 1u << index;
        } else if (lanes[index].state == LaneState::runnable) {
            enter(lanes[index], index);
        }
    }
    for (toStart_ = unstarted; toStart_ != 0;) {
        const auto index = static_cast<std::uint32_t>(std::countr_zero(toStart_));
        toStart_ &= toStart_ - 1;
        enter(lanes[index], index);
    }
    running = nullptr;
}

void LaneRunner::drop() {
    idle_.clear();
    for (const auto& fiber : fibers_) {
        fiber->context =
            context::make_fcontext(fiber->stack + stackBytes, stackBytes, FiberEntry::main);
        idle_.push_back(fiber.get());
    }
}

bool LaneRunner::isOnStack(std::uint64_t address) const {
    return std::ranges::any_of(fibers_, [&](const std::unique_ptr<Fiber>& fiber) {
        return address - reinterpret_cast<std::uint64_t>(fiber->stack) < stackBytes;
    });
}

void LaneRunner::yield() {
    current_->end = wl_writer;
    const context::transfer_t back =
        context::jump_fcontext(static_cast<context::fcontext_t>(scheduler_), nullptr);
    scheduler_ = back.fctx;
    wl_writer = current_->end;
}

std::uint64_t dynamicSharedAddress() {
    return reinterpret_cast<std::uint64_t>(&wl_dynamic_shared);
}

std::uint64_t threadPointer() {
    return reinterpret_cast<std::uint64_t>(__builtin_thread_pointer());
}

namespace {

Lane& wait(LaneState state) {
    Lane& lane = *running->current();
    lane.waitSite = static_cast<std::uint32_t>(wl_writer[-1] >> siteShift);
    lane.state = state;
    running->yield();
    return lane;
}

Lane& exchange(std::uint32_t mask, const void* value, std::uint32_t bytes) {
    Lane& lane = *running->current();
    lane.waitMask = mask;
    std::memcpy(lane.value, value, bytes);
    return wait(LaneState::atWarp);
}

}  // namespace
}  // namespace warplens::library

using namespace warplens::library;
using namespace warplens::runtime;

extern "C" {

void wl_event_full_impl() {
    running->yield();
}

void wl_block_barrier_impl() {
    wait(LaneState::atBarrier);
}

int wl_block_vote_impl(int what, int predicate) {
    running->current()->vote = what << 1 | (predicate != 0 ? 1 : 0);
    return static_cast<int>(wait(LaneState::atBarrier).answer);
}

void wl_warp_barrier_impl(unsigned mask) {
    exchange(mask, "", 0);
}

unsigned wl_ballot_impl(unsigned mask, int predicate) {
    const Lane& lane = exchange(mask, &predicate, sizeof predicate);
    return lanesThatHold(lane.exchanged, lane.answer & mask);
}

unsigned wl_match_impl(unsigned mask, const void* value, unsigned bytes) {
    const Lane& lane = exchange(mask, value, bytes);
    return lanesWith(lane.exchanged, lane.answer & mask, lane.value, bytes);
}

const void* wl_exchange_impl(unsigned mask, const void* value, unsigned bytes) {
    const Lane& lane = exchange(mask, value, bytes);
    // Packed, as the caller takes them: lane after lane.
    thread_local std::uint8_t packed[32 * 32];
    for (unsigned index = 0; index < 32; ++index) {
        std::memcpy(packed + index * bytes, lane.exchanged + index * 32, bytes);
    }
    return packed;
}

unsigned wl_shuffle_impl(unsigned mask, const void* value, unsigned bytes, unsigned from,
                         void* result) {
    const Lane& lane = exchange(mask, value, bytes);
    if ((lane.answer >> (from & 31) & 1) == 0) return 0;
    std::memcpy(result, lane.exchanged + (from & 31) * 32, bytes);
    return 1;
}

unsigned wl_active_impl() {
    return wait(LaneState::atActive).answer;
}

unsigned wl_lane() {
    return running->currentIndex();
}

void wl_fence() {}

}  // extern "C"
