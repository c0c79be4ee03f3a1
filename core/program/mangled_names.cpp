#include "core/program/mangled_names.h"

#include <cstdlib>
#include <cxxabi.h>
#include <regex>

namespace warplens {

std::string demangled(std::string_view name) {
    // nvcc's own prefix, of what is of one file among several.
    if (name.starts_with("__nv_static_") && name.find("__Z") != name.npos)
        name.remove_prefix(name.find("__Z") + 1);
    if (!name.starts_with("_Z")) return std::string(name);  // `b` would be bool
    int status = 0;
    char* text = abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, &status);
    if (text == nullptr) return std::string(name);
    std::string result = text;
    std::free(text);
    return result;
}

std::size_t parametersBegin(std::string_view name) {
    int angles = 0;
    for (std::size_t at = 0; at < name.size(); ++at) {
        if (name.substr(at).starts_with("operator")) at += 8;
        if (name[at] == '<') ++angles;
        if (name[at] == '>') --angles;
        if (name[at] == '(' && angles == 0 && !name.substr(at).starts_with("(anonymous namespace)"))
            return at;
    }
    return name.size();
}

namespace {

/// Behind the last blank outside of brackets: what stands before it is the type that is returned.
std::string withoutResult(std::string_view name) {
    int depth = 0;
    std::size_t begin = 0;
    for (std::size_t at = 0; at < name.size(); ++at) {
        if (name[at] == '<' || name[at] == '(') ++depth;
        if (name[at] == '>' || name[at] == ')') --depth;
        if (name[at] == ' ' && depth == 0) begin = at + 1;
    }
    return std::string(name.substr(begin));
}

}  // namespace

std::string kernelName(std::string_view mangled) {
    std::string name = demangled(mangled);
    // A text has no words for a namespace without a name, and needs none.
    // Never destroyed: a traced program's end asks for names behind those of statics.
    static const std::regex& hidden =
        *new std::regex(R"((_INTERNAL_\w+|\(anonymous namespace\))::)");
    name = std::regex_replace(name, hidden, "");
    return withoutResult(std::string_view(name).substr(0, parametersBegin(name)));
}

}  // namespace warplens
