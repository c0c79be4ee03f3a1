#include "core/program/remedy_findings.h"

#include <algorithm>
#include <regex>

#include "core/launch/mapping.h"
#include "core/program/called_functions.h"
#include "core/program/index_derivation.h"
#include "core/text/format.h"

namespace warplens {

using source::NamedBrackets;
using source::SourceEdit;
using source::TextSpan;

namespace {

/// What the kernel calls an array of which the line reads an element, changes it and writes it
/// back, and reads no other of it: `a[i]++`, `*a += v`, `a[i] = a[i] + v`; empty where it does not.
std::string changedIn(const KernelText& kernel, std::uint32_t line, const std::string& array) {
    static const std::regex form(
        R"(^(?:(?:\+\+|--)\s*\(?\*?(\w+)|(\(?\*?(\w+)[^=;]*?)\s*(?:\+\+|--|(?:[-+*/%&|^]|<<|>>)=|=\s*\2\s*[-+*/%&|^])))");
    for (const TextSpan each : ruledIn(kernel, kernel.beginOf(line))) {
        const std::string text = kernel.copyOf(each);
        std::smatch found;
        if (!std::regex_search(text, found, form)) continue;
        std::string name = found.str(1) + found.str(3);
        if ((name == array || hostName(kernel, name) == array) &&
            source::findWord(found.suffix().str(), name) == source::nowhere)
            return name;
    }
    return {};
}

/// An element as a text has it, `*a` as `a[0]`, by its brackets, and what is stored to it there.
struct WrittenElement final {
    std::string index;
    std::string stored;
};
std::vector<WrittenElement> elementsIn(const std::string& text, const std::string& array) {
    static const std::regex value(R"(^\s*=(?!=)([^;]*))");
    const std::regex form(R"((\*\s*)?\b)" + array + R"(\b\s*((?:\[(?:[^\[\]]|\[[^\[\]]*\])*\])*))");
    std::vector<WrittenElement> all;
    for (auto at = std::sregex_iterator(text.begin(), text.end(), form);
         at != std::sregex_iterator(); ++at) {
        std::string index = at->str(2);
        std::erase_if(index, [](char c) { return c == ' ' || c == '\n'; });
        if (index.empty() && (*at)[1].matched) index = "[0]";
        const std::string behind = at->suffix();
        std::smatch stored;
        const bool isStored = std::regex_search(behind, stored, value);
        all.push_back({index, isStored ? stored.str(1) : std::string()});
    }
    return all;
}

/// Whether the finding's lines have one element of the array alone, and what is stored there is
/// made of it: `int old = *count; *count = old + 1;`.
bool storesBack(const KernelText& kernel, const Finding& finding) {
    const std::string_view code = kernel.textOf(kernel.body);
    std::vector<std::string> names{finding.array()};
    for (const source::KernelParameter& each : kernel.kernel.parameters)
        if (hostName(kernel, each.name) == finding.array()) names.push_back(each.name);
    // A function may call the array otherwise.
    if (!kernel.body.holds(kernel.line(finding.otherLine.value_or(finding.place.line)).end))
        return false;
    std::string lines;
    for (const std::uint32_t line :
         {finding.place.line, finding.otherLine.value_or(finding.place.line)})
        lines += kernel.masked().substr(kernel.line(line).begin, kernel.line(line).size()) + '\n';
    return std::ranges::any_of(names, [&](const std::string& name) {
        if (name.empty() || !std::ranges::all_of(name, source::isNameCharacter)) return false;
        const std::vector<WrittenElement> here = elementsIn(lines, name);
        const auto isFirst = [&](const WrittenElement& other) {
            return other.index == here[0].index;
        };
        return std::ranges::all_of(here, isFirst) &&
               std::ranges::any_of(here, [&](const WrittenElement& each) {
                   std::vector<WrittenElement> read;
                   const IndexDerivation made(each.stored, code, "");
                   for (const std::string_view text : made.texts())
                       std::ranges::move(elementsIn(std::string(text), name),
                                         std::back_inserter(read));
                   return !read.empty() && std::ranges::all_of(read, isFirst);
               });
    });
}
/// Whether the line has no other element of the array: `v = s[t + d]; s[t] += v;` loses nothing.
bool isOfOneElement(const KernelText& kernel, const Finding& finding) {
    const TextSpan line = kernel.line(finding.place.line);
    const std::vector<NamedBrackets> all = kernel.bracketsOf(finding.array(), '[', line);
    return std::ranges::all_of(all, [&](const NamedBrackets& each) {
        return kernel.textOf(each.whole) == kernel.textOf(all.front().whole);
    });
}
bool isChange(const KernelText& kernel, const Finding& finding) {
    return !changedIn(kernel, finding.place.line, finding.array()).empty() ||
           storesBack(kernel, finding);
}

/// Whether an index is read from memory and nothing else in it tells threads apart: `key[i]`, or
/// `k` of `int k = key[i];`, which is set once.
class DataIndex final {
  public:
    DataIndex(const KernelText& kernel, TextSpan index, std::size_t at) : kernel_(kernel), at_(at) {
        add(index, 0);
    }
    [[nodiscard]] bool isOfData() const { return isRead_ && !isOther_; }

