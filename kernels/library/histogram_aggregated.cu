// Lanes of a warp with the same key find one another, and one of them adds for all.
//
// size n: 1048576, 1 to 16777216, keys
// size bins: 256, 1 to 1024, counters
// size run: 1, 1 to 1048576, neighbouring keys that are the same
// array keys: in, n, filled with random(element / run, bins)
// array counts: out, bins
// branch inside: the thread has a key to count
// branch leads: the lane adds for all that have its key
// block must be: blockDim.y == 1 and blockDim.z == 1, along x alone
// work: n
// element: random(x / run, bins) if x < n
// element is: counter
// moves: 4 * (n + bins)
//
// scenario E12: histogram-aggregated
// title: Histogram: warp-aggregated atomics
// look for: Of the lanes with one key, the first adds for all.
// block: 256
// figure: memory
// compared with: histogram-global
__global__ void histogramAggregated(const int* keys, int* counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {  // name: inside
        int key = keys[i];
        unsigned same = __match_any_sync(__activemask(), key);
        if (threadIdx.x % 32 == __ffs(same) - 1) {  // name: leads
            atomicAdd(&counts[key], __popc(same));
        }
    }
}
