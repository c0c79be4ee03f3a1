#include <cstdio>

// Launches in streams of which neither waits for the other meet at an array; those behind an event,
// a synchronisation or the legacy stream, or in parts of their own, do not.
__global__ void fill(int* a) {
    a[threadIdx.x] = 1;
}
__global__ void add(const int* from, int* to) {
    to[threadIdx.x] += from[threadIdx.x];  //! launch_race: load from from[0], which fill of
}
__global__ void count(int* a) {
    atomicAdd(a, 1);
}
__global__ void twice(int* a) {
    a[threadIdx.x] *= 2;
}

int main() {
    cudaStream_t s, t, blocking;
    cudaEvent_t done;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cudaStreamCreate(&blocking);
    cudaEventCreate(&done);
    int *a, *b, *c, *d;
    cudaMalloc(&a, 64 * sizeof(int));
    cudaMalloc(&b, 64 * sizeof(int));
    cudaMalloc(&c, 128 * sizeof(int));
    cudaMalloc(&d, 64 * sizeof(int));
    cudaMemset(b, 0, 64 * sizeof(int));
    cudaMemset(c, 1, 128 * sizeof(int));
    cudaMemset(d, 0, 64 * sizeof(int));
    // Right: parts of one array, atomics, an event, what blocks, a graph.
    twice<<<1, 64, 0, s>>>(c);
    twice<<<1, 64, 0, t>>>(c + 64);
    count<<<1, 64, 0, s>>>(d);
    count<<<1, 64, 0, t>>>(d);
    cudaEventRecord(done, s);
    cudaStreamWaitEvent(t, done, 0);
    twice<<<1, 64, 0, t>>>(c);
    cudaStreamSynchronize(t);
    twice<<<1, 128, 0, s>>>(c);
    cudaEventRecord(done, s);
    cudaEventSynchronize(done);
    twice<<<1, 128, 0, blocking>>>(c);
    twice<<<1, 128>>>(c);
    twice<<<1, 128, 0, blocking>>>(c);
    cudaDeviceSynchronize();
    cudaGraph_t graph;
    cudaGraphExec_t made;
    cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
    twice<<<1, 64, 0, s>>>(c);
    twice<<<1, 128, 0, s>>>(c);
    cudaStreamEndCapture(s, &graph);
    cudaGraphInstantiate(&made, graph, 0);
    twice<<<1, 128, 0, t>>>(c);
    cudaGraphLaunch(made, t);
    cudaStreamSynchronize(t);
    // Wrong: the event is recorded before the launch.
    cudaEventRecord(done, s);
    fill<<<1, 64, 0, s>>>(a);
    cudaStreamWaitEvent(t, done, 0);
    add<<<1, 64, 0, t>>>(a, b);
    cudaDeviceSynchronize();
    int sum = 0;
    cudaMemcpy(&sum, b, sizeof sum, cudaMemcpyDeviceToHost);
    printf("%d\n", sum);
    for (int* each : {a, b, c, d}) cudaFree(each);
}
