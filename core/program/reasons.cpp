#include "core/program/reasons.h"

#include <algorithm>
#include <bit>
#include <numeric>
#include <regex>
#include <set>

#include "core/launch/mapping.h"
#include "core/program/branch_reasons.h"
#include "core/program/called_functions.h"
#include "core/program/index_derivation.h"
#include "core/program/joined_atomics.h"
#include "core/program/local_reasons.h"
#include "core/program/remedy_edits.h"
#include "core/text/encoding.h"
#include "core/text/format.h"
#include "core/text/lines.h"

namespace warplens {
namespace {

constexpr std::int64_t banks = 32;
constexpr std::int64_t bankBytes = 4;
constexpr std::int64_t sectorBytes = 32;

/// `a[row * n + x]` as it stands in the line; the array's name where it does not.
std::string accessIn(std::string_view line, const std::string& array) {
    const source::SourceEdit text(line);
    const auto found = text.bracketsOf(array, '[', {0, line.size()});
    return found.empty() ? array : text.copyOf(found.front().whole);
}

std::string bytesText(std::int64_t bytes) {
    return groupedDigits(static_cast<std::uint64_t>(std::abs(bytes))) +
           (std::abs(bytes) == 1 ? " byte" : " bytes");
}

class Reason final {
  public:
    Reason(ProgramLine& line, const LaunchReport& launch, const ProgramSources& sources)
        : line_(line), launch_(launch), sources_(sources) {
        const LineText text = lineText(sources, line.place);
        statement_ = text.statement;
        access_ = accessIn(statement_, line.array);
        code_ = text.code;
        if (text.kernel) addTemplateArguments(text.kernel->kernel, launch.instance, names_);
        const std::vector<NamedNumber> others = namedNumbers(launch, sources);
        names_.insert(names_.end(), others.begin(), others.end());
        std::erase_if(names_, [](const NamedNumber& name) { return name.second < 2; });
        named_ = names_;
        const std::string masked = source::maskedText(code_);
        std::erase_if(names_, [&](const NamedNumber& name) {
            return source::findWord(masked, name.first) == source::nowhere;
        });
        if (!text.kernel) calls_ = callingLines(line, launch, sources);
        chooseAccess();
        if (access_ == line_.array) chooseOther(text);
    }

    /// Sets what decides it, too.
    [[nodiscard]] std::string words() {
        std::string text;
        if (line_.kind == AccessKind::constantLoad)
            return "the lanes of a warp ask for " +
                   plainNumber(std::round(10.0 * static_cast<double>(line_.wavefronts) /
                                          static_cast<double>(line_.requests)) /
                               10) +
                   " different addresses, and constant memory serves one at a time";
        const bool isOfData = line_.address && line_.address->isOfRequest;
        const bool meets = isAtomic(line_.kind) && line_.mostSameAddress > 1;
        const bool isOne = line_.address && line_.address->thread == std::array<std::int64_t, 3>{};
        if (isNested() || (!line_.address && line_.hasNoFormula) || (isOfData && meets && !isOne))
            text = withoutFormula();
        else if (line_.address && meets)
            text = ofAtomic();
        else if (line_.address)
            text = line_.sectors == 0 ? ofShared() : ofGlobal();
        if (text.empty() && line_.address) text = ofSparseLanes();
        if (text.empty() && isOfData) text = withoutFormula();
        if (!text.empty() && line_.address && line_.address->isClamped)
            text += "; at the array's edge the index is clamped";
        if (text.empty()) return text;
        std::string subject = access_.empty() || access_ == line_.array ? "" : '`' + access_ + '`';
        if (const std::string lines = calledIn(); !lines.empty())
            subject += (subject.empty() ? "" : ", ") + lines;
        return subject.empty() ? text : subject + ": " + text;
    }

