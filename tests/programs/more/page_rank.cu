#include <cmath>
#include <cstdio>

const int pages = 20;

__global__ void share(const int* links, const double* rank, double* next) {
    int page = threadIdx.x;
    double sum = 0;
    for (int other = 0; other < pages; ++other) {
        if (links[other * 2] == page || links[other * 2 + 1] == page) sum += rank[other] / 2;
    }
    next[page] = 0.15 / pages + 0.85 * sum;
}

int main() {
    int links[2 * pages], *dl;
    double rank[pages], got[pages], *a, *b;
    for (int p = 0; p < pages; ++p) {
        links[2 * p] = (p + 1) % pages;
        links[2 * p + 1] = (p * p + 3) % pages == (p + 1) % pages ? p : (p * p + 3) % pages;
        rank[p] = 1.0 / pages;
    }
    cudaMalloc(&dl, sizeof links);
    cudaMalloc(&a, sizeof rank);
    cudaMalloc(&b, sizeof rank);
    cudaMemcpy(dl, links, sizeof links, cudaMemcpyHostToDevice);
    cudaMemcpy(a, rank, sizeof rank, cudaMemcpyHostToDevice);
    for (int round = 0; round < 3; ++round) {
        share<<<1, pages>>>(dl, a, b);
        share<<<1, pages>>>(dl, b, a);
    }
    cudaMemcpy(got, a, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(dl);
    cudaFree(a);
    cudaFree(b);
    double sum = 0;
    for (double r : got) sum += r;
    if (std::fabs(sum - 1) > 1e-12) return 1;
    puts("ok");
}
