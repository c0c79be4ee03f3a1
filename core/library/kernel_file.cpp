#include "core/library/kernel_file.h"

#include <algorithm>
#include <limits>
#include <set>

#include "core/text/encoding.h"
#include "core/text/format.h"
#include "core/text/names.h"

namespace warplens {
namespace {

/// Takes what stands before the next comma that is in no parentheses.
std::string_view takePart(std::string_view& rest) {
    int depth = 0;
    std::size_t at = 0;
    for (; at < rest.size(); ++at) {
        if (rest[at] == '(') ++depth;
        if (rest[at] == ')') --depth;
        if (rest[at] == ',' && depth == 0) break;
    }
    const std::string_view part = trimmed(rest.substr(0, at));
    rest.remove_prefix(std::min(at + 1, rest.size()));
    return part;
}

/// Makes a Kernel of what the header and the code say.
class FileReader final {
  public:
    FileReader(const std::string& file, std::string text) {
        result_.file = file;
        result_.text = std::move(text);
    }

    Kernel read() {
        const KernelHeader header = readHeader(result_.file, result_.text);
        const KernelCode code = readKernelCode(result_.file, result_.text);
        result_.about = header.about;
        result_.name = code.kernel;
        result_.usesBarriers = code.usesBarriers;
        result_.templateParameter = code.templateParameter;
        faults_ = header.unknown;
        std::set<std::string> wrong;  // keys of entries that cannot be read
        for (const HeaderEntry& entry : header.entries) {
            if (entry.key != "size" || part([&] { readSize(entry); })) continue;
            wrong.insert(entry.key);
            KernelSize& any = result_.sizes.emplace_back();
            any.name = entry.name;
            any.minimum = std::numeric_limits<std::int64_t>::min();
            any.maximum = std::numeric_limits<std::int64_t>::max();
        }
        for (const HeaderEntry& entry : header.entries) {
            if (!part([&] { readEntry(entry); })) wrong.insert(entry.key);
        }
        // What the code has and the header lacks may follow from those.
        if (!wrong.contains("size") && !wrong.contains("array")) {
            part([&] { takeParameters(code); });
        }
        if (!wrong.contains("branch")) part([&] { takeMarks(code); });
        if (!wrong.contains("shared")) part([&] { takeShared(code); });
        if (!wrong.contains("size")) part([&] { checkTemplate(code); });
        if (!header.entries.empty()) checkWhole(code, wrong);
        if (faults_.empty()) return std::move(result_);
        MalformedKernelFile first = faults_.front();
        for (std::size_t i = 1; i < faults_.size(); ++i) {
            first.others.emplace_back(faults_[i].line, faults_[i].what());
        }
        throw first;
    }

  private:
    /// Whether it can be read; what is wrong does not keep the other parts from being read.
    template <class Read>
    bool part(const Read& read) {
        try {
            read();
            return true;
        } catch (const MalformedKernelFile& malformed) {
            faults_.push_back(malformed);
            return false;
        }
    }
    [[noreturn]] void fail(std::uint32_t line, const std::string& words) const {
        throw MalformedKernelFile(result_.file, line, words);
    }
    [[noreturn]] void fail(const HeaderEntry& entry, const std::string& words) const {
        fail(entry.line, entry.words() + ": " + words);
    }