  private:
    void add(TextSpan text, int depth) {
        constexpr int mostNames = 4;
        const std::vector<CudaToken> tokens = kernel_.tokensIn(text);
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const CudaToken& token = tokens[i];
            if (token.kind != CudaTokenKind::identifier) continue;
            isOther_ |= token.is("threadIdx") || depth > mostNames;
            if (i > 0 && (tokens[i - 1].is(".") || tokens[i - 1].is("->"))) continue;
            const std::size_t behind = source::skipBlanks(kernel_.masked(), token.end);
            if (kernel_.masked()[behind] == '[') {
                isRead_ = true;
                isOther_ |= isOwnArray(token.text);
                const std::size_t end = source::closing(kernel_.masked(), behind);
                while (i + 1 < tokens.size() && tokens[i + 1].begin < end) ++i;
            } else if (!isOther_) {
                isOther_ = isSetAgain(token.text);
                const auto value = kernel_.valueOf(token.text, at_);
                if (value && kernel_.body.holds(value->begin)) add(*value, depth + 1);
            }
        }
    }
    /// Of a thread or block, which may have worked out what is in it: `int at[4];`
    [[nodiscard]] bool isOwnArray(std::string_view name) const {
        const std::regex declared("\\b(?!return\\b|else\\b)\\w+\\s+" + std::string(name) +
                                  "\\s*\\[");
        return std::regex_search(body(), declared);
    }
    [[nodiscard]] bool isSetAgain(std::string_view name) const {
        const std::string word(name);
        const std::regex set("(?:\\+\\+|--)\\s*" + word + "\\b|\\b" + word +
                             "\\s*(?:\\+\\+|--|[-+*/%&|^]=|<<=|>>=|=(?!=))");
        const std::string code = body();
        return std::distance(std::sregex_iterator(code.begin(), code.end(), set),
                             std::sregex_iterator()) > 1;
    }
    [[nodiscard]] std::string body() const {
        return kernel_.masked().substr(kernel_.body.begin, kernel_.body.size());
    }