  private:
    /// Of several accesses of one array in the line the only one that is stored to or loaded from,
    /// as this one is, else the one that has the formula's factor; where none has, none is quoted.
    void chooseAccess() {
        static const std::regex assigns(R"(^(?:\.\w+)?\s*(=(?!=)|[-+*/%&|^]=|<<=|>>=))");
        const source::SourceEdit text(statement_);
        std::set<std::string> all;
        std::set<std::string> alike;
        for (const std::string_view array : cellsOf(line_.array, ',')) {
            for (const auto& each : text.bracketsOf(array, '[', {0, statement_.size()})) {
                all.insert(text.copyOf(each.whole));
                const std::string rest = text.masked().substr(each.whole.end);
                std::smatch found;
                const bool isStored = std::regex_search(rest, found, assigns);
                if (isStore(line_.kind) ? isStored : !isStored || found.str(1) != "=")
                    alike.insert(text.copyOf(each.whole));
            }
        }
        if (all.size() < 2) return;
        if (!alike.empty()) all = std::move(alike);
        if (all.size() == 1) {
            access_ = *all.begin();
            return;
        }
        const std::string_view axis = line_.address && line_.address->ofLanes ? "" : "x";
        const std::int64_t elements =
            line_.address ? std::abs(line_.address->thread[0]) / line_.address->elementBytes : 0;
        const auto found = std::ranges::find_if(all, [&](const std::string& access) {
            return elements > 1 &&
                   !factorIn(access, elements, names_, {access, code_, axis}).empty();
        });
        access_ = found == all.end() ? line_.array : *found;
    }
    /// `Vs` of `float* Vs = sm + 64;`
    [[nodiscard]] bool pointsIntoArray(std::string_view name) const {
        const IndexDerivation made(name, code_, "");
        return std::ranges::any_of(cellsOf(line_.array, ','), [&](std::string_view array) {
            return std::ranges::any_of(made.texts(), [&](std::string_view from) {
                return source::findWord(source::maskedText(from), array) != source::nowhere;
            });
        });
    }
    /// Of a line that has the array by another name, a member's or a parameter's, the only access
    /// of its statement to what is no array of each thread's own or of another memory.
    void chooseOther(const LineText& text) {
        static const std::regex assigns(R"(^(?:\.\w+)?\s*(=(?!=)|[-+*/%&|^]=|<<=|>>=))");
        const source::SourceEdit row(statement_);
        // `atomicAdd(e, p[i])` is of e itself.
        if (isAtomic(line_.kind) && source::findWord(row.masked(), line_.array) != source::nowhere)
            return;
        std::size_t begin =
            std::min<std::size_t>(std::max(1u, line_.place.column) - 1, row.masked().size());
        if (text.kernel) begin = 0;
        std::set<std::string> all;
        std::set<std::string_view> known;
        std::size_t end = begin;
        while (end < row.masked().size() && row.masked()[end] != ';' && row.masked()[end] != '}')
            // Not in what a `for` begins with.
            end = row.masked()[end] == '(' ? source::closing(row.masked(), end) : end + 1;
        end = std::min(end, row.masked().size());
        for (const CudaToken& token : row.tokensIn({begin, end})) {
            if (token.kind != CudaTokenKind::identifier || !known.insert(token.text).second)
                continue;
            const bool isElsewhere =
                text.kernel &&
                text.kernel->sharedNamed(token.text).has_value() != isShared(line_.kind);
            if (text.kernel && (isThreadsArray(*text.kernel, text.kernel->body, token.text) ||
                                (isElsewhere && !pointsIntoArray(token.text))))
                continue;
            for (const auto& each : row.bracketsOf(token.text, '[', {begin, end})) {
                const std::string rest = row.masked().substr(each.whole.end);
                std::smatch found;
                const bool isStored = std::regex_search(rest, found, assigns);
                if (isStore(line_.kind) ? isStored : !isStored || found.str(1) != "=")
                    all.insert(row.copyOf(each.whole));
            }
        }
        // Of several those by a pointer into the array.
        std::set<std::string> ofArray;
        for (const std::string& each : all) {
            if (pointsIntoArray(std::string_view(each).substr(0, each.find('['))))
                ofArray.insert(each);
        }
        if (all.size() > 1) all = std::move(ofArray);
        if (all.size() == 1) access_ = *all.begin();
    }
    /// `called in line 31`, of another file `called in main.cu:31`; empty of the kernel's own
    /// lines.
    [[nodiscard]] std::string calledIn() const {
        constexpr std::size_t most = 3;
        if (calls_.lines.empty() || calls_.lines.size() > most) return {};
        std::string text = calls_.file != line_.place.file ? "called in " + calls_.file + ':'
                           : calls_.lines.size() == 1      ? "called in line "
                                                           : "called in lines ";
        for (const std::uint32_t& each : calls_.lines)
            text += (&each == &calls_.lines.front()  ? ""
                     : &each == &calls_.lines.back() ? " and "
                                                     : ", ") +
                    std::to_string(each);
        return text;
    }
    /// `own[data[i]]`, where what is read in the index may be another value for each lane.
    [[nodiscard]] bool isNested() const {
        if (!std::regex_search(access_, std::regex(R"(\[[^\]]*\[)"))) return false;
        if (!line_.address || line_.hasNoFormula) return true;
        const source::SourceEdit text(access_);
        for (const CudaToken& token : text.tokensIn({access_.find('['), access_.size()})) {
            if (token.kind != CudaTokenKind::identifier) continue;
            for (const auto& each : text.bracketsOf(token.text, '[', {token.begin, access_.size()}))
                for (const source::TextSpan part : each.parts)
                    if (!IndexDerivation(text.textOf(part), code_, "").isAnyThreads()) return true;
        }
        return false;
    }
    /// `f[i].x`
    [[nodiscard]] bool isMember() const {
        const std::size_t at = statement_.find(access_);
        return at != statement_.npos && access_.ends_with(']') &&
               statement_.substr(at + access_.size()).starts_with('.');
    }
    [[nodiscard]] IndexDerivation derivation(std::string_view axis) const {
        return {access_ == line_.array ? statement_ : std::string_view(access_), code_, axis};
    }
    /// What x is called: the coefficient is of the lane in its warp, or of threadIdx.x.
    [[nodiscard]] std::string unit(std::size_t dimension) const {
        if (line_.address->ofLanes) return dimension == 0 ? "the lane" : "the warp";
        return std::string("threadIdx.") + "xyz"[dimension];
    }
    [[nodiscard]] std::uint32_t lanesInRow() const {
        return line_.address->ofLanes ? lanesPerWarp
                                      : std::min(launch_.launch.block.x, lanesPerWarp);
    }
    /// Whether a warp has threads of several rows of its block.
    [[nodiscard]] bool hasRows() const {
        const Extents block = launch_.launch.block;
        return !line_.address->ofLanes && block.x % lanesPerWarp != 0 && block.y * block.z > 1;
    }
    /// Of a block whose rows are no whole warps.
    [[nodiscard]] std::string ofRows() const {
        const std::uint64_t threads = launch_.launch.block.count();
        const std::uint64_t row = line_.address->ofLanes ? lanesPerWarp : launch_.launch.block.x;
        std::uint64_t least = threads;
        std::uint64_t most = 0;
        for (std::uint64_t first = 0; first < threads; first += lanesPerWarp) {
            const std::uint64_t last = std::min(first + lanesPerWarp, threads) - 1;
            const std::uint64_t rows = last / row - first / row + 1;
            if (first == 0 || last - first + 1 == lanesPerWarp) least = std::min(least, rows);
            most = std::max(most, rows);
        }
        return "blockDim.x is " + std::to_string(row) + ", so a warp has threads of " +
               (least == most ? ""
                              : std::to_string(least) + (most == least + 1 ? " or " : " to ")) +
               std::to_string(most) + " rows";
    }
    [[nodiscard]] std::string met() const {
        return "up to " + std::to_string(line_.mostSameAddress) +
               " lanes of a warp meet at one address";
    }

