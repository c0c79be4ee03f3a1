// Where a function's values lie, and what of it is done once, or counted as one.
#include <algorithm>

#include "kernels/ptx/run/warp.h"
#include "kernels/ptx/steps/decoder.h"

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

}  // namespace

bool Decoder::layOut() {
    const std::vector<Instruction>& instructions = function_.instructions;
    Uses uses;
    uses.reserve(instructions.size());
    Writers writers(function_.registers.size());
    for (const Instruction& instruction : instructions) {
        uses.push_back(registersOf(instruction));
        for (const s32 reg : uses.back().writes) ++writers[reg];
    }
    level_.assign(function_.registers.size(), Bank::frame);
    registers_.assign(function_.registers.size(), noSlot);
    findOnce(uses, writers);
    placeRegisters(uses, writers);
    return placeMemory();
}

void Decoder::findOnce(Uses& uses, const Writers& writers) {
    const std::vector<Instruction>& instructions = function_.instructions;
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
                    registers_[target] = *slot;
                    level_[target] = static_cast<Bank>(slot->bank);
                    isOnce[at] = changed = true;
                    continue;
                }
            }
            if (!function_.isKernel || !isPure(instruction, function_)) continue;
            Bank level = Bank::launch;
            bool fits = true;
            for (const s32 reg : uses[at].reads) {
                const Bank of = level_[reg];
                fits &= of == Bank::launch || of == Bank::block;
                if (of == Bank::block) level = Bank::block;
            }
            for (std::size_t operand = 1; operand < instruction.operands.size(); ++operand) {
                const Operand& source = instruction.operands[operand];
                fits &= source.kind != Operand::Kind::list;
                if (source.kind == Operand::Kind::symbol)
                    fits &= !function_.variables.contains(source.symbol) ||
                            program_.isShared(source.symbol);
                if (source.kind != Operand::Kind::special) continue;
                const std::optional<Slot> slot = specialSlot(source.symbol);
                fits &= slot && (slot->bank == u32(Bank::launch) || slot->bank == u32(Bank::block));
                if (slot && slot->bank == u32(Bank::block)) level = Bank::block;
            }
            if (!fits) continue;
            u32& end = level == Bank::launch ? code_.launchBytes : code_.blockBytes;
            registers_[target] = {end, u32(level)};
            end += bytesOfRegister(function_.registers[target]);
            level_[target] = level;
            once_.push_back(&instruction);
            isOnce[at] = changed = true;
        }
    }
    for (std::size_t at = 0; at < instructions.size(); ++at) {
        if (isOnce[at]) uses[at] = {};
    }
}

void Decoder::placeRegisters(Uses& uses, const Writers& writers) {
    const std::vector<Instruction>& instructions = function_.instructions;
    std::vector<std::pair<s32, s32>> copies;
    const auto isOfFrame = [&](s32 reg) { return reg >= 0 && level_[reg] == Bank::frame; };
    for (std::size_t at = 0; at < instructions.size(); ++at) {
        const Instruction& instruction = instructions[at];
        const std::string_view name = instruction.words[0];
        if ((name != "mov" && name != "not") || instruction.guard >= 0 ||
            instruction.operands.size() != 2)
            continue;
        const s32 to = instruction.operands[0].reg;
        const s32 from = instruction.operands[1].reg;
        if (!isOfFrame(to) || !isOfFrame(from) ||
            instruction.operands[1].kind != Operand::Kind::reg)
            continue;
        const Type type = typeOfRegister(from);
        if (name == "mov" && type != Type::pred &&
            bytesOfRegister(type) == bytesOfRegister(typeOfRegister(to)))
            copies.emplace_back(to, from);
        // A predicate that is the contrary of the one before needs no place.
        if (name == "not" && type == Type::pred && at > 0 &&
            std::ranges::count(uses[at - 1].writes, from) != 0 && writers[from] == 1 &&
            writers[to] == 1 && flow_.blockOf(u32(at)) == flow_.blockOf(u32(at - 1))) {
            contraries_[to] = from;
            uses[at] = {};
        }
    }
    for (RegisterUse& use : uses) {
        for (s32& reg : use.reads) {
            if (const auto found = contraries_.find(reg); found != contraries_.end())
                reg = found->second;
        }
    }
    const Liveness liveness = livenessOf(function_, flow_, uses, copies);
    const std::vector<LiveRange>& ranges = liveness.ranges;
    std::vector<std::size_t> order;
    for (std::size_t reg = 0; reg < ranges.size(); ++reg) {
        if (level_[reg] == Bank::frame && !ranges[reg].empty() && liveness.places[reg] == s32(reg))
            order.push_back(reg);
    }
    std::ranges::sort(
        order, [&](std::size_t a, std::size_t b) { return ranges[a].begin < ranges[b].begin; });
    struct Room final {
        u32 freeFrom;
        u32 offset;
    };
    const auto later = [](const Room& a, const Room& b) { return a.freeFrom > b.freeFrom; };
    std::map<u32, std::vector<Room>> places;  // by size, as heaps
    for (const std::size_t reg : order) {
        const u32 bytes = bytesOfRegister(function_.registers[reg]);
        std::vector<Room>& heap = places[bytes];
        u32 offset = 0;
        if (!heap.empty() && heap.front().freeFrom < ranges[reg].begin) {
            std::ranges::pop_heap(heap, later);
            offset = heap.back().offset;
            heap.pop_back();
        } else {
            offset = frameEnd_;
            frameEnd_ += bytes;
        }
        heap.push_back({ranges[reg].end, offset});
        std::ranges::push_heap(heap, later);
        registers_[reg] = {offset, u32(Bank::frame)};
    }
    for (std::size_t reg = 0; reg < ranges.size(); ++reg)
        registers_[reg] = registers_[liveness.places[reg]];
}

