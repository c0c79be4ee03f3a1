// Neighbouring threads read neighbouring values, the first of them `offset` values in.
//
// size n: 16777216, 1 to 2147483647, values copied
// size offset: 1, 0 to 1048576, values skipped before the first one read
// array in: in, n + offset
// array out: out, n
// branch inside: the thread has a value to copy
// work: n
// element: x if x < n
// written by: element
// moves: 8 * n
//
// scenario C5: access-aligned
// title: Aligned reads
// look for: Lane after lane reads value after value: count the sectors that they lie in.
// block: 256
// figure: memory
// set offset: 0
// compared with: access-offset
//
// scenario C7: access-offset
// title: Misaligned reads
// look for: Neighbouring values need not begin where a sector does.
// block: 256
// figure: memory
// compared with: access-stride
__global__ void copyOffset(const float* in, float* out, int n, int offset) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {  // name: inside
        out[i] = in[i + offset];
    }
}
