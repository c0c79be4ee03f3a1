// An array whose index is known only at run time cannot stay in registers: it lies in local memory.
// Each thread adds up its 16 values with weights, beginning at a place of its own.
KERNEL arrayInLocalMemory(ARRAY(const float) in, ARRAY(float) out, int n, int shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (BRANCH(inside, i < n)) {
        float values[16];
        float value = in[i];
        for (int k = 0; k < 16; ++k) {
            values[k] = value;
            value = fmaf(value, 0.875f, 0.5f);
        }
        int start = (i + shift) % 16;
        float sum = 0.0f;
        for (int k = 0; k < 16; ++k) {
            sum = fmaf(sum, 0.75f, values[(start + k) % 16]);
        }
        out[i] = sum;
    }
}

// The same sum with every index known to the compiler: the values are turned to their places by
// choosing between two registers, in steps of 1, 2, 4 and 8.
KERNEL arrayInRegisters(ARRAY(const float) in, ARRAY(float) out, int n, int shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (BRANCH(inside, i < n)) {
        float values[16];
        float value = in[i];
        #pragma unroll
        for (int k = 0; k < 16; ++k) {
            values[k] = value;
            value = fmaf(value, 0.875f, 0.5f);
        }
        int start = (i + shift) % 16;
        #pragma unroll
        for (int step = 1; step < 16; step *= 2) {
            float turned[16];
            #pragma unroll
            for (int k = 0; k < 16; ++k) {
                turned[k] = (start & step) != 0 ? values[(k + step) % 16] : values[k];
            }
            #pragma unroll
            for (int k = 0; k < 16; ++k) {
                values[k] = turned[k];
            }
        }
        float sum = 0.0f;
        #pragma unroll
        for (int k = 0; k < 16; ++k) {
            sum = fmaf(sum, 0.75f, values[k]);
        }
        out[i] = sum;
    }
}
