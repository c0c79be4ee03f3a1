#include "kernels/ptx/steps/decoder.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "kernels/ptx/read/flow.h"
#include "kernels/ptx/run/warp.h"
#include "kernels/ptx/steps/value.h"

namespace warplens::ptx {
namespace {

/// Opcodes whose result follows from their operands alone: where these are the same for all threads
/// of a launch, or of a block, it is worked out once.
bool isPure(const Instruction& instruction, const Function& function) {
    const std::string_view name = instruction.words[0];
    if (instruction.guard >= 0) return false;
    if (name == "ld") {
        // Of the kernel's own parameters, not of what a call left.
        return instruction.has("param") && function.isKernel && instruction.operands.size() == 2 &&
               instruction.operands[0].kind == Operand::Kind::reg &&
               std::ranges::find(function.parameters, instruction.operands[1].symbol,
                                 &Parameter::name) != function.parameters.end();
    }
    if (name == "cvta") return !instruction.has("local");
    if ((name == "add" || name == "sub" || name == "mad") && instruction.has("cc")) return false;
    for (const std::string_view pure :
         {"mov",  "cvt",  "add", "sub",  "mul",  "mad", "fma",  "and",
          "or",   "xor",  "not", "neg",  "shl",  "shr", "min",  "max",
          "setp", "selp", "abs", "lop3", "prmt", "bfe", "popc", "clz"}) {
        if (name == pure) return true;
    }
    return false;
}

const InstructionTable& table() {
    static const InstructionTable all = [] {
        InstructionTable made;
        for (const auto add : {addIntegers, addReals, addComparisons, addMoves, addMemory,
                               addAtomics, addSynchronization, addControl})
            add(made);
        return made;
    }();
    return all;
}

constexpr std::uint32_t maxFrameBytes = 64u << 20;

std::uint32_t bytesOfRegister(Type type) {
    if (type == Type::pred) return predicateBytes;
    return bytesOf(type) == 8 ? wideBytes : narrowBytes;
}

std::uint32_t roundedUp(std::uint32_t value, std::uint32_t to) {
    return (value + to - 1) / to * to;
}

}  // namespace

struct Decoder::Work final {
    Work(const Function& function) : flow(function) {}

