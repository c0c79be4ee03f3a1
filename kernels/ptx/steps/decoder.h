#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "kernels/ptx/read/merged_accesses.h"
#include "kernels/ptx/read/module.h"
#include "kernels/ptx/run/program.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {

inline constexpr u32 maxFrameBytes = 64u << 20;

/// A predicate's place, and the lanes for which it is negated.
struct PredicateSlot final {
    Slot slot{};
    u32 inverted = 0;
};

/// Turns instructions into steps. Each kind of instruction has a file, which knows both its
/// handlers and how to choose among them.
class Decoder final {
  public:
    Decoder(const Function& function, Code& code, Program& program, Sites& sites);
    /// Steps of the whole function. An instruction that is not known becomes a step that says so.
    void decode();

    // For the instructions:
    [[nodiscard]] const Function& function() const { return function_; }
    [[nodiscard]] Program& program() { return program_; }
    [[nodiscard]] Code& code() { return code_; }
    /// Where the operand's value is, as one of `type`.
    [[nodiscard]] Slot source(const Operand& operand, Type type);
    [[nodiscard]] PredicateSlot predicate(const Operand& operand);
    [[nodiscard]] PredicateSlot guardOf(const Instruction& instruction);
    [[nodiscard]] Slot target(const Operand& operand);
    /// Of `%p1|%p2` the second; noSlot where there is none.
    [[nodiscard]] Slot secondTarget(const Operand& operand);
    [[nodiscard]] Slot constant(u64 bits, bool wide);
    [[nodiscard]] Slot temporary(u32 bytes);
    /// Of a memory operand, without its offset: 64 bits.
    [[nodiscard]] Slot address(const Operand& memory);
    [[nodiscard]] Slot lowerHalf(Slot wide);
    [[nodiscard]] Space spaceOf(const Instruction& instruction) const;
    /// Of a variable in the function's local memory, from its begin.
    [[nodiscard]] std::optional<u32> localOffset(std::string_view name) const;
    [[nodiscard]] Type registerType(const Operand& operand) const;
    /// Bytes of a parameter in the frame; null where there is none of that name.
    [[nodiscard]] const Call::Bytes* parameterBytes(std::string_view name) const;
    /// The kernel's own parameter.
    [[nodiscard]] const Parameter* kernelParameter(std::string_view name) const;
    /// Adds the step, which is valid until the next one.
    Step& emit(const Step& step);
    Step& emit(Handler run) { return emit(Step{.run = run}); }
    [[nodiscard]] Step& last();
    /// The first of `count` new sites of the instruction that is decoded.
    u32 addSite(AccessKind kind, u32 bytes) { return addSite({kind, u8(bytes)}); }
    u32 addSite(Site site);
    /// Keeps what a step's `more` points to.
    template <class T>
    const T* keep(T value) {
        auto kept = std::make_shared<const T>(std::move(value));
        code_.kept.push_back(kept);
        return kept.get();
    }
    /// Places of an operand, or of the parts of a list.
    [[nodiscard]] std::vector<Slot> slots(const Operand& operand, bool areTargets, Type type);
    bool fail(std::string why = " ") {
        why_ = std::move(why);
        return false;
    }
    /// Puts `jump` right once the step of that instruction, or label, is known.
    void jumpTo(u32 instruction);
    [[nodiscard]] std::optional<u32> label(std::string_view name) const;

    /// A step of the operands behind the first, and the first as its target. `onSource`, where it
    /// is not null, is done to each of them before.
    bool emitApply(const InstructionTable::Row& row, const Instruction& instruction,
                   Handler onSource = nullptr);
    bool emitForm(const InstructionTable::Form& form, const Instruction& instruction);

  private:
    using Uses = std::vector<RegisterUse>;  ///< by instruction
    using Writers = std::vector<u32>;       ///< how many instructions write each register
    /// False where a lane's registers, parameters and local memory are more than any stack has.
    bool layOut();
    /// Registers that are the same for a whole launch, for a warp's place or for a block, whose
    /// instructions use none any more.
    void findOnce(Uses& uses, const Writers& writers);
    /// The others share places: one begins where another is not needed any more.
    void placeRegisters(Uses& uses, const Writers& writers);
    /// Words of parameters, results and local memory, behind the registers.
    bool placeMemory();
    /// Whether the branch decides a part of a condition, of which another decides the whole, or
    /// nothing.
    [[nodiscard]] bool isPart(u32 instruction) const;
    /// Accesses that together copy one value of a vector type, where `-G` splits it.
    void findPieces();
    bool decodeOne(const Instruction& instruction);
    /// What is done lane by lane, and what has a form; false where it is nothing of that.
    bool decodeLanes(const Instruction& instruction);
    bool decodeForm(const Instruction& instruction);

    [[nodiscard]] Type typeOfRegister(s32 reg) const { return function_.registers[reg]; }

    const Function& function_;
    Code& code_;
    Program& program_;
    Sites& sites_;
    std::string why_;

    ControlFlow flow_;
    std::vector<Slot> registers_;
    std::vector<Bank> level_;               ///< of registers: the bank that their value is in
    std::vector<const Instruction*> once_;  ///< for a launch or a block, in order
    std::vector<Step>* steps_ = nullptr;    ///< that are added to
    Bank bank_ = Bank::frame;               ///< where temporaries are
    const Instruction* instruction_ = nullptr;
    std::vector<u32> firstStep_;  ///< of instructions
    struct Jump final {
        std::size_t step;
        u32 instruction;
    };
    std::vector<Jump> jumps_;
    std::map<s32, s32> contraries_;  ///< predicates, and of which
    std::map<s32, Slot> widened_;    ///< registers whose 64-bit values are there already
    std::map<std::string_view, Call::Bytes> parameters_;
    std::map<std::string_view, u32> locals_;
    struct Piece final {
        u8 wholeBytes;
        bool isElement;
        bool isFirst;
    };
    std::map<u32, Piece> pieces_;                   ///< by instruction
    std::map<std::pair<u64, u32>, u32> constants_;  ///< offsets by value and width
    std::map<u32, u8> merged_;                      ///< `mergedAccesses`
    u32 frameEnd_ = 0;
    std::vector<const Instruction*> failed_;  ///< of `once`: told where they are reached
};

/// A load of `type` into `value`, or a store of it, at an address of 64 bits plus the offset.
bool emitAccess(Decoder& decoder, bool isStore, Type type, Space space, Slot address, s64 offset,
                Slot value, Slot second = noSlot);

// Steps that no instruction stands for alone.
HandlerFunction packWord;        ///< d: `mode` parts in extra, of option bits each
HandlerFunction reconvergeHere;  ///< lanes that went different ways meet
HandlerFunction guardOn;         ///< only lanes of predicate a go on; jump: behind guardOff
HandlerFunction guardOff;
HandlerFunction branchAround;  ///< lanes for which predicate a does not hold meet the others behind
HandlerFunction endAround;     ///< likewise, but nobody comes to meet them
HandlerFunction fence;         ///< what was before is seen by others
HandlerFunction stop;          ///< nothing comes behind
HandlerFunction exitKernel;
HandlerFunction returnToCaller;
HandlerFunction notKnown;  ///< more: a string that says what is not there
HandlerFunction
    localAddress;  ///< d: of the function's local memory, plus the immediate; mode: its bytes

/// Functions that every device has, and no module: `vprintf`, `malloc`, `free`, `__assertfail`.
/// Null for all others.
[[nodiscard]] Handler builtinNamed(std::string_view name);

}  // namespace warplens::ptx
