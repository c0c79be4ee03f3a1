#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cstdlib>
#include <limits>

#include "kernels/ptx/read/lexer.h"
#include "kernels/ptx/read/module.h"

namespace warplens::ptx {
namespace {

constexpr u64 maxRegisters = 1u << 20;  // of one function
constexpr u64 maxRegistersOfAll = 1u << 26;
constexpr u64 maxVariableBytes = 1ull << 40;
constexpr u64 maxInitialBytes = 1ull << 30;
constexpr int maxDepth = 64;  // of blocks and lists within one another

/// `f` of `0f3F800000`; 0 of what does not begin like that.
char prefixOf(std::string_view token) {
    return token.size() > 2 && token[0] == '0' ? static_cast<char>(token[1] | 0x20) : '\0';
}
bool isReal(std::string_view token) {
    const char prefix = prefixOf(token);
    return prefix == 'f' || prefix == 'd' ||
           (prefix != 'x' && token.find('.') != std::string_view::npos);
}
u64 bitsOfReal(std::string_view token) {
    if (prefixOf(token) == 'd') return integerOf(token);
    if (prefixOf(token) == 'f') {
        const auto bits = u32(integerOf(token));
        return std::bit_cast<u64>(static_cast<double>(std::bit_cast<float>(bits)));
    }
    // from_chars of doubles is not in every C++ library.
    return std::bit_cast<u64>(std::strtod(std::string(token).c_str(), nullptr));
}

std::optional<Space> spaceNamed(std::string_view token) {
    constexpr std::pair<std::string_view, Space> spaces[] = {{".global", Space::global},
                                                             {".shared", Space::shared},
                                                             {".const", Space::constant},
                                                             {".local", Space::local},
                                                             {".param", Space::param}};
    for (const auto& [name, space] : spaces) {
        if (token == name) return space;
    }
    return std::nullopt;
}

/// `u32` of `.u32`; nothing at the end of the text.
std::string_view withoutDot(std::string_view word) {
    return word.substr(std::min<std::size_t>(word.size(), 1));
}

/// Whether that is the name of a constructor that copies or moves an object of its own type, or of
/// such an assignment, by the Itanium C++ ABI.
bool isCopy(std::string_view name) {
    constexpr std::array<std::string_view, 6> forms{"C1ERKS", "C2ERKS", "C1EOS",
                                                    "C2EOS",  "aSERKS", "aSEOS"};
    return std::ranges::any_of(forms,
                               [&](std::string_view form) { return name.find(form) != name.npos; });
}

/// Finds where instructions stand in what the person wrote. Code of a library counts at the place
/// that it was inlined at, through all libraries between; where that is not said, as in the PTX of
/// `-G`, at the person's place before it in the function.
class Places final {
  public:
    void beginFunction() {
        latest_.clear();
        ofInstructions_.clear();
        current_ = none;
    }
    /// A `.loc`; `caller` is its `inlined_at`, or null.
    void set(const Place& place, const Place* caller) {
        u32 of = none;
        if (caller != nullptr) {
            // The caller's own `.loc` stands before, with where that was inlined at.
            const auto found = latest_.find(*caller);
            of = found == latest_.end() ? add(*caller, none) : found->second;
        }
        const auto known = latest_.find(place);
        const bool isKnown = known != latest_.end() && locations_[known->second].caller == of;
        current_ = isKnown ? known->second : add(place, of);
    }
    /// The function's next instruction is at the last `.loc`.
    void addInstruction() { ofInstructions_.push_back(current_); }
    void endFunction(Function& function) { functions_.emplace_back(&function, ofInstructions_); }

