#include "core/program/reasons.h"

#include <algorithm>
#include <numeric>

#include "core/launch/mapping.h"
#include "core/measurement/measurement.h"
#include "core/program/cuda_tokens.h"
#include "core/program/program_sources.h"
#include "core/program/source_edit.h"
#include "core/text/encoding.h"
#include "core/text/format.h"

namespace warplens {
namespace {

constexpr std::int64_t banks = 32;
constexpr std::int64_t bankBytes = 4;
constexpr std::int64_t sectorBytes = 32;

using source::NamedNumber;

/// `#define N 512`, `const int N = 512;`
void addConstants(std::string_view text, std::vector<NamedNumber>& to) {
    const std::vector<CudaToken> tokens = cudaTokens(text);
    for (std::size_t at = 0; at < tokens.size(); ++at) {
        const CudaToken& token = tokens[at];
        if (auto defined = source::definedNumber(token)) to.push_back(*std::move(defined));
        if (token.kind == CudaTokenKind::number && at >= 4 && tokens[at - 1].is("=") &&
            at + 1 < tokens.size() && (tokens[at + 1].is(";") || tokens[at + 1].is(","))) {
            const bool isConstant = tokens[at - 4].is("const") || tokens[at - 4].is("constexpr");
            const auto value = source::wholeNumber(token.text);
            if (isConstant && value) to.emplace_back(tokens[at - 2].text, *value);
        }
    }
}

/// All that a number may be called by, the likeliest first.
std::vector<NamedNumber> namesFor(const LaunchReport& launch, const ProgramSources& sources) {
    std::vector<NamedNumber> names;
    for (const auto& [name, value] : launch.arguments.entries()) names.emplace_back(name, value);
    for (const auto* files : {&sources.units, &sources.headers}) {
        for (const ProgramFile& file : *files) addConstants(file.text, names);
    }
    const Extents block = launch.launch.block;
    const Extents grid = launch.launch.grid;
    names.insert(names.end(), {{"blockDim.x", block.x},
                               {"blockDim.y", block.y},
                               {"blockDim.z", block.z},
                               {"gridDim.x", grid.x},
                               {"gridDim.y", grid.y}});
    return names;
}

/// `a[row * n + x]` as it stands in the line; the array's name where it does not.
std::string accessIn(std::string_view line, const std::string& array) {
    const std::string masked = source::maskedText(line);
    for (std::size_t at = source::findWord(masked, array); at != source::nowhere;
         at = source::findWord(masked, array, at + 1)) {
        std::size_t end = at + array.size();
        while (source::skipBlanks(masked, end) < masked.size() &&
               masked[source::skipBlanks(masked, end)] == '[') {
            const std::size_t closed = source::closing(masked, source::skipBlanks(masked, end));
            if (closed == source::nowhere) break;
            end = closed;
        }
        if (end != at + array.size()) return std::string(line.substr(at, end - at));
    }
    return array;
}

/// The kernel that the place is in.
std::optional<source::KernelSource> kernelAround(std::string_view text, std::uint32_t line) {
    const std::string masked = source::maskedText(text);
    for (source::KernelSource& kernel : source::kernelsIn(masked)) {
        if (kernel.place.line <= line && line <= source::placeAt(text, kernel.bodyEnd).line)
            return std::move(kernel);
    }
    return std::nullopt;
}

/// `STRIDE` of `template <int STRIDE>` in an instance `copy<32>`: in turn, as far as they are
/// numbers.
void addTemplateArguments(const source::KernelSource& kernel, std::string_view instance,
                          std::vector<NamedNumber>& to) {
    const std::string names = kernel.templateParameters.value_or("");
    const std::vector<CudaToken> parameters = cudaTokens(names);
    const std::vector<CudaToken> arguments =
        cudaTokens(instance.substr(std::min(instance.find('<'), instance.size())));
    auto argument = arguments.begin();
    for (std::size_t at = 0; at < parameters.size(); ++at) {
        if (at + 1 != parameters.size() && !parameters[at + 1].is(",")) continue;
        // The last word of each.
        argument = std::find_if(argument, arguments.end(), [](const CudaToken& token) {
            return token.is(",") || token.is(">");
        });
        if (argument == arguments.begin() || argument == arguments.end()) return;
        if (const auto value = source::wholeNumber(std::prev(argument)->text))
            to.emplace_back(parameters[at].text, *value);
        ++argument;
    }
}

/// Whether something is multiplied there by what is written so: `64`, `width`, `blockDim.x`.
bool multipliesBy(std::string_view code, std::string_view factor) {
    const std::vector<CudaToken> tokens = cudaTokens(code);
    const std::vector<CudaToken> words = cudaTokens(factor);
    for (auto at = tokens.begin(); !words.empty(); ++at) {
        at = std::search(at, tokens.end(), words.begin(), words.end(),
                         [](const CudaToken& a, const CudaToken& b) { return a.is(b.text); });
        if (at == tokens.end()) return false;
        auto before = at;
        auto behind = at + static_cast<std::ptrdiff_t>(words.size());
        while (before != tokens.begin() && std::prev(before)->is("(")) --before;
        while (behind != tokens.end() && behind->is(")")) ++behind;
        const bool isAssigned = behind != tokens.end() && std::next(behind) != tokens.end() &&
                                std::next(behind)->is("=");  // `n *= 2`
        if ((before != tokens.begin() && std::prev(before)->is("*")) ||
            (behind != tokens.end() && behind->is("*") && !isAssigned))
            return true;
    }
    return false;
}

/// What a factor is called: as the first of the texts has it in which something is multiplied by
/// it. Of a product, only one that is written there. The number where no name has that value.
std::string nameOf(std::int64_t number, const std::vector<NamedNumber>& names,
                   std::initializer_list<std::string_view> texts) {
    const std::string digits = std::to_string(number);
    for (const std::string_view code : texts) {
        for (const auto& [name, value] : names) {
            if (value == number && multipliesBy(code, name)) return name;
        }
        if (multipliesBy(code, digits)) return digits;
        for (const auto& [first, value] : names) {
            if (number % value != 0) continue;
            std::vector<std::string> others{std::to_string(number / value)};
            for (const auto& [second, other] : names) {
                if (value * other == number) others.push_back(second);
            }
            for (const std::string& other : others) {
                for (const std::string& product : {first + " * " + other, other + " * " + first}) {
                    if (multipliesBy(code, product)) return product;
                }
            }
        }
    }
    const auto found = std::ranges::find(names, number, &NamedNumber::second);
    return found == names.end() ? digits : found->first;
}

std::string bytesText(std::int64_t bytes) {
    return groupedDigits(static_cast<std::uint64_t>(std::abs(bytes))) +
           (std::abs(bytes) == 1 ? " byte" : " bytes");
}

class Reason final {
  public:
    Reason(const ProgramLine& line, const LaunchReport& launch, const ProgramSources& sources)
        : line_(line), launch_(launch) {
        const std::string_view text = textOf(sources, line.place.file);
        statement_ = lineOf(text, line.place.line);
        access_ = accessIn(statement_, line.array);
        code_ = text;
        if (const auto kernel = kernelAround(text, line.place.line)) {
            code_ = text.substr(kernel->bodyBegin, kernel->bodyEnd - kernel->bodyBegin);
            addTemplateArguments(*kernel, launch.instance, names_);
        }
        const std::vector<NamedNumber> others = namesFor(launch, sources);
        names_.insert(names_.end(), others.begin(), others.end());
        std::erase_if(names_, [&](const NamedNumber& name) {
            return name.second < 2 ||
                   source::findWord(source::maskedText(code_), name.first) == source::nowhere;
        });
    }

