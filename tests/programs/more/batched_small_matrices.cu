#include <cstdio>

struct Matrix3 {
    float m[3][3];
};

// A thread multiplies two matrices of nine numbers.
__global__ void products(const Matrix3* a, const Matrix3* b, Matrix3* c, int count) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= count) return;
    for (int r = 0; r < 3; ++r) {
        for (int s = 0; s < 3; ++s) {
            float sum = 0;
            for (int k = 0; k < 3; ++k) sum += a[i].m[r][k] * b[i].m[k][s];
            c[i].m[r][s] = sum;
        }
    }
}

int main() {
    const int count = 50;
    static Matrix3 a[count], b[count], got[count];
    for (int i = 0; i < count; ++i) {
        for (int e = 0; e < 9; ++e) {
            a[i].m[e / 3][e % 3] = (i + e) % 4;
            b[i].m[e / 3][e % 3] = e / 3 == e % 3 ? 2 : 0;
        }
    }
    Matrix3 *da, *db, *dc;
    cudaMalloc(&da, sizeof a);
    cudaMalloc(&db, sizeof b);
    cudaMalloc(&dc, sizeof got);
    cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(db, b, sizeof b, cudaMemcpyHostToDevice);
    products<<<2, 32>>>(da, db, dc, count);
    cudaMemcpy(got, dc, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(da);
    cudaFree(db);
    cudaFree(dc);
    for (int i = 0; i < count; ++i) {
        for (int e = 0; e < 9; ++e) {
            if (got[i].m[e / 3][e % 3] != 2 * a[i].m[e / 3][e % 3]) return 1;
        }
    }
    puts("ok");
}