    /// `because threadIdx.x is multiplied by width`
    [[nodiscard]] std::string because(std::size_t dimension) const {
        const std::int64_t bytes = line_.address->thread[dimension];
        const std::int64_t elements = std::abs(bytes / elementStep(*line_.address, isMember()));
        const std::string because = "because " + unit(dimension);
        if (access_.find("][") != std::string::npos)
            return because + " goes from row to row, each " + bytesText(bytes);
        // As the first of the texts has it in which something is multiplied by that.
        constexpr std::string_view axes = "xyz";
        const IndexDerivation index =
            derivation(line_.address->ofLanes ? "" : axes.substr(dimension, 1));
        std::string factor;
        for (const std::string_view text : index.texts()) {
            if (factor.empty() && elements > 1) factor = factorIn(text, elements, names_, index);
        }
        if (factor.empty() && dimension == 0 && elements > 1)
            factor = factorOfParameter(access_, calls_);
        if (factor.empty() && dimension == 0 && elements > 1)
            factor = factorInArguments(access_, elements, named_, calls_);
        if (factor.empty() && elements > 1)
            factor = factorInCalled(index.texts(), elements, named_, sources_);
        if (factor.empty() && isMember())
            return "one structure, and each takes " + bytesText(bytesTaken()) + " of it at a time";
        if (factor.empty()) return "and each takes " + bytesText(bytesTaken()) + " at a time";
        return because + " is multiplied by " + (bytes < 0 ? "-" : "") +
               (factor.empty() ? std::to_string(elements) : factor);
    }

