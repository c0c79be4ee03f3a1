#include "kernels/programs/nvcc_steps.h"

#include <algorithm>
#include <regex>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/text/encoding.h"

namespace warplens::programs {
namespace {

/// Of one list: a command for each step, empty where there is none.
struct Commands final {
    std::string environment;
    std::string hostText;  ///< preprocessed
    std::string hostCode;  ///< cudafe++
    std::string deviceText;
    std::string ptx;  ///< cicc
    std::string check;
    std::string binary;
    std::string object;
    bool isKnown = true;
};

/// `NAME=` of `NAME=value`; empty where the line is none of these.
std::string_view nameOfVariable(std::string_view line) {
    const std::size_t end = line.find('=');
    if (end == 0 || end == line.npos) return {};
    const std::string_view name = line.substr(0, end);
    return name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == name.npos
               ? name
               : std::string_view();
}

Commands commandsIn(std::string_view listing) {
    static const std::set<std::string_view> exported{"PATH", "CICC_PATH", "NVVMIR_LIBRARY_DIR",
                                                     "LD_LIBRARY_PATH", "TOP"};
    constexpr std::string_view mark = "#$ ";
    Commands found;
    for (const std::string_view row : splitLines(listing)) {
        if (!row.starts_with(mark)) {
            found.isKnown &= trimmed(row).empty();  // an error
            continue;
        }
        const std::string_view line = row.substr(mark.size());
        const auto has = [&](std::string_view part) { return line.find(part) != line.npos; };
        if (const std::string_view name = nameOfVariable(line); !name.empty()) {
            if (!exported.contains(name)) continue;
            found.environment += "export " + std::string(name) + '=' +
                                 shellWord(line.substr(name.size() + 1)) + '\n';
            continue;
        }
        std::string* step = nullptr;
        if (has(" -E -x c++ "))
            step = has("-D__CUDA_ARCH__=") ? &found.deviceText : &found.hostText;
        else if (line.starts_with("cudafe++ "))
            step = &found.hostCode;
        else if (has("/cicc\" ") || line.starts_with("cicc "))
            step = &found.ptx;
        else if (line.starts_with("ptxas "))
            step = &found.check;
        else if (line.starts_with("fatbinary "))
            step = &found.binary;
        else if (has(" -c -x c++ "))
            step = &found.object;
        else if (line.starts_with("rm "))
            continue;
        if (step == nullptr || !step->empty())
            found.isKnown = false;
        else
            *step = line;
    }
    // nvcc 12 leaves the check of PTX that goes into a program out.
    const std::size_t arch = found.ptx.find(" -arch compute_");
    const std::size_t output = found.ptx.rfind(" -o \"");
    if (found.check.empty() && arch != std::string::npos && output != std::string::npos) {
        const std::string name =
            found.ptx.substr(arch + 7, found.ptx.find(' ', arch + 7) - arch - 7);
        found.check =
            "ptxas -arch=" + name + " -m64 --generate-line-info" + found.ptx.substr(output + 3);
    }
    return found;
}

/// The command with the module's name given to it; empty where it has none. `file` is where the
/// name is to stand.
std::string withModule(std::string command, std::string& file) {
    constexpr std::string_view made = "--gen_module_id_file ";
    constexpr std::string_view named = "--module_id_file_name \"";
    if (const std::size_t at = command.find(made); at != command.npos)
        command.erase(at, made.size());
    const std::size_t begin = command.find(named);
    if (begin == command.npos) return {};
    file = command.substr(begin + named.size(),
                          command.find('"', begin + named.size()) - begin - named.size());
    return command;
}

/// Files between steps lie in the script's own folder.
std::string inOwnFolder(std::string command) {
    for (std::size_t at = 0; (at = command.find(keptFolder, at)) != command.npos;)
        command.replace(at, keptFolder.size(), "$own");
    return command;
}

/// A part of the script that runs beside the others.
std::string lane(const std::string& name, std::initializer_list<std::string_view> commands) {
    std::string all;
    for (const std::string_view command : commands) {
        if (!command.empty())
            all += (all.empty() ? "" : " &&\n") + inOwnFolder(std::string(command));
    }
    return "(" + all + "\n) >\"$own/" + name + ".out\" 2>&1 & " + name + "=$!\n";
}

/// nvcc checks the PTX alone; `registers` is where the assembler's words go, which say how many a
/// kernel has.
std::string checkLane(std::string check, const std::string& registers) {
    constexpr std::string_view form = "-arch=compute_";
    const std::size_t at = check.find(form);
    if (!registers.empty() && at != check.npos)
        check.replace(at, form.size(), "-v -o \"$own/check.cubin\" -arch=sm_");
    return check.empty() ? check : lane("check", {check});
}

std::string failed(const std::string& part) {
    return "wait $" + part + " || { cat \"$own/" + part + ".out\"; exit 1; }\n";
}

std::string whenChecked(const std::string& check, const std::string& registers) {
    if (check.empty()) return {};
    return failed("check") +
           (registers.empty() ? "" : "cp \"$own/check.out\" " + shellWord(registers) + '\n');
}

/// The files of both kinds of steps, and the module's name in them.
std::string begun(const std::string& environment, const std::string& moduleId,
                  std::initializer_list<std::string> moduleFiles) {
    std::string all = environment +
                      "own=$(mktemp -d)\ntrap 'rm -rf \"$own\"' EXIT\nmkdir \"$own/object\" "
                      "\"$own/debug\"\n";
    for (const std::string& file : moduleFiles)
        all += "printf %s " + shellWord(moduleId) + " >\"" + inOwnFolder(file) + "\"\n";
    return all;
}

/// The steps of a kind of PTX; with two processors that of -G comes behind what else there is.
std::string debugLane(const Commands& debug, const std::string& ptx) {
    return lane("debug", {"nice -n 5 " + debug.deviceText, "nice -n 5 " + ptx});
}

}  // namespace

std::string shellWord(std::string_view word) {
    std::string all = "'";
    for (const char c : word) all += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return all + '\'';
}

std::string sideBySide(const NvccSteps& steps, const std::string& moduleId,
                       const std::string& dependencies, const std::string& registers) {
    const Commands object = commandsIn(steps.object);
    const Commands debug = commandsIn(steps.debug);
    std::string file;
    std::string ptxFile;
    std::string debugFile;
    const std::string hostCode = withModule(object.hostCode, file);
    const std::string ptx = withModule(object.ptx, ptxFile);
    const std::string debugPtx = withModule(debug.ptx, debugFile);
    if (!object.isKnown || !debug.isKnown || hostCode.empty() || ptx.empty() || debugPtx.empty() ||
        ptxFile != file || object.hostText.empty() || object.deviceText.empty() ||
        object.binary.empty() || object.object.empty() || debug.deviceText.empty())
        return {};
    return begun(object.environment, moduleId, {file, debugFile}) +
           lane("host", {object.hostText, hostCode}) +
           lane("device",
                {object.deviceText + " -MD -MF " + shellWord(dependencies), ptx, object.binary}) +
           debugLane(debug, debugPtx) + failed("host") + failed("device") +
           checkLane(object.check, registers) + lane("object", {object.object}) + failed("object") +
           whenChecked(object.check, registers) + failed("debug");
}

std::string withHostPart(const NvccSteps& steps, const std::string& moduleId,
                         const std::string& dependencies, const std::string& hostFile,
                         const std::string& nvrtc, const std::string& link,
                         const std::string& registers) {
    const Commands object = commandsIn(steps.object);
    const Commands debug = commandsIn(steps.debug);
    std::string file;
    std::string debugFile;
    const std::string ptx = withModule(object.ptx, file);
    const std::string debugPtx = withModule(debug.ptx, debugFile);
    // The compiler of nvcc's first step, and what it is told, but that it is not nvcc's.
    std::string host = object.hostText;
    const auto replace = [&](std::string_view words, std::string_view by) {
        const std::size_t at = host.find(words);
        if (at == host.npos) return false;
        host.replace(at, words.size(), by);
        return true;
    };
    const bool isHost = replace(" -E -x c++ ", " -c -x c++ ") && replace(" -D__CUDACC__ ", " ") &&
                        replace(" -D__NVCC__ ", " ");
    const std::size_t output = host.rfind(" -o \"");
    const std::size_t input =
        output == host.npos || output == 0 ? host.npos : host.rfind(" \"", output - 1);
    if (!object.isKnown || !debug.isKnown || !isHost || input == host.npos || ptx.empty() ||
        debugPtx.empty() || object.deviceText.empty() || debug.deviceText.empty())
        return {};
    // The check is of the PTX that both ways make.
    std::string check = object.check;
    const std::size_t checked = check.find('"' + std::string(keptFolder));
    if (checked != check.npos)
        check.replace(checked, check.find('"', checked + 1) + 1 - checked, "f0.ptx");
    return begun(object.environment, moduleId, {file, debugFile}) +
           lane("host", {host.substr(0, input) + " -MD -MF " + shellWord(dependencies) + ' ' +
                         shellWord(hostFile) + " -o f0.o"}) +
           "if ! " + nvrtc + " >/dev/null 2>&1; then\n" +
           lane("device", {object.deviceText, ptx, "cat \"$own/object\"/*.ptx >f0.ptx"}) +
           debugLane(debug, debugPtx) + failed("device") + failed("debug") + "fi\n" +
           checkLane(check, registers) + failed("host") + link + whenChecked(check, registers);
}

namespace {

/// A file that includes itself is included 200 times: of a long chain its ends. g++ names the
/// innermost file first, and the person's own last.
std::string includedFrom(const std::vector<std::string_view>& chain) {
    constexpr std::size_t mostNamed = 6;
    std::string words;
    for (std::size_t at = 0; at < chain.size(); ++at) {
        const std::size_t left = chain.size() - at;
        if (chain.size() > mostNamed && at > 0 && left > 2) {
            words += "                 and so on, " + std::to_string(left - 2) + " times,\n";
            at += left - 3;
        } else {
            words += std::string(chain[at]) + '\n';
        }
    }
    return words;
}

/// The line with `__global__` and its like in place of what nvcc's headers make of them; where it
/// only points into the line before, it points there still.
std::string asWritten(std::string_view line, std::string_view before) {
    static const std::regex attribute(
        R"(__attribute__\(\((global|device|host|shared|constant|managed)\)\))");
    std::string text(line);
    if (const std::size_t mark = line.find('^'); trimmed(line) == "^") {
        constexpr std::size_t longer = 13;
        std::size_t left = 0;
        for (auto at = std::cregex_iterator(before.begin(), before.end(), attribute);
             at != std::cregex_iterator(); ++at) {
            const auto begin = static_cast<std::size_t>(at->position());
            if (begin < mark) left += std::min(longer, mark - begin);
        }
        text.erase(0, left);
    }
    return std::regex_replace(text, attribute, "__$1__");
}

}  // namespace

std::string withPlaces(const std::string& words) {
    constexpr std::size_t mostOfLine = 2000;  // bytes; a regular expression goes as deep
    std::string kept;
    std::vector<std::string_view> chain;
    std::string_view before;
    static const std::regex extended(R"((.*?:\d+:)\d+: error: extended character .*)");
    std::string extendedAt;  // the line of the last such error
    bool isToldAlready = false;
    for (std::string_view line : splitLines(words)) {
        line = line.substr(0, mostOfLine);
        if (line.starts_with("In file included from ") ||
            (!chain.empty() && trimmed(line).starts_with("from "))) {
            chain.push_back(line);
            continue;
        }
        // Of two typographic quotes in a line the first says enough.
        if (std::cmatch found; std::regex_match(line.begin(), line.end(), found, extended)) {
            isToldAlready = extendedAt == found.str(1);
            extendedAt = found.str(1);
        } else if (!line.starts_with(' ')) {
            isToldAlready = false;
        }
        if (isToldAlready) continue;
        kept += includedFrom(std::exchange(chain, {}));
        if (line.find(" detected in the compilation of ") != line.npos ||
            line.find("Ptx assembly aborted due to errors") != line.npos)
            continue;
        kept += asWritten(line, std::exchange(before, line)) + '\n';
    }
    // Of a quote or a launch that nothing closes come errors of its line and of those behind it.
    static const std::regex alone(
        R"re([^\n]*error: (missing closing quote|expected a ">>>")\n[^\n]*\n *\^)re");
    if (std::smatch found; std::regex_search(kept, found, alone)) kept = found.str();
    // The same once more.
    static const std::regex twice(
        R"re((error: calling a __host__ function[^\n]*\n)\n[^\n]*is undefined in device code\n)re");
    kept = std::regex_replace(kept, twice, "$1");
    // Of a brace that nothing closes come all other errors, those of headers behind it first.
    static const std::regex unclosed(
        R"re(At end of source: error: (expected a "\}")\n([^\n]*)\((\d+)\): note [^\n]*(\n[^\n]*\n *\^)?)re");
    if (std::smatch open; std::regex_search(kept, open, unclosed))
        return open.format("$2:$3: error: $1 somewhere below, to match this \"{\"$4");
    static const std::regex place(R"((^|\n)([^\n]*?)\((\d+)\): (error|warning|remark|note))");
    static const std::regex placeInPtx(R"(ptxas \S*?([^/\s]+)\.ptx, line (\d+); error *:)");
    kept = std::regex_replace(kept, placeInPtx, "$1.cu: error: line $2 of its PTX:");
    return std::regex_replace(kept, place, "$1$2:$3: $4");
}

}  // namespace warplens::programs
