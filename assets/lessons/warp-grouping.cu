// Let each thread write the number of its warp in the
// block, and of its lane in the warp. The block has three
// directions, so threadIdx.x / 32 is not enough: x counts
// fastest, then y, then z.
__global__ void name(int* warp, int* lane, int* own) {
    // To be put right: the thread's number in its block.
    int rank = threadIdx.x;
    own[rank] = rank;
    warp[rank] = rank / 32;
    lane[rank] = rank % 32;
}

// From here on nothing is changed.
#include <cstdio>
#include <vector>

int main() {
    const dim3 block(6, 8, 3);
    const int count = block.x * block.y * block.z;
    int* numbers;
    cudaMalloc(&numbers, 3 * count * sizeof(int));
    cudaMemset(numbers, 0xff, 3 * count * sizeof(int));
    name<<<1, block>>>(numbers, numbers + count, numbers + 2 * count);
    std::vector<int> host(3 * count);
    cudaMemcpy(host.data(), numbers, 3 * count * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(numbers);
    for (int i = 0; i < count; ++i) {
        if (host[i] == i / 32 && host[count + i] == i % 32 && host[2 * count + i] == i) continue;
        std::fprintf(stderr, "thread %d of the block has no right number\n", i);
        return 1;
    }
}
