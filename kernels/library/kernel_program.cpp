#include "kernels/library/kernel_program.h"

#include <algorithm>
#include <map>
#include <mutex>
#include <utility>

#include "core/text/encoding.h"
#include "kernels/library/predict.h"
#include "kernels/ptx/open/signature.h"

#include "embedded/warplens_library.h"

namespace warplens {
namespace {

/// Without what a mark at its end says to the reader of the file (CodeMark).
std::string_view withoutMark(std::string_view line) {
    for (const std::string_view mark : {"// name: ", "// step: ", "// only computes"}) {
        const std::size_t at = line.find(mark);
        if (at == std::string_view::npos) continue;
        line = line.substr(0, at);
        while (line.ends_with(' ')) line.remove_suffix(1);
    }
    return line;
}

}  // namespace

std::vector<KernelLine> codeLines(const Kernel& kernel) {
    std::vector<KernelLine> lines;
    std::uint32_t number = 0;
    for (const std::string_view line : splitLines(kernel.text)) {
        ++number;
        if (!lines.empty() || !line.starts_with("//")) lines.push_back({number, withoutMark(line)});
    }
    return lines;
}

std::string_view sourceLine(const Kernel& kernel, std::uint32_t line) {
    const std::vector<std::string_view> lines = splitLines(kernel.text);
    if (line == 0 || line > lines.size()) return {};
    const std::string_view text = withoutMark(lines[line - 1]);
    return text.substr(std::min(text.find_first_not_of(' '), text.size()));
}

std::uint32_t namedLine(const Kernel& kernel, std::string_view name) {
    const auto found = std::ranges::find(kernel.branches, name, &KernelBranch::name);
    return found == kernel.branches.end() ? 0 : found->line;
}

std::vector<LoopMark> loopMarks(const Kernel& kernel) {
    std::vector<LoopMark> marks;
    for (const KernelLoop& loop : kernel.loops) {
        marks.push_back({loop.variable, loop.line, loop.lastLine, false});
    }
    for (const KernelBranch& branch : kernel.branches) {
        const bool told = std::ranges::find(marks, branch.line, &LoopMark::line) != marks.end();
        if (branch.lastLine == 0 || told) continue;
        marks.push_back({branch.name, branch.line, branch.lastLine, true});
    }
    std::ranges::sort(marks, {}, &LoopMark::line);
    return marks;
}

}  // namespace warplens

