#include "core/program/branch_reasons.h"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <regex>

#include "core/launch/mapping.h"
#include "core/program/called_functions.h"
#include "core/program/index_derivation.h"
#include "core/program/remedy_edits.h"
#include "core/text/encoding.h"

namespace warplens {
namespace {

/// What a condition has that data decide.
constexpr const char* ofMemory = R"(\[|\batomic|shfl\w*\s*\(|ballot)";

/// The `if` without an else that a line begins with, or that is its only one.
std::optional<source::Statement> ifWithoutElse(const source::SourceEdit& text,
                                               std::uint32_t number) {
    const source::TextSpan line = text.line(number);
    const std::string& masked = text.masked();
    const std::size_t first = source::findWord(masked, "if", line.begin);
    const bool isOnly = first < line.end && source::findWord(masked, "if", first + 2) >= line.end &&
                        source::findWord(masked, "for", line.begin) >= line.end &&
                        source::findWord(masked, "while", line.begin) >= line.end;
    const std::size_t at = isOnly ? first : source::skipBlanks(masked, line.begin);
    for (const source::Statement& each : text.statementsAround(at)) {
        if (each.whole.begin != at || each.condition.size() == 0) continue;
        const std::size_t behind = source::skipBlanks(masked, each.whole.end);
        const bool isAlone =
            text.textOf(each.whole).starts_with("if") && masked.compare(behind, 4, "else") != 0;
        return isAlone ? std::optional(each) : std::nullopt;
    }
    return std::nullopt;
}

/// Whether all that the statement rules is a store or an atomic or two, `at = atomicAdd(n, 1);
/// out[at] = x;`, with what makes their indices: no other way has to be run, and the compiler needs
/// no branch for that.
bool onlyStores(const KernelText& kernel, const source::Statement& branch) {
    static const std::regex form(
        R"(\s*\{?(?:\s*(?:const\s+)?\w+\s+\w+\s*=[^;=?]*;){0,2})"
        R"((?:\s*(?:\w+(?:\.\w+)?\[[^;=?]*\][\w.]*\s*=[^;=?]*|atomic\w+\s*\([^;=?]*\))\s*;){1,2}\s*\}?)");
    return std::regex_match(kernel.masked().substr(branch.inside.begin, branch.inside.size()),
                            form);
}

/// Of the first `if`, `while` or `for` of a line; empty where there is none.
std::string_view conditionIn(std::string_view statement) {
    const source::SourceEdit text(statement);
    for (const std::string_view word : {"if", "while", "for"}) {
        const std::size_t at = source::findWord(text.masked(), word);
        const std::size_t open = at == source::nowhere ? at : text.masked().find('(', at);
        const std::size_t end =
            open == source::nowhere ? open : source::closing(text.masked(), open);
        if (end == source::nowhere) continue;
        const auto parts = text.partsOf({open + 1, end - 1}, ';');
        const source::TextSpan part = parts.size() == 3 ? parts[1] : parts[0];
        return statement.substr(part.begin, part.size());
    }
    return {};
}

std::string rankOf(const Extents& block) {
    return block.x % lanesPerWarp == 0 ? "threadIdx.x" : "rank in their block";
}

/// `lane 7`, `lanes 8 to 15`, `those whose threadIdx.x % 4 is 1 or 2`; empty where neither fits.
std::string lanesInWords(std::uint32_t lanes, const Extents& block) {
    const int low = std::countr_zero(lanes);
    const int high = std::bit_width(lanes) - 1;
    if (low == high) return "lane " + std::to_string(low);
    if (std::popcount(lanes) == high - low + 1)
        return "lanes " + std::to_string(low) + " to " + std::to_string(high);
    for (const std::uint32_t period : {2u, 4u, 8u, 16u}) {
        if (std::rotl(lanes, static_cast<int>(period)) != lanes) continue;
        std::string rests;
        const std::uint32_t all = lanes & ((1u << period) - 1);
        for (std::uint32_t left = all; left != 0; left &= left - 1)
            rests += (left == all                 ? ""
                      : std::has_single_bit(left) ? " or "
                                                  : ", ") +
                     std::to_string(std::countr_zero(left));
        constexpr int most = 3;
        if (std::popcount(all) <= most)
            return "those whose " + rankOf(block) + " % " + std::to_string(period) + " is " + rests;
    }
    return {};
}

/// Where some lanes of a warp do not come to a branch at all, or more than two ways lead from it:
/// which go where; empty where neither is so.
std::string sidesOf(const DivergingLanes& lanes, const Extents& block) {
    if (!lanes.ways.empty()) {
        std::string text;
        for (const std::uint32_t way : lanes.ways) {
            const std::string words = lanesInWords(way, block);
            if (words.empty())
                return "the lanes of a warp go " + std::to_string(lanes.ways.size()) + " ways";
            text += (text.empty() ? "" : way == lanes.ways.back() ? " and " : ", ") + words;
        }
        return text + " of a warp go ways of their own";
    }
    const std::uint64_t threads = block.count();
    const std::uint32_t here =
        threads >= lanesPerWarp ? 0xffffffff : (1u << static_cast<std::uint32_t>(threads)) - 1;
    const auto [fewer, more] = std::minmax({lanes.oneWay, lanes.otherWay}, [](auto a, auto b) {
        return std::popcount(a) < std::popcount(b);
    });
    if (fewer == 0 || (fewer | more) == here) return {};
    std::string one = lanesInWords(fewer, block);
    std::string other = lanesInWords(more, block);
    if (one.empty()) one = std::to_string(std::popcount(fewer));
    if (other.empty()) other = "the rest";
    return "of the lanes that come here " + one + (std::has_single_bit(fewer) ? " goes" : " go") +
           " another way than " + other;
}

/// Which lanes go another way than the rest where they are the same each time.
std::string sameLanes(const DivergingLanes& lanes, const Extents& block) {
    constexpr std::uint32_t all = 0xffffffff;
    const bool isOne = std::popcount(lanes.oneWay) <= std::popcount(lanes.otherWay);
    const std::uint32_t fewer = isOne ? lanes.oneWay : lanes.otherWay;
    for (const std::uint32_t period : {4u, 8u, 16u}) {
        if ((lanes.oneWay | lanes.otherWay) != all ||
            std::rotl(fewer, static_cast<int>(period)) != fewer)
            continue;
        const std::uint32_t ofPeriod = fewer & ((1u << period) - 1);
        if (std::has_single_bit(ofPeriod))
            return "threads whose " + rankOf(block) + " % " + std::to_string(period) + " is " +
                   std::to_string(std::countr_zero(ofPeriod)) + " go another way than the rest";
        return std::to_string(std::popcount(ofPeriod)) + " of " + std::to_string(period) +
               " neighbouring lanes go another way than the rest, the same ones each time";
    }
    std::uint32_t odd = 0;  // of both indices together, as colours of a board are
    for (std::uint32_t lane = 0; lane < lanesPerWarp; ++lane) {
        const Index3 thread = threadIndexInBlock({lane}, block);
        odd |= ((thread.x + thread.y) & 1) << lane;
    }
    if ((lanes.oneWay | lanes.otherWay) == all && (fewer == odd || fewer == ~odd))
        return "threads whose threadIdx.x + threadIdx.y is odd go one way, the even ones another: "
               "every warp has both";
    if (std::has_single_bit(fewer))
        return "one lane of a warp goes another way than the rest, the same one each time";
    return std::to_string(std::popcount(fewer)) +
           " lanes of a warp go another way than the rest, the same ones each time";
}

/// Whether its line loads what the branch may depend on.
bool asksMemory(const ProgramLine& line, const LaunchReport& launch) {
    return std::ranges::any_of(launch.lines, [&](const ProgramLine& other) {
        return other.place.line == line.place.line && other.place.file == line.place.file &&
               (other.kind == AccessKind::load || other.kind == AccessKind::sharedLoad);
    });
}

/// Of `bool in(int x, int n) { return x >= 0 && x < n; }`, whose branches only make what it
/// returns, the name; empty where the line does anything else.
std::string makesItsResult(const ProgramSources& sources, const SourcePlace& place) {
    const source::SourceEdit text(textOf(sources, place.file));
    const source::TextSpan line = text.line(place.line);
    for (const source::FunctionText& function : source::functionsIn(text)) {
        const std::size_t begin = source::skipBlanks(text.masked(), function.body.begin);
        const bool isReturn = text.masked().compare(begin, 6, "return") == 0;
        if (function.body.begin <= line.end && line.begin < function.body.end && isReturn &&
            text.masked().find('?', begin) >= function.body.end)
            return std::string(function.name);
    }
    return {};
}

/// Whether something of that form is in what the condition is made of.
bool derivesFrom(std::string_view condition, std::string_view code, const std::regex& form) {
    const IndexDerivation made(condition, code, "");
    return std::ranges::any_of(made.texts(), [&](std::string_view text) {
        return std::regex_search(text.begin(), text.end(), form);
    });
}

/// What may part the lanes of a warp by how a statement is written.
const std::regex& choosing() {
    static const std::regex words(R"(\b(if|for|while|do|switch|case)\b|[?]|&&|\|\|)");
    return words;
}

/// How often a statement has that: what it calls has its branches behind those. Of a switch, which
/// has one for each case, as many as can be.
std::uint32_t conditionsOf(std::string_view statement) {
    if (source::findWord(statement, "switch") != source::nowhere) return UINT32_MAX;
    return static_cast<std::uint32_t>(
        std::distance(std::cregex_iterator(statement.begin(), statement.end(), choosing()), {}));
}

/// Parts one of the ways as a further branch parts its lanes; false where those are not of one way.
bool part(std::vector<std::uint32_t>& ways, const std::optional<DivergingLanes>& lanes) {
    if (!lanes || lanes->oneWay == 0 || lanes->otherWay == 0) return false;
    const std::uint32_t both = lanes->oneWay | lanes->otherWay;
    const auto way =
        std::ranges::find_if(ways, [&](std::uint32_t each) { return (each & both) == both; });
    if (way == ways.end()) return false;
    *way &= ~lanes->otherWay;
    ways.insert(way + 1, lanes->otherWay);
    std::ranges::sort(ways, {}, [](std::uint32_t each) { return std::countr_zero(each); });
    return true;
}

bool keepsOut(const ProgramLine& line, const LaunchReport& launch, const ProgramSources& sources) {
    if (!line.lanes) return false;
    const LineText around = lineText(sources, line.place);
    const std::string statement(around.statement);
    const bool isLoop = isLoopCondition(statement);
    // How often each lane goes round, in whatever order the data have the lanes.
    if (isLoop && conditionReadsData(statement, around.code)) return false;
    const auto& [bit, first, every, single, oneWay, otherWay, ways] = *line.lanes;
    static const std::regex leaves(R"(^\s*if\s*\((.*)\)\s*\{?\s*return\b.*)");
    static const std::regex chooses(
        R"(.*\?[^:?]*:\s*(?:[-+.\w]+|[\w:<>]*\{[-+.,\w\s]*\}|make_\w+\s*\([-+.,\w\s]*\))\s*\)*;.*)");
    const auto branch =
        around.kernel ? ifWithoutElse(*around.kernel, line.place.line) : std::nullopt;
    const std::string onlyIf = branch ? around.kernel->copyOf(branch->condition) : std::string();
    std::smatch parts;
    // Behind those that stand there: of what is called.
    const std::uint32_t conditions = conditionsOf(statement);
    // Before its condition is what asks for the rank.
    static const std::regex leader(
        R"(^\s*if\s*\(.*(thread_rank\(\)|threadIdx\.x|\blane\w*)\s*==\s*0\b.*)");
    if (!bit && !onlyIf.empty() && std::regex_match(statement, leader)) return true;
    if (conditions != 0 && line.nth > conditions) return false;
    constexpr std::uint32_t ofGroup = 8;  // of so many lanes the first does what one is to do
    if (first.value_or(2) < 2 || every.value_or(0) >= ofGroup) return true;
    const auto comparesIndices = [&](const std::string& condition, const char* but) {
        const std::regex others(but);
        const std::string all = source::withCalled(condition, sources);
        return all.find_first_of("<>") != all.npos && !derivesFrom(all, around.code, others);
    };
    constexpr const char* dataOrPattern = R"([\[%^]|\batomic|shfl\w*\s*\(|ballot)";
    // Beyond the grid's edge there may be the half or a quarter of each row by chance.
    static const std::regex grid("blockIdx");
    const auto isOfEdge = [&](const std::string& condition) {
        return !bit || derivesFrom(condition, around.code, grid);
    };
    if (every.value_or(1) == 1) {
        if (std::regex_match(statement, parts, leaves) && isOfEdge(parts.str(1)))
            return !asksMemory(line, launch) && comparesIndices(parts.str(1), dataOrPattern);
        if (isOfEdge(onlyIf) && comparesIndices(onlyIf, dataOrPattern)) return true;
    }
    if (!bit && branch && onlyStores(*around.kernel, *branch) && readsData(onlyIf, around.code))
        return true;
    // A loop that the same lanes go into each time, and leave together.
    const bool isSame = first.value_or(0) != 0 || (oneWay != 0 && otherWay != 0);
    if (isSame && isLoop && comparesIndices(std::string(conditionIn(statement)), ofMemory))
        return true;
    // One lane, whichever, does what its warp or those that voted as it did are to do.
    if (!onlyIf.empty() && (std::has_single_bit(oneWay) || std::has_single_bit(otherWay)))
        return true;
    static const std::regex elects(R"(\b__(ffs|clz)(ll)?\s*\()");
    if (derivesFrom(onlyIf, around.code, elects)) return true;
    if (!first) return false;
    return !onlyIf.empty() || std::regex_match(statement, chooses);
}

/// `cub` of a line that does no more than call it, as `cub::BlockReduce<int, 128>(t).Sum(x);`, or
/// `Reduce(t).Sum(x);` by a name that `using` gives; empty of others, and of people's own.
std::string libraryOf(const LineText& around, const ProgramSources& sources) {
    const std::string statement = source::maskedText(around.statement);
    if (!around.kernel || std::regex_search(statement, choosing())) return {};
    const std::string& file = around.kernel->masked();
    static const std::regex qualified(R"(\b(\w+)\s*::\s*\w[^;]*\()");
    static const std::regex called(R"(\b(\w+)\s*\()");
    std::smatch found;
    std::string library;
    if (std::regex_search(statement, found, qualified)) {
        library = found.str(1);
    } else if (std::regex_search(statement, found, called)) {
        const std::regex alias("\\busing\\s+" + found.str(1) +
                               R"(\s*=\s*(?:typename\s+)?(?:::\s*)?(\w+)\s*::)");
        if (std::regex_search(file, found, alias)) library = found.str(1);
    }
    if (library.empty()) return {};
    const std::regex own(R"(\b(?:namespace|struct|class)\s+)" + library + R"(\b\s*[:{])");
    for (const auto* files : {&sources.units, &sources.headers}) {
        for (const ProgramFile& each : *files)
            if (std::regex_search(each.text, own)) return {};
    }
    return library;
}

}  // namespace

bool readsData(std::string_view condition, std::string_view code) {
    static const std::regex read(ofMemory);
    return derivesFrom(condition, code, read);
}

bool conditionReadsData(std::string_view statement, std::string_view code) {
    static const std::regex read(R"(\[|\batomic)");
    return derivesFrom(conditionIn(statement), code, read);
}

bool isLoopCondition(std::string_view statement) {
    static const std::regex form(R"(^[\s}]*(for|while|do)\b)");
    return std::regex_search(statement.begin(), statement.end(), form);
}

bool addsEverFurtherApart(std::string_view statement) {
    static const std::regex multiple(
        R"(%\s*\(?\s*2\s*\*\s*[A-Za-z_]|&\s*\(?\s*2\s*\*\s*\w+\s*-\s*1)");
    return std::regex_search(statement.begin(), statement.end(), multiple);
}

bool hasNoElse(const source::SourceEdit& text, std::uint32_t line) {
    static const std::regex others(R"(\b(for|while|do|switch|else)\b|[?]|\|\||\bif\b.*\bif\b)");
    static const std::regex leaves(R"(\b(return|continue|break|goto)\b)");
    const auto has = [&](source::TextSpan span, const std::regex& form) {
        return std::regex_search(text.masked().substr(span.begin, span.size()), form);
    };
    static const std::regex decisions(R"(\b(switch|else)\b|[?]|&&|\|\|)");
    if (isLoopCondition(text.textOf(text.line(line)))) {
        const auto isAlone = [&](const CudaToken& token) {
            if (!token.is("if")) return true;
            const source::Statement own = text.statementsAround(token.begin).back();
            const std::size_t behind = source::skipBlanks(text.masked(), own.whole.end);
            return text.masked().compare(behind, 4, "else") != 0 && !has(own.inside, leaves);
        };
        return !has(text.line(line), decisions) &&
               std::ranges::all_of(text.tokensIn(text.line(line)), isAlone);
    }
    const auto branch = ifWithoutElse(text, line);
    return branch && !has(text.line(line), others) && !has(branch->condition, others) &&
           !has(branch->inside, leaves);
}

std::vector<std::string> casesOf(const source::SourceEdit& text, std::uint32_t line) {
    const source::TextSpan span = text.line(line);
    const std::vector<CudaToken>& tokens = text.tokens();
    auto at = std::ranges::find_if(tokens, [&](const CudaToken& token) {
        return token.is("switch") && token.begin >= span.begin && token.begin < span.end;
    });
    std::vector<std::string> names;
    std::map<std::int64_t, std::size_t> asked;  // which of the names
    std::optional<std::size_t> rest;
    int depth = 0;
    for (bool isBehindLabel = false; at != tokens.end(); ++at) {
        depth += at->is("{") ? 1 : at->is("}") ? -1 : 0;
        if (at->is("}") && depth == 0) break;
        if (depth != 1 || (!at->is("case") && !at->is("default"))) {
            isBehindLabel = false;
            continue;
        }
        const auto colon = std::find_if(at, tokens.end(), [](auto& each) { return each.is(":"); });
        const std::string_view label = colon == tokens.end() ? "" : std::prev(colon)->text;
        const bool isLetter = label.size() == 3 && label.front() == '\'';
        const auto value = isLetter ? label[1] : source::wholeNumber(std::string(label));
        if (!isBehindLabel) names.emplace_back();
        if (at->is("default"))
            rest = names.size() - 1;
        else if (value && colon - at == 2)
            asked[*value] = names.size() - 1;
        else
            return {};
        names.back() += (names.back().empty() ? (at->is("case") ? "case " : "") : ", ");
        names.back() += label;
        at = colon;
        isBehindLabel = true;
    }
    std::vector<std::string> ways;
    for (const auto& [value, name] : asked) ways.push_back(names[name]);
    ways.push_back(rest ? names[*rest] : "no case");
    return ways;
}

IfChain chainOf(const source::SourceEdit& text, std::uint32_t line) {
    const std::string& masked = text.masked();
    const auto isAt = [&](std::string_view word, std::size_t at) {
        return source::findWord(std::string_view(masked).substr(0, at + word.size() + 1), word,
                                at) == at;
    };
    const auto chainFrom = [&](std::size_t begin) {
        IfChain chain;
        for (;;) {
            const auto around = text.statementsAround(begin);
            const auto found = std::ranges::find_if(around, [&](const source::Statement& each) {
                return each.whole.begin == begin && each.condition.size() != 0;
            });
            if (found == around.end()) return IfChain{};
            chain.lines.push_back(source::placeAt(masked, begin).line);
            chain.ways.push_back(
                std::regex_replace(text.copyOf(found->condition), std::regex(R"(\s+)"), " "));
            const std::size_t behind = source::skipBlanks(masked, found->whole.end);
            const bool isElse = isAt("else", behind);
            begin = isElse ? source::skipBlanks(masked, behind + 4) : behind;
            if (isElse && isAt("if", begin)) continue;
            chain.ways.emplace_back(isElse ? "else" : "none of them");
            return chain;
        }
    };
    const source::TextSpan span = text.line(line);
    if (source::findWord(masked, "if", span.begin) >= span.end) return {};
    // From the line upwards: the first `if` behind no else is most often that of the chain.
    const std::vector<CudaToken>& tokens = text.tokens();
    auto at = std::ranges::lower_bound(tokens, span.end, {}, &CudaToken::begin);
    for (int tried = 0; at != tokens.begin() && tried < 32;) {
        --at;
        if (!at->is("if") || (at != tokens.begin() && std::prev(at)->is("else"))) continue;
        ++tried;
        IfChain chain = chainFrom(at->begin);
        if (std::ranges::count(chain.lines, line) == 0) continue;
        const bool isApart = std::ranges::adjacent_find(chain.lines) == chain.lines.end();
        return chain.lines.size() > 1 && isApart ? chain : IfChain{};
    }
    return {};
}

bool isGuard(const ProgramLine& line, const LaunchReport& launch, const ProgramSources& sources) {
    if (line.kind != AccessKind::branch || line.divergent == 0) return false;
    if (const std::string function = makesItsResult(sources, line.place); !function.empty()) {
        // What decides is where it is called.
        bool isAny = false;
        for (const ProgramLine& other : launch.lines) {
            const std::string_view statement =
                lineOf(textOf(sources, other.place.file), other.place.line);
            if (other.source != line.source || other.kind != AccessKind::branch ||
                other.divergent == 0 || makesItsResult(sources, other.place) == function ||
                source::findWord(statement, function) == source::nowhere)
                continue;
            if (!keepsOut(other, launch, sources)) return false;
            isAny = true;
        }
        return isAny;
    }
    return keepsOut(line, launch, sources);
}

std::string branchReason(ProgramLine& line, const LaunchReport& launch,
                         const ProgramSources& sources) {
    if (line.isGuard) return "it only keeps threads out: no second path has to be run for them";
    const LineText around = lineText(sources, line.place);
    if (const std::string library = libraryOf(around, sources); !library.empty()) {
        line.decidedBy = CostDecider::data;
        return "it is within what `" + library + "` does, which is called here";
    }
    const std::string_view statement = around.statement;
    const std::uint32_t conditions = conditionsOf(statement);
    const CalledInStatement called = calledIn(statement);
    const std::string isOfCalled =
        called.subject + std::string(goesByArgument) +
        (called.slowFrom.empty() ? "" : ", by their quadrant or beyond " + called.slowFrom);
    // Behind those that stand there. Where a loop's head calls nothing, what a library made ends
    // there: a destructor of people's own has lines of its own.
    static const std::regex callsNothing(R"([\s}]*(?:for|while)\s*\([^(]*\)\s*\{\s*)");
    if (conditions != 0 && line.nth > conditions) {
        if (!std::regex_match(statement.begin(), statement.end(), callsNothing)) return isOfCalled;
        line.decidedBy = CostDecider::data;
        return "it is within what a library does there";
    }
    if (!line.lanes) return {};
    const auto& [bit, first, every, single, oneWay, otherWay, ways] = *line.lanes;
    if (const std::string sides = sidesOf(*line.lanes, launch.launch.block); !sides.empty())
        return sides;
    if (first && *first != 0)
        return "the first " +
               (*first == 1 ? "lane of a warp goes"
                            : std::to_string(*first) + " lanes of a warp go") +
               " another way than the rest";
    static const std::regex parts(R"(\bswitch\b)");
    if (std::regex_search(statement.begin(), statement.end(), parts))
        return "lanes of a warp go to different cases";
    const std::string_view condition = conditionIn(statement);
    // Which lanes those are is what the data happen to say.
    const std::string here =
        conditionReadsData(statement, around.code)
            ? '`' + std::string(trimmed(condition)) + "` depends on data; here "
            : std::string();
    const std::string together = std::to_string(1u << bit.value_or(0));
    const std::string where =
        line.divergent == line.requests ? ": every warp has both" : ", in the warps that have both";
    if (bit == 0u)
        return here + "threads whose " + rankOf(launch.launch.block) +
               " is odd go one way, the even ones another" + where;
    if (bit)
        return here + "in turns " + together + " neighbouring lanes go one way and " + together +
               " another" + where;
    if (every && *every > 1)
        return here + "one of " + std::to_string(*every) +
               " neighbouring lanes goes another way than "
               "the rest";
    if (oneWay != 0 && otherWay != 0) return here + sameLanes(*line.lanes, launch.launch.block);
    if (addsEverFurtherApart(statement))
        return "in each pass half as many threads go in, twice as far apart: as many warps as "
               "before, with ever fewer of their lanes";
    if (first && !isLoopCondition(statement))
        return "lanes below some border, which is not always the same, go one way";
    if (single && line.divergent == 1) return "one lane goes another way than the rest";
    if (single)
        return "each time one lane goes another way than the rest, and not always the same one";
    if (conditions == 0) return isOfCalled;
    const IndexDerivation made(condition.empty() ? statement : condition, around.code, "");
    const bool isOfData = (condition.empty() && asksMemory(line, launch)) ||
                          readsData(condition.empty() ? statement : condition, around.code);
    static const std::regex loops(R"(\b(for|while)\b)");
    const bool isLoop = conditions == 1 && line.divergent != 1 &&
                        std::regex_search(statement.begin(), statement.end(), loops);
    if (isLoop && (isOfData || !made.isAnyThreads()))
        return "how often a lane goes round depends on " +
               std::string(isOfData ? "data" : "its thread") +
               ": those that are done wait for the last one";
    if (conditions > 1 && line.nth != 0 && !isOfData)
        return "the branches of this line are not told apart: in a line of its own each is told of";
    return std::string(line.divergent == 1 ? "some lanes of a warp go another way than the rest"
                                           : "the lanes that go one way are not the same each "
                                             "time that a warp comes to it") +
           (isOfData ? ": the condition depends on data" : "");
}

void joinBranches(std::vector<ProgramLine>& lines, const ProgramSources& sources) {
    std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> conditions;  // of lines
    const auto isCalled = [&](const ProgramLine& line) {
        if (line.nth < 2) return false;
        const auto [own, isNew] = conditions.try_emplace({line.place.file, line.place.line});
        if (isNew) own->second = conditionsOf(lineText(sources, line.place).statement);
        return own->second != 0 && line.nth > own->second;
    };
    std::vector<ProgramLine> all;
    std::vector<std::uint64_t> most;  // that one of them diverges
    std::vector<std::vector<std::uint32_t>> waysOf;
    for (const ProgramLine& line : lines) {
        const auto alike = std::ranges::find_if(all, [&](const ProgramLine& other) {
            return line.nth != 0 && other.place == line.place && other.kind == line.kind &&
                   other.source == line.source && (other.divergent == 0) == (line.divergent == 0) &&
                   isCalled(other) == isCalled(line);
        });
        if (alike == all.end()) {
            all.push_back(line);
            most.push_back(line.divergent);
            waysOf.push_back({line.lanes ? line.lanes->oneWay | line.lanes->otherWay : 0});
            if (!part(waysOf.back(), line.lanes)) waysOf.back().clear();
            continue;
        }
        if (line.inOtherOrder || alike->inOtherOrder) {
            const auto of = [](const ProgramLine& one) {
                return one.inOtherOrder.value_or(CountsInOtherOrder{one.requests, one.divergent});
            };
            alike->inOtherOrder = {of(*alike).requests + of(line).requests,
                                   of(*alike).units + of(line).units};
        }
        const auto at = static_cast<std::size_t>(alike - all.begin());
        if (line.divergent >= most[at]) alike->lanes = line.lanes;
        most[at] = std::max(most[at], line.divergent);
        std::vector<std::uint32_t>& ways = waysOf[at];
        if (!part(ways, line.lanes))
            ways.clear();
        else
            alike->lanes = DivergingLanes{.ways = ways};
        alike->add(line);
    }
    for (ProgramLine& line : all) {
        const bool isAlone = std::ranges::none_of(all, [&](const ProgramLine& other) {
            return other.nth != line.nth && other.nth != 0 && other.place == line.place &&
                   other.source == line.source;
        });
        if (isAlone) line.nth = 0;
    }
    lines = std::move(all);
}

}  // namespace warplens