    /// `8 bytes apart in the first pass, 16 in the second, 32 in the third`
    [[nodiscard]] std::string passByPass(std::string_view unit, std::int64_t divisor) const {
        constexpr std::array<std::string_view, 3> order{"first", "second", "third"};
        std::string text;
        const std::vector<std::int64_t>& steps = line_.address->eachPass;
        if (line_.address->isOfRequest) {
            for (const std::int64_t step :
                 std::span(steps).first(std::min(steps.size(), order.size())))
                text += (text.empty() ? "" : ", then ") +
                        groupedDigits(static_cast<std::uint64_t>(std::abs(step) / divisor));
            return text + ' ' + std::string(unit) + " apart, from one request to the next";
        }
        for (std::size_t at = 0; at < std::min(steps.size(), order.size()); ++at) {
            const std::int64_t number = std::abs(steps[at]) / divisor;
            text += (at == 0 ? "" : ", ") + groupedDigits(static_cast<std::uint64_t>(number));
            if (at == 0) text += ' ' + std::string(unit) + " apart";
            text += " in the " + std::string(order.at(at)) + (at == 0 ? " pass of the loop" : "");
        }
        if (line_.address->endsEarly) text += "; passes after that follow no rule of the lane";
        return text;
    }

    [[nodiscard]] std::string ofGlobal() const {
        const AddressFormula& formula = *line_.address;
        const std::int64_t element = bytesTaken();
        const std::int64_t step = std::abs(formula.thread[0]);
        const std::uint32_t row = lanesInRow();
        if (!formula.eachPass.empty()) return "neighbouring lanes are " + passByPass("bytes", 1);
        if (row > 1 && step > element) {
            std::string text = "neighbouring lanes are " + bytesText(step) + " apart";
            if (step % element == 0) text += ", " + because(0);
            for (const std::size_t other : {1u, 2u}) {
                if (!formula.ofLanes &&
                    std::abs(formula.thread.at(other)) == elementStep(formula, isMember()))
                    text +=
                        "; elements side by side belong to threads that differ in " + unit(other);
            }
            return text;
        }
        // Rows of whole sectors cost nothing: what lies between the lanes does.
        const bool isOfMask = formula.isSparse && step == element &&
                              launch_.launch.block.x * element % sectorBytes == 0 &&
                              formula.thread[1] % sectorBytes == 0;
        if (hasRows() && launch_.launch.block.y > 1 && !isOfMask) {
            const std::int64_t rows = std::abs(formula.thread[1]);
            if (rows != step * launch_.launch.block.x && rows != 0) {
                std::string text = ofRows() + ", which are " + bytesText(rows) + " apart";
                if (rows % element == 0) text += ", " + because(1);
                const Extents block = launch_.launch.block;
                const bool isOfPlanes = !formula.ofLanes && block.z > 1 && formula.thread[2] != 0 &&
                                        block.x * block.y % lanesPerWarp != 0;
                return isOfPlanes ? text + ", and of two threadIdx.z, which are " +
                                        bytesText(std::abs(formula.thread[2])) + " apart"
                                  : text;
            }
        }
        if (step == element && !formula.isSparse) {
            const std::string neighbours = "neighbouring lanes are neighbours in memory, but ";
            if (formula.isOfRequest)
                return neighbours + "the first of them is not always at a multiple of 32";
            const std::int64_t rows = formula.thread[1];
            if (!formula.ofLanes && rows % sectorBytes != 0 && rows % element == 0)
                return neighbours + "rows of " + bytesText(rows) +
                       " do not all begin at a multiple of 32, " + because(1);
            for (const AddressFormula::Loop& loop : formula.loops) {
                if (loop.bytes % sectorBytes != 0)
                    return neighbours + "passes of the loop are " + bytesText(loop.bytes) +
                           " apart, no multiple of 32";
            }
            if (formula.ofLanes && rows % sectorBytes != 0)
                return neighbours + "warps are " + bytesText(rows) + " apart, no multiple of 32";
            for (const std::int64_t bytes : formula.block) {
                if (bytes % sectorBytes != 0)
                    return neighbours + "blocks are " + bytesText(bytes) +
                           " apart, no multiple of 32";
            }
            const std::int64_t beyond = (formula.start % sectorBytes + sectorBytes) % sectorBytes;
            const std::int64_t planes = formula.ofLanes ? 0 : formula.thread[2];
            if (beyond != 0 && planes % sectorBytes == 0)
                return neighbours + "the first of them " + bytesText(beyond) +
                       " past a multiple of 32" +
                       (line_.addresses > 1 && access_ == line_.array
                            ? ", in one of " + std::to_string(line_.addresses) + " accesses"
                            : "");
        }
        return {};
    }

