#include <cublas_v2.h>
#include <cufft.h>
#include <curand.h>

#include <cmath>
#include <cstdio>

__global__ void scale(cufftComplex* a, float by) {
    a[threadIdx.x].x *= by;
    a[threadIdx.x].y *= by;
}

// Products, transforms and numbers of libraries that have no source, beside a kernel of its own.
int main() {
    float h[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}, got[4], *a, *b, *c;
    cudaMalloc(&a, 6 * 4);
    cudaMalloc(&b, 6 * 4);
    cudaMalloc(&c, 4 * 4);
    cublasHandle_t blas;
    cublasCreate(&blas);
    cublasSetVector(6, 4, h, 1, a, 1);
    cublasSetMatrix(3, 2, 4, h + 6, 3, b, 3);
    float one = 1, none = 0, dot = 0, norm = 0;
    // By columns: a is 2 x 3, b 3 x 2.
    cublasSgemm(blas, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &one, a, 2, b, 3, &none, c, 2);
    cudaMemcpy(got, c, sizeof got, cudaMemcpyDeviceToHost);
    if (got[0] != 7 + 3 * 8 + 5 * 9 || got[3] != 2 * 10 + 4 * 11 + 6 * 12) return 1;
    cublasSgemm(blas, CUBLAS_OP_T, CUBLAS_OP_T, 2, 2, 3, &one, a, 3, b, 2, &none, c, 2);
    cudaMemcpy(got, c, sizeof got, cudaMemcpyDeviceToHost);
    if (got[0] != 7 + 2 * 9 + 3 * 11 || got[2] != 8 + 2 * 10 + 3 * 12) return 2;
    cublasSdot(blas, 6, a, 1, b, 1, &dot);
    cublasSnrm2(blas, 3, a, 2, &norm);
    if (dot != 7 + 16 + 27 + 40 + 55 + 72 || std::fabs(norm - std::sqrt(35.0f)) > 1e-5f) return 3;
    cublasDestroy(blas);

    cufftComplex wave[30], *values;
    for (int i = 0; i < 30; ++i)
        wave[i] = {std::cos(2 * 3.14159265f * 4 * i / 30), std::sin(2 * 3.14159265f * 4 * i / 30)};
    cudaMalloc(&values, sizeof wave);
    cudaMemcpy(values, wave, sizeof wave, cudaMemcpyHostToDevice);
    cufftHandle plan;
    cufftPlan1d(&plan, 30, CUFFT_C2C, 1);
    cufftExecC2C(plan, values, values, CUFFT_FORWARD);
    scale<<<1, 30>>>(values, 1.0f / 30);
    cudaMemcpy(wave, values, sizeof wave, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 30; ++i)
        if (std::fabs(wave[i].x - (i == 4 ? 1 : 0)) > 1e-5f) return 4;
    cufftExecC2C(plan, values, values, CUFFT_INVERSE);
    cudaMemcpy(wave, values, sizeof wave, cudaMemcpyDeviceToHost);
    if (std::fabs(wave[1].x - std::cos(2 * 3.14159265f * 4 / 30)) > 1e-5f) return 5;
    cufftDestroy(plan);

    float* numbers = (float*)values;
    curandGenerator_t random;
    curandCreateGenerator(&random, CURAND_RNG_PSEUDO_DEFAULT);
    curandSetPseudoRandomGeneratorSeed(random, 42);
    curandGenerateUniform(random, numbers, 60);
    cudaMemcpy(wave, numbers, sizeof wave, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 30; ++i)
        if (!(wave[i].x > 0 && wave[i].x <= 1 && wave[i].y > 0 && wave[i].y <= 1)) return 6;
    curandDestroyGenerator(random);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    cudaFree(values);
    puts("ok");
}
