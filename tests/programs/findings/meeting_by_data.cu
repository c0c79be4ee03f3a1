// Keys that all differ hide that bins are changed without an atomic.
__global__ void sharedBins(int* bins, const int* keys, int n) {
    __shared__ int mine[256];
    int i = threadIdx.x;
    mine[i] = 0;
    __syncthreads();
    if (i < n) mine[keys[i]]++;  //! meeting_by_data: which threads meet in mine[keys[i]] depends
    __syncthreads();
    bins[i] += mine[i];
}

__global__ void globalBins(int* bins, const int* keys, int n) {
    for (int i = threadIdx.x; i < n; i += blockDim.x) {
        int key = keys[i] & 255;
        bins[key] = bins[key] + 1;  //! meeting_by_data: which threads meet in bins[key] depends
    }
}

// Whoever meets there loses nothing, or cannot.
__global__ void scatter(int* bins, const int* keys) {
    bins[keys[threadIdx.x]] = threadIdx.x;
}

__global__ void byAtomics(int* bins, const int* keys) {
    atomicAdd(&bins[keys[threadIdx.x]], 1);
}

__global__ void ofEachThread(int* bins, const int* keys) {
    int column = threadIdx.x;
    bins[(keys[column] & 1) * 128 + column % 128] += column < 128 ? 1 : 0;
}

__global__ void ofOneThread(int* bins, const int* keys, int n) {
    if (threadIdx.x == 0)  //! one_thread_works: 1 of 256 threads makes all
        for (int i = 0; i < n; ++i) bins[keys[i]]++;
}

__global__ void ofOwnRows(int* bins, const int* starts) {
    for (int j = starts[threadIdx.x]; j < starts[threadIdx.x] + 1; ++j) bins[j] += 1;
}

__global__ void ofOwnTable(int* bins) {
    int at[2] = {(int)threadIdx.x, (int)threadIdx.x ^ 1};
    bins[at[0]] += at[1];
}

int main() {
    int *bins, *keys, host[256];
    for (int i = 0; i < 256; ++i) host[i] = i * 37 % 256;
    cudaMalloc(&bins, sizeof host);
    cudaMalloc(&keys, sizeof host);
    cudaMemset(bins, 0, sizeof host);
    cudaMemcpy(keys, host, sizeof host, cudaMemcpyHostToDevice);
    sharedBins<<<1, 256>>>(bins, keys, 256);
    globalBins<<<1, 256>>>(bins, keys, 256);
    scatter<<<1, 256>>>(bins, keys);
    byAtomics<<<1, 256>>>(bins, keys);
    ofEachThread<<<1, 128>>>(bins, keys);
    ofOneThread<<<1, 256>>>(bins, keys, 256);
    ofOwnRows<<<1, 256>>>(bins, keys);
    ofOwnTable<<<1, 256>>>(bins);
    cudaFree(bins);
    cudaFree(keys);
}