    /// That it accesses at once, pieces of a vector together; 0 where that was not counted.
    /// By a lane at a time: what is written as one vector may be loaded in pieces.
    [[nodiscard]] std::int64_t bytesTaken() const {
        const auto bytes = static_cast<std::uint64_t>(bytesOfLane());
        return std::has_single_bit(bytes)
                   ? std::max<std::int64_t>(line_.address->elementBytes, bytesOfLane())
                   : line_.address->elementBytes;
    }
    [[nodiscard]] std::int64_t bytesOfLane() const {
        if (line_.activeLanes == 0) return 0;
        const std::uint64_t bytes =
            line_.requestedBytes != 0 ? line_.requestedBytes : line_.uniqueBytes;
        return static_cast<std::int64_t>(bytes / line_.activeLanes);
    }
    /// What ends it where the rows of a padded tile meet: no padding parts them along the rows and
    /// down the columns. Empty of other arrays.
    [[nodiscard]] std::string wholeRows() const {
        const std::uint32_t row = lanesInRow();
        const std::int64_t words = std::abs(line_.address->thread[1]) / bankBytes +
                                   std::abs(line_.address->thread[0]) / bankBytes - 1;
        if (access_.find("][") == std::string::npos || !std::has_single_bit(row) ||
            row * row <= lanesPerWarp || words <= row || words > row + 4)
            return {};
        const std::string mask = std::to_string(row - lanesPerWarp / row);
        return ". No padding parts them both along the rows and down the columns. In a block of 32 "
               "threads along x a warp has one row, and one column of padding is enough. Whoever "
               "keeps this block can take the padding away and give each row another order of its "
               "columns, the same where it is written and where it is read; `^` (exclusive or: 1 "
               "for each bit that differs) makes one: `" +
               line_.array + "[r][c ^ (r & " + mask + ")]`";
    }
    /// That so many of the first lanes of a block take, wherever they begin.
    [[nodiscard]] std::size_t banksOf(std::uint32_t lanes) const {
        const AddressFormula& formula = *line_.address;
        const Extents block = launch_.launch.block;
        constexpr std::int64_t row = banks * bankBytes;
        std::set<std::int64_t> used;
        const std::int64_t bytes = std::max<std::int64_t>(formula.elementBytes, bytesOfLane());
        for (std::uint32_t lane = 0; lane < lanes && lane < block.count(); ++lane) {
            const Index3 thread =
                formula.ofLanes ? Index3{lane, 0, 0} : threadIndexInBlock({lane}, block);
            const std::int64_t address = formula.thread[0] * thread.x +
                                         formula.thread[1] * thread.y +
                                         formula.thread[2] * thread.z;
            for (std::int64_t byte = 0; byte < bytes; byte += bankBytes)
                used.insert(((address + byte) % row + row) % row / bankBytes);
        }
        return used.size();
    }

    /// Where others between take no part: `step` bytes from lane to lane.
    [[nodiscard]] std::string ofLanesApart(std::int64_t step) const {
        const std::vector<std::uint32_t>& lanes = line_.address->lanesApart;
        const bool isWords = step % bankBytes == 0;
        const std::string words = joined(lanes, ", ", [&](std::uint32_t each) {
            return groupedDigits(static_cast<std::uint64_t>(step) * each /
                                 (isWords ? std::uint64_t{bankBytes} : 1));
        });
        const bool isAtOnce = line_.kind == AccessKind::sharedLoad && bytesTaken() == 2 * bankBytes;
        return "the lanes that take part are " + words + (isWords ? " words" : " bytes") +
               " apart, and some meet in a bank" +
               (isAtOnce ? "; where of two neighbours only one takes part, both half-warps are "
                           "loaded at once, while a store of 8 bytes serves one after the other"
                         : "");
    }

