#pragma once
// CUDA's vector types, with their alignments (CUDA Programming Guide, "Built-in Vector Types").

#define WL_VECTORS(type, name)                                                  \
    struct name##1 {                                                            \
        type x;                                                                 \
    };                                                                          \
    struct alignas(2 * sizeof(type)) name##2 {                                  \
        type x, y;                                                              \
    };                                                                          \
    struct name##3 {                                                            \
        type x, y, z;                                                           \
    };                                                                          \
    struct alignas(4 * sizeof(type) > 16 ? 16 : 4 * sizeof(type)) name##4 {     \
        type x, y, z, w;                                                        \
    };                                                                          \
    inline name##1 make_##name##1(type x) { return {x}; }                       \
    inline name##2 make_##name##2(type x, type y) { return {x, y}; }            \
    inline name##3 make_##name##3(type x, type y, type z) { return {x, y, z}; } \
    inline name##4 make_##name##4(type x, type y, type z, type w) { return {x, y, z, w}; }

WL_VECTORS(signed char, char)
WL_VECTORS(unsigned char, uchar)
WL_VECTORS(short, short)
WL_VECTORS(unsigned short, ushort)
WL_VECTORS(int, int)
WL_VECTORS(unsigned int, uint)
WL_VECTORS(long, long)
WL_VECTORS(unsigned long, ulong)
WL_VECTORS(long long, longlong)
WL_VECTORS(unsigned long long, ulonglong)
WL_VECTORS(float, float)
WL_VECTORS(double, double)
#undef WL_VECTORS

struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int vx = 1, unsigned int vy = 1, unsigned int vz = 1)
        : x(vx), y(vy), z(vz) {}
    constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
};
