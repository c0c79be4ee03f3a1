// Each thread adds up values a whole grid apart: ask for one, wait until it is there, use it, go
// on. What hides the wait is other warps of the same SM.
//
// size n: 16777216, 1 to 268435456, float4 values read, 16 bytes each
// size work: 0, 0 to 65536, multiply-adds on each value, one waiting for the other
// array in: in, n
// array sums: out, gridDim.x * blockDim.x
// branch more: the thread has another value to read
// grid must be: gridDim.x * blockDim.x <= 1073741824,
//   at most 1073741824 threads along x, the kernel steps a grid ahead with int
// element: x
// written by: element
// moves: 16 * n + 4 * gridDim.x * blockDim.x
// computes: n * (4 + 2 * work)
// steps: (n / (gridDim.x * blockDim.x) + 1) * (4 + work)
//
// scenario F1: latency-hiding
// title: Latency hiding
// look for: While one warp waits for memory, another can compute.
// block: 64
// figure: schedule
// grid: 1056
// compared with: block-placement
//
// scenario F2: block-placement
// title: Block scheduling
// look for: Blocks start as SMs have room, in an order that changes from launch to launch.
// block: 256
// figure: schedule
// grid: 2640
// compared with: latency-hiding
__global__ void sumInRounds(const float4* in, float* sums, int n, int work) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    int i = thread;
    float sum = 0.0f;
    #pragma unroll 1
    while (i < n) {  // name: more, step: i
        float4 value = in[i];
        sum += (value.x + value.y) + (value.z + value.w);
        #pragma unroll 1
        for (int k = 0; k < work; ++k) {  // only computes
            sum = fmaf(sum, 0.875f, 0.5f);
        }
        i += threads;
    }
    sums[thread] = sum;
}
