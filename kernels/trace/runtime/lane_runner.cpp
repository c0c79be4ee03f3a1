#include "kernels/trace/runtime/lane_runner.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <sys/mman.h>
#include <utility>

#include "kernels/trace/runtime/exchange.h"
#include "kernels/trace/runtime/lane_variables.h"
#include "kernels/trace/runtime/sanitized_fiber.h"

extern "C" {
WlIndex threadIdx;
WlIndex blockIdx;
WlIndex blockDim;
WlIndex gridDim;
std::uint64_t* wl_writer = nullptr;
std::uint64_t* wl_limit = nullptr;
std::uint64_t* wl_enter_kernel(const warplens::runtime::CallArguments* arguments, const void* code,
                               std::uint64_t* writer);
/// Leaves the stack, whose pointer goes to `*from`, for one that was left so.
void wl_switch_stack(void** from, void* to);
}

namespace warplens::runtime {

LaneRunner* runningLanes = nullptr;

namespace {

/// Memory of some size, kept for whoever needs it next, on whatever thread of the host: pages that
/// were touched stay.
class KeptMemory final {
  public:
    static void* take(std::size_t bytes) {
        {
            const std::lock_guard lock(instance().mutex_);
            std::vector<void*>& kept = instance().kept_[bytes];
            if (!kept.empty()) {
                void* const memory = kept.back();
                kept.pop_back();
                return memory;
            }
        }
        void* const memory = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (memory == MAP_FAILED) throw std::bad_alloc();
        return memory;
    }
    static void giveBack(void* memory, std::size_t bytes) {
        const std::lock_guard lock(instance().mutex_);
        instance().kept_[bytes].push_back(memory);
    }

  private:
    static KeptMemory& instance() {
        static auto* const all = new KeptMemory;  // runners end when the program does
        return *all;
    }
    std::mutex mutex_;
    std::map<std::size_t, std::vector<void*>> kept_;
};

/// What a lane writes after its room is full and before it looks; an odd number of lines of the
/// cache: rooms that all began at one set of it would evict one another.
constexpr std::size_t roomSlack = 88;

std::size_t roomBytes(const LaneMemory& memory) {
    return (memory.mostEvents + roomSlack) * sizeof(Event);
}

/// Calls the kernel with objects of the lane's own.
__attribute__((noinline)) std::uint64_t* enterWithObjects(const LaneProgram& program,
                                                          std::uint64_t* writer) {
    CallArguments own = *program.arguments;
    auto* words = static_cast<std::uint64_t*>(alloca((own.stackWords + 1) * sizeof(std::uint64_t)));
    std::memcpy(words, own.stack, own.stackWords * sizeof(std::uint64_t));
    own.stack = words;
    for (const HandedOver& object : program.objects) {
        auto copy = reinterpret_cast<std::uint64_t>(alloca(object.bytes.size() + object.alignment));
        copy = (copy + object.alignment - 1) / object.alignment * object.alignment;
        std::memcpy(reinterpret_cast<void*>(copy), object.bytes.data(), object.bytes.size());
        std::replace(std::begin(own.general), std::end(own.general), object.address, copy);
        std::replace(words, words + own.stackWords, object.address, copy);
    }
    return wl_enter_kernel(&own, program.code, writer);
}

}  // namespace

struct Fiber final {
    SanitizedFiber sanitized;
    void* at = nullptr;     ///< the stack's pointer, while it does not run
    char* stack = nullptr;  ///< its guard, and above it the stack itself
    std::size_t shift = 0;  ///< of its top: stacks would evict one another, too

    /// As if `main` had been about to begin when the stack was left: six registers, where it goes
    /// on, and where that would return to.
    void begin(const LaneMemory& memory) {
        forgetFrames(stack + memory.guardBytes, memory.stackBytes);
        auto* const top =
            reinterpret_cast<std::uint64_t*>(stack + memory.guardBytes + memory.stackBytes - shift);
        std::fill(top - 8, top, 0);
        top[-2] = reinterpret_cast<std::uint64_t>(&main);
        at = top - 8;
    }

