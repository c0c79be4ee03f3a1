// The odd and even arms, given to whole warps in turn.
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
// scenario D2: branch-by-warp
// title: Branch by whole warps
// look for: The same two arms, taken by 32 neighbours in turn.
// block: 64
// figure: branches
// compared with: branch-odd-even
__global__ void branchByWarp(float* c, int n) {
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
