// The lanes of one warp count in one word: also there it is not said who writes last.
__global__ void counts(int* b) {
    b[0]++;  //! global_race
}

int main() {
    int* b;
    cudaMalloc(&b, sizeof(int));
    cudaMemset(b, 0, sizeof(int));
    counts<<<1, 32>>>(b);
    cudaFree(b);
}
