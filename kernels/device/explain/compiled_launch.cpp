#include "kernels/device/explain/compiled_launch.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

#include "core/program/program_sources.h"
#include "core/text/encoding.h"
#include "kernels/ptx/run/grid.h"

namespace warplens {

ProgramCode compileProgram(const ProgramSources& sources, const LaunchInputs& inputs,
                           const CompileOptions& options) {
    std::vector<std::string> names{inputs.kernel};
    for (const InputArray& array : inputs.arrays) {
        if (array.isSymbol) names.push_back('&' + array.symbol);
    }
    const std::string plain = inputs.kernel.substr(0, inputs.kernel.find('<'));
    const std::string last =
        plain.substr(plain.rfind(':') == std::string::npos ? 0 : plain.rfind(':') + 1);
    std::string words;
    for (std::size_t unit = 0; unit < sources.units.size(); ++unit) {
        try {
            ProgramCode code{.unit = unit, .compiled = compileUnit(sources, unit, names, options)};
            const auto& symbols = code.compiled->symbols;
            const auto kernel = symbols.find(inputs.kernel);
            if (kernel == symbols.end()) {
                words += sources.units[unit].path + ": no kernel " + inputs.kernel + "\n";
                continue;
            }
            code.kernel = kernel->second;
            for (const InputArray& array : inputs.arrays) {
                const auto symbol = symbols.find('&' + array.symbol);
                if (array.isSymbol && symbol != symbols.end()) {
                    code.symbols[array.symbol] = symbol->second;
                }
            }
            return code;
        } catch (const CompileError& error) {
            // With several files, the one that has the kernel is the one to tell of.
            if (sources.units.size() == 1 ||
                sources.units[unit].text.find(last) != std::string::npos) {
                words += error.what();
            }
        }
    }
    throw CompileError(words.empty() ? "no file has the kernel " + inputs.kernel : words);
}

namespace {

using ptx::Allocation;

/// The machine's threads: one for each core, and one is left to whoever waits.
unsigned machineThreads() {
    return std::max(2U, std::thread::hardware_concurrency()) - 1;
}

void inThreads(std::size_t count, const std::function<void(std::size_t)>& task) {
    std::vector<std::jthread> threads;
    for (std::size_t i = 1; i < count; ++i) threads.emplace_back(task, i);
    task(0);
}

/// The user's name of a file, or the compiler's where it is none of theirs.
std::string namedByUser(const std::string& path, const std::set<std::string>& files) {
    const std::string own = ownFile(path, files);
    return own.empty() ? path : own;
}

/// Kind of what is counted, whichever memory it is in; nothing of other instructions.
std::optional<AccessKind> kindOf(const ptx::Instruction& instruction) {
    const std::string_view name = instruction.words.front();
    if (name == "bra")
        return instruction.guard >= 0 ? std::optional(AccessKind::branch) : std::nullopt;
    const bool isElsewhere = std::ranges::any_of(instruction.words, [](std::string_view word) {
        return word.starts_with("param") || word.starts_with("const") || word == "local";
    });
    if (isElsewhere) return std::nullopt;
    if (name == "ld" || name == "ldu") return AccessKind::load;
    if (name == "st") return AccessKind::store;
    return name == "atom" || name == "red" ? std::optional(AccessKind::atomic) : std::nullopt;
}

std::uint32_t elementsOf(const ptx::Instruction& instruction) {
    return instruction.has("v8") ? 8 : instruction.has("v4") ? 4 : instruction.has("v2") ? 2 : 1;
}

/// One launch on the machine.
class MachineLaunch final {
  public:
    MachineLaunch(const ProgramCode& code, const LaunchInputs& inputs,
                  const std::set<std::string>& files)
        : inputs_(inputs), files_(files) {
        auto module = ptx::readModule(code.compiled->ptx);
        if (const auto* error = std::get_if<ptx::ReadError>(&module)) {
            unavailable_ = "line " + std::to_string(error->row) + " of the PTX: " + error->message;
            return;
        }
        const std::optional<std::string> problem = program_.add(std::move(std::get<0>(module)));
        kernel_ = program_.function(code.kernel);
        if (problem) unavailable_ = *problem;
        if (!problem && kernel_ == nullptr) unavailable_ = "the PTX has no " + code.kernel;
        if (unavailable_.empty()) placeArrays(code);
    }

