#include "core/library/kernel_facts.h"

#include <algorithm>

namespace warplens {
namespace {

using LaunchFact = std::function<std::uint64_t(const Arguments&, const Launch&)>;

/// Null for an empty formula.
LaunchFact factOf(const Formula& formula) {
    if (formula.empty()) return nullptr;
    return [&formula](const Arguments& arguments, const Launch& launch) {
        return formula(arguments, {.launch = launch});
    };
}

std::function<Extents(const Arguments&)> extentsOf(const std::vector<Formula>& formulas) {
    if (formulas.empty()) return nullptr;
    return [&formulas](const Arguments& arguments) {
        const auto along = [&](std::size_t axis) {
            return axis < formulas.size()
                       ? static_cast<std::uint32_t>(formulas[axis](arguments, {}))
                       : 1u;
        };
        return Extents{along(0), along(1), along(2)};
    };
}

/// `8, 16 or 32`.
std::string alternatives(const std::vector<std::int64_t>& values) {
    std::string text;
    for (std::size_t i = 0; i < values.size(); ++i) {
        text += (i == 0 ? "" : i + 1 == values.size() ? " or " : ", ") + std::to_string(values[i]);
    }
    return text;
}

std::vector<LimitViolation> violationsOf(const KernelFile& file, const Arguments& arguments,
                                         const Launch& launch) {
    std::vector<LimitViolation> violations;
    for (const FileSize& size : file.sizes) {
        const std::int64_t value = arguments.at(size.name);
        if (!size.oneOf.empty() && std::ranges::find(size.oneOf, value) == size.oneOf.end()) {
            violations.push_back({size.name, std::to_string(value), alternatives(size.oneOf)});
        }
    }
    if (violations.empty() && !file.blockIs.empty()) {
        const Extents only = extentsOf(file.blockIs)(arguments);
        if (launch.block != only) {
            violations.push_back(
                {"block", toString(launch.block), "must be " + file.blockIsWords + toString(only)});
        }
    }
    for (const FileRule& rule : file.rules) {
        if (rule.holds(arguments, {.launch = launch}) != 0) continue;
        const Extents extents = rule.subject == "block" ? launch.block : launch.grid;
        violations.push_back({rule.subject, toString(extents), rule.words});
    }
    return violations;
}

KernelArray arrayOf(const FileArray& array) {
    KernelArray made{array.name, array.role, array.type, factOf(array.length)};
    if (!array.columns.empty()) {
        made.columns = [&array](const Arguments& arguments) {
            return array.columns(arguments, {});
        };
    }
    return made;
}

}  // namespace

Kernel kernelOfFile(const KernelFile& file) {
    Kernel kernel{};
    kernel.name = file.kernel;
    kernel.file = &file;
    kernel.usesBarriers = file.usesBarriers;
    kernel.elementNoun = file.elementNoun;
    bool hasRules = !file.rules.empty() || !file.blockIs.empty();
    for (const FileSize& size : file.sizes) {
        kernel.parameters.push_back(
            {size.name, size.initial, size.minimum, size.maximum, size.meaning});
        hasRules = hasRules || !size.oneOf.empty();
    }
    for (const FileArray& array : file.arrays) kernel.arrays.push_back(arrayOf(array));
    for (const FileShared& shared : file.shared) kernel.shared.push_back(shared.name);
    for (const FileBranch& branch : file.branches) {
        kernel.branches.push_back({branch.name, branch.meaning});
    }
    kernel.work = extentsOf(file.work);
    kernel.blockFor = extentsOf(file.blockIs);
    if (hasRules) {
        kernel.launchRule = [&file](const Arguments& arguments, const Launch& launch) {
            return violationsOf(file, arguments, launch);
        };
    }
    if (!file.dynamicShared.empty()) {
        kernel.dynamicSharedBytes = [&file](const Arguments& arguments, const Launch& launch) {
            return static_cast<std::uint32_t>(file.dynamicShared(arguments, {.launch = launch}));
        };
    }
    kernel.element = [&file](const Arguments& arguments, const Launch& launch, Index3 block,
                             Index3 thread) -> std::optional<std::uint64_t> {
        const FormulaPlace place{.launch = launch, .block = block, .thread = thread};
        if (!file.elementIf.empty() && file.elementIf(arguments, place) == 0) return std::nullopt;
        return file.element(arguments, place);
    };
    if (!file.writtenBy.empty())
        kernel.threadOf = [&file](const Arguments& arguments, const Launch& launch,
                                  std::uint64_t element) {
            const FormulaPlace place{.launch = launch, .element = element};
            const auto along = [&](std::size_t axis) {
                return axis < file.writtenBy.size() ? file.writtenBy[axis](arguments, place) : 0;
            };
            return GridPosition{along(0), along(1), along(2)};
        };
    kernel.algorithmBytes = factOf(file.moves);
    kernel.stepsPerElement = factOf(file.steps);
    kernel.flops = factOf(file.computes);
    return kernel;
}

}  // namespace warplens
