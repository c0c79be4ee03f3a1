#pragma once
// __half and __half2: stored in 16 bits, computed in float and rounded once.
#include "cuda_runtime.h"

struct __half {
    _Float16 wl_value;
    __half() = default;
    __half(float v) : wl_value((_Float16)v) {}
    __half(double v) : __half((float)v) {}
    __half(int v) : __half((float)v) {}
    __half(unsigned v) : __half((float)v) {}
    __half(long long v) : __half((float)v) {}
    operator float() const { return (float)wl_value; }
};
#define WL_VALUE __half
#define WL_PAIR __half2
#include "wl/float16_rules.h"

inline __half __low2half(__half2 v) { return v.x; }
inline __half __high2half(__half2 v) { return v.y; }
inline float __half2float(__half v) { return v; }
inline __half __float2half(float v) { return __half(v); }
inline __half __float2half_rn(float v) { return __half(v); }
inline __half __double2half(double v) { return __half((float)v); }
inline __half __int2half_rn(int v) { return __half((float)v); }
inline int __half2int_rn(__half v) { return (int)nearbyintf((float)v); }
inline __half2 __half2half2(__half v) { return __half2(v, v); }
inline __half2 __halfs2half2(__half a, __half b) { return __half2(a, b); }
inline __half2 __float2half2_rn(float v) { return __half2(__half(v), __half(v)); }
inline __half2 __floats2half2_rn(float a, float b) { return __half2(__half(a), __half(b)); }
inline __half2 __float22half2_rn(float2 v) { return __half2(__half(v.x), __half(v.y)); }
inline float2 __half22float2(__half2 v) { return make_float2((float)v.x, (float)v.y); }
typedef __half half;
typedef __half2 half2;
