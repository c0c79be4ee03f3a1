#pragma once

// The bodies' words for timing and counting: what a student would write, and nothing else. The
// marks vanish, arrays are pointers.
#define KERNEL __global__ void
#define ARRAY(...) __VA_ARGS__*
#define BRANCH(name, ...) (__VA_ARGS__)
