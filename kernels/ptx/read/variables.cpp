#include <algorithm>
#include <bit>
#include <cstdlib>

#include "kernels/ptx/read/reader.h"

namespace warplens::ptx {
namespace {

constexpr u64 maxVariableBytes = 1ull << 40;
constexpr u64 maxInitialBytes = 1ull << 30;

/// `f` of `0f3F800000`; 0 of what does not begin like that.
char prefixOf(std::string_view token) {
    return token.size() > 2 && token[0] == '0' ? static_cast<char>(token[1] | 0x20) : '\0';
}

}  // namespace

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
}  // namespace warplens::ptx
