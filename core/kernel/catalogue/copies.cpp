#include "core/kernel/catalogue/facts.h"

namespace warplens::catalogue {
namespace {

constexpr std::int64_t copyLength = 1 << 24;  // in and out at stride 1: 128 MiB, twice a large L2
constexpr Parameter stridedParameters[] = {
    {"n", copyLength, 1, largestIndex, "values copied"},
    {"stride", 2, 1, 1 << 20, "distance between the values neighbouring threads read"},
};
constexpr Parameter offsetParameters[] = {
    {"n", copyLength, 1, largestIndex, "values copied"},
    {"offset", 1, 0, 1 << 20, "values skipped before the first one read"},
};
constexpr Parameter vectorParameters[] = {
    {"n", copyLength / 4, 1, largestIndex, "float4 values copied, 16 bytes each"},
};
constexpr KernelArray stridedArrays[] = {
    {"in", ArrayRole::input, ElementType::float32,
     [](const Arguments& a, const Launch&) { return (arg(a, "n") - 1) * arg(a, "stride") + 1; }},
    {"out", ArrayRole::output, ElementType::float32, vectorLength},
};
constexpr KernelArray offsetArrays[] = {
    {"in", ArrayRole::input, ElementType::float32,
     [](const Arguments& a, const Launch&) { return arg(a, "n") + arg(a, "offset"); }},
    {"out", ArrayRole::output, ElementType::float32, vectorLength},
};
constexpr KernelArray vectorArrays[] = {
    {"in", ArrayRole::input, ElementType::float32x4, vectorLength},
    {"out", ArrayRole::output, ElementType::float32x4, vectorLength},
};
constexpr KernelBranch inside[] = {{"inside", "the thread has a value to copy"}};

Kernel copy(KernelId id, std::string_view name, std::span<const Parameter> parameters,
            std::span<const KernelArray> arrays,
            std::uint64_t (*bytes)(const Arguments&, const Launch&)) {
    return {.id = id,
            .name = name,
            .bodyFile = "copies.inl",
            .parameters = parameters,
            .arrays = arrays,
            .branches = inside,
            .work = vectorWork,
            .element = elementOfVector,
            .threadOf = threadOfVector,
            .algorithmBytes = bytes};
}

const Kernel kernels[] = {
    copy(KernelId::copyStrided, "copyStrided", stridedParameters, stridedArrays, inOutBytes),
    copy(KernelId::copyOffset, "copyOffset", offsetParameters, offsetArrays, inOutBytes),
    copy(KernelId::copyVector, "copyVector", vectorParameters, vectorArrays,
         [](const Arguments& a, const Launch&) { return 32 * arg(a, "n"); }),
};

}  // namespace

std::span<const Kernel> copyKernels() {
    return kernels;
}

}  // namespace warplens::catalogue
