#include "kernels/programs/runtime_api/in_flight.h"

#include <algorithm>
#include <map>
#include <set>
#include <sys/mman.h>

#include "kernels/programs/runtime_api/copies.h"
#include "kernels/programs/runtime_api/report.h"

namespace warplens::programs {
namespace {

constexpr std::uint64_t pageBytes = 4096;

struct Written final {
    std::uint64_t bytes = 0;  ///< whole pages
    std::string words;        ///< the array's name, and who writes it
    std::uint64_t stream = 0;
    std::uint64_t count = 0;  ///< of what was put into it
};

/// What of the streams the host and each stream have waited for.
struct Streams final {
    StreamClock put;
    StreamClock host;
    StreamClock called;                           ///< functions of the host's, behind that
    std::map<std::uint64_t, StreamClock> before;  ///< by stream, with its own
    std::set<std::uint64_t> notBlocking;
};

struct InFlight final {
    std::map<std::uint64_t, Written> arrays;  ///< by address
    std::set<std::uint64_t> told;
    int calls = 0;  ///< that are under way, one in another
    bool waits = true;
    Streams streams;
};

void join(StreamClock& to, const StreamClock& from) {
    for (const auto& [stream, count] : from) to[stream] = std::max(to[stream], count);
}

InFlight& inFlight() {
    static InFlight& all = *new InFlight;  // used by destructors of the program's statics, too
    return all;
}

void reach(std::uint64_t address, std::uint64_t bytes, bool isWithin) {
    mprotect(reinterpret_cast<void*>(address), bytes,
             isWithin ? PROT_READ | PROT_WRITE : PROT_NONE);
}

}  // namespace

StreamClock before(StreamId stream) {
    Streams& all = inFlight().streams;
    StreamClock clock = all.host;
    join(clock, all.called);
    join(clock, all.before[stream.number]);
    if (stream.isBlocking) join(clock, all.before[0]);
    for (const auto& [other, known] : all.before)
        if (stream.number == 0 && !all.notBlocking.contains(other)) join(clock, known);
    return clock;
}

std::uint64_t putInto(StreamId stream) {
    Streams& all = inFlight().streams;
    if (!stream.isBlocking) all.notBlocking.insert(stream.number);
    StreamClock clock = before(stream);
    const std::uint64_t count = clock[stream.number] = ++all.put[stream.number];
    all.before[stream.number] = std::move(clock);
    return count;
}

void letWait(StreamId stream, const StreamClock& clock) {
    join(inFlight().streams.before[stream.number], clock);
}

void callBehind(const StreamClock& clock) {
    join(inFlight().streams.called, clock);
}

void waitFor(const StreamClock& clock) {
    inFlight().waits = false;
    join(inFlight().streams.host, clock);
}

void beginWriting(const ptx::Allocation& array, const std::string& by, StreamId stream) {
    using Kind = ptx::Allocation::Kind;
    const bool isOfHost = array.kind == Kind::managed || array.kind == Kind::pinned;
    InFlight& all = inFlight();
    // What is not of allocateOnHost shares its pages with others.
    if (!isOfHost || array.freed || !RuntimeDevice::instance().isMapped(array.address) ||
        all.told.contains(array.address))
        return;
    all.waits = false;
    all.arrays[array.address] = {(array.bytes + pageBytes - 1) / pageBytes * pageBytes,
                                 nameOf(array) + ", which " + by + " may still write",
                                 stream.number, all.streams.put[stream.number]};
}

void waitForNothing() {
    inFlight().waits = false;
}

void enterCall() {
    InFlight& all = inFlight();
    if (all.calls++ != 0) return;
    all.waits = true;
    for (const auto& [address, written] : all.arrays) reach(address, written.bytes, true);
}

void leaveCall() {
    InFlight& all = inFlight();
    if (--all.calls != 0) return;
    StreamClock& host = all.streams.host;
    if (all.waits) join(host, all.streams.put);
    std::erase_if(all.arrays,
                  [&](const auto& each) { return each.second.count <= host[each.second.stream]; });
    for (const auto& [address, written] : all.arrays) reach(address, written.bytes, false);
}

bool isInCall() {
    return inFlight().calls != 0;
}

bool tellEarlyAccess(std::uint64_t address, bool writes,
                     const std::vector<std::uint64_t>& callers) {
    InFlight& all = inFlight();
    auto found = all.arrays.upper_bound(address);
    if (found == all.arrays.begin()) return false;
    --found;
    const auto& [begin, written] = *found;
    if (address - begin >= written.bytes) return false;
    reach(begin, written.bytes, true);
    sendFinding(FindingKind::unsynchronisedRead,
                std::string("the host ") + (writes ? "writes to " : "reads ") + written.words +
                    ": nothing has waited for it, as cudaDeviceSynchronize does",
                callers);
    all.told.insert(begin);
    all.arrays.erase(found);
    return true;
}

}  // namespace warplens::programs