    const KernelText& kernel_;
    std::size_t at_ = 0;
    bool isRead_ = false;
    bool isOther_ = false;
};

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

/// Whether each thread loads a value of the shared array from global memory: `tile[t] = a[i];`.
bool isLoadedFromGlobal(const KernelText& kernel, const std::string& array) {
    return std::ranges::any_of(
        kernel.bracketsOf(array, '[', kernel.body), [&](const NamedBrackets& access) {
            const TextSpan stored{access.whole.end, kernel.masked().find(';', access.whole.end)};
            const auto around = kernel.statementsAround(access.whole.begin);
            const bool isOfAll = std::ranges::none_of(around, [&](const source::Statement& each) {
                return kernel.textOf(each.whole).starts_with("if");
            });
            return isOfAll &&
                   std::regex_search(kernel.copyOf(stored), std::regex(R"(^\s*=(?!=))")) &&
                   std::ranges::any_of(kernel.tokensIn(stored), [&](const CudaToken& token) {
                       return !kernel.elementOf(token.text).empty();
                   });
        });
}

/// `tile[threadIdx.y][threadIdx.x]` the other way round.
void exchangeIndices(const KernelText& kernel, const Finding& finding, RemedyCause& cause) {
    for (const NamedBrackets& access :
         kernel.bracketsOf(finding.array(), '[', kernel.line(finding.place.line))) {
        const auto isOfThread = [&](TextSpan part) {
            return !IndexDerivation(kernel.textOf(part), kernel.textOf(kernel.body), "")
                        .isAnyThreads();
        };
        if (access.parts.size() == 2 && std::ranges::all_of(access.parts, isOfThread))
            addEdit(cause, "exchange-indices",
                    SourceEdit(kernel)
                        .replace(access.parts[0], kernel.copyOf(access.parts[1]))
                        .replace(access.parts[1], kernel.copyOf(access.parts[0])));
    }
}

/// The line of the return by which threads leave before they give a shared array the elements that
/// are theirs; 0 where there is none.
std::uint32_t earlyReturn(const KernelText& kernel, const Finding& finding) {
    const std::string array = finding.array();
    const std::string& text = kernel.masked();
    const std::string_view code = kernel.textOf(kernel.body);
    for (const NamedBrackets& access : kernel.bracketsOf(array, '[', kernel.body)) {
        const std::size_t sign = source::skipBlanks(text, access.whole.end);
        if (text[sign] != '=' || text[sign + 1] == '=' ||
            IndexDerivation(kernel.textOf(access.parts[0]), code, "").isAnyThreads())
            continue;
        for (const CudaToken& token : kernel.tokensIn({kernel.body.begin, access.whole.begin})) {
            if (token.is("return") &&
                kernel.textOf(kernel.statementAt(token.begin)).starts_with("if"))
                return static_cast<std::uint32_t>(
                    std::count(text.begin(),
                               text.begin() + static_cast<std::ptrdiff_t>(token.begin), '\n') +
                    1);
        }
    }
    return 0;
}

/// Whether the finding's access is at an index that an atomic gave.
bool isCountedIndex(const KernelText& kernel, const Finding& finding) {
    const std::string_view code = kernel.textOf(kernel.body);
    const auto accesses = kernel.bracketsOf(finding.array(), '[', kernel.line(finding.place.line));
    return std::ranges::any_of(accesses, [&](const NamedBrackets& each) {
        const IndexDerivation made(kernel.textOf(each.parts[0]), code, "");
        return std::ranges::any_of(made.texts(), [](std::string_view text) {
            return source::findWord(text, "atomicAdd") != source::nowhere ||
                   source::findWord(text, "atomicInc") != source::nowhere;
        });
    });
}

/// Of a mask that names lanes which the last warp of the block does not have; else empty.
std::string missingLanes(const ProgramTrace& trace, const Finding& finding) {
    const auto launch =
        std::ranges::find(trace.launches, finding.launch.value_or(0), &LaunchReport::index);
    if (!finding.isOfMask || !finding.thread || launch == trace.launches.end()) return {};
    const Extents block = launch->launch.block;
    const std::uint32_t idle = idleLaneCount(block);
    const WarpRank warp = warpRankInBlock(threadRankInBlock(*finding.thread, block));
    if (idle == 0 || warp.value + 1 != warpCountPerBlock(block)) return {};
    const auto threads = static_cast<std::uint32_t>(block.count());
    return "A block of " + counted(threads, "thread") + " has " +
           std::to_string(lanesPerWarp - idle) +
           " lanes in its last warp, and the mask names others. Launch blocks of whole warps, " +
           std::to_string(threads + idle) +
           " threads, with a neutral value where a thread has no element, or use only what comes "
           "from a lane that is there.";
}

/// A line that changes what another one gives its value needs both.
void addBarriersToAtomics(const std::vector<const Finding*>& findings, RemedyCause& cause) {
    const auto atomic = std::ranges::find(cause.edits, "use-atomic", &TriedRemedy::remedy);
    if (atomic == cause.edits.end()) return;
    const std::vector<ProgramFile> changed{{atomic->file, atomic->text}};
    const auto kernel = kernelAt(changed, findings.front()->place);
    RemedyCause both;
    both.finding = cause.finding;
    if (kernel) addBarriers(*kernel, findings, both);
    for (TriedRemedy& edit : both.edits) {
        edit.remedy = "use-atomic";
        edit.detail =
            "Both are needed: an atomic where threads read, change and write back one "
            "value, and a barrier between that and the lines before and behind.";
        cause.edits.push_back(std::move(edit));
    }
}

/// Of a vector that begins where none may: the length of a row that makes it so.
void alignRows(const KernelText& kernel, const ProgramTrace& trace, const Finding& finding,
               RemedyCause& cause) {
    static const std::regex multiple(R"(byte (\d+) of .*, which is no multiple of (\d+)$)");
    std::smatch parts;
    cause.advice = "aligned-vectors";
    const auto launch =
        std::ranges::find(trace.launches, finding.launch.value_or(0), &LaunchReport::index);
    if (launch == trace.launches.end() || !std::regex_search(finding.words, parts, multiple))
        return;
    const std::int64_t begin = std::atoll(parts.str(1).c_str());
    const std::int64_t vector = std::atoll(parts.str(2).c_str());
    const std::vector<CudaToken> tokens = kernel.tokensIn(kernel.body);
    for (const auto& [name, number] : launch->arguments.entries()) {
        for (std::size_t at = 1; at + 1 < tokens.size(); ++at) {
            // `row * pitch`, in elements or bytes
            if (!tokens[at].is(name) || !(tokens[at - 1].is("*") || tokens[at + 1].is("*")) ||
                number <= 0 || begin % number != 0)
                continue;
            for (const std::int64_t element : {8, 4, 2, 1}) {
                if (number * element % vector == 0 || begin % (number * element) != 0 ||
                    vector % element != 0 || vector == element)
                    continue;
                cause.detail = name + " is " + std::to_string(number) +
                               ", so that not each row begins at a multiple of " +
                               std::to_string(vector) + " bytes: make it a multiple of " +
                               std::to_string(vector / element) +
                               ", or load and store single elements.";
                return;
            }
        }
    }
}

/// Of findings in a kernel.
void findEdits(const KernelText& kernel, const ProgramTrace& trace, const ProgramSources& sources,
               const std::vector<const Finding*>& findings, RemedyCause& cause) {
    using Kind = FindingKind;
    const Finding& first = *findings.front();
    const Kind kind = first.kind;
    const bool changes =
        isChange(kernel, first) ||
        std::regex_search(kernel.copyOf(kernel.line(first.place.line)),
                          std::regex(R"(atomic|[-+*/%|&^]=|\+\+|--|([\w\]]+)\s*=\s*\S*\1\s*[-+])"));
    if (first.isUnawaited) return waitForCopies(kernel, first, cause);
    if (kind == Kind::hostPointer) return passDevicePointer(kernel, cause);
    if (kind == Kind::outOfBounds && giveShared(trace, sources, findings, cause)) return;
    // What is beyond is not where it was to be: a condition, or more elements, would hide it.
    if (kind == Kind::outOfBounds && std::ranges::any_of(findings, [&](const Finding* one) {
            return indexInFull(kernel, *one) != 0;
        })) {
        cause.advice = "wide-index";
        for (const Finding* finding : findings) widenIndex(kernel, *finding, cause);
        return;
    }
    if (isRace(kind) || kind == Kind::outOfBounds || kind == Kind::uninitialisedShared ||
        kind == Kind::unwrittenMemory)
        exchangeLimits(kernel, cause);
    if (kind == Kind::repeatedWork) cause.advice = "own-index";
    if (kind == Kind::oneThreadWorks) {
        cause.advice = "share-the-loop";
        return shareLoop(kernel, cause);
    }
    if (kind == Kind::repeatedWork || kind == Kind::outOfBounds || isRace(kind))
        mendIndexes(kernel, first, cause);
    if (kind == Kind::outOfBounds) {
        cause.advice = isCountedIndex(kernel, first) ? "room-for-all" : "guard-the-tail";
        // Where nobody reads what is beyond, it need not be there.
        const bool isRead = std::ranges::any_of(findings, [](const Finding* one) {
            return one->accessed && !isStore(one->accessed->kind);
        });
        if (isRead) enlargeShared(kernel, findings, cause);
        // As many elements as there are bytes, where more than half of those are reached.
        for (const Finding* finding : findings) {
            const AccessedBytes of = finding->accessed.value_or(AccessedBytes{});
            if (of.elements > 0 &&
                2 * of.reached >
                    of.ofArray * (of.ofArray / static_cast<std::uint64_t>(of.elements)))
                allocateElements(kernel, hostName(kernel, of.array), "", cause);
        }
        for (const Finding* finding : findings)
            // A guard would throw results away.
            if (!isCountedIndex(kernel, *finding)) {
                mendRowLength(kernel, trace, sources, *finding, cause);
                mendBounds(kernel, trace, sources, *finding, cause);
            }
        if (!isRead) enlargeShared(kernel, findings, cause);
    }
    if (kind == Kind::misaligned) alignRows(kernel, trace, first, cause);
    if (kind == Kind::warpOrder) syncWarps(kernel, findings, cause);
    if (kind == Kind::barrierMismatch) liftBarrier(kernel, first, cause);
    if (kind == Kind::barrierMismatch || kind == Kind::uninitialisedShared)
        stayBeyondEnd(kernel, first, cause);
    static const std::regex intrinsics(R"(__\w+_sync\b|__syncwarp)");
    if (!std::regex_search(kernel.copyOf(kernel.body), intrinsics))
        for (TriedRemedy& edit : cause.edits)
            if (edit.remedy == "stay-beyond-the-end")
                edit.detail =
                    "Let threads beyond the end stay: 0 in place of what they would load, and a "
                    "condition where they would store, so that all come to the barrier.";
    if (kind == Kind::blockRace) fenceLocks(kernel, cause);
    if (kind == Kind::meetingByData) cause.advice = "use-atomic";
    if (isRace(kind) || kind == Kind::meetingByData) useAtomics(kernel, findings, cause);
    // What blocks share as well, no barrier of one of them puts right.
    const bool isOfBlocks = std::ranges::any_of(trace.findings, [&](const Finding& finding) {
        return finding.kind == Kind::blockRace &&
               std::ranges::find(cause.places, finding.place) != cause.places.end();
    });
    const bool isLater = first.isWrittenLater;
    const bool isOfWarps = std::ranges::all_of(findings, &Finding::isWithinWarp);
    const bool isOfBlock = kind == Kind::globalRace && !isOfBlocks;
    if ((kind == Kind::sharedRace || isOfBlock) && isOfWarps) syncWarps(kernel, findings, cause);
    if (kind == Kind::sharedRace || isOfBlock || isLater) addBarriers(kernel, findings, cause);
    if (kind == Kind::sharedRace) addBarriersToAtomics(findings, cause);
    // `s[t] += s[t + d]`: what others change is only read.
    const auto accesses =
        kernel.bracketsOf(first.array(), '[', kernel.ruledAt(kernel.beginOf(first.place.line)));
    const bool readsOthers = std::ranges::any_of(accesses, [&](const NamedBrackets& each) {
        return kernel.textOf(each.whole) != kernel.textOf(accesses.front().whole);
    });
    // Of a line that nobody knows it is the only one that has the array.
    const auto allOfIt = kernel.bracketsOf(first.array(), '[', kernel.body);
    const bool onlyStores = std::ranges::all_of(findings, [&](const Finding* finding) {
        return finding->accessed && isStore(finding->accessed->kind) &&
               (finding->otherLine ? finding->otherLine == finding->place.line
                                   : allOfIt.size() == 1);
    });
    // What is read there others change, or it is an atomic already.
    const bool onlyReads = std::ranges::all_of(findings, [&](const Finding* finding) {
        const std::uint32_t line = finding->place.line;
        return finding->accessed &&
               (isAtomic(finding->accessed->kind) ||
                (!isChange(kernel, *finding) &&
                 (!isStore(finding->accessed->kind) || finding->otherLine.value_or(line) != line)));
    });
    const bool isInPlace = std::ranges::any_of(
        findings, [&](const Finding* finding) { return isByNeighbour(sources, *finding); });
    if (isRace(kind) && !changes && onlyStores && !isInPlace) {
        cause.advice = "own-element";
        const bool isOfAll =
            !accesses.empty() &&
            IndexDerivation(kernel.textOf(accesses[0].parts.back()), kernel.textOf(kernel.body), "")
                .isAnyThreads();
        if (isOfAll)
            cause.detail = "All threads" + std::string(isOfBlocks ? "" : " of a block") +
                           " store to " + kernel.copyOf(accesses[0].whole) +
                           ", and the last one stays: let one of them store it, by a condition as "
                           "if (threadIdx.x == 0), or combine what they have first, as by a sum.";
        mendRowLength(kernel, trace, sources, first, cause);
    } else if (isRace(kind) && isInPlace && isOfBlocks) {
        cause.advice = "second-array";
    } else if (isRace(kind) && isInPlace) {
        cause.advice = "add-barrier";
        cause.detail = "Load what another thread changes first, let all " +
                       std::string(isOfWarps ? "lanes of the warp come to __syncwarp()"
                                             : "threads come to __syncthreads()") +
                       ", and store then, with a barrier behind it where others read it next. An "
                       "atomic is of no use: the load is a plain one.";
    } else if (kind == Kind::blockRace && !isChange(kernel, first) &&
               fenceValues(kernel, findings, cause)) {
        cause.advice = "fence-the-values";
    } else if (isRace(kind) && isOfBlocks && !changes && onlyReads) {
        cause.advice = "second-array";
        cause.detail =
            "Let the next launch read what another block writes in this one: no barrier of a block "
            "keeps them apart. Where a block is to tell others within the launch, __threadfence() "
            "stands between the values and an atomic that says they are ready.";
    } else if (isRace(kind) && ((changes && !readsOthers && !onlyReads) || isOfBlocks)) {
        cause.advice = "use-atomic";
        // It is no change where the other is, as where a count begins at 0.
        if (kind == Kind::sharedRace &&
            first.otherLine.value_or(first.place.line) != first.place.line)
            cause.detail = std::string(remedyNamed(cause.advice).words) +
                           " Both are needed: this, and a barrier between line " +
                           std::to_string(*first.otherLine) + " and this one.";
    } else if (isRace(kind) && kind != Kind::blockRace) {
        cause.advice = "add-barrier";
        if (isOfWarps)
            cause.detail =
                "Put a barrier between what some threads write and what others read: __syncwarp() "
                "where one warp alone does it, else __syncthreads().";
    }
    const std::string array = first.array();
    if (isLater) {
        cause.advice = "add-barrier";
        // Where a barrier is there, a part of the array is given values alone.
        const std::size_t before = cause.edits.size();
        zeroShared(kernel, array, cause);
        if (cause.edits.size() > before)
            cause.edits.back().detail =
                "Give all elements a value before the barrier: the block's threads may be fewer "
                "than the array's elements.";
    } else if (kind == Kind::uninitialisedShared) {
        cause.advice = "initialise";
        if (const std::uint32_t line = earlyReturn(kernel, first); line != 0) {
            cause.detail = "Threads that leave at the return in line " + std::to_string(line) +
                           " give " + first.array() +
                           " no values. Let all threads of the block give theirs and come to the "
                           "barriers, and ask that condition where each works on what it has.";
            return;
        }
        exchangeIndices(kernel, first, cause);
        cause.detail =
            "No barrier helps: nothing writes it before. Let the condition of the access leave out "
            "elements that have no value, or give each one before the access.";
        // What is left out in the first block is no rest behind the end, where 0 may do.
        static const std::regex lacking("; (no line stores to .*), while (line .*) do(?:es)? to");
        std::smatch parts;
        if (first.block == Index3{} && isLoadedFromGlobal(kernel, array) &&
            std::regex_search(first.words, parts, lacking)) {
            cause.detail = "Load what is left out, too, as " + parts.str(2) +
                           " load the others: " + parts.str(1) +
                           ". Zeroes would be no more than other wrong values.";
            return;
        }
        // Where threads race for it, values that were to be there may be elsewhere.
        if (std::ranges::none_of(trace.findings, [&](const Finding& one) {
                return isRace(one.kind) && one.kernel == first.kernel && one.array() == array;
            }))
            zeroShared(kernel, array, cause);
    }
    if (kind == Kind::unwrittenMemory && first.otherLine)  // a condition keeps threads out
        return askOfIndex(kernel, trace, sources, first, cause);
    // A launch before that left elements out comes first.
    if (kind == Kind::unwrittenMemory) coverProblem(trace, sources, "", cause);
    if (kind == Kind::unwrittenMemory) giveValues(kernel, hostName(kernel, array), changes, cause);
}

/// Of a clue of the text (clues.h): the variable begins at 0, the array is shared.
void giveFirstValue(const ProgramSources& sources, const std::vector<const Finding*>& findings,
                    RemedyCause& cause) {
    for (const Finding* finding : findings) {
        const auto kernel = kernelAt(sources.units, finding->place);
        if (kernel && finding->accessed) exchangeIndices(*kernel, *finding, cause);
        for (const ProgramFile& file : sources.units) {
            const SourceEdit text(file.text, file.path);
            if (finding->kernel.empty() && file.path == finding->place.file)
                mendCopy(text, *finding, cause);
            const std::string name = finding->words.substr(0, finding->words.find(' '));
            const TextSpan line = text.line(finding->otherLine.value_or(0));
            const std::size_t at = source::findWord(text.masked(), name, line.begin);
            if (file.path != finding->place.file || at >= line.end) continue;
            if (finding->words.find(" is no shared array") != std::string::npos)
                addEdit(cause, "share-the-array",
                        SourceEdit(text).insert(text.statementAt(at).begin, "__shared__ "));
            else
                addEdit(cause, "initialise", SourceEdit(text).insert(at + name.size(), " = 0"));
        }
    }
}

/// A finding's place, or of a function's that its kernel calls the place where it does; of others
/// none.
SourcePlace placeInKernel(const Finding& finding, const ProgramTrace& trace,
                          const ProgramSources& sources) {
    if (kernelAt(sources.units, finding.place)) return finding.place;
    const auto launch = std::ranges::find(trace.launches, finding.kernel, &LaunchReport::kernel);
    if (finding.kernel.empty() || launch == trace.launches.end()) return {};
    ProgramLine line;
    line.place = finding.place;
    const CallingLines calls = callingLines(line, *launch, sources);
    const SourcePlace place{calls.file, calls.lines.empty() ? 0 : calls.lines[0], 1};
    return kernelAt(sources.units, place) ? place : SourcePlace{};
}

}  // namespace

