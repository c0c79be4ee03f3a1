#pragma once

#include "kernels/measure/bound_kernel.h"

namespace warplens {

/// What the parameters of a body that takes plain pointers are made from.
struct DeviceParameters final {
    const BoundKernel& bound;
    template <class T>
    const T* input(int array) const {
        return bound.pointer<const T>(array);
    }
    template <class T>
    T* output(int array) const {
        return bound.pointer<T>(array);
    }
    int argument(const char* name) const { return bound.argument(name); }
};

}  // namespace warplens
