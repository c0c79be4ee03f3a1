#pragma once

#include <cstdint>
#include <source_location>

#include "core/trace/lane_recorder.h"

namespace warplens::trace {

/// Part of a body that only some lanes of a warp may run, from its mark to its end. Counts as open
/// while it lives.
class Scope {
  public:
    Scope(const char* name, std::source_location where) : name_(name), line_(where.line()) {
        ++openScopes;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;
    ~Scope() {
        --openScopes;
        try {
            currentLane->record({0, line_, 0, EventKind::leave, 0});
        } catch (const TooManyEvents&) {
            // The lane is full, and the trace given up: by what is unwinding, or by its next event.
        }
    }

  protected:
    void record(EventKind kind, bool taken) const {
        const auto address = reinterpret_cast<std::uint64_t>(name_);
        currentLane->record({address | (taken ? Event::takenBit : 0), line_, 0, kind, 0});
    }

  private:
    const char* name_;
    std::uint32_t line_;
};

/// A marked branch: lanes are split while it lives, which is to the end of its if and else.
class TracedBranch final : public Scope {
  public:
    TracedBranch(const char* name, bool taken,
                 std::source_location where = std::source_location::current())
        : Scope(name, where), taken_(taken) {
        record(EventKind::branch, taken);
    }
    explicit operator bool() const { return taken_; }

  private:
    bool taken_;
};

/// A marked loop: lanes leave it one by one and meet where it ends.
class TracedLoop final : public Scope {
  public:
    explicit TracedLoop(const char* name,
                        std::source_location where = std::source_location::current())
        : Scope(name, where) {}
    [[nodiscard]] bool again(bool taken) const {
        record(EventKind::again, taken);
        return taken;
    }
};

/// A loop begins a round with this value of its variable.
inline void recordRound(std::int64_t value,
                        std::source_location where = std::source_location::current()) {
    if (!roundsRecorded) return;
    currentLane->record({static_cast<std::uint64_t>(value), where.line(), 0, EventKind::round, 0});
}

}  // namespace warplens::trace
