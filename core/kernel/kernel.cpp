#include "core/kernel/kernel.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <stdexcept>

#include "core/kernel/element_type.h"
#include "core/library/kernel_file.h"

#include "embedded/warplens_core.h"

namespace warplens {
namespace {

constexpr std::int64_t mostOfFloat = std::int64_t{1} << 24;
constexpr std::int64_t mostOfDouble = std::int64_t{1} << 53;

constexpr std::array<ElementTypeInfo, 13> types{{
    {ElementType::int32, "int", "signed int", 4, false, INT32_MIN, INT32_MAX},
    {ElementType::uint32, "unsigned", "unsigned int", 4, false, 0, UINT32_MAX},
    {ElementType::int64, "long long", "long long int", 8, false, INT64_MIN, INT64_MAX},
    {ElementType::uint64, "unsigned long long", "size_t", 8, false, 0, INT64_MAX},
    {ElementType::float32, "float", "", 4, true, -mostOfFloat, mostOfFloat},
    {ElementType::float64, "double", "", 8, true, -mostOfDouble, mostOfDouble},
    {ElementType::int8, "char", "signed char", 1, false, 0, 0},
    {ElementType::uint8, "unsigned char", "uchar", 1, false, 0, 0},
    {ElementType::int32x2, "int2", "uint2", 8, false, 0, 0},
    {ElementType::int32x4, "int4", "uint4", 16, false, 0, 0},
    {ElementType::float32x2, "float2", "", 8, true, 0, 0},
    {ElementType::float32x4, "float4", "", 16, true, 0, 0},
    {ElementType::float64x2, "double2", "", 16, true, 0, 0},
}};

constexpr std::int64_t largestIndex = 2147483647;  // the kernels index with int

std::vector<Kernel>& addedKernels() {
    static std::vector<Kernel> kernels;
    return kernels;
}
bool handedOut = false;

/// `8, 16 or 32`.
std::string alternatives(const std::vector<std::int64_t>& values) {
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == values.size() ? " or " : ", ") + std::to_string(values[i]);
    }
    return text;
}

}  // namespace

std::span<const ElementTypeInfo> elementTypes() {
    return types;
}

const ElementTypeInfo& infoOf(ElementType type) {
    return types.at(static_cast<std::size_t>(type));
}

std::optional<ElementType> elementTypeNamed(std::string_view name) {
    const auto* const found = std::ranges::find_if(types, [&](const ElementTypeInfo& each) {
        return each.name == name || (each.also == name && !name.empty());
    });
    return found == types.end() ? std::nullopt : std::optional(found->type);
}

std::string namesOfTypes(bool thatHoldSizes) {
    std::string names;
    for (const ElementTypeInfo& each : types) {
        if (thatHoldSizes && !each.holdsSizes()) continue;
        names += (names.empty() ? "" : ", ") + std::string(each.name);
    }
    return names;
}

std::optional<std::uint64_t> Kernel::element(const Arguments& arguments, const Launch& launch,
                                             Index3 block, Index3 thread) const {
    const FormulaPlace place{.launch = launch, .block = block, .thread = thread};
    if (!elementIf.empty() && elementIf(arguments, place) == 0) return std::nullopt;
    return elementIs(arguments, place);
}

GridPosition Kernel::threadOf(const Arguments& arguments, const Launch& launch,
                              std::uint64_t element) const {
    const FormulaPlace place{.launch = launch, .element = element};
    const auto along = [&](std::size_t axis) {
        return axis < writtenBy.size() ? writtenBy[axis](arguments, place) : 0;
    };
    return {along(0), along(1), along(2)};
}

std::vector<LimitViolation> Kernel::violations(const Arguments& arguments,
                                               const Launch& launch) const {
    std::vector<LimitViolation> found;
    for (const KernelSize& size : sizes) {
        const std::int64_t value = arguments.at(size.name);
        if (!size.oneOf.empty() && std::ranges::find(size.oneOf, value) == size.oneOf.end()) {
            found.push_back({size.name, std::to_string(value), alternatives(size.oneOf)});
        }
    }
    if (found.empty() && !blockFor.empty() && launch.block != blockFor(arguments)) {
        found.push_back({"block", toString(launch.block),
                         "must be " + toString(blockFor(arguments)) + blockForWords});
    }
    for (const KernelRule& rule : rules) {
        if (rule.holds(arguments, launch) != 0) continue;
        const Extents extents = rule.subject == "block" ? launch.block : launch.grid;
        found.push_back({rule.subject, toString(extents), rule.words});
    }
    return found;
}

std::string Kernel::instance(const Arguments& arguments) const {
    if (templateSize.empty()) return name;
    return name + '<' + std::to_string(arguments.at(templateSize)) + '>';
}

