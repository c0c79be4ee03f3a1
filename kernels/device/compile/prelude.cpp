#include "kernels/device/compile/compile.h"

namespace warplens {
namespace {

/// For both.
constexpr const char* namesAndFloats = R"cuda(
typedef unsigned int uint;
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned long ulong;
typedef long ssize_t;
typedef long clock_t;
typedef float2 cufftComplex;
typedef double2 cufftDoubleComplex;
typedef float cufftReal;
#ifndef NULL
#define NULL 0
#endif
#ifndef FLT_EPSILON
#define FLT_EPSILON 1.19209290e-7f
#endif
#ifndef FLT_MIN
#define FLT_MIN 1.17549435e-38f
#endif
#ifndef FLT_MAX
#define FLT_MAX 3.40282347e+38f
#endif
#ifndef FLT_DIG
#define FLT_DIG 6
#endif
#ifndef DBL_EPSILON
#define DBL_EPSILON 2.2204460492503131e-16
#endif
#ifndef DBL_MIN
#define DBL_MIN 2.2250738585072014e-308
#endif
#ifndef DBL_MAX
#define DBL_MAX 1.7976931348623157e+308
#endif
#ifndef DBL_DIG
#define DBL_DIG 15
#endif
#ifndef M_E
#define M_E 2.7182818284590452354
#endif
#ifndef M_PI
#define M_PI 3.14159265358979323846
#endif
#ifndef M_PI_2
#define M_PI_2 1.57079632679489661923
#endif
#ifndef M_PI_4
#define M_PI_4 0.78539816339744830962
#endif
#ifndef M_1_PI
#define M_1_PI 0.31830988618379067154
#endif
#ifndef M_2_PI
#define M_2_PI 0.63661977236758134308
#endif
#ifndef M_LN2
#define M_LN2 0.69314718055994530942
#endif
#ifndef M_SQRT2
#define M_SQRT2 1.41421356237309504880
#endif
#ifndef M_SQRT1_2
#define M_SQRT1_2 0.70710678118654752440
#endif
#ifndef HUGE_VALF
#define HUGE_VALF __int_as_float(0x7f800000)
#endif
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
#ifndef RAND_MAX
#define RAND_MAX 2147483647
#endif
namespace std { using ::memcpy; using ::memset; }
)cuda";

constexpr const char* ofLibcuxx = R"cuda(
#include <cuda/std/cfloat>
#include <cuda/std/climits>
#include <cuda/std/cmath>
#include <cuda/std/cstddef>
#include <cuda/std/cstdint>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
#include <cuda/std/utility>
namespace std { using namespace cuda::std; }
)cuda";

constexpr const char* ownIntegers = R"cuda(
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned int uint32_t;
typedef unsigned long uint64_t;
typedef long intptr_t;
typedef unsigned long uintptr_t;
#define CHAR_BIT 8
#define SCHAR_MIN (-128)
#define SCHAR_MAX 127
#define UCHAR_MAX 255
#define CHAR_MIN (-128)
#define CHAR_MAX 127
#define SHRT_MIN (-32768)
#define SHRT_MAX 32767
#define USHRT_MAX 65535
#define INT_MIN (-2147483647 - 1)
#define INT_MAX 2147483647
#define UINT_MAX 4294967295U
#define LONG_MIN (-9223372036854775807L - 1L)
#define LONG_MAX 9223372036854775807L
#define ULONG_MAX 18446744073709551615UL
#define LLONG_MIN (-9223372036854775807LL - 1LL)
#define LLONG_MAX 9223372036854775807LL
#define ULLONG_MAX 18446744073709551615ULL
#define INT8_MAX 127
#define INT16_MAX 32767
#define INT32_MAX 2147483647
#define INT32_MIN (-2147483647 - 1)
#define UINT8_MAX 255
#define UINT16_MAX 65535
#define UINT32_MAX 4294967295U
#define INT64_MAX 9223372036854775807L
#define UINT64_MAX 18446744073709551615UL
#define SIZE_MAX 18446744073709551615UL
)cuda";

constexpr const char* ownStandard = R"cuda(
namespace std {
using ::size_t;
using ::int8_t; using ::int16_t; using ::int32_t; using ::int64_t;
using ::uint8_t; using ::uint16_t; using ::uint32_t; using ::uint64_t;
typedef long ptrdiff_t;
typedef decltype(nullptr) nullptr_t;
using ::abs; using ::fabs; using ::sqrt; using ::pow; using ::exp; using ::log; using ::sin;
using ::cos; using ::tan; using ::floor; using ::ceil; using ::fmin; using ::fmax; using ::round;
using ::tanh; using ::atan2; using ::fmod; using ::log2; using ::exp2; using ::sqrtf;
using ::powf; using ::expf; using ::logf; using ::sinf; using ::cosf; using ::fabsf;
using ::fmaxf; using ::fminf; using ::printf;
template <class T> struct remove_reference { typedef T type; };
template <class T> struct remove_reference<T&> { typedef T type; };
template <class T> struct remove_reference<T&&> { typedef T type; };
template <class T> __device__ constexpr const T& min(const T& a, const T& b) { return b < a ? b : a; }
template <class T> __device__ constexpr const T& max(const T& a, const T& b) { return a < b ? b : a; }
template <class T> __device__ constexpr T&& move(T& a) { return static_cast<T&&>(a); }
template <class T> __device__ constexpr void swap(T& a, T& b) { T c = a; a = b; b = c; }
template <class T> struct numeric_limits;
template <> struct numeric_limits<float> {
    __device__ static constexpr float max() { return FLT_MAX; }
    __device__ static constexpr float min() { return FLT_MIN; }
    __device__ static constexpr float lowest() { return -FLT_MAX; }
    __device__ static constexpr float epsilon() { return FLT_EPSILON; }
    __device__ static float infinity() { return INFINITY; }
};
template <> struct numeric_limits<double> {
    __device__ static constexpr double max() { return DBL_MAX; }
    __device__ static constexpr double min() { return DBL_MIN; }
    __device__ static constexpr double lowest() { return -DBL_MAX; }
    __device__ static constexpr double epsilon() { return DBL_EPSILON; }
    __device__ static double infinity() { return INFINITY; }
};
template <> struct numeric_limits<int> {
    __device__ static constexpr int max() { return INT_MAX; }
    __device__ static constexpr int min() { return INT_MIN; }
    __device__ static constexpr int lowest() { return INT_MIN; }
};
template <> struct numeric_limits<unsigned> {
    __device__ static constexpr unsigned max() { return UINT_MAX; }
    __device__ static constexpr unsigned min() { return 0; }
    __device__ static constexpr unsigned lowest() { return 0; }
};
template <class A, class B> struct is_same { static constexpr bool value = false; };
template <class A> struct is_same<A, A> { static constexpr bool value = true; };
template <class A, class B> inline constexpr bool is_same_v = is_same<A, B>::value;
template <bool choose, class A, class B> struct conditional { typedef A type; };
template <class A, class B> struct conditional<false, A, B> { typedef B type; };
template <bool choose, class A, class B> using conditional_t = typename conditional<choose, A, B>::type;
template <bool choose, class T = void> struct enable_if {};
template <class T> struct enable_if<true, T> { typedef T type; };
template <bool choose, class T = void> using enable_if_t = typename enable_if<choose, T>::type;
}
)cuda";

}  // namespace

std::string devicePrelude(bool withLibcuxx) {
    if (withLibcuxx) return std::string(ofLibcuxx) + namesAndFloats;
    return std::string(ownIntegers) + namesAndFloats + ownStandard;
}

}  // namespace warplens