    [[nodiscard]] std::string ofShared() const {
        const AddressFormula& formula = *line_.address;
        const std::uint32_t row = lanesInRow();
        const std::int64_t step = std::abs(formula.thread[0]);
        if (!formula.eachPass.empty() && step % bankBytes == 0)
            return "neighbouring lanes are " + passByPass("words", bankBytes);
        if (row == lanesPerWarp && step != 0 && !formula.lanesApart.empty() &&
            formula.lanesApart.front() > 1)
            return ofLanesApart(step);
        const std::int64_t rows = std::abs(formula.thread[1]);
        // Lanes of a row that lie side by side are served without a conflict, however wide.
        const bool isOfRows =
            row < lanesPerWarp && step == bytesTaken() && rows % bankBytes == 0 && rows != 0;
        if (!isOfRows && row > 1 && step > bankBytes && step % bankBytes == 0) {
            // Of wide elements a half or a quarter of a warp is served at once.
            const auto words = static_cast<std::uint32_t>(
                std::clamp<std::int64_t>(bytesTaken() / bankBytes, 1, 4));
            const std::uint32_t atOnce = lanesPerWarp / words;
            if (row < atOnce && launch_.launch.block.y > 1 && banksOf(row) == row * words)
                return ofRows() +
                       ": the lanes of one have banks of their own, but meet some of the other "
                       "there" +
                       wholeRows();
            const std::size_t used = banksOf(atOnce);
            const std::string where = used == 1 ? "all in one bank"
                                      : used == static_cast<std::size_t>(banks)
                                          ? "not all in banks of their own"
                                          : "in " + std::to_string(used) + " of the 32 banks";
            return "neighbouring lanes are " + std::to_string(step / bankBytes) +
                   " words apart, so " +
                   (words == 1 ? "they"
                               : "the " + std::to_string(atOnce) + " that are served at once") +
                   " are " + where + ", " + because(0);
        }
        if (row == lanesPerWarp && step > bankBytes)
            return "neighbouring lanes are " + bytesText(step) + " apart, so a warp reaches over " +
                   std::to_string(step * lanesPerWarp / bankBytes) +
                   " words, more than there are banks, " + because(0);
        if ((row < lanesPerWarp || hasRows()) && rows % bankBytes == 0 && rows != 0) {
            const std::string rowsMeet =
                ofRows() + ", which are " + std::to_string(rows / bankBytes) + " words apart: " +
                (rows / bankBytes % banks == 0 ? "in the same banks" : "in banks that overlap");
            if (row == lanesPerWarp)
                return rowsMeet + "; in a block of 32 threads along x a warp has one row";
            return step == bankBytes ? rowsMeet + wholeRows() : rowsMeet;
        }
        return {};
    }

    [[nodiscard]] std::string ofSparseLanes() {
        if (line_.requests == 0 || line_.activeLanes >= line_.requests * lanesPerWarp) return {};
        const double lanes =
            static_cast<double>(line_.activeLanes) / static_cast<double>(line_.requests);
        if (std::abs(line_.address->thread[0]) == bytesTaken() && !line_.address->isSparse)
            return {};
        const bool isApart = std::abs(line_.address->thread[0]) >= line_.address->elementBytes;
        const std::string only =
            "only " + plainNumber(std::round(10 * lanes) / 10) + " of 32 lanes ";
        if (isDecidedByData()) {
            line_.decidedBy = CostDecider::maskOfData;
            return only +
                   "take part on average: data decide which, and they lie where all would lie side "
                   "by side";
        }
        return only + "take part on average, and " +
               (isApart ? "the memory of others lies between theirs" + ofSectors()
                        : "what they access does not lie side by side");
    }

    /// `: 16 of the 32 bytes of a sector are used`
    [[nodiscard]] std::string ofSectors() const {
        if (line_.sectors == 0 || line_.uniqueBytes == 0) return {};
        return ": " + std::to_string((line_.uniqueBytes + line_.sectors / 2) / line_.sectors) +
               " of the 32 bytes of a sector are used";
    }

    /// Whether neighbouring lanes are neighbours in memory, and which of them come is up to what an
    /// `if` around reads, at which no lanes are the same each time.
    [[nodiscard]] bool isDecidedByData() const {
        const LineText text = lineText(sources_, line_.place);
        if (!text.kernel || std::abs(line_.address->thread[0]) != bytesTaken()) return false;
        const std::size_t begin = text.kernel->line(line_.place.line).begin;
        const std::size_t at = begin + std::min(statement_.find(access_), statement_.size());
        bool isOfData = false;
        for (const source::Statement& each : text.kernel->statementsAround(at)) {
            if (!text.kernel->body.holds(each.whole.begin) || each.condition.size() == 0 ||
                !each.inside.holds(at) || !text.kernel->textOf(each.whole).starts_with("if"))
                continue;
            // Lanes that are the same each time are chosen by an index.
            const bool isByIndex = std::ranges::any_of(launch_.lines, [&](const auto& other) {
                return other.kind == AccessKind::branch && other.lanes &&
                       other.place.file == line_.place.file &&
                       text.kernel->line(other.place.line).holds(each.whole.begin) &&
                       (other.lanes->bit || other.lanes->every.value_or(1) > 1 ||
                        (other.lanes->oneWay != 0 && other.lanes->otherWay != 0));
            });
            if (isByIndex) return false;
            isOfData |= readsData(text.kernel->textOf(each.condition), code_);
        }
        return isOfData;
    }

