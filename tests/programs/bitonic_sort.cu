#include <algorithm>
#include <cstdio>

__global__ void sortBlock(int* data) {
    __shared__ int s[128];
    int t = threadIdx.x;
    s[t] = data[t];
    __syncthreads();
    for (int size = 2; size <= blockDim.x; size *= 2) {
        for (int stride = size / 2; stride > 0; stride /= 2) {
            int other = t ^ stride;
            if (other > t) {
                bool up = (t & size) == 0;
                if ((s[t] > s[other]) == up) {
                    int keep = s[t];
                    s[t] = s[other];
                    s[other] = keep;
                }
            }
            __syncthreads();
        }
    }
    data[t] = s[t];
}

int main() {
    const int n = 128;
    int h[n], got[n], *data;
    for (int i = 0; i < n; ++i) h[i] = i * 7919 % 1009;
    cudaMalloc(&data, sizeof h);
    cudaMemcpy(data, h, sizeof h, cudaMemcpyHostToDevice);
    sortBlock<<<1, n>>>(data);
    cudaMemcpy(got, data, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(data);
    std::sort(h, h + n);
    if (!std::equal(h, h + n, got)) return 1;
    puts("ok");
}
