#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/programs/runtime_api/array_names.h"
#include "kernels/programs/runtime_api/source_run.h"
#include "kernels/ptx/run/grid.h"

namespace warplens::programs {
namespace {

/// What a branch of `-G`'s code says of the condition that is written there.
struct Decision final {
    bool jumpsOtherwise = false;  ///< lanes jump where it does not hold
    /// It is one part of a condition, as of `a && b`: lanes jump over the others.
    bool isPart = false;
};

bool isPredicate(const ptx::Instruction& instruction, std::string_view word) {
    return instruction.words[0] == word && instruction.has("pred");
}

/// Whether lanes that jump there come to another branch, for which they have the value already.
bool leadsToBranch(const ptx::Function& function, std::string_view label) {
    for (int jumps = 0; jumps < 16; ++jumps) {
        const auto target = function.labels.find(label);
        if (target == function.labels.end()) return false;
        std::size_t at = target->second;
        const auto& all = function.instructions;
        while (at < all.size() && (isPredicate(all[at], "mov") || isPredicate(all[at], "not")))
            ++at;
        if (at == all.size() || all[at].words[0] != "bra" || at == target->second) return false;
        if (all[at].guard >= 0) return true;
        label = all[at].operands[0].symbol;
    }
    return false;
}

/// A statement's branch jumps over what comes first where its condition does not hold: by the
/// contrary, but back, as of `do`. A part of `a || b` jumps where it holds, of `a && b` where it
/// does not: with the value that the whole has then, which is set before.
Decision decisionOf(const ptx::Function& function, const ptx::Instruction& branch, bool isBack) {
    Decision decision{.jumpsOtherwise = branch.guardNegated};
    if (branch.guard < 0 || isBack) return decision;
    const ptx::Instruction* at = &branch;
    while (at != function.instructions.data() && (--at)->words[0] != "bra") {
        if (isPredicate(*at, "not") && at->operands[0].reg == branch.guard)
            decision.jumpsOtherwise = true;
        const bool isValue =
            isPredicate(*at, "mov") && at->operands[1].kind == ptx::Operand::Kind::integer;
        if (!isValue || !leadsToBranch(function, branch.operands[0].symbol)) continue;
        return {.jumpsOtherwise = at->operands[1].bits == 0, .isPart = true};
    }
    return decision;
}

class StepRecorder final : public ptx::Observer {
  public:
    StepRecorder(RuntimeDevice& device, const ptx::KernelLaunch& launch, Index3 block)
        : program_(device.source()),
          names_(program_, launch),
          layout_(program_.sharedLayout(*launch.kernel, launch.launch.dynamicSharedBytes)),
          block_(block) {
        steps_.shape = launch.launch;
        steps_.block = block;
        steps_.warps.resize((launch.launch.block.count() + 31) / 32);
        decided_.resize(steps_.warps.size());
        // Parameters first, so that an array has one number for all blocks.
        for (const ParameterArray& pointed : parameterArrays(device.memory(), launch)) {
            elementBytes_[pointed.array->id] = pointed.elementBytes;
            (void)global(*pointed.array);
        }
        addShared();
    }
    [[nodiscard]] bool isDone() const { return isDone_; }
    [[nodiscard]] BlockSteps take();

    void onBlockEnd(const ptx::BlockRun& block) override { isDone_ |= block.index == block_; }
    void onRequest(const ptx::Request& request) override;
    void onBranch(const ptx::Warp& warp, const ptx::Step& step, std::uint32_t active,
                  std::uint32_t taken) override;

  private:
    struct Branch final {
        std::uint16_t number = 0;
        Decision decision;
    };
    void addShared();
    std::uint16_t global(const ptx::Allocation& array);
    std::uint32_t place(const ptx::Origin& origin);
    const Branch& branch(const ptx::Warp& warp, const ptx::Step& step);
    /// The warp, where there is room for a step of it; counts the step.
    WarpSteps* roomForStep(std::uint32_t warp) {
        WarpSteps& steps = steps_.warps[warp];
        return steps.total++ < mostStepsOfBlock / steps_.warps.size() ? &steps : nullptr;
    }
    void addRequest(const ptx::Request& request, AccessKind kind, std::uint16_t subject,
                    std::uint32_t lanes, std::uint64_t shift);

