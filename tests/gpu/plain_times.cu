// Kernels of scenarios written and launched as in any CUDA program, with nothing of Warplens in it,
// and their times from CUPTI activity records of its own: what Warplens' times are held against
// (device_time.py). Under ncu it is run with --no-records, which profiles the same launches. Not part
// of the build: nvcc -O3 -arch=native -I$CUDA_PATH/extras/CUPTI/include plain_times.cu -o plain-times
//
//   plain-times [--no-records] RUNS
//
// A line for each case, in the order of the launches: {"case", "warm_up_runs", "runs",
// "concurrent_ns": [..], "serial_ns": [..], "event_ns": [..]}: records of the two kinds, and CUDA
// events without any.

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <cupti.h>
#include <dlfcn.h>
#include <functional>
#include <vector>

__global__ void nothing() {}

__global__ void add(const float* a, const float* b, float* c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && col < n) {
        c[row * n + col] = a[row * n + col] + b[row * n + col];
    }
}

__global__ void addSwapped(const float* a, const float* b, float* c, int n) {
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int col = blockIdx.y * blockDim.y + threadIdx.y;
    if (row < n && col < n) {
        c[row * n + col] = a[row * n + col] + b[row * n + col];
    }
}

__global__ void multiply(const float* a, const float* b, float* c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row < n && col < n) {
        float sum = 0.0f;
        for (int k = 0; k < n; ++k) {
            sum += a[row * n + k] * b[k * n + col];
        }
        c[row * n + col] = sum;
    }
}

__global__ void copyEvery(const float* in, float* out, int n, int stride) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) {
        out[i] = in[i * stride];
    }
}

__global__ void sumOfBlock(const float* in, float* sums, int n) {
    __shared__ float values[1024];
    int t = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    values[t] = i < n ? in[i] : 0.0f;
    __syncthreads();
    for (int stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (t < stride) {
            values[t] += values[t + stride];
        }
        __syncthreads();
    }
    if (t == 0) {
        sums[blockIdx.x] = values[0];
    }
}

