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
    __half& operator+=(__half o) { return *this = __half((float)*this + (float)o); }
    __half& operator-=(__half o) { return *this = __half((float)*this - (float)o); }
    __half& operator*=(__half o) { return *this = __half((float)*this * (float)o); }
    __half& operator/=(__half o) { return *this = __half((float)*this / (float)o); }
};
#define WL_OPERATOR(op) \
    inline __half operator op(__half a, __half b) { return __half((float)a op (float)b); }
WL_OPERATOR(+)
WL_OPERATOR(-)
WL_OPERATOR(*)
WL_OPERATOR(/)
#undef WL_OPERATOR
inline __half operator-(__half a) { return __half(-(float)a); }
#define WL_OPERATOR(op) \
    inline bool operator op(__half a, __half b) { return (float)a op (float)b; }
WL_OPERATOR(==)
WL_OPERATOR(!=)
WL_OPERATOR(<)
WL_OPERATOR(>)
WL_OPERATOR(<=)
WL_OPERATOR(>=)
#undef WL_OPERATOR
struct alignas(4) __half2 {
    __half x, y;
    __half2() = default;
    __half2(__half a, __half b) : x(a), y(b) {}
};
inline __half2 operator+(__half2 a, __half2 b) { return __half2(a.x + b.x, a.y + b.y); }
inline __half2 operator-(__half2 a, __half2 b) { return __half2(a.x - b.x, a.y - b.y); }
inline __half2 operator*(__half2 a, __half2 b) { return __half2(a.x * b.x, a.y * b.y); }

#define WL_BINARY(fn, op)                                                         \
    inline __half __h##fn(__half a, __half b) { return a op b; }                  \
    inline __half2 __h##fn##2(__half2 a, __half2 b) { return __half2(a.x op b.x, a.y op b.y); }
WL_BINARY(add, +)
WL_BINARY(sub, -)
WL_BINARY(mul, *)
#undef WL_BINARY
inline __half __hdiv(__half a, __half b) { return a / b; }
inline __half __hneg(__half a) { return -a; }
inline __half __habs(__half a) { return __half(fabsf((float)a)); }
inline __half __hmax(__half a, __half b) { return a > b ? a : b; }
inline __half __hmin(__half a, __half b) { return a < b ? a : b; }
inline __half __hfma(__half a, __half b, __half c) {
    return __half(fmaf((float)a, (float)b, (float)c));
}
inline __half2 __hfma2(__half2 a, __half2 b, __half2 c) {
    return __half2(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
inline bool __hlt(__half a, __half b) { return a < b; }
inline bool __hle(__half a, __half b) { return a <= b; }
inline bool __hgt(__half a, __half b) { return a > b; }
inline bool __hge(__half a, __half b) { return a >= b; }
inline bool __heq(__half a, __half b) { return a == b; }
inline __half hsqrt(__half a) { return __half(sqrtf((float)a)); }
inline __half hexp(__half a) { return __half(expf((float)a)); }
inline __half hlog(__half a) { return __half(logf((float)a)); }
inline __half __low2half(__half2 v) { return v.x; }
inline __half __high2half(__half2 v) { return v.y; }
inline float __low2float(__half2 v) { return v.x; }
inline float __high2float(__half2 v) { return v.y; }
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
inline __half atomicAdd(__half* address, __half value) {
    WL_ATOMIC_EVENT;
    const __half old = *address;
    *address = old + value;
    return old;
}
inline __half2 atomicAdd(__half2* address, __half2 value) {
    WL_ATOMIC_EVENT;
    const __half2 old = *address;
    *address = old + value;
    return old;
}
typedef __half half;
typedef __half2 half2;
