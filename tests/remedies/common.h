// What the programs of planted.txt and good.txt have in common: memory of the device with values in
// it, and results.
#include <cstdio>
#include <vector>

template <class T>
T* filled(int n) {
    std::vector<T> host(n);
    for (int i = 0; i < n; ++i) host[i] = T(i % 251);
    T* device;
    cudaMalloc(&device, n * sizeof(T));
    cudaMemcpy(device, host.data(), n * sizeof(T), cudaMemcpyHostToDevice);
    return device;
}

template <class T>
T* zeros(int n) {
    T* device;
    cudaMalloc(&device, n * sizeof(T));
    cudaMemset(device, 0, n * sizeof(T));
    return device;
}

template <class T>
void show(T* device, int n) {
    std::vector<T> host(n);
    cudaMemcpy(host.data(), device, n * sizeof(T), cudaMemcpyDeviceToHost);
    double sum = 0;
    for (int i = 0; i < n; ++i) sum += double(host[i]) * (i % 7 + 1);
    printf("%.9g\n", sum);
    cudaFree(device);
}
