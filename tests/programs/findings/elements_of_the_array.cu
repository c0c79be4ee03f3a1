// What is out of bounds is told by the array's own elements, wherever a kernel's pointer begins in it
// and whichever part of an element is accessed.
struct Point {
    float x, y, z;
};
struct Matrix {
    float* data;
};
__device__ int counts[10];
__device__ double sums[4] = {1, 2, 3, 4}, last;
__constant__ short table[8];

__global__ void move(Point* p) {
    p[threadIdx.x].y = 1;  //! out_of_bounds: store to p[30].y, which has 30 elements
}
__global__ void words_of_bytes(signed char* s) {
    ((int*)s)[threadIdx.x] = 1;  //! out_of_bounds: store to s[100..103], which has 102 elements
}
// A pointer that begins within an element has no elements of its array.
__global__ void within(Point* p) {
    p[threadIdx.x].y = 1;  //! out_of_bounds: store to p[92], which has 90 elements
}
__global__ void shift(float* a, int by) {
    a[(int)threadIdx.x + by] = 1;  //! out_of_bounds: store to a[100], which has 100 elements
}
__global__ void back(float* a) {
    float* mine = a + 40 * blockIdx.x;
    mine[(int)threadIdx.x - 13] = 1;  //! out_of_bounds: store to a[-13], which has 100 elements
}
__global__ void member(Matrix m) {
    m.data[threadIdx.x + 4] = 1;  //! out_of_bounds: store to m.data[30], which has 30 elements
}
__global__ void variables() {
    counts[threadIdx.x] = 1;                       //! out_of_bounds: store to counts[10], which has 10 elements
    last = sums[threadIdx.x];   //! out_of_bounds: load from sums[4], which has 4 elements //! global_race
    last += table[threadIdx.x];  //! out_of_bounds: load from table[8], which has 8 elements //! global_race
}
// What is not reached, by those of the kernel that is told of.
__global__ void bytes(unsigned char* p) {
    p[blockIdx.x * blockDim.x + threadIdx.x] = 1;
}
__global__ void words(int* w) {
    w[blockIdx.x * blockDim.x + threadIdx.x] += 1;  //! not_reached: no thread reaches elements 1024 to 4095 of w, which has 4096: the grid
}
// One element for each thread of a block of 6 x 8 x 3, but z is left out.
__global__ void flat(int* rank, int* twice) {
    int i = threadIdx.x + 6 * threadIdx.y;
    rank[i] = i;  //! repeated_work: the 3 threads of a block along z do the same: flat never reads threadIdx.z
    twice[i] = 2 * i;  //! not_reached: no thread reaches elements 48 to 143 of rank, twice, which have 144 each
}
// Rows that begin in one another: 144 threads have 64 indices.
__global__ void slanted(int* rank, int* twice) {
    int i = threadIdx.x + 6 * threadIdx.y + 8 * threadIdx.z;
    rank[i] = i;
    twice[i] = 2 * i;  //! not_reached: no thread reaches elements 64 to 143 of rank, twice, which have 144 each
}
// Two for each thread, of which the last element has no other.
__global__ void pairs(const int* in, int* odd, int n) {
    int i = 2 * (blockIdx.x * blockDim.x + threadIdx.x);
    if (i + 1 < n) {
        odd[i] += in[i];
        odd[i + 1] += in[i + 1];  //! not_reached: no thread reaches element 200 of odd, which has 201: each takes 2 side by side, and no more than 1 is left
    }
}

int main() {
    int *w, host[4096] = {};
    int* parts;
    cudaMalloc(&parts, 288 * sizeof(int));
    cudaMemset(parts, 0xff, 288 * sizeof(int));
    flat<<<1, dim3(6, 8, 3)>>>(parts, parts + 144);
    cudaMemcpy(host, parts, 288 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(parts);
    cudaMalloc(&parts, 288 * sizeof(int));
    cudaMemset(parts, 0xff, 288 * sizeof(int));
    slanted<<<1, dim3(6, 8, 3)>>>(parts, parts + 144);
    cudaMemcpy(host, parts, 288 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(parts);
    cudaMalloc(&w, 402 * sizeof(int));
    cudaMemset(w, 0, 402 * sizeof(int));
    cudaMalloc(&parts, 201 * sizeof(int));
    cudaMemset(parts, 0, 201 * sizeof(int));
    pairs<<<2, 64>>>(w, parts, 201);
    cudaMemcpy(host, parts, 201 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(parts);
    cudaFree(w);
    cudaMalloc(&w, sizeof host);
    cudaMemcpy(w, host, sizeof host, cudaMemcpyHostToDevice);
    bytes<<<4, 256>>>((unsigned char*)w);
    words<<<4, 256>>>(w);
    cudaMemcpy(host, w, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(w);
    Point* p;
    float* a;
    Matrix m;
    cudaMalloc(&p, 30 * sizeof(Point));
    cudaMalloc(&a, 100 * sizeof(float));
    cudaMalloc(&m.data, 30 * sizeof(float));
    move<<<1, 32>>>(p);
    within<<<1, 32>>>((Point*)((float*)p + 1));
    signed char* s;
    cudaMalloc(&s, 102);
    words_of_bytes<<<1, 32>>>(s);
    cudaFree(s);
    shift<<<1, 32>>>(a + 50, 30);
    back<<<2, 32>>>(a);
    member<<<1, 32>>>(m);
    variables<<<1, 1000>>>();
    cudaDeviceSynchronize();
    cudaFree(p);
    cudaFree(a);
    cudaFree(m.data);
}
