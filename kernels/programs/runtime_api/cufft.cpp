// cuFFT's plans in one to three dimensions, done on the host (cuFFT, "cuFFT API Reference").
// Transforms are not normalized.
#include <algorithm>
#include <complex>
#include <map>
#include <numbers>
#include <vector>

#include "kernels/programs/runtime_api/host_library.h"

using namespace warplens;
using namespace warplens::programs;

namespace {

enum Status : int { success = 0, invalidPlan = 1, invalidValue = 4, notSupported = 16 };
using Complex = std::complex<double>;

struct Plan final {
    std::vector<int> sizes;  ///< slowest first
    int batch = 1;
    /// Elements of memory from one transform to the next and from one element to the next, where
    /// they do not lie one after the other; 0: they do.
    int inStride = 0, inDistance = 0, outStride = 0, outDistance = 0;
};
std::map<int, Plan>& plans() {
    static auto& all = *new std::map<int, Plan>;
    return all;
}

/// Of `values`, `stride` apart, in place: by the smallest factor of their number.
void transformLine(Complex* to, const Complex* from, std::size_t n, std::size_t stride, int sign) {
    if (n == 1) {
        *to = *from;
        return;
    }
    std::size_t factor = 2;
    while (factor * factor <= n && n % factor != 0) ++factor;
    if (n % factor != 0) factor = n;
    const std::size_t rest = n / factor;
    for (std::size_t part = 0; part < factor; ++part)
        transformLine(to + part * rest, from + part * stride, rest, stride * factor, sign);
    std::vector<Complex> turns(n);
    for (std::size_t k = 0; k < n; ++k)
        turns[k] = std::polar(
            1.0, sign * 2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n));
    std::vector<Complex> sums(n);
    for (std::size_t k = 0; k < n; ++k) {
        Complex sum = 0;
        for (std::size_t part = 0; part < factor; ++part)
            sum += turns[part * k % n] * to[part * rest + k % rest];
        sums[k] = sum;
    }
    std::copy(sums.begin(), sums.end(), to);
}

/// Along each dimension in turn.
void transformAll(std::vector<Complex>& values, const std::vector<int>& sizes, int sign) {
    std::size_t inner = 1;
    for (std::size_t axis = sizes.size(); axis-- > 0;) {
        const auto n = static_cast<std::size_t>(sizes[axis]);
        std::vector<Complex> line(n);
        std::vector<Complex> result(n);
        for (std::size_t first = 0; first < values.size(); ++first) {
            if (first / inner % n != 0) continue;
            for (std::size_t at = 0; at < n; ++at) line[at] = values[first + at * inner];
            transformLine(result.data(), line.data(), n, 1, sign);
            for (std::size_t at = 0; at < n; ++at) values[first + at * inner] = result[at];
        }
        inner *= n;
    }
}

/// How values lie: whole, or, of the complex side of a real transform, the first half of each row.
struct Layout final {
    std::size_t rows, columns, stride, distance;
    Layout(const Plan& plan, bool isHalf, bool pads, int step, int apart) {
        const auto last = static_cast<std::size_t>(plan.sizes.back());
        rows = 1;
        for (const int size : plan.sizes) rows *= static_cast<std::size_t>(size);
        rows /= last;
        columns = isHalf ? last / 2 + 1 : last;
        padded = pads ? 2 * (last / 2 + 1) : columns;
        stride = step == 0 ? 1 : static_cast<std::size_t>(step);
        distance = apart == 0 ? rows * padded : static_cast<std::size_t>(apart);
    }
    std::size_t padded;  ///< columns in memory
    [[nodiscard]] std::size_t at(std::size_t batch, std::size_t row, std::size_t column) const {
        return batch * distance + (row * padded + column) * stride;
    }
};

/// In is complex or real, so is Out.
template <class In, class Out>
int execute(int handle, const In* from, Out* to, int sign) {
    const auto lock = lockDevice();
    const auto found = plans().find(handle);
    if (found == plans().end()) return invalidPlan;
    noteLibrary("cuFFT");
    const Plan& plan = found->second;
    constexpr bool fromReal = std::is_floating_point_v<In>;
    constexpr bool toReal = std::is_floating_point_v<Out>;
    const bool inPlace = static_cast<const void*>(from) == static_cast<const void*>(to);
    const Layout in(plan, toReal, fromReal && inPlace, plan.inStride, plan.inDistance);
    const Layout out(plan, fromReal, toReal && inPlace, plan.outStride, plan.outDistance);
    const auto batches = static_cast<std::size_t>(plan.batch);
    const In* source = libraryMemory<In>(from, in.at(batches - 1, in.rows - 1, in.columns - 1) + 1);
    Out* target = libraryMemory<Out>(to, out.at(batches - 1, out.rows - 1, out.columns - 1) + 1);
    if (source == nullptr || target == nullptr) return invalidValue;
    const auto columns = static_cast<std::size_t>(plan.sizes.back());
    for (std::size_t batch = 0; batch < batches; ++batch) {
        std::vector<Complex> values(in.rows * columns);
        for (std::size_t row = 0; row < in.rows; ++row) {
            for (std::size_t column = 0; column < in.columns; ++column)
                values[row * columns + column] = Complex(source[in.at(batch, row, column)]);
        }
        if (toReal) {  // the other half: mirrored in all dimensions
            for (std::size_t row = 0; row < in.rows; ++row) {
                std::size_t mirrored = 0;
                std::size_t rest = row;
                std::size_t unit = 1;
                for (std::size_t axis = plan.sizes.size() - 1; axis-- > 0;) {
                    const auto n = static_cast<std::size_t>(plan.sizes[axis]);
                    mirrored += (n - rest % n) % n * unit;
                    rest /= n;
                    unit *= n;
                }
                for (std::size_t column = in.columns; column < columns; ++column)
                    values[row * columns + column] =
                        std::conj(values[mirrored * columns + columns - column]);
            }
        }
        transformAll(values, plan.sizes, sign);
        for (std::size_t row = 0; row < out.rows; ++row) {
            for (std::size_t column = 0; column < out.columns; ++column) {
                const Complex value = values[row * columns + column];
                if constexpr (toReal)
                    target[out.at(batch, row, column)] = static_cast<Out>(value.real());
                else
                    target[out.at(batch, row, column)] = Out(value);
            }
        }
    }
    return success;
}

