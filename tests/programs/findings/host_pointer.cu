#include <stdlib.h>

__global__ void fill(int* a) {
    a[threadIdx.x] = 1;  //! host_pointer
}

int main() {
    int* a = (int*)malloc(32 * sizeof(int));
    fill<<<1, 32>>>(a);
}
