#include <cuda_fp16.h>
#include <mma.h>

#include <cstdint>
#include <cstdio>
using namespace nvcuda;

// One warp, one tile of 16 x 16: by wmma, whose fragments nobody looks into.
__global__ void byWmma(const half* a, const half* b, float* c) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> fc;
    wmma::fill_fragment(fc, 1.0f);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    for (int i = 0; i < fc.num_elements; ++i) fc.x[i] *= 2;
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_row_major);  //= store c requests=4 sectors=32
}
// And by mma.m16n8k16, whose fragments ldmatrix brings from shared memory: b lies by columns.
__global__ void byMma(const half* a, const half* b, float* c) {
    __shared__ half sa[16 * 16], sb[8 * 16];
    for (int i = threadIdx.x; i < 16 * 16; i += 32) sa[i] = a[i];
    for (int i = threadIdx.x; i < 8 * 16; i += 32) sb[i] = b[i];
    __syncthreads();
    uint32_t ra[4], rb[2];
    int lane = threadIdx.x;
    uint32_t pa = __cvta_generic_to_shared(&sa[lane % 16 * 16 + lane / 16 * 8]);
    uint32_t pb = __cvta_generic_to_shared(&sb[lane % 8 * 16 + lane / 8 % 2 * 8]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3])
                 : "r"(pa));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
                 : "=r"(rb[0]), "=r"(rb[1])
                 : "r"(pb));
    float r[4] = {0, 0, 0, 0};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(r[0]), "+f"(r[1]), "+f"(r[2]), "+f"(r[3])
                 : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    for (int i = 0; i < 4; ++i)
        c[(lane / 4 + i / 2 * 8) * 8 + lane % 4 * 2 + i % 2] = r[i];
}
// Bytes, by integers.
__global__ void byBytes(const signed char* a, const signed char* b, int* c) {
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> fb;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> fc;
    wmma::fill_fragment(fc, 0);
    wmma::load_matrix_sync(fa, a, 16);
    wmma::load_matrix_sync(fb, b, 16);
    wmma::mma_sync(fc, fa, fb, fc);
    wmma::store_matrix_sync(c, fc, 16, wmma::mem_col_major);
}

int main() {
    half *a, *b;
    float* c;
    signed char *sa, *sb;
    int* sc;
    cudaMallocManaged(&a, 256 * 2);
    cudaMallocManaged(&b, 256 * 2);
    cudaMallocManaged(&c, 256 * 4);
    cudaMallocManaged(&sa, 256);
    cudaMallocManaged(&sb, 256);
    cudaMallocManaged(&sc, 256 * 4);
    for (int i = 0; i < 256; ++i) {
        a[i] = __float2half(i % 7 - 3);
        b[i] = __float2half(i % 5 - 2);
        sa[i] = i % 11 - 5;
        sb[i] = i % 13 - 6;
    }
    byWmma<<<1, 32>>>(a, b, c);
    cudaDeviceSynchronize();
    auto sum = [&](int i, int j) {
        float total = 0;
        for (int k = 0; k < 16; ++k) total += __half2float(a[i * 16 + k]) * __half2float(b[j * 16 + k]);
        return total;
    };
    int wrong = 0;
    for (int i = 0; i < 256; ++i) wrong += c[i] != 2 * (1 + sum(i / 16, i % 16));
    byMma<<<1, 32>>>(a, b, c);
    cudaDeviceSynchronize();
    for (int i = 0; i < 128; ++i) wrong += c[i] != sum(i / 8, i % 8);
    byBytes<<<1, 32>>>(sa, sb, sc);
    cudaDeviceSynchronize();
    for (int i = 0; i < 256; ++i) {
        int total = 0;
        for (int k = 0; k < 16; ++k) total += sa[i % 16 * 16 + k] * sb[k * 16 + i / 16];
        wrong += sc[i] != total;
    }
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(sa);
    cudaFree(sb);
    cudaFree(sc);
    if (wrong != 0) return printf("%d wrong\n", wrong);
    puts("ok");
}
