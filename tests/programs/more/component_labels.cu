#include <cstdio>
#include <vector>

__device__ int changed;

__global__ void spread(const int* a, const int* b, int* label, int edges) {
    int e = blockIdx.x * blockDim.x + threadIdx.x;
    if (e >= edges) return;
    int la = atomicMin(&label[a[e]], label[b[e]]);  //! global_race: atomic on label[
    int lb = atomicMin(&label[b[e]], la);
    if (la != lb) changed = 1;
}

int main() {
    const int nodes = 30;
    std::vector<int> a, b, label(nodes), got(nodes);
    for (int v = 0; v < nodes; ++v) {
        label[v] = v;
        if (v + 3 < nodes) {  // three chains: v mod 3
            a.push_back(v + 3);
            b.push_back(v);
        }
    }
    int *da, *db, *dl, flag = 1;
    cudaMalloc(&da, a.size() * sizeof(int));
    cudaMalloc(&db, b.size() * sizeof(int));
    cudaMalloc(&dl, nodes * sizeof(int));
    cudaMemcpy(da, a.data(), a.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(db, b.data(), b.size() * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(dl, label.data(), nodes * sizeof(int), cudaMemcpyHostToDevice);
    while (flag) {
        flag = 0;
        cudaMemcpyToSymbol(changed, &flag, sizeof flag);
        spread<<<1, 32>>>(da, db, dl, (int)a.size());
        cudaMemcpyFromSymbol(&flag, changed, sizeof flag);
    }
    cudaMemcpy(got.data(), dl, nodes * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dl);
    for (int v = 0; v < nodes; ++v) {
        if (got[v] != v % 3) return 1;
    }
    puts("ok");
}
