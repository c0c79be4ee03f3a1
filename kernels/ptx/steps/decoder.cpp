#include "kernels/ptx/steps/decoder.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "kernels/ptx/read/flow.h"
#include "kernels/ptx/run/warp.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

const InstructionTable& table() {
    static const InstructionTable all = [] {
        InstructionTable made;
        for (const auto add :
             {addIntegers, addReals, addComparisons, addPacked, addMoves, addMemory, addAtomics,
              addSynchronization, addControl, addTextures, addMatrices, addAsynchronous})
            add(made);
        return made;
    }();
    return all;
}

}  // namespace

Decoder::Decoder(const Function& function, Code& code, Program& program, Sites& sites)
    : function_(function), code_(code), program_(program), sites_(sites), flow_(function) {}

void Decoder::decode() {
    code_.launchBytes = u32(launchSpecials.size()) * narrowBytes;
    code_.blockBytes = u32(blockSpecials.size()) * narrowBytes;
    if (!layOut()) {
        steps_ = &code_.steps;
        emit(notKnown).more =
            keep("the function " + std::string(function_.name) + " wants more than " +
                 std::to_string(maxFrameBytes / lanesPerWarp) +
                 " bytes a thread of registers, parameters and local memory");
        code_.frameBytes = 4 * narrowBytes;
        code_.constants.resize(spareLines);
        return;
    }
    if (function_.isDebug)
        findPieces();
    else
        merged_ = mergedAccesses(function_, flow_);
    for (const Instruction* instruction : once_) {
        const Bank level = static_cast<Bank>(registers_[instruction->operands[0].reg].bank);
        steps_ = level == Bank::launch ? &code_.launchSteps : &code_.blockSteps;
        bank_ = level;
        if (!decodeOne(*instruction)) {
            steps_->pop_back();
            failed_.push_back(instruction);
        }
    }
    for (std::vector<Step>* once : {&code_.launchSteps, &code_.blockSteps}) {
        steps_ = once;
        instruction_ = nullptr;
        if (!once->empty()) emit(stop);
    }
    steps_ = &code_.steps;
    bank_ = Bank::frame;
    const std::vector<Instruction>& instructions = function_.instructions;
    std::vector<bool> meets(instructions.size() + 1, false);
    for (u32 at = 0; at < instructions.size(); ++at) {
        const std::string_view name = instructions[at].words[0];
        if (name != "bra" && name != "brx") continue;
        const u32 meeting = flow_.reconvergence(at);
        if (meeting != ControlFlow::none) meets[meeting] = true;
    }
    std::vector<const Instruction*> once(once_);
    std::ranges::sort(once);
    for (u32 at = 0; at <= instructions.size(); ++at) {
        firstStep_.push_back(u32(code_.steps.size()));
        if (meets[at]) emit(reconvergeHere);
        if (at == flow_.blocks()[flow_.blockOf(at)].begin) widened_.clear();
        if (at == instructions.size()) break;
        const Instruction& instruction = instructions[at];
        const s32 first = instruction.operands.empty() ? -1 : instruction.operands[0].reg;
        const bool isRenamed =
            (instruction.words[0] == "mov" && first >= 0 && level_[first] != Bank::frame) ||
            (instruction.words[0] == "not" && contraries_.contains(first));
        const bool isDone = isRenamed || std::ranges::binary_search(once, &instruction);
        if (!isDone || std::ranges::find(failed_, &instruction) != failed_.end())
            decodeOne(instruction);
        for (const s32 reg : registersOf(instruction).writes) widened_.erase(reg);
    }
    emit(function_.isKernel ? exitKernel : returnToCaller);
    // Indices of instructions become those of steps.
    for (const Jump& jump : jumps_) {
        code_.steps[jump.step].jump = s32(firstStep_[jump.instruction]) - s32(jump.step);
    }
    for (const auto& table : code_.tables) {
        for (u32& target : *table) target = firstStep_[target];
    }
    for (u32 index = 0; index < code_.steps.size(); ++index) {
        Step& step = code_.steps[index];
        step.index = index;
        if (step.run == branchAround) step.reconverge = index + u32(step.jump);
        if (step.instruction == nullptr) continue;
        const std::string_view name = step.instruction->words[0];
        if (name != "bra" && name != "brx") continue;
        const auto at = u32(step.instruction - instructions.data());
        const u32 meeting = flow_.reconvergence(at);
        step.reconverge = meeting == ControlFlow::none ? noStep : firstStep_[meeting];
        step.leaving = flow_.leaving(at);
    }
    // Not nothing: calls that call themselves are to fill the stack. What is called begins behind,
    // where local memory is to be aligned, too.
    code_.frameBytes = std::max(roundedUp(frameEnd_, 4 * narrowBytes), 4 * narrowBytes);
    code_.constants.resize(code_.constants.size() + spareLines);
}

