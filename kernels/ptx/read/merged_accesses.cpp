#include "kernels/ptx/read/merged_loads.h"

#include <algorithm>
#include <bit>

namespace warplens::ptx {
namespace {

/// Zero bits at the low end of registers' values, at most 4, in whatever way they come about.
class LowZeros final {
  public:
    explicit LowZeros(const Function& function) : zeros_(function.registers.size(), most) {
        // Each round takes away what a writer does not have, until none does.
        for (bool isDone = false; !isDone;) {
            isDone = true;
            for (const Instruction& each : function.instructions) {
                for (const s32 reg : registersOf(each).writes) {
                    u32& known = zeros_[static_cast<std::size_t>(reg)];
                    const u32 now = std::min(known, written(each));
                    isDone &= std::exchange(known, now) == now;
                }
            }
        }
    }
    /// Of an address: a variable in shared memory begins at a multiple of 16.
    [[nodiscard]] u32 of(const Operand& operand) const {
        const u32 ofOffset = operand.offset == 0 ? most : zerosIn(u64(operand.offset));
        switch (operand.kind) {
            case Operand::Kind::integer:
                return zerosIn(operand.bits);
            case Operand::Kind::symbol:
                return ofOffset;
            case Operand::Kind::reg:
            case Operand::Kind::memory:
                return std::min(ofOffset, operand.reg < 0
                                              ? most
                                              : zeros_[static_cast<std::size_t>(operand.reg)]);
            default:
                return 0;
        }
    }

  private:
    static constexpr u32 most = 4;

    static u32 zerosIn(u64 bits) {
        return bits == 0 ? most : std::min<u32>(most, std::countr_zero(bits));
    }

    [[nodiscard]] u32 written(const Instruction& each) const {
        const auto at = [&](std::size_t operand) {
            return operand < each.operands.size() ? of(each.operands[operand]) : 0;
        };
        const std::string_view name = each.words[0];
        if (name == "mov" || name == "cvta" || (name == "cvt" && !isFloat(each.type())))
            return at(1);
        if (name == "add" || name == "sub" || name == "or" || name == "xor")
            return std::min(at(1), at(2));
        if (name == "and") return std::max(at(1), at(2));
        if (name == "selp") return std::min(at(1), at(2));
        if (name == "shl" && each.operands.size() > 2 &&
            each.operands[2].kind == Operand::Kind::integer)
            return std::min<u32>(most, at(1) + u32(std::min<u64>(most, each.operands[2].bits)));
        if ((name == "mul" || name == "mad") && !each.has("hi")) {
            const u32 product = std::min(most, at(1) + at(2));
            return name == "mul" ? product : std::min(product, at(3));
        }
        return 0;
    }

    std::vector<u32> zeros_;
};

/// Loads that nothing parts, by their offsets to one base.
using Offsets = std::map<s64, u32>;

bool hasAll(const Offsets& loads, s64 first, u32 bytes, u32 count) {
    for (u32 at = 0; at < count; ++at) {
        if (!loads.contains(first + s64{bytes} * at)) return false;
    }
    return true;
}

}  // namespace

std::map<u32, u8> mergedLoads(const Function& function, const ControlFlow& flow) {
    std::map<u32, u8> merged;
    const auto isShared = [](const Instruction& each) {
        return each.words[0] == "ld" && each.has("shared") && each.operands.size() == 2 &&
               each.operands[0].kind == Operand::Kind::reg &&
               !each.which({"volatile", "relaxed", "acquire", "mmio"}) && each.guard < 0;
    };
    if (std::ranges::count_if(function.instructions, isShared) < 2) return merged;
    const LowZeros zeros(function);
    // By register, symbol and width.
    std::map<std::tuple<s32, std::string_view, u32>, Offsets> loads;
    const auto take = [&] {
        for (const auto& [base, offsets] : loads) {
            const u32 bytes = std::get<u32>(base);
            Operand address;
            address.kind = Operand::Kind::memory;
            address.reg = std::get<s32>(base);
            for (const u32 count : {2u, 4u}) {
                if (count * bytes > 16) continue;
                for (const auto& [offset, instruction] : offsets) {
                    address.offset = offset;
                    if ((1u << zeros.of(address)) < count * bytes ||
                        !hasAll(offsets, offset, bytes, count))
                        continue;
                    for (u32 at = 0; at < count; ++at)
                        merged[offsets.at(offset + s64{bytes} * at)] = u8(count);
                }
            }
        }
        loads.clear();
    };
    for (const ControlFlow::Block& block : flow.blocks()) {
        for (u32 at = block.begin; at < block.end; ++at) {
            const Instruction& each = function.instructions[at];
            constexpr std::string_view parting[] = {"st",     "atom",  "red",  "bar", "barrier",
                                                    "membar", "fence", "call", "cp",  "mbarrier"};
            if (std::ranges::find(parting, each.words[0]) != std::end(parting)) take();
            const u32 bytes = bytesOf(each.type());
            if (isShared(each) && (bytes == 4 || bytes == 8)) {
                const Operand& address = each.operands[1];
                loads[{address.reg, address.symbol, bytes}].emplace(address.offset, at);
            }
            for (const s32 reg : registersOf(each).writes) {
                if (std::ranges::any_of(loads, [&](const auto& known) {
                        return std::get<s32>(known.first) == reg;
                    }))
                    take();
            }
        }
        take();
    }
    return merged;
}

}  // namespace warplens::ptx
