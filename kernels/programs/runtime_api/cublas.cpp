// Those functions of cuBLAS that programs use most, done on the host (cuBLAS Library, "cuBLAS
// Level-1 Function Reference" and those behind it). Matrices lie column by column.
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstring>
#include <vector>

#include "kernels/programs/runtime_api/host_library.h"
#include "kernels/ptx/steps/value.h"

using namespace warplens;
using namespace warplens::programs;

namespace {

enum Status : int { success = 0, notInitialized = 1, invalidValue = 7, notSupported = 15 };
enum Operation : int { asIs, transposed, conjugated };

struct Handle final {
    void* stream = nullptr;
    int pointerMode = 0;
    int mathMode = 0;
};
using Half = ptx::Half;
using Bfloat = ptx::Bfloat;

template <class T>
auto wide(T value) {
    if constexpr (std::is_same_v<T, Half> || std::is_same_v<T, Bfloat>)
        return ptx::toFloat(value);
    else
        return value;
}
template <class T, class From>
T narrow(From value) {
    if constexpr (std::is_same_v<T, Half>)
        return ptx::toHalf(static_cast<float>(value));
    else if constexpr (std::is_same_v<T, Bfloat>)
        return ptx::toBfloat(static_cast<float>(value));
    else
        return static_cast<T>(value);
}
template <class T>
T conjugate(T value) {
    return value;
}
template <class T>
std::complex<T> conjugate(std::complex<T> value) {
    return std::conj(value);
}

/// C = alpha op(A) op(B) + beta C, summed as S.
template <class T, class R, class S>
int multiply(int aOperation, int bOperation, int m, int n, int k, S alpha, const void* aMemory,
             int aRows, const void* bMemory, int bRows, S beta, void* cMemory, int cRows) {
    if (m < 0 || n < 0 || k < 0) return invalidValue;
    if (m == 0 || n == 0) return success;
    const auto last = [](int rows, int columns, int stride) {
        return columns == 0
                   ? 0
                   : static_cast<std::size_t>(columns - 1) * static_cast<std::size_t>(stride) +
                         static_cast<std::size_t>(rows);
    };
    const bool aTurned = aOperation != asIs;
    const bool bTurned = bOperation != asIs;
    const T* a = libraryMemory<T>(aMemory, aTurned ? last(k, m, aRows) : last(m, k, aRows));
    const T* b = libraryMemory<T>(bMemory, bTurned ? last(n, k, bRows) : last(k, n, bRows));
    R* c = libraryMemory<R>(cMemory, last(m, n, cRows));
    if (a == nullptr || b == nullptr || c == nullptr) return invalidValue;
    std::vector<S> column(static_cast<std::size_t>(m));
    for (int j = 0; j < n; ++j) {
        std::fill(column.begin(), column.end(), S(0));
        for (int p = 0; p < k; ++p) {
            S factor =
                S(wide(bTurned ? b[j + std::size_t(p) * bRows] : b[p + std::size_t(j) * bRows]));
            if (bOperation == conjugated) factor = conjugate(factor);
            for (int i = 0; i < m; ++i) {
                S value = S(
                    wide(aTurned ? a[p + std::size_t(i) * aRows] : a[i + std::size_t(p) * aRows]));
                if (aOperation == conjugated) value = conjugate(value);
                column[static_cast<std::size_t>(i)] += value * factor;
            }
        }
        for (int i = 0; i < m; ++i) {
            R& to = c[i + std::size_t(j) * cRows];
            const S old = beta == S(0) ? S(0) : beta * S(wide(to));
            to = narrow<R>(alpha * column[static_cast<std::size_t>(i)] + old);
        }
    }
    return success;
}

template <class T>
T scalar(const void* pointer) {
    const T* value = libraryMemory<T>(pointer, 1);
    return value == nullptr ? T(0) : *value;
}
std::size_t spanOf(int n, int stride) {
    return n <= 0
               ? 0
               : static_cast<std::size_t>(n - 1) * static_cast<std::size_t>(std::abs(stride)) + 1;
}
template <class T>
struct Vector final {
    Vector(int n, const void* memory, int by)
        : first(libraryMemory<T>(memory, spanOf(n, by))),
          stride(by),
          begin(by < 0 ? static_cast<std::ptrdiff_t>(1 - n) * by : 0) {}
    T& operator[](int at) const { return first[begin + static_cast<std::ptrdiff_t>(at) * stride]; }
    T* first;
    int stride;
    std::ptrdiff_t begin;
};

template <class T>
int batched(int aOperation, int bOperation, int m, int n, int k, const T* alpha, const T* a,
            int aRows, long long aStride, const T* b, int bRows, long long bStride, const T* beta,
            T* c, int cRows, long long cStride, int count) {
    const auto lock = lockDevice();
    noteLibrary("cuBLAS");
    using S = std::conditional_t<std::is_same_v<T, Half>, float, T>;
    for (int each = 0; each < count; ++each) {
        const int status = multiply<T, T, S>(
            aOperation, bOperation, m, n, k, S(wide(scalar<T>(alpha))), a + each * aStride, aRows,
            b + each * bStride, bRows, S(wide(scalar<T>(beta))), c + each * cStride, cRows);
        if (status != success) return status;
    }
    return success;
}
template <class T>
int product(int aOperation, int bOperation, int m, int n, int k, const T* alpha, const T* a,
            int aRows, const T* b, int bRows, const T* beta, T* c, int cRows) {
    return batched(aOperation, bOperation, m, n, k, alpha, a, aRows, 0, b, bRows, 0, beta, c, cRows,
                   0, 1);
}
template <class T>
int matrixVector(int operation, int m, int n, const T* alpha, const T* matrix, int rows,
                 const T* xs, int xStride, const T* beta, T* ys, int yStride) {
    const auto lock = lockDevice();
    noteLibrary("cuBLAS");
    const int count = operation == asIs ? m : n;
    const int inner = operation == asIs ? n : m;
    const T* a = libraryMemory<T>(matrix, n == 0 ? 0 : std::size_t(n - 1) * rows + m);
    const Vector<T> x(inner, xs, xStride);
    const Vector<T> y(count, ys, yStride);
    if (a == nullptr || x.first == nullptr || y.first == nullptr) return invalidValue;
    const T by = scalar<T>(alpha);
    const T kept = scalar<T>(beta);
    for (int i = 0; i < count; ++i) {
        T sum = 0;
        for (int j = 0; j < inner; ++j)
            sum +=
                (operation == asIs ? a[i + std::size_t(j) * rows] : a[j + std::size_t(i) * rows]) *
                x[j];
        y[i] = by * sum + (kept == T(0) ? T(0) : kept * y[i]);
    }
    return success;
}
/// Calls `use(x, y)` for the elements of two vectors.
template <class T, class Use>
int forEachPair(int n, const void* xs, int xStride, const void* ys, int yStride, Use use) {
    const auto lock = lockDevice();
    noteLibrary("cuBLAS");
    const Vector<T> x(n, xs, xStride);
    const Vector<T> y(n, ys, yStride);
    if (n > 0 && (x.first == nullptr || y.first == nullptr)) return invalidValue;
    for (int at = 0; at < n; ++at) use(x[at], y[at]);
    return success;
}
template <class T>
int giveResult(int status, T* to, T value) {
    const auto lock = lockDevice();
    if (T* place = libraryMemory<T>(to, 1)) *place = value;
    return status;
}
/// Columns between matrices of the host and the device.
int moveMatrix(int rows, int columns, int bytes, const void* from, int fromRows, void* to,
               int toRows) {
    const auto lock = lockDevice();
    const auto size = static_cast<std::size_t>(bytes);
    for (int column = 0; column < columns; ++column) {
        const std::size_t count = size * static_cast<std::size_t>(rows);
        const auto* source = libraryMemory<std::byte>(
            static_cast<const std::byte*>(from) + size * std::size_t(column) * fromRows, count);
        auto* target = libraryMemory<std::byte>(
            static_cast<std::byte*>(to) + size * std::size_t(column) * toRows, count);
        if (source == nullptr || target == nullptr) return invalidValue;
        std::memcpy(target, source, count);
    }
    return success;
}

}  // namespace

