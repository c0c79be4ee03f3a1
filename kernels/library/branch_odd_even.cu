// Every warp holds even and odd threads, so every warp needs both arms.
//
// size n: 64, 1 to 2147483647, threads with work, one value each
// array c: out, n
// branch inside: the thread has a value of its own
// branch even: the thread's index is even
// work: n
// element: x if x < n
// written by: element
// moves: 4 * n
//
// scenario D1: branch-odd-even
// title: Divergent branch: odd and even threads
// look for: Even threads take one arm, odd ones the other: compare the source with what ran.
// block: 64
// figure: branches
// compared with: branch-by-warp
__global__ void branchOddEven(float* c, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {  // name: inside
        float x = 0.0f;
        float y = 0.0f;
        if (i % 2 == 0) {  // name: even
            x = 100.0f;
        } else {
            y = 200.0f;
        }
        c[i] = x + y;
    }
}
