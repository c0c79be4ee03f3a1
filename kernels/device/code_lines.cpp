#include "kernels/device/code_lines.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <system_error>
#include <unistd.h>

#include "core/program/mangled_names.h"
#include "core/program/program_sources.h"
#include "core/text/encoding.h"
#include "core/text/files.h"
#include "kernels/programs/cuda_compiler.h"
#include "kernels/programs/program_cache.h"
#include "kernels/programs/run_child.h"
#include "kernels/ptx/read/module.h"

namespace warplens {
namespace {

namespace fs = std::filesystem;

/// nvdisasm beside a compiler, else on PATH; empty where there is none.
std::string disassembler() {
    for (const programs::CudaCompiler& compiler : programs::cudaCompilers()) {
        const fs::path beside = compiler.nvcc.parent_path() / "nvdisasm";
        if (::access(beside.c_str(), X_OK) == 0) return beside;
    }
    return findProgram("nvdisasm");
}

std::string disassembled(const std::string& program, const std::string& cubin) {
    const TemporaryFolder folder(programCache() / "work");
    const fs::path file = folder.path() / "code.cubin";
    writeFileAtomically(file, cubin);
    ChildCommand command{.arguments = {program, "-gi", "-c", file},
                         .environment = ownEnvironment()};
    command.limits.outputKept = command.limits.outputMost;
    try {
        return runChild(command).output;
    } catch (const std::system_error&) {
        return {};
    }
}

/// Walks what nvdisasm writes: `//## File "my.cu", line 7` goes before the instructions of a line,
/// of an inlined function the places that called it follow, and the first of ours counts;
/// `.text.SYMBOL:` goes before those of a function.
void addMachineCode(const std::string& text, const std::string& kernel,
                    std::map<SourceLine, CompiledLine>& lines, const std::set<std::string>& files) {
    SourceLine place;
    bool inside = false;
    bool wasPlace = false;
    for (const std::string_view line : splitLines(text)) {
        if (line.starts_with(".text.")) {
            inside = line.substr(6, line.find(':') - 6) == kernel;
        } else if (const std::size_t mark = line.find("//## File \""); mark != line.npos) {
            const std::size_t open = mark + 11;
            const std::size_t close = line.find('"', open);
            const std::size_t number = line.find("line ", close);
            if (number == line.npos) continue;
            if (!std::exchange(wasPlace, true)) place = {};
            std::string file = ownFile(std::string(line.substr(open, close - open)), files);
            if (!file.empty() && place.first.empty())
                place = {std::move(file), static_cast<std::uint32_t>(
                                              std::strtoul(line.data() + number + 5, nullptr, 10))};
        } else if (const std::size_t close = line.find("*/"); inside && close != line.npos) {
            wasPlace = false;
            const std::size_t begin = line.find_first_not_of(" \t", close + 2);
            const std::size_t stop = line.find(';', close);
            if (place.first.empty() || begin == line.npos || stop == line.npos) continue;
            lines[place].sass.emplace_back(line.substr(begin, stop - begin));
        }
    }
}

/// The user's name of a file, or the compiler's where it is none of theirs.
std::string namedByUser(const std::string& path, const std::set<std::string>& files) {
    const std::string own = ownFile(path, files);
    return own.empty() ? path : own;
}

/// Accesses of global and shared memory, and conditional branches.
bool isCounted(const ptx::Instruction& instruction) {
    const std::string_view name = instruction.words.front();
    if (name == "bra") return instruction.guard >= 0;
    const bool isElsewhere = std::ranges::any_of(instruction.words, [](std::string_view word) {
        return word.starts_with("param") || word.starts_with("const") || word == "local";
    });
    return !isElsewhere &&
           (name == "ld" || name == "ldu" || name == "st" || name == "atom" || name == "red");
}

void addPtx(const std::string& text, const std::string& kernel,
            std::map<SourceLine, CompiledLine>& lines, const std::set<std::string>& files) {
    const auto read = ptx::readModule(text);
    const auto* module = std::get_if<ptx::Module>(&read);
    if (module == nullptr) return;
    const std::vector<std::string_view> rows = splitLines(*module->text);
    for (const auto& [name, function] : module->functions) {
        if (function->isKernel && name != kernel && kernelName(name) != kernel) continue;
        for (const ptx::Instruction& each : function->instructions) {
            const auto place = module->files.find(each.place.file);
            if (!isCounted(each) || each.place.line == 0 || place == module->files.end() ||
                each.row == 0 || each.row > rows.size())
                continue;
            std::string access(trimmed(rows[each.row - 1]));
            access.resize(std::min(access.find(';'), access.size()));
            std::ranges::replace(access, '\t', ' ');
            lines[{namedByUser(place->second, files), each.place.line}].ptx.push_back(
                std::move(access));
        }
    }
}

/// What an instruction of PTX, as it is written, does where it is counted.
std::optional<AccessKind> kindOf(std::string_view row) {
    const std::size_t guard = row.starts_with('@') ? row.find_first_of(" \t") + 1 : 0;
    const std::string_view name = row.substr(guard, row.find_first_of(" \t;", guard) - guard);
    const auto has = [&](std::string_view part) { return name.find(part) != name.npos; };
    if (name.starts_with("bra"))
        return guard == 0 ? std::nullopt : std::optional(AccessKind::branch);
    if (has(".param") || has(".const") || has(".local")) return std::nullopt;
    const bool isShared = has(".shared");
    if (name.starts_with("atom.") || name.starts_with("red."))
        return isShared ? AccessKind::sharedAtomic : AccessKind::atomic;
    if (name.starts_with("ld.") || name.starts_with("ldu."))
        return isShared ? AccessKind::sharedLoad : AccessKind::load;
    if (name.starts_with("st.")) return isShared ? AccessKind::sharedStore : AccessKind::store;
    return std::nullopt;
}

/// The number and the name of a `.file` line.
bool readFile(std::string_view line, std::uint32_t& number, std::string& name) {
    const std::size_t open = line.find('"');
    const std::size_t close = line.find('"', open + 1);
    if (close == std::string_view::npos ||
        std::sscanf(std::string(line).c_str(), " .file %u", &number) != 1) {
        return false;
    }
    // As CUPTI has it, without `..`.
    name = fs::path(line.substr(open + 1, close - open - 1)).lexically_normal().string();
    return true;
}

}  // namespace

std::vector<CompiledLine> codeByLine(const std::vector<std::string>& ptx, const std::string& cubin,
                                     const std::string& kernel, const std::set<std::string>& files,
                                     std::vector<std::string>& notes) {
    std::map<SourceLine, CompiledLine> lines;
    for (const std::string& text : ptx) addPtx(text, kernel, lines, files);
    const std::string program = cubin.empty() ? std::string() : disassembler();
    if (!program.empty()) {
        addMachineCode(disassembled(program, cubin), kernel, lines, files);
    } else if (!cubin.empty()) {
        notes.emplace_back(
            "no nvdisasm beside nvcc and none on PATH: lines show their PTX, not their machine "
            "code");
    }
    std::vector<CompiledLine> list;
    for (auto& [key, line] : lines) {
        line.file = key.first;
        line.line = key.second;
        list.push_back(std::move(line));
    }
    return list;
}

InlinedLines inlinedLines(const std::string& ptx, const std::string& kernel,
                          const std::set<std::string>& files) {
    const std::vector<std::string_view> rows = splitLines(ptx);
    std::map<std::uint32_t, std::string> names;
    for (const std::string_view row : rows) {
        std::uint32_t number = 0;
        std::string name;
        if (row.find(".file") < 2 && readFile(row, number, name)) names[number] = name;
    }
    using PtxPlace = std::array<std::uint32_t, 3>;  // file, line, column
    const auto isOwn = [&](const PtxPlace& place) {
        return !ownFile(names[place[0]], files).empty();
    };
    InlinedLines lines;
    std::map<PtxPlace, PtxPlace> callers;  // as the function has told so far
    PtxPlace inner{};
    PtxPlace outer{};
    bool isMeant = true;
    for (const std::string_view row : rows) {
        const bool isKernel = row.find(".entry ") != std::string_view::npos;
        if (isKernel || row.find(".func ") != std::string_view::npos) {
            callers.clear();
            inner = outer = {};
            isMeant = !isKernel || row.find(' ' + kernel + '(') != std::string_view::npos;
        }
        if (!isMeant) continue;
        const std::string text(trimmed(row));
        if (!text.starts_with(".loc")) {
            const std::optional<AccessKind> kind = kindOf(text);
            if (!kind || outer == inner || !isOwn(outer)) continue;
            const SourceLine own{namedByUser(names[outer[0]], files), outer[1]};
            const auto [entry, isNew] =
                lines.try_emplace({{namedByUser(names[inner[0]], files), inner[1]}, *kind}, own);
            if (!isNew && entry->second != own) entry->second = {};
            continue;
        }
        if (std::sscanf(text.c_str(), ".loc %u %u %u", &inner[0], &inner[1], &inner[2]) != 3)
            continue;
        const std::size_t inlined = text.find("inlined_at ");
        PtxPlace caller{};
        if (inlined != std::string::npos &&
            std::sscanf(text.c_str() + inlined, "inlined_at %u %u %u", &caller[0], &caller[1],
                        &caller[2]) == 3) {
            callers[inner] = caller;
        }
        outer = inner;
        for (std::size_t depth = 0; depth < callers.size() && !isOwn(outer); ++depth) {
            const auto next = callers.find(outer);
            if (next == callers.end()) break;
            outer = next->second;
        }
    }
    std::erase_if(lines, [](const auto& entry) { return entry.second.first.empty(); });
    return lines;
}

}  // namespace warplens