    [[nodiscard]] std::int64_t number(const HeaderEntry& entry, std::string_view text) const {
        const auto value = wholeNumber<std::int64_t>(text);
        if (!value) fail(entry, "'" + std::string(text) + "' is no whole number");
        return *value;
    }
    [[nodiscard]] Formula formula(const HeaderEntry& entry, std::string_view text) const {
        std::vector<std::string> names;
        for (const KernelSize& size : result_.sizes) names.push_back(size.name);
        try {
            return {text, names};
        } catch (const MalformedFormula& malformed) {
            fail(entry, "in '" + std::string(text) + "', at its character " +
                            std::to_string(malformed.at + 1) + ": " + malformed.what());
        }
    }
    [[nodiscard]] std::vector<Formula> formulas(const HeaderEntry& entry) const {
        std::vector<Formula> all;
        for (std::string_view rest = entry.value; !trimmed(rest).empty();) {
            all.push_back(formula(entry, takePart(rest)));
        }
        if (all.empty() || all.size() > 3) fail(entry, "takes one to three formulas");
        return all;
    }
    [[nodiscard]] Extents extents(const HeaderEntry& entry) const {
        std::string text;
        for (const char c : entry.value) {
            if (c != ' ') text += c;
        }
        const auto read = parseExtents(entry.key, text);
        if (const auto* violation = std::get_if<LimitViolation>(&read))
            fail(entry.line, toString(*violation));
        return std::get<Extents>(read);
    }
    [[nodiscard]] Scenario& scenario(const HeaderEntry& entry) {
        if (result_.scenarios.empty()) fail(entry, "belongs below a scenario");
        return result_.scenarios.back();
    }

    void readSize(const HeaderEntry& entry) {
        KernelSize size;
        size.name = entry.name;
        if (size.name.empty()) fail(entry, "needs a name");
        if (std::ranges::find(result_.sizes, size.name, &KernelSize::name) != result_.sizes.end()) {
            fail(entry, "there is one already");
        }
        std::string_view rest = entry.value;
        size.initial = number(entry, takePart(rest));
        std::string_view range = takePart(rest);
        size.meaning = std::string(trimmed(rest));
        constexpr std::string_view oneOf = "one of ";
        if (range.starts_with(oneOf)) {
            for (range.remove_prefix(oneOf.size()); !trimmed(range).empty();) {
                range = trimmed(range);
                const std::size_t end = std::min(range.find(' '), range.size());
                size.oneOf.push_back(number(entry, range.substr(0, end)));
                range.remove_prefix(end);
            }
            if (size.oneOf.empty()) fail(entry, "'one of' takes the values");
            size.minimum = std::ranges::min(size.oneOf);
            size.maximum = std::ranges::max(size.oneOf);
        } else {
            const std::size_t to = range.find(" to ");
            if (to == std::string_view::npos) {
                fail(entry, "expected 'INITIAL, LEAST to MOST, MEANING'");
            }
            size.minimum = number(entry, trimmed(range.substr(0, to)));
            size.maximum = number(entry, trimmed(range.substr(to + 4)));
        }
        if (size.meaning.empty()) fail(entry, "says nothing of what it means");
        if (size.initial < size.minimum || size.initial > size.maximum) {
            fail(entry, "begins with " + std::to_string(size.initial) + ", which is not from " +
                            std::to_string(size.minimum) + " to " + std::to_string(size.maximum));
        }
        result_.sizes.push_back(std::move(size));
    }

    void readEntry(const HeaderEntry& entry) {
        if (entry.key == "size") return;
        if (entry.key == "array") return readArray(entry);
        if (entry.key == "shared") return readShared(entry);
        if (entry.key == "branch") {
            if (entry.value.empty()) fail(entry, "says nothing of what it means");
            result_.branches.push_back({entry.name, entry.value});
        } else if (entry.key == "template") {
            templateLine_ = entry.line;
            templateName_ = entry.name;
            result_.templateSize = entry.value;
        } else if (entry.key == "block must be" || entry.key == "grid must be") {
            std::string_view rest = entry.value;
            const Formula holds = formula(entry, takePart(rest));
            result_.rules.push_back(
                {entry.key.substr(0, entry.key.find(' ')), holds, std::string(trimmed(rest))});
        } else if (entry.key == "block is") {
            // `block is: tile, tile; the tile's size`
            HeaderEntry extents = entry;
            if (const std::size_t words = entry.value.find(';'); words != std::string::npos) {
                result_.blockForWords =
                    ", " + std::string(trimmed(std::string_view(entry.value).substr(words + 1)));
                extents.value.resize(words);
            }
            result_.blockFor.along = formulas(extents);
        } else if (entry.key == "work") {
            result_.work.along = formulas(entry);
        } else if (entry.key == "element") {
            readElement(entry);
        } else if (entry.key == "written by") {
            result_.writtenBy = formulas(entry);
        } else if (entry.key == "moves") {
            result_.algorithmBytes = formula(entry, entry.value);
        } else if (entry.key == "computes") {
            result_.flops = formula(entry, entry.value);
        } else if (entry.key == "steps") {
            result_.stepsPerElement = formula(entry, entry.value);
        } else if (entry.key == "races") {
            if (entry.value.empty()) fail(entry, "says nothing of why they may");
        } else if (entry.key == "element is") {
            result_.elementNoun = entry.value;
        } else if (entry.key == "dynamic shared") {
            result_.dynamicSharedBytes = formula(entry, entry.value);
        } else {
            readScenario(entry);
        }
    }

