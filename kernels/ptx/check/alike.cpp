#include "kernels/ptx/check/alike.h"

#include <algorithm>
#include <array>
#include <set>
#include <string_view>

#include "core/program/cuda_tokens.h"
#include "core/program/mangled_names.h"
#include "core/text/encoding.h"
#include "core/text/format.h"
#include "kernels/ptx/read/flow.h"
#include "kernels/ptx/run/grid.h"

namespace warplens::ptx::check {
namespace {

/// What tells threads apart, of a kernel and all that it calls.
class Asked final {
  public:
    Asked(const Program& program, const Function& kernel) : program_(program) { read(kernel); }
    [[nodiscard]] bool names(const std::string& index) const { return indexes_.contains(index); }
    [[nodiscard]] bool reads(const std::string& index) const {
        return isElsewise_ || (isOfLanes_ && index.starts_with("%tid.")) || names(index);
    }
    /// The first that has an effect if blocks repeat it, if threads do, or if all do but what an
    /// atomic tells them; null where there is none.
    [[nodiscard]] const Origin* ofBlocks() const {
        return store_ ? &*store_ : sum_ && loads_ ? &*sum_ : nullptr;
    }
    [[nodiscard]] const Origin* ofThreads() const { return store_ && !sum_ ? &*store_ : nullptr; }
    [[nodiscard]] const Origin* ofAny() const {
        return store_ ? &*store_ : sum_ ? &*sum_ : nullptr;
    }

  private:
    void read(const Function& function) {
        static const std::set<std::string_view> lanes{
            "shfl", "match", "elect", "mma", "wmma", "ldmatrix", "stmatrix", "wgmma", "activemask"};
        if (!seen_.insert(&function).second) return;
        std::set<s32> used;
        for (const Instruction& each : function.instructions) {
            const std::vector<s32> reads = registersOf(each).reads;
            used.insert(reads.begin(), reads.end());
        }
        for (const Instruction& each : function.instructions) {
            const std::string_view word = each.words[0];
            const bool isOfOwn = each.has("local") || each.has("shared") || each.has("param");
            const bool isSum = word == "red" || word == "atom";
            isOfLanes_ |= lanes.contains(word);
            isElsewise_ |= word == "suld" || each.has("volatile") || each.has("acquire") ||
                           (word == "ld" && each.has("relaxed")) ||
                           (isSum && std::ranges::any_of(registersOf(each).writes, [&](s32 reg) {
                                return used.contains(reg);
                            }));
            loads_ |= word == "ld" && !isOfOwn;
            auto& first = isSum ? sum_ : store_;
            if ((word == "st" || isSum) && !isOfOwn && !first && each.place.line != 0)
                first = {&function, each.place};
            if (word == "call") readCalled(each);
            for (const Operand& operand : each.operands) readSpecial(operand);
        }
    }
    void readCalled(const Instruction& call) {
        bool isKnown = false;
        for (const Operand& operand : call.operands) {
            isKnown |= operand.symbol == "vprintf" || operand.symbol == "__assertfail";
            const Function* const called =
                operand.kind == Operand::Kind::symbol ? program_.function(operand.symbol) : nullptr;
            if (called == nullptr || called->isDeclaration) continue;
            isKnown = true;
            read(*called);
        }
        isElsewise_ |= !isKnown;
    }
    void readSpecial(const Operand& operand) {
        static constexpr std::array<std::string_view, 4> alike{"%ntid", "%nctaid", "%dynamic_smem",
                                                               "%total_smem"};
        const std::string_view name = operand.symbol;
        if (operand.kind != Operand::Kind::special ||
            std::ranges::any_of(alike, [&](auto size) { return name.starts_with(size); }))
            return;
        if (name.starts_with("%tid.") || name.starts_with("%ctaid."))
            indexes_.emplace(name);
        else
            (name.starts_with("%lane") ? isOfLanes_ : isElsewise_) = true;
    }

    const Program& program_;
    std::set<const Function*> seen_;
    std::set<std::string> indexes_;  ///< `%tid.x`, `%ctaid.y`
    bool isElsewise_ = false;        ///< by something else
    bool isOfLanes_ = false;         ///< the lanes of a warp by what they are among those, or hold
    bool loads_ = false;
    std::optional<Origin> store_;
    std::optional<Origin> sum_;  ///< an atomic without a result
};

}  // namespace

std::optional<Finding> alike(const Program& program, const Function& kernel, const Launch& launch) {
    if (kernel.isLibrary) return std::nullopt;
    const Asked asked(program, kernel);
    std::set<std::string> repeated;
    std::set<std::string> unread;
    const Origin* place = nullptr;
    bool readsOne = false;
    for (const bool isBlocks : {true, false}) {
        const Extents& counts = isBlocks ? launch.grid : launch.block;
        const std::array<u32, 3> along{counts.x, counts.y, counts.z};
        const std::string prefix = isBlocks ? "%ctaid." : "%tid.";
        // One that is 0 in all of them is read in another's place, whatever else tells them apart.
        bool isOtherAxis = false;
        for (std::size_t axis = 0; axis < along.size(); ++axis)
            isOtherAxis |= along[axis] == 1 && asked.names(prefix + "xyz"[axis]);
        const Origin* const effect = isOtherAxis ? asked.ofAny()
                                     : isBlocks  ? asked.ofBlocks()
                                                 : asked.ofThreads();
        for (std::size_t axis = 0; axis < along.size() && effect != nullptr; ++axis) {
            const std::string name(1, "xyz"[axis]);
            if (along[axis] < 2) continue;
            const bool isRead =
                isOtherAxis ? asked.names(prefix + name) : asked.reads(prefix + name);
            readsOne |= isRead;
            if (isRead) continue;
            place = effect;
            repeated.insert("the " + std::to_string(along[axis]) +
                            (isBlocks ? " blocks along " : " threads of a block along ") + name);
            unread.insert((isBlocks ? "blockIdx." : "threadIdx.") + name);
        }
    }
    if (place == nullptr) return std::nullopt;
    return Finding{.kind = FindingKind::repeatedWork,
                   .words = joined(repeated, " and ") +
                            " do the same: " + shortKernelName(kernelName(kernel.name)) +
                            " never reads " + joined(unread, " and ") + ", which tells them apart",
                   .place = sourcePlace(program, *place),
                   .kernel = std::string(kernel.name),
                   .leftOut = readsOne ? LeftOut::byIndex : LeftOut::unknown};
}

}  // namespace warplens::ptx::check
