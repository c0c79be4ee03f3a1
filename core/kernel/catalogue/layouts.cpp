#include "core/kernel/catalogue/facts.h"

namespace warplens::catalogue {
namespace {

constexpr std::int64_t largestExtent = 1 << 20;
constexpr Parameter pictureParameters[] = {
    {"width", 76, 1, largestExtent, "columns of the picture"},
    {"height", 62, 1, largestExtent, "rows of the picture"},
};
constexpr Parameter arrayParameters[] = {
    {"width", 4096, 1, largestExtent, "columns"},
    {"height", 4096, 1, largestExtent, "rows"},
};
constexpr Parameter boxParameters[] = {
    {"width", 256, 1, largestExtent, "extent along x, the fastest"},
    {"height", 256, 1, largestExtent, "extent along y"},
    {"depth", 256, 1, largestExtent, "extent along z"},
};
constexpr Parameter vectorParameters[] = {{"n", 1 << 24, 1, largestIndex, "values"}};

std::uint64_t area(const Arguments& a, const Launch&) {
    return arg(a, "width") * arg(a, "height");
}
std::uint64_t volume(const Arguments& a, const Launch& l) {
    return area(a, l) * arg(a, "depth");
}

std::uint64_t width(const Arguments& a) {
    return arg(a, "width");
}
std::uint64_t height(const Arguments& a) {
    return arg(a, "height");
}
constexpr KernelArray plane[] = {
    {"in", ArrayRole::input, ElementType::float32, area, width},
    {"out", ArrayRole::output, ElementType::float32, area, width},
};
/// A column of the input lies in memory as a row does elsewhere.
constexpr KernelArray columnMajorPlane[] = {
    {"in", ArrayRole::input, ElementType::float32, area, height},
    {"out", ArrayRole::output, ElementType::float32, area, width},
};
constexpr KernelArray box[] = {
    {"in", ArrayRole::input, ElementType::float32, volume},
    {"out", ArrayRole::output, ElementType::float32, volume},
};
constexpr KernelBranch inside[] = {{"inside", "the thread has an element of its own"}};

Kernel planeKernel(KernelId id, std::string_view name, std::span<const Parameter> parameters,
                   std::span<const KernelArray> arrays = plane) {
    return {
        .id = id,
        .name = name,
        .bodyFile = "layouts.inl",
        .parameters = parameters,
        .arrays = arrays,
        .branches = inside,
        .work = [](const Arguments& a) { return extents(arg(a, "width"), arg(a, "height")); },
        .element =
            [](const Arguments& a, const Launch& l, Index3 block, Index3 thread) {
                const auto [x, y, z] = positionInGrid(l, block, thread);
                return elementOfMatrix(y, x, arg(a, "height"), arg(a, "width"));
            },
        .threadOf = [](const Arguments& a, const Launch&,
                       std::uint64_t element) { return threadAlongRow(element, arg(a, "width")); },
        .algorithmBytes = [](const Arguments& a, const Launch& l) { return 8 * area(a, l); }};
}

const Kernel kernels[] = {
    planeKernel(KernelId::scalePicture, "scalePicture", pictureParameters),
    planeKernel(KernelId::walkRowMajor, "walkRowMajor", arrayParameters),
    planeKernel(KernelId::walkColumnMajor, "walkColumnMajor", arrayParameters, columnMajorPlane),
    {.id = KernelId::elementwise1D,
     .name = "elementwise1D",
     .bodyFile = "layouts.inl",
     .parameters = vectorParameters,
     .arrays = inOutVectors,
     .branches = inside,
     .work = vectorWork,
     .element = elementOfVector,
     .threadOf = threadOfVector,
     .algorithmBytes = inOutBytes},
    planeKernel(KernelId::elementwise2D, "elementwise2D", arrayParameters),
    {.id = KernelId::elementwise3D,
     .name = "elementwise3D",
     .bodyFile = "layouts.inl",
     .parameters = boxParameters,
     .arrays = box,
     .branches = inside,
     .work =
         [](const Arguments& a) {
             return extents(arg(a, "width"), arg(a, "height"), arg(a, "depth"));
         },
     .element = [](const Arguments& a, const Launch& l, Index3 block, Index3 thread) -> Element {
         const auto [x, y, z] = positionInGrid(l, block, thread);
         const Element inPlane = elementOfMatrix(y, x, arg(a, "height"), arg(a, "width"));
         if (!inPlane || z >= arg(a, "depth")) return std::nullopt;
         return z * area(a, l) + *inPlane;
     },
     .threadOf =
         [](const Arguments& a, const Launch& l, std::uint64_t element) {
             GridPosition position = threadAlongRow(element % area(a, l), arg(a, "width"));
             position.z = element / area(a, l);
             return position;
         },
     .algorithmBytes = [](const Arguments& a, const Launch& l) { return 8 * volume(a, l); }},
};

}  // namespace

std::span<const Kernel> layoutKernels() {
    return kernels;
}

}  // namespace warplens::catalogue