    ControlFlow flow;
    std::vector<Slot> registers;
    std::vector<Bank> level;               ///< of registers: the bank that their value is in
    std::vector<const Instruction*> once;  ///< for a launch or a block, in order
    std::vector<Step>* steps = nullptr;    ///< that are added to
    Bank bank = Bank::frame;               ///< where temporaries are
    const Instruction* instruction = nullptr;
    std::vector<std::uint32_t> firstStep;  ///< of instructions
    struct Jump final {
        std::size_t step;
        std::uint32_t instruction;
    };
    std::vector<Jump> jumps;
    std::map<std::int32_t, std::int32_t> contraries;  ///< predicates, and of which
    std::map<std::int32_t, Slot> widened;  ///< registers whose 64-bit values are there already
    std::map<std::string_view, Call::Bytes> parameters;
    std::map<std::string_view, std::uint32_t> locals;
    struct Piece final {
        std::uint8_t wholeBytes;
        bool isFirst;
    };
    std::map<std::uint32_t, Piece> pieces;  ///< by instruction
    std::map<std::pair<std::uint64_t, std::uint32_t>, std::uint32_t>
        constants;  ///< offsets by value and width
    std::uint32_t frameEnd = 0;
    std::vector<const Instruction*> failed;  ///< of `once`: told where they are reached
};

Decoder::Decoder(const Function& function, Code& code, Symbols& symbols, Sites& sites)
    : function_(function),
      code_(code),
      symbols_(symbols),
      sites_(sites),
      work_(std::make_unique<Work>(function)) {}
Decoder::~Decoder() = default;

bool Decoder::layOut() {
    Work& work = *work_;
    const std::vector<Instruction>& instructions = function_.instructions;
    std::vector<RegisterUse> uses;
    uses.reserve(instructions.size());
    std::vector<std::uint32_t> writers(function_.registers.size());
    for (const Instruction& instruction : instructions) {
        uses.push_back(registersOf(instruction));
        for (const std::int32_t reg : uses.back().writes) ++writers[static_cast<std::size_t>(reg)];
    }
    // Which registers are the same for a whole launch, for a warp's place or for a block.
    work.level.assign(function_.registers.size(), Bank::frame);
    work.registers.assign(function_.registers.size(), noSlot);
    std::vector<bool> isOnce(instructions.size(), false);
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t at = 0; at < instructions.size(); ++at) {
            const Instruction& instruction = instructions[at];
            if (isOnce[at] || uses[at].writes.size() != 1) continue;
            const auto target = static_cast<std::size_t>(uses[at].writes[0]);
            if (writers[target] != 1) continue;
            // The register is a special one by another name.
            if (instruction.words[0] == "mov" && instruction.guard < 0 &&
                instruction.operands.size() == 2 &&
                instruction.operands[1].kind == Operand::Kind::special &&
                bytesOf(instruction.type()) == 4) {
                if (const std::optional<Slot> slot = specialSlot(instruction.operands[1].symbol)) {
                    work.registers[target] = *slot;
                    work.level[target] = static_cast<Bank>(slot->bank);
                    isOnce[at] = changed = true;
                    continue;
                }
            }
            if (!function_.isKernel || !isPure(instruction, function_)) continue;
            Bank level = Bank::launch;
            bool fits = true;
            for (const std::int32_t reg : uses[at].reads) {
                const Bank of = work.level[static_cast<std::size_t>(reg)];
                fits &= of == Bank::launch || of == Bank::block;
                if (of == Bank::block) level = Bank::block;
            }
            for (std::size_t operand = 1; operand < instruction.operands.size(); ++operand) {
                const Operand& source = instruction.operands[operand];
                fits &= source.kind != Operand::Kind::list;
                if (source.kind == Operand::Kind::symbol)
                    fits &= !function_.variables.contains(source.symbol) ||
                            symbols_.isShared(source.symbol);
                if (source.kind != Operand::Kind::special) continue;
                const std::optional<Slot> slot = specialSlot(source.symbol);
                fits &= slot && (slot->bank == static_cast<std::uint32_t>(Bank::launch) ||
                                 slot->bank == static_cast<std::uint32_t>(Bank::block));
                if (slot && slot->bank == static_cast<std::uint32_t>(Bank::block))
                    level = Bank::block;
            }
            if (!fits) continue;
            std::uint32_t& end = level == Bank::launch ? code_.launchBytes : code_.blockBytes;
            work.registers[target] = {end, static_cast<std::uint32_t>(level)};
            end += bytesOfRegister(function_.registers[target]);
            work.level[target] = level;
            work.once.push_back(&instruction);
            isOnce[at] = changed = true;
        }
    }
    std::vector<std::pair<std::int32_t, std::int32_t>> copies;
    const auto isOfFrame = [&](std::int32_t reg) {
        return reg >= 0 && work.level[static_cast<std::size_t>(reg)] == Bank::frame;
    };
    for (std::size_t at = 0; at < instructions.size(); ++at) {
        if (isOnce[at]) uses[at] = {};
        const Instruction& instruction = instructions[at];
        const std::string_view name = instruction.words[0];
        if ((name != "mov" && name != "not") || instruction.guard >= 0 ||
            instruction.operands.size() != 2)
            continue;
        const std::int32_t to = instruction.operands[0].reg;
        const std::int32_t from = instruction.operands[1].reg;
        if (!isOfFrame(to) || !isOfFrame(from) ||
            instruction.operands[1].kind != Operand::Kind::reg)
            continue;
        const Type type = function_.registers[static_cast<std::size_t>(from)];
        if (name == "mov" && type != Type::pred &&
            bytesOfRegister(type) ==
                bytesOfRegister(function_.registers[static_cast<std::size_t>(to)]))
            copies.emplace_back(to, from);
        // A predicate that is the contrary of the one before needs no place.
        if (name == "not" && type == Type::pred && at > 0 &&
            std::ranges::count(uses[at - 1].writes, from) != 0 &&
            writers[static_cast<std::size_t>(from)] == 1 &&
            writers[static_cast<std::size_t>(to)] == 1 &&
            work.flow.blockOf(static_cast<std::uint32_t>(at)) ==
                work.flow.blockOf(static_cast<std::uint32_t>(at - 1))) {
            work.contraries[to] = from;
            uses[at] = {};
        }
    }
    for (RegisterUse& use : uses) {
        for (std::int32_t& reg : use.reads) {
            if (const auto found = work.contraries.find(reg); found != work.contraries.end())
                reg = found->second;
        }
    }
    // The others share places: one begins where another is not needed any more.
    const Liveness liveness = livenessOf(function_, work.flow, uses, copies);
    const std::vector<LiveRange>& ranges = liveness.ranges;
    std::vector<std::size_t> order;
    for (std::size_t reg = 0; reg < ranges.size(); ++reg) {
        if (work.level[reg] == Bank::frame && !ranges[reg].empty() &&
            liveness.places[reg] == static_cast<std::int32_t>(reg))
            order.push_back(reg);
    }
    std::ranges::sort(
        order, [&](std::size_t a, std::size_t b) { return ranges[a].begin < ranges[b].begin; });
    struct Room final {
        std::uint32_t freeFrom;
        std::uint32_t offset;
    };
    const auto later = [](const Room& a, const Room& b) { return a.freeFrom > b.freeFrom; };
    std::map<std::uint32_t, std::vector<Room>> places;  // by size, as heaps
    for (const std::size_t reg : order) {
        const std::uint32_t bytes = bytesOfRegister(function_.registers[reg]);
        std::vector<Room>& heap = places[bytes];
        std::uint32_t offset = 0;
        if (!heap.empty() && heap.front().freeFrom < ranges[reg].begin) {
            std::ranges::pop_heap(heap, later);
            offset = heap.back().offset;
            heap.pop_back();
        } else {
            offset = work.frameEnd;
            work.frameEnd += bytes;
        }
        heap.push_back({ranges[reg].end, offset});
        std::ranges::push_heap(heap, later);
        work.registers[reg] = {offset, static_cast<std::uint32_t>(Bank::frame)};
    }
    for (std::size_t reg = 0; reg < ranges.size(); ++reg)
        work.registers[reg] = work.registers[static_cast<std::size_t>(liveness.places[reg])];
    // Words of parameters, results and local memory.
    work.frameEnd = roundedUp(work.frameEnd, narrowBytes);
    std::uint64_t bytes = work.frameEnd;
    const auto add = [&](std::uint64_t more) {
        bytes += (std::min<std::uint64_t>(more, maxFrameBytes) + 16) * lanesPerWarp;
    };
    for (const Parameter& parameter : function_.parameters)
        add(function_.isKernel ? 0 : parameter.bytes);
    for (const Parameter& result : function_.results) add(result.bytes);
    for (const auto& [name, parameter] : function_.callParameters) add(parameter.bytes);
    for (const auto& [name, variable] : function_.variables) {
        if (variable.space == Space::local) add(variable.bytes + variable.alignment);
    }
    if (bytes > maxFrameBytes) return false;
    const auto words = [&](std::uint32_t size) {
        const Call::Bytes place{work.frameEnd, size};
        work.frameEnd += (size + 3) / 4 * narrowBytes;
        return place;
    };
    if (!function_.isKernel) {
        for (const Parameter& parameter : function_.parameters) {
            code_.parameters.push_back(work.parameters[parameter.name] = words(parameter.bytes));
        }
        for (const Parameter& result : function_.results) {
            code_.results.push_back(work.parameters[result.name] = words(result.bytes));
        }
    }
    for (const auto& [name, parameter] : function_.callParameters)
        work.parameters[name] = words(parameter.bytes);
    code_.localOffset =
        roundedUp(work.frameEnd, 4 * narrowBytes);  // addresses in it are multiples of 16
    std::uint32_t localBytes = 0;
    for (const auto& [name, variable] : function_.variables) {
        if (variable.space != Space::local) continue;
        localBytes = roundedUp(localBytes, std::max(1u, variable.alignment));
        work.locals[name] = localBytes;
        localBytes += static_cast<std::uint32_t>(variable.bytes);
    }
    code_.localBytes = localBytes;
    work.frameEnd = code_.localOffset + (localBytes + 3) / 4 * narrowBytes;
    return true;
}