    [[nodiscard]] CompiledLaunch run(double seconds, const std::stop_token& stop) {
        CompiledLaunch found;
        found.unavailable = unavailable_;
        if (!unavailable_.empty()) return found;
        const auto addressOf = [&](std::uint32_t array) { return addresses_.at(array); };
        ptx::KernelLaunch launch{.kernel = kernel_,
                                 .launch = inputs_.launch,
                                 .parameters = relocated(inputs_.parameters, addressOf),
                                 .isCooperative = inputs_.cooperative};
        launch.parameters.resize(kernel_->parameterBytes());
        const auto end = std::chrono::steady_clock::now() + std::chrono::duration<double>(seconds);
        ptx::Surroundings around;
        around.sideBySide = inThreads;
        around.width = machineThreads();
        around.isStopped = [&] {
            return stop.stop_requested() || std::chrono::steady_clock::now() > end;
        };
        const ptx::LaunchResult result = ptx::run(program_, launch, around);
        found.instructions = instructions();
        found.unavailable = result.ended;
        if (!result.ended.empty()) return found;
        found.lines = ptx::linesOf(program_, result, Source::compiled,
                                   [&](std::uint32_t array) { return nameOf(array); });
        for (ProgramLine& line : found.lines) {
            line.place.file = namedByUser(line.place.file, files_);
        }
        for (const ptx::ArrayCounts& entry : result.counts) {
            const ptx::Site& site = program_.sites()[entry.site];
            found.lanesShareBytes |=
                isGlobal(site.kind) && !isAtomic(site.kind) &&
                entry.counts.uniqueBytes != entry.counts.activeLanes * site.bytes;
        }
        return found;
    }

  private:
    /// Allocates and fills; variables of the code are where they are.
    void placeArrays(const ProgramCode& code) {
        std::vector<const Allocation*> places;
        for (const InputArray& array : inputs_.arrays) {
            const Allocation* place = nullptr;
            if (array.isSymbol) {
                const auto symbol = code.symbols.find(array.symbol);
                place =
                    program_.variable(symbol == code.symbols.end() ? array.symbol : symbol->second);
            } else {
                place = memory_.allocate(std::max<std::uint64_t>(array.before.bytes.size(), 1));
                if (place == nullptr) {
                    unavailable_ = "the launch's arrays take more memory than the machine has";
                    return;
                }
                memory_.describe(place->address, array.name, 0);
            }
            places.push_back(place);
            // What no kernel of this code uses is not in it.
            addresses_.push_back(place == nullptr ? 0 : place->address);
            if (place != nullptr) names_[place->id] = array.name;
        }
        const auto addressOf = [&](std::uint32_t array) { return addresses_.at(array); };
        for (std::size_t i = 0; i < places.size(); ++i) {
            if (places[i] == nullptr) continue;
            const std::vector<std::byte> bytes = relocated(inputs_.arrays[i].before, addressOf);
            std::memcpy(places[i]->data, bytes.data(),
                        std::min<std::size_t>(bytes.size(), places[i]->bytes));
        }
    }

    [[nodiscard]] std::string nameOf(std::uint32_t array) const {
        const auto known = names_.find(array);
        if (known != names_.end()) return known->second;
        const std::string shared = program_.sharedName(array);
        return shared.empty() ? program_.variableName(array) : shared;
    }