    ptx::Program& program_;
    ArrayNames names_;
    ptx::SharedLayout layout_;
    std::map<std::uint32_t, std::uint32_t> elementBytes_;  ///< of arrays, by id, as declared
    Index3 block_;
    bool isDone_ = false;
    BlockSteps steps_;
    std::map<std::uint32_t, std::uint16_t> global_;  ///< by id
    std::vector<std::uint16_t> shared_;              ///< by place in the layout
    std::map<ptx::Origin, std::uint32_t> places_;
    std::map<std::uint32_t, Branch> branches_;  ///< by site
    /// By warp, lanes that have jumped over the rest of a condition: the next branch that they
    /// come to decides nothing for them.
    std::vector<std::uint32_t> decided_;
};

void StepRecorder::addShared() {
    shared_.resize(layout_.arrays.size());
    // Those with a size of their own come before memory of the launch's.
    for (std::size_t at = 1; at <= layout_.arrays.size(); ++at) {
        const std::size_t index = at % layout_.arrays.size();
        const ptx::SharedArray& array = layout_.arrays[index];
        if (array.bytes == 0 || index == ptx::reservedShared) continue;
        shared_[index] = static_cast<std::uint16_t>(steps_.shared.size());
        const auto id = ptx::inShared | static_cast<std::uint32_t>(index + 1);
        steps_.shared.push_back(
            {names_.of(id), {.offset = static_cast<std::uint32_t>(array.offset)}});
        if (index == 0) continue;
        std::uint32_t& taken = steps_.staticSharedBytes;
        taken = (taken + array.alignment - 1) / array.alignment * array.alignment +
                static_cast<std::uint32_t>(array.bytes);
    }
}

std::uint16_t StepRecorder::global(const ptx::Allocation& array) {
    const auto [known, isNew] =
        global_.emplace(array.id, static_cast<std::uint16_t>(steps_.arrays.size()));
    if (isNew) {
        const auto declared = elementBytes_.find(array.id);
        const std::string name = names_.of(array.id);  // none of what the kernel allocates
        steps_.arrays.push_back({name.empty() ? "array " + std::to_string(array.id) : name,
                                 declared == elementBytes_.end() ? 0 : declared->second,
                                 static_cast<std::uint32_t>(array.address % 32)});
    }
    return known->second;
}

std::uint32_t StepRecorder::place(const ptx::Origin& origin) {
    const auto [known, isNew] =
        places_.emplace(origin, static_cast<std::uint32_t>(steps_.places.size()));
    if (isNew) steps_.places.push_back(ptx::sourcePlace(program_, origin));
    return known->second;
}

void StepRecorder::addRequest(const ptx::Request& request, AccessKind kind, std::uint16_t subject,
                              std::uint32_t lanes, std::uint64_t shift) {
    const std::uint32_t bytes = request.warp.sites[request.site].shape->costBytes;
    // No more at once than machine code has.
    const std::uint32_t piece = std::min(bytes, 16U);
    for (std::uint32_t from = 0; from < bytes; from += piece) {
        WarpSteps* const warp = roomForStep(request.warp.rank);
        if (warp == nullptr) continue;
        warp->steps.push_back({.kind = kind,
                               .subject = subject,
                               .place = place(program_.sites()[request.site].origin),
                               .bytes = piece,
                               .active = lanes & request.lanes,
                               .refused = lanes & request.refused});
        ptx::forEachLane(lanes, [&](std::uint32_t lane) {
            warp->offsets.push_back(request.warp.addresses[lane] + shift + from);
        });
    }
}

void StepRecorder::onRequest(const ptx::Request& request) {
    const std::uint32_t all = request.lanes | request.refused;
    if (request.warp.block->index != block_ || all == 0) return;
    if (isLocal(request.kind)) return;
    const ptx::SiteState& state = request.warp.sites[request.site];
    if (state.shape->costBytes == 0) return;  // a piece that the first one counts for
    const auto& addresses = request.warp.addresses;
    for (std::uint32_t left = all; left != 0;) {
        const std::uint64_t first = addresses[static_cast<std::uint32_t>(std::countr_zero(left))];
        std::uint32_t lanes = 0;
        const auto takeLanes = [&](auto isInArray) {
            ptx::forEachLane(left, [&](std::uint32_t lane) {
                lanes |= isInArray(addresses[lane]) ? 1U << lane : 0;
            });
            left &= ~lanes;
        };
        if (isShared(request.kind)) {
            // The gap before an array is closer to that array.
            const std::uint64_t gap = 1ULL << (ptx::sharedArrayShift - 1);
            const auto slotOf = [&](std::uint64_t at) {
                const std::uint64_t near = (at + gap) >> ptx::sharedArrayShift;
                return near <= layout_.arrays.size() ? near : at >> ptx::sharedArrayShift;
            };
            const std::uint64_t slot = slotOf(first);
            takeLanes([&](std::uint64_t at) { return slotOf(at) == slot; });
            if (slot == 0 || slot > layout_.arrays.size() || slot - 1 == ptx::reservedShared)
                continue;
            const ptx::SharedArray& array = layout_.arrays[slot - 1];
            const std::uint16_t subject = shared_[slot - 1];
            std::uint32_t& element = steps_.shared[subject].place.elementBytes;
            element =
                element == 0 ? state.shape->costBytes : std::min(element, state.shape->costBytes);
            addRequest(request, request.kind, subject, lanes, array.offset - array.address);
            continue;
        }
        const ptx::Memory& memory = program_.memory();
        const auto arrayOf = [&](std::uint64_t at) {
            const ptx::Allocation* found = memory.find(at);
            return found != nullptr ? found : ptx::meantBy(memory, at);
        };
        const ptx::Allocation* array = arrayOf(first);
        takeLanes([&](std::uint64_t at) {
            return at == first || (array != nullptr && (array->holds(at) || arrayOf(at) == array));
        });
        // Parameters of a launch from the kernel are written by no statement of the person's.
        if (array == nullptr || array->name == ptx::launchParameters) continue;
        const std::uint16_t subject = global(*array);
        if (!elementBytes_.contains(array->id)) {
            std::uint32_t& element = steps_.arrays[subject].elementBytes;
            element =
                element == 0 ? state.shape->costBytes : std::min(element, state.shape->costBytes);
        }
        const bool isConstant = array->kind == ptx::Allocation::Kind::constant;
        addRequest(request, isConstant ? AccessKind::constantLoad : request.kind, subject, lanes,
                   array->address % 32 - array->address);
    }
}

const StepRecorder::Branch& StepRecorder::branch(const ptx::Warp& warp, const ptx::Step& step) {
    const auto [known, isNew] = branches_.try_emplace(step.site);
    if (isNew) {
        known->second = {static_cast<std::uint16_t>(steps_.branches.size()),
                         decisionOf(*warp.code->function, *step.instruction, step.jump <= 0)};
        steps_.branches.push_back({.place = place(program_.sites()[step.site].origin)});
    }
    return known->second;
}

void StepRecorder::onBranch(const ptx::Warp& warp, const ptx::Step& step, std::uint32_t active,
                            std::uint32_t taken) {
    if (warp.block->index != block_ || warp.code->caller.function != nullptr) return;
    const auto& [number, decision] = branch(warp, step);
    std::uint32_t& decided = decided_[warp.rank];
    const std::uint32_t lanes = active & ~decided;
    decided = (decided & ~active) | (decision.isPart ? taken : 0);
    WarpSteps* const steps = lanes == 0 ? nullptr : roomForStep(warp.rank);
    if (steps == nullptr) return;
    steps->steps.push_back({.kind = AccessKind::branch,
                            .subject = number,
                            .place = steps_.branches[number].place,
                            .active = lanes,
                            .taken = lanes & (decision.jumpsOtherwise ? ~taken : taken)});
}

BlockSteps StepRecorder::take() {
    for (StepArray& array : steps_.arrays) array.elementBytes = std::max(1U, array.elementBytes);
    for (StepShared& array : steps_.shared) {
        std::uint32_t& bytes = array.place.elementBytes;
        bytes = std::max(1U, bytes);
    }
    return std::move(steps_);
}

}  // namespace

BlockSteps stepsOfBlock(RuntimeDevice& device, const ptx::KernelLaunch& launch, Index3 block,
                        ptx::Surroundings around) {
    StepRecorder recorder(device, launch, block);
    around.observers = {&recorder};
    bool isAlone = !launch.isCooperative;
    for (const ptx::Code* code : device.source().codesOf(*launch.kernel))
        isAlone &= !code->usesOrder;
    const Extents grid = launch.launch.grid;
    const std::array<std::uint64_t, 1> only{block.x +
                                            grid.x * (block.y + std::uint64_t{grid.y} * block.z)};
    if (isAlone) {
        (void)ptx::run(device.source(), launch, around, {}, std::span(only));
    } else {
        around.isStopped = [&recorder, isStopped = std::move(around.isStopped)] {
            return recorder.isDone() || (isStopped && isStopped());
        };
        (void)ptx::run(device.source(), launch, around);
    }
    return recorder.take();
}

}  // namespace warplens::programs
