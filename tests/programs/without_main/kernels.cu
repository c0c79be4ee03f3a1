// Kernels as they stand in a library: no main launches them.
__global__ void axpy(float a, const float* __restrict__ x, float* y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] += a * x[i];
}

namespace shapes {

__global__ void transpose(const int* in, int* out, int width, int height) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < width && y < height) out[x * height + y] = in[y * width + x];
}

}  // namespace shapes

template <class T>
__global__ void filled(T* out, T value) {
    out[threadIdx.x] = value;
}
