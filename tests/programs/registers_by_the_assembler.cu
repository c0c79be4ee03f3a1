#include <cstdio>

// How many blocks fit on an SM depends on registers, which only the assembler knows.
__global__ void many(const float* in, float* out) {
    int t = threadIdx.x;
    float v[48];
    for (int i = 0; i < 48; ++i) v[i] = in[t + i * 64];
    float sum = 0;
    for (int round = 0; round < 3; ++round) {
        for (int i = 0; i < 48; ++i) {
            v[i] = v[i] * v[(i + 7) % 48] + v[(i * 5 + round) % 48];
            sum += v[i];
        }
    }
    for (int i = 0; i < 48; ++i) out[t + i * 64] = v[i] * sum;
}

__global__ void few(float* out) {
    out[threadIdx.x] = 1;  //= store out requests=2 sectors=8
}

int main() {
    cudaFuncAttributes ofMany{}, ofFew{};
    cudaFuncGetAttributes(&ofMany, many);
    cudaFuncGetAttributes(&ofFew, few);
    int blocksOfMany = 0, blocksOfFew = 0;
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocksOfMany, many, 1024, 0);
    cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocksOfFew, few, 1024, 0);
    const bool areTheirs = ofMany.numRegs > 40 && ofFew.numRegs < 20;
    if (!areTheirs || blocksOfMany != 1 || blocksOfFew != 2) {
        std::printf("%d and %d registers, %d and %d blocks\n", ofMany.numRegs, ofFew.numRegs,
                    blocksOfMany, blocksOfFew);
        return 1;
    }
    float *in, *out;
    cudaMalloc(&in, 48 * 64 * sizeof(float));
    cudaMalloc(&out, 48 * 64 * sizeof(float));
    cudaMemset(in, 0, 48 * 64 * sizeof(float));
    many<<<1, 64>>>(in, out);
    few<<<1, 64>>>(out);
    if (cudaDeviceSynchronize() == cudaSuccess) std::printf("ok\n");
    cudaFree(in);
    cudaFree(out);
}
