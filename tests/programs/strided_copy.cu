#include <cstdio>
#include <vector>

template <int STRIDE>
__global__ void copy(const int* in, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    out[i] = in[i * STRIDE];  //= load in requests=16 sectors=288 //= store out requests=16 sectors=64
}

int main() {
    std::vector<int> h(256 * 32);
    for (int i = 0; i < (int)h.size(); ++i) h[i] = i;
    int *in, *out;
    cudaMallocManaged(&in, h.size() * sizeof(int));
    cudaMalloc((void**)&out, 256 * sizeof(int));
    cudaMemcpy(in, h.data(), h.size() * sizeof(int), cudaMemcpyDefault);
    int got[256];
    copy<32><<<2, 128>>>(in, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 256; ++i) {
        if (got[i] != i * 32) return 1;
    }
    copy<1><<<2, 128>>>(in, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    for (int i = 0; i < 256; ++i) {
        if (got[i] != i) return 1;
    }
    puts("ok");
}
