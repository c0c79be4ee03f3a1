#include "core/program/remedy_findings.h"

#include <algorithm>
#include <regex>

#include "core/program/lost_changes.h"

namespace warplens {

using source::NamedBrackets;
using source::SourceEdit;
using source::TextSpan;

namespace {

/// Whether the line reads an element of the finding's array, changes it and writes it back, and
/// reads no other of it: `a[i]++`, `*a += v`, `a[i] = a[i] + v`.
bool isChange(const KernelText& kernel, const Finding& finding) {
    static const std::regex form(
        R"(^(?:(?:\+\+|--)\s*\*?(\w+)|(\*?(\w+)[^=;]*?)\s*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)=|=\s*\2\s*[-+*/%&|^])))");
    const std::size_t at = kernel.beginOf(finding.place.line);
    const std::string text = kernel.copyOf(kernel.ruledAt(kernel.statementAt(at).end - 1));
    std::smatch found;
    if (!std::regex_search(text, found, form)) return false;
    const std::string name = found.str(1) + found.str(3);
    const std::string array = beyondOf(finding).array;
    return (name == array || hostName(kernel, name) == array) &&
           source::findWord(found.suffix().str(), name) == source::nowhere;
}

/// Zeroes behind the declaration of a shared array, or of a shared variable.
void zeroShared(const KernelText& kernel, const std::string& array, RemedyCause& cause) {
    const auto declared = kernel.sharedNamed(array);
    if (!declared || declared->parts.size() > 1) return;
    const std::string zero = declared->parts.empty()
                                 ? "if (threadIdx.x == 0) " + array + " = 0;"
                                 : "for (int at = threadIdx.x; at < " +
                                       kernel.copyOf(declared->parts[0]) + "; at += blockDim.x) " +
                                       array + "[at] = 0;";
    const TextSpan statement = kernel.statementAt(declared->whole.begin);
    addEdit(
        cause, "initialise",
        SourceEdit(kernel).insertLineAfter(
            statement.end, zero + '\n' + kernel.indentAt(statement.begin) + "__syncthreads();"));
}

/// Of findings in a kernel.
void findEdits(const KernelText& kernel, const ProgramTrace& trace, const ProgramSources& sources,
               const std::vector<const Finding*>& findings, RemedyCause& cause) {
    using Kind = FindingKind;
    const Finding& first = *findings.front();
    const Kind kind = first.kind;
    const bool changes =
        std::regex_search(kernel.copyOf(kernel.line(first.place.line)),
                          std::regex(R"(atomic|\+=|\+\+|([\w\]]+)\s*=\s*\S*\1\s*[-+])"));
    if (kind == Kind::outOfBounds) {
        for (const Finding* finding : findings) mendBounds(kernel, trace, sources, *finding, cause);
        cause.advice = "guard-the-tail";
    }
    if (kind == Kind::warpOrder) syncWarps(kernel, findings, cause);
    if (kind == Kind::barrierMismatch) liftBarrier(kernel, first, cause);
    if (kind == Kind::blockRace) fenceLocks(kernel, cause);
    if (isRace(kind)) useAtomics(kernel, findings, cause);
    // What blocks share as well, no barrier of one of them puts right.
    const bool isOfBlocks = std::ranges::any_of(trace.findings, [&](const Finding& finding) {
        return finding.kind == Kind::blockRace &&
               std::ranges::find(cause.places, finding.place) != cause.places.end();
    });
    const bool isLater = first.isWrittenLater;
    if (kind == Kind::sharedRace || (kind == Kind::globalRace && !isOfBlocks) || isLater)
        addBarriers(kernel, findings, cause);
    // `s[t] += s[t + d]`: what others change is only read.
    const auto accesses = kernel.bracketsOf(beyondOf(first).array, '[',
                                            kernel.ruledAt(kernel.beginOf(first.place.line)));
    const bool readsOthers = std::ranges::any_of(accesses, [&](const NamedBrackets& each) {
        return kernel.textOf(each.whole) != kernel.textOf(accesses.front().whole);
    });
    if (isRace(kind) && ((changes && !readsOthers) || isOfBlocks)) {
        cause.advice = "use-atomic";
    } else if (isRace(kind) && kind != Kind::blockRace) {
        cause.advice = "add-barrier";
    }
    const std::string array = beyondOf(first).array;
    if (isLater) {
        cause.advice = "add-barrier";
    } else if (kind == Kind::uninitialisedShared) {
        zeroShared(kernel, array, cause);
        cause.advice = "initialise";
        cause.detail =
            "No barrier helps: nothing writes it before. Let the condition of the access leave out "
            "elements that have no value, or give each one before the access.";
    }
    if (kind == Kind::unwrittenMemory) giveValues(kernel, hostName(kernel, array), changes, cause);
}

}  // namespace

void findEdits(const ProgramTrace& trace, const ProgramSources& sources,
               const std::vector<const Finding*>& findings, RemedyCause& cause) {
    using Kind = FindingKind;
    const Kind kind = findings.front()->kind;
    if (kind == Kind::barrierMismatch)
        cause.advice = findings.front()->isOfMask ? "mask-for-those-that-come" : "barrier-for-all";
    if (kind == Kind::warpOrder) {
        cause.advice = "add-barrier";
        cause.detail =
            "Read, __syncwarp(), write, __syncwarp() in each step, or let lanes exchange "
            "values by __shfl_down_sync: those wait for one another.";
    }
    if (kind == Kind::notReached) {
        for (const Finding* finding : findings) {
            const auto around = kernelAt(sources.units, finding->place);
            coverProblem(trace, sources, around ? around->kernel.name : std::string(), cause);
        }
        return;
    }
    if (const auto kernel = kernelAt(sources.units, findings.front()->place))
        return findEdits(*kernel, trace, sources, findings, cause);
    for (const ProgramFile& file : sources.units) {
        const SourceEdit text(file.text, file.path);
        if (kind == Kind::neverFreed) freeAll(text, findings, cause);
        for (const Finding* finding : findings) {
            if (finding->place.file != file.path || finding->place.line == 0) continue;
            if (kind == Kind::hostPointer || kind == Kind::devicePointer ||
                kind == Kind::outOfBounds || kind == Kind::unwrittenMemory)
                mendCopy(text, *finding, cause);
            if (kind == Kind::launchRefused) {
                shrinkBlock(text, *finding, cause);
                cause.advice = "read-errors";
            }
            // What is copied back and nobody has written: a grid that is too small, mostly.
            if (kind == Kind::unwrittenMemory) coverProblem(trace, sources, "", cause);
        }
    }
    if (kind == Kind::neverFreed) cause.advice = "free-memory";
}

void tellLostChanges(std::vector<Finding>& findings, const ProgramSources& sources) {
    static const std::regex form(
        R"((thread \([^)]*\)|another block|other threads) (?:write|read)(s?)(?: too,)? in the same line,?(?: with no __sync\w+(?: or __syncwarp)? between| in the same launch))");
    for (Finding& finding : findings) {
        if (!isRace(finding.kind) || finding.otherLine != finding.place.line) continue;
        const auto kernel = kernelAt(sources.units, finding.place);
        if (kernel && isChange(*kernel, finding))
            finding.words = std::regex_replace(
                finding.words, form,
                "$1 read$2, change$2 and write$2 in the same line at the same time, " +
                    std::string(withoutAtomic));
    }
}

}  // namespace warplens
