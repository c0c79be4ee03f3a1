#include <cstdio>
#include <memory>

// One dynamic array, cut by hand into numbers of 8 bytes, of 4 and of 1.
extern __shared__ unsigned char raw[];

__global__ void sumsOfOdd(const float* in, double* out) {
    double* sums = (double*)raw;
    float* values = (float*)(sums + blockDim.x);
    unsigned char* isOdd = (unsigned char*)(values + blockDim.x);
    int t = threadIdx.x;
    values[t] = in[t];  //= load in requests=2 sectors=8 //= shared_store raw requests=2 wavefronts=2
    isOdd[t] = t & 1;   //= shared_store raw requests=2 wavefronts=2
    __syncthreads();
    double sum = 0;
    for (int i = 0; i < blockDim.x; ++i) {
        if (isOdd[i]) sum += values[i];  //= shared_load raw requests=192 wavefronts=192
    }
    sums[t] = sum;  //= shared_store raw requests=2 wavefronts=4
    __syncthreads();
    out[t] = sums[blockDim.x - 1 - t];  //= shared_load raw requests=2 wavefronts=4 //= store out requests=2 sectors=16
}

struct Free {
    template <class T>
    void operator()(T* memory) const {
        cudaFree(memory);
    }
};

template <class T>
std::unique_ptr<T, Free> onDevice(int count) {
    T* memory;
    cudaMalloc(&memory, count * sizeof(T));
    return std::unique_ptr<T, Free>(memory);
}

int main() {
    const int n = 64;
    float in[n];
    double out[n];
    for (int i = 0; i < n; ++i) in[i] = i;
    auto deviceIn = onDevice<float>(n);
    auto deviceOut = onDevice<double>(n);
    cudaMemcpy(deviceIn.get(), in, sizeof in, cudaMemcpyHostToDevice);
    sumsOfOdd<<<1, n, n * (sizeof(double) + sizeof(float) + 1)>>>(deviceIn.get(), deviceOut.get());
    cudaMemcpy(out, deviceOut.get(), sizeof out, cudaMemcpyDeviceToHost);
    for (double sum : out) {
        if (sum != 32 * 32) return 1;
    }
    puts("ok");
}