    [[nodiscard]] std::string ofAtomic() const {
        return met() + (line_.address->isOfAll()
                            ? ", because its index does not depend on the thread"
                            : "");
    }

    /// Where all but a few neighbouring lanes are as far apart: what is in the index is the cause
    /// of those alone.
    [[nodiscard]] std::string mostly(const std::string& sign) const {
        const bool wraps = sign == "%" || sign == "&";
        if (line_.isOneRun) return oneRun();
        if (line_.mostlyApart == bytesOfLane())
            return "the lanes of a warp are neighbours in memory in pieces only, which lie apart";
        const bool isWords = line_.sectors == 0 && line_.mostlyApart % bankBytes == 0;
        return std::string(wraps ? "" : "most ") + "neighbouring lanes are " +
               (isWords ? groupedDigits(
                              static_cast<std::uint64_t>(std::abs(line_.mostlyApart / bankBytes))) +
                              " words"
                        : bytesText(line_.mostlyApart)) +
               " apart" + (wraps ? ", but where `" + sign + "` wraps" : "");
    }

    /// Where the first of them begins is up to an atomic's result, or to something else.
    [[nodiscard]] std::string oneRun() const {
        const IndexDerivation index = derivation("");
        const bool isCounted = std::ranges::any_of(
            index.texts(), [](std::string_view text) { return text.find("atomic") != text.npos; });
        return "the lanes of a warp lie side by side in one run, which does not begin and end at "
               "multiples of 32 bytes" +
               std::string(isCounted ? ": an atomic says where it begins, and nothing is to be "
                                       "mended"
                                     : "");
    }

    [[nodiscard]] std::string withoutFormula() {
        const std::string meeting =
            isAtomic(line_.kind) && line_.mostSameAddress > 1 ? "; " + met() : "";
        static const std::regex fragments(R"((load|store)_matrix_sync|ldmatrix)");
        if (std::regex_search(statement_.begin(), statement_.end(), fragments))
            return "lanes take pieces of several rows of a fragment, which are as far apart as the "
                   "call says";
        const IndexDerivation index = derivation("");
        const auto others = std::span(index.texts()).subspan(1);
        // What the statement itself sets is no part of its index.
        const auto isOwn = [&](std::string_view text) {
            return statement_.data() <= text.data() &&
                   text.data() + text.size() <= statement_.data() + statement_.size();
        };
        if (isNested() || std::ranges::any_of(others, [&](std::string_view text) {
                return text.find('[') != text.npos && !isOwn(text);
            })) {
            line_.decidedBy = CostDecider::data;
            return std::string("the index is read from memory: it depends on data") +
                   (isShared(line_.kind) ? " which lanes meet in a bank" : "") + meeting;
        }
        for (const std::string_view text : index.texts()) {
            const std::size_t quotient = source::maskedText(text).find('/');
            if (quotient != text.npos && line_.mostlyApart == 0 && access_ != line_.array &&
                !IndexDerivation(text.substr(0, quotient), code_, "").isAnyThreads())
                return "something of the thread is divided in its index, so neighbouring lanes are "
                       "not always as far apart" +
                       meeting;
            static const std::regex form(
                R"([\w)\]]\s*(&)[^&]|[^|](\|)[^|]|([%^?~])|\b(min|max)\b)");
            std::match_results<std::string_view::const_iterator> found;
            if (!std::regex_search(text.begin(), text.end(), found, form)) continue;
            const auto part = std::find_if(found.begin() + 1, found.end(),
                                           [](const auto& each) { return each.matched; });
            if (line_.mostlyApart != 0) return mostly(part->str()) + meeting;
            return "`" + part->str() +
                   "` is in its index, so neighbouring lanes are not always as far apart" +
                   (isMember() ? ", and of each element only a part is accessed" : "") + meeting;
        }
        if (line_.mostlyApart != 0) return mostly({}) + meeting;
        if (line_.isOneRun) return oneRun() + meeting;
        return "its index is no sum of multiples of threadIdx and blockIdx: it may depend on data" +
               meeting;
    }

