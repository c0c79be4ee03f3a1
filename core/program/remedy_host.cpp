#include <algorithm>
#include <optional>
#include <ranges>
#include <set>

#include "core/program/remedy_findings.h"
#include "core/text/encoding.h"
#include "core/text/format.h"
#include "core/text/lines.h"

namespace warplens {

using source::NamedBrackets;
using source::SourceEdit;
using source::TextSpan;

namespace {

constexpr std::string_view toDevice = "cudaMemcpyHostToDevice";
constexpr std::string_view toHost = "cudaMemcpyDeviceToHost";

/// The call that allocates what the host calls so: its second argument are the bytes.
std::optional<NamedBrackets> allocationOf(const SourceEdit& text, std::string_view name) {
    for (const std::string_view function : {"cudaMalloc", "cudaMallocManaged"}) {
        for (const NamedBrackets& call : text.bracketsOf(function, '(')) {
            if (call.parts.size() < 2) continue;
            const std::string_view target = text.textOf(call.parts[0]);
            const std::size_t mark = target.rfind('&');
            if (mark != target.npos && trimmed(target.substr(mark + 1)) == name) return call;
        }
    }
    return std::nullopt;
}

/// Of `h_a` for d_a what there is for d_b: what differs in the names of the device differs there.
std::string pairedName(const std::string& known, std::string paired, const std::string& other) {
    const auto [a, b] = std::ranges::mismatch(known, other);
    const std::string_view x(a, known.end());
    const std::string_view y(b, other.end());
    const auto [from, to] = std::ranges::mismatch(x | std::views::reverse, y | std::views::reverse);
    const std::string_view part(x.begin(), from.base());
    const std::size_t at = part.empty() ? std::string::npos : paired.rfind(part);
    if (at == std::string::npos) return {};
    return paired.replace(at, part.size(), std::string_view(y.begin(), to.base()));
}

/// Whether nothing but launches and their grids has the name: it is no size of the problem.
bool isOnlyOfLaunch(const SourceEdit& text, const LaunchSite& site, TextSpan name) {
    std::vector<TextSpan> grids = site.numbers;
    for (const TextSpan each : site.grid) grids.push_back(behindNames(text, each, site.begin));
    const auto value = text.valueOf(text.textOf(name), site.begin);
    return std::ranges::all_of(text.tokens(), [&](const CudaToken& token) {
        return !token.is(text.textOf(name)) ||
               (value && text.statementAt(token.begin).holds(value->begin)) ||
               std::ranges::any_of(grids, [&](TextSpan each) { return each.holds(token.begin); });
    });
}

/// The edit with the launch's kernel working on elements of the whole grid, where it knows those of
/// a block alone: `threadIdx.x` becomes `blockIdx.x * blockDim.x + threadIdx.x`.
SourceEdit withGridIndex(const SourceEdit& text, const LaunchSite& site, SourceEdit edit) {
    for (const source::KernelSource& kernel : source::kernelsIn(text.masked())) {
        const std::vector<CudaToken> body = text.tokensIn({kernel.bodyBegin, kernel.bodyEnd});
        const bool asksBlock =
            std::ranges::any_of(body, [](const CudaToken& token) { return token.is("blockIdx"); });
        if (source::findWord(text.masked(), kernel.name, site.begin) != site.begin || asksBlock)
            continue;
        for (std::size_t at = 1; at + 3 < body.size(); ++at) {
            if (!body[at].is("threadIdx") || !body[at + 2].is("x")) continue;
            const std::string index = "blockIdx.x * blockDim.x + threadIdx.x";
            const bool isAlone = body[at - 1].is("=") || body[at - 1].is("[");
            edit.replace({body[at].begin, body[at + 2].end}, isAlone ? index : '(' + index + ')');
        }
    }
    return edit;
}

}  // namespace

std::string hostName(const KernelText& kernel, const std::string& array) {
    const auto& parameters = kernel.kernel.parameters;
    const auto found = std::ranges::find(parameters, array, &source::KernelParameter::name);
    const auto index = static_cast<std::size_t>(found - parameters.begin());
    for (const LaunchSite& site : launchSites(kernel, kernel.kernel.name)) {
        if (index < site.arguments.size()) return kernel.copyOf(site.arguments[index]);
    }
    return array;
}

void allocateElements(const SourceEdit& text, std::string_view name, std::string_view needed,
                      RemedyCause& cause) {
    const auto allocated = allocationOf(text, name);
    const std::string count = allocated ? text.copyOf(allocated->parts[1]) : "sizeof";
    // Of a copy, it has the same number, and the elements' bytes.
    if (count.find("sizeof") != count.npos ||
        (!needed.empty() && (!needed.starts_with(count) || needed.find("sizeof") == needed.npos)))
        return;
    const bool isSum = count.find_first_of("+-?") != count.npos;
    addEdit(
        cause, "byte-count",
        SourceEdit(text).replace(allocated->parts[1], (isSum ? '(' + count + ')' : count) +
                                                          " * sizeof(*" + std::string(name) + ')'));
    if (!cause.edits.empty() && cause.edits.back().remedy == "byte-count")
        cause.edits.back().detail = "Allocate the elements' bytes: the count is in bytes.";
}

void giveValues(const SourceEdit& text, const std::string& name, bool isChanged,
                RemedyCause& cause) {
    const auto allocated = allocationOf(text, name);
    if (!allocated) return;
    const std::string bytes = text.copyOf(allocated->parts[1]);
    std::vector<NamedBrackets> copies = text.bracketsOf("cudaMemcpy", '(');
    std::erase_if(copies, [&](const NamedBrackets& copy) {
        return copy.parts.size() != 4 || text.textOf(copy.parts[3]) != toDevice;
    });
    const bool isCopied = std::ranges::any_of(
        copies, [&](const NamedBrackets& copy) { return text.textOf(copy.parts[0]) == name; });
    for (const auto& [whole, arguments] : copies) {
        const std::string to = text.copyOf(arguments[0]);
        if (to == name) {
            addEdit(cause, "byte-count", SourceEdit(text).replace(arguments[2], bytes));
            continue;
        }
        const std::string from = pairedName(to, text.copyOf(arguments[1]), name);
        const TextSpan statement = text.statementAt(whole.begin);
        if (!isCopied && !from.empty() && source::findWord(text.masked(), from) < statement.begin)
            addEdit(cause, "copy-to-device",
                    SourceEdit(text).insertLineAfter(
                        statement.end, "cudaMemcpy(" + name + ", " + from + ", " + bytes +
                                           ", cudaMemcpyHostToDevice);"));
    }
    // `cudaMemset(a, 0, sizeof a)` of a pointer.
    for (const NamedBrackets& set : text.bracketsOf("cudaMemset", '(')) {
        if (set.parts.size() == 3 && text.textOf(set.parts[0]) == name)
            addEdit(cause, "byte-count", SourceEdit(text).replace(set.parts[2], bytes));
    }
    cause.advice = isChanged ? "initialise" : "copy-to-device";
    if (isChanged && !isCopied)
        addEdit(cause, "initialise",
                SourceEdit(text).insertLineAfter(text.statementAt(allocated->whole.begin).end,
                                                 "cudaMemset(" + name + ", 0, " + bytes + ");"));
}

void freeAll(const SourceEdit& text, const std::vector<const Finding*>& findings,
             RemedyCause& cause) {
    SourceEdit edit = text;
    std::set<std::string> freed;
    for (const Finding* finding : findings) {
        if (finding->place.file != text.file() || finding->place.line == 0) continue;
        const TextSpan row = text.line(finding->place.line);
        const auto around = text.statementsAround(source::skipBlanks(text.masked(), row.begin));
        std::vector<std::string> calls;
        for (const std::string_view each : cellsOf(finding->words, ',')) {
            const std::string name(each.substr(0, each.find(" (")));
            if (name.find(' ') == std::string::npos && freed.insert(name).second)
                calls.push_back("cudaFree(" + name + ");");
        }
        if (around.empty()) continue;
        // Before the function's last return, or at its end.
        const TextSpan body = around.front().inside;
        std::optional<std::size_t> last;
        for (const CudaToken& token : text.tokensIn({row.end, body.end})) {
            if (token.is("return") && text.statementsAround(token.begin).size() == 2)
                last = token.begin;
        }
        for (const std::string& call : calls) {
            if (last)
                edit.insertLineBefore(*last, call);
            else
                edit.insertLineAfter(text.masked().find_last_not_of(" \t\r\n", body.end - 1) + 1,
                                     call);
        }
    }
    addEdit(cause, "free-memory", edit);
}

void mendCopy(const SourceEdit& text, const Finding& finding, RemedyCause& cause) {
    for (const auto& [whole, arguments] :
         text.bracketsOf("cudaMemcpy", '(', text.line(finding.place.line))) {
        if (arguments.size() != 4) continue;
        const std::string_view direction = text.textOf(arguments[3]);
        if (finding.kind != FindingKind::outOfBounds && finding.kind != FindingKind::mayBeWhy &&
            (direction == toDevice || direction == toHost))
            addEdit(cause, "copy-direction",
                    SourceEdit(text).replace(
                        arguments[3], std::string(direction == toDevice ? toHost : toDevice)));
        if (finding.kind == FindingKind::hostPointer || finding.kind == FindingKind::devicePointer)
            addEdit(cause, "copy-direction",
                    SourceEdit(text)
                        .replace(arguments[0], text.copyOf(arguments[1]))
                        .replace(arguments[1], text.copyOf(arguments[0])));
        for (std::size_t side = 0; side < 2; ++side)
            allocateElements(text, text.textOf(arguments[side]), text.textOf(arguments[2]), cause);
        for (std::size_t side = 0; side < 2; ++side) {
            if (const auto allocated = allocationOf(text, text.textOf(arguments[side])))
                addEdit(cause, "byte-count",
                        SourceEdit(text).replace(arguments[2], text.copyOf(allocated->parts[1])));
        }
    }
}

void waitBefore(const SourceEdit& text, const Finding& finding, RemedyCause& cause) {
    const TextSpan line = text.line(finding.place.line);
    const std::vector<CudaToken> tokens = text.tokensIn(line);
    if (tokens.empty()) return;
    const std::size_t from = tokens.front().begin;
    std::size_t at = text.statementAt(from).begin;
    for (const source::Statement& each : text.statementsAround(from)) {
        const std::string_view words = text.textOf(each.whole);
        const bool isLoop = each.condition.size() != 0 && !words.starts_with("if");
        if (!isLoop || words.find("<<<") != words.npos || words.find("cuda") != words.npos)
            continue;
        at = std::min(at, each.whole.begin);
        break;
    }
    const std::string_view said = finding.words;
    for (const NamedBrackets& copy : text.bracketsOf("cudaMemcpyAsync", '(', {0, at})) {
        const bool isOfIt =
            copy.parts.size() == 5 &&
            said.find(' ' + text.copyOf(copy.parts[0]) + ", which cudaMemcpyAsync") != said.npos;
        if (isOfIt)
            return addEdit(cause, "wait-for-device",
                           SourceEdit(text).insertLineBefore(
                               at, "cudaStreamSynchronize(" + text.copyOf(copy.parts[4]) + ");"));
    }
    addEdit(cause, "wait-for-device",
            SourceEdit(text).insertLineBefore(at, "cudaDeviceSynchronize();"));
}

namespace {

/// `128 * 2 * sizeof(double)` with another factor, so that it comes to `after` in place of
/// `before`, and not by that of the block's threads where another one may be it; empty where no
/// whole number does.
std::string scaled(const SourceEdit& text, TextSpan written, std::uint64_t before,
                   std::uint64_t after, std::uint64_t threads) {
    if (source::wholeNumber(text.textOf(written))) return std::to_string(after);
    const bool isSum = text.partsOf(written, '+').size() > 1;
    for (const bool isOfBlock : {false, true}) {
        for (const TextSpan factor : text.partsOf(written, '*')) {
            const auto number = source::wholeNumber(text.textOf(factor));
            const std::uint64_t product = static_cast<std::uint64_t>(number.value_or(0)) * after;
            if (product == 0 || product % before != 0 || isSum ||
                isOfBlock != std::cmp_equal(*number, threads))
                continue;
            return SourceEdit(text.textOf(written))
                .replace({factor.begin - written.begin, factor.end - written.begin},
                         std::to_string(product / before))
                .result();
        }
        if (after % before != 0) continue;
        return std::to_string(after / before) + " * " +
               (isSum ? '(' + text.copyOf(written) + ')' : text.copyOf(written));
    }
    return {};
}

}  // namespace

bool giveShared(const ProgramTrace& trace, const ProgramSources& sources,
                const std::vector<const Finding*>& findings, RemedyCause& cause) {
    const auto isOfIt = [](const Finding* each) {
        return each->accessed && each->accessed->isOfLaunch;
    };
    const auto first = std::ranges::find_if(findings, isOfIt);
    if (first == findings.end()) return false;
    const AccessedBytes& accessed = *(*first)->accessed;
    const std::uint64_t given = accessed.ofArray;
    // Of loads alone that go a little beyond it threads may be too many.
    const bool isMore = 4 * accessed.reached >= 5 * given ||
                        std::ranges::any_of(findings, [&](const Finding* each) {
                            return isOfIt(each) && isStore(each->accessed->kind);
                        });
    const auto launch = std::ranges::find(trace.launches, (*first)->launch.value_or(UINT32_MAX),
                                          &LaunchReport::index);
    if (accessed.reached <= given || !isMore || launch == trace.launches.end()) return false;
    cause.advice = "more-shared-memory";
    cause.detail = "The launch gives " + groupedDigits(given) +
                   " bytes of dynamic shared memory, and its kernel reaches " +
                   groupedDigits(accessed.reached) +
                   ": give it as many, by the third number between <<< and >>>.";
    for (const ProgramFile& file : sources.units) {
        const SourceEdit text(file.text, file.path);
        for (const LaunchSite& site : launchSites(text)) {
            if (file.path != launch->place.file || !text.line(launch->place.line).holds(site.begin))
                continue;
            SourceEdit edit = text;
            if (site.numbers.size() == 2) {
                edit.insert(site.numbers[1].end, ", " + std::to_string(accessed.reached));
            } else if (given != 0) {
                TextSpan written = site.numbers[2];
                if (std::ranges::all_of(text.textOf(written), source::isNameCharacter) &&
                    !source::wholeNumber(text.textOf(written)))
                    written = text.valueOf(text.textOf(written), site.begin).value_or(written);
                const std::string bytes =
                    scaled(text, written, given, accessed.reached, launch->launch.block.count());
                if (!bytes.empty()) edit.replace(written, bytes);
            }
            addEdit(cause, cause.advice, edit);
        }
    }
    for (TriedRemedy& edit : cause.edits) edit.detail = cause.detail;
    return std::ranges::all_of(findings, isOfIt);
}

void shrinkBlock(const SourceEdit& text, const Finding& finding, RemedyCause& cause) {
    const TextSpan row = text.line(finding.place.line);
    for (const LaunchSite& site : launchSites(text)) {
        if (!row.holds(site.begin)) continue;
        SourceEdit edit = text;
        // As many threads as before along each axis, by a grid that does not follow by itself.
        std::vector<std::string> grid;
        bool follows = true;
        for (std::size_t axis = 0; axis < site.block.size(); ++axis) {
            const std::string size = site.block.size() == 1 ? "256" : axis == 0 ? "32" : "8";
            // What has one number was looked up already.
            const TextSpan written = site.block.size() == 1 ? site.numbers[1] : site.block[axis];
            const TextSpan block = isOnlyOfLaunch(text, site, written)
                                       ? behindNames(text, site.block[axis], site.begin)
                                       : written;
            const std::string was = text.copyOf(block);
            const bool isNamed = block.begin != site.block[axis].begin;
            if (axis < 2) edit.replace(block, size);
            std::string blocks = axis < site.grid.size() ? text.copyOf(site.grid[axis]) : "1";
            const std::string made =
                axis < site.grid.size()
                    ? text.copyOf(behindNames(text, site.grid[axis], site.begin))
                    : blocks;
            if (axis < 2 &&
                !(isNamed && source::findWord(blocks + ' ' + made, text.textOf(site.block[axis])) !=
                                 source::nowhere)) {
                follows = false;
                if (source::wholeNumber(blocks) && source::wholeNumber(was))
                    blocks =
                        std::to_string((*source::wholeNumber(blocks) * *source::wholeNumber(was) +
                                        *source::wholeNumber(size) - 1) /
                                       *source::wholeNumber(size));
                else
                    blocks = '(' + (blocks == "1" ? "" : '(' + blocks + ") * ") +
                             (std::ranges::all_of(was, source::isNameCharacter) ? was
                                                                                : '(' + was + ')') +
                             " + " + size + " - 1) / " + size;
            }
            grid.push_back(std::move(blocks));
        }
        if (!follows) {
            for (std::size_t axis = grid.size(); axis < site.grid.size(); ++axis)
                grid.push_back(text.copyOf(site.grid[axis]));
            std::string all = grid[0];
            for (std::size_t axis = 1; axis < grid.size(); ++axis) all += ", " + grid[axis];
            edit.replace(site.numbers[0], grid.size() == 1 ? all : "dim3(" + all + ')');
        }
        addEdit(cause, "smaller-block", withGridIndex(text, site, edit));
        addEdit(cause, "smaller-block", edit);
    }
}

void passDevicePointer(const KernelText& kernel, RemedyCause& cause) {
    cause.advice = "device-pointer";
    SourceEdit edit = kernel;
    for (const LaunchSite& site : launchSites(kernel, kernel.kernel.name)) {
        for (const TextSpan argument : site.arguments) {
            for (const NamedBrackets& copy : kernel.bracketsOf("cudaMemcpy", '(')) {
                if (copy.parts.size() == 4 && kernel.textOf(copy.parts[3]) == toDevice &&
                    kernel.textOf(copy.parts[1]) == kernel.textOf(argument))
                    edit.replace(argument, kernel.copyOf(copy.parts[0]));
            }
        }
    }
    addEdit(cause, "device-pointer", edit);
}

void waitForStream(const ProgramSources& sources, RemedyCause& cause) {
    cause.advice = "wait-for-stream";
    for (const ProgramFile& file : sources.units) {
        const SourceEdit text(file.text, file.path);
        for (const NamedBrackets& call : text.bracketsOf("cudaEventRecord", '(')) {
            const TextSpan record = text.statementAt(call.whole.begin);
            const TextSpan launch = text.statementAt(source::skipBlanks(text.masked(), record.end));
            if (text.textOf(launch).find("<<<") == std::string_view::npos) continue;
            const std::size_t before = cause.edits.size();
            addEdit(cause, cause.advice,
                    SourceEdit(text)
                        .replace(record, text.copyOf(launch))
                        .replace(launch, text.copyOf(record)));
            if (cause.edits.size() > before)
                cause.edits.back().detail =
                    "Record the event behind the launch: it tells of what "
                    "was put into the stream before it.";
        }
    }
}

}  // namespace warplens