    [[nodiscard]] std::string words() const {
        if (line_.kind == AccessKind::branch) return ofBranch();
        if (isNested()) return withoutFormula();
        if (!line_.address) return line_.hasNoFormula ? withoutFormula() : std::string();
        if (isAtomic(line_.kind) && line_.mostSameAddress > 1) return ofAtomic();
        std::string text = line_.sectors == 0 ? ofShared() : ofGlobal();
        return text.empty() ? ofSparseLanes() : text;
    }

  private:
    [[nodiscard]] std::string quoted() const {
        const bool isText = !access_.empty() && access_ != line_.array;
        return isText ? "`" + access_ + "`: " : std::string();
    }
    /// `own[data[i]]`
    [[nodiscard]] bool isNested() const {
        const std::size_t open = access_.find('[');
        const std::size_t second = open == access_.npos ? open : access_.find('[', open + 1);
        return second != access_.npos && access_.find(']') > second;
    }
    /// What x is called: the coefficient is of the lane in its warp, or of threadIdx.x.
    [[nodiscard]] std::string unit(std::size_t dimension) const {
        if (line_.address->ofLanes) return dimension == 0 ? "the lane" : "the warp";
        return std::string("threadIdx.") + "xyz"[dimension];
    }
    /// `because threadIdx.x is multiplied by width`
    [[nodiscard]] std::string because(std::size_t dimension) const;
    [[nodiscard]] std::uint32_t lanesInRow() const {
        return line_.address->ofLanes ? lanesPerWarp
                                      : std::min(launch_.launch.block.x, lanesPerWarp);
    }
    [[nodiscard]] std::string ofGlobal() const;
    [[nodiscard]] std::string ofShared() const;
    [[nodiscard]] std::string ofSparseLanes() const;
    [[nodiscard]] std::string ofAtomic() const;
    [[nodiscard]] std::string ofBranch() const;
    [[nodiscard]] std::string withoutFormula() const;
    [[nodiscard]] std::string passByPass(std::string_view unit, std::int64_t divisor) const;

