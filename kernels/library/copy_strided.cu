// Neighbouring threads read values `stride` apart and write them side by side.
//
// size n: 16777216, 1 to 2147483647, values copied
// size stride: 2, 1 to 1048576, distance between the values neighbouring threads read
// array in: in, (n - 1) * stride + 1
// array out: out, n
// branch inside: the thread has a value to copy
// work: n
// element: x if x < n
// written by: element
// moves: 8 * n
//
// scenario C6: access-stride
// title: Strided reads
// look for: The stride says how far apart the values of neighbouring lanes lie.
// block: 256
// figure: memory
// compared with: access-offset
__global__ void copyStrided(const float* in, float* out, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {  // name: inside
        out[i] = in[i * stride];
    }
}