void Decoder::findPieces() {
    const std::vector<Instruction>& instructions = function_.instructions;
    const auto memoryOf = [](const Instruction& instruction) -> const Operand* {
        const std::string_view name = instruction.words[0];
        if ((name != "ld" && name != "st") || instruction.operands.size() != 2 ||
            instruction.has("param") || instruction.guard >= 0)
            return nullptr;
        const Operand& memory = instruction.operands[name == "ld" ? 1 : 0];
        return memory.kind == Operand::Kind::memory && memory.reg >= 0 ? &memory : nullptr;
    };
    for (const ControlFlow::Block& block : work_->flow.blocks()) {
        for (std::uint32_t at = block.begin; at < block.end; ++at) {
            const Operand* memory = memoryOf(instructions[at]);
            const std::uint32_t width = bytesOf(instructions[at].type());
            if (memory == nullptr || width == 0 || width > 8 || instructions[at].has("v2") ||
                instructions[at].has("v4") || work_->pieces.contains(at))
                continue;
            // The others of the same statement, from the same register.
            std::vector<std::pair<std::int64_t, std::uint32_t>> found{{memory->offset, at}};
            for (std::uint32_t next = at + 1;
                 next < block.end && instructions[next].place == instructions[at].place &&
                 instructions[next].words[0] != "call";
                 ++next) {
                const Operand* other = memoryOf(instructions[next]);
                if (other != nullptr && other->reg == memory->reg &&
                    instructions[next].words == instructions[at].words)
                    found.emplace_back(other->offset, next);
            }
            std::ranges::sort(found);
            const std::uint64_t whole = width * found.size();
            bool fits = found.size() > 1 &&
                        (whole == 2 || whole == 4 || whole == 8 || whole == 16) &&
                        found.front().first % static_cast<std::int64_t>(whole) == 0;
            for (std::size_t piece = 1; piece < found.size(); ++piece)
                fits &= found[piece].first == found[piece - 1].first + width;
            if (!fits) continue;
            for (const auto& [offset, index] : found)
                work_->pieces[index] = {static_cast<std::uint8_t>(whole),
                                        offset == found.front().first};
        }
    }
}