bool Decoder::decodeOne(const Instruction& instruction) {
    instruction_ = &instruction;
    why_.clear();
    const std::size_t begin = steps_->size();
    const std::size_t jumps = jumps_.size();
    const std::string_view name = instruction.words[0];
    const bool isGuarded = instruction.guard >= 0 && name != "bra";
    // Lanes that a guarded end leaves do not come back; those that call or wait do, later than the
    // others.
    const bool ends = name == "ret" || name == "exit" || name == "trap";
    const bool waits =
        name == "call" || name == "bar" || name == "barrier" || instruction.has("sync");
    if (isGuarded) {
        const PredicateSlot guard = guardOf(instruction);
        emit({.run = guardOn, .a = guard.slot, .mode = guard.inverted});
    }
    bool isDone = decodeLanes(instruction) || decodeForm(instruction);
    for (const Decode tryDecode : table().decoders(std::string(name))) {
        if (isDone || !why_.empty()) break;
        const std::size_t before = steps_->size();
        isDone = tryDecode(*this, instruction) && why_.empty();
        if (!isDone && why_.empty()) steps_->resize(before);
    }
    isDone &= why_.empty();
    if (!isDone) {
        steps_->resize(begin);
        jumps_.resize(jumps);
        widened_.clear();
        std::string whole;
        for (const std::string_view word : instruction.words)
            whole += (whole.empty() ? "" : ".") + std::string(word);
        emit(notKnown).more = keep("the PTX instruction " + whole + " is not modelled" +
                                   (why_.empty() || why_ == " " ? "" : ": " + why_));
        return false;
    }
    if (!isGuarded) return true;
    if (ends)
        (*steps_)[begin].run = endAround;
    else if (waits)
        (*steps_)[begin].run = branchAround;
    else
        emit(guardOff);
    (*steps_)[begin].jump = s32(steps_->size() - begin);
    if (waits) emit(reconvergeHere);
    return true;
}

Step& Decoder::emit(const Step& step) {
    Step& added = steps_->emplace_back(step);
    added.instruction = instruction_;
    return added;
}

Step& Decoder::last() {
    return steps_->back();
}

bool Decoder::emitApply(const InstructionTable::Row& row, const Instruction& instruction,
                        Handler onSource) {
    const auto end = std::ranges::find(row.sources, Type::none);
    const auto count = static_cast<std::size_t>(end - row.sources.begin());
    if (row.run == nullptr || instruction.operands.size() != count + 1) return fail();
    Slot slots[4] = {noSlot, noSlot, noSlot, noSlot};
    for (std::size_t at = 0; at < count; ++at) {
        slots[at] = source(instruction.operands[at + 1], row.sources[at]);
        if (onSource == nullptr) continue;
        const Slot changed = temporary(narrowBytes);
        emit({.run = onSource, .d = changed, .a = std::exchange(slots[at], changed)});
    }
    emit({.run = row.run,
          .d = target(instruction.operands[0]),
          .a = slots[0],
          .b = slots[1],
          .c = slots[2],
          .extra = {slots[3]}});
    return true;
}