namespace {

constexpr int warmUpRuns = 20;

void require(bool done, const char* what) {
    if (done) return;
    std::fprintf(stderr, "plain-times: %s failed\n", what);
    std::exit(1);
}

// CUPTI, by name, so that the program also starts under ncu, which brings its own.
decltype(&cuptiActivityRegisterCallbacks) registerCallbacks;
decltype(&cuptiActivityEnable) enable;
decltype(&cuptiActivityDisable) disable;
decltype(&cuptiActivityFlushAll) flushAll;
decltype(&cuptiActivityGetNextRecord) nextRecord;

std::vector<unsigned long long> records;  // nanoseconds of each kernel, as they are handed over

void CUPTIAPI giveBuffer(uint8_t** buffer, size_t* size, size_t* most) {
    *size = 1 << 20;
    *buffer = static_cast<uint8_t*>(std::aligned_alloc(8, *size));
    *most = 0;
}

void CUPTIAPI takeBuffer(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid) {
    CUpti_Activity* record = nullptr;
    while (nextRecord(buffer, valid, &record) == CUPTI_SUCCESS) {
        if (record->kind != CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL &&
            record->kind != CUPTI_ACTIVITY_KIND_KERNEL) {
            continue;
        }
        CUpti_ActivityKernel10 kernel;
        std::memcpy(&kernel, record, sizeof kernel);
        records.push_back(kernel.end - kernel.start);
    }
    std::free(buffer);
}

void openCupti() {
    void* library = nullptr;
    for (const char* name : {"libcupti.so.13", "/usr/local/cuda/lib64/libcupti.so.13",
                             "/usr/local/cuda/extras/CUPTI/lib64/libcupti.so.13"}) {
        if (library == nullptr) library = dlopen(name, RTLD_NOW);
    }
    require(library != nullptr, "dlopen of libcupti.so.13");
    const auto find = [&](auto& function, const char* name) {
        function = reinterpret_cast<std::decay_t<decltype(function)>>(dlsym(library, name));
        require(function != nullptr, name);
    };
    find(registerCallbacks, "cuptiActivityRegisterCallbacks");
    find(enable, "cuptiActivityEnable");
    find(disable, "cuptiActivityDisable");
    find(flushAll, "cuptiActivityFlushAll");
    find(nextRecord, "cuptiActivityGetNextRecord");
    require(registerCallbacks(giveBuffer, takeBuffer) == CUPTI_SUCCESS, "registering callbacks");
}

void launchAll(int runs, const std::function<void()>& launch) {
    for (int run = 0; run < runs; ++run) launch();
    require(cudaDeviceSynchronize() == cudaSuccess, "a launch");
}

float* filled(size_t count) {
    std::vector<float> values(std::min<size_t>(count, 1 << 20));
    for (size_t i = 0; i < values.size(); ++i)
        values[i] = static_cast<float>(i * 7919 % 4096) / 4096;
    float* data = nullptr;
    require(cudaMalloc(&data, count * sizeof(float)) == cudaSuccess, "cudaMalloc");
    for (size_t at = 0; at < count; at += values.size()) {
        const size_t bytes = std::min(values.size(), count - at) * sizeof(float);
        require(cudaMemcpy(data + at, values.data(), bytes, cudaMemcpyHostToDevice) == cudaSuccess,
                "cudaMemcpy");
    }
    return data;
}

void print(const char* name, const std::vector<unsigned long long>& nanoseconds) {
    std::printf(", \"%s\": [", name);
    for (size_t i = 0; i < nanoseconds.size(); ++i) {
        std::printf("%s%llu", i == 0 ? "" : ", ", nanoseconds[i]);
    }
    std::printf("]");
}

void printRecords(const char* name, CUpti_ActivityKind kind, int runs,
                  const std::function<void()>& launch) {
    records.clear();
    require(enable(kind) == CUPTI_SUCCESS, "enabling records");
    launchAll(runs, launch);
    require(flushAll(1) == CUPTI_SUCCESS, "flushing records");
    require(disable(kind) == CUPTI_SUCCESS, "disabling records");
    require(static_cast<int>(records.size()) == runs, "a record for each launch");
    print(name, records);
}

void printEvents(int runs, const std::function<void()>& launch) {
    std::vector<cudaEvent_t> events(2 * runs);
    for (cudaEvent_t& event : events) {
        require(cudaEventCreate(&event) == cudaSuccess, "cudaEventCreate");
    }
    for (int run = 0; run < runs; ++run) {
        cudaEventRecord(events[2 * run]);
        launch();
        cudaEventRecord(events[2 * run + 1]);
    }
    require(cudaDeviceSynchronize() == cudaSuccess, "a launch");
    std::vector<unsigned long long> nanoseconds;
    for (int run = 0; run < runs; ++run) {
        float milliseconds = 0;
        cudaEventElapsedTime(&milliseconds, events[2 * run], events[2 * run + 1]);
        nanoseconds.push_back(static_cast<unsigned long long>(1e6 * milliseconds));
    }
    for (cudaEvent_t event : events) cudaEventDestroy(event);
    print("event_ns", nanoseconds);
}

void runCase(const char* name, int runs, bool recorded, const std::function<void()>& launch) {
    launchAll(warmUpRuns, launch);
    std::printf("{\"case\": \"%s\", \"warm_up_runs\": %d, \"runs\": %d", name, warmUpRuns, runs);
    if (recorded) {
        printRecords("concurrent_ns", CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, runs, launch);
        printRecords("serial_ns", CUPTI_ACTIVITY_KIND_KERNEL, runs, launch);
        printEvents(runs, launch);
    } else {
        launchAll(runs, launch);
    }
    std::printf("}\n");
}

}  // namespace

int main(int count, char** arguments) {
    bool recorded = true;
    int runs = 0;
    for (int i = 1; i < count; ++i) {
        if (std::strcmp(arguments[i], "--no-records") == 0) {
            recorded = false;
        } else {
            runs = std::atoi(arguments[i]);
        }
    }
    if (runs < 1) {
        std::fprintf(stderr, "usage: plain-times [--no-records] RUNS\n");
        return 2;
    }
    require(cudaFree(nullptr) == cudaSuccess, "finding a device");
    if (recorded) openCupti();

    constexpr int large = 16384;
    constexpr int small = 512;
    constexpr int many = 1 << 24;
    const size_t most = size_t{large} * large;
    float* const a = filled(most);
    float* const b = filled(most);
    float* const c = filled(most);
    const dim3 block(16, 16);
    const auto grid = [&](int n) { return dim3(n / 16, n / 16); };

    runCase("empty", runs, recorded, [&] { nothing<<<1, 1>>>(); });
    runCase("matadd-coalesced", runs, recorded,
            [&] { add<<<grid(small), block>>>(a, b, c, small); });
    runCase("matadd-swapped", runs, recorded,
            [&] { addSwapped<<<grid(small), block>>>(a, b, c, small); });
    runCase("matmul-global", runs, recorded,
            [&] { multiply<<<grid(small), block>>>(a, b, c, small); });
    runCase("access-stride stride=2", runs, recorded,
            [&] { copyEvery<<<many / 256, 256>>>(a, c, many, 2); });
    runCase("reduce-sequential", runs, recorded,
            [&] { sumOfBlock<<<many / 512, 512>>>(a, c, many); });
    runCase("matadd-coalesced n=16384", runs, recorded,
            [&] { add<<<grid(large), block>>>(a, b, c, large); });
    runCase("matadd-swapped n=16384", runs, recorded,
            [&] { addSwapped<<<grid(large), block>>>(a, b, c, large); });
    return 0;
}
