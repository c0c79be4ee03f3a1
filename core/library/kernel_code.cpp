#include <algorithm>
#include <array>
#include <optional>

#include "core/library/kernel_file.h"
#include "core/program/cuda_tokens.h"
#include "core/program/program_sources.h"
#include "core/text/encoding.h"
#include "core/text/names.h"

namespace warplens {
namespace {

struct Key final {
    std::string_view word;
    bool named;
};
constexpr std::array<Key, 25> keys{
    {{"size", true},      {"array", true},          {"shared", true},          {"branch", true},
     {"template", true},  {"block must be", false}, {"grid must be", false},   {"block is", false},
     {"work", false},     {"element", false},       {"written by", false},     {"moves", false},
     {"computes", false}, {"steps", false},         {"dynamic shared", false}, {"scenario", true},
     {"title", false},    {"look for", false},      {"compared with", false},  {"set", true},
     {"figure", false},   {"element is", false},    {"block", false},          {"grid", false},
     {"races", false}}};

bool isName(std::string_view text) {
    return !text.empty() && text.find_first_of(" ,.()'\"") == std::string_view::npos;
}

std::optional<HeaderEntry> entryOf(std::string_view line) {
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    const std::string_view before = line.substr(0, colon);
    std::string_view value = line.substr(colon + 1);
    while (value.starts_with(' ')) value.remove_prefix(1);
    HeaderEntry entry;
    entry.value = std::string(value);
    for (const Key& key : keys) {
        entry.key = std::string(key.word);
        if (!key.named && before == key.word) return entry;
        if (!key.named || !before.starts_with(std::string(key.word) + ' ')) continue;
        entry.name = std::string(before.substr(key.word.size() + 1));
        if (isName(entry.name)) return entry;
        entry.name.clear();
    }
    return std::nullopt;
}

/// What a line that is no entry may have been meant as: a key that is near, or lacks its name.
std::string meantBy(std::string_view before) {
    std::vector<std::string_view> words;
    for (const Key& key : keys) {
        if (key.named && before == key.word)
            return ": it takes a name, '" + std::string(before) + " NAME: ...'";
        words.push_back(key.word);
    }
    const std::string meant = didYouMean(before, words);
    return " is nothing that a header says" +
           (meant.empty() ? didYouMean(before.substr(0, before.find(' ')), words) : meant);
}

using namespace source;

class CodeReader final {
  public:
    CodeReader(const std::string& file, std::string_view text)
        : file_(file), text_(text), masked_(maskedText(text)) {}

    KernelCode read() {
        const std::vector<KernelSource> kernels = kernelsIn(masked_);
        if (kernels.empty()) fail(1, "there is no __global__ function in it");
        if (kernels.size() > 1) {
            fail(kernels[1].place.line, "a second kernel: each has a file of its own");
        }
        readSignature(kernels.front());
        readBody(std::string_view(masked_).substr(0, kernels.front().bodyEnd),
                 kernels.front().bodyBegin);
        const std::size_t code = skipBlanks(masked_, 0);
        std::uint32_t line = 1;
        for (std::size_t begin = 0; begin < text_.size(); ++line) {
            const std::size_t end = std::min(text_.find('\n', begin), text_.size());
            // What stands above the code speaks of nothing on its line.
            if (begin >= code) readMarks(line, begin, end);
            begin = end + 1;
        }
        return std::move(code_);
    }

  private:
    [[noreturn]] void fail(std::uint32_t line, const std::string& words) const {
        throw MalformedKernelFile(file_, line, words);
    }

    void readSignature(const KernelSource& kernel) {
        code_.kernel = kernel.name;
        code_.line = kernel.place.line;
        if (kernel.templateParameters) {
            const std::string_view parameters = *kernel.templateParameters;
            const std::size_t blank = parameters.find(' ');
            code_.templateParameter =
                trimmed(parameters.substr(std::min(blank, parameters.size())));
            const std::string_view type = parameters.substr(0, blank);
            if ((type != "int" && type != "unsigned") ||
                !std::ranges::all_of(code_.templateParameter, isNameCharacter)) {
                fail(code_.line, "a kernel may have one template parameter, an int");
            }
        }
        for (const KernelParameter& parameter : kernel.parameters) readParameter(parameter);
    }

    void readParameter(const KernelParameter& written) {
        std::string type = unqualified(written.type);
        const bool isPointer = type.ends_with('*');
        if (isPointer) type.pop_back();
        const std::optional<ElementType> known = elementTypeNamed(type);
        if (!known || (!isPointer && !infoOf(*known).holdsSizes())) {
            fail(code_.line, "parameter '" + written.name +
                                 "': " + (isPointer ? "arrays of " : "pointers, ") +
                                 namesOfTypes(!isPointer) + " only, not " + type);
        }
        code_.parameters.push_back({written.name, isPointer, *known});
    }

    /// The body stands at the end of `masked`, from `begin` on.
    void readBody(std::string_view masked, std::size_t begin) {
        static constexpr std::array<std::string_view, 4> barriers{
            "__syncthreads", "__syncthreads_count", "__syncthreads_and", "__syncthreads_or"};
        code_.usesBarriers = std::ranges::any_of(barriers, [&](std::string_view barrier) {
            return findWord(masked, barrier, begin) != nowhere;
        });
        static constexpr std::string_view keyword = "__shared__";
        for (std::size_t at = findWord(masked, keyword, begin); at != nowhere;
             at = findWord(masked, keyword, at + 1)) {
            const std::string_view rest = masked.substr(at + keyword.size());
            readShared(rest.substr(0, rest.find(';')));
        }
    }

