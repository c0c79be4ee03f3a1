// Kernels with a fault each, and right ones close to it (..Right); make_ptx.sh makes their PTX.

// Races in shared memory.
__global__ void sharedAcrossWarps(int* out) {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void sharedAcrossWarpsRight(int* out) {
    __shared__ int s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void sharedWithinWarp(int* out) {
    __shared__ int s[32];
    s[threadIdx.x] = threadIdx.x;
    out[threadIdx.x] = s[31 - threadIdx.x];
}
__global__ void sharedReadThenStored(int* out) {
    __shared__ int s[64];
    s[threadIdx.x] = s[threadIdx.x + 32] = threadIdx.x;
    __syncwarp();
    for (int d = 16; d > 0; d /= 2) s[threadIdx.x] += s[threadIdx.x + d];
    out[threadIdx.x] = s[threadIdx.x];
}
__global__ void sharedWithinWarpRight(int* out) {
    __shared__ int s[64];
    int x = threadIdx.x;
    s[x + 32] = s[x] = x;
    __syncwarp();
    for (int d = 16; d > 0; d /= 2) {
        x += s[threadIdx.x + d];
        __syncwarp();
        s[threadIdx.x] = x;
        __syncwarp();
    }
    out[threadIdx.x] = x;
}
__global__ void halvesOfWarpRight(int* out) {
    __shared__ int s[32];
    const unsigned half = threadIdx.x < 16 ? 0xffffu : 0xffff0000u;
    s[threadIdx.x] = threadIdx.x;
    __syncwarp(half);
    const int first = s[threadIdx.x & 16];
    __syncwarp(half);
    if ((threadIdx.x & 15) == 0) s[threadIdx.x] = 7;
    __syncwarp(half);
    out[threadIdx.x] = first + s[threadIdx.x & 16];
}
__global__ void halvesOfWarpWithoutEachOther(int* out) {
    __shared__ int s[32];
    const unsigned half = threadIdx.x < 16 ? 0xffffu : 0xffff0000u;
    s[threadIdx.x] = threadIdx.x;
    __syncwarp(half);
    out[threadIdx.x] = s[threadIdx.x ^ 16];
}
__global__ void bytesSideBySideRight(int* out) {
    __shared__ unsigned char s[64];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = s[63 - threadIdx.x];
}
__global__ void volatileWithinWarp(int* out) {
    __shared__ volatile int s[64];
    s[threadIdx.x] = threadIdx.x;
    s[threadIdx.x + 32] = 0;
    s[threadIdx.x] = s[threadIdx.x] + s[threadIdx.x + 16];
    out[threadIdx.x] = s[threadIdx.x];
}
__global__ void sameValueRight(int* out) {
    __shared__ int found;
    found = 1;
    __syncthreads();
    out[threadIdx.x] = found;
}
__global__ void differentValues(int* out) {
    __shared__ int last;
    last = threadIdx.x;
    __syncthreads();
    out[threadIdx.x] = last;
}
__global__ void atomicThenLoad(int* out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    atomicAdd(&count, 1);
    out[threadIdx.x] = count;
}
__global__ void atomicThenLoadRight(int* out) {
    __shared__ int count;
    if (threadIdx.x == 0) count = 0;
    __syncthreads();
    atomicAdd(&count, 1);
    __syncthreads();
    out[threadIdx.x] = count;
}
// Memory that nobody wrote.
__global__ void uninitialised(int* out) {
    __shared__ int s[64];
    if (threadIdx.x < 32) s[threadIdx.x] = 1;
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
__global__ void copy(int* out, const int* in, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = in[i];
}
// Races in global memory within a block.
__global__ void histogram(int* bins, const int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) bins[data[i]]++;
}
__global__ void histogramRight(int* bins, const int* data, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) atomicAdd(&bins[data[i]], 1);
}
__global__ void sum(int* total, const int* x) {
    *total += x[threadIdx.x];
}
__global__ void increment(int* b) {
    b[0]++;
}
__global__ void incrementByOneRight(int* b) {
    if (threadIdx.x == 0) b[0]++;
}
__global__ void shift(int* a) {
    a[threadIdx.x] = a[threadIdx.x + 1];
}
__global__ void shiftRight(int* a) {
    const int x = a[threadIdx.x + 1];
    __syncthreads();
    a[threadIdx.x] = x;
}
__global__ void tree(int* a) {
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (threadIdx.x < d) a[threadIdx.x] += a[threadIdx.x + d];
    }
}
__global__ void treeRight(int* a) {
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        if (threadIdx.x < d) a[threadIdx.x] += a[threadIdx.x + d];
        __syncthreads();
    }
}
__global__ void swapInBlocksRight(int* a) {
    const int from = blockIdx.x * blockDim.x;
    const int x = a[from + blockDim.x - 1 - threadIdx.x];
    __syncthreads();
    a[from + threadIdx.x] = x;
}
// Between blocks.
__global__ void neighbours(int* a, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    const int x = a[(i + 1) % n];
    __syncthreads();
    a[i] = x;
}
__global__ void lastBlockRight(int* partial, int* out, unsigned* ticket) {
    __shared__ bool isLast;
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = blockIdx.x;
        __threadfence();
        isLast = atomicAdd(ticket, 1) == gridDim.x - 1;
    }
    __syncthreads();
    if (isLast && threadIdx.x == 0) {
        int all = 0;
        for (int i = 0; i < gridDim.x; ++i) all += partial[i];
        *out = all;
    }
}
__global__ void largestRight(int* most, const int* x) {
    int old = *most;
    while (old < x[threadIdx.x]) {
        const int seen = atomicCAS(most, old, x[threadIdx.x]);
        if (seen == old) break;
        old = seen;
    }
}
__global__ void lockRight(int* lock, int* total) {
    bool done = false;
    while (!done) {
        if (atomicCAS(lock, 0, 1) == 0) {
            __threadfence();
            *total += 1;
            __threadfence();
            atomicExch(lock, 0);
            done = true;
        }
    }
}
// Elements that no thread reaches.
__global__ void image(float* pixels, int width, int height) {
    const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) pixels[y * width + x] = x;
}
// The rest.
__global__ void divide(int* out, const int* by) {
    out[threadIdx.x] = 100 / by[threadIdx.x];
}
__global__ void divideRight(int* out, const int* by) {
    out[threadIdx.x] = by[threadIdx.x] == 0 ? 0 : 100 % by[threadIdx.x];
}
__global__ void endless(int* out) {
    int x = 1;
    while (x != 0) x |= 2;
    out[threadIdx.x] = x;
}
__global__ void barrierInBranch(int* out) {
    if (threadIdx.x < 16) __syncthreads();
    out[threadIdx.x] = 1;
}
__global__ void barrierOfWholeWarpsRight(int* out) {
    if (threadIdx.x >= 32) return;
    __syncthreads();
    out[threadIdx.x] = 1;
}
__global__ void shuffleInHalf(int* out) {
    int x = threadIdx.x;
    if (threadIdx.x < 16) x = __shfl_sync(0xffffffffu, x, 0);
    out[threadIdx.x] = x;
}
__global__ void shuffleInHalfRight(int* out) {
    int x = threadIdx.x;
    if (threadIdx.x < 16) x = __shfl_sync(0xffffu, x, 0);
    out[threadIdx.x] = x;
}
__global__ void shuffleInTail(int* out) {
    if (threadIdx.x >= 11) return;
    int x = threadIdx.x;
    x += __shfl_down_sync(0xffffffffu, x, 8);
    out[threadIdx.x] = x;
}
__global__ void shuffleInTailRight(int* out) {
    if (threadIdx.x >= 11) return;
    int x = threadIdx.x;
    x += __shfl_up_sync(0xffffffffu, x, 8);
    out[threadIdx.x] = x;
}
__global__ void othersLocal(int* out) {
    __shared__ int* whose;
    int mine[2] = {1, 2};
    mine[threadIdx.x & 1] = threadIdx.x;
    if (threadIdx.x == 0) whose = mine;
    __syncwarp();
    out[threadIdx.x] = whose[threadIdx.x & 1];
}
// An atomic reads a neighbour's element, and its own.
__global__ void atomicOfNeighbours(int* out) {
    __shared__ int s[96];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    if (threadIdx.x >= 32) atomicAdd(&s[threadIdx.x], s[threadIdx.x - 32]);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
__global__ void atomicOfOwn(int* out) {
    __shared__ int s[96];
    s[threadIdx.x] = threadIdx.x;
    __syncthreads();
    atomicAdd(&s[threadIdx.x], s[threadIdx.x]);
    __syncthreads();
    int old;
    do {
        old = s[0];
    } while (atomicCAS(&s[0], old, old + 1) != old);
    __syncthreads();
    out[threadIdx.x] = s[threadIdx.x];
}
