#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <utility>

namespace warplens::trace {

enum class EventKind : std::uint8_t {
    load,
    store,
    sharedLoad,
    sharedStore,
    branch,  ///< an if: lanes part, to meet at `leave`
    again,   ///< a loop's condition: lanes that go round once more, or wait at `leave`
    leave,   ///< end of an if with its else, or of a loop
    round,   ///< a loop that all lanes go through alike begins a round
};

/// One thing a lane did, in 16 bytes: traces are long.
struct Event final {
    /// Of an access; of a branch or a loop: its name's address, with the top bit for taken; of a
    /// round: the value of the loop's variable.
    std::uint64_t address;
    std::uint32_t line;     ///< in the body file
    std::uint16_t subject;  ///< of an access: which array
    EventKind kind;
    std::uint8_t bytes;  ///< of an access

    static constexpr std::uint64_t takenBit = std::uint64_t{1} << 63;
    [[nodiscard]] bool taken() const { return (address & takenBit) != 0; }
    [[nodiscard]] const char* branchName() const {
        return reinterpret_cast<const char*>(address & ~takenBit);
    }
    /// All but the address, in one number.
    [[nodiscard]] std::uint64_t place() const {
        std::uint64_t all;
        std::memcpy(&all, reinterpret_cast<const std::byte*>(this) + sizeof address, sizeof all);
        return all;
    }
    /// Whether two lanes stand at the same place of the program.
    [[nodiscard]] bool samePlace(const Event& other) const { return place() == other.place(); }
};
static_assert(sizeof(Event) == 16 && offsetof(Event, line) == 8);

/// Thrown when a lane does more than its recorder may hold.
struct TooManyEvents final {
    std::size_t most;
};

/// The events of one lane, in program order. Keeps its memory when cleared.
class LaneRecorder final {
  public:
    /// At most `most` events, rounded up to a power of two.
    void limit(std::size_t most) { most_ = most; }
    void record(const Event& event) {
        if (next_ == end_) grow();
        *next_++ = event;
    }
    void clear() { next_ = events_.get(); }
    [[nodiscard]] std::span<const Event> events() const { return {events_.get(), next_}; }

  private:
    void grow() {
        const std::size_t used = static_cast<std::size_t>(next_ - events_.get());
        if (used >= most_) throw TooManyEvents{used};
        const std::size_t room = used == 0 ? 64 : 2 * used;
        auto larger = std::make_unique_for_overwrite<Event[]>(room);
        std::copy(events_.get(), next_, larger.get());
        events_ = std::move(larger);
        next_ = events_.get() + used;
        end_ = events_.get() + room;
    }

    std::unique_ptr<Event[]> events_;
    Event* next_ = nullptr;
    Event* end_ = nullptr;
    std::size_t most_ = SIZE_MAX;
};

/// The lane whose body runs on this thread of the host.
inline constinit thread_local LaneRecorder* currentLane = nullptr;
/// Whether the rounds of loops are recorded, too: what a launch costs does not depend on them.
inline constinit thread_local bool roundsRecorded = false;
/// Marked branches and loops that lane is inside of.
inline constinit thread_local int openScopes = 0;

}  // namespace warplens::trace
