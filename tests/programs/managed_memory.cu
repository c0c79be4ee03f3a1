#include <cstdio>

struct Node {
    int value;
    Node* next;
};

// A list that the host has built; each thread walks it and takes what is its.
__global__ void walk(const Node* head, int* out) {
    int position = 0;
    for (const Node* node = head; node != nullptr; node = node->next, ++position) {
        if (position % blockDim.x == threadIdx.x) out[position] = node->value * 10;
    }
}

__managed__ int rounds = 0;
__global__ void mark() {
    rounds += 1;
}

int main() {
    const int n = 12;
    Node* nodes;
    int* out;
    cudaMallocManaged(&nodes, n * sizeof(Node));
    cudaMallocManaged(&out, n * sizeof(int));
    for (int i = 0; i < n; ++i) {
        nodes[i].value = i + 1;
        nodes[i].next = i + 1 < n ? &nodes[i + 1] : nullptr;
    }
    walk<<<1, 8>>>(nodes, out);
    mark<<<1, 1>>>();
    cudaDeviceSynchronize();
    bool right = rounds == 1;
    for (int i = 0; i < n; ++i) right = right && out[i] == 10 * (i + 1);
    cudaFree(nodes);
    cudaFree(out);
    if (!right) return 1;
    puts("ok");
}
