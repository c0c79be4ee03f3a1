// Each thread copies four neighbouring values with one 16-byte load and one 16-byte store.
//
// size n: 4194304, 1 to 2147483647, float4 values copied, 16 bytes each
// array in: in, n
// array out: out, n
// branch inside: the thread has a value to copy
// work: n
// element: x if x < n
// written by: element
// moves: 32 * n
//
// scenario C8: access-float4
// title: Vectorized loads (float4)
// look for: Each lane asks for four neighbouring values in one request.
// block: 256
// figure: memory
// compared with: access-stride
__global__ void copyVector(const float4* in, float4* out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {  // name: inside
        out[i] = in[i];
    }
}
