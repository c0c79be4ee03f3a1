// Each thread adds up values a whole grid apart: ask for one, wait until it is there, use it, go on.
// What hides the wait is other warps of the same SM.
KERNEL sumInRounds(ARRAY(const float4) in, ARRAY(float) sums, int n, int work) {
    int thread = blockIdx.x * blockDim.x + threadIdx.x;
    int threads = gridDim.x * blockDim.x;
    int i = thread;
    float sum = 0.0f;
    #pragma unroll 1
    WHILE(more, i < n) {
        ROUND(i);
        float4 value = in[i];
        ARRIVED(value.x);
        sum += (value.x + value.y) + (value.z + value.w);
        #pragma unroll 1
        for (int k = 0; k < work; ++k) {
            sum = fmaf(sum, 0.875f, 0.5f);
        }
        i += threads;
    }
    sums[thread] = sum;
}
