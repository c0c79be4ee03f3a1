// What a profiler's first launch is spent on: the whole-warp branch, under a name of its own.
//
// size n: 64, 1 to 2147483647, threads with work, one value each
// array c: out, n
// branch inside: the thread has a value of its own
// branch even_warp: the thread's warp has an even rank in the grid
// work: n
// element: x if x < n
// written by: element
// moves: 4 * n
//
// scenario D4: warmup
// title: Warm-up launch
// look for: The whole-warp branch again, so that the runs after it find everything loaded.
// block: 64
// figure: branches
// compared with: branch-by-warp
__global__ void branchWarmUp(float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {  // name: inside
        float x = 0.0f;
        float y = 0.0f;
        if ((i / 32) % 2 == 0) {  // name: even_warp
            x = 100.0f;
        } else {
            y = 200.0f;
        }
        c[i] = x + y;
    }
}