    const ProgramLine& line_;
    const LaunchReport& launch_;
    std::string_view statement_;      ///< its line
    std::string access_;              ///< as it is written
    std::string_view code_;           ///< of the kernel
    std::vector<NamedNumber> names_;  ///< of numbers that stand in it
};

std::string Reason::because(std::size_t dimension) const {
    const std::int64_t bytes = line_.address->thread[dimension];
    const std::int64_t elements = std::abs(bytes / line_.address->elementBytes);
    const std::string apart = groupedDigits(static_cast<std::uint64_t>(std::abs(bytes))) + " bytes";
    const std::string name = nameOf(elements, names_, {access_, statement_, code_});
    const bool isRows = access_.find("][") != std::string::npos;
    if (isRows) return "because " + unit(dimension) + " goes from row to row, each " + apart;
    const bool isNamed = name != std::to_string(elements);
    if (!isNamed && elements > 1 && !multipliesBy(code_, name))
        return "and each takes " + bytesText(line_.address->elementBytes) + " at a time";
    return "because " + unit(dimension) + " is multiplied by " + (bytes < 0 ? "-" : "") + name;
}

/// `8 bytes apart in the first pass, 16 in the second, 32 in the third`
std::string Reason::passByPass(std::string_view unit, std::int64_t divisor) const {
    constexpr std::array<std::string_view, 3> order{"first", "second", "third"};
    std::string text;
    const std::vector<std::int64_t>& steps = line_.address->eachPass;
    for (std::size_t at = 0; at < std::min(steps.size(), order.size()); ++at) {
        const std::int64_t number = std::abs(steps[at]) / divisor;
        text += (at == 0 ? "" : ", ") + groupedDigits(static_cast<std::uint64_t>(number));
        if (at == 0) text += ' ' + std::string(unit) + " apart";
        text += " in the " + std::string(order.at(at)) + (at == 0 ? " pass of the loop" : "");
    }
    return text;
}

std::string Reason::ofGlobal() const {
    const AddressFormula& formula = *line_.address;
    const auto element = static_cast<std::int64_t>(formula.elementBytes);
    const std::int64_t step = std::abs(formula.thread[0]);
    const std::uint32_t row = lanesInRow();
    if (!formula.eachPass.empty())
        return quoted() + "neighbouring lanes are " + passByPass("bytes", 1);
    if (row > 1 && step > element) {
        std::string text = quoted() + "neighbouring lanes are " + bytesText(step) + " apart";
        if (step % element == 0) text += ", " + because(0);
        if (!formula.ofLanes && std::abs(formula.thread[1]) == element)
            text += "; threadIdx.y goes from element to element instead";
        return text;
    }
    if (row < lanesPerWarp && launch_.launch.block.y > 1) {
        const std::int64_t rows = std::abs(formula.thread[1]);
        if (rows != step * row && rows != 0) {
            std::string text = quoted() + "blockDim.x is " + std::to_string(row) +
                               ", so a warp has threads of " + std::to_string(lanesPerWarp / row) +
                               " rows, which are " + bytesText(rows) + " apart";
            if (rows % element == 0) text += ", " + because(1);
            return text;
        }
    }
    if (step == element) {
        const auto rest = [](std::int64_t bytes) {
            return (bytes % sectorBytes + sectorBytes) % sectorBytes;
        };
        if (const std::int64_t beyond = rest(formula.start); beyond != 0)
            return quoted() +
                   "neighbouring lanes are neighbours in memory, but the first of them " +
                   bytesText(beyond) + " past a multiple of 32";
    }
    return {};
}

std::string Reason::ofShared() const {
    const AddressFormula& formula = *line_.address;
    const std::uint32_t row = lanesInRow();
    const std::int64_t step = std::abs(formula.thread[0]);
    if (!formula.eachPass.empty() && step % bankBytes == 0)
        return quoted() + "neighbouring lanes are " + passByPass("words", bankBytes);
    const auto banksOf = [](std::int64_t words) { return banks / std::gcd(words, banks); };
    if (row > 1 && step > bankBytes && step % bankBytes == 0) {
        const std::int64_t used = banksOf(step / bankBytes);
        const std::string where =
            used == 1 ? "all in one bank" : "in " + std::to_string(used) + " of the 32 banks";
        return quoted() + "neighbouring lanes are " + std::to_string(step / bankBytes) +
               " words apart, so they are " + where + ", " + because(0);
    }
    if (row == lanesPerWarp && step > bankBytes)
        return quoted() + "neighbouring lanes are " + bytesText(step) +
               " apart, so a warp reaches over " + std::to_string(step * lanesPerWarp / bankBytes) +
               " words, more than there are banks, " + because(0);
    const std::int64_t rows = std::abs(formula.thread[1]);
    if (row < lanesPerWarp && rows % bankBytes == 0 && rows != 0) {
        return quoted() + "blockDim.x is " + std::to_string(row) + ", so a warp has threads of " +
               std::to_string(lanesPerWarp / row) + " rows, which are " +
               std::to_string(rows / bankBytes) + " words apart: " +
               (rows / bankBytes % banks == 0 ? "in the same banks" : "in banks that overlap");
    }
    return {};
}

/// Where the addresses of all lanes would be right.
std::string Reason::ofSparseLanes() const {
    if (line_.requests == 0 || line_.activeLanes >= line_.requests * lanesPerWarp) return {};
    const double lanes =
        static_cast<double>(line_.activeLanes) / static_cast<double>(line_.requests);
    return quoted() + "only " + plainNumber(std::round(10 * lanes) / 10) +
           " of 32 lanes take part on average, and the memory of others lies between theirs";
}

std::string Reason::ofAtomic() const {
    const std::string met =
        "up to " + std::to_string(line_.mostSameAddress) + " lanes of a warp meet at one address";
    const bool isOne = line_.address->thread == std::array<std::int64_t, 3>{};
    return quoted() + met + (isOne ? ", because its index does not depend on the thread" : "");
}

std::string Reason::withoutFormula() const {
    const std::string met = isAtomic(line_.kind) && line_.mostSameAddress > 1
                                ? "; up to " + std::to_string(line_.mostSameAddress) +
                                      " lanes of a warp meet at one address"
                                : std::string();
    if (isNested()) return quoted() + "the index is read from memory: it depends on data" + met;
    return quoted() +
           "no multiple of threadIdx and blockIdx gives its addresses: they depend on data, are "
           "clamped, or wrap around" +
           met;
}

std::string Reason::ofBranch() const {
    if (!line_.lanes) return {};
    const DivergingLanes& lanes = *line_.lanes;
    const Extents block = launch_.launch.block;
    const bool isRow = block.x % lanesPerWarp == 0;
    const std::string unit = isRow ? "threadIdx.x" : "the thread's rank in its block";
    if (lanes.first && *lanes.first != 0)
        return "the first " +
               (*lanes.first == 1 ? std::string("lane") : std::to_string(*lanes.first) + " lanes") +
               " of a warp " + (*lanes.first == 1 ? "goes" : "go") + " another way than the rest";
    if (lanes.bit == 0u)
        return "threads whose " + (isRow ? unit : std::string("rank in their block")) +
               " is odd go one way, the even ones another: every warp has both";
    if (lanes.bit) {
        const std::uint32_t together = 1u << *lanes.bit;
        return "in turns " + std::to_string(together) + " neighbouring lanes go one way and " +
               std::to_string(together) + " another: every warp has both";
    }
    if (lanes.first) return "lanes below some border, which is not always the same, go one way";
    return "which lanes go which way follows no simple rule of the lane, or depends on data";
}

}  // namespace

bool isCostly(const ProgramLine& line) {
    if (line.kind == AccessKind::branch) return line.divergent > 0;
    if (isAtomic(line.kind) && line.mostSameAddress > 1) return true;
    return (line.idealSectors != 0 && line.sectors >= 2 * line.idealSectors) ||
           (line.idealWavefronts != 0 && line.wavefronts >= 2 * line.idealWavefronts);
}

std::string costInWords(const ProgramLine& line) {
    if (line.kind == AccessKind::branch)
        return groupedDigits(line.divergent) + " of " + counted(line.requests, "warp") + " diverge";
    if (isAtomic(line.kind) && line.sectors == 0 && line.wavefronts == 0)
        return counted(line.requests, "request");
    if (line.sectors != 0)
        return counted(line.sectors, "sector") + " where " + groupedDigits(line.idealSectors) +
               " would do";
    return counted(line.wavefronts, "wavefront") + " where " + groupedDigits(line.idealWavefronts) +
           " would do";
}

std::string reasonFor(const ProgramLine& line, const LaunchReport& launch,
                      const ProgramSources& sources) {
    if (!isCostly(line)) return {};
    return Reason(line, launch, sources).words();
}

}  // namespace warplens
