#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <set>

#include "core/program/cuda_tokens.h"
#include "core/program/remedy_edits.h"
#include "core/text/encoding.h"

namespace warplens {

using source::SourceEdit;
using source::TextSpan;

namespace {

/// `a` and 1000 of "load from a[1000], which has 1000 elements"; the name alone of others.
struct NamedElement final {
    std::string array;
    std::optional<std::int64_t> index;
    std::optional<std::int64_t> elements;
};
NamedElement elementIn(std::string_view words) {
    NamedElement found;
    const std::size_t open = words.find('[');
    const std::size_t before = open == words.npos ? open : words.rfind(' ', open);
    if (open != words.npos && before != words.npos) {
        found.array = std::string(words.substr(before + 1, open - before - 1));
        found.index = std::atoll(std::string(words.substr(open + 1)).c_str());
    }
    constexpr std::string_view has = "which has ";
    if (const std::size_t at = words.find(has); at != words.npos)
        found.elements = std::atoll(std::string(words.substr(at + has.size())).c_str());
    return found;
}

bool waitsForOthers(const KernelText& kernel) {
    for (const std::string_view word :
         {"__syncthreads", "__syncwarp", "__shfl_sync", "__shfl_down_sync", "__shfl_xor_sync",
          "__ballot_sync", "cooperative_groups", "cg", "sync"}) {
        if (kernel.says(word)) return true;
    }
    return false;
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
    for (const CudaToken& token : kernel.text.tokens()) {
        if (token.kind != CudaTokenKind::directive || directiveName(token) != "define") continue;
        const std::vector<CudaToken> words = directiveTokens(token);
        if (words.size() == 3 && words[2].is(std::to_string(value)))
            return std::string(words[1].text);
    }
    return {};
}

bool isName(std::string_view words) {
    return !words.empty() && std::isdigit(static_cast<unsigned char>(words.front())) == 0 &&
           std::ranges::all_of(words, source::isNameCharacter);
}

/// A return behind the definition of what the index is made of, or a condition at the access.
void guardIndex(const KernelText& kernel, const LaunchReport* launch, const Finding& finding,
                const std::vector<TextSpan>& indices, TextSpan chosen, RemedyCause& cause,
                const SourceEdit* also) {
    const NamedElement element = elementIn(finding.words);
    const TextSpan row = kernel.text.line(finding.place.line);
    const SourceEdit& begun = also == nullptr ? kernel.text : *also;
    const std::string index(kernel.text.textOf(chosen));
    const std::string count = nameWith(*element.elements, kernel, launch);
    const auto definedAt = [&](std::string_view name) -> std::optional<std::size_t> {
        const auto value = kernel.text.valueOf(name, row.begin);
        if (!value || !kernel.body.holds(value->begin)) return std::nullopt;
        return kernel.text.statementAt(value->begin).end;
    };
    std::string condition;  // for those that go on
    std::string beyond;
    std::size_t behind = 0;
    const std::vector<CudaToken> tokens = kernel.text.tokensIn(chosen);
    if (!count.empty()) {
        condition = index + " < " + count;
        if (const auto at = isName(index) ? definedAt(index) : std::nullopt) {
            beyond = index + " >= " + count;
            behind = *at;
        }
    } else if (tokens.size() == 5 && tokens[1].is("*") && tokens[3].is("+") && launch != nullptr) {
        // `row * width + column`
        const std::string rowName(tokens[0].text);
        const std::string width(tokens[2].text);
        const std::string column(tokens[4].text);
        for (const auto& [argument, number] : launch->arguments.entries()) {
            if (argument != width || number == 0) continue;
            const std::string height = nameWith(*element.elements / number, kernel, launch);
            if (height.empty()) continue;
            condition = rowName + " < " + height + " && " + column + " < " + width;
            beyond = rowName + " >= " + height + " || " + column + " >= " + width;
            const auto first = definedAt(rowName);
            const auto second = definedAt(column);
            if (first && second) behind = std::max(*first, *second);
        }
    }
    if (condition.empty()) return;
    if (element.index && *element.index < 0) condition = index + " >= 0";
    if (behind != 0 && !waitsForOthers(kernel) && element.index && *element.index >= 0) {
        SourceEdit edit = begun;
        edit.insertLineAfter(behind, "if (" + beyond + ") return;");
        addEdit(cause, "guard-the-tail", kernel.file, edit);
    }
    SourceEdit edit = begun;
    if (finding.words.starts_with("load")) {
        for (const TextSpan each : indices) {
            const std::size_t name = kernel.text.masked().rfind(element.array, each.begin);
            if (kernel.text.textOf(each) != index) continue;
            edit.insert(name, '(' + condition + " ? ");
            edit.insert(each.end + 1, " : 0)");
        }
    } else {
        const TextSpan statement = kernel.text.statementAt(chosen.begin);
        edit.insert(kernel.text.ruledAt(statement, chosen.begin).begin, "if (" + condition + ") ");
    }
    addEdit(cause, "guard-the-tail", kernel.file, edit);
}

/// Of each index that the array has in the line.
void guardTail(const KernelText& kernel, const LaunchReport* launch, const Finding& finding,
               RemedyCause& cause, const SourceEdit* also = nullptr) {
    const NamedElement element = elementIn(finding.words);
    if (!element.elements || element.array.empty()) return;
    const std::vector<TextSpan> indices = kernel.text.indicesOf(
        element.array, kernel.text.statementAt(kernel.beginOf(finding.place.line)));
    for (const TextSpan index : indices)
        guardIndex(kernel, launch, finding, indices, index, cause, also);
}

/// `a / b` becomes `(a + b - 1) / b` where it says how many blocks there are.
bool roundUpBlocks(SourceEdit& edit, std::string_view kernel) {
    for (const LaunchSite& site : launchSites(edit, kernel)) {
        for (const TextSpan count : dimensionsOf(edit, site.configuration[0], site.begin)) {
            int depth = 0;
            std::size_t slash = 0;
            for (std::size_t at = count.begin; at < count.end; ++at) {
                const char c = edit.masked()[at];
                depth += c == '(' ? 1 : c == ')' ? -1 : 0;
                if (c == '/' && depth == 0) slash = at;
            }
            if (slash == 0) continue;
            const std::string left(trimmed(edit.textOf({count.begin, slash})));
            const std::string right(trimmed(edit.textOf({slash + 1, count.end})));
            if (left.find(right) != std::string::npos) continue;  // rounded up already
            edit.replace(count, '(' + left + " + " + right + " - 1) / " + right);
        }
    }
    return edit.isChanged();
}

void coverProblem(const ProgramTrace& trace, const ProgramSources& sources,
                  const std::string& kernel, RemedyCause& cause) {
    for (const ProgramFile& file : sources.units) {
        SourceEdit edit(file.text);
        if (!roundUpBlocks(edit, std::string_view(kernel).substr(0, kernel.find('<')))) continue;
        addEdit(cause, "cover-the-problem", file.path, edit);
        // Threads that are too many then: a guard as well.
        for (const source::KernelSource& each : source::kernelsIn(edit.masked())) {
            const TextSpan body{each.bodyBegin, each.bodyEnd};
            if (!kernel.empty() && !kernel.starts_with(each.name)) continue;
            const KernelText text{file.path, SourceEdit(file.text), each, body};
            for (const LaunchReport& launch : trace.launches) {
                if (launch.kernel != each.name && !launch.kernel.starts_with(each.name + '<'))
                    continue;
                for (const ProgramLine& line : launch.lines) {
                    if (line.kind != AccessKind::store || line.source != Source::predicted)
                        continue;
                    for (const auto& [argument, number] : launch.arguments.entries()) {
                        if (number < static_cast<std::int64_t>(launch.launch.block.x)) continue;
                        const std::string last = std::to_string(number);
                        Finding beyond;
                        beyond.words = "store to " + line.array + '[' + last + "], which has " +
                                       last + " elements";
                        beyond.place = line.place;
                        guardTail(text, &launch, beyond, cause, &edit);
                    }
                }
            }
        }
    }
}

/// Before the statement; within the braces that a loop's only statement gets then.
void insertBarrier(SourceEdit& edit, TextSpan statement, std::size_t at, bool isBefore,
                   const std::string& barrier) {
    TextSpan inner = statement;
    const std::string_view words(edit.masked());
    if (words.substr(statement.begin).starts_with("for") ||
        words.substr(statement.begin).starts_with("while")) {
        inner = edit.ruledAt(statement, at);
        const std::size_t open = edit.masked().find('(', statement.begin);
        const std::size_t first =
            source::skipBlanks(edit.masked(), source::closing(edit.masked(), open));
        if (inner.begin != statement.begin && first < statement.end) {
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

/// Which statements race: their spans, each once.
std::vector<std::pair<TextSpan, std::size_t>> statementsOf(
    const KernelText& kernel, const std::vector<const Finding*>& findings) {
    std::vector<std::pair<TextSpan, std::size_t>> all;
    for (const Finding* finding : findings) {
        const std::size_t at = kernel.beginOf(finding->place.line);
        if (!kernel.body.holds(at)) continue;
        const TextSpan statement = kernel.text.statementAt(at);
        const auto isSame = [&](const auto& each) { return each.first.begin == statement.begin; };
        if (std::ranges::none_of(all, isSame)) all.emplace_back(statement, at);
    }
    return all;
}

void addBarriers(const KernelText& kernel, const std::vector<const Finding*>& findings,
                 RemedyCause& cause) {
    const auto statements = statementsOf(kernel, findings);
    const std::string barrier = "__syncthreads();";
    for (auto each = statements.rbegin(); each != statements.rend(); ++each) {
        SourceEdit edit = kernel.text;
        insertBarrier(edit, each->first, each->second, true, barrier);
        addEdit(cause, "add-barrier", kernel.file, edit);
    }
    SourceEdit before = kernel.text;
    for (const auto& [statement, at] : statements)
        insertBarrier(before, statement, at, true, barrier);
    addEdit(cause, "add-barrier", kernel.file, before);
    for (const auto& [statement, at] : statements) {
        SourceEdit edit = kernel.text;
        insertBarrier(edit, statement, at, false, barrier);
        addEdit(cause, "add-barrier", kernel.file, edit);
        insertBarrier(edit, statement, at, true, barrier);
        addEdit(cause, "add-barrier", kernel.file, edit);
    }
}

/// `a[i] += v;`, `a[i] = a[i] + v;` and `a[i]++` become atomicAdd(&a[i], v).
void useAtomics(const KernelText& kernel, const std::vector<const Finding*>& findings,
                RemedyCause& cause) {
    SourceEdit edit = kernel.text;
    const auto atomic = [](std::string_view target, std::string_view value) {
        const std::string address =
            target.starts_with('*') ? std::string(target.substr(1)) : '&' + std::string(target);
        return "atomicAdd(" + address + ", " + std::string(trimmed(value)) + ')';
    };
    for (const auto& [statement, at] : statementsOf(kernel, findings)) {
        const TextSpan inner = kernel.text.ruledAt(statement, statement.end - 1);
        std::string_view words = trimmed(kernel.text.textOf(inner));
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
            const std::string array = elementIn(findings.front()->words).array;
            for (const TextSpan index : kernel.text.indicesOf(array, inner)) {
                const std::size_t name = kernel.text.masked().rfind(array, index.begin);
                const std::size_t behind = source::skipBlanks(kernel.text.masked(), index.end + 1);
                if (kernel.text.masked().compare(behind, 2, "++") == 0)
                    edit.replace({name, behind + 2},
                                 atomic(kernel.text.textOf({name, index.end + 1}), "1"));
            }
            continue;
        }
        edit.replace(inner, atomic(target, value) + ';');
    }
    addEdit(cause, "use-atomic", kernel.file, edit);
}

/// What the host calls an array that the kernel calls so, by the launch's arguments.
std::string hostName(const KernelText& kernel, const std::string& array) {
    const auto& parameters = kernel.kernel.parameters;
    const auto found = std::ranges::find(parameters, array, &source::KernelParameter::name);
    const auto index = static_cast<std::size_t>(found - parameters.begin());
    for (const LaunchSite& site : launchSites(kernel.text, kernel.kernel.name)) {
        if (index < site.arguments.size())
            return std::string(kernel.text.textOf(site.arguments[index]));
    }
    return array;
}

/// The call that allocates what the host calls so: the argument with the bytes, and its statement.
struct Allocated final {
    std::string bytes;
    TextSpan statement;
};
std::optional<Allocated> allocationOf(const SourceEdit& text, const std::string& name) {
    for (const std::string_view call : {"cudaMalloc", "cudaMallocManaged"}) {
        for (const std::size_t at : text.callsOf(call)) {
            const std::vector<TextSpan> arguments = text.argumentsAt(text.masked().find('(', at));
            if (arguments.size() < 2) continue;
            const std::string_view target = text.textOf(arguments[0]);
            const std::size_t mark = target.rfind('&');
            if (mark == target.npos || trimmed(target.substr(mark + 1)) != name) continue;
            return Allocated{std::string(text.textOf(arguments[1])), text.statementAt(at)};
        }
    }
    return std::nullopt;
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

void giveValues(const SourceEdit& text, const std::string& file, const std::string& name,
                bool isChanged, RemedyCause& cause) {
    const auto allocated = allocationOf(text, name);
    if (!allocated) return;
    bool isCopied = false;
    for (const std::size_t at : text.callsOf("cudaMemcpy")) {
        const std::vector<TextSpan> arguments = text.argumentsAt(text.masked().find('(', at));
        if (arguments.size() != 4 || text.textOf(arguments[3]) != "cudaMemcpyHostToDevice")
            continue;
        const std::string to(text.textOf(arguments[0]));
        if (to == name) {
            isCopied = true;
            SourceEdit edit = text;
            edit.replace(arguments[2], allocated->bytes);
            if (text.textOf(arguments[2]) != allocated->bytes)
                addEdit(cause, "byte-count", file, edit);
            continue;
        }
        const std::string from = pairedName(to, std::string(text.textOf(arguments[1])), name);
        const bool isThere =
            !from.empty() && source::findWord(text.masked(), from) < text.statementAt(at).begin;
        if (!isThere) continue;
        SourceEdit edit = text;
        edit.insertLineAfter(text.statementAt(at).end, "cudaMemcpy(" + name + ", " + from + ", " +
                                                           allocated->bytes +
                                                           ", cudaMemcpyHostToDevice);");
        addEdit(cause, "copy-to-device", file, edit);
    }
    cause.advice = isChanged ? "initialise" : "copy-to-device";
    if (!isChanged || isCopied) return;
    SourceEdit edit = text;
    edit.insertLineAfter(allocated->statement.end,
                         "cudaMemset(" + name + ", 0, " + allocated->bytes + ");");
    addEdit(cause, "initialise", file, edit);
}

/// Zeroes behind the declaration of a shared array.
void zeroShared(const KernelText& kernel, const std::string& array, RemedyCause& cause) {
    for (const CudaToken& token : kernel.text.tokensIn(kernel.body)) {
        if (!token.is("__shared__")) continue;
        const TextSpan declared = kernel.text.statementAt(token.begin);
        const std::vector<TextSpan> sizes = kernel.text.indicesOf(array, declared);
        const std::vector<CudaToken> words = kernel.text.tokensIn(declared);
        SourceEdit edit = kernel.text;
        if (sizes.size() == 1 && kernel.text.masked()[sizes[0].end + 1] != '[') {
            edit.insertLineAfter(declared.end, "for (int at = threadIdx.x; at < " +
                                                   std::string(kernel.text.textOf(sizes[0])) +
                                                   "; at += blockDim.x) " + array + "[at] = 0;\n" +
                                                   edit.indentAt(declared.begin) +
                                                   "__syncthreads();");
            addEdit(cause, "initialise", kernel.file, edit);
        } else if (sizes.empty() && words.size() > 1 && words[words.size() - 2].is(array)) {
            edit.insertLineAfter(declared.end, "if (threadIdx.x == 0) " + array + " = 0;\n" +
                                                   edit.indentAt(declared.begin) +
                                                   "__syncthreads();");
            addEdit(cause, "initialise", kernel.file, edit);
        }
    }
}

void freeAll(const ProgramFile& file, const std::vector<const Finding*>& findings,
             RemedyCause& cause) {
    SourceEdit edit(file.text);
    std::set<std::string> freed;
    for (const Finding* finding : findings) {
        if (finding->place.file != file.path || finding->place.line == 0) continue;
        const std::string name = finding->words.substr(0, finding->words.find(" ("));
        const TextSpan row = edit.line(finding->place.line);
        const auto body = edit.bodyAt(row.begin);
        if (!body || name.find(' ') != std::string::npos || !freed.insert(name).second) continue;
        // Before the function's last return, or at its end.
        std::size_t at = body->end;
        std::size_t last = source::nowhere;
        int depth = 0;
        for (std::size_t i = row.end; i < body->end; ++i) {
            depth += edit.masked()[i] == '{' ? 1 : edit.masked()[i] == '}' ? -1 : 0;
            if (depth == 0 && edit.masked().compare(i, 6, "return") == 0 &&
                !source::isNameCharacter(edit.masked()[i - 1]))
                last = i;
        }
        const std::string call = "cudaFree(" + name + ");";
        if (last != source::nowhere && edit.statementAt(last).begin == last) {
            edit.insertLineBefore(last, call);
        } else {
            while (at > body->begin &&
                   std::isspace(static_cast<unsigned char>(edit.masked()[at - 1])) != 0)
                --at;
            edit.insertLineAfter(at, call);
        }
    }
    addEdit(cause, "free-memory", file.path, edit);
}

/// The copy in a line: its direction turned, or as many bytes as its array on the device has.
void mendCopy(const ProgramFile& file, const Finding& finding, RemedyCause& cause) {
    const SourceEdit text(file.text);
    const TextSpan row = text.line(finding.place.line);
    for (const std::size_t at : text.callsOf("cudaMemcpy")) {
        if (!row.holds(at)) continue;
        const std::vector<TextSpan> arguments = text.argumentsAt(text.masked().find('(', at));
        if (arguments.size() != 4) continue;
        const std::string_view direction = text.textOf(arguments[3]);
        if (finding.kind != FindingKind::outOfBounds) {
            SourceEdit edit = text;
            if (direction == "cudaMemcpyHostToDevice")
                edit.replace(arguments[3], "cudaMemcpyDeviceToHost");
            if (direction == "cudaMemcpyDeviceToHost")
                edit.replace(arguments[3], "cudaMemcpyHostToDevice");
            addEdit(cause, "copy-direction", file.path, edit);
        }
        for (std::size_t side = 0; side < 2; ++side) {
            const auto allocated = allocationOf(text, std::string(text.textOf(arguments[side])));
            if (!allocated || allocated->bytes == text.textOf(arguments[2])) continue;
            SourceEdit edit = text;
            edit.replace(arguments[2], allocated->bytes);
            addEdit(cause, "byte-count", file.path, edit);
        }
    }
}

/// A block of 256 threads in place of one that is too large.
void shrinkBlock(const ProgramFile& file, const Finding& finding, RemedyCause& cause) {
    cause.advice = "read-errors";
    const SourceEdit text(file.text);
    const TextSpan row = text.line(finding.place.line);
    for (const LaunchSite& site : launchSites(text)) {
        if (!row.holds(site.begin)) continue;
        std::vector<TextSpan> axes = dimensionsOf(text, site.configuration[1], site.begin);
        for (TextSpan& axis : axes) {
            for (int names = 0; names < 4; ++names) {
                const auto value = text.valueOf(text.textOf(axis), site.begin);
                if (!value) break;
                axis = *value;
            }
        }
        SourceEdit edit = text;
        edit.replace(axes[0], axes.size() > 1 ? "32" : "256");
        if (axes.size() > 1) edit.replace(axes[1], "8");
        addEdit(cause, "smaller-block", file.path, edit);
    }
}

}  // namespace

void findEdits(const ProgramTrace& trace, const ProgramSources& sources,
               const std::vector<const Finding*>& findings, RemedyCause& cause) {
    using Kind = FindingKind;
    const Finding& first = *findings.front();
    const Kind kind = first.kind;
    const std::optional<KernelText> kernel = kernelAt(sources, first.place);
    const auto changes = [&](const Finding& finding) {
        if (!kernel) return false;
        const std::string_view row = kernel->text.textOf(kernel->text.line(finding.place.line));
        return row.find("atomic") != row.npos || row.find("+=") != row.npos ||
               row.find("++") != row.npos;
    };
    if (kind == Kind::barrierMismatch) cause.advice = "barrier-for-all";
    if (kind == Kind::notReached) {
        for (const Finding* finding : findings) {
            const auto around = kernelAt(sources, finding->place);
            coverProblem(trace, sources, around ? around->kernel.name : std::string(), cause);
        }
        return;
    }
    if (kernel) {
        if (kind == Kind::outOfBounds) {
            for (const Finding* finding : findings)
                guardTail(*kernel, launchOf(trace, *finding), *finding, cause);
            cause.advice = "guard-the-tail";
        }
        if (isRace(kind)) useAtomics(*kernel, findings, cause);
        // What blocks share as well, no barrier of one of them puts right.
        const bool isOfBlocks = std::ranges::any_of(trace.findings, [&](const Finding& finding) {
            return finding.kind == Kind::blockRace &&
                   std::ranges::find(cause.places, finding.place) != cause.places.end();
        });
        if (kind == Kind::sharedRace || (kind == Kind::globalRace && !isOfBlocks) ||
            (kind == Kind::uninitialisedShared && !changes(first)))
            addBarriers(*kernel, findings, cause);
        if (isRace(kind) && (changes(first) || isOfBlocks)) {
            cause.advice = "use-atomic";
        } else if (isRace(kind) && kind != Kind::blockRace) {
            cause.advice = "add-barrier";
        }
        if (kind == Kind::uninitialisedShared) {
            zeroShared(*kernel, elementIn(first.words).array, cause);
            cause.advice = "initialise";
        }
        if (kind == Kind::unwrittenMemory) {
            const std::string name = hostName(*kernel, elementIn(first.words).array);
            giveValues(kernel->text, kernel->file, name, changes(first), cause);
        }
        return;
    }
    for (const ProgramFile& file : sources.units) {
        if (kind == Kind::neverFreed) freeAll(file, findings, cause);
        for (const Finding* finding : findings) {
            if (finding->place.file != file.path || finding->place.line == 0) continue;
            if (kind == Kind::hostPointer || kind == Kind::devicePointer ||
                kind == Kind::outOfBounds)
                mendCopy(file, *finding, cause);
            if (kind == Kind::launchRefused) shrinkBlock(file, *finding, cause);
            // What is copied back and nobody has written: a grid that is too small, mostly.
            if (kind == Kind::unwrittenMemory) {
                mendCopy(file, *finding, cause);
                coverProblem(trace, sources, "", cause);
            }
        }
    }
    if (kind == Kind::neverFreed) cause.advice = "free-memory";
}

}  // namespace warplens