extern "C" {

int cublasCreate_v2(Handle** handle) {
    return give(handle, new Handle);
}
int cublasDestroy_v2(Handle* handle) {
    delete handle;
    return success;
}
int cublasSetStream_v2(Handle* handle, void* stream) {
    handle->stream = stream;
    return success;
}
int cublasGetStream_v2(Handle* handle, void** stream) {
    return give(stream, handle->stream);
}
int cublasSetPointerMode_v2(Handle* handle, int mode) {
    handle->pointerMode = mode;
    return success;
}
int cublasGetPointerMode_v2(Handle* handle, int* mode) {
    return give(mode, handle->pointerMode);
}
int cublasSetMathMode(Handle* handle, int mode) {
    handle->mathMode = mode;
    return success;
}
int cublasGetVersion_v2(Handle*, int* version) {
    return give(version, 130000);
}
const char* cublasGetStatusString(int status) {
    return status == success ? "success" : "an error";
}
int cublasSetMatrix(int rows, int columns, int bytes, const void* a, int aRows, void* b,
                    int bRows) {
    return moveMatrix(rows, columns, bytes, a, aRows, b, bRows);
}
int cublasSetVector(int n, int bytes, const void* x, int xStride, void* y, int yStride) {
    return moveMatrix(1, n, bytes, x, xStride, y, yStride);
}

#define WARPLENS_BLAS(letter, T)                                                                  \
    int cublas##letter##gemm_v2(Handle*, int aOperation, int bOperation, int m, int n, int k,     \
                                const T* alpha, const T* a, int aRows, const T* b, int bRows,     \
                                const T* beta, T* c, int cRows) {                                 \
        return product(aOperation, bOperation, m, n, k, alpha, a, aRows, b, bRows, beta, c,       \
                       cRows);                                                                    \
    }                                                                                             \
    int cublas##letter##gemmStridedBatched(                                                       \
        Handle*, int aOperation, int bOperation, int m, int n, int k, const T* alpha, const T* a, \
        int aRows, long long aStride, const T* b, int bRows, long long bStride, const T* beta,    \
        T* c, int cRows, long long cStride, int count) {                                          \
        return batched(aOperation, bOperation, m, n, k, alpha, a, aRows, aStride, b, bRows,       \
                       bStride, beta, c, cRows, cStride, count);                                  \
    }