void Decoder::decode() {
    Work& work = *work_;
    code_.launchBytes = static_cast<std::uint32_t>(launchSpecials.size()) * narrowBytes;
    code_.blockBytes = static_cast<std::uint32_t>(blockSpecials.size()) * narrowBytes;
    if (!layOut()) {
        work.steps = &code_.steps;
        code_.reasons.push_back(std::make_unique<std::string>(
            "the function " + std::string(function_.name) + " wants more than " +
            std::to_string(maxFrameBytes / lanesPerWarp) +
            " bytes a thread of registers, parameters and local memory"));
        emit(notKnown).more = code_.reasons.back().get();
        code_.frameBytes = narrowBytes;
        code_.constants.resize(spareLines);
        return;
    }
    if (function_.isDebug) findPieces();
    for (const Instruction* instruction : work.once) {
        const Bank level = static_cast<Bank>(
            work.registers[static_cast<std::size_t>(instruction->operands[0].reg)].bank);
        work.steps = level == Bank::launch ? &code_.launchSteps : &code_.blockSteps;
        work.bank = level;
        if (!decodeOne(*instruction)) {
            work.steps->pop_back();
            work.failed.push_back(instruction);
        }
    }
    for (std::vector<Step>* once : {&code_.launchSteps, &code_.blockSteps}) {
        work.steps = once;
        work.instruction = nullptr;
        if (!once->empty()) emit(stop);
    }
    work.steps = &code_.steps;
    work.bank = Bank::frame;
    const std::vector<Instruction>& instructions = function_.instructions;
    std::vector<bool> meets(instructions.size() + 1, false);
    for (std::uint32_t at = 0; at < instructions.size(); ++at) {
        const std::string_view name = instructions[at].words[0];
        if (name != "bra" && name != "brx") continue;
        const std::uint32_t meeting = work.flow.reconvergence(at);
        if (meeting != ControlFlow::none) meets[meeting] = true;
    }
    std::vector<const Instruction*> once(work.once);
    std::ranges::sort(once);
    for (std::uint32_t at = 0; at <= instructions.size(); ++at) {
        work.firstStep.push_back(static_cast<std::uint32_t>(code_.steps.size()));
        if (meets[at]) emit(reconvergeHere);
        if (at == work.flow.blocks()[work.flow.blockOf(at)].begin) work.widened.clear();
        if (at == instructions.size()) break;
        const Instruction& instruction = instructions[at];
        const std::int32_t first = instruction.operands.empty() ? -1 : instruction.operands[0].reg;
        const bool isRenamed = (instruction.words[0] == "mov" && first >= 0 &&
                                work.level[static_cast<std::size_t>(first)] != Bank::frame) ||
                               (instruction.words[0] == "not" && work.contraries.contains(first));
        const bool isDone = isRenamed || std::ranges::binary_search(once, &instruction);
        if (!isDone || std::ranges::find(work.failed, &instruction) != work.failed.end())
            decodeOne(instruction);
        for (const std::int32_t reg : registersOf(instruction).writes) work.widened.erase(reg);
    }
    emit(function_.isKernel ? exitKernel : returnToCaller);
    // Indices of instructions become those of steps.
    for (const Work::Jump& jump : work.jumps) {
        code_.steps[jump.step].jump = static_cast<std::int32_t>(work.firstStep[jump.instruction]) -
                                      static_cast<std::int32_t>(jump.step);
    }
    for (const auto& table : code_.tables) {
        for (std::uint32_t& target : *table) target = work.firstStep[target];
    }
    for (std::uint32_t index = 0; index < code_.steps.size(); ++index) {
        Step& step = code_.steps[index];
        step.index = index;
        if (step.run == branchAround)
            step.reconverge = index + static_cast<std::uint32_t>(step.jump);
        if (step.instruction == nullptr) continue;
        const std::string_view name = step.instruction->words[0];
        if (name != "bra" && name != "brx") continue;
        const auto at = static_cast<std::uint32_t>(step.instruction - instructions.data());
        const std::uint32_t meeting = work.flow.reconvergence(at);
        step.reconverge = meeting == ControlFlow::none ? noStep : work.firstStep[meeting];
        step.leaving = work.flow.leaving(at);
    }
    // Not nothing: calls that call themselves are to fill the stack.
    code_.frameBytes = std::max(roundedUp(work.frameEnd, narrowBytes), narrowBytes);
    code_.constants.resize(code_.constants.size() + spareLines);
}

