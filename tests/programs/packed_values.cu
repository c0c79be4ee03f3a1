#include <cstdio>

__global__ void packed(const unsigned* a, const unsigned* b, unsigned* out) {
    unsigned x = a[threadIdx.x], y = b[threadIdx.x];
    unsigned* to = out + threadIdx.x * 8;
    to[0] = __vabsdiffu4(x, y);
    to[1] = __vmaxs2(x, y);
    to[2] = __vaddus4(x, y);
    to[3] = __vcmpgtu4(x, y);
    to[4] = __vavgu4(x, y);
    to[5] = __dp4a((int)x, (int)y, 7);
    asm("vabsdiff4.u32.u32.u32.add %0, %1, %2, %3;" : "=r"(to[6]) : "r"(x), "r"(y), "r"(1));
    asm("vmin2.s32.s32.s32 %0, %1, %2, %3;" : "=r"(to[7]) : "r"(x), "r"(y), "r"(0));
}

int main() {
    unsigned ha[32], hb[32], got[32 * 8], *a, *b, *out;
    for (int i = 0; i < 32; ++i) {
        ha[i] = 0x9e3779b9u * (i + 1);
        hb[i] = 0x85ebca6bu * (i + 3);
    }
    cudaMalloc(&a, sizeof ha);
    cudaMalloc(&b, sizeof hb);
    cudaMalloc(&out, sizeof got);
    cudaMemcpy(a, ha, sizeof ha, cudaMemcpyHostToDevice);
    cudaMemcpy(b, hb, sizeof hb, cudaMemcpyHostToDevice);
    packed<<<1, 32>>>(a, b, out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(b);
    cudaFree(out);
    for (int i = 0; i < 32; ++i) {
        unsigned want[8] = {0, 0, 0, 0, 0, 7, 1, 0};
        for (int k = 0; k < 4; ++k) {
            int x = ha[i] >> 8 * k & 255, y = hb[i] >> 8 * k & 255;
            unsigned apart = x > y ? x - y : y - x;
            want[0] |= apart << 8 * k;
            want[2] |= (unsigned)(x + y > 255 ? 255 : x + y) << 8 * k;
            want[3] |= (x > y ? 255u : 0u) << 8 * k;
            want[4] |= (unsigned)((x + y + 1) / 2) << 8 * k;
            want[5] += (signed char)x * (signed char)y;
            want[6] += apart;
        }
        for (int k = 0; k < 2; ++k) {
            short x = ha[i] >> 16 * k, y = hb[i] >> 16 * k;
            want[1] |= (unsigned)(unsigned short)(x > y ? x : y) << 16 * k;
            want[7] |= (unsigned)(unsigned short)(x < y ? x : y) << 16 * k;
        }
        for (int k = 0; k < 8; ++k)
            if (got[i * 8 + k] != want[k])
                return printf("%d of %d: %x, not %x\n", k, i, got[i * 8 + k], want[k]);
    }
    puts("ok");
}