    void readArray(const HeaderEntry& entry) {
        KernelArray array;
        array.name = entry.name;
        std::string_view rest = entry.value;
        const std::string_view role = takePart(rest);
        if (role != "in" && role != "out") fail(entry, "expected 'in' or 'out' and its length");
        array.role = role == "in" ? ArrayRole::input : ArrayRole::output;
        array.length = formula(entry, takePart(rest));
        constexpr std::string_view rows = "rows of ";
        constexpr std::string_view filled = "filled with ";
        while (!trimmed(rest).empty()) {
            const std::string_view part = takePart(rest);
            if (part.starts_with(rows)) {
                array.columns = formula(entry, part.substr(rows.size()));
            } else if (part.starts_with(filled) && array.role == ArrayRole::input) {
                array.filled = formula(entry, part.substr(filled.size()));
            } else {
                fail(entry,
                     "expected 'rows of' and their length, or of an input 'filled with' and "
                     "a formula, instead of '" +
                         std::string(part) + "'");
            }
        }
        arrayLines_.push_back(entry.line);
        result_.arrays.push_back(std::move(array));
    }

    void readShared(const HeaderEntry& entry) {
        std::string_view rest = entry.value;
        KernelShared part;
        part.name = entry.name;
        part.of = std::string(takePart(rest));
        part.begin = formula(entry, takePart(rest));
        result_.shared.push_back(std::move(part));
        sharedLines_.push_back(entry.line);
    }

    void readElement(const HeaderEntry& entry) {
        const std::size_t condition = entry.value.find(" if ");
        result_.elementIs = formula(entry, std::string_view(entry.value).substr(0, condition));
        if (condition != std::string::npos) {
            result_.elementIf = formula(entry, std::string_view(entry.value).substr(condition + 4));
        }
    }

    void readScenario(const HeaderEntry& entry) {
        if (entry.key == "scenario") {
            Scenario& made = result_.scenarios.emplace_back();
            made.id = entry.value;
            made.line = entry.line;
            if (entry.name.size() < 2 || entry.name[0] < 'A' || entry.name[0] > 'Z') {
                fail(entry, "needs its place, a group's letter and a number: 'scenario C3: ID'");
            }
            made.group = entry.name[0];
            made.order =
                static_cast<std::uint32_t>(number(entry, std::string_view(entry.name).substr(1)));
            const auto isPartOfId = [](char c) {
                return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
            };
            if (made.id.empty() || !std::ranges::all_of(made.id, isPartOfId)) {
                fail(entry, "'" + made.id + "' is no id: small letters, digits and '-'");
            }
        } else if (entry.key == "title") {
            scenario(entry).title = entry.value;
        } else if (entry.key == "look for") {
            scenario(entry).lookFor = entry.value;
        } else if (entry.key == "block") {
            scenario(entry).block = extents(entry);
        } else if (entry.key == "grid") {
            scenario(entry).grid = extents(entry);
        } else if (entry.key == "figure") {
            static constexpr std::array<std::string_view, 6> kinds{
                "threads", "coverage", "memory", "branches", "reduction", "schedule"};
            if (std::ranges::find(kinds, entry.value) == kinds.end()) {
                fail(entry, "'" + entry.value +
                                "' is none of threads, coverage, memory, branches, reduction and "
                                "schedule");
            }
            scenario(entry).figure = entry.value;
        } else if (entry.key == "compared with") {
            scenario(entry).comparedWith = entry.value;
        } else {
            const auto size = std::ranges::find(result_.sizes, entry.name, &KernelSize::name);
            if (size == result_.sizes.end()) {
                std::vector<std::string_view> names;
                for (const KernelSize& each : result_.sizes) names.push_back(each.name);
                fail(entry, "this kernel has no such size" + didYouMean(entry.name, names));
            }
            const std::int64_t value = number(entry, entry.value);
            if (value < size->minimum || value > size->maximum) {
                fail(entry, std::to_string(value) + " is not from " +
                                std::to_string(size->minimum) + " to " +
                                std::to_string(size->maximum));
            }
            scenario(entry).set.emplace_back(entry.name, value);
        }
    }

