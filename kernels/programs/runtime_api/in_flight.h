#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "kernels/ptx/run/memory.h"

/// Managed and pinned memory that the device may still write, as far as the program has waited for
/// it. Here all is done when a call returns; so between CUDA's calls the host cannot reach such
/// memory, and where it tries that is told once, and it goes on.
namespace warplens::programs {

/// A stream, as long as the program runs: 0 is the one that waits for all others but those that do
/// not block, and that those wait for.
struct StreamId final {
    std::uint64_t number = 0;
    bool isBlocking = true;
};
/// By stream, how much of what was put into it has come before.
using StreamClock = std::map<std::uint64_t, std::uint64_t>;

/// Something is put into the stream: how many there are then.
std::uint64_t putInto(StreamId stream);
/// What comes before that which is put into the stream next.
[[nodiscard]] StreamClock before(StreamId stream);
/// What is put into the stream from now on waits for that.
void letWait(StreamId stream, const StreamClock& clock);
/// A function of the host's is called behind that, by which what is launched later may wait for it.
void callBehind(const StreamClock& clock);
/// The call that is under way waits for that, and for nothing else.
void waitFor(const StreamClock& clock);

/// What was put into the stream last, and the call that is under way does not wait for, writes the
/// array.
void beginWriting(const ptx::Allocation& array, const std::string& by, StreamId stream);
/// The call that is under way waits for nothing; others are taken to wait for all.
void waitForNothing();

/// A call of CUDA's begins, all memory within reach; it ends.
void enterCall();
void leaveCall();
[[nodiscard]] bool isInCall();

/// Whether an address that the host could not reach is of such memory: it can be now.
[[nodiscard]] bool tellEarlyAccess(std::uint64_t address, bool writes,
                                   const std::vector<std::uint64_t>& callers);

}  // namespace warplens::programs
