// What the calls in instrumented code go to. Compiled by NVRTC for linking, as device code of its
// own; adds to the rows of site.h, in their order. Needs no rights to counters.
//
// The lanes that come to a call together are those that come to the instruction together: no other
// instruction stands between them.
typedef unsigned long long Count;

struct Row {
    Count requests, lanes, sectors, idealSectors, uniqueBytes;
    Count sharedRequests, sharedLanes, wavefronts, idealWavefronts;
    Count divergent, mostSameAddress;
};

// Set by the host before each launch.
extern "C" __device__ Row* warplens_rows = nullptr;

enum Kind { load, store, atomic, branch };  // SiteKind

__device__ __forceinline__ unsigned laneId() {
    unsigned lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
}
__device__ __forceinline__ unsigned firstOf(unsigned mask) { return __ffs(mask) - 1; }

// Most lanes of `mask` that hold one key.
__device__ __forceinline__ unsigned mostAlike(unsigned mask, unsigned peers) {
    unsigned most = 0;
    for (unsigned left = mask; left != 0;) {
        const unsigned group = __shfl_sync(mask, peers, firstOf(left));
        most = max(most, __popc(group));
        left &= ~group;
    }
    return most;
}

__device__ __forceinline__ void countGlobal(unsigned mask, Count address, unsigned site,
                                            unsigned bytes, unsigned kind) {
    const unsigned lane = laneId();
    const unsigned peers = __match_any_sync(mask, address >> 5);
    const bool leads = firstOf(peers) == lane;
    const unsigned sectors = __popc(__ballot_sync(mask, leads));
    // Bytes of the sector that any of its lanes uses. An access is aligned and at most 32 bytes.
    const unsigned own = (bytes >= 32 ? ~0u : (1u << bytes) - 1) << (address & 31);
    unsigned used = 0;
    for (unsigned left = mask; left != 0; left &= left - 1) {
        const unsigned from = firstOf(left);
        const unsigned theirs = __shfl_sync(mask, own, from);
        if (peers >> from & 1) used |= theirs;
    }
    unsigned unique = leads ? __popc(used) : 0;
    unsigned total = 0;
    for (unsigned left = mask; left != 0; left &= left - 1) {
        total += __shfl_sync(mask, unique, firstOf(left));
    }
    unsigned same = 0;
    if (kind == atomic) same = mostAlike(mask, __match_any_sync(mask, address));
    if (firstOf(mask) != lane) return;
    Row& row = warplens_rows[site];
    const unsigned lanes = __popc(mask);
    atomicAdd(&row.requests, 1ull);
    atomicAdd(&row.lanes, Count(lanes));
    atomicAdd(&row.sectors, Count(sectors));
    atomicAdd(&row.idealSectors, Count((lanes * bytes + 31) / 32));
    atomicAdd(&row.uniqueBytes, Count(total));
    if (same != 0) atomicMax(&row.mostSameAddress, Count(same));
}

// Wavefronts of an access to shared memory: lanes that want different words of one bank wait for
// one another; 8 and 16 bytes a lane are served by half and quarter warps (core/access).
__device__ __forceinline__ void countShared(unsigned mask, unsigned address, unsigned site,
                                            unsigned bytes, unsigned kind) {
    const unsigned lane = laneId();
    const unsigned served = bytes <= 4 ? 32 : bytes == 8 ? 16 : 8;
    const unsigned words = bytes <= 4 ? 1 : bytes / 4;
    unsigned wavefronts = 0;
    unsigned ideal = 0;
    for (unsigned first = 0; first < 32; first += served) {
        const unsigned part = mask & (served == 32 ? ~0u : ((1u << served) - 1) << first);
        if (part == 0) continue;
        ++ideal;
        unsigned most = 0;
        if (part >> lane & 1) {
            const unsigned item = (address >> 2) / words;
            const unsigned sameItem = __match_any_sync(part, item);
            const bool leads = firstOf(sameItem) == lane;
            const unsigned sameBank = __match_any_sync(part, leads ? item % (32 / words) : 64 + lane);
            most = mostAlike(part, leads ? sameBank : 1u << lane);
        }
        __syncwarp(mask);
        wavefronts += __shfl_sync(mask, most, firstOf(part));
    }
    unsigned same = 0;
    if (kind == atomic) same = mostAlike(mask, __match_any_sync(mask, address));
    if (firstOf(mask) != lane) return;
    Row& row = warplens_rows[site];
    atomicAdd(&row.sharedRequests, 1ull);
    atomicAdd(&row.sharedLanes, Count(__popc(mask)));
    atomicAdd(&row.wavefronts, Count(wavefronts));
    atomicAdd(&row.idealWavefronts, Count(ideal));
    if (same != 0) atomicMax(&row.mostSameAddress, Count(same));
}

extern "C" __device__ __noinline__ void warplens_global(Count address, unsigned site,
                                                        unsigned bytes, unsigned kind) {
    countGlobal(__activemask(), address, site, bytes, kind);
}

extern "C" __device__ __noinline__ void warplens_shared(unsigned address, unsigned site,
                                                        unsigned bytes, unsigned kind) {
    countShared(__activemask(), address, site, bytes, kind);
}

// Each lane's address says itself which memory it lies in; local memory is not counted.
extern "C" __device__ __noinline__ void warplens_generic(Count address, unsigned site,
                                                         unsigned bytes, unsigned kind) {
    const unsigned mask = __activemask();
    const void* const pointer = reinterpret_cast<const void*>(address);
    const unsigned shared = __ballot_sync(mask, __isShared(pointer));
    // Constant memory and parameters lie in the global window.
    const bool apart = __isConstant(pointer) || __isGridConstant(pointer);
    const unsigned global = __ballot_sync(mask, __isGlobal(pointer) && !apart);
    if (global >> laneId() & 1) {
        countGlobal(global, address, site, bytes, kind);
    } else if (shared >> laneId() & 1) {
        countShared(shared, static_cast<unsigned>(__cvta_generic_to_shared(pointer)), site, bytes,
                    kind);
    }
    __syncwarp(mask);
}

extern "C" __device__ __noinline__ void warplens_branch(unsigned taken, unsigned site) {
    const unsigned mask = __activemask();
    const unsigned going = __ballot_sync(mask, taken != 0);
    if (firstOf(mask) != laneId()) return;
    Row& row = warplens_rows[site];
    atomicAdd(&row.requests, 1ull);
    atomicAdd(&row.lanes, Count(__popc(going)));
    if (going != 0 && going != mask) atomicAdd(&row.divergent, 1ull);
}