    /// The kernel's parameters are its arrays and sizes, by name.
    void takeParameters(const KernelCode& code) {
        std::vector<KernelArray> inOrder;
        for (const CodeParameter& parameter : code.parameters) {
            if (!parameter.isPointer) {
                const auto size =
                    std::ranges::find(result_.sizes, parameter.name, &KernelSize::name);
                if (size == result_.sizes.end()) {
                    fail(code.line, "no 'size " + parameter.name + ": ...' in the header");
                }
                const ElementTypeInfo& type = infoOf(parameter.type);
                for (const std::int64_t value : {size->minimum, size->maximum}) {
                    if (value >= type.least && value <= type.most) continue;
                    fail(code.line, "size " + size->name + ": " + std::to_string(value) +
                                        " is not from " + std::to_string(type.least) + " to " +
                                        std::to_string(type.most) + ", as its type, " +
                                        std::string(type.name) + ", has it");
                }
                result_.parameters.push_back(
                    {parameter.name, false, static_cast<std::size_t>(size - result_.sizes.begin()),
                     parameter.type});
                continue;
            }
            const auto array =
                std::ranges::find(result_.arrays, parameter.name, &KernelArray::name);
            if (array == result_.arrays.end()) {
                fail(code.line, "no 'array " + parameter.name + ": ...' in the header");
            }
            array->type = parameter.type;
            if (!array->filled.empty() && !infoOf(array->type).holdsSizes()) {
                fail(code.line,
                     "'" + array->name + "' is filled, but no array of " + namesOfTypes(true));
            }
            result_.parameters.push_back({parameter.name, true, inOrder.size(), parameter.type});
            inOrder.push_back(*array);
        }
        for (std::size_t i = 0; i < result_.arrays.size(); ++i) {
            if (std::ranges::find(inOrder, result_.arrays[i].name, &KernelArray::name) ==
                inOrder.end()) {
                fail(arrayLines_[i], "the kernel has no pointer '" + result_.arrays[i].name + "'");
            }
        }
        result_.arrays = std::move(inOrder);
    }

    void takeMarks(const KernelCode& code) {
        for (const CodeMark& mark : code.marks) {
            switch (mark.kind) {
                case CodeMark::Kind::branch: {
                    auto branch =
                        std::ranges::find(result_.branches, mark.name, &KernelBranch::name);
                    if (branch == result_.branches.end()) {
                        branch = result_.branches.insert(branch, {mark.name, ""});
                    }
                    if (branch->line != 0) {
                        fail(mark.line, "line " + std::to_string(branch->line) + " is named '" +
                                            mark.name + "', too");
                    }
                    branch->line = mark.line;
                    branch->lastLine = mark.lastLine;
                    break;
                }
                case CodeMark::Kind::step:
                    result_.loops.push_back({mark.name, mark.line, mark.lastLine});
                    break;
                case CodeMark::Kind::onlyComputes:
                    result_.computing.push_back({"", mark.line, mark.lastLine});
            }
        }
        for (const KernelBranch& branch : result_.branches) {
            if (branch.line == 0) {
                fail(code.line,
                     "no line is named '" + branch.name + "' (// name: " + branch.name + ")");
            }
        }
    }