    /// One fiber runs lane after lane as long as none of them waits.
    [[noreturn]] static void main() {
        for (;;) {
            LaneRunner& runner = *runningLanes;
            const LaneProgram& program = runner.program_;
            Event* const begin = runner.current_->end;
            Event* const end = program.objects.empty()
                                   ? wl_enter_kernel(program.arguments, program.code, begin)
                                   : enterWithObjects(program, begin);
            Lane& lane = *runner.current_;
            Fiber* const own = std::exchange(lane.fiber, nullptr);
            lane.end = end;
            lane.state = LaneState::ended;
            if (runner.toStart_ != 0) {
                const std::uint32_t index = runner.takeNext(runner.toStart_);
                runner.lanes_[index].fiber = own;
                runner.beginTurn(runner.lanes_[index], index);
            } else {
                runner.idle_.push_back(own);
                runner.leave(*own);
            }
        }
    }
};

LaneRunner::LaneRunner(const LaneProgram& program, const LaneMemory& memory)
    : program_(program), memory_(memory) {}

LaneRunner::~LaneRunner() {
    for (const auto& fiber : fibers_) {
        KeptMemory::giveBack(fiber->stack, memory_.guardBytes + memory_.stackBytes);
    }
    if (rooms_ != nullptr) KeptMemory::giveBack(rooms_, 32 * roomBytes(memory_));
}

void LaneRunner::giveRooms(Lane* lanes, std::uint32_t count) {
    if (rooms_ == nullptr) rooms_ = static_cast<Event*>(KeptMemory::take(32 * roomBytes(memory_)));
    Event* room = rooms_;
    for (Lane& lane : std::span(lanes, count)) {
        lane.begin = lane.next = lane.end = room;
        room += memory_.mostEvents + roomSlack;
    }
}

/// Takes the lane that comes next out of the mask.
std::uint32_t LaneRunner::takeNext(std::uint32_t& mask) const {
    const auto index = static_cast<std::uint32_t>(program_.inTurns ? 31 - std::countl_zero(mask)
                                                                   : std::countr_zero(mask));
    mask &= ~(1u << index);
    return index;
}

void LaneRunner::beginTurn(Lane& lane, std::uint32_t index) {
    current_ = &lane;
    currentIndex_ = index;
    lane.state = LaneState::runnable;
    threadIdx = {lane.thread.x, lane.thread.y, lane.thread.z};
    turns_ = turns_ + 1;
    if (limit_ != 0) {
        if (lane.next == lane.end) lane.next = lane.end = lane.begin;
        wl_limit = lane.begin + limit_;
    }
    wl_writer = lane.end;
}

Fiber* LaneRunner::takeFiber() {
    if (idle_.empty()) {
        const std::size_t bytes = memory_.guardBytes + memory_.stackBytes;
        auto fiber = std::make_unique<Fiber>();
        fiber->stack = static_cast<char*>(KeptMemory::take(bytes));
        if (memory_.guardBytes != 0) mprotect(fiber->stack, memory_.guardBytes, PROT_NONE);
        fiber->shift = fibers_.size() * 320 % 4096;
        fiber->begin(memory_);
        idle_.push_back(fibers_.emplace_back(std::move(fiber)).get());
    }
    Fiber* const fiber = idle_.back();
    idle_.pop_back();
    return fiber;
}

void LaneRunner::enter(std::uint32_t& mask) {
    const std::uint32_t index = takeNext(mask);
    Lane& lane = lanes_[index];
    if (lane.state == LaneState::unstarted) lane.fiber = takeFiber();
    beginTurn(lane, index);
    Fiber& fiber = *lane.fiber;
    fiber.sanitized.run([&] { wl_switch_stack(&scheduler_, fiber.at); });
    current_ = nullptr;
}

/// From lane to lane: all of them are at the same calls mostly, whose returns the processor then
/// foresees.
void LaneRunner::leave(Fiber& fiber) {
    if (!lanesSwitchAlone || toResume_ == 0) return wl_switch_stack(&fiber.at, scheduler_);
    const std::uint32_t index = takeNext(toResume_);
    beginTurn(lanes_[index], index);
    wl_switch_stack(&fiber.at, lanes_[index].fiber->at);
}

void LaneRunner::run(Lane* lanes, std::uint32_t mask, bool grow) {
    runningLanes = this;
    lanes_ = lanes;
    limit_ = program_.mode == RunMode::fast ? 0
             : grow                         ? memory_.mostEvents
             : program_.inTurns             ? 1
                                            : roomEvents;
    abandoned_ = false;
    toStart_ = 0;  // a lane that ends does not go on with others on a stack that is deep in use
    toResume_ = 0;
    std::uint32_t unstarted = 0;
    for (std::uint32_t rest = mask; rest != 0; rest &= rest - 1) {
        const Lane& lane = lanes[std::countr_zero(rest)];
        if (lane.state == LaneState::unstarted) unstarted |= rest & ~(rest - 1);
        if (lane.state == LaneState::runnable) toResume_ |= rest & ~(rest - 1);
    }
    while (toResume_ != 0) enter(toResume_);
    toStart_ = unstarted;
    while (toStart_ != 0) enter(toStart_);
    runningLanes = nullptr;
}

void LaneRunner::drop() {
    abandoned_ = false;
    idle_.clear();
    for (const auto& fiber : fibers_) {
        fiber->begin(memory_);
        idle_.push_back(fiber.get());
    }
}

bool LaneRunner::isOnStack(std::uint64_t address) const {
    return std::ranges::any_of(fibers_, [&](const std::unique_ptr<Fiber>& fiber) {
        return address - reinterpret_cast<std::uint64_t>(fiber->stack) <
               memory_.guardBytes + memory_.stackBytes;
    });
}

bool LaneRunner::isBelowStack(std::uint64_t address) const {
    return std::ranges::any_of(fibers_, [&](const std::unique_ptr<Fiber>& fiber) {
        return address - reinterpret_cast<std::uint64_t>(fiber->stack) < memory_.guardBytes;
    });
}

std::uint8_t* LaneRunner::roomForExchange(bool ofAll) {
    constexpr std::size_t bytes = std::size_t{32} * exchangeStride;
    constexpr std::size_t kept = 256;
    if (!exchanged_) {
        exchanged_ = std::make_unique_for_overwrite<std::uint8_t[]>((1 + kept) * bytes);
    }
    return exchanged_.get() + (ofAll ? 0 : 1 + exchanges_++ % kept) * bytes;
}

void LaneRunner::yield() {
    current_->end = wl_writer;
    leave(*current_->fiber);
}

Lane& LaneRunner::wait(LaneState state) {
    Lane& lane = *current_;
    lane.waitSite = lastSite();
    lane.state = state;
    yield();
    return lane;
}

Lane& LaneRunner::exchange(std::uint32_t mask, const void* value, std::uint32_t bytes) {
    Lane& lane = *current_;
    lane.waitMask = mask;
    lane.valueBytes = std::min<std::uint32_t>(bytes, sizeof lane.value);
    std::memcpy(lane.value, value, lane.valueBytes);
    return wait(LaneState::atWarp);
}

std::uint32_t LaneRunner::lastSite() const {
    if (program_.mode != RunMode::traced) return 0;
    return static_cast<std::uint32_t>(wl_writer[-1] >> siteShift);
}

void LaneRunner::abandon() {
    toStart_ = 0;
    toResume_ = 0;
    abandoned_ = true;
    current_->state = LaneState::ended;
    leave(*std::exchange(current_->fiber, nullptr));
    __builtin_unreachable();
}

void passBlockBarrier(std::span<Lane> lanes) {
    const auto waits = [](const Lane& lane) { return lane.state == LaneState::atBarrier; };
    std::uint32_t waiting = 0;
    std::uint32_t votes = 0;
    for (const Lane& lane : lanes) {
        if (!waits(lane)) continue;
        ++waiting;
        votes += static_cast<std::uint32_t>(lane.vote) & 1;
    }
    for (Lane& lane : lanes) {
        if (!waits(lane)) continue;
        const int what = lane.vote >> 1;  // as wl_block_vote has it: the number, all, any
        lane.answer = what == 0 ? votes : (what == 1 ? votes == waiting : votes != 0) ? 1 : 0;
        lane.vote = 0;
        lane.state = LaneState::runnable;
    }
}

}  // namespace warplens::runtime
