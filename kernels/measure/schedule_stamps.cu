// What a kernel's text is preceded by where its warps take time stamps (schedule_text.h).
namespace warplens_schedule {

typedef unsigned long long Count;

// ScheduleRecords and WarpRecord of schedule_records.h.
struct WarpRecord {
    unsigned sm, stamps;
    Count begin, end;
    Count beginCycle, endCycle;
};
struct Records {
    WarpRecord* warps;
    Count room;
    Count* stamps;
    Count stampRoom;
};
constexpr unsigned mostStamps = 64;

// Cleared as a warp begins; one entry for each warp of the block.
__shared__ unsigned stampCount[32];
// Null for a warp beyond the room for stamps.
__shared__ Count* stampsOfWarp[32];
// What an arrived value is stored to, so that the clock is read after it is there.
__shared__ volatile unsigned arrivals[32];

__device__ __forceinline__ unsigned threadRank() {
    return threadIdx.x + (threadIdx.y + threadIdx.z * blockDim.y) * blockDim.x;
}
// One for all SMs.
__device__ __forceinline__ Count nanoseconds() {
    Count time;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time)::"memory");
    return time;
}
// The SM's own.
__device__ __forceinline__ Count cycles() {
    Count time;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(time)::"memory");
    return time;
}
__device__ __forceinline__ unsigned multiprocessor() {
    unsigned id;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
    return id;
}

// Whether this is the lowest of the lanes that are here together.
__device__ __forceinline__ bool leads(unsigned rank) {
    return rank % 32 == __ffs(__activemask()) - 1;
}
// Taken by the lane that leads: 0 as memory is asked, 1 as it has answered.
__device__ __forceinline__ void stamp(Count what) {
    const unsigned rank = threadRank();
    const Count now = cycles();
    if (!leads(rank)) return;
    const unsigned warp = rank / 32;
    Count* const stamps = stampsOfWarp[warp];
    if (stamps != nullptr && stampCount[warp] < mostStamps) {
        stamps[stampCount[warp]++] = now << 1 | what;
    }
}
__device__ __forceinline__ void asked() { stamp(0); }
// The lane that leads stores it; a warp's instruction waits until its operand is there for every
// lane.
__device__ __forceinline__ void arrived(unsigned bits) {
    const unsigned rank = threadRank();
    if (leads(rank)) arrivals[rank / 32] = bits;
    stamp(1);
}
__device__ __forceinline__ void arrived(int value) { arrived((unsigned)value); }
__device__ __forceinline__ void arrived(float value) { arrived(__float_as_uint(value)); }
__device__ __forceinline__ void arrived(float4 value) { arrived(value.x); }

// Runs `body` with a record for its warp around it.
template <class Body>
__device__ __forceinline__ void scheduled(const Records& records, const Body& body) {
    const unsigned rank = threadRank();
    const unsigned warp = rank / 32;
    const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
    const Count block = blockIdx.x + (blockIdx.y + (Count)blockIdx.z * gridDim.y) * gridDim.x;
    const Count at = block * ((threads + 31) / 32) + warp;
    const unsigned inWarp = min(32u, threads - warp * 32);
    const unsigned mask = inWarp == 32 ? ~0u : (1u << inWarp) - 1;
    if (rank % 32 == 0) {
        stampCount[warp] = 0;
        stampsOfWarp[warp] = at < records.stampRoom ? records.stamps + at * mostStamps : nullptr;
    }
    __syncwarp(mask);
    WarpRecord record{multiprocessor(), 0, nanoseconds(), 0, cycles(), 0};

    body();

    __syncwarp(mask);
    if (rank % 32 != 0 || at >= records.room) return;
    record.endCycle = cycles();
    record.end = nanoseconds();
    record.stamps = at < records.stampRoom ? stampCount[warp] : 0;
    records.warps[at] = record;
}

}  // namespace warplens_schedule
