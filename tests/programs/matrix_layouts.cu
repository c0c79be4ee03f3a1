#include <cuda_fp16.h>
#include <mma.h>

#include <cstdio>
#include <type_traits>
using namespace nvcuda;

// Tiles of every shape and layout, by fragments from shared memory and back to it: what is beside
// one another there goes eight rows at once (LDSM), or a word a lane, turned where it must be.
constexpr int side = 48;  // elements from one row, or column, of a tile to the next
template <class T>
__device__ T tile(int i) {
    return T(float((i * 7 + i / 5) % 13 - 6));
}
template <int m, int n, int k, class From, class To, class LayoutA, class LayoutB>
__global__ void product(To* out, wmma::layout_t layout) {
    __shared__ __align__(128) From a[side * 32], b[side * 32];
    __shared__ __align__(128) To c[side * 32];
    for (int i = threadIdx.x; i < side * 32; i += 32) {
        a[i] = tile<From>(i);
        b[i] = tile<From>(i + 3);
        c[i] = tile<To>(i + 5);
    }
    __syncwarp();
    wmma::fragment<wmma::matrix_a, m, n, k, From, LayoutA> fa;
    wmma::fragment<wmma::matrix_b, m, n, k, From, LayoutB> fb;
    wmma::fragment<wmma::accumulator, m, n, k, To> fc;
    wmma::load_matrix_sync(fa, a, side);          //= shared_load a requests=182 compiled=96
    wmma::load_matrix_sync(fb, b, side);          //= shared_load b requests=182 compiled=96
    wmma::load_matrix_sync(fc, c, side, layout);  //= shared_load c requests=192 compiled=192
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, side, layout);  //= shared_store c requests=192 compiled=192
    __syncwarp();
    for (int i = threadIdx.x; i < side * 32; i += 32) out[i] = c[i];
}

template <int m, int n, int k, class From, class To, class LayoutA, class LayoutB>
int check(const char* name, To* out) {
    int wrong = 0;
    for (wmma::layout_t layout : {wmma::mem_row_major, wmma::mem_col_major}) {
        product<m, n, k, From, To, LayoutA, LayoutB><<<1, 32>>>(out, layout);
        cudaDeviceSynchronize();
        constexpr bool byRowsA = std::is_same_v<LayoutA, wmma::row_major>;
        constexpr bool byRowsB = std::is_same_v<LayoutB, wmma::row_major>;
        for (int r = 0; r < m; ++r) {
            for (int c = 0; c < n; ++c) {
                const auto value = [](int i) { return (i * 7 + i / 5) % 13 - 6; };
                const int at = layout == wmma::mem_row_major ? r * side + c : c * side + r;
                int sum = value(at + 5);
                for (int i = 0; i < k; ++i)
                    sum += value(byRowsA ? r * side + i : i * side + r) *
                           value((byRowsB ? i * side + c : c * side + i) + 3);
                wrong += float(out[at]) != float(sum);
            }
        }
    }
    if (wrong != 0) printf("%s: %d wrong\n", name, wrong);
    return wrong;
}
template <int m, int n, int k, class From, class To>
int checkAll(To* out) {
    using Row = wmma::row_major;
    using Column = wmma::col_major;
    return check<m, n, k, From, To, Row, Row>("rows", out) +
           check<m, n, k, From, To, Column, Column>("columns", out);
}
template <class From, class To>
int checkShapes(void* out) {
    return checkAll<16, 16, 16, From>((To*)out) + checkAll<32, 8, 16, From>((To*)out) +
           checkAll<8, 32, 16, From>((To*)out);
}

int main() {
    void* out;
    cudaMallocManaged(&out, side * 32 * sizeof(float));
    const int wrong = checkShapes<half, float>(out) + checkShapes<half, half>(out) +
                      checkShapes<signed char, int>(out);
    cudaFree(out);
    printf(wrong == 0 ? "ok\n" : "wrong\n");
    return wrong != 0;
}