bool Decoder::placeMemory() {
    frameEnd_ = roundedUp(frameEnd_, narrowBytes);
    u64 bytes = frameEnd_;
    const auto add = [&](u64 more) {
        bytes += (std::min<u64>(more, maxFrameBytes) + 16) * lanesPerWarp;
    };
    for (const Parameter& parameter : function_.parameters)
        add(function_.isKernel ? 0 : parameter.bytes);
    for (const Parameter& result : function_.results) add(result.bytes);
    for (const auto& [name, parameter] : function_.callParameters) add(parameter.bytes);
    for (const auto& [name, variable] : function_.variables) {
        if (variable.space == Space::local) add(variable.bytes + variable.alignment);
    }
    if (bytes > maxFrameBytes) return false;
    const auto words = [&](u32 size) {
        const Call::Bytes place{frameEnd_, size};
        frameEnd_ += (size + 3) / 4 * narrowBytes;
        return place;
    };
    if (!function_.isKernel) {
        for (const Parameter& parameter : function_.parameters) {
            code_.parameters.push_back(parameters_[parameter.name] = words(parameter.bytes));
        }
        for (const Parameter& result : function_.results) {
            code_.results.push_back(parameters_[result.name] = words(result.bytes));
        }
    }
    for (const auto& [name, parameter] : function_.callParameters)
        parameters_[name] = words(parameter.bytes);
    code_.localOffset =
        roundedUp(frameEnd_, 4 * narrowBytes);  // addresses in it are multiples of 16
    u32 localBytes = 0;
    for (const auto& [name, variable] : function_.variables) {
        if (variable.space != Space::local) continue;
        localBytes = roundedUp(localBytes, std::max(1u, variable.alignment));
        locals_[name] = localBytes;
        localBytes += u32(variable.bytes);
    }
    code_.localBytes = localBytes;
    frameEnd_ = code_.localOffset + (localBytes + 3) / 4 * narrowBytes;
    return true;
}

