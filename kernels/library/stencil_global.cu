// Each thread adds up the 2 * radius + 1 cells around one place and reads all of them from global
// memory. The line of cells is `radius` longer at both ends, so that every sum is whole.
//
// size n: 4194304, 1 to 2147483647, sums to write
// size radius: 4, 1 to 16, cells to each side
// array in: in, n + 2 * radius
// array out: out, n
// branch inside: the thread has a sum to write
// work: n
// element: x if x < n
// written by: element
// moves: 4 * (n + 2 * radius) + 4 * n
// computes: (2 * radius + 1) * n
// steps: 2 * radius + 1
//
// scenario E8: stencil-global
// title: Stencil from global memory
// look for: Neighbouring threads read almost the same cells, each for itself.
// block: 256
// figure: memory
// compared with: stencil-halo
__global__ void stencilGlobal(const float* in, float* out, int n, int radius) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {  // name: inside
        float sum = 0.0f;
        for (int k = 0; k <= 2 * radius; ++k) {  // step: k
            sum += in[i + k];
        }
        out[i] = sum;
    }
}