bool Decoder::decodeOne(const Instruction& instruction) {
    Work& work = *work_;
    work.instruction = &instruction;
    why_.clear();
    const std::size_t begin = work.steps->size();
    const std::size_t jumps = work.jumps.size();
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
        const std::size_t before = work.steps->size();
        isDone = tryDecode(*this, instruction) && why_.empty();
        if (!isDone && why_.empty()) work.steps->resize(before);
    }
    isDone &= why_.empty();
    if (!isDone) {
        work.steps->resize(begin);
        work.jumps.resize(jumps);
        work.widened.clear();
        std::string whole;
        for (const std::string_view word : instruction.words)
            whole += (whole.empty() ? "" : ".") + std::string(word);
        code_.reasons.push_back(
            std::make_unique<std::string>("the PTX instruction " + whole + " is not modelled" +
                                          (why_.empty() || why_ == " " ? "" : ": " + why_)));
        emit(notKnown).more = code_.reasons.back().get();
        return false;
    }
    if (!isGuarded) return true;
    if (ends)
        (*work.steps)[begin].run = endAround;
    else if (waits)
        (*work.steps)[begin].run = branchAround;
    else
        emit(guardOff);
    (*work.steps)[begin].jump = static_cast<std::int32_t>(work.steps->size() - begin);
    if (waits) emit(reconvergeHere);
    return true;
}

Step& Decoder::emit(const Step& step) {
    Step& added = work_->steps->emplace_back(step);
    added.instruction = work_->instruction;
    return added;
}