namespace {

/// Whether a register is a sum with a multiple of the bytes: an index's, of elements of that size.
bool isMultiple(const std::vector<Instruction>& instructions, std::uint32_t begin, std::uint32_t at,
                std::int32_t reg, std::uint64_t bytes) {
    const auto setterOf = [&](std::int32_t wanted) -> const Instruction* {
        for (std::uint32_t before = at; before-- > begin;) {
            const std::vector<Operand>& operands = instructions[before].operands;
            if (operands.size() == 3 && operands[0].reg == wanted) return &instructions[before];
        }
        return nullptr;
    };
    const Instruction* sum = setterOf(reg);
    if (sum == nullptr || sum->words[0] != "add") return false;
    return std::any_of(sum->operands.begin() + 1, sum->operands.end(), [&](const Operand& part) {
        const Instruction* product = part.reg < 0 ? nullptr : setterOf(part.reg);
        if (product == nullptr || product->operands[2].kind != Operand::Kind::integer) return false;
        const std::uint64_t by = product->operands[2].bits;
        return (product->words[0] == "shl" && by < 5 && 1ull << by == bytes) ||
               (product->words[0] == "mul" && product->has("wide") && by == bytes);
    });
}

}  // namespace

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
    for (const ControlFlow::Block& block : flow_.blocks()) {
        for (u32 at = block.begin; at < block.end; ++at) {
            const Operand* memory = memoryOf(instructions[at]);
            const u32 width = bytesOf(instructions[at].type());
            if (memory == nullptr || width == 0 || width > 8 || instructions[at].has("v2") ||
                instructions[at].has("v4") || pieces_.contains(at))
                continue;
            // The others of the same statement, from the same register.
            std::vector<std::pair<s64, u32>> found{{memory->offset, at}};
            for (u32 next = at + 1;
                 next < block.end && instructions[next].place == instructions[at].place &&
                 instructions[next].words[0] != "call";
                 ++next) {
                const Operand* other = memoryOf(instructions[next]);
                if (other != nullptr && other->reg == memory->reg &&
                    instructions[next].words == instructions[at].words)
                    found.emplace_back(other->offset, next);
            }
            std::ranges::sort(found);
            const u64 whole = width * found.size();
            bool fits = found.size() > 1 &&
                        (whole == 2 || whole == 4 || whole == 8 || whole == 16) &&
                        found.front().first % s64(whole) == 0;
            for (std::size_t piece = 1; piece < found.size(); ++piece)
                fits &= found[piece].first == found[piece - 1].first + width;
            if (!fits) continue;
            const bool isElement = isMultiple(instructions, block.begin, at, memory->reg, whole);
            for (const auto& [offset, index] : found)
                pieces_[index] = {u8(whole), isElement, offset == found.front().first};
        }
    }
}

bool Decoder::isPart(u32 at) const {
    // All ways on come to another branch of the same statement.
    const std::vector<Instruction>& instructions = function_.instructions;
    const std::vector<ControlFlow::Block>& blocks = flow_.blocks();
    const u32 meeting = flow_.reconvergence(at);
    if (meeting == ControlFlow::none) return false;
    // Both ways come to the same place at once: nothing that is written is decided.
    const auto decidesNothing = [&](u32 branch) {
        const Instruction& jump = instructions[branch];
        const auto to = jump.operands.empty() ? std::nullopt : label(jump.operands[0].symbol);
        const u32 meets = flow_.reconvergence(branch);
        if (!to || meets == ControlFlow::none) return false;
        // What jumps to a return that several share is gone.
        const u32 end = std::max<u32>(*to, meets);
        const auto goesThere = [&](const Instruction& next) {
            if (next.words[0] != "bra" || next.guard >= 0 || next.operands.empty()) return false;
            const std::optional<std::uint32_t> target = label(next.operands[0].symbol);
            return target && branch < *target && *target <= end;
        };
        return branch + 1 < end && std::all_of(&jump + 1, instructions.data() + end, goesThere);
    };
    if (decidesNothing(at)) return true;
    const auto endOf = [&](const ControlFlow::Block& block) {
        return block.end > block.begin ? &instructions[block.end - 1] : nullptr;
    };
    // Labels of the debug information end blocks where nothing is decided.
    u32 rank = flow_.blockOf(meeting);
    while (blocks[rank].next == std::vector{rank + 1} && endOf(blocks[rank])->words[0] != "bra")
        ++rank;
    const Instruction* last = endOf(blocks[rank]);
    if (last == nullptr || last == &instructions[at] || last->words[0] != "bra" || last->guard < 0)
        return false;
    // As of `this`, behind the last statement of a method.
    if (decidesNothing(u32(last - instructions.data()))) return false;
    if (last->place == instructions[at].place) return true;
    // In another line: it is of what this branch's block has set for the case that it jumps.
    const auto isCopyTo = [](const Instruction& instruction, s32 reg) {
        return (instruction.words[0] == "mov" || instruction.words[0] == "not") &&
               instruction.operands.size() == 2 && instruction.operands[0].reg == reg;
    };
    s32 decides = last->guard;
    for (const Instruction* before = last; before != &instructions[blocks[rank].begin];) {
        if (isCopyTo(*--before, decides)) decides = before->operands[1].reg;
    }
    const ControlFlow::Block& own = blocks[flow_.blockOf(at)];
    return decides >= 0 && decides != last->guard &&
           std::any_of(&instructions[own.begin], &instructions[at],
                       [&](const Instruction& before) { return isCopyTo(before, decides); });
}

}  // namespace warplens::ptx
