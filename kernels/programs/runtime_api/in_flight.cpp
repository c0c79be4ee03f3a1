#include "kernels/programs/runtime_api/in_flight.h"

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
};

struct InFlight final {
    std::map<std::uint64_t, Written> arrays;  ///< by address
    std::set<std::uint64_t> told;
    int calls = 0;  ///< that are under way, one in another
    bool waits = true;
};

InFlight& inFlight() {
    static InFlight& all = *new InFlight;  // used by destructors of the program's statics, too
    return all;
}

void reach(std::uint64_t address, std::uint64_t bytes, bool isWithin) {
    mprotect(reinterpret_cast<void*>(address), bytes,
             isWithin ? PROT_READ | PROT_WRITE : PROT_NONE);
}

}  // namespace

void beginWriting(const ptx::Allocation& array, const std::string& by) {
    using Kind = ptx::Allocation::Kind;
    const bool isOfHost = array.kind == Kind::managed || array.kind == Kind::pinned;
    InFlight& all = inFlight();
    // What is not of allocateOnHost shares its pages with others.
    if (!isOfHost || array.freed || !RuntimeDevice::instance().isMapped(array.address) ||
        all.told.contains(array.address))
        return;
    all.waits = false;
    all.arrays[array.address] = {(array.bytes + pageBytes - 1) / pageBytes * pageBytes,
                                 nameOf(array) + ", which " + by + " may still write"};
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
    if (all.waits) all.arrays.clear();
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
