// Counts how often each key occurs: every thread adds 1 to its key's counter, in global memory.
//
// size n: 1048576, 1 to 16777216, keys
// size bins: 256, 1 to 1024, counters
// size run: 1, 1 to 1048576, neighbouring keys that are the same
// array keys: in, n, filled with random(element / run, bins)
// array counts: out, bins
// branch inside: the thread has a key to count
// work: n
// element: random(x / run, bins) if x < n
// element is: counter
// moves: 4 * (n + bins)
//
// scenario E10: histogram-global
// title: Histogram: atomics in global memory
// look for: Lanes with the same key add to the same counter, one after another.
// block: 256
// figure: memory
// compared with: histogram-shared
__global__ void histogramGlobal(const int* keys, int* counts, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {  // name: inside
        atomicAdd(&counts[keys[i]], 1);
    }
}