    [[nodiscard]] std::vector<PtxInstruction> instructions() {
        std::vector<PtxInstruction> found;
        std::set<const ptx::Function*> seen;
        for (const ptx::Code* code : program_.codesOf(*kernel_)) {
            if (!seen.insert(code->function).second) continue;
            const std::vector<std::string_view> rows =
                splitLines(*program_.moduleOf(*code->function).text);
            for (const ptx::Instruction& instruction : code->function->instructions) {
                const std::optional<AccessKind> kind = kindOf(instruction);
                if (!kind || instruction.row == 0 || instruction.row > rows.size()) continue;
                const SourcePlace place = ptx::sourcePlace(program_, code->origin(instruction));
                std::string_view text = rows[instruction.row - 1];
                text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
                PtxInstruction& entry = found.emplace_back();
                entry.file = namedByUser(place.file, files_);
                entry.line = place.line;
                entry.kind = *kind;
                if (*kind != AccessKind::branch)
                    entry.bytes = bytesOf(instruction.type()) * elementsOf(instruction);
                entry.text = text.substr(0, text.find(';'));
                std::ranges::replace(entry.text, '\t', ' ');
            }
        }
        return found;
    }

    const LaunchInputs& inputs_;
    const std::set<std::string>& files_;
    ptx::Memory memory_;
    ptx::Program program_{memory_};
    const ptx::Function* kernel_ = nullptr;
    std::vector<std::uint64_t> addresses_;
    std::map<std::uint32_t, std::string> names_;  ///< by the arrays' ids
    std::string unavailable_;
};

/// The number and the name of a `.file` line.
bool readFile(std::string_view line, std::uint32_t& number, std::string& name) {
    const std::size_t open = line.find('"');
    const std::size_t close = line.find('"', open + 1);
    if (close == std::string_view::npos ||
        std::sscanf(std::string(line).c_str(), " .file %u", &number) != 1) {
        return false;
    }
    name = line.substr(open + 1, close - open - 1);
    return true;
}

}  // namespace

CompiledLaunch runCompiled(const ProgramCode& code, const LaunchInputs& inputs,
                           const std::set<std::string>& files, double seconds,
                           const std::stop_token& stop) {
    return MachineLaunch(code, inputs, files).run(seconds, stop);
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
    bool isMeant = true;
    for (const std::string_view row : rows) {
        const bool isKernel = row.find(".entry ") != std::string_view::npos;
        if (isKernel || row.find(".func ") != std::string_view::npos) {
            callers.clear();
            isMeant = !isKernel || row.find(' ' + kernel + '(') != std::string_view::npos;
        }
        const std::size_t at = row.find_first_not_of(" \t");
        if (!isMeant || at == std::string_view::npos || !row.substr(at).starts_with(".loc"))
            continue;
        const std::string text(row.substr(at));
        PtxPlace inner{};
        if (std::sscanf(text.c_str(), ".loc %u %u %u", &inner[0], &inner[1], &inner[2]) != 3)
            continue;
        const std::size_t inlined = text.find("inlined_at ");
        PtxPlace caller{};
        if (inlined != std::string::npos &&
            std::sscanf(text.c_str() + inlined, "inlined_at %u %u %u", &caller[0], &caller[1],
                        &caller[2]) == 3) {
            callers[inner] = caller;
        }
        PtxPlace outer = inner;
        for (std::size_t depth = 0; depth < callers.size() && !isOwn(outer); ++depth) {
            const auto next = callers.find(outer);
            if (next == callers.end()) break;
            outer = next->second;
        }
        if (!isOwn(outer) || outer == inner) continue;
        const SourceLine own{namedByUser(names[outer[0]], files), outer[1]};
        const auto [entry, isNew] =
            lines.try_emplace({namedByUser(names[inner[0]], files), inner[1]}, own);
        if (!isNew && entry->second != own) entry->second = {};
    }
    std::erase_if(lines, [](const auto& entry) { return entry.second.first.empty(); });
    return lines;
}

}  // namespace warplens