    /// Puts places into the instructions of all functions, once the files' names are known, and
    /// `Function::isLibrary`.
    void apply(const std::map<u32, std::string>& files) const {
        std::map<u32, bool> isPersons;
        for (const auto& [index, path] : files) isPersons[index] = !isLibrary(path);
        std::vector<Place> found;  // line 0: not in the person's files
        for (const Location& location : locations_) {
            const auto persons = isPersons.find(location.place.file);
            if (location.place.line != 0 && (persons == isPersons.end() || persons->second))
                found.push_back(location.place);
            else
                found.push_back(location.caller == none ? Place{} : found[location.caller]);
        }
        for (const auto& [function, locations] : functions_) {
            const auto isFound = [&](u32 at) { return at != none && found[at].line != 0; };
            const auto first = std::ranges::find_if(locations, isFound);
            function->isLibrary = first == locations.end();
            Place last = function->isLibrary ? Place{} : found[*first];
            for (std::size_t at = 0; at < locations.size(); ++at) {
                if (isFound(locations[at])) last = found[locations[at]];
                Place& place = function->instructions[at].place;
                place = last;
                if (function->isLibrary && locations[at] != none)
                    place = locations_[locations[at]].place;
            }
            // A copy that the compiler wrote stands in one line, that of its structure.
            const bool isOneLine = std::ranges::all_of(locations, [&](u32 at) {
                return !isFound(at) || (found[at].line == last.line && found[at].file == last.file);
            });
            if (isOneLine && isCopy(function->name)) function->isLibrary = true;
        }
    }

  private:
    static constexpr u32 none = 0xffffffffu;
    struct Location final {
        Place place;
        u32 caller = none;  ///< a location before
    };
    u32 add(const Place& place, u32 caller) {
        const auto index = u32(locations_.size());
        locations_.push_back({place, caller});
        return latest_[place] = index;
    }

    std::vector<Location> locations_;
    std::map<Place, u32> latest_;  ///< of the function, by place
    u32 current_ = none;
    std::vector<u32> ofInstructions_;
    std::vector<std::pair<Function*, std::vector<u32>>> functions_;
};

/// `%r<5>` declares five registers by one entry; `%SP` one.
struct RegisterRange final {
    s32 first = 0;
    u32 count = 1;
};

class Reader final {
  public:
    explicit Reader(Module& module) : module_(module), lexer_(*module.text) {}

    std::optional<ReadError> read() {
        while (goesOn()) readTopLevel();
        places_.apply(module_.files);
        return error_;
    }

  private:
    using Scope = std::unordered_map<std::string_view, RegisterRange>;

    void fail(std::string message) {
        if (!error_) error_ = ReadError{lexer_.row(), std::move(message)};
    }
    [[nodiscard]] std::string here() const {
        return lexer_.atEnd() ? "the end" : "'" + std::string(lexer_.token().substr(0, 60)) + "'";
    }
    void expect(std::string_view token) {
        if (!lexer_.accept(token)) fail("expected '" + std::string(token) + "', found " + here());
    }
    u32 number() { return u32(integerOf(lexer_.take())); }
    bool goesOn() const { return !lexer_.atEnd() && !error_; }
    void skipTo(std::string_view token) {
        while (goesOn() && !lexer_.is(token)) lexer_.next();
        lexer_.accept(token);
    }

    void readTopLevel();
    void readFile();
    void readSection();
    void readFunction();
    void readBody(int depth);
    void readLocation();
    void readRegisters();
    void readInstruction();
    void readLabelOrTable(std::string_view name);
    Variable readVariable(Space space);
    void readInitial(Variable& variable, u64& at, int depth);
    std::vector<Parameter> readParameters();
    Operand readOperand(int depth = 0);
    Operand readMemory(int depth);
    s64 readOffsets();
    [[nodiscard]] s32 find(std::string_view name) const;
    [[nodiscard]] std::string_view labelOf(std::string_view name) const;
    void findLabelsOfBlock();

