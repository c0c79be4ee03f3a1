#include "kernels/ptx/read/covering.h"

#include <array>
#include <bit>
#include <set>
#include <string>
#include <vector>

#include "kernels/ptx/read/flow.h"

namespace warplens::ptx {
namespace {

constexpr std::string_view axes = "xyz";
constexpr u32 indexBits = 7;  ///< bits 0 to 2: a block's index, 3 to 5: its size, along x, y, z

/// Which of a block's indexes and sizes registers are made of, loads and calls aside.
class Origins final {
  public:
    explicit Origins(const Function& function) : of_(function.registers.size()) {
        static const std::set<std::string_view> passing{"mov", "cvt", "add", "sub",
                                                        "mul", "mad", "shl", "shr"};
        for (bool isDone = false; !isDone;) {
            isDone = true;
            for (const Instruction& each : function.instructions) {
                if (!passing.contains(each.words[0])) continue;
                u32 read = 0;
                for (const Operand& operand : each.operands) read |= of(operand);
                for (const s32 reg : registersOf(each).writes) {
                    u32& known = of_[static_cast<std::size_t>(reg)];
                    isDone &= (known | read) == known;
                    known |= read;
                }
            }
        }
    }
    [[nodiscard]] u32 of(const Operand& operand) const {
        if (operand.kind == Operand::Kind::reg && operand.reg >= 0)
            return of_[static_cast<std::size_t>(operand.reg)];
        if (operand.kind != Operand::Kind::special) return 0;
        for (u32 axis = 0; axis < axes.size(); ++axis) {
            if (operand.symbol == std::string("%ctaid.") + axes[axis]) return 1u << axis;
            if (operand.symbol == std::string("%ntid.") + axes[axis]) return 8u << axis;
        }
        return 0;
    }

  private:
    std::vector<u32> of_;
};

u32& along(Extents& extents, u32 axis) {
    return axis == 0 ? extents.x : axis == 1 ? extents.y : extents.z;
}

/// Product of the sizes whose bits are set.
u64 sizeOf(Extents block, u32 sizes) {
    u64 product = 1;
    for (u32 axis = 0; axis < axes.size(); ++axis) {
        if ((sizes >> axis & 1u) != 0) product *= along(block, axis);
    }
    return product;
}

}  // namespace

Extents coveringGrid(const Function& kernel, const Launch& own, const Extents& block) {
    const Origins origins(kernel);
    std::array<std::set<u32>, 3> sizes;  // by axis of the index
    for (const Instruction& each : kernel.instructions) {
        if ((each.words[0] != "mul" && each.words[0] != "mad") || each.operands.size() < 3)
            continue;
        for (const u32 at : {1u, 2u}) {
            const u32 index = origins.of(each.operands[at]);
            const u32 size = origins.of(each.operands[3 - at]) >> axes.size();
            // What has both is a product already. Of `blockIdx.y * gridDim.x + blockIdx.x` one axis
            // is enough.
            if (index != 0 && index <= indexBits && size != 0)
                sizes[std::countr_zero(index)].insert(size);
        }
    }
    Extents grid = own.grid;
    std::set<u32> planes;  // sizes along several axes: of one index alone
    for (u32 axis = 0; axis < axes.size(); ++axis) {
        u64 most = 0;
        for (const u32 size : sizes[axis]) {
            const bool isPlane = (size & (size - 1)) != 0;
            if (isPlane && !planes.insert(size).second) continue;
            const u64 width = std::max<u64>(1, sizeOf(block, size));
            const u64 blocks = along(grid, axis);
            most = std::max(most, (blocks * sizeOf(own.block, size) + width - 1) / width);
        }
        if (most != 0) along(grid, axis) = u32(std::min<u64>(most, 0xffffffffu));
    }
    return grid;
}

}  // namespace warplens::ptx