void findEdits(const ProgramTrace& trace, const ProgramSources& sources,
               const std::vector<const Finding*>& findings, RemedyCause& cause) {
    using Kind = FindingKind;
    const Kind kind = findings.front()->kind;
    if (kind == Kind::barrierMismatch) {
        cause.advice = findings.front()->isOfMask ? "mask-for-those-that-come" : "barrier-for-all";
        cause.detail = missingLanes(trace, *findings.front());
    }
    if (kind == Kind::warpOrder) {
        cause.advice = "add-barrier";
        cause.detail =
            "Read, __syncwarp(), write, __syncwarp() in each step, or let lanes exchange "
            "values by __shfl_down_sync: those wait for one another.";
    }
    if (kind == Kind::mayBeWhy) return giveFirstValue(sources, findings, cause);
    if (kind == Kind::notReached) {
        for (const Finding* finding : findings) {
            const auto around = kernelAt(sources.units, finding->place);
            if (around) exchangeLimits(*around, cause);
            if (finding->leftOut == LeftOut::byCondition) {  // by a condition, not by the grid
                if (around) askOfIndex(*around, trace, sources, *finding, cause);
                return;
            }
            if (finding->accessed) {  // rows of another length
                if (around) mendRowLength(*around, trace, sources, *finding, cause);
                cause.advice = "row-length";
                return;
            }
            exchangeGrid(sources, *finding, cause);
            coverProblem(trace, sources, around ? around->kernel.name : std::string(), cause);
            if (around) doTheRest(*around, *finding, cause);
            if (around) mendIndexes(*around, *finding, cause);
        }
        const LeftOut why = findings.front()->leftOut;
        cause.advice = findings.front()->kernel.empty() ? "initialise"
                       : why == LeftOut::ofGroup        ? "guard-the-tail"
                                                        : "cover-the-problem";
        if (why == LeftOut::ofGroup)
            cause.detail =
                "Let the thread whose group is not whole do what is left, one element after the "
                "other, behind the condition that leaves it out.";
        else if (why == LeftOut::byIndex)
            cause.detail =
                "Let each thread have an index of its own, so that all elements have "
                "a thread, and let none of these threads leave early.";
        return;
    }
    // What is freed twice is no longer used.
    if (kind == Kind::useAfterFree && !findings.front()->kernel.empty())
        cause.advice = "free-later";
    if (kind == Kind::launchRace) return waitForStream(sources, cause);
    std::vector<Finding> inKernel;
    for (const Finding* finding : findings) {
        Finding& each = inKernel.emplace_back(*finding);
        each.place = placeInKernel(*finding, trace, sources);
        if (each.place.line == 0) inKernel.pop_back();
    }
    if (!inKernel.empty()) {
        std::vector<const Finding*> all;
        for (const Finding& each : inKernel) all.push_back(&each);
        findEdits(*kernelAt(sources.units, inKernel.front().place), trace, sources, all, cause);
        const std::uint32_t line = findings.front()->place.line;
        if (kind == Kind::outOfBounds && cause.edits.empty() && cause.detail.empty() &&
            line != inKernel.front().place.line)
            cause.detail = "Let a condition in line " + std::to_string(line) + ", or where line " +
                           std::to_string(inKernel.front().place.line) +
                           " calls it, keep the index within " + findings.front()->array() + '.';
        return;
    }
    // Of a header's code.
    if (!findings.front()->kernel.empty() && kind == Kind::outOfBounds)
        cause.advice = "guard-the-tail";
    if (isRace(kind)) cause.advice = kind == Kind::blockRace ? "second-array" : "add-barrier";
    for (const ProgramFile& file : sources.units) {
        const SourceEdit text(file.text, file.path);
        if (kind == Kind::neverFreed) freeAll(text, findings, cause);
        for (const Finding* finding : findings) {
            if (finding->place.file != file.path || finding->place.line == 0) continue;
            if (kind == Kind::hostPointer || kind == Kind::devicePointer ||
                kind == Kind::outOfBounds || kind == Kind::unwrittenMemory)
                mendCopy(text, *finding, cause);
            if (kind == Kind::unsynchronisedRead) waitBefore(text, *finding, cause);
            if (kind == Kind::launchRefused) {
                const bool isEmpty = finding->words.find("= 0: at least") != std::string::npos;
                const bool isLarge = finding->words.find("threads per block") != std::string::npos;
                cause.advice = isEmpty   ? "cover-the-problem"
                               : isLarge ? "smaller-block"
                                         : "read-errors";
                if (isEmpty) coverProblem(trace, sources, finding->kernel, cause);
                if (isLarge) shrinkBlock(text, *finding, cause);
            }
            // What is copied back and nobody has written: a grid that is too small, mostly.
            if (kind == Kind::unwrittenMemory) exchangeGrid(sources, *finding, cause);
            if (kind == Kind::unwrittenMemory) coverProblem(trace, sources, "", cause);
        }
    }
    if (kind == Kind::neverFreed) cause.advice = "free-memory";
    if (kind == Kind::unsynchronisedRead) cause.advice = "wait-for-device";
    if (findings.front()->words.find(" is the size of the pointer ") != std::string::npos)
        cause.advice = "byte-count";
}

