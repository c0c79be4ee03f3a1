// A program whose end says that its results are wrong, with no fault: what may be why is told.
#include <cstdio>

struct Row {
    const int* values;
    int count;
    __device__ int at(int i) const { return values[i]; }
};

// 96 halves to 3, and 3 to 1: the third of them is added to nothing.
__global__ void halves(const int* in, int* out) {
    __shared__ int s[96];
    s[threadIdx.x] = in[blockIdx.x * blockDim.x + threadIdx.x];
    __syncthreads();
    for (int h = blockDim.x / 2; h > 0; h /= 2) {
        if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];  //! may_be_why: shared s[2] is stored here and not read after that, though others of s are, in line 19
        __syncthreads();
    }
    if (threadIdx.x == 0) out[blockIdx.x] = s[0];
}

// More bins than threads.
__global__ void bins(const int* in, int n, int* out) {
    __shared__ int count[256];
    for (int i = threadIdx.x; i < 256; i += blockDim.x) count[i] = 0;
    __syncthreads();
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        atomicAdd(&count[in[i] & 255], 1);  //! may_be_why: shared count[128] to count[255] are stored here and not read after that, though others of count are, in line 30
    __syncthreads();
    atomicAdd(&out[threadIdx.x], count[threadIdx.x]);
}

__global__ void everyFourth(const int* few, int* out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i % 4 != 3) out[i] = few[i];  //! may_be_why: no thread reads or writes few[3], and 15 more, though 48 others are
}

__global__ void sums(Row row, int* out) {
    int sum, unused;
    for (int i = 0; i < row.count; ++i) sum += row.at(i);  //! may_be_why: sum is changed here before it has a value: line 39 gives it none
    unused = threadIdx.x;
    out[unused] = sum;
}

// What other threads store is in arrays of their own.
__global__ void reversed(const int* in, int* out) {
    int part[32], four[4];
    part[threadIdx.x] = in[threadIdx.x];  //! may_be_why: part of line 47 is no shared array: each thread has one of its own
    for (int i = 0; i < 4; ++i) four[i] = 0;
    four[in[threadIdx.x] & 3] += 1;
    __syncthreads();
    out[threadIdx.x] = part[31 - threadIdx.x] + four[0];
}

// The last threads of a row are in the next one.
__global__ void rows(const int* in, int* out, int width) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    out[y * width + x] = in[y * width + x];  //! may_be_why: a row of out ends at x = 29, as width is 30, and threads go on to x = 31
}

// Nothing of these is wrong: all that is stored is read, by others or by the thread itself.
__global__ void fine(const int* in, int* out) {
    __shared__ int s[64];
    int sum = 0, last;
    s[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    for (int h = 32; h > 0; h /= 2) {
        if (threadIdx.x < h) s[threadIdx.x] += s[threadIdx.x + h];
        __syncthreads();
    }
    last = s[0];
    sum += last;
    if (threadIdx.x == 0) out[0] = sum;
}

int main() {
    int host[960], *in, *few, *out;
    for (int i = 0; i < 960; ++i) host[i] = i;
    cudaMalloc(&in, sizeof host);
    cudaMalloc(&few, 64 * sizeof *few);
    cudaMalloc(&out, 128 * sizeof *out);
    cudaMemcpy(in, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(few, host, 64 * sizeof *few, cudaMemcpyHostToDevice);
    cudaMemset(out, 0, 128 * sizeof *out);
    halves<<<10, 96>>>(in, out);
    bins<<<1, 128>>>(in, 960, out);
    everyFourth<<<2, 32>>>(few, out);
    sums<<<1, 32>>>({in, 960}, out);
    reversed<<<1, 32>>>(in, out);
    rows<<<dim3(2, 2), 16>>>(in, out, 30);
    fine<<<1, 64>>>(in, out);
    cudaMemcpy(host, out, 128 * sizeof *out, cudaMemcpyDeviceToHost);
    cudaFree(in);
    cudaFree(few);
    cudaFree(out);
    printf("it is wrong\n");
    return 3;
}
