#include <cmath>
#include <cstdio>
#include <cstdlib>

// Blocks that do very different amounts of work: as FAMILY says, and from SEED on. sampled_test.cpp runs it many times.
__global__ void gather(float* out, const float* in, const int* rounds, int n) {
    int t = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < rounds[blockIdx.x]; ++i) {
        sum += in[(blockIdx.x * 37 + i * 64 + t * (1 + i % 3)) % n];
    }
    out[blockIdx.x * blockDim.x + t] = sum;
}

double uniform(unsigned long long& state) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return ((state >> 33) + 0.5) / double(1ull << 31);
}

int roundsOf(int family, int block, int blocks, unsigned long long& state) {
    const double u = uniform(state);
    switch (family) {
        case 0: return 10 + block % 3;
        case 1: return int(4 * exp(sqrt(-2 * log(u)) * cos(6.2831853 * uniform(state))));
        case 2: return int(3 / pow(u, 0.6));
        case 3: return u < 0.01 ? 500 : 5;
        case 4: return u < 0.1 ? 60 : 6;
        case 5: return block == blocks / 3 ? 2000 : 4;
        case 6: return block * 40 / blocks;
        case 7: return int(-8 * log(u));
        case 8: return block < blocks / 50 ? 200 : 4;
        default: return int(65 * pow(u, 8));
    }
}

int main(int count, char** words) {
    const int family = count > 1 ? atoi(words[1]) : 0;
    unsigned long long state = count > 2 ? atoi(words[2]) : 1;
    const int blocks = count > 3 ? atoi(words[3]) : 64;
    const int n = 1 << 20;
    int* host = new int[blocks];
    for (int i = 0; i < blocks; ++i) {
        const int rounds = roundsOf(family, i, blocks, state);
        host[i] = rounds < 5000 ? rounds : 5000;
    }
    float *in, *out;
    int* rounds;
    cudaMalloc(&in, n * sizeof(float));
    cudaMalloc(&out, blocks * 32 * sizeof(float));
    cudaMalloc(&rounds, blocks * sizeof(int));
    cudaMemset(in, 0, n * sizeof(float));
    cudaMemcpy(rounds, host, blocks * sizeof(int), cudaMemcpyHostToDevice);
    gather<<<blocks, 32>>>(out, in, rounds, n);
    cudaDeviceSynchronize();
    cudaFree(in);
    cudaFree(out);
    cudaFree(rounds);
    delete[] host;
    puts("ok");
}
