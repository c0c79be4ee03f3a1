#pragma once
// __nv_bfloat16 and __nv_bfloat162: stored in 16 bits, computed in float and rounded once.
#include "cuda_runtime.h"

/// To nearest, ties to even.
inline unsigned short wl_round(float v) {
    unsigned bits = wl_bits<unsigned>(v);
    if (v != v) return 0x7fff;
    bits += 0x7fff + (bits >> 16 & 1);
    return (unsigned short)(bits >> 16);
}

struct __nv_bfloat16 {
    unsigned short wl_value;
    __nv_bfloat16() = default;
    __nv_bfloat16(float v) : wl_value(wl_round(v)) {}
    __nv_bfloat16(double v) : __nv_bfloat16((float)v) {}
    __nv_bfloat16(int v) : __nv_bfloat16((float)v) {}
    __nv_bfloat16(unsigned v) : __nv_bfloat16((float)v) {}
    __nv_bfloat16(long long v) : __nv_bfloat16((float)v) {}
    operator float() const { return wl_bits<float>((unsigned)wl_value << 16); }
};
#define WL_VALUE __nv_bfloat16
#define WL_PAIR __nv_bfloat162
#include "wl/float16_rules.h"

inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
inline float __bfloat162float(__nv_bfloat16 v) { return v; }
inline __nv_bfloat16 __float2bfloat16(float v) { return __nv_bfloat16(v); }
inline __nv_bfloat16 __float2bfloat16_rn(float v) { return __nv_bfloat16(v); }
inline __nv_bfloat16 __double2bfloat16(double v) { return __nv_bfloat16((float)v); }
inline __nv_bfloat16 __int2bfloat16_rn(int v) { return __nv_bfloat16((float)v); }
inline int __bfloat162int_rn(__nv_bfloat16 v) { return (int)nearbyintf((float)v); }
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 v) { return __nv_bfloat162(v, v); }
inline __nv_bfloat162 __bfloat16s2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) {
    return __nv_bfloat162(a, b);
}
inline __nv_bfloat162 __float2bfloat162_rn(float v) {
    return __nv_bfloat162(__nv_bfloat16(v), __nv_bfloat16(v));
}
inline __nv_bfloat162 __floats2bfloat162_rn(float a, float b) {
    return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b));
}
inline __nv_bfloat162 __float22bfloat162_rn(float2 v) {
    return __nv_bfloat162(__nv_bfloat16(v.x), __nv_bfloat16(v.y));
}
inline float2 __bfloat1622float2(__nv_bfloat162 v) { return make_float2((float)v.x, (float)v.y); }
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