Step& Decoder::last() {
    return work_->steps->back();
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
        const std::optional<std::uint32_t> mode = instruction.which(form.modes);
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

Slot Decoder::temporary(std::uint32_t bytes) {
    std::uint32_t& end = work_->bank == Bank::launch  ? code_.launchBytes
                         : work_->bank == Bank::block ? code_.blockBytes
                                                      : work_->frameEnd;
    const Slot slot{end, static_cast<std::uint32_t>(work_->bank)};
    end += roundedUp(bytes, 64);
    return slot;
}

Slot Decoder::constant(std::uint64_t bits, bool wide) {
    if (!wide) bits &= 0xffffffffu;
    const std::uint32_t bytes = wide ? wideBytes : narrowBytes;
    const auto [entry, isNew] = work_->constants.try_emplace({bits, bytes}, 0);
    if (isNew) {
        entry->second = static_cast<std::uint32_t>(code_.constants.size() * sizeof(CacheLine));
        code_.constants.resize(code_.constants.size() + bytes / sizeof(CacheLine));
        std::byte* to = code_.constants[entry->second / sizeof(CacheLine)].bytes;
        for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane)
            std::memcpy(to + lane * (bytes / lanesPerWarp), &bits, bytes / lanesPerWarp);
    }
    return {entry->second, static_cast<std::uint32_t>(Bank::function)};
}