bool Decoder::emitForm(const InstructionTable::Form& form, const Instruction& instruction) {
    const std::vector<Operand>& operands = instruction.operands;
    const Type type = instruction.type();
    Step step{.run = form.runWide != nullptr && bytesOf(type) == 8 ? form.runWide : form.run};
    if (!form.modes.empty()) {
        const std::optional<u32> mode = instruction.which(form.modes);
        if (!mode) return fail();
        step.mode = *mode;
    }
    std::size_t at = 0;
    for (const char letter : form.operands) {
        if (letter == 'm' && !instruction.has("sync")) continue;
        if (at == operands.size()) return fail();
        const Operand& operand = operands[at++];
        PredicateSlot holds;
        switch (letter) {
            case 'd':
                step.d = operand.second >= 0 && operand.kind != Operand::Kind::reg
                             ? temporary(wideBytes)
                             : target(operand);
                step.extra[0] = secondTarget(operand);
                break;
            case 'p':
                holds = predicate(operand);
                step.a = holds.slot;
                step.option = holds.inverted;
                break;
            case 's':
                holds = predicate(operand);
                step.c = holds.slot;
                step.mode = holds.inverted;
                break;
            case 'm':
                step.c = source(operand, Type::b32);
                break;
            case 'E':
                step.extra[1] = source(operand, Type::b32);
                break;
            default: {
                const bool isWord = letter < 'a';
                const int which = letter - (isWord ? 'A' : 'a');
                (which == 0   ? step.a
                 : which == 1 ? step.b
                              : step.c) = source(operand, isWord ? Type::b32 : type);
            }
        }
    }
    if (at != operands.size() && !form.operands.empty()) return fail();
    emit(step);
    return true;
}

bool Decoder::decodeForm(const Instruction& instruction) {
    const std::string opcode(instruction.words[0]);
    const std::string typed = opcode + '.' + std::string(instruction.words.back());
    for (const std::string& name : {typed, opcode}) {
        if (const InstructionTable::Form* form = table().form(name))
            return emitForm(*form, instruction);
    }
    return false;
}

bool Decoder::decodeLanes(const Instruction& instruction) {
    const Type type = instruction.type();
    // Modifiers of floats that choose no operation of their own.
    constexpr std::string_view modifiers[] = {"rn", "approx", "full", "ftz", "sat", "relu"};
    std::string name;
    for (const std::string_view word : instruction.words) {
        if (isFloat(type) && std::ranges::find(modifiers, word) != std::end(modifiers)) continue;
        name.append(name.empty() ? "" : ".").append(word);
    }
    const InstructionTable::Row* row = table().row(name);
    if (row == nullptr) return false;
    const auto isModified = [&](std::string_view by) {
        return isFloat(type) && instruction.has(by) && (by != "ftz" || type == Type::f32);
    };
    const InstructionTable::Row* flush = table().row(".ftz.f32");
    if (!emitApply(*row, instruction, isModified("ftz") ? flush->run : nullptr)) return false;
    const Slot result = last().d;
    for (const std::string_view modifier : {"ftz", "sat", "relu"}) {
        if (!isModified(modifier)) continue;
        const std::string step =
            '.' + std::string(modifier) + '.' + std::string(instruction.words.back());
        emit({.run = table().row(step)->run, .d = result, .a = result});
    }
    return true;
}

Slot Decoder::temporary(u32 bytes) {
    u32& end = bank_ == Bank::launch  ? code_.launchBytes
               : bank_ == Bank::block ? code_.blockBytes
                                      : frameEnd_;
    const Slot slot{end, u32(bank_)};
    end += roundedUp(bytes, 64u);
    return slot;
}