namespace warplens::library {
namespace {

using ptx::Function;
using ptx::Instruction;
using ptx::Operand;

CoursePtx& coursePtx() {
    static CoursePtx provide;
    return provide;
}

/// Index of the instruction that a branch jumps to.
std::uint32_t targetOf(const Function& function, const Instruction& branch) {
    const auto found = function.labels.find(branch.operands.front().symbol);
    return found == function.labels.end() ? 0 : found->second;
}

std::uint32_t indexOf(const Function& function, const Instruction& instruction) {
    return static_cast<std::uint32_t>(&instruction - function.instructions.data());
}

bool isConditional(const Instruction& instruction) {
    return instruction.words.front() == "bra" && instruction.guard >= 0;
}

bool writes(const Instruction& instruction, std::int32_t reg) {
    return !instruction.operands.empty() &&
           instruction.operands.front().kind == Operand::Kind::reg &&
           instruction.operands.front().reg == reg;
}

/// The comparison that a branch follows, through `not` and `mov`; null where there is none.
const Instruction* comparisonOf(const Function& function, const Instruction& branch) {
    std::int32_t reg = branch.guard;
    for (std::uint32_t at = indexOf(function, branch); at-- > 0;) {
        const Instruction& instruction = function.instructions[at];
        if (!writes(instruction, reg)) continue;
        if (instruction.words.front() == "setp") return &instruction;
        if (instruction.operands.size() != 2) return nullptr;
        reg = instruction.operands[1].reg;
    }
    return nullptr;
}

/// Which operand of the comparison at a loop's begin is the loop's variable: the first that changes
/// within the loop.
std::size_t variableOf(const Function& function, const Instruction& comparison,
                       std::uint32_t lastLine) {
    for (const std::size_t operand : {std::size_t{1}, std::size_t{2}}) {
        const std::int32_t reg = comparison.operands[operand].reg;
        const bool changes =
            reg >= 0 && std::ranges::any_of(function.instructions, [&](const Instruction& other) {
                return writes(other, reg) && other.place.line >= comparison.place.line &&
                       other.place.line <= lastLine;
            });
        if (changes) return operand;
    }
    return 0;
}

/// The loop's first test is passed as if it did not hold.
void passBy(ptx::Module& module, std::uint32_t line) {
    for (const auto& [name, function] : module.functions) {
        for (Instruction& instruction : function->instructions) {
            const bool leaves = isConditional(instruction) && instruction.place.line == line &&
                                targetOf(*function, instruction) > indexOf(*function, instruction);
            if (leaves) instruction.guard = -1;
        }
    }
}

}  // namespace

void setCoursePtx(CoursePtx provide) {
    coursePtx() = std::move(provide);
}

bool hasPtx(const Kernel& kernel) {
    return kernel.course.empty() || coursePtx() != nullptr;
}

std::string_view ptxOf(const Kernel& kernel, PtxKind kind) {
    if (!kernel.course.empty()) {
        if (!hasPtx(kernel)) throw TraceFault(kernel.file + " is not part of this program");
        static std::mutex mutex;
        static std::map<std::pair<const Kernel*, PtxKind>, std::string> known;
        const std::lock_guard lock(mutex);
        std::string& text = known[{&kernel, kind}];
        if (text.empty()) text = coursePtx()(kernel, kind);
        return text;
    }
    return embeddedFile(ptxFile(kernel, kind));
}

std::string ptxFile(const Kernel& kernel, PtxKind kind) {
    return kernel.file.substr(0, kernel.file.rfind('.')) +
           (kind == PtxKind::source ? ".debug.ptx" : ".optimized.ptx");
}

KernelProgram::KernelProgram(const Kernel& kernel, std::string_view ptx, bool computes)
    : kernel_(kernel) {
    auto module = ptx::readModule(std::string(ptx));
    if (const auto* error = std::get_if<ptx::ReadError>(&module)) {
        throw TraceFault("the PTX of " + kernel.file + ", line " + std::to_string(error->row) +
                         ": " + error->message);
    }
    auto& read = std::get<ptx::Module>(module);
    if (!computes) {
        for (const KernelLoop& loop : kernel.computing) passBy(read, loop.line);
    }
    if (const auto problem = program_.add(std::move(read))) {
        throw TraceFault("the PTX of " + kernel.file + ": " + *problem);
    }
}

const ptx::Function& KernelProgram::instance(const std::string& name) {
    for (const Function* function : program_.kernels()) {
        if (ptx::signatureOf(*function).kernel != name) continue;
        const std::vector<const ptx::Code*> codes = program_.codesOf(*function);
        if (decisions_.size() != program_.sites().size()) {
            decisions_.resize(program_.sites().size());
            for (const ptx::Code* code : codes) findDecisions(*code);
        }
        return *function;
    }
    throw TraceFault("the PTX of " + kernel_.file + " has no " + name);
}

bool KernelProgram::decides(const KernelBranch& branch) const {
    return std::ranges::find(decisions_, &branch, &Decision::branch) != decisions_.end();
}

void KernelProgram::findDecisions(const ptx::Code& code) {
    const Function& function = *code.function;
    for (const ptx::Step& step : code.steps) {
        if (step.instruction == nullptr || !isConditional(*step.instruction)) continue;
        const ptx::Site& site = program_.sites()[step.site];
        // Of optimised code every branch counts, of what is written one for each condition.
        if (site.kind != AccessKind::branch || site.isPart) continue;
        const Instruction& branch = *step.instruction;
        Decision& decision = decisions_[step.site];
        decision.jumpsWhereItHolds = targetOf(function, branch) <= indexOf(function, branch);
        for (const KernelBranch& named : kernel_.branches) {
            if (named.line == site.origin.place.line) decision.branch = &named;
        }
        for (const KernelLoop& loop : kernel_.loops) {
            if (loop.line != site.origin.place.line || decision.jumpsWhereItHolds) continue;
            const Instruction* comparison = comparisonOf(function, branch);
            const std::size_t operand =
                comparison == nullptr ? 0 : variableOf(function, *comparison, loop.lastLine);
            const auto compares =
                std::ranges::find(code.steps, comparison, &ptx::Step::instruction);
            if (operand == 0 || compares == code.steps.end()) continue;
            decision.loop = &loop;
            decision.variable = operand == 1 ? compares->a : compares->b;
            decision.isWide = bytesOf(comparison->type()) == 8;
        }
    }
}

struct TakenProgram::Spare final {
    std::mutex mutex;
    std::map<Key, std::vector<std::unique_ptr<KernelProgram>>> programs;
};

TakenProgram::Spare& TakenProgram::spare() {
    static Spare all;
    return all;
}

TakenProgram::TakenProgram(const Kernel& kernel, std::string_view ptx, bool computes)
    : key_{&kernel, std::hash<std::string_view>{}(ptx), computes || kernel.computing.empty()} {
    {
        const std::lock_guard lock(spare().mutex);
        auto& there = spare().programs[key_];
        if (!there.empty()) {
            program_ = std::move(there.back());
            there.pop_back();
        }
    }
    if (program_ == nullptr) {
        program_ = std::make_unique<KernelProgram>(kernel, ptx, key_.computes);
    }
}

TakenProgram::~TakenProgram() {
    const std::lock_guard lock(spare().mutex);
    spare().programs[key_].push_back(std::move(program_));
}

}  // namespace warplens::library