    void takeShared(const KernelCode& code) {
        std::vector<KernelShared> all;
        for (const CodeShared& shared : code.shared) {
            const bool inParts = std::ranges::find(result_.shared, shared.name,
                                                   &KernelShared::of) != result_.shared.end();
            if (inParts) continue;
            all.push_back({shared.name, {}, {}, shared.elementBytes, columnsOf(shared)});
        }
        for (std::size_t i = 0; i < result_.shared.size(); ++i) {
            const auto of = std::ranges::find(code.shared, result_.shared[i].of, &CodeShared::name);
            if (of == code.shared.end()) {
                fail(sharedLines_[i],
                     "the kernel has no array '" + result_.shared[i].of + "' in shared memory");
            }
            result_.shared[i].elementBytes = of->elementBytes;
            all.push_back(result_.shared[i]);
        }
        result_.shared = std::move(all);
    }

    /// Empty also for an extent that is no formula: then rows are not told apart.
    [[nodiscard]] Formula columnsOf(const CodeShared& shared) const {
        std::vector<std::string> names;
        for (const KernelSize& size : result_.sizes) names.push_back(size.name);
        const bool isTemplates =
            !shared.columns.empty() && shared.columns == result_.templateParameter;
        try {
            if (shared.columns.empty()) return {};
            return {isTemplates ? result_.templateSize : shared.columns, names};
        } catch (const MalformedFormula&) {
            return {};
        }
    }

    void checkTemplate(const KernelCode& code) {
        if (code.templateParameter.empty()) {
            if (!templateName_.empty()) fail(templateLine_, "the kernel is no template");
            return;
        }
        if (templateName_ != code.templateParameter) {
            fail(code.line, "no 'template " + code.templateParameter + ": SIZE' in the header");
        }
        const auto size = std::ranges::find(result_.sizes, result_.templateSize, &KernelSize::name);
        if (size == result_.sizes.end() || size->oneOf.empty()) {
            fail(templateLine_, "'" + result_.templateSize + "' is no size with 'one of' values");
        }
    }

    /// What the header lacks, but for the entries that are there and `wrong`.
    void checkWhole(const KernelCode& code, const std::set<std::string>& wrong) {
        const auto lacks = [&](bool isEmpty, const char* key) {
            return isEmpty && !wrong.contains(key);
        };
        const auto tell = [&](std::uint32_t line, std::string words) {
            faults_.emplace_back(result_.file, line, std::move(words));
        };
        if (lacks(result_.elementIs.empty(), "element"))
            tell(code.line, "no 'element: ...' in the header");
        if (lacks(result_.algorithmBytes.empty(), "moves"))
            tell(code.line, "no 'moves: ...' in the header");
        if (lacks(result_.scenarios.empty(), "scenario"))
            tell(code.line, "no 'scenario ...' in the header");
        for (const Scenario& scenario : result_.scenarios) {
            for (const auto& [isEmpty, key] :
                 {std::pair(scenario.title.empty(), "title"),
                  std::pair(scenario.lookFor.empty(), "look for"),
                  std::pair(!scenario.grid && result_.work.empty() && !wrong.contains("work"),
                            "grid")}) {
                if (lacks(isEmpty, key))
                    tell(scenario.line, "scenario " + scenario.id + " has no '" + key + ": ...'");
            }
        }
    }

    Kernel result_;
    std::vector<MalformedKernelFile> faults_;
    std::vector<std::uint32_t> arrayLines_;
    std::vector<std::uint32_t> sharedLines_;
    std::string templateName_;
    std::uint32_t templateLine_ = 0;
};

}  // namespace

Kernel parseKernelFile(const std::string& file, std::string text) {
    return FileReader(file, std::move(text)).read();
}

}  // namespace warplens