Slot Decoder::constant(u64 bits, bool wide) {
    if (!wide) bits &= 0xffffffffu;
    const u32 bytes = wide ? wideBytes : narrowBytes;
    const auto [entry, isNew] = constants_.try_emplace({bits, bytes}, 0);
    if (isNew) {
        entry->second = u32(code_.constants.size() * sizeof(CacheLine));
        code_.constants.resize(code_.constants.size() + bytes / sizeof(CacheLine));
        std::byte* to = code_.constants[entry->second / sizeof(CacheLine)].bytes;
        for (u32 lane = 0; lane < lanesPerWarp; ++lane)
            std::memcpy(to + lane * (bytes / lanesPerWarp), &bits, bytes / lanesPerWarp);
    }
    return {entry->second, u32(Bank::function)};
}

Slot Decoder::source(const Operand& operand, Type type) {
    const bool wide = bytesOf(type) == 8;
    switch (operand.kind) {
        case Operand::Kind::reg:
            if (operand.negated) fail("a negated register");
            if (bytesOfRegister(typeOfRegister(operand.reg)) < bytesOfRegister(type)) {
                fail("a register that is narrower than " + std::to_string(8 * bytesOf(type)) +
                     " bits");
            }
            // Of a register of 64 bits the lower half is meant.
            if (bytesOf(typeOfRegister(operand.reg)) == 8 && !wide)
                return lowerHalf(registers_[operand.reg]);
            return registers_[operand.reg];
        case Operand::Kind::integer:
            if (type == Type::f32)
                return constant(std::bit_cast<u32>(static_cast<float>(s64(operand.bits))), false);
            if (type == Type::f64)
                return constant(std::bit_cast<u64>(static_cast<double>(s64(operand.bits))), true);
            return constant(operand.bits, wide);
        case Operand::Kind::real: {
            const double value = std::bit_cast<double>(operand.bits);
            if (wide) return constant(operand.bits, true);
            return constant(std::bit_cast<u32>(static_cast<float>(value)), false);
        }
        case Operand::Kind::special: {
            const std::optional<Slot> slot = specialSlot(operand.symbol);
            if (const auto address = program_.addressOf(operand.symbol))
                return constant(*address, wide);
            if (!slot) fail("the special register " + std::string(operand.symbol));
            return slot.value_or(noSlot);
        }
        case Operand::Kind::symbol: {
            if (const Parameter* parameter = kernelParameter(operand.symbol)) {
                return constant(paramWindow + parameter->offset + u64(operand.offset), wide);
            }
            if (const std::optional<u64> address = program_.addressOf(operand.symbol)) {
                return constant(*address + u64(operand.offset), wide);
            }
            fail("the symbol '" + std::string(operand.symbol) + "'");
            return noSlot;
        }
        default:
            fail();
            return noSlot;
    }
}

PredicateSlot Decoder::predicate(const Operand& operand) {
    const auto contrary = contraries_.find(operand.reg);
    if (operand.kind == Operand::Kind::reg && contrary != contraries_.end()) {
        Operand of = operand;
        of.reg = contrary->second;
        of.negated = !operand.negated;
        return predicate(of);
    }
    const u32 inverted = operand.negated ? allLanes : 0;
    if (operand.kind == Operand::Kind::integer)
        return {constant(operand.bits != 0 ? ~0ull : 0, false), inverted};
    if (operand.kind == Operand::Kind::reg && typeOfRegister(operand.reg) == Type::pred) {
        return {registers_[operand.reg], inverted};
    }
    fail();
    return {};
}

PredicateSlot Decoder::guardOf(const Instruction& instruction) {
    Operand guard;
    guard.kind = Operand::Kind::reg;
    guard.reg = instruction.guard;
    guard.negated = instruction.guardNegated;
    return predicate(guard);
}

Slot Decoder::target(const Operand& operand) {
    if (operand.kind == Operand::Kind::none) return temporary(wideBytes);
    if (operand.kind != Operand::Kind::reg) {
        fail();
        return noSlot;
    }
    const Slot slot = registers_[operand.reg];
    return slot == noSlot ? temporary(wideBytes) : slot;
}

Slot Decoder::secondTarget(const Operand& operand) {
    if (operand.second < 0) return noSlot;
    Operand second = operand;
    second.kind = Operand::Kind::reg;
    second.reg = operand.second;
    return target(second);
}

