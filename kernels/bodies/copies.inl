// Neighbouring threads read values `stride` apart and write them side by side.
KERNEL copyStrided(ARRAY(const float) in, ARRAY(float) out, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (BRANCH(inside, i < n)) {
        out[i] = in[i * stride];
    }
}

// Neighbouring threads read neighbouring values, the first of them `offset` values in.
KERNEL copyOffset(ARRAY(const float) in, ARRAY(float) out, int n, int offset) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (BRANCH(inside, i < n)) {
        out[i] = in[i + offset];
    }
}

// Each thread copies four neighbouring values with one 16-byte load and one 16-byte store.
KERNEL copyVector(ARRAY(const float4) in, ARRAY(float4) out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (BRANCH(inside, i < n)) {
        out[i] = in[i];
    }
}
