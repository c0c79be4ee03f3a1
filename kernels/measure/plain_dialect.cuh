#pragma once

// The bodies' words for timing and counting: what a student would write, and nothing else. The
// marks vanish, arrays are pointers.
#define KERNEL __global__ void
#define ARRAY(...) __VA_ARGS__*
#define BRANCH(name, ...) (__VA_ARGS__)
#define WHILE(name, ...) while (__VA_ARGS__)
#define ROUND(variable)
#define ARRIVED(value)
#define SHARED_1D(T, name, count) __shared__ T name[count]
#define SHARED_2D(T, name, rows, columns) __shared__ T name[rows][columns]
#define DYNAMIC_SHARED(T, name) extern __shared__ T name[]
#define SHARED_PART(T, name, of, at) T* name = (of) + (at)