    Module& module_;
    Lexer lexer_;
    std::optional<ReadError> error_;
    Function* function_ = nullptr;
    std::vector<Scope> scopes_;
    // Labels are local to their block: where one is declared again, it is the block's own.
    std::vector<std::unordered_map<std::string_view, std::string_view>> labelScopes_;
    Places places_;
    u64 registers_ = 0;
};

void Reader::readTopLevel() {
    const bool isExternal = lexer_.is(".extern");
    while (lexer_.accept(".extern") || lexer_.accept(".visible") || lexer_.accept(".weak") ||
           lexer_.accept(".common")) {
    }
    if (lexer_.accept(".version")) {
        module_.version = lexer_.take();
    } else if (lexer_.accept(".target")) {
        module_.target = lexer_.take();
        while (lexer_.accept(",")) module_.isDebug |= lexer_.take() == "debug";
    } else if (lexer_.accept(".address_size")) {
        if (!lexer_.is("64")) fail("addresses of " + here() + " bits: only 64 are run");
        lexer_.next();
    } else if (lexer_.is(".file")) {
        readFile();
    } else if (lexer_.is(".section")) {
        readSection();
    } else if (lexer_.is(".pragma")) {
        skipTo(";");
    } else if (lexer_.accept(".alias")) {
        const std::string_view name = lexer_.take();
        expect(",");
        module_.aliases[name] = lexer_.take();
        expect(";");
    } else if (const auto space = spaceNamed(lexer_.token())) {
        lexer_.next();
        Variable variable = readVariable(*space);
        variable.isExternal = isExternal;
        expect(";");
        Variable& known = module_.variables[variable.name];
        if (known.name.empty() || known.isExternal) known = std::move(variable);
    } else if (lexer_.is(".entry") || lexer_.is(".func")) {
        readFunction();
    } else if (!lexer_.accept(";")) {
        fail("expected a directive, found " + here());
    }
}

void Reader::readFile() {
    lexer_.next();
    const auto index = number();
    std::string& path = module_.files[index];
    if (path.empty()) path = lexer_.token();
    lexer_.next();
    while (lexer_.accept(",")) lexer_.next();
}

void Reader::readSection() {
    skipTo("{");
    for (int depth = 1; depth > 0 && goesOn(); lexer_.next()) {
        depth += lexer_.is("{");
        depth -= lexer_.is("}");
    }
}

void Reader::readFunction() {
    auto function = std::make_unique<Function>();
    function->isKernel = lexer_.take() == ".entry";
    function->isDebug = module_.isDebug;
    function_ = function.get();
    scopes_.assign(1, {});
    labelScopes_.clear();
    places_.beginFunction();
    while (lexer_.is(".attribute")) skipTo(")");
    if (!function->isKernel && lexer_.accept("(")) function->results = readParameters();
    function->name = lexer_.take();
    if (lexer_.accept("(")) function->parameters = readParameters();
    while (goesOn() && !lexer_.is("{") && !lexer_.is(";")) {
        if (!lexer_.accept(".reqnctapercluster")) {
            lexer_.next();
            continue;
        }
        function->clusterDims = {1, 1, 1};
        for (u32& dimension : function->clusterDims) {
            dimension = number();
            if (!lexer_.accept(",")) break;
        }
    }
    if (lexer_.accept(";")) {
        function->isDeclaration = true;
    } else {
        expect("{");
        readBody(0);
    }
    function_ = nullptr;
    std::unique_ptr<Function>& known = module_.functions[function->name];
    if (known && !known->isDeclaration) return;
    known = std::move(function);
    if (!known->isDeclaration) places_.endFunction(*known);
}

std::vector<Parameter> Reader::readParameters() {
    std::vector<Parameter> parameters;
    u64 end = 0;
    while (goesOn() && !lexer_.accept(")")) {
        if (lexer_.accept(",") || lexer_.accept("_")) continue;
        Parameter parameter;
        if (lexer_.accept(".param")) {
            const Variable variable = readVariable(Space::param);
            if (error_) break;
            if (variable.bytes > (1u << 20)) return fail("a parameter of over 1 MiB"), parameters;
            parameter = {
                variable.name,     variable.type, u32(variable.bytes), variable.alignment, 0,
                variable.isPointer};
        } else if (lexer_.accept(".reg")) {
            const Type type = typeNamed(withoutDot(lexer_.take()));
            parameter = {lexer_.take(), type, bytesOf(type), std::max(1u, bytesOf(type)), 0};
        } else {
            fail("expected a parameter, found " + here());
            break;
        }
        end = (end + parameter.alignment - 1) / parameter.alignment * parameter.alignment;
        if (end > (1u << 24)) return fail("parameters of over 16 MiB"), parameters;
        parameter.offset = u32(end);
        end += parameter.bytes;
        parameters.push_back(parameter);
    }
    return parameters;
}

Variable Reader::readVariable(Space space) {
    Variable variable;
    variable.space = space;
    variable.alignment = 0;
    u64 elements = 1;
    while (goesOn() && lexer_.isDirective()) {
        if (lexer_.accept(".align")) {
            variable.alignment = number();
        } else if (lexer_.is(".attribute")) {
            skipTo(")");
        } else if (lexer_.accept(".v2")) {
            elements = 2;
        } else if (lexer_.accept(".v4")) {
            elements = 4;
        } else if (lexer_.accept(".ptr")) {
            variable.isPointer = true;
            // `.u64 .ptr .global .align 16`: what the parameter points to.
            while (spaceNamed(lexer_.token())) lexer_.next();
            if (lexer_.accept(".align")) lexer_.next();
        } else if (lexer_.is(".texref") || lexer_.is(".samplerref") || lexer_.is(".surfref")) {
            variable.type = Type::u64;
            lexer_.next();
        } else if (const Type type = typeNamed(withoutDot(lexer_.token())); type != Type::none) {
            variable.type = type;
            lexer_.next();
        } else {
            break;
        }
    }
    if (lexer_.kind() != Lexer::Kind::word || variable.type == Type::none) {
        fail("expected a type and a name, found " + here());
        return variable;
    }
    variable.name = lexer_.take();
    elements *= bytesOf(variable.type);
    while (goesOn() && lexer_.accept("[")) {
        const u64 count = lexer_.is("]") ? 0 : integerOf(lexer_.take());
        expect("]");
        if (count != 0 && elements > maxVariableBytes / count) {
            fail("'" + std::string(variable.name) + "' is larger than 2^40 bytes");
            return variable;
        }
        elements *= count;
    }
    variable.bytes = elements;
    if (variable.alignment == 0) variable.alignment = std::max(1u, bytesOf(variable.type));
    if (!std::has_single_bit(variable.alignment) || variable.alignment > 4096) {
        fail("an alignment of " + std::to_string(variable.alignment) + " bytes");
        variable.alignment = 1;
    }
    if (lexer_.accept("=")) {
        u64 at = 0;
        readInitial(variable, at, 0);
    }
    return variable;
}

void Reader::readInitial(Variable& variable, u64& at, int depth) {
    if (depth > maxDepth) return fail("braces are nested more than 64 deep");
    if (lexer_.accept("{")) {
        while (goesOn() && !lexer_.is("}")) {
            readInitial(variable, at, depth + 1);
            lexer_.accept(",");
        }
        return expect("}");
    }
    const u32 bytes = std::max(1u, bytesOf(variable.type));
    if (at + bytes > std::min(variable.bytes, maxInitialBytes)) {
        return fail("'" + std::string(variable.name) + "' has more initial values than elements");
    }
    const bool negative = lexer_.accept("-");
    u64 value = 0;
    Variable::Address address{.at = at, .symbol = {}, .offset = 0, .bytes = bytes, .shift = 0};
    if (lexer_.kind() == Lexer::Kind::number) {
        const std::string_view token = lexer_.take();
        if (isReal(token)) {
            value = bitsOfReal(token);
            if (negative) value ^= 1ull << 63;
            if (bytes == 4) {
                value = std::bit_cast<u32>(static_cast<float>(std::bit_cast<double>(value)));
            }
        } else {
            value = integerOf(token);
            // `0xFF00(symbol)`: one byte of its address.
            if (lexer_.accept("(")) {
                address.shift = value == 0 ? 0 : u32(std::countr_zero(value)) & ~7u;
                if (lexer_.accept("generic")) expect("(");
                address.symbol = lexer_.take();
                lexer_.accept(")");
                address.offset = readOffsets();
                lexer_.accept(")");
                value = 0;
            }
            if (negative) value = -value;
        }
    } else if (lexer_.kind() == Lexer::Kind::word) {
        const bool generic = lexer_.accept("generic") && lexer_.accept("(");
        address.symbol = lexer_.take();
        if (generic) lexer_.accept(")");
        address.offset = readOffsets();
    } else {
        return fail("expected an initial value, found " + here());
    }
    if (!address.symbol.empty()) variable.addresses.push_back(address);
    variable.initial.resize(at + bytes);
    for (u32 byte = 0; byte < std::min(bytes, 8u); ++byte) {
        variable.initial[at + byte] = u8(value >> (8 * byte));
    }
    at += bytes;
}

s64 Reader::readOffsets() {
    u64 sum = 0;
    while (lexer_.is("+") || lexer_.is("-")) {
        bool negative = lexer_.take() == "-";
        if (lexer_.accept("-")) negative = !negative;
        const u64 value = integerOf(lexer_.take());
        sum += negative ? -value : value;
    }
    return s64(sum);
}

void Reader::readLocation() {
    lexer_.next();
    const auto place = [&] {
        const u32 file = number();
        const u32 line = number();
        return Place{file, line, number()};
    };
    const Place written = place();
    std::optional<Place> caller;
    while (lexer_.accept(",")) {
        if (lexer_.accept("inlined_at")) {
            caller = place();
        } else {
            lexer_.next();  // function_name
            lexer_.next();
            if (lexer_.accept("+")) lexer_.next();
        }
    }
    places_.set(written, caller ? &*caller : nullptr);
}

void Reader::readRegisters() {
    lexer_.next();
    Type type = Type::none;
    while (lexer_.isDirective()) {
        const Type named = typeNamed(withoutDot(lexer_.take()));
        if (named != Type::none) type = named;
    }
    if (type == Type::none) return fail("registers without a type before " + here());
    do {
        RegisterRange range{s32(function_->registers.size()), 1};
        if (lexer_.kind() != Lexer::Kind::word) return fail("expected a register, found " + here());
        const std::string_view name = lexer_.take();
        if (lexer_.accept("<")) {
            const u64 count = integerOf(lexer_.take());
            expect(">");
            if (count > maxRegisters) return fail("more than 2^20 registers");
            range.count = u32(count);
        }
        if (function_->registers.size() + range.count > maxRegisters) {
            return fail("more than 2^20 registers");
        }
        registers_ += range.count;
        if (registers_ > maxRegistersOfAll)
            return fail("more than 2^26 registers in all functions");
        function_->registers.resize(function_->registers.size() + range.count, type);
        scopes_.back()[name] = range;
    } while (goesOn() && lexer_.accept(","));
    expect(";");
}

s32 Reader::find(std::string_view name) const {
    std::size_t digits = name.size();
    while (digits > 0 && name[digits - 1] >= '0' && name[digits - 1] <= '9') --digits;
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        const auto whole = scope->find(name);
        if (whole != scope->end() && whole->second.count != 0) return whole->second.first;
        if (digits == name.size()) continue;
        const auto range = scope->find(name.substr(0, digits));
        if (range == scope->end()) continue;
        u32 index = 0;
        std::from_chars(name.data() + digits, name.data() + name.size(), index);
        if (index < range->second.count) {
            return range->second.first + s32(index);
        }
    }
    return -1;
}

std::string_view Reader::labelOf(std::string_view name) const {
    for (auto scope = labelScopes_.rbegin(); scope != labelScopes_.rend(); ++scope) {
        if (const auto found = scope->find(name); found != scope->end()) return found->second;
    }
    return name;
}

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

}  // namespace

bool isLibrary(std::string_view path) {
    const auto begins = [&](std::string_view part) { return path.starts_with(part); };
    const auto has = [&](std::string_view part) { return path.find(part) != path.npos; };
    // What nvcc finds itself has `bin/../`; folders of people's own are called cuda, too.
    constexpr std::array<std::string_view, 8> ofToolkit{
        "/bin/../",         "-linux/include/", "/nvidia/cu", "/cccl/",
        "/wl/cuda_runtime", ".fatbin",         "tmpxft",     "__nv_nvrtc_builtin_header"};
    return begins("/usr/") || begins("/opt/cuda") || begins("/cuda/include/") ||
           std::ranges::any_of(ofToolkit, has);
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

u32 Function::parameterBytes() const {
    return parameters.empty() ? 0 : parameters.back().offset + parameters.back().bytes;
}

std::variant<Module, ReadError> readModule(std::string text) {
    Module module;
    module.text = std::make_unique<const std::string>(std::move(text));
    if (auto error = Reader(module).read()) return *error;
    return module;
}

}  // namespace warplens::ptx
