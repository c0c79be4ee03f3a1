#include <cstdio>

struct Add {
    template <class T>
    __device__ T operator()(T a, T b) const {
        return a + b;
    }
};
struct Larger {
    template <class T>
    __device__ T operator()(T a, T b) const {
        return a > b ? a : b;
    }
};

template <class T, class Operation, int BLOCK>
__global__ void reduce(const T* in, T* out, Operation operation) {
    __shared__ T s[BLOCK];
    s[threadIdx.x] = in[blockIdx.x * BLOCK + threadIdx.x];
    __syncthreads();
    for (int half = BLOCK / 2; half > 0; half /= 2) {
        if (threadIdx.x < half) s[threadIdx.x] = operation(s[threadIdx.x], s[threadIdx.x + half]);
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

template <class T, class Operation>
T reduced(const T* host, int n, Operation operation) {
    T *in, *out, got;
    cudaMalloc(&in, n * sizeof(T));
    cudaMalloc(&out, sizeof(T));
    cudaMemcpy(in, host, n * sizeof(T), cudaMemcpyHostToDevice);
    reduce<T, Operation, 64><<<1, 64>>>(in, out, operation);
    cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(out);
    return got;
}

int main() {
    int whole[64];
    double broken[64];
    for (int i = 0; i < 64; ++i) {
        whole[i] = i;
        broken[i] = (i * 37 % 64) * 0.5;
    }
    if (reduced(whole, 64, Add()) != 2016) return 1;
    if (reduced(broken, 64, Larger()) != 31.5) return 1;
    puts("ok");
}
