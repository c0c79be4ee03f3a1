#include "kernels/ptx/read/merged_accesses.h"

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

/// Accesses that nothing parts, by their offsets to one base.
using Offsets = std::map<s64, u32>;

bool hasAll(const Offsets& known, s64 first, u32 bytes, u32 count) {
    for (u32 at = 0; at < count; ++at) {
        if (!known.contains(first + s64{bytes} * at)) return false;
    }
    return true;
}

/// The address where it is a plain load from shared memory, or store to it, of one register.
const Operand* sharedAddress(const Instruction& each, bool isStore) {
    const bool isPlain = each.words[0] == (isStore ? "st" : "ld") && each.has("shared") &&
                         each.operands.size() == 2 && each.guard < 0 &&
                         !each.which({"volatile", "relaxed", "acquire", "release", "mmio"});
    const bool isOne = isPlain && each.operands[isStore ? 1 : 0].kind != Operand::Kind::list;
    return isOne ? &each.operands[isStore ? 0 : 1] : nullptr;
}

/// Whether accesses before and behind it stay apart.
bool parts(const Instruction& each, bool isStore) {
    constexpr std::string_view parting[] = {"atom",  "red",  "bar", "barrier", "membar",
                                            "fence", "call", "cp",  "mbarrier"};
    if (std::ranges::find(parting, each.words[0]) != std::end(parting)) return true;
    if (!isStore) return each.words[0] == "st";
    // What may be of the memory that is stored to.
    return (each.words[0] == "ld" || each.words[0] == "st") &&
           !each.which({"global", "param", "const", "local"}) && !sharedAddress(each, isStore);
}

void addMerged(const Function& function, const ControlFlow& flow, bool isStore,
               std::map<u32, u8>& merged) {
    const auto count = std::ranges::count_if(function.instructions, [&](const auto& each) {
        return sharedAddress(each, isStore) != nullptr;
    });
    if (count < 2) return;
    const LowZeros zeros(function);
    // By register, symbol and width.
    std::map<std::tuple<s32, std::string_view, u32>, Offsets> known;
    const auto take = [&] {
        for (const auto& [base, offsets] : known) {
            const u32 bytes = std::get<u32>(base);
            Operand address;
            address.kind = Operand::Kind::memory;
            address.reg = std::get<s32>(base);
            for (const u32 most : {2u, 4u}) {
                if (most * bytes > 16) continue;
                for (const auto& [offset, instruction] : offsets) {
                    address.offset = offset;
                    if ((1u << zeros.of(address)) < most * bytes ||
                        !hasAll(offsets, offset, bytes, most))
                        continue;
                    for (u32 at = 0; at < most; ++at)
                        merged[offsets.at(offset + s64{bytes} * at)] = u8(most);
                }
            }
        }
        known.clear();
    };
    for (const ControlFlow::Block& block : flow.blocks()) {
        for (u32 at = block.begin; at < block.end; ++at) {
            const Instruction& each = function.instructions[at];
            if (parts(each, isStore)) take();
            const u32 bytes = bytesOf(each.type());
            const Operand* const address = sharedAddress(each, isStore);
            if (address != nullptr && (bytes == 4 || bytes == 8)) {
                const std::tuple base{address->reg, address->symbol, bytes};
                // Stores to elsewhere may be to the same place.
                if (isStore && !known.empty() && !known.contains(base)) take();
                known[base].emplace(address->offset, at);
            }
            for (const s32 reg : registersOf(each).writes) {
                if (std::ranges::any_of(
                        known, [&](const auto& one) { return std::get<s32>(one.first) == reg; }))
                    take();
            }
        }
        take();
    }
}

}  // namespace

std::map<u32, u8> mergedAccesses(const Function& function, const ControlFlow& flow) {
    std::map<u32, u8> merged;
    for (const bool isStore : {false, true}) addMerged(function, flow, isStore, merged);
    return merged;
}

}  // namespace warplens::ptx