    /// `float tile[8][9]`
    void readShared(std::string_view declaration) {
        const std::size_t extents = declaration.find('[');
        const std::string_view declared = trimmed(declaration.substr(0, extents));
        std::size_t name = declared.size();
        while (name > 0 && isNameCharacter(declared[name - 1])) --name;
        CodeShared shared;
        shared.name = declared.substr(name);
        if (const auto type = elementTypeNamed(unqualified(declared.substr(0, name)))) {
            shared.elementBytes = static_cast<std::uint32_t>(byteCount(*type));
        }
        const std::size_t second =
            extents == nowhere ? nowhere : declaration.find('[', extents + 1);
        if (second != nowhere) {
            shared.columns =
                trimmed(declaration.substr(second + 1, declaration.find(']', second) - second - 1));
        }
        code_.shared.push_back(std::move(shared));
    }

    void readMarks(std::uint32_t number, std::size_t begin, std::size_t end) {
        const std::string_view line = text_.substr(begin, end - begin);
        const std::size_t comment = line.find("// ");
        // Neither does what stands in a line of its own.
        if (comment == nowhere || line.find_first_not_of(' ') == comment) return;
        std::string_view rest = line.substr(comment + 3);
        while (!rest.empty()) {
            const std::string_view part = rest.substr(0, rest.find(','));
            rest.remove_prefix(std::min(rest.size(), part.size() + 1));
            readMark(trimmed(part), number, begin, end);
        }
    }

    void readMark(std::string_view part, std::uint32_t line, std::size_t begin, std::size_t end) {
        CodeMark mark;
        mark.line = line;
        if (part == "only computes") {
            mark.kind = CodeMark::Kind::onlyComputes;
        } else if (part.starts_with("name: ")) {
            mark.name = part.substr(6);
        } else if (part.starts_with("step: ")) {
            mark.kind = CodeMark::Kind::step;
            mark.name = part.substr(6);
        } else {
            return;
        }
        if (!std::ranges::all_of(mark.name, isNameCharacter) ||
            (mark.name.empty() && mark.kind != CodeMark::Kind::onlyComputes)) {
            fail(line, "'" + mark.name + "' is no name");
        }
        mark.lastLine = lastLineOf(begin, end);
        if (mark.lastLine == 0 && mark.kind != CodeMark::Kind::branch) {
            fail(line, "no loop begins on this line, with { at its end");
        }
        code_.marks.push_back(std::move(mark));
    }

    /// Of the loop that begins on the line, with its brace at the end; 0 where none does.
    [[nodiscard]] std::uint32_t lastLineOf(std::size_t begin, std::size_t end) const {
        const std::string_view masked = masked_;
        const std::size_t brace = masked.substr(0, end).find('{', begin);
        if (brace == nowhere) return 0;
        const std::string_view head = masked.substr(begin, brace - begin);
        if (findWord(head, "for") == nowhere && findWord(head, "while") == nowhere) return 0;
        const std::size_t close = closing(masked, brace);
        return close == nowhere ? 0 : placeAt(masked, close - 1).line;
    }

    const std::string& file_;
    std::string_view text_;
    std::string masked_;
    KernelCode code_;
};

}  // namespace

KernelHeader readHeader(const std::string& file, std::string_view text) {
    KernelHeader header;
    for (std::uint32_t number = 1; text.starts_with("//"); ++number) {
        std::string_view line = text.substr(2, text.find('\n') - 2);
        text.remove_prefix(std::min(text.size(), line.size() + 3));
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (line.starts_with(' ')) line.remove_prefix(1);
        while (line.ends_with(' ')) line.remove_suffix(1);
        if (line.empty()) continue;
        if (line.starts_with("  ") && !header.entries.empty()) {
            while (line.starts_with(' ')) line.remove_prefix(1);
            header.entries.back().value += ' ' + std::string(line);
        } else if (std::optional<HeaderEntry> entry = entryOf(line)) {
            entry->line = number;
            header.entries.push_back(std::move(*entry));
        } else if (header.entries.empty()) {
            header.about += (header.about.empty() ? "" : " ") + std::string(line);
        } else {
            const std::string_view before = line.substr(0, line.find(':'));
            header.unknown.emplace_back(file, number,
                                        "'" + std::string(before) + '\'' + meantBy(before) +
                                            " (a line that goes on begins with two blanks)");
        }
    }
    return header;
}

KernelCode readKernelCode(const std::string& file, std::string_view text) {
    return CodeReader(file, text).read();
}

std::array<bool, 3> blockAxesRead(std::string_view text) {
    constexpr std::array<bool, 3> all{true, true, true};
    constexpr std::array<std::string_view, 3> names{"x", "y", "z"};
    const std::vector<CudaToken> tokens = cudaTokens(text);
    std::array<bool, 3> read{};
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        if (tokens[i].kind == CudaTokenKind::directive && directiveName(tokens[i]) != "pragma") {
            return all;
        }
        if (!tokens[i].is("blockIdx")) continue;
        if (i + 2 >= tokens.size() || !tokens[i + 1].is(".")) return all;
        const auto axis = std::ranges::find(names, tokens[i + 2].text);
        if (axis == names.end()) return all;
        read[static_cast<std::size_t>(axis - names.begin())] = true;
    }
    return read;
}

std::string kernelDigest(const Kernel& file) {
    std::string words;
    for (const CudaToken& token : cudaTokens(file.text)) {
        words += token.text;
        words += '\n';
    }
    return digestOf(words);
}

}  // namespace warplens