bool isByNeighbour(const ProgramSources& sources, const Finding& finding) {
    // Of several lines that may be the other one none is known.
    if (!isRace(finding.kind) ||
        finding.otherLine.value_or(finding.place.line) != finding.place.line)
        return false;
    const auto kernel = kernelAt(sources.units, finding.place);
    return kernel && changedByNeighbour(*kernel, kernel->beginOf(finding.place.line)).has_value();
}

void tellLostChanges(std::vector<Finding>& findings, const ProgramSources& sources) {
    static const std::regex form(
        R"((thread \([^)]*\)|another block|other threads) (?:write|read)(s?)(?: too,)? in the same line,?(?: with no __sync\w+(?: or __syncwarp)? between| in the same launch))");
    for (Finding& finding : findings) {
        if (finding.kind == FindingKind::outOfBounds) {
            const auto around = kernelAt(sources.units, finding.place);
            const std::int64_t index = around ? indexInFull(*around, finding) : 0;
            if (index != 0)
                finding.words +=
                    "; " +
                    std::string(index - finding.accessed->element == std::int64_t{1} << 32
                                    ? "its index"
                                    : "what its index is worked out from") +
                    " comes to " + std::to_string(index) + ", and an int holds at most 2147483647";
        }
        if (finding.kind == FindingKind::uninitialisedShared && !finding.isWrittenLater) {
            const auto around = kernelAt(sources.units, finding.place);
            const std::uint32_t line = around ? earlyReturn(*around, finding) : 0;
            if (line != 0)
                finding.words +=
                    "; " + std::string(theyLeave) + std::to_string(line) + " give it no values";
            continue;
        }
        if (!isRace(finding.kind) || finding.otherLine != finding.place.line) continue;
        const auto kernel = kernelAt(sources.units, finding.place);
        if (kernel && isChange(*kernel, finding) && isOfOneElement(*kernel, finding))
            finding.words = std::regex_replace(
                finding.words, form,
                "$1 read$2, change$2 and write$2 in the same line at the same time, " +
                    std::string(withoutAtomic));
    }
}

