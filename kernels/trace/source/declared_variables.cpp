#include "kernels/trace/source/declared_variables.h"

#include <vector>

#include "core/program/masked_text.h"

namespace warplens::source {
namespace {

/// The names that the declaration declares that goes on at `i`; none where it is of a function.
std::vector<std::string_view> namesDeclared(std::string_view masked, std::size_t i) {
    std::vector<std::string_view> names;
    std::string_view name;
    std::string_view before;  ///< the word before it
    int angles = 0;
    bool isInitializer = false;
    bool isPointerToFunction = false;
    while (i < masked.size()) {
        const char c = masked[i];
        if (c == ';' || (c == ',' && angles == 0)) {
            if (!name.empty()) names.push_back(name);
            if (c == ';') return names;
            name = {};
            isInitializer = isPointerToFunction = false;
        } else if (c == '(' && !isInitializer && !isPointerToFunction) {
            const std::size_t inside = skipBlanks(masked, i + 1);
            if (isAttribute(name)) {
                name = before;
            } else if (inside < masked.size() && masked[inside] == '*') {
                // `float (*function)(float)`, `int (*table[4])(int)`
                const std::size_t begin = skipBlanks(masked, inside + 1);
                std::size_t end = begin;
                while (end < masked.size() && isNameCharacter(masked[end])) ++end;
                name = masked.substr(begin, end - begin);
                isPointerToFunction = true;
            } else {
                return {};
            }
        } else if (c == '{' && (before == "struct" || name == "struct" || before == "union" ||
                                name == "union" || before == "class")) {
            name = {};  // of the type, which is defined on the spot
        } else if (c == '}' || c == ')') {
            return {};
        } else if (c == '=') {
            isInitializer = true;
        } else if (c == '<' && !isInitializer) {
            ++angles;
        } else if (c == '>' && !isInitializer) {
            --angles;
        } else if (isNameCharacter(c) && !isInitializer && angles == 0) {
            std::size_t end = i;
            while (end < masked.size() && isNameCharacter(masked[end])) ++end;
            before = name;
            name = masked.substr(i, end - i);
            i = end;
            continue;
        }
        i = c == '(' || c == '[' || c == '{' ? closing(masked, i) : i + 1;
    }
    return {};
}

/// `#define DEVICE __device__` declares nothing.
bool isInDirective(std::string_view masked, std::size_t at) {
    const std::size_t begin = masked.rfind('\n', at) + 1;
    return masked[skipBlanks(masked, begin)] == '#';
}

}  // namespace

std::set<std::string, std::less<>> variablesIn(std::string_view masked, std::string_view keyword) {
    std::set<std::string, std::less<>> names;
    for (std::size_t at = findWord(masked, keyword); at != nowhere;
         at = findWord(masked, keyword, at + 1)) {
        if (isInDirective(masked, at)) continue;
        for (const std::string_view name : namesDeclared(masked, at + keyword.size())) {
            names.emplace(name);
        }
    }
    return names;
}

}  // namespace warplens::source
