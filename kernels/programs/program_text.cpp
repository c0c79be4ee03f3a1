#include "kernels/programs/program_text.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <regex>
#include <system_error>

#include "core/launch/launch.h"
#include "core/program/cuda_tokens.h"
#include "core/text/encoding.h"
#include "core/text/files.h"

namespace warplens {
namespace {

constexpr std::uint64_t mostTextBytes = 4u << 20;

bool isName(const std::string& text) {
    return !text.empty() && std::isdigit(static_cast<unsigned char>(text[0])) == 0 &&
           std::all_of(text.begin(), text.end(), source::isNameCharacter);
}

/// Of a macro, from 1; 0 where there is none, or one that asks first whether there is one.
std::uint32_t lineOfDefinition(const std::string& text, const std::string& name) {
    std::uint32_t number = 0;
    for (const std::string_view line : splitLines(text)) {
        ++number;
        const std::string_view directive = trimmed(line);
        if (!directive.starts_with('#')) continue;
        const std::size_t at = source::findWord(directive, name);
        if (at == source::nowhere) continue;
        const std::string_view word = trimmed(directive.substr(1, at - 1));
        if (word.starts_with("if") || word.starts_with("undef")) return 0;
        if (word == "define") return number;
    }
    return 0;
}
/// What the program defines itself, whatever was said before: nothing would change.
void refuseDefined(const char* option, const std::vector<std::string>& defines,
                   const std::vector<ProgramFile>& texts, std::vector<LimitViolation>& violations) {
    for (const std::string& define : defines) {
        const std::string name = define.substr(0, define.find_first_of("=("));
        for (const ProgramFile& file : texts) {
            const std::uint32_t line = lineOfDefinition(file.text, name);
            if (line == 0) continue;
            violations.push_back({option, "'" + define + "'",
                                  "a macro that the program leaves open; " + file.path + ':' +
                                      std::to_string(line) + " defines it, with no #ifndef " +
                                      name + " around it"});
        }
    }
}

/// Whether a masked text gives something of its own that name, as `int n` or `float* n` does.
bool declares(std::string_view masked, std::string_view name) {
    constexpr std::array<std::string_view, 9> types{"int",   "float", "double", "char", "unsigned",
                                                    "short", "long",  "bool",   "auto"};
    constexpr std::array<std::string_view, 11> others{"return", "else",   "case",  "goto",
                                                      "throw",  "delete", "if",    "elif",
                                                      "ifdef",  "ifndef", "define"};
    for (std::size_t at = source::findWord(masked, name); at != source::nowhere;
         at = source::findWord(masked, name, at + 1)) {
        const std::size_t next = source::skipBlanks(masked, at + name.size());
        if (next >= masked.size() || masked.substr(next, 2) == "==" ||
            std::string_view(",)=;[{").find(masked[next]) == masked.npos)
            continue;
        const std::size_t last = masked.substr(0, at).find_last_not_of(" \t\r\n*&");
        if (last == masked.npos || !source::isNameCharacter(masked[last])) continue;
        std::size_t begin = last;
        while (begin > 0 && source::isNameCharacter(masked[begin - 1])) --begin;
        const std::string_view before = masked.substr(begin, last + 1 - begin);
        const bool isProduct = masked.substr(last, at - last).find_first_of("*&") != masked.npos;
        if (std::ranges::find(types, before) != types.end()) return true;
        if (!isProduct && std::isdigit(static_cast<unsigned char>(before[0])) == 0 &&
            std::ranges::find(others, before) == others.end())
            return true;
    }
    return false;
}

}  // namespace

std::string programText(const std::filesystem::path& path, const std::string& reported) {
    std::string text;
    // No compiler takes such a name apart from the lines of what it prints.
    if (reported.find('\n') != std::string::npos) {
        throw InvalidRequest({{"file", "'" + reported + "'", "must have a name of one line"}});
    }
    std::error_code unknown;
    if (std::filesystem::is_other(std::filesystem::status(path, unknown))) {
        throw InvalidRequest(
            {{"file", "'" + reported + "'", "must be a file; it is a pipe, a socket or a device"}});
    }
    try {
        text = readFile(path, mostTextBytes);
    } catch (const std::system_error& error) {
        throw InvalidRequest({{"file", "'" + reported + "'", error.code().message()}});
    }
    if (text.find('\0') != std::string::npos) {
        throw InvalidRequest(
            {{"file", "'" + reported + "'", "must be text: it holds a zero byte"}});
    }
    return std::string(withoutByteOrderMark(text));
}

bool definesFunction(std::string_view masked, std::string_view name) {
    using namespace source;
    for (std::size_t at = findWord(masked, name); at != nowhere;
         at = findWord(masked, name, at + 1)) {
        const std::size_t open = skipBlanks(masked, at + name.size());
        if (open >= masked.size() || masked[open] != '(') continue;
        const std::size_t close = closing(masked, open);
        if (close == nowhere) continue;
        const std::size_t next = skipBlanks(masked, close);
        if (next < masked.size() && masked[next] == '{') return true;
    }
    return false;
}

bool definesMain(std::string_view masked) {
    using namespace source;
    if (definesFunction(masked, "main")) return true;
    for (std::size_t at = findWord(masked, "main"); at != nowhere;
         at = findWord(masked, "main", at + 1)) {
        if (!trimmed(masked.substr(0, at)).ends_with("int")) continue;
        const std::size_t open = skipBlanks(masked, at + 4);
        const bool isOpen = open < masked.size() && masked[open] == '(';
        const std::size_t close = isOpen ? closing(masked, open) : nowhere;
        if (close == nowhere || !trimmed(masked.substr(close)).starts_with(';')) return true;
    }
    return false;
}

bool namesWhatIsGone(std::string_view text) {
    static const std::regex gone(
        "\\b(texture|cuda(Unb|B)indTexture\\w*|cudaThread[A-Z]\\w+|cudaMemLocation|clockRate|"
        "memoryClockRate|deviceOverlap|computeMode|kernelExecTimeoutEnabled|"
        "cooperativeMultiDeviceLaunch|singleToDoublePrecisionPerfRatio|"
        "__(shfl(_up|_down|_xor)?|any|all|ballot)|nvToolsExt|unsupported operation)\\b");
    return std::regex_search(text.begin(), text.end(), gone);
}

void checkDefinitions(const ProgramSource& program, const std::vector<ProgramFile>& texts,
                      bool hasMain) {
    std::vector<LimitViolation> violations;
    for (const std::string& define : program.defines) {
        const std::string name = define.substr(0, define.find_first_of("=("));
        if (!isName(name)) {
            violations.push_back({"-D", "'" + define + "'", "a macro's name, as in N=512"});
        }
    }
    for (const std::string& setting : hasMain ? program.settings : std::vector<std::string>()) {
        const std::string name = setting.substr(0, setting.find('='));
        const bool used =
            isName(name) && std::any_of(texts.begin(), texts.end(), [&](const ProgramFile& file) {
                return source::findWord(file.text, name) != source::nowhere;
            });
        if (!used)
            violations.push_back({"--set", "'" + setting + "'", "a name that the program uses"});
    }
    if (hasMain) refuseDefined("--set", program.settings, texts, violations);
    refuseDefined("-D", program.defines, texts, violations);
    if (!violations.empty()) throw InvalidRequest(std::move(violations));
}

void refuseDeclared(const ProgramSource& program, const ProgramSources& texts, bool hasMain) {
    const auto refuse = [&](const char* option, const std::vector<std::string>& defines) {
        for (const std::string& define : defines) {
            const std::string name = define.substr(0, define.find_first_of("=("));
            for (const auto* const files : {&texts.units, &texts.headers}) {
                for (const ProgramFile& file : *files) {
                    if (!declares(source::maskedText(file.text), name)) continue;
                    throw InvalidRequest({{option, "'" + name + "'",
                                           "a macro; here it is another name, and the program's "
                                           "own arguments go after --"}});
                }
            }
        }
    };
    if (hasMain) refuse("--set", program.settings);
    refuse("-D", program.defines);
}

}  // namespace warplens