int makePlan(int handle, std::vector<int> sizes, int batch) {
    if (batch < 1 || std::ranges::any_of(sizes, [](int size) { return size < 1; }))
        return invalidValue;
    plans()[handle] = {std::move(sizes), batch};
    return success;
}
int newHandle() {
    static int last = 0;
    return ++last;
}

using C = std::complex<float>;
using Z = std::complex<double>;
constexpr int forward = -1;
constexpr int inverse = 1;

}  // namespace

extern "C" {

int cufftCreate(int* handle) {
    return give(handle, newHandle());
}
int cufftMakePlan1d(int handle, int n, int, int batch, std::size_t* work) {
    *work = 0;
    return makePlan(handle, {n}, batch);
}
int cufftMakePlan2d(int handle, int rows, int columns, int, std::size_t* work) {
    *work = 0;
    return makePlan(handle, {rows, columns}, 1);
}
int cufftMakePlan3d(int handle, int slices, int rows, int columns, int, std::size_t* work) {
    *work = 0;
    return makePlan(handle, {slices, rows, columns}, 1);
}
int cufftPlan1d(int* handle, int n, int, int batch) {
    return makePlan(*handle = newHandle(), {n}, batch);
}
int cufftPlan2d(int* handle, int rows, int columns, int) {
    return makePlan(*handle = newHandle(), {rows, columns}, 1);
}
int cufftPlan3d(int* handle, int slices, int rows, int columns, int) {
    return makePlan(*handle = newHandle(), {slices, rows, columns}, 1);
}
/// Of one dimension with strides; of more where rows lie one after the other.
int cufftXtMakePlanMany(int handle, int rank, const long long* sizes, const long long* inSizes,
                        long long inStride, long long inDistance, int, const long long* outSizes,
                        long long outStride, long long outDistance, int, long long batch,
                        std::size_t* work, int) {
    *work = 0;
    const int status = makePlan(handle, {sizes, sizes + rank}, static_cast<int>(batch));
    if (status != success || inSizes == nullptr || outSizes == nullptr) return status;
    if (rank > 1 && (inStride != 1 || outStride != 1)) return notSupported;
    Plan& plan = plans()[handle];
    plan.inStride = static_cast<int>(inStride);
    plan.inDistance = static_cast<int>(inDistance);
    plan.outStride = static_cast<int>(outStride);
    plan.outDistance = static_cast<int>(outDistance);
    return success;
}
int cufftPlanMany(int* handle, int rank, const int* sizes, const int* inSizes, int inStride,
                  int inDistance, const int* outSizes, int outStride, int outDistance, int,
                  int batch) {
    const auto wide = [&](const int* all) {
        return all == nullptr ? std::vector<long long>() : std::vector<long long>(all, all + rank);
    };
    std::size_t work = 0;
    return cufftXtMakePlanMany(*handle = newHandle(), rank, wide(sizes).data(),
                               inSizes == nullptr ? nullptr : wide(inSizes).data(), inStride,
                               inDistance, 0, outSizes == nullptr ? nullptr : wide(outSizes).data(),
                               outStride, outDistance, 0, batch, &work, 0);
}
int cufftDestroy(int handle) {
    return plans().erase(handle) != 0 ? success : invalidPlan;
}
int cufftExecC2C(int plan, const C* in, C* out, int direction) {
    return execute(plan, in, out, direction);
}
int cufftExecZ2Z(int plan, const Z* in, Z* out, int direction) {
    return execute(plan, in, out, direction);
}
int cufftExecR2C(int plan, const float* in, C* out) {
    return execute(plan, in, out, forward);
}
int cufftExecD2Z(int plan, const double* in, Z* out) {
    return execute(plan, in, out, forward);
}
int cufftExecC2R(int plan, const C* in, float* out) {
    return execute(plan, in, out, inverse);
}
int cufftExecZ2D(int plan, const Z* in, double* out) {
    return execute(plan, in, out, inverse);
}

}  // extern "C"
