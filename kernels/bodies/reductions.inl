// Each block adds up its values in shared memory. Partners are `stride` apart and stride doubles, so
// the threads that work lie ever further apart.
KERNEL reduceInterleaved(ARRAY(const float) in, ARRAY(float) sums, int n) {
    SHARED_1D(float, values, 1024);
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float value = 0.0f;
    if (BRANCH(inside, i < n)) {
        value = in[i];
    }
    values[t] = value;
    __syncthreads();
    for (int stride = 1; stride < (int)blockDim.x; stride *= 2) {
        ROUND(stride);
        if (BRANCH(works, t % (2 * stride) == 0)) {
            values[t] += values[t + stride];
        }
        __syncthreads();
    }
    if (BRANCH(first, t == 0)) {
        sums[blockIdx.x] = values[0];
    }
}

// The same sum with stride halving: the threads that work stay side by side, whole warps fall idle.
KERNEL reduceSequential(ARRAY(const float) in, ARRAY(float) sums, int n) {
    SHARED_1D(float, values, 1024);
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    float value = 0.0f;
    if (BRANCH(inside, i < n)) {
        value = in[i];
    }
    values[t] = value;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        ROUND(stride);
        if (BRANCH(works, t < stride)) {
            values[t] += values[t + stride];
        }
        __syncthreads();
    }
    if (BRANCH(first, t == 0)) {
        sums[blockIdx.x] = values[0];
    }
}
