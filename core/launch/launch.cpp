#include "core/launch/launch.h"

#include <array>
#include <charconv>

#include "core/json/archive.h"
#include "core/launch/mapping.h"

namespace warplens {
namespace {

void describeTriple(Archive& v, auto& of) {
    std::array<std::uint32_t, 3> numbers{of.x, of.y, of.z};
    v.item(numbers);
    of = {numbers[0], numbers[1], numbers[2]};
}

void checkExtent(std::vector<LimitViolation>& violations, const char* name, std::uint64_t value,
                 std::uint64_t most) {
    if (value == 0) violations.push_back({name, "0", "at least 1"});
    if (value > most) {
        violations.push_back({name, std::to_string(value), "at most " + std::to_string(most)});
    }
}

std::string toDim3(Extents extents) {
    if (extents.y == 1 && extents.z == 1) return std::to_string(extents.x);
    std::string text = "dim3(" + std::to_string(extents.x) + ", " + std::to_string(extents.y);
    if (extents.z != 1) text += ", " + std::to_string(extents.z);
    return text + ")";
}

std::uint64_t product(std::uint64_t a, std::uint64_t b) {
    return a != 0 && b > UINT64_MAX / a ? UINT64_MAX : a * b;
}

/// One axis: blocks and useful threads of those inside and of those that stick out.
struct Axis final {
    std::array<std::uint64_t, 2> blocks{};
    std::array<std::uint64_t, 2> useful{};

    Axis(std::uint32_t grid, std::uint32_t block, std::uint32_t whole, std::uint32_t rest) {
        blocks[0] = std::min(grid, whole);
        blocks[1] = grid - blocks[0];
        useful[0] = blocks[0] * block;
        useful[1] = blocks[1] > 0 ? rest : 0;
    }
};

}  // namespace

void describeValue(Archive& v, Index3& index) {
    describeTriple(v, index);
}

void describeValue(Archive& v, Extents& extents) {
    describeTriple(v, extents);
}

std::variant<Extents, LimitViolation> parseExtents(std::string_view name, std::string_view text) {
    const auto refuse = [&](const char* expected) {
        return LimitViolation{std::string(name), "'" + std::string(text) + "'", expected};
    };
    // Not as 0 by 10: no extent is 0.
    if (text.starts_with("0x") || text.find(",0x") != std::string_view::npos) {
        return refuse("whole numbers in decimal, as in 16,16 or 16x16");
    }
    std::array<std::uint32_t, 3> extents{1, 1, 1};
    std::size_t axis = 0;
    const char* at = text.data();
    const char* const end = at + text.size();
    while (true) {
        if (axis == extents.size()) return refuse("at most three extents x,y,z");
        const auto [next, error] = std::from_chars(at, end, extents[axis]);
        if (error == std::errc::result_out_of_range) return refuse("extents up to 4294967295");
        if (error != std::errc{}) return refuse("whole numbers as in 16,16 or 16x16");
        ++axis;
        if (next == end) return Extents{extents[0], extents[1], extents[2]};
        if (*next != ',' && *next != 'x') return refuse("whole numbers as in 16,16 or 16x16");
        at = next + 1;
    }
}

std::string toString(Index3 index) {
    return '(' + std::to_string(index.x) + ',' + std::to_string(index.y) + ',' +
           std::to_string(index.z) + ')';
}

std::string toString(Extents extents) {
    std::string text = std::to_string(extents.x);
    if (extents.y != 1 || extents.z != 1) text += ',' + std::to_string(extents.y);
    if (extents.z != 1) text += ',' + std::to_string(extents.z);
    return text;
}

void describe(Archive& v, LimitViolation& violation) {
    v.type("problem", "One thing that is wrong.");
    v("name", violation.name, "What.");
    v("value", violation.value, "As it was given.");
    v("limit", violation.limit, "What is allowed.");
}

void describe(Archive& v, Launch& launch) {
    v.type("launch", "The execution configuration.");
    v("grid", launch.grid, "Blocks along x, y and z.");
    v("block", launch.block, "Threads of a block along x, y and z.");
    v("dynamic_shared_bytes", launch.dynamicSharedBytes,
      "Dynamic shared memory of each block, in bytes.");
}

std::vector<LimitViolation> validate(const Launch& launch, const LaunchLimits& limits) {
    std::vector<LimitViolation> violations;
    checkExtent(violations, "grid x", launch.grid.x, limits.grid.x);
    checkExtent(violations, "grid y", launch.grid.y, limits.grid.y);
    checkExtent(violations, "grid z", launch.grid.z, limits.grid.z);
    checkExtent(violations, "block x", launch.block.x, limits.block.x);
    checkExtent(violations, "block y", launch.block.y, limits.block.y);
    checkExtent(violations, "block z", launch.block.z, limits.block.z);
    const std::uint64_t threads = launch.block.count();
    if (threads > limits.threadsPerBlock) {
        const std::string product =
            threads == UINT64_MAX ? "2^64 or more" : std::to_string(threads);
        violations.push_back(
            {"threads per block",
             threads == launch.block.x ? product : toString(launch.block) + " = " + product,
             "at most " + std::to_string(limits.threadsPerBlock)});
    }
    if (launch.dynamicSharedBytes > limits.dynamicSharedBytes) {
        violations.push_back({"dynamic shared memory",
                              std::to_string(launch.dynamicSharedBytes) + " bytes",
                              "at most " + std::to_string(limits.dynamicSharedBytes)});
    }
    return violations;
}

std::string toLaunchSyntax(const Launch& launch) {
    std::string text = "<<<" + toDim3(launch.grid) + ", " + toDim3(launch.block);
    if (launch.dynamicSharedBytes != 0) text += ", " + std::to_string(launch.dynamicSharedBytes);
    return text + ">>>";
}

std::vector<BlockCaseCount> countBlockCases(const BlockGuard& guard, Extents grid) {
    const Axis x(grid.x, guard.block.x, guard.wholeBlocks.x, guard.rest.x);
    const Axis y(grid.y, guard.block.y, guard.wholeBlocks.y, guard.rest.y);
    const Axis z(grid.z, guard.block.z, guard.wholeBlocks.z, guard.rest.z);
    std::vector<BlockCaseCount> counts;
    for (std::uint32_t index = 0; index < blockCaseCount; ++index) {
        const BlockCase which{(index & 1) != 0, (index & 2) != 0, (index & 4) != 0};
        const std::uint64_t blocks =
            product(product(x.blocks.at(which.x), y.blocks.at(which.y)), z.blocks.at(which.z));
        if (blocks == 0) continue;
        const std::uint64_t useful =
            product(product(x.useful.at(which.x), y.useful.at(which.y)), z.useful.at(which.z));
        counts.push_back({which, blocks, product(blocks, guard.block.count()) - useful});
    }
    return counts;
}

const char* nameOf(BlockCase which) {
    constexpr std::array<const char*, blockCaseCount> names{
        "inside",     "columns out",         "rows out",         "both out",
        "layers out", "columns, layers out", "rows, layers out", "all out"};
    return names.at(which.index());
}

}  // namespace warplens
