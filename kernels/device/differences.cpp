#include "kernels/device/differences.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "core/program/cuda_tokens.h"
#include "core/text/format.h"

namespace warplens {
namespace {

/// Of PTX: whether it is an access of that kind, as far as it says to which memory.
bool isPtxOf(std::string_view ptx, AccessKind kind) {
    if (ptx.starts_with('@')) ptx.remove_prefix(std::min(ptx.find(' ') + 1, ptx.size()));
    const std::string_view name = ptx.substr(0, ptx.find_first_of(" \t"));
    for (const std::string_view memory : {".global", ".shared", ".local", ".param", ".const"}) {
        if (name.find(memory) != name.npos && (memory != ".shared" || !isShared(kind)) &&
            (memory != ".global" || isShared(kind)))
            return false;
    }
    if (kind == AccessKind::load || kind == AccessKind::sharedLoad) return ptx.starts_with("ld");
    if (kind == AccessKind::store || kind == AccessKind::sharedStore) return ptx.starts_with("st");
    return isAtomic(kind) && (ptx.starts_with("atom") || ptx.starts_with("red"));
}

/// Bits of one lane's access: of `ld.shared.v4.f32 …` 128.
std::uint32_t bitsOf(std::string_view ptx) {
    const std::string_view name = ptx.substr(0, ptx.find_first_of(" \t"));
    const std::size_t vector = name.find(".v");
    const std::size_t type = name.find_last_not_of("0123456789");
    const auto number = [](std::string_view text) {
        std::uint32_t value = 0;
        std::from_chars(text.data(), text.data() + text.size(), value);
        return value;
    };
    return number(name.substr(type + 1)) *
           (vector == name.npos ? 1 : number(name.substr(vector + 2)));
}

/// Of machine code: whether it is an access of that kind.
bool isAccessOf(const std::string& sass, AccessKind kind) {
    const auto names = [&](const char* name) { return sass.find(name) != std::string::npos; };
    switch (kind) {
        case AccessKind::load:
            return names("LDG") || names("LD.E");
        case AccessKind::store:
            return names("STG") || names("ST.E");
        case AccessKind::sharedLoad:
            return names("LDS") || names("LD.E");
        case AccessKind::sharedStore:
            return names("STS") || names("ST.E");
        case AccessKind::atomic:
        case AccessKind::sharedAtomic:
            return names("ATOM") || names("RED.");
        case AccessKind::branch:
            return names("BRA");
        default:
            return false;
    }
}

bool isWide(const std::string& sass) {
    return sass.find(".64") != std::string::npos || sass.find(".128") != std::string::npos;
}

std::string times(std::uint64_t count, const char* one, const char* many) {
    return groupedDigits(count) + ' ' + (count == 1 ? one : many);
}

}  // namespace

LineComparison::LineComparison(const ProgramSources& sources, const CountedLaunch& launch)
    : sources_(sources), launch_(launch) {
    for (const auto* files : {&sources_.units, &sources_.headers}) {
        for (const ProgramFile& file : *files) {
            statements_[file.path] = statementLines(file.text);
            files_.insert(file.path);
        }
    }
    predicted_ = sumsOf(launch.predicted);
    compiled_ = sumsOf(launch.compiled);
    if (launch.counted) counted_ = sumsOf(*launch.counted);
    std::set<Key> keys;
    for (const auto& [key, sums] : predicted_) keys.insert(key);
    for (const auto& [key, sums] : compiled_) keys.insert(key);
    for (const Key& key : keys) compared_ += isAtomic(key.kind) ? 1 : 2;
}

std::string LineComparison::knownFile(const std::string& file) const {
    const std::string own = ownFile(file, files_);
    return own.empty() ? file : own;
}

bool LineComparison::isAt(const CompiledLine& line, const Key& key) const {
    return knownFile(line.file) == key.file && statementOf(key.file, line.line) == key.line;
}

std::vector<std::string> LineComparison::ptxOf(const Key& key) const {
    std::vector<std::string> found;
    for (const CompiledLine& line : launch_.code) {
        if (!isAt(line, key)) continue;
        std::ranges::copy_if(line.ptx, std::back_inserter(found),
                             [&](const std::string& ptx) { return isPtxOf(ptx, key.kind); });
    }
    return found;
}

std::uint32_t LineComparison::statementOf(const std::string& file, std::uint32_t line) const {
    const auto found = statements_.find(file);
    if (found == statements_.end() || line == 0 || line > found->second.size()) return line;
    return found->second[line - 1];
}

LineComparison::SumsByKey LineComparison::sumsOf(const std::vector<ProgramLine>& lines) const {
    SumsByKey sums;
    for (const ProgramLine& line : lines) {
        // Branches, constant memory and local memory.
        if (line.kind >= AccessKind::branch) continue;
        const std::string file = knownFile(line.place.file);
        Sums& sum = sums[{file, statementOf(file, line.place.line), line.kind}];
        sum.requests += line.requests;
        sum.lanes += line.activeLanes;
        const std::uint64_t units = isShared(line.kind) ? line.wavefronts : line.sectors;
        sum.units += units;
        sum.unique += line.uniqueBytes;
        for (std::size_t at = 0; at < line.array.size();) {
            const std::size_t end = std::min(line.array.find(", ", at), line.array.size());
            sum.arrays.insert(line.array.substr(at, end - at));
            at = end + 2;
        }
        const CountsInOtherOrder same{line.requests, units};
        const CountsInOtherOrder& other = line.inOtherOrder ? *line.inOtherOrder : same;
        sum.inOtherOrder.requests += other.requests;
        sum.inOtherOrder.units += other.units;
    }
    return sums;
}

std::uint64_t LineComparison::quantityOf(const SumsByKey& sums, const Key& key, bool units) {
    const auto found = sums.find(key);
    if (found == sums.end()) return 0;
    return units ? found->second.units : found->second.requests;
}

std::map<std::string, std::set<std::uint32_t>> LineComparison::differingLines(bool unasked) const {
    std::map<std::string, std::set<std::uint32_t>> lines;
    for (const LineDifference& difference : differences({})) {
        if (difference.predicted != difference.compiled &&
            (!unasked || difference.predicted == 0u)) {
            lines[difference.file].insert(difference.line);
        }
    }
    return lines;
}

std::vector<LineDifference> LineComparison::differences(const Interventions& interventions) const {
    std::set<Key> keys;
    for (const auto& [key, sums] : predicted_) keys.insert(key);
    for (const auto& [key, sums] : compiled_) keys.insert(key);
    std::vector<LineDifference> found;
    for (const Key& key : keys) {
        for (const bool units : {false, true}) {
            if (units && isAtomic(key.kind)) continue;
            LineDifference difference{.file = key.file,
                                      .line = key.line,
                                      .kind = key.kind,
                                      .quantity = !units               ? "requests"
                                                  : isShared(key.kind) ? "wavefronts"
                                                                       : "sectors",
                                      .predicted = quantityOf(predicted_, key, units),
                                      .compiled = quantityOf(compiled_, key, units)};
            if (counted_) difference.counted = quantityOf(*counted_, key, units);
            const bool compiled = difference.predicted != difference.compiled;
            const bool counted = difference.counted && difference.counted != difference.compiled;
            if (!compiled && !counted) continue;
            if (explainOrder(difference, key, units)) {
                found.push_back(std::move(difference));
                continue;
            }
            if (compiled) explainCompiled(difference, key, units, interventions);
            const bool open = compiled && difference.cause == DifferenceCause::unexplained;
            if (counted && !open) explainCounted(difference, key);
            found.push_back(std::move(difference));
        }
    }
    return found;
}

/// The trace itself comes to other numbers where other threads come first: then all three may.
bool LineComparison::explainOrder(LineDifference& difference, const Key& key, bool units) const {
    const auto sums = predicted_.find(key);
    if (sums == predicted_.end()) return false;
    const CountsInOtherOrder& other = sums->second.inOtherOrder;
    const std::uint64_t otherwise = units ? other.units : other.requests;
    if (otherwise == *difference.predicted) return false;
    difference.cause = DifferenceCause::schedule;
    difference.words = "the source asks for " + groupedDigits(*difference.predicted) + ' ' +
                       difference.quantity + ", the compiled code for " +
                       groupedDigits(*difference.compiled);
    if (difference.counted) {
        difference.words += ", the hardware counted " + groupedDigits(*difference.counted);
    }
    difference.words += ": it depends on which threads come first";
    difference.intervention =
        "traced with threads in turns, the last one first: " + groupedDigits(otherwise);
    return true;
}

std::uint64_t LineComparison::totalOf(const SumsByKey& sums, const Key& key,
                                      std::uint64_t Sums::*part) {
    std::uint64_t sum = 0;
    for (const auto& [other, value] : sums) {
        if (other.kind == key.kind) sum += value.*part;
    }
    return sum;
}

bool LineComparison::totalsAgree(const Key& key, std::uint64_t Sums::*part) const {
    return totalOf(predicted_, key, part) == totalOf(compiled_, key, part);
}

std::int64_t LineComparison::moreOf(const Key& key, std::uint64_t Sums::*part) const {
    const auto amount = [&](const SumsByKey& sums) {
        const auto found = sums.find(key);
        return static_cast<std::int64_t>(found == sums.end() ? 0 : found->second.*part);
    };
    return amount(compiled_) - amount(predicted_);
}

std::set<std::string> LineComparison::arraysOf(const Key& key) const {
    std::set<std::string> arrays;
    for (const SumsByKey* sums : {&predicted_, &compiled_}) {
        const auto found = sums->find(key);
        if (found != sums->end())
            arrays.insert(found->second.arrays.begin(), found->second.arrays.end());
    }
    return arrays;
}

std::vector<LineComparison::Key> LineComparison::othersOf(const Key& key,
                                                          std::uint64_t Sums::*part) const {
    const bool hasFewer = moreOf(key, part) < 0;
    const std::set<std::string> arrays = arraysOf(key);
    std::set<Key> others;
    for (const SumsByKey* sums : {&predicted_, &compiled_}) {
        for (const auto& [other, sum] : *sums) {
            const std::int64_t more = moreOf(other, part);
            if (other.kind != key.kind || more == 0 || (more > 0) != hasFewer) continue;
            const std::set<std::string> names = arraysOf(other);
            const auto isOfThese = [&](const std::string& name) { return names.contains(name); };
            // An access that is told of no array may be of any.
            if (part != &Sums::lanes || arrays.empty() || names.empty() ||
                std::ranges::any_of(arrays, isOfThese))
                others.insert(other);
        }
    }
    return {others.begin(), others.end()};
}

bool LineComparison::isAskedElsewhere(const Key& key) const {
    const auto isHere = [&](const ProgramLine& line) {
        return knownFile(line.place.file) == key.file &&
               statementOf(key.file, line.place.line) == key.line && line.kind == key.kind;
    };
    for (const ProgramLine& line : launch_.predicted) {
        if (!isHere(line)) continue;
        if (!line.address || line.addresses > 1) return true;
        for (const ProgramLine& other : launch_.predicted) {
            if (!isHere(other) && other.kind < AccessKind::branch && other.array == line.array &&
                (!other.address || other.addresses > 1 || *other.address == *line.address))
                return true;
        }
    }
    return false;
}

std::vector<LineComparison::Key> LineComparison::partnersOf(const Key& key) const {
    const std::int64_t more = moreOf(key, &Sums::lanes);
    if (more == 0) return {};
    const std::vector<Key> others = othersOf(key, &Sums::lanes);
    const auto isAllOfIt = [&](const Key& other) { return moreOf(other, &Sums::lanes) == -more; };
    const auto one = std::ranges::find_if(others, isAllOfIt);
    if (one == others.end() && !totalsAgree(key, &Sums::lanes)) return {};
    std::vector<Key> partners = one == others.end() ? others : std::vector<Key>{*one};
    const auto storesOf = [&](Key at) {
        at.kind = key.kind == AccessKind::load ? AccessKind::store : AccessKind::sharedStore;
        return moreOf(at, &Sums::lanes);
    };
    const bool isLoad = key.kind == AccessKind::load || key.kind == AccessKind::sharedLoad;
    const bool isAsStores =
        storesOf(key) == more && partners.size() == 1 && storesOf(partners.front()) == -more;
    const bool isChance =
        isLoad && !isAsStores &&
        (more < 0 ? isAskedElsewhere(key) : std::ranges::any_of(partners, [&](const Key& other) {
            return isAskedElsewhere(other);
        }));
    return isChance ? std::vector<Key>() : partners;
}

std::string LineComparison::wordsOf(const std::vector<Key>& others, const Key& key) {
    std::set<std::uint32_t> lines;
    for (const Key& other : others) lines.insert(other.file == key.file ? other.line : 0);
    constexpr std::size_t mostNamed = 3;
    if (lines.empty() || lines.size() > mostNamed || lines.contains(0)) return "on other lines";
    std::string words = lines.size() == 1 ? "on line " : "on lines ";
    for (const std::uint32_t line : lines) {
        if (line != *lines.begin()) words += line == *lines.rbegin() ? " and " : ", ";
        words += std::to_string(line);
    }
    return words;
}

void LineComparison::explainCompiled(LineDifference& difference, const Key& key, bool units,
                                     const Interventions& interventions) const {
    const auto set = [&](DifferenceCause cause, std::string words, std::string intervention) {
        difference.cause = cause;
        difference.words = std::move(words);
        difference.intervention = std::move(intervention);
    };
    const std::uint64_t asked = *difference.predicted;
    const std::uint64_t compiled = *difference.compiled;
    const auto quantityIn =
        [&](const std::optional<ChangedLaunch>& changed) -> std::optional<std::uint64_t> {
        if (!changed) return std::nullopt;
        return quantityOf(sumsOf(changed->compiled), key, units);
    };
    const std::string numbers = "the source asks for " + groupedDigits(asked) + ' ' +
                                difference.quantity + ", the compiled code for " +
                                groupedDigits(compiled);
    const auto confirms = [&](const std::optional<ChangedLaunch>& changed) {
        if (quantityIn(changed) != asked) return std::string();
        return changed->change + ": " + groupedDigits(asked) + " compiled";
    };
    const std::vector<std::string> ptx = ptxOf(key);
    const auto wide = std::ranges::find_if(
        ptx, [](const std::string& access) { return access.find(".v") != access.npos; });
    const std::int64_t moreLanes = moreOf(key, &Sums::lanes);
    // As many bytes by fewer lanes' accesses: what is that wide was not written so.
    const bool isMerged =
        compiled < asked && moreLanes < 0 && wide != ptx.end() && moreOf(key, &Sums::unique) == 0;
    std::vector<Key> others = othersOf(key, &Sums::lanes);
    // Where those are that others have it is known.
    std::erase_if(others, [&](const Key& other) {
        const std::vector<Key> partners = partnersOf(other);
        return !partners.empty() && std::ranges::find(partners, key) == partners.end();
    });
    const auto has = [&](std::uint64_t Sums::*which) { return moreOf(key, which) != 0; };
    if (const std::string words = confirms(interventions.notUnrolled); !words.empty()) {
        return set(
            DifferenceCause::unrolling,
            numbers + ": " +
                (asked == 0 ? "a loop of other lines is unrolled, and some of what it asks "
                              "for is counted here"
                 : isMerged ? "the loop is unrolled, and accesses of neighbouring rounds became "
                              "one of " +
                                  std::to_string(bitsOf(*wide)) + " bits, " + *wide
                 : moreLanes < 0 && others.empty()
                     ? "the loop is unrolled, and what was asked for again is asked for once"
                 : moreLanes == 0 && compiled > asked
                     ? "the loop is unrolled, and its lanes are no longer in the same round"
                     : "the loop is unrolled"),
            words);
    }
    const auto part = units ? &Sums::units : &Sums::requests;
    const std::string moved =
        !totalsAgree(key, part) || !totalsAgree(key, &Sums::lanes) ? std::string()
        : compiled < asked
            ? numbers + ": the compiler counts them " + wordsOf(othersOf(key, part), key) +
                  "; all lines together have as many"
            : numbers + ": those that are written " + wordsOf(othersOf(key, part), key) +
                  " are counted here; all lines together have as many";
    std::string confirmed = confirms(interventions.lessOptimized);
    if (confirmed.empty()) confirmed = confirms(interventions.isVolatile);
    if (confirmed.empty()) {
        // Without the call a load of its argument goes, too: only what nothing else takes away.
        if (asked == 0 && quantityIn(interventions.notCalled) == 0u) {
            return set(DifferenceCause::libraryCode,
                       numbers + ": what is called there asks by itself, in the library's code",
                       interventions.notCalled->change + ": 0 compiled");
        }
        // That the sums agree says it, though no other code has them where they are written.
        if (!moved.empty())
            return set(DifferenceCause::movedLines, moved,
                       "all lines together: " + groupedDigits(totalOf(predicted_, key, part)) +
                           " as written and as compiled");
        difference.words = numbers;
        for (const auto* changed : {&interventions.lessOptimized, &interventions.isVolatile}) {
            const auto found = quantityIn(*changed);
            if (!found) continue;
            difference.intervention += (difference.intervention.empty() ? "" : "; ") +
                                       (*changed)->change + ": " + groupedDigits(*found) +
                                       " compiled";
        }
        return;
    }
    if (!moved.empty()) return set(DifferenceCause::movedLines, moved, confirmed);
    if (const std::vector<Key> partners = partnersOf(key); !partners.empty()) {
        const std::string lines = wordsOf(partners, key);
        return set(DifferenceCause::movedLines,
                   numbers +
                       (moreLanes < 0 ? ": the compiled code does it " + lines
                                      : ": what is written " + lines + " is done here") +
                       ", for more lanes at once",
                   confirmed);
    }
    const bool isLoad = key.kind == AccessKind::load || key.kind == AccessKind::sharedLoad;
    if (isMerged) {
        return set(DifferenceCause::mergedAccesses,
                   numbers + ": neighbouring accesses became one of " +
                       std::to_string(bitsOf(*wide)) + " bits, " + *wide,
                   confirmed);
    }
    if (asked == 0 && !others.empty())
        return set(
            DifferenceCause::movedLines,
            numbers + ": the compiled code asks here for what is written " + wordsOf(others, key),
            confirmed);
    // A line on which nothing is written, and that serves no other one, does it for this one.
    const bool isServed = std::ranges::all_of(others, [&](const Key& other) {
        return !predicted_.contains(other) && othersOf(other, &Sums::lanes) == std::vector{key};
    });
    if (moreLanes < 0 && !others.empty() && isServed)
        return set(DifferenceCause::movedLines,
                   numbers + ": the compiled code asks for " +
                       (compiled == 0 ? "it " : "some of it ") + wordsOf(others, key),
                   confirmed);
    // Where no other line has more, what is missing here is nowhere.
    if (moreLanes < 0 && others.empty()) {
        return set(
            DifferenceCause::removedAccesses,
            numbers + (!has(&Sums::requests) ? ": fewer lanes ask, in as many requests"
                       : isLoad ? ": the compiler leaves out what it has already, or nobody "
                                  "uses"
                                : ": the compiler leaves out what is overwritten, or changes "
                                  "nothing"),
            confirmed);
    }
    // And where none has fewer, what is asked for here is asked for by more than need it; of a
    // store that would be another result, and a wide access in parts is as many bytes.
    const bool isSplit = moreOf(key, &Sums::unique) <= 0 && moreOf(key, &Sums::requests) > 0;
    if (moreLanes > 0 && others.empty() && isLoad && !isSplit) {
        return set(DifferenceCause::speculation,
                   numbers + ": the compiler asks before it is known which lanes need it",
                   confirmed);
    }
    if (moreLanes == 0 && has(&Sums::requests)) {
        const bool isApart = moreOf(key, &Sums::requests) > 0;
        return set(isApart ? DifferenceCause::copiedCode : DifferenceCause::unexplained,
                   numbers + (isApart ? ": the same lanes ask, fewer of them at once"
                                      : ": the same lanes ask, more of them at once"),
                   confirmed);
    }
    set(DifferenceCause::unexplained, numbers + ": the optimiser's doing, no more is known",
        confirmed);
}

void LineComparison::explainCounted(LineDifference& difference, const Key& key) const {
    const auto finish = [&](DifferenceCause cause, const std::string& words,
                            const std::string& evidence) {
        if (difference.cause == DifferenceCause::unexplained) difference.cause = cause;
        difference.words += (difference.words.empty() ? "" : "; ") + words;
        difference.intervention += (difference.intervention.empty() ? "" : "; ") + evidence;
    };
    const std::uint64_t compiled = *difference.compiled;
    const std::uint64_t counted = *difference.counted;
    std::vector<std::string> machine;
    for (const CompiledLine& line : launch_.code) {
        if (!isAt(line, key)) continue;
        std::ranges::copy_if(line.sass, std::back_inserter(machine),
                             [&](const std::string& sass) { return isAccessOf(sass, key.kind); });
    }
    const std::size_t inPtx = ptxOf(key).size();
    const auto wide = std::ranges::find_if(machine, isWide);
    const auto guarded = std::ranges::find_if(
        machine, [](const std::string& sass) { return sass.starts_with('@'); });
    const std::string numbers = "the PTX asks for " + groupedDigits(compiled) + ' ' +
                                difference.quantity + ", the hardware counted " +
                                groupedDigits(counted);
    // What several lines call has its counts where it stands: in a header of the toolkit's.
    if (counted == 0 &&
        totalOf(*counted_, key, &Sums::requests) == totalOf(compiled_, key, &Sums::requests)) {
        for (const auto& [other, sums] : *counted_) {
            if (other.kind != key.kind || sums.requests == 0 || files_.contains(other.file))
                continue;
            return finish(DifferenceCause::movedLines,
                          numbers + " here: they are counted at line " +
                              std::to_string(other.line) + " of " +
                              std::filesystem::path(other.file).filename().string() +
                              ", which several lines call",
                          "all such lines together have as many");
        }
    }
    const std::string sizes = times(inPtx, "access", "accesses") + " in PTX, " +
                              times(machine.size(), "access", "accesses") + " in machine code";
    if (counted < compiled && wide != machine.end() && machine.size() < inPtx) {
        return finish(DifferenceCause::mergedAccesses,
                      numbers + ": the assembler made one wider access of several",
                      sizes + ": " + *wide);
    }
    if (counted > compiled && difference.quantity == "requests" && guarded != machine.end()) {
        return finish(DifferenceCause::predication,
                      numbers + ": the instruction is issued to warps of which no lane takes it",
                      *guarded);
    }
    if (counted < compiled && machine.size() < inPtx) {
        return finish(DifferenceCause::removedAccesses,
                      numbers + ": the assembler dropped accesses", sizes);
    }
    if (!launch_.reordered.empty()) {
        return finish(DifferenceCause::schedule,
                      numbers + ": it depends on which threads come first",
                      "the device left " + launch_.reordered + " in another order");
    }
    difference.cause = DifferenceCause::unexplained;
    difference.words += (difference.words.empty() ? "" : "; ") + numbers;
}

}  // namespace warplens
