#pragma once
// Arrays for kernels that no program launches.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <type_traits>
#include <vector>

#include "wl/memory.h"

namespace wl {

inline unsigned long long nextRandom() {
    static unsigned long long state = 0x9e3779b97f4a7c15ull;
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return state >> 33;
}

/// `random`: floating-point numbers from 0 to 1, whole ones below `most`, so that they can be
/// indices; `ramp`: the index, whole numbers likewise; a number: everywhere; `@FILE`: its bytes.
template <class T>
bool fill(T* device, unsigned long long count, unsigned long long most, const char* how) {
    struct Element {
        T value;
    };
    std::vector<Element> host(count);
    if (how[0] == '@') {
        FILE* file = fopen(how + 1, "rb");
        if (file == nullptr) {
            printf("%s cannot be read\n", how + 1);
            return false;
        }
        const size_t bytes = fread((void*)host.data(), 1, count * sizeof(T), file);
        fclose(file);
        if (bytes < count * sizeof(T)) {
            printf("%s holds %zu bytes, the array takes %zu\n", how + 1, bytes,
                   (size_t)count * sizeof(T));
            return false;
        }
    } else if constexpr (std::is_arithmetic_v<T>) {
        const bool isRandom = strcmp(how, "random") == 0, isRamp = strcmp(how, "ramp") == 0;
        for (unsigned long long i = 0; i < count; ++i) {
            if constexpr (std::is_floating_point_v<T>) {
                host[i].value = isRandom ? (T)(nextRandom() * (1.0 / 2147483648.0))
                                : isRamp ? (T)i
                                         : (T)strtod(how, nullptr);
            } else {
                host[i].value = isRandom ? (T)(nextRandom() % most)
                                : isRamp ? (T)(i % most)
                                         : (T)strtoll(how, nullptr, 10);
            }
        }
    } else {
        memset((void*)host.data(), 0, count * sizeof(T));
    }
    return cudaMemcpy(device, host.data(), count * sizeof(T), cudaMemcpyHostToDevice) ==
           cudaSuccess;
}

}  // namespace wl