    ProgramLine& line_;
    const LaunchReport& launch_;
    const ProgramSources& sources_;
    std::string_view statement_;      ///< its line
    std::string access_;              ///< as it is written
    std::string_view code_;           ///< of the kernel
    std::vector<NamedNumber> named_;  ///< all numbers that have a name
    std::vector<NamedNumber> names_;  ///< those that stand in the kernel
    CallingLines calls_;              ///< of the function that it is in
};

}  // namespace

bool isCostly(const ProgramLine& line) {
    if (isLocal(line.kind)) return true;
    if (line.decidedBy == CostDecider::maskOfData) return false;
    if (line.kind == AccessKind::branch) return line.divergent > 0;
    if (isAtomic(line.kind) && line.mostSameAddress > 1) return !line.isJoined;
    // Twice, but for the ends of an array.
    return (line.idealSectors != 0 && 10 * line.sectors >= 19 * line.idealSectors) ||
           // Two lanes at a bank in half of the requests and more.
           (line.idealWavefronts != 0 && 2 * line.wavefronts >= 3 * line.idealWavefronts);
}

bool isMild(std::span<const ProgramLine> lines) {
    return std::ranges::all_of(lines, [](const ProgramLine& line) {
        return !isCostly(line) || line.decidedBy == CostDecider::data;
    });
}

std::string atOnceInWords(const ProgramLine& line) {
    return std::string("the assembler may ") + (isStore(line.kind) ? "store " : "load ") +
           std::to_string(line.atOnce) + " of these at once";
}

std::string costInWords(const ProgramLine& line) {
    if (line.kind == AccessKind::branch)
        return "warps diverge " + groupedDigits(line.divergent) + " of the " +
               counted(line.requests, "time") + " that they come to it";
    if (line.isJoined && line.mostSameAddress > 1)
        return "all lanes at one address: " + joinedInWords(line.kind);
    if (line.kind == AccessKind::atomic && line.mostSameAddress > 1)
        return counted(line.activeLanes, "atomic") + " of " + counted(line.requests, "request") +
               ", one after the other where lanes meet: " + counted(line.sameAddress, "turn") +
               " where " + groupedDigits(line.requests) + " would do";
    if (isAtomic(line.kind) && line.sectors == 0 && line.wavefronts == 0)
        return counted(line.requests, "request");
    if (isLocal(line.kind))
        return counted(line.sectors, "sector") + " of local memory, as compiled";
    if (line.sectors != 0)
        return counted(line.sectors, "sector") + " where " + groupedDigits(line.idealSectors) +
               " would do";
    const bool isConstant = line.kind == AccessKind::constantLoad;
    const std::string_view meeting = line.isJoined              ? "come together in machine code"
                                     : line.mostSameAddress > 1 ? "come one after the other"
                                                                : "";
    return counted(line.wavefronts, isConstant ? "turn" : "wavefront") + " where " +
           groupedDigits(line.idealWavefronts) + " would do" +
           (meeting.empty() ? "" : "; lanes at one address " + std::string(meeting)) +
           (line.triesAgain ? "; machine code compares and swaps until no other came between"
                            : "") +
           (line.atOnce == 0 ? "" : "; " + atOnceInWords(line));
}

std::int64_t elementStep(const AddressFormula& formula, bool isMember) {
    if (!isMember) return formula.elementBytes;
    std::int64_t step = 0;
    for (const auto* each : {&formula.thread, &formula.block}) {
        for (const std::int64_t bytes : *each) step = std::gcd(step, bytes);
    }
    for (const AddressFormula::Loop& loop : formula.loops) step = std::gcd(step, loop.bytes);
    return std::max<std::int64_t>(step, formula.elementBytes);
}

void addReason(ProgramLine& line, const LaunchReport& launch, const ProgramSources& sources) {
    line.reason.clear();
    line.decidedBy = CostDecider::code;
    if (line.isJoined && line.mostSameAddress > 1) {
        line.reason = joinedInWords(line.kind);
        return;
    }
    // A little that is too much has a reason, too.
    const auto isAHundredthMore = [](std::uint64_t count, std::uint64_t ideal) {
        return 100 * count >= 101 * std::max<std::uint64_t>(1, ideal);
    };
    const bool isMore = isAHundredthMore(line.sectors, line.idealSectors) ||
                        isAHundredthMore(line.wavefronts, line.idealWavefronts);
    if (!isCostly(line) && (line.kind == AccessKind::branch || isAtomic(line.kind) || !isMore))
        return;
    line.reason = line.kind == AccessKind::branch ? branchReason(line, launch, sources)
                  : isLocal(line.kind)            ? localReason(line, launch, sources)
                                                  : Reason(line, launch, sources).words();
}

}  // namespace warplens
