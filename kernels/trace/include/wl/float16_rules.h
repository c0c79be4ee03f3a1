// No `#pragma once`: what __half and __nv_bfloat16 have in common, included by the header of each
// with WL_VALUE and WL_PAIR naming the type and the pair of it.
#define WL_OPERATOR(op)                                                                            \
    inline WL_VALUE operator op(WL_VALUE a, WL_VALUE b) { return WL_VALUE((float)a op(float) b); } \
    inline WL_VALUE& operator op##=(WL_VALUE& a, WL_VALUE b) { return a = a op b; }
WL_OPERATOR(+)
WL_OPERATOR(-)
WL_OPERATOR(*)
WL_OPERATOR(/)
#undef WL_OPERATOR
inline WL_VALUE operator-(WL_VALUE a) { return WL_VALUE(-(float)a); }
#define WL_OPERATOR(op) \
    inline bool operator op(WL_VALUE a, WL_VALUE b) { return (float)a op(float) b; }
WL_OPERATOR(==)
WL_OPERATOR(!=)
WL_OPERATOR(<)
WL_OPERATOR(>)
WL_OPERATOR(<=)
WL_OPERATOR(>=)
#undef WL_OPERATOR
struct alignas(4) WL_PAIR {
    WL_VALUE x, y;
    WL_PAIR() = default;
    WL_PAIR(WL_VALUE a, WL_VALUE b) : x(a), y(b) {}
};

#define WL_BINARY(fn, op)                                                                        \
    inline WL_PAIR operator op(WL_PAIR a, WL_PAIR b) { return WL_PAIR(a.x op b.x, a.y op b.y); } \
    inline WL_VALUE __h##fn(WL_VALUE a, WL_VALUE b) { return a op b; }                           \
    inline WL_PAIR __h##fn##2(WL_PAIR a, WL_PAIR b) { return a op b; }
WL_BINARY(add, +)
WL_BINARY(sub, -)
WL_BINARY(mul, *)
#undef WL_BINARY
inline WL_VALUE __hdiv(WL_VALUE a, WL_VALUE b) { return a / b; }
inline WL_VALUE __hneg(WL_VALUE a) { return -a; }
inline WL_VALUE __habs(WL_VALUE a) { return WL_VALUE(fabsf((float)a)); }
inline WL_VALUE __hmax(WL_VALUE a, WL_VALUE b) { return a > b ? a : b; }
inline WL_VALUE __hmin(WL_VALUE a, WL_VALUE b) { return a < b ? a : b; }
inline WL_VALUE __hfma(WL_VALUE a, WL_VALUE b, WL_VALUE c) {
    return WL_VALUE(fmaf((float)a, (float)b, (float)c));
}
inline WL_PAIR __hfma2(WL_PAIR a, WL_PAIR b, WL_PAIR c) {
    return WL_PAIR(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
inline bool __hlt(WL_VALUE a, WL_VALUE b) { return a < b; }
inline bool __hle(WL_VALUE a, WL_VALUE b) { return a <= b; }
inline bool __hgt(WL_VALUE a, WL_VALUE b) { return a > b; }
inline bool __hge(WL_VALUE a, WL_VALUE b) { return a >= b; }
inline bool __heq(WL_VALUE a, WL_VALUE b) { return a == b; }
inline WL_VALUE hsqrt(WL_VALUE a) { return WL_VALUE(sqrtf((float)a)); }
inline WL_VALUE hexp(WL_VALUE a) { return WL_VALUE(expf((float)a)); }
inline WL_VALUE hlog(WL_VALUE a) { return WL_VALUE(logf((float)a)); }
inline float __low2float(WL_PAIR v) { return v.x; }
inline float __high2float(WL_PAIR v) { return v.y; }
#define WL_ATOMIC_ADD(type)                            \
    inline type atomicAdd(type* address, type value) { \
        WL_ATOMIC_EVENT;                               \
        const type old = *address;                     \
        *address = old + value;                        \
        return old;                                    \
    }
WL_ATOMIC_ADD(WL_VALUE)
WL_ATOMIC_ADD(WL_PAIR)
#undef WL_ATOMIC_ADD
#undef WL_VALUE
#undef WL_PAIR
