#include "kernels/ptx/read/reader.h"

#include <algorithm>
#include <array>
#include <charconv>

namespace warplens::ptx {
namespace {

/// Whether that is the name of a constructor that copies or moves an object of its own type, or of
/// such an assignment, by the Itanium C++ ABI.
bool isCopy(std::string_view name) {
    constexpr std::array<std::string_view, 6> forms{"C1ERKS", "C2ERKS", "C1EOS",
                                                    "C2EOS",  "aSERKS", "aSEOS"};
    return std::ranges::any_of(forms,
                               [&](std::string_view form) { return name.find(form) != name.npos; });
}

}  // namespace

void Places::apply(const std::map<u32, std::string>& files) const {
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

namespace {

constexpr u64 maxRegisters = 1u << 20;  // of one function
constexpr u64 maxRegistersOfAll = 1u << 26;

}  // namespace

/// `u32` of `.u32`; nothing at the end of the text.
std::string_view withoutDot(std::string_view word) {
    return word.substr(std::min<std::size_t>(word.size(), 1));
}
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
