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
    __nv_bfloat16& operator+=(__nv_bfloat16 o) { return *this = __nv_bfloat16((float)*this + (float)o); }
    __nv_bfloat16& operator-=(__nv_bfloat16 o) { return *this = __nv_bfloat16((float)*this - (float)o); }
    __nv_bfloat16& operator*=(__nv_bfloat16 o) { return *this = __nv_bfloat16((float)*this * (float)o); }
    __nv_bfloat16& operator/=(__nv_bfloat16 o) { return *this = __nv_bfloat16((float)*this / (float)o); }
};
#define WL_OPERATOR(op) \
    inline __nv_bfloat16 operator op(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat16((float)a op (float)b); }
WL_OPERATOR(+)
WL_OPERATOR(-)
WL_OPERATOR(*)
WL_OPERATOR(/)
#undef WL_OPERATOR
inline __nv_bfloat16 operator-(__nv_bfloat16 a) { return __nv_bfloat16(-(float)a); }
#define WL_OPERATOR(op) \
    inline bool operator op(__nv_bfloat16 a, __nv_bfloat16 b) { return (float)a op (float)b; }
WL_OPERATOR(==)
WL_OPERATOR(!=)
WL_OPERATOR(<)
WL_OPERATOR(>)
WL_OPERATOR(<=)
WL_OPERATOR(>=)
#undef WL_OPERATOR
struct alignas(4) __nv_bfloat162 {
    __nv_bfloat16 x, y;
    __nv_bfloat162() = default;
    __nv_bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) : x(a), y(b) {}
};
inline __nv_bfloat162 operator+(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x + b.x, a.y + b.y); }
inline __nv_bfloat162 operator-(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x - b.x, a.y - b.y); }
inline __nv_bfloat162 operator*(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x * b.x, a.y * b.y); }

#define WL_BINARY(fn, op)                                                         \
    inline __nv_bfloat16 __h##fn(__nv_bfloat16 a, __nv_bfloat16 b) { return a op b; }                  \
    inline __nv_bfloat162 __h##fn##2(__nv_bfloat162 a, __nv_bfloat162 b) { return __nv_bfloat162(a.x op b.x, a.y op b.y); }
WL_BINARY(add, +)
WL_BINARY(sub, -)
WL_BINARY(mul, *)
#undef WL_BINARY
inline __nv_bfloat16 __hdiv(__nv_bfloat16 a, __nv_bfloat16 b) { return a / b; }
inline __nv_bfloat16 __hneg(__nv_bfloat16 a) { return -a; }
inline __nv_bfloat16 __habs(__nv_bfloat16 a) { return __nv_bfloat16(fabsf((float)a)); }
inline __nv_bfloat16 __hmax(__nv_bfloat16 a, __nv_bfloat16 b) { return a > b ? a : b; }
inline __nv_bfloat16 __hmin(__nv_bfloat16 a, __nv_bfloat16 b) { return a < b ? a : b; }
inline __nv_bfloat16 __hfma(__nv_bfloat16 a, __nv_bfloat16 b, __nv_bfloat16 c) {
    return __nv_bfloat16(fmaf((float)a, (float)b, (float)c));
}
inline __nv_bfloat162 __hfma2(__nv_bfloat162 a, __nv_bfloat162 b, __nv_bfloat162 c) {
    return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
inline bool __hlt(__nv_bfloat16 a, __nv_bfloat16 b) { return a < b; }
inline bool __hle(__nv_bfloat16 a, __nv_bfloat16 b) { return a <= b; }
inline bool __hgt(__nv_bfloat16 a, __nv_bfloat16 b) { return a > b; }
inline bool __hge(__nv_bfloat16 a, __nv_bfloat16 b) { return a >= b; }
inline bool __heq(__nv_bfloat16 a, __nv_bfloat16 b) { return a == b; }
inline __nv_bfloat16 hsqrt(__nv_bfloat16 a) { return __nv_bfloat16(sqrtf((float)a)); }
inline __nv_bfloat16 hexp(__nv_bfloat16 a) { return __nv_bfloat16(expf((float)a)); }
inline __nv_bfloat16 hlog(__nv_bfloat16 a) { return __nv_bfloat16(logf((float)a)); }
inline __nv_bfloat16 __low2bfloat16(__nv_bfloat162 v) { return v.x; }
inline __nv_bfloat16 __high2bfloat16(__nv_bfloat162 v) { return v.y; }
inline float __low2float(__nv_bfloat162 v) { return v.x; }
inline float __high2float(__nv_bfloat162 v) { return v.y; }
inline float __bfloat162float(__nv_bfloat16 v) { return v; }
inline __nv_bfloat16 __float2bfloat16(float v) { return __nv_bfloat16(v); }
inline __nv_bfloat16 __float2bfloat16_rn(float v) { return __nv_bfloat16(v); }
inline __nv_bfloat16 __double2bfloat16(double v) { return __nv_bfloat16((float)v); }
inline __nv_bfloat16 __int2bfloat16_rn(int v) { return __nv_bfloat16((float)v); }
inline int __bfloat162int_rn(__nv_bfloat16 v) { return (int)nearbyintf((float)v); }
inline __nv_bfloat162 __bfloat162bfloat162(__nv_bfloat16 v) { return __nv_bfloat162(v, v); }
inline __nv_bfloat162 __bfloat16s2bfloat162(__nv_bfloat16 a, __nv_bfloat16 b) { return __nv_bfloat162(a, b); }
inline __nv_bfloat162 __float2bfloat162_rn(float v) { return __nv_bfloat162(__nv_bfloat16(v), __nv_bfloat16(v)); }
inline __nv_bfloat162 __floats2bfloat162_rn(float a, float b) { return __nv_bfloat162(__nv_bfloat16(a), __nv_bfloat16(b)); }
inline __nv_bfloat162 __float22bfloat162_rn(float2 v) { return __nv_bfloat162(__nv_bfloat16(v.x), __nv_bfloat16(v.y)); }
inline float2 __bfloat1622float2(__nv_bfloat162 v) { return make_float2((float)v.x, (float)v.y); }
inline __nv_bfloat16 atomicAdd(__nv_bfloat16* address, __nv_bfloat16 value) {
    WL_ATOMIC_EVENT;
    const __nv_bfloat16 old = *address;
    *address = old + value;
    return old;
}
inline __nv_bfloat162 atomicAdd(__nv_bfloat162* address, __nv_bfloat162 value) {
    WL_ATOMIC_EVENT;
    const __nv_bfloat162 old = *address;
    *address = old + value;
    return old;
}
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
