// For CUDA 8, and built with what there is now: texture references, votes and shuffles without a
// mask, cudaThread…, members of cudaDeviceProp and devices as numbers that newer headers lack.
#include <cmath>
#include <cstdio>

texture<float, 1, cudaReadModeElementType> line;
static texture<uchar4, 2, cudaReadModeNormalizedFloat> picture;

__global__ void readBoth(float* out, int n) {
    int i = threadIdx.x;
    if (i < n) out[i] = tex1Dfetch(line, i) + tex2D(picture, i + 0.5f, 1.5f).y;  //= store out requests=2 sectors=8
}
__global__ void sum(const float* in, float* out, unsigned* above) {
    float v = in[threadIdx.x];  //= load in requests=2 sectors=8
    unsigned votes = __ballot(v > 32);
    for (int by = 16; by > 0; by /= 2) v += __shfl_down(v, by);
    if (threadIdx.x % 32 == 0) {
        out[threadIdx.x / 32] = v;         //= store out requests=2 sectors=2
        above[threadIdx.x / 32] = votes;   //= store above requests=2 sectors=2
    }
}

constexpr int n = 64;

int main() {
    cudaDeviceProp facts;
    cudaGetDeviceProperties(&facts, 0);
    if (facts.clockRate <= 0 || facts.deviceOverlap == 0) return puts("facts");
    float in[n], got[n], *array, *out;
    uchar4 pixels[2][n], *rows;
    size_t pitch;
    for (int i = 0; i < n; ++i) {
        in[i] = i;
        pixels[0][i] = make_uchar4(1, 2, 3, 4);
        pixels[1][i] = make_uchar4(0, 3 * i, 0, 0);
    }
    cudaMalloc(&array, sizeof in);
    cudaMalloc(&out, sizeof in);
    cudaMemcpy(array, in, sizeof in, cudaMemcpyHostToDevice);
    cudaMallocPitch(&rows, &pitch, sizeof pixels[0], 2);
    cudaMemcpy2D(rows, pitch, pixels, sizeof pixels[0], sizeof pixels[0], 2, cudaMemcpyHostToDevice);
    cudaBindTexture(0, line, array, sizeof in);
    picture.addressMode[0] = cudaAddressModeClamp;
    cudaChannelFormatDesc format = cudaCreateChannelDesc<uchar4>();
    if (cudaBindTexture2D(0, picture, rows, format, n, 2, pitch) != cudaSuccess) return puts("bind");
    readBoth<<<1, 64>>>(out, n);
    cudaThreadSynchronize();
    cudaUnbindTexture(picture);
    cudaUnbindTexture(line);
    cudaMemcpy(got, out, sizeof in, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; ++i)
        if (fabsf(got[i] - (i + 3 * i / 255.0f)) > 1e-5f) return printf("%d: %f\n", i, got[i]);

    float* both;
    unsigned* above;
    cudaMallocManaged(&both, 2 * sizeof *both);
    cudaMallocManaged(&above, 2 * sizeof *above);
    cudaMemAdvise(both, 2 * sizeof *both, cudaMemAdviseSetPreferredLocation, 0);
    cudaMemPrefetchAsync(both, 2 * sizeof *both, 0, 0);
    sum<<<1, 64>>>(array, both, above);
    cudaThreadSynchronize();
    if (both[0] != 496 || both[1] != 1520 || above[0] != 0 || above[1] != 0xfffffffeu)
        return printf("%f %f %x %x\n", both[0], both[1], above[0], above[1]);
    cudaFree(both);
    cudaFree(above);
    cudaFree(rows);
    cudaFree(out);
    cudaFree(array);
    cudaThreadExit();
    puts("ok");
}
