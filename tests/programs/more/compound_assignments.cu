#include <cstdio>

// The left side of += is evaluated once, whatever unoptimised code does.
__global__ void count(int* a, const int* n, const int* m) {
    int i = threadIdx.x;
    __shared__ int s[32];
    s[i] = i;       //= shared_store s requests=1
    a[n[i]] += 1;   //= load n requests=1 //= load a requests=1 //= store a requests=1 //! meeting_by_data: which threads meet in a[n[i]]
    a[n[i]]++;      //= load n requests=1 //= load a requests=1 //= store a requests=1 //! meeting_by_data: which threads meet in a[n[i]]
    a[n[i]] -= m[n[i]];   //= load n requests=2 //= load m requests=1 //= load a requests=1 //! meeting_by_data: which threads meet in a[n[i]]
    a[m[n[i]]] <<= 1;     //= load n requests=1 //= load m requests=1 //= load a requests=1 //! meeting_by_data: which threads meet in a[m[n[i]]]
    a[n[i]] = a[n[i]] + 1;  //= load n requests=2 //= load a requests=1 //! meeting_by_data: which threads meet in a[n[i]]
    a[n[i]] += i < 16 ? 1 : m[i];  //= load n requests=1 //= load m requests=1 //= load a requests=1 //! meeting_by_data: which threads meet in a[n[i]]
    a[s[i]] += 1; a[n[i]] |= 64;   //= shared_load s requests=1 //= load n requests=1 //= load a requests=2
    s[n[i]] ^= 3;   //= load n requests=1 //= shared_load s requests=1 //= shared_store s requests=1 //! meeting_by_data: which threads meet in s[n[i]]
    a[i] += s[i];   //= shared_load s requests=1 //= load a requests=1 //= store a requests=1
}

int main() {
    int host[32], zero[32] = {}, got[32], *a, *n, *m;
    for (int i = 0; i < 32; ++i) host[i] = i;
    cudaMalloc(&a, sizeof host);
    cudaMalloc(&n, sizeof host);
    cudaMalloc(&m, sizeof host);
    cudaMemcpy(a, zero, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(n, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(m, host, sizeof host, cudaMemcpyHostToDevice);
    count<<<1, 32>>>(a, n, m);
    cudaMemcpy(got, a, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(a);
    cudaFree(n);
    cudaFree(m);
    for (int i = 0; i < 32; ++i) {
        int right = (2 - i) * 2 + 1 + (i < 16 ? 1 : i) + 1;
        if (got[i] != (right | 64) + (i ^ 3)) return 1;
    }
    puts("ok");
}