#define WARPLENS_BLAS_OF_REALS(letter, amax, T)                                                    \
    WARPLENS_BLAS(letter, T)                                                                       \
    int cublas##letter##gemv_v2(Handle*, int operation, int m, int n, const T* alpha, const T* a,  \
                                int rows, const T* x, int xStride, const T* beta, T* y,            \
                                int yStride) {                                                     \
        return matrixVector(operation, m, n, alpha, a, rows, x, xStride, beta, y, yStride);        \
    }                                                                                              \
    int cublas##letter##axpy_v2(Handle*, int n, const T* alpha, const T* x, int xStride, T* y,     \
                                int yStride) {                                                     \
        const T by = scalar<T>(alpha);                                                             \
        return forEachPair<T>(n, x, xStride, y, yStride, [=](T& a, T& b) { b += by * a; });        \
    }                                                                                              \
    int cublas##letter##copy_v2(Handle*, int n, const T* x, int xStride, T* y, int yStride) {      \
        return forEachPair<T>(n, x, xStride, y, yStride, [](T& a, T& b) { b = a; });               \
    }                                                                                              \
    int cublas##letter##swap_v2(Handle*, int n, T* x, int xStride, T* y, int yStride) {            \
        return forEachPair<T>(n, x, xStride, y, yStride, [](T& a, T& b) { std::swap(a, b); });     \
    }                                                                                              \
    int cublas##letter##scal_v2(Handle*, int n, const T* alpha, T* x, int stride) {                \
        const T by = scalar<T>(alpha);                                                             \
        return forEachPair<T>(n, x, stride, x, stride, [=](T& a, T&) { a *= by; });                \
    }                                                                                              \
    int cublas##letter##dot_v2(Handle*, int n, const T* x, int xStride, const T* y, int yStride,   \
                               T* result) {                                                        \
        double sum = 0;                                                                            \
        const int status = forEachPair<T>(n, x, xStride, y, yStride, [&](T& a, T& b) {             \
            sum += static_cast<double>(a) * static_cast<double>(b);                                \
        });                                                                                        \
        return giveResult(status, result, static_cast<T>(sum));                                    \
    }                                                                                              \
    int cublas##letter##nrm2_v2(Handle*, int n, const T* x, int stride, T* result) {               \
        double sum = 0;                                                                            \
        const int status = forEachPair<T>(n, x, stride, x, stride, [&](T& a, T&) {                 \
            sum += static_cast<double>(a) * static_cast<double>(a);                                \
        });                                                                                        \
        return giveResult(status, result, static_cast<T>(std::sqrt(sum)));                         \
    }                                                                                              \
    int cublas##letter##asum_v2(Handle*, int n, const T* x, int stride, T* result) {               \
        double sum = 0;                                                                            \
        const int status = forEachPair<T>(                                                         \
            n, x, stride, x, stride, [&](T& a, T&) { sum += std::fabs(static_cast<double>(a)); }); \
        return giveResult(status, result, static_cast<T>(sum));                                    \
    }                                                                                              \
    int cublasI##amax(Handle*, int n, const T* x, int stride, int* result) {                       \
        int best = 0, at = 0;                                                                      \
        T most = -1;                                                                               \
        const int status = forEachPair<T>(n, x, stride, x, stride, [&](T& a, T&) {                 \
            ++at;                                                                                  \
            if (std::fabs(a) > most) most = std::fabs(a), best = at;                               \
        });                                                                                        \
        return giveResult(status, result, best);                                                   \
    }
