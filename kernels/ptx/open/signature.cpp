#include "kernels/ptx/open/signature.h"

#include <algorithm>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <string_view>
#include <utility>

#include "core/text/number_type.h"

namespace warplens::ptx {
namespace {

std::string demangled(std::string_view name) {
    if (!name.starts_with("_Z")) return {};  // `s` would be short
    int status = 0;
    const std::string text(name);
    const std::unique_ptr<char, void (*)(void*)> readable(
        abi::__cxa_demangle(text.c_str(), nullptr, nullptr, &status), std::free);
    return status == 0 && readable ? readable.get() : std::string();
}

/// The parts between the commas that are in no brackets.
std::vector<std::string> parts(std::string_view list) {
    std::vector<std::string> found;
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t at = 0; at <= list.size(); ++at) {
        const char c = at < list.size() ? list[at] : ',';
        depth += c == '(' || c == '<' || c == '[' || c == '{';
        depth -= c == ')' || c == '>' || c == ']' || c == '}';
        if (c != ',' || (depth != 0 && at < list.size())) continue;
        std::string_view part = list.substr(begin, at - begin);
        while (part.starts_with(' ')) part.remove_prefix(1);
        if (!part.empty()) found.emplace_back(part);
        begin = at + 1;
    }
    return found;
}

/// Of a C++ type its bytes, and those it is aligned to.
void setElement(DeclaredParameter& parameter, std::string_view type) {
    for (bool changed = true; changed;) {
        changed = false;
        for (const std::string_view word : {"const", "volatile", "__restrict", "*", "&", " "}) {
            if (!type.ends_with(word)) continue;
            type.remove_suffix(word.size());
            changed = true;
        }
    }
    parameter.isFloat = type.starts_with("float") || type.starts_with("double");
    if (const std::optional<NumberType> number = numberType(type)) {
        parameter.elementBytes = number->size();
        parameter.elementAlignment = number->alignment();
    }
}

}  // namespace

Signature signatureOf(const Function& kernel) {
    Signature signature{std::string(kernel.name), {}};
    const std::string readable = demangled(kernel.name);
    std::vector<std::string> types;
    if (!readable.empty() && readable.back() == ')') {
        std::size_t open = readable.size();
        int depth = 0;
        do {
            --open;
            depth += readable[open] == ')';
            depth -= readable[open] == '(';
        } while (open > 0 && depth > 0);
        types = parts(std::string_view(readable).substr(open + 1, readable.size() - open - 2));
        signature.kernel = readable.substr(0, open);
        // A template's name comes with what it returns.
        if (signature.kernel.starts_with("void ")) signature.kernel.erase(0, 5);
    }
    for (std::size_t at = 0; at < kernel.parameters.size(); ++at) {
        const Parameter& parameter = kernel.parameters[at];
        DeclaredParameter declared;
        declared.name = "p" + std::to_string(at);
        const bool isNumber = parameter.bytes == bytesOf(parameter.type);
        if (types.size() == kernel.parameters.size()) {
            declared.type = types[at];
            declared.isPointer = declared.type.ends_with('*') ||
                                 declared.type.ends_with("* __restrict") ||
                                 declared.type.ends_with("*__restrict");
            setElement(declared, declared.type);
        } else {
            declared.isPointer = parameter.isPointer ||
                                 (isNumber && parameter.bytes == 8 && !isFloat(parameter.type));
            declared.isFloat = isFloat(parameter.type);
        }
        if (!declared.isPointer) declared.elementBytes = parameter.bytes;
        signature.parameters.push_back(std::move(declared));
    }
    return signature;
}

std::string declaredName(std::string_view mangled) {
    const std::string readable = demangled(mangled);
    const std::string_view name = readable.empty() ? mangled : std::string_view(readable);
    const std::size_t colons = name.rfind("::");
    return std::string(colons == std::string_view::npos ? name : name.substr(colons + 2));
}

}  // namespace warplens::ptx
