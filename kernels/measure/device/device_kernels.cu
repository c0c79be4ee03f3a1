// The worker's own kernels. NVRTC compiles them for the device at hand; each is launched by its
// name (device_kernels.h).
typedef unsigned long long Count;

// What every input array holds: core/kernel/input_data.h says the same for the host, and every
// checked result holds both together.
__device__ float inputValue(unsigned array, Count index) {
    unsigned h = (unsigned)index + 0x9e3779b9u * (array + 1);
    h ^= h >> 16;
    h *= 0x85ebca6bu;
    h ^= h >> 13;
    h *= 0xc2b2ae35u;
    h ^= h >> 16;
    return (h >> 8) * 0x1p-24f;
}

extern "C" __global__ void fillInput(float* values, Count count, unsigned array) {
    const Count threads = (Count)gridDim.x * blockDim.x;
    for (Count i = (Count)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
        values[i] = inputValue(array, i);
    }
}

// Reads `count` values of 16 bytes; stores nothing unless they add up to what zeros do not.
extern "C" __global__ void readAll(uint4* data, Count count) {
    const Count threads = (Count)gridDim.x * blockDim.x;
    unsigned sum = 0;
    for (Count i = (Count)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
        const uint4 value = data[i];
        sum |= value.x | value.y | value.z | value.w;
    }
    if (sum != 0) data[0].x = sum;
}

extern "C" __global__ void gather(const unsigned* from, const Count* places, unsigned* to,
                                  Count count) {
    const Count threads = (Count)gridDim.x * blockDim.x;
    for (Count i = (Count)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
        to[i] = from[places[i]];
    }
}

// Multiply-adds in registers, and nothing else worth mentioning: `rounds` for each of eight chains
// of a thread, enough that none waits for its own last result.
extern "C" __global__ void multiplyAdd(float* out, float factor, float term, int rounds) {
    float values[8];
    #pragma unroll
    for (int c = 0; c < 8; ++c) values[c] = (float)(threadIdx.x + c);
    #pragma unroll 16
    for (int r = 0; r < rounds; ++r) {
        #pragma unroll
        for (int c = 0; c < 8; ++c) values[c] = fmaf(values[c], factor, term);
    }
    float sum = 0.0f;
    #pragma unroll
    for (int c = 0; c < 8; ++c) sum += values[c];
    // Never so, which the compiler cannot know: the work has to be done, the store has not.
    if (sum == -1.0f) out[threadIdx.x] = sum;
}

// What one thread saw of itself.
struct MappingRecord {
    unsigned short lane, firstThread;
};

// Each thread reports the lane that the hardware gives it and its warp's first thread, asked of that
// one itself. The rule: threads count along x, then y, then z; every 32 of them are a warp.
extern "C" __global__ void reportMapping(MappingRecord* records, Count room, Count* threads,
                                         Count* mismatches) {
    const unsigned perBlock = blockDim.x * blockDim.y * blockDim.z;
    const unsigned rank = threadIdx.x + (threadIdx.y + threadIdx.z * blockDim.y) * blockDim.x;
    unsigned lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    // All lanes are here together at the start of a kernel; lane 0 always exists.
    const unsigned first = __shfl_sync(__activemask(), rank, 0);
    const Count block = blockIdx.x + (blockIdx.y + (Count)blockIdx.z * gridDim.y) * gridDim.x;
    const Count at = block * perBlock + rank;
    if (at < room) records[at] = {(unsigned short)lane, (unsigned short)first};
    const bool wrong = lane != rank % 32 || first != rank - rank % 32;
    const int wrongInBlock = __syncthreads_count(wrong);
    if (rank == 0) {
        atomicAdd(threads, (Count)perBlock);
        if (wrongInBlock != 0) atomicAdd(mismatches, (Count)wrongInBlock);
    }
}
