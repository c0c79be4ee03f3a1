// The compiler's thread-sanitizer instrumentation turns std::atomic into calls. Here they are what
// they were before.
#include <cstdint>

#define WL_ATOMIC_HOOKS(bits, type)                                                               \
    type wlh_atomic##bits##_load(const volatile type* a, int) {                                   \
        return __atomic_load_n(a, __ATOMIC_SEQ_CST);                                              \
    }                                                                                             \
    void wlh_atomic##bits##_store(volatile type* a, type v, int) {                                \
        __atomic_store_n(a, v, __ATOMIC_SEQ_CST);                                                 \
    }                                                                                             \
    type wlh_atomic##bits##_exchange(volatile type* a, type v, int) {                             \
        return __atomic_exchange_n(a, v, __ATOMIC_SEQ_CST);                                       \
    }                                                                                             \
    type wlh_atomic##bits##_fetch_add(volatile type* a, type v, int) {                            \
        return __atomic_fetch_add(a, v, __ATOMIC_SEQ_CST);                                        \
    }                                                                                             \
    type wlh_atomic##bits##_fetch_sub(volatile type* a, type v, int) {                            \
        return __atomic_fetch_sub(a, v, __ATOMIC_SEQ_CST);                                        \
    }                                                                                             \
    type wlh_atomic##bits##_fetch_and(volatile type* a, type v, int) {                            \
        return __atomic_fetch_and(a, v, __ATOMIC_SEQ_CST);                                        \
    }                                                                                             \
    type wlh_atomic##bits##_fetch_or(volatile type* a, type v, int) {                             \
        return __atomic_fetch_or(a, v, __ATOMIC_SEQ_CST);                                         \
    }                                                                                             \
    type wlh_atomic##bits##_fetch_xor(volatile type* a, type v, int) {                            \
        return __atomic_fetch_xor(a, v, __ATOMIC_SEQ_CST);                                        \
    }                                                                                             \
    type wlh_atomic##bits##_fetch_nand(volatile type* a, type v, int) {                           \
        return __atomic_fetch_nand(a, v, __ATOMIC_SEQ_CST);                                       \
    }                                                                                             \
    int wlh_atomic##bits##_compare_exchange_strong(volatile type* a, type* c, type v, int, int) { \
        return __atomic_compare_exchange_n(a, c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);   \
    }                                                                                             \
    int wlh_atomic##bits##_compare_exchange_weak(volatile type* a, type* c, type v, int, int) {   \
        return __atomic_compare_exchange_n(a, c, v, true, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);    \
    }

extern "C" {
WL_ATOMIC_HOOKS(8, std::uint8_t)
WL_ATOMIC_HOOKS(16, std::uint16_t)
WL_ATOMIC_HOOKS(32, std::uint32_t)
WL_ATOMIC_HOOKS(64, std::uint64_t)
void wlh_atomic_thread_fence(int) {
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
void wlh_atomic_signal_fence(int) {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

const void* wl_traced_copy(const void* function);
}

#include "kernels/trace/runtime/tables.h"

extern "C" {
extern const warplens::runtime::FunctionRow __start_wl_functions[] __attribute__((weak));
extern const warplens::runtime::FunctionRow __stop_wl_functions[] __attribute__((weak));

/// For calls through pointers: few, and functions are few.
const void* wl_traced_copy(const void* function) {
    for (const auto* row = __start_wl_functions; row < __stop_wl_functions; ++row) {
        if (row->original == function) return row->traced;
    }
    return function;
}
}