WARPLENS_BLAS_OF_REALS(S, samax_v2, float)
WARPLENS_BLAS_OF_REALS(D, damax_v2, double)
WARPLENS_BLAS(C, std::complex<float>)
WARPLENS_BLAS(Z, std::complex<double>)

int cublasHgemm(Handle*, int aOperation, int bOperation, int m, int n, int k, const Half* alpha,
                const Half* a, int aRows, const Half* b, int bRows, const Half* beta, Half* c,
                int cRows) {
    return product(aOperation, bOperation, m, n, k, alpha, a, aRows, b, bRows, beta, c, cRows);
}
/// Sums of 32 bits: A and B of float (0), double (1), half (2) or bfloat (14), C alike or float.
int cublasGemmEx(Handle*, int aOperation, int bOperation, int m, int n, int k, const void* alpha,
                 const void* a, int aType, int aRows, const void* b, int bType, int bRows,
                 const void* beta, void* c, int cType, int cRows, int computes, int) {
    const auto lock = lockDevice();
    noteLibrary("cuBLAS");
    constexpr int computesHalf = 64;
    constexpr int computesDouble = 70;
    if (aType != bType || aType > 14) return notSupported;
    if (aType == 1 && cType == 1)
        return multiply<double, double, double>(aOperation, bOperation, m, n, k,
                                                scalar<double>(alpha), a, aRows, b, bRows,
                                                scalar<double>(beta), c, cRows);
    if (computes == computesDouble || computes == computesDouble + 1) return notSupported;
    const bool isHalf = computes == computesHalf || computes == computesHalf + 1;
    const float by = isHalf ? wide(scalar<Half>(alpha)) : scalar<float>(alpha);
    const float kept = isHalf ? wide(scalar<Half>(beta)) : scalar<float>(beta);
    const auto of = [&]<class T, class R>(T, R) {
        return multiply<T, R, float>(aOperation, bOperation, m, n, k, by, a, aRows, b, bRows, kept,
                                     c, cRows);
    };
    if (aType == 0 && cType == 0) return of(float{}, float{});
    if (aType == 2 && cType == 2) return of(Half{}, Half{});
    if (aType == 2 && cType == 0) return of(Half{}, float{});
    if (aType == 14 && cType == 14) return of(Bfloat{}, Bfloat{});
    if (aType == 14 && cType == 0) return of(Bfloat{}, float{});
    return notSupported;
}

}  // extern "C"
