// Each block counts in counters of its own, in shared memory, and adds them to those in global
// memory once, at its end.
//
// size n: 1048576, 1 to 16777216, keys
// size bins: 256, 1 to 1024, counters
// size each: 16, 1 to 1024, keys that a thread counts
// size run: 1, 1 to 1048576, neighbouring keys that are the same
// array keys: in, n, filled with random(element / run, bins)
// array counts: out, bins
// branch inside: the thread has a key to count in this round
// block must be: blockDim.y == 1 and blockDim.z == 1, along x alone
// work: ceil_div(n, each)
// element: threadIdx.x if threadIdx.x < bins
// element is: counter
// moves: 4 * (n + bins)
// steps: each
//
// scenario E11: histogram-shared
// title: Histogram: atomics in shared memory
// look for: Most of the counting stays in the block; what is left is added at the end.
// block: 256
// figure: memory
// compared with: histogram-global
__global__ void histogramShared(const int* keys, int* counts, int n, int bins, int each) {
    __shared__ int own[1024];
    for (int k = threadIdx.x; k < bins; k += blockDim.x) {
        own[k] = 0;
    }
    __syncthreads();
    for (int round = 0; round < each; ++round) {  // step: round
        int i = (blockIdx.x * each + round) * blockDim.x + threadIdx.x;
        if (i < n) {  // name: inside
            atomicAdd(&own[keys[i]], 1);
        }
    }
    __syncthreads();
    for (int k = threadIdx.x; k < bins; k += blockDim.x) {
        atomicAdd(&counts[k], own[k]);
    }
}