void Kernel::enterCourse(const std::string& courseName) {
    course = courseName;
    for (Scenario& scenario : scenarios) scenario.id = course + '/' + scenario.id;
}

std::vector<std::string> Kernel::instances() const {
    if (templateSize.empty()) return {name};
    std::vector<std::string> all;
    for (const std::int64_t value :
         std::ranges::find(sizes, templateSize, &KernelSize::name)->oneOf) {
        all.push_back(name + '<' + std::to_string(value) + '>');
    }
    return all;
}

std::span<const Kernel> allKernels() {
    static const std::vector<Kernel> kernels = [] {
        handedOut = true;
        std::vector<Kernel> all;
        for (const kernel_texts::EmbeddedFile& file : kernel_texts::embeddedFiles()) {
            all.push_back(parseKernelFile(std::string(file.name), std::string(file.bytes)));
        }
        std::ranges::move(addedKernels(), std::back_inserter(all));
        return all;
    }();
    return kernels;
}

void addKernels(std::vector<Kernel> kernels) {
    if (handedOut) throw std::logic_error("kernels have been asked for before");
    std::ranges::move(kernels, std::back_inserter(addedKernels()));
}

const Kernel& kernelOf(KernelIndex index) {
    return allKernels()[static_cast<std::size_t>(index)];
}

const Kernel& kernelNamed(std::string_view name) {
    const auto found = std::ranges::find(allKernels(), name, &Kernel::name);
    if (found == allKernels().end()) throw std::logic_error("no kernel " + std::string(name));
    return *found;
}

Arguments initialArguments(const Kernel& kernel) {
    Arguments arguments;
    for (const KernelSize& size : kernel.sizes) {
        arguments.set(size.name, size.initial);
    }
    return arguments;
}

std::vector<LimitViolation> validate(const Kernel& kernel, const Arguments& arguments) {
    std::vector<LimitViolation> violations;
    for (const auto& [name, value] : arguments.entries()) {
        const auto size = std::ranges::find(kernel.sizes, name, &KernelSize::name);
        if (size == kernel.sizes.end()) {
            std::string known;
            for (const KernelSize& each : kernel.sizes) known += " " + each.name;
            violations.push_back({name, std::to_string(value),
                                  known.empty() ? "this kernel has no problem size to set"
                                                : "this kernel has only" + known});
        } else if (value < size->minimum) {
            violations.push_back(
                {name, std::to_string(value), "at least " + std::to_string(size->minimum)});
        } else if (value > size->maximum) {
            violations.push_back(
                {name, std::to_string(value), "at most " + std::to_string(size->maximum)});
        }
    }
    return violations;
}

std::vector<LimitViolation> validateRun(const Kernel& kernel, const Arguments& arguments,
                                        const Launch& launch) {
    std::vector<LimitViolation> violations = kernel.violations(arguments, launch);
    const auto refuse = [&](std::string name, std::uint64_t value) {
        violations.push_back(
            {std::move(name), std::to_string(value),
             "at most " + std::to_string(largestIndex) + ", the kernel indexes with int"});
    };
    const std::uint64_t alongX = std::uint64_t{launch.grid.x} * launch.block.x;
    const std::uint64_t alongY = std::uint64_t{launch.grid.y} * launch.block.y;
    if (alongX > static_cast<std::uint64_t>(largestIndex)) refuse("threads along x", alongX);
    if (alongY > static_cast<std::uint64_t>(largestIndex)) refuse("threads along y", alongY);
    for (const KernelArray& array : kernel.arrays) {
        const std::uint64_t length = array.length(arguments, launch);
        if (length > static_cast<std::uint64_t>(largestIndex)) {
            refuse("elements of " + array.name, length);
        }
    }
    return violations;
}

bool reaches(const Kernel& kernel, const Arguments& arguments, const Launch& launch,
             std::uint64_t element) {
    GridPosition position;
    if (!kernel.writtenBy.empty()) {
        position = kernel.threadOf(arguments, launch, element);
    } else if (!kernel.work.empty()) {
        const Extents work = kernel.work(arguments);
        position = {work.x - 1, work.y - 1, work.z - 1};
    }
    return position.x < std::uint64_t{launch.grid.x} * launch.block.x &&
           position.y < std::uint64_t{launch.grid.y} * launch.block.y &&
           position.z < std::uint64_t{launch.grid.z} * launch.block.z;
}

std::uint64_t arrayBytes(const Kernel& kernel, const Arguments& arguments, const Launch& launch) {
    std::uint64_t bytes = 0;
    for (const KernelArray& array : kernel.arrays) {
        bytes += array.length(arguments, launch) * byteCount(array.type);
    }
    return bytes;
}

}  // namespace warplens
