#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <span>

#include "core/program/cuda_tokens.h"
#include "core/program/remedy_edits.h"
#include "core/text/encoding.h"

namespace warplens {

using source::SourceEdit;
using source::TextSpan;

namespace {

constexpr std::string_view toDevice = "cudaMemcpyHostToDevice";
constexpr std::string_view toHost = "cudaMemcpyDeviceToHost";

/// `a`, 1000 and 1000 of "load from a[1000], which has 1000 elements".
struct Beyond final {
    std::string array;
    std::int64_t index = 0;
    std::int64_t elements = 0;  ///< 0: the words name none
    bool isLoad = false;
    std::uint32_t line = 0;
};
Beyond beyondOf(const Finding& finding) {
    const std::string& words = finding.words;
    Beyond found{{}, 0, 0, words.starts_with("load"), finding.place.line};
    const std::size_t open = words.find('[');
    const std::size_t before = open == words.npos ? open : words.rfind(' ', open);
    if (before != words.npos) {
        found.array = words.substr(before + 1, open - before - 1);
        found.index = std::atoll(words.c_str() + open + 1);
    }
    constexpr std::string_view has = "which has ";
    if (const std::size_t at = words.find(has); at != words.npos)
        found.elements = std::atoll(words.c_str() + at + has.size());
    return found;
}

bool waitsForOthers(const KernelText& kernel) {
    constexpr std::array<std::string_view, 9> words{"__syncthreads",
                                                    "__syncwarp",
                                                    "__shfl_sync",
                                                    "__shfl_down_sync",
                                                    "__shfl_xor_sync",
                                                    "__ballot_sync",
                                                    "cooperative_groups",
                                                    "cg",
                                                    "sync"};
    return std::ranges::any_of(words, [&](std::string_view word) { return kernel.says(word); });
}

const LaunchReport* launchOf(const ProgramTrace& trace, const Finding& finding) {
    for (const LaunchReport& launch : trace.launches) {
        if (launch.index == finding.launch || (!finding.launch && launch.kernel == finding.kernel))
            return &launch;
    }
    return nullptr;
}

/// A name of the kernel's that has the value: a parameter, or a constant of the file.
std::string nameWith(std::int64_t value, const KernelText& kernel, const LaunchReport* launch) {
    if (launch != nullptr) {
        for (const auto& [argument, number] : launch->arguments.entries()) {
            if (number == value) return argument;
        }
    }
    for (const CudaToken& token : kernel.tokens()) {
        const auto defined = source::definedNumber(token);
        if (defined && defined->second == value) return defined->first;
    }
    return {};
}

/// A return behind the definition of what the index is made of, or a condition at the access.
void guardIndex(const KernelText& kernel, const LaunchReport* launch, const Beyond& beyond,
                const std::vector<TextSpan>& indices, TextSpan chosen, RemedyCause& cause,
                const SourceEdit& begun) {
    const std::string index = kernel.copyOf(chosen);
    const std::string count = nameWith(beyond.elements, kernel, launch);
    const std::vector<CudaToken> tokens = kernel.tokensIn(chosen);
    std::vector<std::pair<std::string, std::string>> limits;  // what is to be less than what
    if (!count.empty()) {
        limits = {{index, count}};
    } else if (tokens.size() == 5 && tokens[1].is("*") && tokens[3].is("+") && launch != nullptr &&
               launch->arguments.contains(tokens[2].text)) {
        // `row * width + column`
        const std::int64_t width = launch->arguments.at(tokens[2].text);
        const std::string height =
            width == 0 ? std::string() : nameWith(beyond.elements / width, kernel, launch);
        if (!height.empty())
            limits = {{std::string(tokens[0].text), height},
                      {std::string(tokens[4].text), std::string(tokens[2].text)}};
    }
    if (limits.empty()) return;
    std::string condition;  // for those that go on
    std::string leaving;
    std::size_t behind = 0;
    bool isDefined = !waitsForOthers(kernel);
    for (const auto& [name, limit] : limits) {
        condition += (condition.empty() ? "" : " && ") + name + " < " + limit;
        leaving += (leaving.empty() ? "" : " || ") + name + " >= " + limit;
        const auto value = kernel.valueOf(name, kernel.line(beyond.line).begin);
        isDefined = isDefined && value && kernel.body.holds(value->begin);
        if (isDefined) behind = std::max(behind, kernel.statementAt(value->begin).end);
    }
    if (beyond.index < 0)
        condition = index + " >= 0";
    else if (isDefined)
        addEdit(cause, "guard-the-tail",
                SourceEdit(begun).insertLineAfter(behind, "if (" + leaving + ") return;"));
    SourceEdit edit = begun;
    if (beyond.isLoad) {
        for (const TextSpan each : indices) {
            if (kernel.textOf(each) != index) continue;
            edit.insert(kernel.masked().rfind(beyond.array, each.begin), '(' + condition + " ? ");
            edit.insert(each.end + 1, " : 0)");
        }
    } else {
        const TextSpan statement = kernel.statementAt(chosen.begin);
        edit.insert(kernel.ruledAt(statement, chosen.begin).begin, "if (" + condition + ") ");
    }
    addEdit(cause, "guard-the-tail", edit);
}

/// Of each index that the array has in the line.
void guardTail(const KernelText& kernel, const LaunchReport* launch, const Beyond& beyond,
               RemedyCause& cause, const SourceEdit& begun) {
    if (beyond.elements == 0 || beyond.array.empty()) return;
    const std::vector<TextSpan> indices =
        kernel.indicesOf(beyond.array, kernel.statementAt(kernel.beginOf(beyond.line)));
    for (const TextSpan index : indices)
        guardIndex(kernel, launch, beyond, indices, index, cause, begun);
}

/// `a / b` becomes `(a + b - 1) / b` where it says how many blocks there are.
bool roundUpBlocks(SourceEdit& edit, std::string_view kernel) {
    for (const LaunchSite& site : launchSites(edit, kernel)) {
        for (const TextSpan count : dimensionsOf(edit, site, 0)) {
            const std::vector<TextSpan> parts = edit.partsOf(count, '/');
            if (parts.size() < 2) continue;
            const std::string right = edit.copyOf(parts.back());
            const std::string left = edit.copyOf({count.begin, parts[parts.size() - 2].end});
            if (left.find(right) != std::string::npos) continue;  // rounded up already
            edit.replace(count, '(' + left + " + " + right + " - 1) / " + right);
        }
    }
    return edit.isChanged();
}

void coverProblem(const ProgramTrace& trace, const ProgramSources& sources,
                  const std::string& kernel, RemedyCause& cause) {
    for (const ProgramFile& file : sources.units) {
        SourceEdit edit(file.text, file.path);
        if (!roundUpBlocks(edit, std::string_view(kernel).substr(0, kernel.find('<')))) continue;
        addEdit(cause, "cover-the-problem", edit);
        // Threads that are too many then: a guard as well.
        for (const source::KernelSource& each : source::kernelsIn(edit.masked())) {
            if (!kernel.empty() && !kernel.starts_with(each.name)) continue;
            const KernelText text{
                SourceEdit(file.text, file.path), each, {each.bodyBegin, each.bodyEnd}};
            for (const LaunchReport& launch : trace.launches) {
                if (launch.kernel != each.name && !launch.kernel.starts_with(each.name + '<'))
                    continue;
                for (const ProgramLine& line : launch.lines) {
                    if (line.kind != AccessKind::store || line.source != Source::predicted)
                        continue;
                    for (const auto& [argument, number] : launch.arguments.entries()) {
                        if (number < static_cast<std::int64_t>(launch.launch.block.x)) continue;
                        guardTail(text, &launch,
                                  {line.array, number, number, false, line.place.line}, cause,
                                  edit);
                    }
                }
            }
        }
    }
}

/// A statement that races, and where it begins in its line.
struct Racing final {
    TextSpan statement;
    std::size_t at = 0;
};

/// Before the statement; within the braces that a loop's only statement gets then.
void insertBarrier(SourceEdit& edit, const Racing& racing, bool isBefore) {
    const std::string barrier = "__syncthreads();";
    const TextSpan statement = racing.statement;
    const std::string_view words = std::string_view(edit.masked()).substr(statement.begin);
    if (words.starts_with("for") || words.starts_with("while")) {
        const std::size_t open = edit.masked().find('(', statement.begin);
        const std::size_t first =
            source::skipBlanks(edit.masked(), source::closing(edit.masked(), open));
        if (edit.ruledAt(statement, racing.at).begin != statement.begin && first < statement.end) {
            edit.insert(first, isBefore ? "{ " + barrier + ' ' : "{ ");
            edit.insert(statement.end, isBefore ? " }" : ' ' + barrier + " }");
            return;
        }
    }
    if (isBefore)
        edit.insertLineBefore(statement.begin, barrier);
    else
        edit.insertLineAfter(statement.end, barrier);
}

/// Each once.
std::vector<Racing> racingIn(const KernelText& kernel,
                             const std::vector<const Finding*>& findings) {
    std::vector<Racing> all;
    for (const Finding* finding : findings) {
        const std::size_t at = kernel.beginOf(finding->place.line);
        if (!kernel.body.holds(at)) continue;
        const TextSpan statement = kernel.statementAt(at);
        const auto isSame = [&](const Racing& each) {
            return each.statement.begin == statement.begin;
        };
        if (std::ranges::none_of(all, isSame)) all.push_back({statement, at});
    }
    return all;
}

void addBarriers(const KernelText& kernel, const std::vector<const Finding*>& findings,
                 RemedyCause& cause) {
    const std::vector<Racing> all = racingIn(kernel, findings);
    const auto add = [&](std::span<const Racing> some, bool isBehind, bool isBefore) {
        SourceEdit edit = kernel;
        for (const Racing& each : some) {
            if (isBehind) insertBarrier(edit, each, false);
            if (isBefore) insertBarrier(edit, each, true);
        }
        addEdit(cause, "add-barrier", edit);
    };
    for (std::size_t at = all.size(); at-- > 0;) add({&all[at], 1}, false, true);
    add(all, false, true);
    for (const Racing& each : all) {
        add({&each, 1}, true, false);
        add({&each, 1}, true, true);
    }
}

/// `a[i] += v;`, `a[i] = a[i] + v;` and `a[i]++` become atomicAdd(&a[i], v).
void useAtomics(const KernelText& kernel, const std::vector<const Finding*>& findings,
                RemedyCause& cause) {
    SourceEdit edit = kernel;
    const auto atomic = [](std::string_view target, std::string_view value) {
        const std::string address =
            target.starts_with('*') ? std::string(target.substr(1)) : '&' + std::string(target);
        return "atomicAdd(" + address + ", " + std::string(trimmed(value)) + ')';
    };
    for (const auto& [statement, at] : racingIn(kernel, findings)) {
        const TextSpan inner = kernel.ruledAt(statement, statement.end - 1);
        std::string_view words = trimmed(kernel.textOf(inner));
        if (words.ends_with(';')) words.remove_suffix(1);
        const std::size_t equals = words.find('=');
        std::string_view target = trimmed(words.substr(0, equals));
        std::string_view value = equals == words.npos ? "1" : trimmed(words.substr(equals + 1));
        if (target.ends_with('+') && equals != words.npos) {
            target = trimmed(target.substr(0, target.size() - 1));
        } else if (equals != words.npos && value.starts_with(target) &&
                   trimmed(value.substr(target.size())).starts_with('+')) {
            value = trimmed(value.substr(target.size())).substr(1);
        } else if (equals == words.npos && words.ends_with("++")) {
            target = trimmed(words.substr(0, words.size() - 2));
        } else if (equals == words.npos && words.starts_with("++")) {
            target = trimmed(words.substr(2));
        } else {
            // `int place = next[k]++;`
            const std::string array = beyondOf(*findings.front()).array;
            for (const TextSpan index : kernel.indicesOf(array, inner)) {
                const std::size_t name = kernel.masked().rfind(array, index.begin);
                const std::size_t behind = source::skipBlanks(kernel.masked(), index.end + 1);
                if (kernel.masked().compare(behind, 2, "++") == 0)
                    edit.replace({name, behind + 2},
                                 atomic(kernel.textOf({name, index.end + 1}), "1"));
            }
            continue;
        }
        edit.replace(inner, atomic(target, value) + ';');
    }
    addEdit(cause, "use-atomic", edit);
}

/// What the host calls an array that the kernel calls so, by the launch's arguments.
std::string hostName(const KernelText& kernel, const std::string& array) {
    const auto& parameters = kernel.kernel.parameters;
    const auto found = std::ranges::find(parameters, array, &source::KernelParameter::name);
    const auto index = static_cast<std::size_t>(found - parameters.begin());
    for (const LaunchSite& site : launchSites(kernel, kernel.kernel.name)) {
        if (index < site.arguments.size()) return kernel.copyOf(site.arguments[index]);
    }
    return array;
}

/// The call that allocates what the host calls so: its second argument are the bytes.
std::optional<source::SourceCall> allocationOf(const SourceEdit& text, std::string_view name) {
    for (const std::string_view function : {"cudaMalloc", "cudaMallocManaged"}) {
        for (source::SourceCall& call : text.callsOf(function)) {
            if (call.arguments.size() < 2) continue;
            const std::string_view target = text.textOf(call.arguments[0]);
            const std::size_t mark = target.rfind('&');
            if (mark != target.npos && trimmed(target.substr(mark + 1)) == name)
                return std::move(call);
        }
    }
    return std::nullopt;
}

/// As many bytes as are allocated.
void copyWhole(const SourceEdit& text, const source::SourceCall& copy,
               const source::SourceCall& allocated, RemedyCause& cause) {
    addEdit(cause, "byte-count",
            SourceEdit(text).replace(copy.arguments[2], text.copyOf(allocated.arguments[1])));
}

/// Of `h_a` for d_a what there is for d_b: what differs in the names of the device differs there.
std::string pairedName(const std::string& known, const std::string& ofKnown,
                       const std::string& other) {
    std::size_t begin = 0;
    while (begin < std::min(known.size(), other.size()) && known[begin] == other[begin]) ++begin;
    std::size_t end = 0;
    while (end < std::min(known.size(), other.size()) - begin &&
           known[known.size() - 1 - end] == other[other.size() - 1 - end])
        ++end;
    const std::string part = known.substr(begin, known.size() - begin - end);
    const std::size_t at = part.empty() ? std::string::npos : ofKnown.rfind(part);
    if (at == std::string::npos) return {};
    std::string paired = ofKnown;
    return paired.replace(at, part.size(), other.substr(begin, other.size() - begin - end));
}

void giveValues(const SourceEdit& text, const std::string& name, bool isChanged,
                RemedyCause& cause) {
    const auto allocated = allocationOf(text, name);
    if (!allocated) return;
    const std::string bytes = text.copyOf(allocated->arguments[1]);
    bool isCopied = false;
    for (const source::SourceCall& copy : text.callsOf("cudaMemcpy")) {
        if (copy.arguments.size() != 4 || text.textOf(copy.arguments[3]) != toDevice) continue;
        const std::string to = text.copyOf(copy.arguments[0]);
        if (to == name) {
            isCopied = true;
            copyWhole(text, copy, *allocated, cause);
            continue;
        }
        const std::string from = pairedName(to, text.copyOf(copy.arguments[1]), name);
        const TextSpan statement = text.statementAt(copy.begin);
        if (!from.empty() && source::findWord(text.masked(), from) < statement.begin)
            addEdit(cause, "copy-to-device",
                    SourceEdit(text).insertLineAfter(
                        statement.end, "cudaMemcpy(" + name + ", " + from + ", " + bytes +
                                           ", cudaMemcpyHostToDevice);"));
    }
    cause.advice = isChanged ? "initialise" : "copy-to-device";
    if (isChanged && !isCopied)
        addEdit(cause, "initialise",
                SourceEdit(text).insertLineAfter(text.statementAt(allocated->begin).end,
                                                 "cudaMemset(" + name + ", 0, " + bytes + ");"));
}

/// Zeroes behind the declaration of a shared array, or of a shared variable.
void zeroShared(const KernelText& kernel, const std::string& array, RemedyCause& cause) {
    for (const auto& [declared, sizes] : kernel.sharedNamed(array)) {
        const std::vector<CudaToken> words = kernel.tokensIn(declared);
        const bool isOne = sizes.empty() && words.size() > 1 && words[words.size() - 2].is(array);
        if (sizes.size() != 1 && !isOne) continue;
        const std::string zero = isOne ? "if (threadIdx.x == 0) " + array + " = 0;"
                                       : "for (int at = threadIdx.x; at < " +
                                             kernel.copyOf(sizes[0]) + "; at += blockDim.x) " +
                                             array + "[at] = 0;";
        addEdit(
            cause, "initialise",
            SourceEdit(kernel).insertLineAfter(
                declared.end, zero + '\n' + kernel.indentAt(declared.begin) + "__syncthreads();"));
    }
}

void freeAll(const SourceEdit& text, const std::vector<const Finding*>& findings,
             RemedyCause& cause) {
    SourceEdit edit = text;
    std::set<std::string> freed;
    for (const Finding* finding : findings) {
        if (finding->place.file != text.file() || finding->place.line == 0) continue;
        const std::string name = finding->words.substr(0, finding->words.find(" ("));
        const TextSpan row = text.line(finding->place.line);
        const auto body = text.bodyAt(row.begin);
        if (!body || name.find(' ') != std::string::npos || !freed.insert(name).second) continue;
        // Before the function's last return, or at its end.
        std::optional<std::size_t> last;
        int depth = 0;
        for (const CudaToken& token : text.tokensIn({row.end, body->end})) {
            depth += token.is("{") ? 1 : token.is("}") ? -1 : 0;
            if (depth == 0 && token.is("return")) last = token.begin;
        }
        const std::string call = "cudaFree(" + name + ");";
        if (last && text.statementAt(*last).begin == *last)
            edit.insertLineBefore(*last, call);
        else
            edit.insertLineAfter(text.masked().find_last_not_of(" \t\r\n", body->end - 1) + 1,
                                 call);
    }
    addEdit(cause, "free-memory", edit);
}

/// The copy in a line: its direction turned, or as many bytes as its array on the device has.
void mendCopy(const SourceEdit& text, const Finding& finding, RemedyCause& cause) {
    for (const source::SourceCall& copy :
         text.callsOf("cudaMemcpy", text.line(finding.place.line))) {
        if (copy.arguments.size() != 4) continue;
        const bool isToDevice = text.textOf(copy.arguments[3]) == toDevice;
        if (finding.kind != FindingKind::outOfBounds &&
            (isToDevice || text.textOf(copy.arguments[3]) == toHost))
            addEdit(cause, "copy-direction",
                    SourceEdit(text).replace(copy.arguments[3],
                                             std::string(isToDevice ? toHost : toDevice)));
        for (std::size_t side = 0; side < 2; ++side) {
            if (const auto allocated = allocationOf(text, text.textOf(copy.arguments[side])))
                copyWhole(text, copy, *allocated, cause);
        }
    }
}

/// A block of 256 threads in place of one that is too large.
void shrinkBlock(const SourceEdit& text, const Finding& finding, RemedyCause& cause) {
    const TextSpan row = text.line(finding.place.line);
    for (const LaunchSite& site : launchSites(text)) {
        if (!row.holds(site.begin)) continue;
        const std::vector<TextSpan> axes = dimensionsOf(text, site, 1);
        SourceEdit edit = text;
        edit.replace(behindNames(text, axes[0], site.begin), axes.size() > 1 ? "32" : "256");
        if (axes.size() > 1) edit.replace(behindNames(text, axes[1], site.begin), "8");
        addEdit(cause, "smaller-block", edit);
    }
}

/// Of findings in a kernel.
void findEdits(const KernelText& kernel, const ProgramTrace& trace,
               const std::vector<const Finding*>& findings, RemedyCause& cause) {
    using Kind = FindingKind;
    const Finding& first = *findings.front();
    const Kind kind = first.kind;
    const std::string_view row = kernel.textOf(kernel.line(first.place.line));
    const bool changes =
        row.find("atomic") != row.npos || row.find("+=") != row.npos || row.find("++") != row.npos;
    if (kind == Kind::outOfBounds) {
        for (const Finding* finding : findings)
            guardTail(kernel, launchOf(trace, *finding), beyondOf(*finding), cause, kernel);
        cause.advice = "guard-the-tail";
    }
    if (isRace(kind)) useAtomics(kernel, findings, cause);
    // What blocks share as well, no barrier of one of them puts right.
    const bool isOfBlocks = std::ranges::any_of(trace.findings, [&](const Finding& finding) {
        return finding.kind == Kind::blockRace &&
               std::ranges::find(cause.places, finding.place) != cause.places.end();
    });
    if (kind == Kind::sharedRace || (kind == Kind::globalRace && !isOfBlocks) ||
        (kind == Kind::uninitialisedShared && !changes))
        addBarriers(kernel, findings, cause);
    if (isRace(kind) && (changes || isOfBlocks)) {
        cause.advice = "use-atomic";
    } else if (isRace(kind) && kind != Kind::blockRace) {
        cause.advice = "add-barrier";
    }
    const std::string array = beyondOf(first).array;
    if (kind == Kind::uninitialisedShared) {
        zeroShared(kernel, array, cause);
        cause.advice = "initialise";
    }
    if (kind == Kind::unwrittenMemory) giveValues(kernel, hostName(kernel, array), changes, cause);
}

}  // namespace

void findEdits(const ProgramTrace& trace, const ProgramSources& sources,
               const std::vector<const Finding*>& findings, RemedyCause& cause) {
    using Kind = FindingKind;
    const Kind kind = findings.front()->kind;
    if (kind == Kind::barrierMismatch) cause.advice = "barrier-for-all";
    if (kind == Kind::notReached) {
        for (const Finding* finding : findings) {
            const auto around = kernelAt(sources.units, finding->place);
            coverProblem(trace, sources, around ? around->kernel.name : std::string(), cause);
        }
        return;
    }
    if (const auto kernel = kernelAt(sources.units, findings.front()->place))
        return findEdits(*kernel, trace, findings, cause);
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

}  // namespace warplens
