#include "kernels/trace/build/missing_functions.h"

#include <algorithm>
#include <cctype>
#include <set>

namespace warplens {
namespace {

bool isPlainName(std::string_view name) {
    return !name.empty() && !name.starts_with("_Z") &&
           std::all_of(name.begin(), name.end(), [](char c) {
               return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
           });
}

}  // namespace

std::string missingFunctions(std::string_view linkerWords) {
    constexpr std::string_view phrase = "undefined reference to `";
    std::set<std::string_view> names;
    for (std::size_t at = linkerWords.find(phrase); at != std::string_view::npos;
         at = linkerWords.find(phrase, at + 1)) {
        const std::string_view rest = linkerWords.substr(at + phrase.size());
        const std::string_view name = rest.substr(0, rest.find('\''));
        if (!isPlainName(name)) return {};
        names.insert(name);
    }
    std::string text;
    for (const std::string_view each : names) {
        const std::string name(each);
        text += "\t.text\n\t.globl\t" + name + "\n\t.type\t" + name + ", @function\n" + name +
                ":\n\tleaq\t1f(%rip), %rdi\n\tjmp\twl_missing\n\t.size\t" + name + ", .-" + name +
                "\n\t.section\t.rodata\n1:\t.asciz\t\"" + name + "\"\n";
    }
    return text.empty() ? text : text + "\t.section\t.note.GNU-stack,\"\",@progbits\n";
}

}  // namespace warplens
