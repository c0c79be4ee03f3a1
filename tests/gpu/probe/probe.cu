// What instrumented code does at each site. NVRTC makes PTX of it, which is put in place of calls:
// lanes that have left a loop would not wait for the others if these called a function. Adds to the
// rows of site.h, in their order. Needs no rights to counters.
//
// The lanes that come here together are those that come to the instruction together: no other
// instruction stands between them. They leave it together, too.
typedef unsigned long long Count;

struct Row {
    Count requests, lanes, sectors, idealSectors, uniqueBytes;
    Count sharedRequests, sharedLanes, wavefronts, idealWavefronts;
    Count divergent, mostSameAddress, turns, uniqueSectors;
};

// ProbeTable (probe.h), set by the host before each launch.
struct Table {
    Row* rows;
    unsigned rowsPerSite, sites, copies, arrayCount, partCount;
    struct { Count begin, end; } arrays[8];
    struct { unsigned symbol, begin, end; } parts[8];
};
extern "C" __device__ Table warplens_table = {};
// Set by every thread of an instrumented kernel as it begins.
extern "C" __device__ unsigned warplens_shared_begins[8] = {};

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
    #pragma unroll 1
    for (unsigned left = mask; left != 0;) {
        const unsigned group = __shfl_sync(mask, peers, firstOf(left));
        most = max(most, __popc(group));
        left &= ~group;
    }
    return most;
}

__device__ __forceinline__ Row& rowOf(unsigned site, unsigned row) {
    unsigned multiprocessor;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    const unsigned copy = multiprocessor % warplens_table.copies;
    return warplens_table.rows[(Count(copy) * warplens_table.sites + site) *
                                   warplens_table.rowsPerSite + row];
}
// The lanes that are here add what all of them know, each a part of it.
__device__ __forceinline__ void add(unsigned mask, Count* to, unsigned a, unsigned b, unsigned c,
                                    unsigned d, unsigned e = 0) {
    const unsigned lanes = __popc(mask);
    #pragma unroll 1
    for (unsigned i = __popc(mask & ((1u << laneId()) - 1)); i < 5; i += lanes) {
        const unsigned value = i == 0 ? a : i == 1 ? b : i == 2 ? c : i == 3 ? d : e;
        if (value != 0) atomicAdd(to + i, Count(value));
    }
}

// The site's row for the array that the address lies in.
__device__ __forceinline__ Row& rowOfGlobal(unsigned site, Count address) {
    unsigned row = 0;
    #pragma unroll 1
    for (unsigned i = 0; i < warplens_table.arrayCount; ++i) {
        const auto& array = warplens_table.arrays[i];
        if (address >= array.begin && address < array.end) row = i + 1;
    }
    return rowOf(site, row);
}
__device__ __forceinline__ Row& rowOfShared(unsigned site, unsigned address) {
    unsigned row = 0;
    #pragma unroll 1
    for (unsigned i = 0; i < warplens_table.partCount; ++i) {
        const auto& part = warplens_table.parts[i];
        const unsigned from = address - warplens_shared_begins[part.symbol];
        if (from >= part.begin && from < part.end) row = i + 1;
    }
    return rowOf(site, row);
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
    #pragma unroll 1
    for (unsigned left = mask; left != 0; left &= left - 1) {
        const unsigned from = firstOf(left);
        const unsigned theirs = __shfl_sync(mask, own, from);
        if (peers >> from & 1) used |= theirs;
    }
    unsigned unique = leads ? __popc(used) : 0;
    unsigned total = 0;
    #pragma unroll 1
    for (unsigned left = mask; left != 0; left &= left - 1) {
        total += __shfl_sync(mask, unique, firstOf(left));
    }
    unsigned same = 0;
    if (kind == atomic) same = mostAlike(mask, __match_any_sync(mask, address));
    // All of it is the array's that the first lane accesses.
    Row& row = rowOfGlobal(site, __shfl_sync(mask, address, firstOf(mask)));
    const unsigned lanes = __popc(mask);
    add(mask, &row.requests, 1, lanes, sectors, (lanes * bytes + 31) / 32, total);
    if (firstOf(mask) == lane) {
        atomicAdd(&row.uniqueSectors, Count((total + 31) / 32));
        if (same != 0) {
            atomicMax(&row.mostSameAddress, Count(same));
            atomicAdd(&row.turns, Count(same));
        }
    }
    __syncwarp(mask);
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
            // Of an atomic, lanes at one word come one after the other, too.
            const bool leads = kind == atomic || firstOf(sameItem) == lane;
            const unsigned sameBank = __match_any_sync(part, leads ? item % (32 / words) : 64 + lane);
            most = mostAlike(part, leads ? sameBank : 1u << lane);
        }
        __syncwarp(mask);
        wavefronts += __shfl_sync(mask, most, firstOf(part));
    }
    unsigned same = 0;
    if (kind == atomic) same = mostAlike(mask, __match_any_sync(mask, address));
    Row& row = rowOfShared(site, __shfl_sync(mask, address, firstOf(mask)));
    add(mask, &row.sharedRequests, 1, __popc(mask), wavefronts, ideal);
    if (same != 0 && firstOf(mask) == lane) {
        atomicMax(&row.mostSameAddress, Count(same));
        atomicAdd(&row.turns, Count(same));
    }
    __syncwarp(mask);
}

// One for each kind of site; the text of each is put where it is called (instrument.cpp).
#define WARPLENS_GLOBAL(name, kind)                                                             \
    extern "C" __device__ void name(Count address, unsigned site, unsigned bytes) {             \
        countGlobal(__activemask(), address, site, bytes, kind);                                \
    }
WARPLENS_GLOBAL(warplens_global, load)
WARPLENS_GLOBAL(warplens_global_atomic, atomic)

#define WARPLENS_SHARED(name, bytes, kind)                                                      \
    extern "C" __device__ void name(unsigned address, unsigned site) {                          \
        countShared(__activemask(), address, site, bytes, kind);                                \
    }
WARPLENS_SHARED(warplens_shared_4, 4, load)
WARPLENS_SHARED(warplens_shared_8, 8, load)
WARPLENS_SHARED(warplens_shared_16, 16, load)
WARPLENS_SHARED(warplens_shared_atomic_4, 4, atomic)
WARPLENS_SHARED(warplens_shared_atomic_8, 8, atomic)
WARPLENS_SHARED(warplens_shared_atomic_16, 16, atomic)

// Each lane's address says itself which memory it lies in; local memory is not counted.
__device__ __forceinline__ void countGeneric(unsigned mask, Count address, unsigned site,
                                             unsigned bytes, unsigned kind) {
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
#define WARPLENS_GENERIC(name, kind)                                                            \
    extern "C" __device__ void name(Count address, unsigned site, unsigned bytes) {             \
        countGeneric(__activemask(), address, site, bytes, kind);                               \
    }
WARPLENS_GENERIC(warplens_generic, load)
WARPLENS_GENERIC(warplens_generic_atomic, atomic)

extern "C" __device__ void warplens_branch(unsigned taken, unsigned site) {
    const unsigned mask = __activemask();
    const unsigned going = __ballot_sync(mask, taken != 0);
    if (firstOf(mask) == laneId()) {
        Row& row = rowOf(site, 0);
        atomicAdd(&row.requests, 1ull);
        atomicAdd(&row.lanes, Count(__popc(going)));
        if (going != 0 && going != mask) atomicAdd(&row.divergent, 1ull);
    }
    __syncwarp(mask);
}
