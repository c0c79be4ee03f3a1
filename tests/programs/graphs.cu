#include <cstdio>

__global__ void addOne(int* a) { a[threadIdx.x] += 1; }
__global__ void twice(int* a) { a[threadIdx.x] *= 2; }
__global__ void sum(const int* a, const int* b, int* c) {
    c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}
void count(void* times) { ++*static_cast<int*>(times); }

int main() {
    int h[32], *a, *b, *c, calls = 0;
    cudaMalloc(&a, sizeof h);
    cudaMalloc(&b, sizeof h);
    cudaMalloc(&c, sizeof h);
    cudaMemset(a, 0, sizeof h);
    cudaMemset(b, 0, sizeof h);
    cudaStream_t first, second;
    cudaStreamCreate(&first);
    cudaStreamCreate(&second);
    cudaEvent_t fork, join;
    cudaEventCreate(&fork);
    cudaEventCreate(&join);
    // Captured, with two streams: nothing runs before it is launched.
    cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal);
    cudaEventRecord(fork, first);
    cudaStreamWaitEvent(second, fork, 0);
    addOne<<<1, 32, 0, first>>>(a);
    twice<<<1, 32, 0, first>>>(a);
    addOne<<<1, 32, 0, second>>>(b);
    cudaEventRecord(join, second);
    cudaStreamWaitEvent(first, join, 0);
    cudaStreamDestroy(second);  // what it recorded stays
    sum<<<1, 32, 0, first>>>(a, b, c);
    cudaLaunchHostFunc(first, count, &calls);
    cudaMemcpyAsync(h, c, sizeof h, cudaMemcpyDeviceToHost, first);
    cudaGraph_t captured;
    cudaStreamEndCapture(first, &captured);
    size_t nodes = 0;
    cudaGraphGetNodes(captured, nullptr, &nodes);
    cudaGraphExec_t run;
    cudaGraphInstantiate(&run, captured, 0);
    if (calls != 0 || nodes != 6) return printf("%zu nodes, %d calls\n", nodes, calls);
    for (int i = 0; i < 3; ++i) cudaGraphLaunch(run, first);
    cudaStreamSynchronize(first);
    // ((0 + 1) * 2 + 1) * 2 ... = 14, and 3.
    if (h[5] != 17 || calls != 3) return printf("captured: %d, %d\n", h[5], calls);
    cudaGraphExecDestroy(run);
    cudaGraphDestroy(captured);

    // Built: a kernel behind a memset; its parameters change before the second launch.
    cudaGraph_t built;
    cudaGraphCreate(&built, 0);
    cudaMemsetParams fill{};
    fill.dst = a;
    fill.elementSize = 4;
    fill.value = 5;
    fill.width = 32;
    fill.height = 1;
    cudaGraphNode_t filled, added, copied;
    cudaGraphAddMemsetNode(&filled, built, nullptr, 0, &fill);
    void* arguments[] = {&a};
    cudaKernelNodeParams kernel{};
    kernel.func = (void*)addOne;
    kernel.gridDim = dim3(1);
    kernel.blockDim = dim3(32);
    kernel.kernelParams = arguments;
    cudaGraphAddKernelNode(&added, built, &filled, 1, &kernel);
    cudaGraphAddMemcpyNode1D(&copied, built, &added, 1, h, a, sizeof h, cudaMemcpyDeviceToHost);
    cudaGraphInstantiate(&run, built, 0);
    cudaGraphLaunch(run, first);
    cudaStreamSynchronize(first);
    if (h[31] != 6) return printf("built: %d\n", h[31]);
    kernel.func = (void*)twice;
    cudaGraphExecKernelNodeSetParams(run, added, &kernel);
    cudaGraphLaunch(run, first);
    cudaStreamSynchronize(first);
    if (h[31] != 10) return printf("changed: %d\n", h[31]);
    cudaGraphExecDestroy(run);
    cudaGraphDestroy(built);

    // Recorded into a graph that there is.
    cudaGraphCreate(&built, 0);
    cudaStreamBeginCaptureToGraph(first, built, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal);
    addOne<<<1, 32, 0, first>>>(a);
    cudaStreamEndCapture(first, nullptr);
    cudaGraphInstantiate(&run, built, 0);
    cudaGraphLaunch(run, first);
    cudaMemcpy(h, a, sizeof h, cudaMemcpyDeviceToHost);
    if (h[31] != 11) return printf("recorded into: %d\n", h[31]);
    cudaGraphExecDestroy(run);
    cudaGraphDestroy(built);
    cudaEventDestroy(fork);
    cudaEventDestroy(join);
    cudaStreamDestroy(first);
    cudaFree(a);
    cudaFree(b);
    cudaFree(c);
    puts("ok");
}