std::vector<Slot> Decoder::slots(const Operand& operand, bool areTargets, Type type) {
    std::vector<Slot> all;
    const auto add = [&](const Operand& part) {
        const bool isNone = part.kind == Operand::Kind::none;
        all.push_back(areTargets ? target(part) : isNone ? constant(0, false) : source(part, type));
    };
    if (operand.kind != Operand::Kind::list) return add(operand), all;
    for (const Operand& part : operand.parts) add(part);
    return all;
}

Slot Decoder::lowerHalf(Slot wide) {
    const Slot narrow = temporary(narrowBytes);
    emit({.run = apply<ptx::lowerHalf, u64>, .d = narrow, .a = wide});
    return narrow;
}

Slot Decoder::address(const Operand& memory) {
    if (memory.reg >= 0) {
        const Slot slot = registers_[memory.reg];
        if (bytesOf(typeOfRegister(memory.reg)) == 8) return slot;
        // Within a block it stays what it is until the register changes.
        const auto known = widened_.find(memory.reg);
        if (known != widened_.end()) return known->second;
        const Slot wide = temporary(wideBytes);
        emit({.run = apply<widened, u32>, .d = wide, .a = slot});
        if (instruction_->guard < 0) widened_[memory.reg] = wide;
        return wide;
    }
    if (memory.symbol.empty()) return constant(0, true);
    if (const std::optional<u32> at = localOffset(memory.symbol)) {
        const Slot place = temporary(wideBytes);
        emit({.run = localAddress, .d = place, .immediate = *at, .mode = 8});
        return place;
    }
    Operand symbol;
    symbol.kind = Operand::Kind::symbol;
    symbol.symbol = memory.symbol;
    return source(symbol, Type::u64);
}

Space Decoder::spaceOf(const Instruction& instruction) const {
    for (const std::string_view word : instruction.words) {
        if (word == "global") return Space::global;
        if (word.starts_with("shared")) return Space::shared;
        if (word == "const") return Space::constant;
        if (word == "local") return Space::local;
        if (word.starts_with("param")) return Space::param;
    }
    return Space::generic;
}

Type Decoder::registerType(const Operand& operand) const {
    return operand.kind == Operand::Kind::reg ? typeOfRegister(operand.reg) : Type::none;
}

const Call::Bytes* Decoder::parameterBytes(std::string_view name) const {
    const auto found = parameters_.find(name);
    return found == parameters_.end() ? nullptr : &found->second;
}

const Parameter* Decoder::kernelParameter(std::string_view name) const {
    if (!function_.isKernel) return nullptr;
    const auto found = std::ranges::find(function_.parameters, name, &Parameter::name);
    return found == function_.parameters.end() ? nullptr : &*found;
}

std::optional<u32> Decoder::localOffset(std::string_view name) const {
    const auto found = locals_.find(name);
    if (found == locals_.end()) return std::nullopt;
    return found->second;
}

u32 Decoder::addSite(Site site) {
    site.origin = code_.origin(*instruction_);
    const auto at = u32(instruction_ - function_.instructions.data());
    if (const auto piece = pieces_.find(at); piece != pieces_.end()) {
        site.wholeBytes = piece->second.wholeBytes;
        site.isElement = piece->second.isElement;
        site.isFirstPiece = piece->second.isFirst;
    }
    if (const auto merged = merged_.find(at); merged != merged_.end()) site.atOnce = merged->second;
    site.isPart = site.kind == AccessKind::branch && function_.isDebug && isPart(at);
    sites_.push_back(site);
    return u32(sites_.size() - 1);
}

void Decoder::jumpTo(u32 instruction) {
    jumps_.push_back({steps_->size() - 1, instruction});
}

std::optional<u32> Decoder::label(std::string_view name) const {
    const auto found = function_.labels.find(name);
    if (found == function_.labels.end()) return std::nullopt;
    return found->second;
}

}  // namespace warplens::ptx
