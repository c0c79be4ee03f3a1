#pragma once
// Arrays for kernels that no program launches.
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <type_traits>
#include <vector>

namespace wl {

inline unsigned long long nextRandom() {
    static unsigned long long state = 0x9e3779b97f4a7c15ull;
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return state >> 33;
}

/// Ends the program: the array is not what somebody asked for.
template <class... Words>
[[noreturn]] void refuse(const char* wish, const char* words, Words... more) {
    printf("warplens: %s: ", wish);
    printf(words, more...);
    printf("\n");
    fflush(stdout);
    _Exit(124);
}

/// `random`: floating-point numbers from 0 to 1, whole ones below `most`, so that they can be
/// indices; `ramp`: the index, whole numbers likewise; a number: everywhere; `@FILE`: its bytes.
template <class T>
void fill(T* device, unsigned long long count, unsigned long long most, const char* how,
          const char* wish) {
    struct Element {
        T value;
    };
    std::vector<Element> host(count);
    if (how[0] == '@') {
        FILE* file = fopen(how + 1, "rb");
        if (file == nullptr) refuse(wish, "cannot read %s: %s", how + 1, strerror(errno));
        const size_t bytes = fread((void*)host.data(), 1, count * sizeof(T), file);
        fclose(file);
        if (bytes < count * sizeof(T)) {
            refuse(wish, "%s holds %zu bytes, the array takes %zu", how + 1, bytes,
                   (size_t)count * sizeof(T));
        }
    } else if constexpr (std::is_arithmetic_v<T>) {
        const bool isRandom = strcmp(how, "random") == 0, isRamp = strcmp(how, "ramp") == 0;
        char* end = nullptr;
        const double number = strtod(how, &end);
        if (!isRandom && !isRamp && (end == how || *end != 0)) {
            refuse(wish, "filled with random, ramp, a number or @FILE");
        }
        for (unsigned long long i = 0; i < count; ++i) {
            if constexpr (std::is_floating_point_v<T>) {
                host[i].value = isRandom ? (T)(nextRandom() * (1.0 / 2147483648.0))
                                : isRamp ? (T)i
                                         : (T)number;
            } else {
                host[i].value = isRandom ? (T)(nextRandom() % most)
                                : isRamp ? (T)(i % most)
                                         : (T)strtoll(how, nullptr, 10);
            }
        }
    } else {
        memset((void*)host.data(), 0, count * sizeof(T));
    }
    cudaMemcpy(device, host.data(), count * sizeof(T), cudaMemcpyHostToDevice);
}

template <class T>
T* made(long long count, unsigned long long most, const char* how, const char* wish) {
    if (count < 0) refuse(wish, "%lld elements: at least 0", count);
    T* device = nullptr;
    if ((unsigned long long)count > SIZE_MAX / sizeof(T) ||
        cudaMalloc(&device, (size_t)count * sizeof(T)) != cudaSuccess) {
        refuse(wish, "no room for %lld elements", count);
    }
    fill(device, (unsigned long long)count, most, how, wish);
    return device;
}

/// The array moved to the host, with room behind it: a function may copy more than is proposed.
template <class T>
T* onHost(T* device, long long count) {
    T* host = (T*)calloc((size_t)count + 1, 16 * sizeof(T));
    cudaMemcpy(host, device, (size_t)count * sizeof(T), cudaMemcpyDeviceToHost);
    cudaFree(device);
    return host;
}

}  // namespace wl
