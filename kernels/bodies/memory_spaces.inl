// An array whose index is known only at run time cannot stay in registers: it lies in local memory.
KERNEL arrayInLocalMemory(ARRAY(const float) in, ARRAY(float) out, int n, int shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (BRANCH(inside, i < n)) {
        float values[16];
        float value = in[i];
        for (int k = 0; k < 16; ++k) {
            values[k] = value + k;
        }
        out[i] = values[(i + shift) % 16];
    }
}

// The same pick from an array whose every index is known to the compiler.
KERNEL arrayInRegisters(ARRAY(const float) in, ARRAY(float) out, int n, int shift) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (BRANCH(inside, i < n)) {
        float values[16];
        float value = in[i];
        #pragma unroll
        for (int k = 0; k < 16; ++k) {
            values[k] = value + k;
        }
        float picked = values[0];
        #pragma unroll
        for (int k = 1; k < 16; ++k) {
            if ((i + shift) % 16 == k) picked = values[k];
        }
        out[i] = picked;
    }
}
