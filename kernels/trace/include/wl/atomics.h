#pragma once
// Atomic functions: lanes run one after another, so each is done when it is called.
#include <string.h>

#include "wl/device.h"

#define WL_ATOMIC(name, type, expression)         \
    inline type name(type* address, type value) { \
        WL_ATOMIC_EVENT;                          \
        const type old = *address;                \
        *address = (expression);                  \
        return old;                               \
    }
#define WL_ATOMIC_SCOPES(name, type, expression) \
    WL_ATOMIC(name, type, expression)            \
    WL_ATOMIC(name##_block, type, expression)    \
    WL_ATOMIC(name##_system, type, expression)

#define WL_ATOMIC_INTEGERS(name, expression)         \
    WL_ATOMIC_SCOPES(name, int, expression)          \
    WL_ATOMIC_SCOPES(name, unsigned int, expression) \
    WL_ATOMIC_SCOPES(name, unsigned long long, expression)

WL_ATOMIC_INTEGERS(atomicAdd, old + value)
WL_ATOMIC_SCOPES(atomicAdd, float, old + value)
WL_ATOMIC_SCOPES(atomicAdd, double, old + value)
WL_ATOMIC_INTEGERS(atomicExch, value)
WL_ATOMIC_SCOPES(atomicExch, float, value)
WL_ATOMIC_SCOPES(atomicSub, int, old - value)
WL_ATOMIC_SCOPES(atomicSub, unsigned int, old - value)
WL_ATOMIC_INTEGERS(atomicMin, value < old ? value : old)
WL_ATOMIC_SCOPES(atomicMin, long long, value < old ? value : old)
WL_ATOMIC_INTEGERS(atomicMax, value > old ? value : old)
WL_ATOMIC_SCOPES(atomicMax, long long, value > old ? value : old)
WL_ATOMIC_INTEGERS(atomicAnd, old& value)
WL_ATOMIC_INTEGERS(atomicOr, old | value)
WL_ATOMIC_INTEGERS(atomicXor, old ^ value)
WL_ATOMIC_SCOPES(atomicInc, unsigned int, old >= value ? 0u : old + 1)
WL_ATOMIC_SCOPES(atomicDec, unsigned int, old == 0 || old > value ? value : old - 1)
#undef WL_ATOMIC_INTEGERS
#undef WL_ATOMIC_SCOPES
#undef WL_ATOMIC

#define WL_COMPARE_AND_SWAP(name, type)                         \
    inline type name(type* address, type compare, type value) { \
        WL_ATOMIC_EVENT;                                        \
        const type old = *address;                              \
        if (old == compare) *address = value;                   \
        return old;                                             \
    }
WL_COMPARE_AND_SWAP(atomicCAS, int)
WL_COMPARE_AND_SWAP(atomicCAS, unsigned int)
WL_COMPARE_AND_SWAP(atomicCAS, unsigned long long)
WL_COMPARE_AND_SWAP(atomicCAS, unsigned short)
WL_COMPARE_AND_SWAP(atomicCAS_block, int)
WL_COMPARE_AND_SWAP(atomicCAS_block, unsigned int)
WL_COMPARE_AND_SWAP(atomicCAS_system, int)
WL_COMPARE_AND_SWAP(atomicCAS_system, unsigned int)
WL_COMPARE_AND_SWAP(atomicCAS_block, unsigned long long)
WL_COMPARE_AND_SWAP(atomicCAS_system, unsigned long long)
#undef WL_COMPARE_AND_SWAP
