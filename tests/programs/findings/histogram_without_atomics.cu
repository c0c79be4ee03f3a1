// Two threads of one block that have the same value write one bin.
__global__ void histogram(int* bins, const int* data, int n) {
    int i = threadIdx.x;
    if (i < n) bins[data[i]]++;  //! global_race
}

__global__ void histogramOfItsOwn(int* bins, const int* data, int n) {
    int i = threadIdx.x;
    if (i < n) bins[i] += data[i];
}

int main() {
    int *bins, *data, host[128];
    for (int i = 0; i < 128; ++i) host[i] = i * 7 % 10;
    cudaMalloc(&bins, sizeof host);
    cudaMalloc(&data, sizeof host);
    cudaMemset(bins, 0, sizeof host);
    cudaMemcpy(data, host, sizeof host, cudaMemcpyHostToDevice);
    histogram<<<1, 128>>>(bins, data, 128);
    histogramOfItsOwn<<<1, 128>>>(bins, data, 128);
    cudaFree(bins);
    cudaFree(data);
}