Slot Decoder::source(const Operand& operand, Type type) {
    const bool wide = bytesOf(type) == 8;
    switch (operand.kind) {
        case Operand::Kind::reg:
            if (operand.negated) fail("a negated register");
            if (bytesOfRegister(function_.registers[static_cast<std::size_t>(operand.reg)]) <
                bytesOfRegister(type)) {
                fail("a register that is narrower than " + std::to_string(8 * bytesOf(type)) +
                     " bits");
            }
            return work_->registers[static_cast<std::size_t>(operand.reg)];
        case Operand::Kind::integer:
            if (type == Type::f32)
                return constant(std::bit_cast<std::uint32_t>(
                                    static_cast<float>(static_cast<std::int64_t>(operand.bits))),
                                false);
            if (type == Type::f64)
                return constant(std::bit_cast<std::uint64_t>(
                                    static_cast<double>(static_cast<std::int64_t>(operand.bits))),
                                true);
            return constant(operand.bits, wide);
        case Operand::Kind::real: {
            const double value = std::bit_cast<double>(operand.bits);
            if (wide) return constant(operand.bits, true);
            return constant(std::bit_cast<std::uint32_t>(static_cast<float>(value)), false);
        }
        case Operand::Kind::special: {
            const std::optional<Slot> slot = specialSlot(operand.symbol);
            if (const auto address = symbols_.addressOf(operand.symbol))
                return constant(*address, wide);
            if (!slot) fail("the special register " + std::string(operand.symbol));
            return slot.value_or(noSlot);
        }
        case Operand::Kind::symbol: {
            if (const Parameter* parameter = kernelParameter(operand.symbol)) {
                return constant(
                    paramWindow + parameter->offset + static_cast<std::uint64_t>(operand.offset),
                    wide);
            }
            if (const std::optional<std::uint64_t> address = symbols_.addressOf(operand.symbol)) {
                return constant(*address + static_cast<std::uint64_t>(operand.offset), wide);
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
    const auto contrary = work_->contraries.find(operand.reg);
    if (operand.kind == Operand::Kind::reg && contrary != work_->contraries.end()) {
        Operand of = operand;
        of.reg = contrary->second;
        of.negated = !operand.negated;
        return predicate(of);
    }
    const std::uint32_t inverted = operand.negated ? allLanes : 0;
    if (operand.kind == Operand::Kind::integer)
        return {constant(operand.bits != 0 ? ~0ull : 0, false), inverted};
    if (operand.kind == Operand::Kind::reg &&
        function_.registers[static_cast<std::size_t>(operand.reg)] == Type::pred) {
        return {work_->registers[static_cast<std::size_t>(operand.reg)], inverted};
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
    const Slot slot = work_->registers[static_cast<std::size_t>(operand.reg)];
    return slot == noSlot ? temporary(wideBytes) : slot;
}

Slot Decoder::secondTarget(const Operand& operand) {
    if (operand.second < 0) return noSlot;
    Operand second = operand;
    second.kind = Operand::Kind::reg;
    second.reg = operand.second;
    return target(second);
}

Slot Decoder::lowerHalf(Slot wide) {
    const Slot narrow = temporary(narrowBytes);
    emit({.run = apply<ptx::lowerHalf, std::uint64_t>, .d = narrow, .a = wide});
    return narrow;
}

Slot Decoder::address(const Operand& memory) {
    if (memory.reg >= 0) {
        const Slot slot = work_->registers[static_cast<std::size_t>(memory.reg)];
        if (bytesOf(function_.registers[static_cast<std::size_t>(memory.reg)]) == 8) return slot;
        // Within a block it stays what it is until the register changes.
        const auto known = work_->widened.find(memory.reg);
        if (known != work_->widened.end()) return known->second;
        const Slot wide = temporary(wideBytes);
        emit({.run = apply<widened, std::uint32_t>, .d = wide, .a = slot});
        if (work_->instruction->guard < 0) work_->widened[memory.reg] = wide;
        return wide;
    }
    if (memory.symbol.empty()) return constant(0, true);
    if (const std::optional<std::uint32_t> at = localOffset(memory.symbol)) {
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
    return operand.kind == Operand::Kind::reg
               ? function_.registers[static_cast<std::size_t>(operand.reg)]
               : Type::none;
}

const Call::Bytes* Decoder::parameterBytes(std::string_view name) const {
    const auto found = work_->parameters.find(name);
    return found == work_->parameters.end() ? nullptr : &found->second;
}

const Parameter* Decoder::kernelParameter(std::string_view name) const {
    if (!function_.isKernel) return nullptr;
    const auto found = std::ranges::find(function_.parameters, name, &Parameter::name);
    return found == function_.parameters.end() ? nullptr : &*found;
}

std::optional<std::uint32_t> Decoder::localOffset(std::string_view name) const {
    const auto found = work_->locals.find(name);
    if (found == work_->locals.end()) return std::nullopt;
    return found->second;
}

std::uint32_t Decoder::addSite(SiteKind kind, std::uint32_t bytes) {
    const Instruction& instruction = *work_->instruction;
    Site site{kind, static_cast<std::uint8_t>(bytes), code_.origin(instruction)};
    const auto at = static_cast<std::uint32_t>(work_->instruction - function_.instructions.data());
    if (const auto piece = work_->pieces.find(at); piece != work_->pieces.end()) {
        site.wholeBytes = piece->second.wholeBytes;
        site.isFirstPiece = piece->second.isFirst;
    }
    if (kind == SiteKind::branch) {
        // All ways on come to another branch of the same statement.
        const std::uint32_t meeting = work_->flow.reconvergence(at);
        if (meeting != ControlFlow::none) {
            // Labels of the debug information end blocks where nothing is decided.
            std::uint32_t rank = work_->flow.blockOf(meeting);
            const std::vector<ControlFlow::Block>& blocks = work_->flow.blocks();
            const auto lastOf = [&](const ControlFlow::Block& block) {
                return block.end > block.begin ? &function_.instructions[block.end - 1] : nullptr;
            };
            while (blocks[rank].next == std::vector{rank + 1} &&
                   lastOf(blocks[rank])->words[0] != "bra")
                ++rank;
            const Instruction* last = lastOf(blocks[rank]);
            site.isPart = last != nullptr && last != &instruction && last->words[0] == "bra" &&
                          last->guard >= 0 && last->place == instruction.place;
        }
    }
    sites_.push_back(site);
    return static_cast<std::uint32_t>(sites_.size() - 1);
}

void Decoder::jumpTo(std::uint32_t instruction) {
    work_->jumps.push_back({work_->steps->size() - 1, instruction});
}

std::optional<std::uint32_t> Decoder::label(std::string_view name) const {
    const auto found = function_.labels.find(name);
    if (found == function_.labels.end()) return std::nullopt;
    return found->second;
}

}  // namespace warplens::ptx