void addMeetings(ProgramTrace& trace, const ProgramSources& sources) {
    // Locks, and lanes that agree on one of them, keep threads apart.
    static const std::regex apart(R"(atomicCAS|atomicExch|__match_|labeled_partition)");
    for (const LaunchReport& launch : trace.launches) {
        for (const ProgramLine& line : launch.lines) {
            const bool isStore =
                line.kind == AccessKind::store || line.kind == AccessKind::sharedStore;
            // One lane at a time may be one thread alone.
            if (!isStore || line.source != Source::predicted || line.activeLanes <= line.requests)
                continue;
            const auto isTold = [&](const Finding& finding) {
                const bool isOfLine =
                    finding.place.line == line.place.line || finding.otherLine == line.place.line;
                return isOfLine && finding.kernel == launch.kernel &&
                       (isRace(finding.kind) || finding.kind == FindingKind::warpOrder ||
                        finding.kind == FindingKind::meetingByData);
            };
            const auto kernel = kernelAt(sources.units, line.place);
            if (!kernel || std::ranges::any_of(trace.findings, isTold) ||
                std::regex_search(kernel->copyOf(kernel->body), apart))
                continue;
            const std::string name = changedIn(*kernel, line.place.line, line.array);
            const std::size_t at = kernel->beginOf(line.place.line);
            const auto accesses = kernel->bracketsOf(name, '[', kernel->line(line.place.line));
            if (name.empty() || accesses.empty()) continue;
            const auto isOfData = [&](TextSpan part) {
                return DataIndex(*kernel, part, at).isOfData();
            };
            const auto tellsApart = [&](TextSpan part) {
                return !IndexDerivation(kernel->textOf(part), kernel->textOf(kernel->body), "")
                            .isAnyThreads();
            };
            const auto& parts = accesses.front().parts;
            if (std::ranges::none_of(parts, isOfData) ||
                std::ranges::any_of(
                    parts, [&](TextSpan part) { return !isOfData(part) && tellsApart(part); }))
                continue;
            trace.findings.push_back(
                {.kind = FindingKind::meetingByData,
                 .words = "which threads meet in " + kernel->copyOf(accesses.front().whole) +
                          " depends on the data: with these no two do, and with others a change "
                          "would be lost, as the line reads, changes and writes " +
                          std::string(withoutAtomic) + "; an atomic keeps it right with any",
                 .place = line.place,
                 .kernel = launch.kernel,
                 .launch = launch.index,
                 .accessed = AccessedBytes{.kind = line.kind, .array = name}});
        }
    }
}

}  // namespace warplens
