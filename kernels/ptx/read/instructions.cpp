#include <algorithm>

#include "kernels/ptx/read/reader.h"

namespace warplens::ptx {

void Reader::findLabelsOfBlock() {
    // Blocks of inline PTX repeat labels: within a block they are named by its row, too.
    auto& labels = labelScopes_.emplace_back();
    Lexer ahead = lexer_;
    std::string_view before;
    for (int depth = 0; !ahead.atEnd(); ahead.next()) {
        if (ahead.is("{")) {
            ++depth;
        } else if (ahead.is("}")) {
            if (depth-- == 0) break;
        } else if (depth == 0 && ahead.is(":") && !before.empty()) {
            labels[before] = module_.names.emplace_back(std::string(before) + '@' +
                                                        std::to_string(lexer_.row()));
        }
        before = ahead.kind() == Lexer::Kind::word ? ahead.token() : std::string_view{};
    }
}

std::string_view Reader::labelOf(std::string_view name) const {
    for (auto scope = labelScopes_.rbegin(); scope != labelScopes_.rend(); ++scope) {
        if (const auto found = scope->find(name); found != scope->end()) return found->second;
    }
    return name;
}

void Reader::readBody(int depth) {
    if (depth > maxDepth) return fail("blocks are nested more than 64 deep");
    scopes_.emplace_back();
    if (depth > 0) findLabelsOfBlock();
    while (goesOn() && !lexer_.is("}")) {
        if (lexer_.accept("{")) {
            readBody(depth + 1);
        } else if (lexer_.accept(";")) {
        } else if (lexer_.is(".loc")) {
            readLocation();
        } else if (lexer_.is(".reg")) {
            readRegisters();
        } else if (lexer_.is(".file")) {
            readFile();
        } else if (const auto space = spaceNamed(lexer_.token())) {
            lexer_.next();
            Variable variable = readVariable(*space);
            expect(";");
            if (*space == Space::param) {
                Parameter& known = function_->callParameters[variable.name];
                const auto bytes = u32(std::min<u64>(variable.bytes, 1u << 20));
                if (known.bytes < bytes)
                    known = {variable.name, variable.type, bytes, variable.alignment, 0};
            } else if (*space == Space::local || *space == Space::shared) {
                function_->variables[variable.name] = std::move(variable);
            } else {
                module_.variables[variable.name] = std::move(variable);
            }
        } else if (lexer_.isDirective()) {
            skipTo(";");  // .pragma and others without effect
        } else {
            readInstruction();
        }
    }
    expect("}");
    scopes_.pop_back();
    if (depth > 0) labelScopes_.pop_back();
}

void Reader::readLabelOrTable(std::string_view name) {
    if (lexer_.accept(".branchtargets")) {
        std::vector<std::string_view>& targets = function_->branchTargets[name];
        while (goesOn() && !lexer_.is(";")) {
            if (lexer_.kind() == Lexer::Kind::word) targets.push_back(labelOf(lexer_.token()));
            lexer_.next();
        }
        expect(";");
    } else if (lexer_.is(".callprototype") || lexer_.is(".calltargets")) {
        skipTo(";");
    } else {
        function_->labels[labelOf(name)] = u32(function_->instructions.size());
    }
}

void Reader::readInstruction() {
    Instruction instruction;
    instruction.row = lexer_.row();
    if (lexer_.accept("@")) {
        instruction.guardNegated = lexer_.accept("!");
        instruction.guard = find(lexer_.token());
        if (instruction.guard < 0) return fail(here() + " is not a register");
        lexer_.next();
    }
    if (lexer_.kind() != Lexer::Kind::word) return fail("expected an instruction, found " + here());
    const std::string_view opcode = lexer_.take();
    if (lexer_.accept(":")) return readLabelOrTable(opcode);
    for (std::size_t begin = 0; begin <= opcode.size();) {
        const std::size_t dot = std::min(opcode.find('.', begin), opcode.size());
        instruction.words.push_back(opcode.substr(begin, dot - begin));
        begin = dot + 1;
    }
    while (goesOn() && !lexer_.is(";")) {
        instruction.operands.push_back(readOperand());
        if (!lexer_.accept(",") && !lexer_.is(";")) {
            return fail("expected ',' or ';' after an operand of '" + std::string(opcode) +
                        "', found " + here());
        }
    }
    expect(";");
    if (instruction.words[0] == "bra") {
        for (Operand& operand : instruction.operands) operand.symbol = labelOf(operand.symbol);
    }
    function_->instructions.push_back(std::move(instruction));
    places_.addInstruction();
}

Operand Reader::readMemory(int depth) {
    Operand operand;
    operand.kind = Operand::Kind::memory;
    if (lexer_.kind() == Lexer::Kind::number) {
        operand.offset = s64(integerOf(lexer_.take()));
    } else {
        const std::string_view name = lexer_.take();
        operand.reg = find(name);
        if (operand.reg < 0) operand.symbol = name;
    }
    operand.offset += readOffsets();
    while (goesOn() && lexer_.accept(",")) operand.parts.push_back(readOperand(depth + 1));
    expect("]");
    return operand;
}

Operand Reader::readOperand(int depth) {
    Operand operand;
    if (depth > maxDepth) return fail("operands are nested more than 64 deep"), operand;
    if (lexer_.accept("!")) {
        operand = readOperand(depth + 1);
        operand.negated = !operand.negated;
        return operand;
    }
    if (lexer_.accept("-")) {
        operand = readOperand(depth + 1);
        if (operand.kind == Operand::Kind::integer)
            operand.bits = -operand.bits;
        else if (operand.kind == Operand::Kind::real)
            operand.bits ^= 1ull << 63;
        else
            operand.negated = !operand.negated;
        return operand;
    }
    if (lexer_.accept("+")) return readOperand(depth + 1);
    if (lexer_.accept("[")) return readMemory(depth);
    if (lexer_.is("{") || lexer_.is("(")) {
        const std::string_view close = lexer_.take() == "{" ? "}" : ")";
        operand.kind = Operand::Kind::list;
        while (goesOn() && !lexer_.is(close)) {
            operand.parts.push_back(readOperand(depth + 1));
            if (!lexer_.accept(",") && !lexer_.is(close)) fail("expected ',', found " + here());
        }
        expect(close);
        return operand;
    }
    if (lexer_.kind() == Lexer::Kind::number) {
        const std::string_view token = lexer_.take();
        operand.kind = isReal(token) ? Operand::Kind::real : Operand::Kind::integer;
        operand.bits = isReal(token) ? bitsOfReal(token) : integerOf(token);
        return operand;
    }
    if (lexer_.kind() != Lexer::Kind::word)
        return fail("expected an operand, found " + here()), operand;
    const std::string_view name = lexer_.take();
    if (name == "_" && !lexer_.is("|")) return operand;
    if (name == "WARP_SZ") {
        operand.kind = Operand::Kind::integer;
        operand.bits = 32;
        return operand;
    }
    operand.reg = find(name);
    if (operand.reg >= 0) {
        operand.kind = Operand::Kind::reg;
        if (lexer_.accept("|")) operand.second = find(lexer_.take());
        return operand;
    }
    operand.symbol = name;
    operand.kind = name[0] == '%' ? Operand::Kind::special : Operand::Kind::symbol;
    if (lexer_.accept("|")) {  // `_|%p1` begins with a word of its own
        operand.second = find(lexer_.take());
    }
    operand.offset = readOffsets();
    return operand;
}

bool Instruction::has(std::string_view word) const {
    return std::find(words.begin() + 1, words.end(), word) != words.end();
}

std::optional<u32> Instruction::which(const std::vector<std::string_view>& of) const {
    const auto found = std::ranges::find_if(of, [&](std::string_view word) { return has(word); });
    if (found == of.end()) return std::nullopt;
    return u32(found - of.begin());
}

Type Instruction::type(std::size_t fromEnd) const {
    for (std::size_t at = words.size(); at-- > 1;) {
        const Type named = typeNamed(words[at]);
        if (named != Type::none && fromEnd-- == 0) return named;
    }
    return Type::none;
}
}  // namespace warplens::ptx
